//! A part of the answer that is known before the run ends.
//!
//! Its files are written at once, so that they are there even if the run is killed while it looks for the rest.

use super::backport_patch::BackportPatch;
use super::explanation::Explanation;

/// A part of the answer. [`HistoryFindingBuilder::files_of`](super::HistoryFindingBuilder::files_of) makes its files.
pub struct KnownPart<'a>(pub(super) AnswerPart<'a>);

pub(super) enum AnswerPart<'a> {
    /// The patch with which a revision passes.
    Backport { passing: usize, patch: &'a BackportPatch },
    /// The cause.
    Cause(&'a Explanation),
}

/// Is told each part of the answer as soon as it is known.
pub type OnKnownPart<'a> = &'a mut dyn FnMut(&KnownPart<'_>);
