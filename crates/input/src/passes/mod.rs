//! The passes, each a file.

mod blocks;
mod characters;
mod chunks;
mod delimiters;
mod lines;
mod nodes;
mod paragraphs;
mod peel;
mod sections;
mod tokens;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(sections::Sections),
        Arc::new(chunks::Chunks),
        Arc::new(nodes::Nodes),
        Arc::new(paragraphs::Paragraphs),
        Arc::new(blocks::Blocks),
        Arc::new(delimiters::Delimiters),
        Arc::new(lines::Lines),
        Arc::new(tokens::Tokens),
        Arc::new(peel::Peel),
        Arc::new(characters::Characters),
    ]
}
