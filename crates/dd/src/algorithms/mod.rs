//! The published algorithms, with the cases of the papers beside the code.

mod dd;
mod dd_plus;
mod ddmin;
mod isolate;
mod split;

pub use dd::Dd;
pub use dd_plus::DdPlus;
pub use ddmin::Ddmin;
pub use isolate::Isolate;
pub use split::{Split, SplitLevels, SplitParts};
