//! The passes, each a file.

mod bodies;
mod characters;
mod lines;
mod nodes;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(bodies::Bodies),
        Arc::new(nodes::Nodes),
        Arc::new(lines::Lines),
        Arc::new(characters::Characters),
    ]
}
