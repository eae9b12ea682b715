//! The passes, each a file.

mod arguments;
mod blocks;
mod bodies;
mod characters;
mod children;
mod chunks;
mod close;
mod comments;
mod conditionals;
mod definitions;
mod delimiters;
mod directives;
mod empty_files;
mod extensions;
mod inline;
mod join_lines;
mod lexis;
mod lines;
mod merge;
mod names;
mod nodes;
mod numbers;
mod order;
mod paragraphs;
mod peel;
mod phrases;
mod pieces;
mod png;
mod repack;
mod sections;
mod smallest;
mod strings;
mod tokens;
mod unpack;
mod unwrap;
mod uses;
mod whitespace;

use crate::Pass;
use std::sync::Arc;

/// All passes, in the order in which those of the same tier are first tried.
#[must_use]
pub fn passes() -> Vec<Arc<dyn Pass>> {
    vec![
        Arc::new(sections::Sections),
        Arc::new(chunks::Chunks),
        Arc::new(pieces::Pieces),
        Arc::new(unpack::Unpack),
        Arc::new(repack::Repack),
        Arc::new(png::Png),
        Arc::new(empty_files::EmptyFiles),
        Arc::new(directives::Directives),
        Arc::new(bodies::Bodies),
        Arc::new(comments::Comments),
        Arc::new(conditionals::Conditionals),
        Arc::new(extensions::Extensions),
        Arc::new(nodes::Nodes),
        Arc::new(paragraphs::Paragraphs),
        Arc::new(blocks::Blocks),
        Arc::new(delimiters::Delimiters),
        Arc::new(definitions::Definitions),
        Arc::new(unwrap::Unwrap),
        Arc::new(children::Children),
        Arc::new(uses::WithUses),
        Arc::new(smallest::Smallest),
        Arc::new(arguments::Arguments),
        Arc::new(inline::Inline),
        Arc::new(merge::Merge),
        Arc::new(children::SmallerChildren),
        Arc::new(phrases::Phrases),
        Arc::new(lines::Lines),
        Arc::new(tokens::Tokens),
        Arc::new(peel::Peel),
        Arc::new(order::Order),
        Arc::new(whitespace::Whitespace),
        Arc::new(strings::Strings),
        Arc::new(numbers::Numbers),
        Arc::new(names::Names),
        Arc::new(join_lines::JoinLines),
        Arc::new(characters::Characters),
        Arc::new(close::Close),
    ]
}

/// The passes that leave open what they have opened, so that one can look inside.
#[cfg(test)]
pub(crate) fn passes_that_leave_open() -> Vec<Arc<dyn Pass>> {
    passes().into_iter().filter(|pass| pass.name() != "close").collect()
}
