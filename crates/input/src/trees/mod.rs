//! What the passes over syntax trees have in common.

mod cut;
mod fitting;
mod outline;
mod siblings;

pub(crate) use cut::Cuts;
pub(crate) use fitting::Fitting;
pub(crate) use outline::Outline;
pub(crate) use siblings::Siblings;
