//! Structure that any text has, whatever it is written in.

pub(crate) mod ascii;
mod directives;
mod encoding;
mod layout;
mod nested_proposals;
mod pairs;
mod repeats;
mod words;

pub(crate) use directives::directives;
pub(crate) use encoding::{EncodedCharacter, EncodedText};
pub(crate) use layout::{TextLine, lines};
pub(crate) use nested_proposals::{DEEPEST, NestedProposals};
pub(crate) use pairs::{DelimiterPair, pairs};
pub(crate) use repeats::put_together;
pub(crate) use words::{TextWord, WordKind, words};

use crate::DocumentPart;

/// Whether the grammar of a part says more about it than what its text looks like.
pub(crate) fn fits_its_grammar(part: &DocumentPart) -> bool {
    let Some(tree) = part.tree() else { return false };
    let nodes = tree.nodes();
    let errors = nodes.iter().filter(|node| node.is_error).count();
    nodes.len() > 1 && !nodes[0].is_error && errors * 100 <= nodes.len()
}
