//! Whether an edit of a file leaves something incomplete.

use super::functions::language_of;
use super::mixed_syntax::LARGEST_TO_CHECK;
use super::shape_reader::read_shape;
use crate::trees::tree_path::TreePath;

/// Whether a text has errors, empty bodies or misplaced statements that it did not have before it was edited. `false` if the
/// language is not known.
pub(crate) fn breaks_syntax(path: &TreePath, before: &[u8], after: &[u8]) -> bool {
    let Some(language) = language_of(path, before).filter(|_| before.len() <= LARGEST_TO_CHECK) else {
        return false;
    };
    let shapes = read_shape(language, before).zip(read_shape(language, after));
    shapes.is_some_and(|(before, after)| after.is_broken_by_edit(&before))
}
