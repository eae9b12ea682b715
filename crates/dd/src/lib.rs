//! Delta debugging algorithms as values that ask for tests and are told their outcomes.
//!
//! **What you provide:** deltas, numbered in a fixed order, and something that tells the outcome of a set of them.
//! **What you get:** a [`Search`] that says which set to test next and, in the end, which deltas decide.
//! **What it is not for:** running anything. There is no I/O here, no clock, no thread and no randomness, so a search
//! can be cloned, replayed and tested as a conversation.
//!
//! ```
//! use howcome_dd::{Ask, Answer, Balanced, Configuration, Outcome, Search};
//!
//! let needed: Configuration = "3,6".parse()?;
//! let mut search = Balanced::new(Configuration::all(8));
//! let finding = loop {
//!     match search.ask() {
//!         Ask::Test(question) => {
//!             let fails = needed.is_subset(&question.configuration);
//!             search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
//!         }
//!         Ask::Done(finding) => break finding,
//!     }
//! };
//! assert_eq!(finding.failing, needed);
//! # Ok::<(), howcome_dd::NotAConfiguration>(())
//! ```
//!
//! | search | answers | claim |
//! |---|---|---|
//! | [`Dd`], [`DdPlus`] | which deltas induce the failure | none until [`Confirm`] has looked |
//! | [`Ddmin`], [`Balanced`] | the smallest part that still fails | 1-minimal in any world |
//! | [`Narrow`] | as above, where most mixes may be unresolved | it fails; 1-minimal in a monotone world |
//! | [`Isolate`] | the smallest difference that decides | 1-minimal in any world |
//! | [`IsolateInOrder`] | the same, along an order in which beginnings make sense | 1-minimal in any world |
//! | [`Bisect`] | the first bad one of ordered deltas or of a graph of revisions | the culprit, or a range |
//! | [`WalkBack`] | how far a line of versions stays the same | the first place that does not, but for skipped ones |
//! | [`Probe`] | what becomes of one configuration | its outcome |
//! | [`TargetOutcome`], [`FailsHerePassesThere`] | as the search inside, for another notion of failure | that of the search inside |
//! | [`CoarseToFine`] | as the search inside, coarse to fine | that of the search inside, for the last level |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod asked_before;
mod balanced;
mod bisect;
mod chances;
mod chunk;
mod coarse_to_fine;
mod configuration;
mod confirm;
mod cut;
mod dd;
mod dd_plus;
mod ddmin;
mod fails_here_passes_there;
mod isolate;
mod isolate_in_order;
mod knowledge;
mod narrow;
mod needs;
mod order;
mod outcome;
mod probe;
mod proposed_repairs;
mod search;
mod sequential;
mod split;
mod stop_when_unproductive;
mod target_outcome;
mod unresolved_limit;
mod walk_back;
mod weights;

pub use balanced::{Balanced, RemovalOrder};
pub use bisect::{Ancestry, Bisect, Culprit};
pub use coarse_to_fine::CoarseToFine;
pub use configuration::{Configuration, DeltaId, DeltaRuns, NotAConfiguration};
pub use confirm::{Confirm, Confirmed};
pub use dd::Dd;
pub use dd_plus::DdPlus;
pub use ddmin::Ddmin;
pub use fails_here_passes_there::FailsHerePassesThere;
pub use isolate::Isolate;
pub use isolate_in_order::IsolateInOrder;
pub use knowledge::Knowledge;
pub use narrow::Narrow;
pub use outcome::{Hints, Outcome, Relation};
pub use probe::Probe;
pub use search::{Answer, Ask, Difference, Question, Search, Step};
pub use sequential::{Conversation, drive};
pub use split::{Split, SplitParts};
pub use stop_when_unproductive::StopWhenUnproductive;
pub use target_outcome::{TargetFinding, TargetOutcome};
pub use unresolved_limit::UnresolvedLimit;
pub use walk_back::{VersionOutcome, WalkBack, WalkRoute, WalkedBack};
