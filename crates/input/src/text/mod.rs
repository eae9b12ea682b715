//! Structure that any text has, whatever it is written in.

mod directives;
mod encoding;
mod layout;
mod nesting;
mod pairs;
mod repeats;
mod words;

pub(crate) use directives::directives;
pub(crate) use encoding::{Character, Text};
pub(crate) use layout::{Line, lines};
pub(crate) use nesting::{DEEPEST, Nesting};
pub(crate) use pairs::{Pair, pairs};
pub(crate) use repeats::put_together;
pub(crate) use words::{Kind, Word, words};

use crate::Part;

/// Whether the grammar of a part says more about it than what its text looks like.
pub(crate) fn fits_its_grammar(part: &Part) -> bool {
    let Some(tree) = part.tree() else { return false };
    let nodes = tree.nodes();
    let errors = nodes.iter().filter(|node| node.is_error).count();
    nodes.len() > 1 && !nodes[0].is_error && errors * 100 <= nodes.len()
}
