//! The passes, each a file.

mod characters;
mod children;
mod lines;
mod nodes;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(nodes::Nodes),
        Arc::new(children::Children),
        Arc::new(children::SmallerChildren),
        Arc::new(lines::Lines),
        Arc::new(characters::Characters),
    ]
}
