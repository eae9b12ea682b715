//! Pictures as SVG: the search, the size of an input, the revisions of a history.

pub(crate) mod history;
pub(crate) mod patch_sizes;
pub(crate) mod scale;
pub(crate) mod search;
pub(crate) mod sizes;
