//! What the passes over syntax trees have in common.

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
pub(crate) use uses::{DefinedName, SymbolUses};
