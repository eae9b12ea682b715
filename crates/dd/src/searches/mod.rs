//! Our own searches.

mod balanced;
mod bisect;
mod confirm;
mod isolate_in_order;
mod narrow;
mod probe;
mod walk_back;

pub use balanced::{Balanced, RemovalOrder};
pub use bisect::{Ancestry, Bisect, Culprit};
pub use confirm::{Confirm, Confirmed};
pub use isolate_in_order::IsolateInOrder;
pub use narrow::Narrow;
pub use probe::Probe;
pub use walk_back::{VersionOutcome, WalkBack, WalkRoute, WalkedBack};
