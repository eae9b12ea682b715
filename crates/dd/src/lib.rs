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

mod algorithms;
mod configuration;
mod driver;
mod every_search;
mod knowledge;
mod outcome;
mod search;
mod searches;
mod wrappers;

pub use algorithms::{Dd, DdPlus, Ddmin, Isolate, Split, SplitParts};
pub use configuration::text::NotAConfiguration;
pub use configuration::{Configuration, DeltaId, DeltaRuns};
pub use driver::{Conversation, drive};
pub use every_search::{SearchVisitor, visit_every_search};
pub use knowledge::Knowledge;
pub use outcome::{Hints, Outcome, Relation};
pub use search::{Answer, Ask, Difference, Question, Search, Step};
pub use searches::{
    Ancestry, Balanced, Bisect, Confirm, Confirmed, Culprit, IsolateInOrder, Narrow, Probe, RemovalOrder,
    VersionOutcome, WalkBack, WalkRoute, WalkedBack,
};
pub use wrappers::{
    CoarseToFine, FailsHerePassesThere, SearchWrapper, StopWhenUnproductive, TargetFinding, TargetOutcome,
    UnresolvedLimit,
};
