//! The structure of any text, found without a grammar.
//!
//! | file | idea |
//! |---|---|
//! | `encoding` | characters in any encoding |
//! | `words`, `ascii` | words, blanks and punctuation |
//! | `layout` | lines, and how far they are indented |
//! | `pairs` | brackets and quotes that belong together |
//! | `directives` | directives of the C preprocessor |
//! | `repeats` | many equal units in a row |
//! | `nested_proposals` | deltas inside other deltas, as levels |

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

/// Whether a part fits its grammar so well that its tree says more than the layout of its text.
pub(crate) fn fits_its_grammar(part: &DocumentPart) -> bool {
    let Some(tree) = part.tree() else { return false };
    let nodes = tree.nodes();
    let errors = nodes.iter().filter(|node| node.is_error).count();
    nodes.len() > 1 && !nodes[0].is_error && errors * 100 <= nodes.len()
}
