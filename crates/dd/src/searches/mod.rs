//! Our own searches.
//!
//! | file | idea |
//! |---|---|
//! | `balanced` | our simplifier: few tests for a minimal answer |
//! | `bisect` | the first revision of a history that fails |
//! | `both_ways` | the first of several changes that decides on both sides |
//! | `flaky_bisect` | the revision that changed how often a flaky test fails |
//! | `narrow` | isolation (after Zeller 2002, Figure 2) for deltas most of whose combinations are unresolved |
//! | `walk_back` | walks along a line of versions, with a patch applied to each, as far as the outcome stays the same |

mod balanced;
mod bisect;
mod both_ways;
mod confirm;
mod flaky_bisect;
mod isolate_in_order;
mod narrow;
mod probe;
mod walk_back;

pub use balanced::{Balanced, RemovalOrder};
pub use bisect::{Ancestry, Bisect, Culprit};
pub use both_ways::{BothWays, DecidingChange};
pub use confirm::{Confirm, Confirmed};
pub use flaky_bisect::{FailureCount, FlakyBisect, FlakyCulprit};
pub use isolate_in_order::IsolateInOrder;
pub use narrow::Narrow;
pub use probe::Probe;
pub use walk_back::{VersionOutcome, WalkBack, WalkRoute, WalkedBack};
