//! The passes. A new pass is one file here and one entry in [`passes`].
//!
//! | files | what they work on |
//! |---|---|
//! | `pieces`, `empty_files` | files, folders, members of archives |
//! | `unpack`, `close`, `repack`, `png` | containers |
//! | `chunks`, `sections`, `paragraphs`, `blocks`, `lines` | lines of any text |
//! | `delimiters`, `peel`, `tokens`, `characters` | brackets, words and characters of any text |
//! | `directives`, `conditionals`, `extensions` | C and C++ |
//! | `nodes`, `children`, `unwrap`, `smallest`, `phrases` | nodes of a syntax tree |
//! | `bodies`, `definitions`, `uses`, `arguments`, `inline`, `merge`, `order` | definitions and their uses |
//! | `comments`, `names`, `numbers`, `strings`, `whitespace`, `join_lines` | simpler spellings |

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

/// All passes. Passes of the same tier first run in this order.
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

/// All passes except `close`, so that tests can look into containers.
#[cfg(test)]
pub(crate) fn passes_that_leave_open() -> Vec<Arc<dyn Pass>> {
    passes().into_iter().filter(|pass| pass.name() != "close").collect()
}
