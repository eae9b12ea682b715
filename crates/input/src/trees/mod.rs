//! What the passes over syntax trees have in common.
//!
//! | file | idea |
//! |---|---|
//! | `tree_cuts`, `siblings` | which bytes are removed with a node |
//! | `fitting` | nodes that can replace the node around them |
//! | `items`, `dominators` | definitions, which of them use which, and what is used only through one of them |
//! | `uses` | names, where they are defined and used |
//! | `tree_proposals` | deltas of nodes, as levels |

mod dominators;
mod fitting;
mod items;
mod siblings;
mod tree_cuts;
mod tree_proposals;
mod uses;

pub(crate) use dominators::Dominators;
pub(crate) use fitting::FittingNodes;
pub(crate) use items::{TopLevelItems, is_name};
pub(crate) use siblings::Siblings;
pub(crate) use tree_cuts::TreeCuts;
pub(crate) use tree_proposals::TreeProposals;
pub(crate) use uses::{RemovableDefinition, SymbolUses};
