//! Searches around another search: they change what it asks, what it is told, or when it stops.

mod coarse_to_fine;
mod fails_here_passes_there;
mod groups_first;
mod productivity;
mod search_limit;
mod search_wrapper;
mod seen_passing;
mod stop_early;
mod target_outcome;
mod test_limit;
mod unresolved_limit;
mod until_outcome;

pub use coarse_to_fine::CoarseToFine;
pub use fails_here_passes_there::FailsHerePassesThere;
pub use groups_first::GroupsFirst;
pub use productivity::Productivity;
pub use search_limit::{FoundWithinLimit, LimitReached, SearchLimit};
pub use search_wrapper::SearchWrapper;
pub use seen_passing::SeenPassing;
pub use stop_early::{StopEarly, StopRule, ToldAnswer};
pub use target_outcome::TargetOutcome;
pub use test_limit::{TestLimit, TestLimitFinding};
pub use unresolved_limit::UnresolvedLimit;
pub use until_outcome::{FoundUntil, UntilOutcome};
