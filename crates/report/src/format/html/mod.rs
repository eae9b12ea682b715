//! The report as a page.

pub(crate) mod chain;
pub(crate) mod exhibit;
pub(crate) mod page;
pub(crate) mod step;
pub(crate) mod trail;
pub(crate) mod way_back;
