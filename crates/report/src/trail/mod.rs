//! What the record of a run says: the questions in their order, the stages, the counts.

pub(crate) mod reader;
pub(crate) mod sizes;
pub(crate) mod step;
pub(crate) mod summary;
