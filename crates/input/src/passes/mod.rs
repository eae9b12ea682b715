//! The passes, each a file.

mod characters;
mod empty_files;
mod lines;
mod nodes;
mod pieces;
mod png;
mod unpack;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(pieces::Pieces),
        Arc::new(unpack::Unpack),
        Arc::new(png::Png),
        Arc::new(empty_files::EmptyFiles),
        Arc::new(nodes::Nodes),
        Arc::new(lines::Lines),
        Arc::new(characters::Characters),
    ]
}
