//! The passes, each a file.

mod bodies;
mod characters;
mod children;
mod comments;
mod format;
mod join_lines;
mod lexis;
mod lines;
mod names;
mod nodes;
mod numbers;
mod order;
mod strings;
mod whitespace;

pub use format::{Format, Formatter};

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
#[rustfmt::skip]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(bodies::Bodies),
        Arc::new(comments::Comments),
        Arc::new(nodes::Nodes),
        Arc::new(children::Children),
        Arc::new(children::SmallerChildren),
        Arc::new(lines::Lines),
        Arc::new(order::Order),
        Arc::new(whitespace::Whitespace),
        Arc::new(strings::Strings),
        Arc::new(numbers::Numbers),
        Arc::new(characters::Characters),
        Arc::new(names::Names),
        Arc::new(join_lines::JoinLines),
    ]
}
