//! The drawing of memory graphs.

pub(crate) mod layout;
pub(crate) mod lines;
pub(crate) mod order;
pub(crate) mod part;
pub(crate) mod picture;
pub(crate) mod style;
