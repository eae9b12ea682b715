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
        Arc::new(sections::SectionsPass),
        Arc::new(chunks::ChunksPass),
        Arc::new(pieces::PiecesPass),
        Arc::new(unpack::UnpackPass),
        Arc::new(repack::RepackPass),
        Arc::new(png::PngPass),
        Arc::new(empty_files::EmptyFilesPass),
        Arc::new(directives::DirectivesPass),
        Arc::new(bodies::BodiesPass),
        Arc::new(comments::CommentsPass),
        Arc::new(conditionals::ConditionalsPass),
        Arc::new(extensions::ExtensionsPass),
        Arc::new(nodes::NodesPass),
        Arc::new(paragraphs::ParagraphsPass),
        Arc::new(blocks::BlocksPass),
        Arc::new(delimiters::DelimitersPass),
        Arc::new(definitions::DefinitionsPass),
        Arc::new(unwrap::UnwrapPass),
        Arc::new(children::ChildrenPass),
        Arc::new(uses::UsesPass),
        Arc::new(smallest::SmallestPass),
        Arc::new(arguments::ArgumentsPass),
        Arc::new(inline::InlinePass),
        Arc::new(merge::MergePass),
        Arc::new(children::SmallerChildrenPass),
        Arc::new(phrases::PhrasesPass),
        Arc::new(lines::LinesPass),
        Arc::new(tokens::TokensPass),
        Arc::new(peel::PeelPass),
        Arc::new(order::OrderPass),
        Arc::new(whitespace::WhitespacePass),
        Arc::new(strings::StringsPass),
        Arc::new(numbers::NumbersPass),
        Arc::new(names::NamesPass),
        Arc::new(join_lines::JoinLinesPass),
        Arc::new(characters::CharactersPass),
        Arc::new(close::ClosePass),
    ]
}

/// The passes that leave open what they have opened, so that one can look inside.
#[cfg(test)]
pub(crate) fn passes_that_leave_open() -> Vec<Arc<dyn Pass>> {
    passes().into_iter().filter(|pass| pass.name() != "close").collect()
}
