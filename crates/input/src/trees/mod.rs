//! What the passes over syntax trees have in common.

mod cut;
mod dominators;
mod fitting;
mod items;
mod outline;
mod siblings;
mod uses;

pub(crate) use cut::Cuts;
pub(crate) use dominators::Dominators;
pub(crate) use fitting::Fitting;
pub(crate) use items::{Items, is_name};
pub(crate) use outline::Outline;
pub(crate) use siblings::Siblings;
pub(crate) use uses::{Definition, Uses};
