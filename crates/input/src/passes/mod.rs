//! The passes, each a file.

mod characters;
mod children;
mod definitions;
mod lines;
mod nodes;
mod smallest;
mod unwrap;
mod uses;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(definitions::Definitions),
        Arc::new(nodes::Nodes),
        Arc::new(unwrap::Unwrap),
        Arc::new(children::Children),
        Arc::new(uses::WithUses),
        Arc::new(smallest::Smallest),
        Arc::new(children::SmallerChildren),
        Arc::new(lines::Lines),
        Arc::new(characters::Characters),
    ]
}
