//! Delta debugging algorithms as values that ask for tests and are told the outcomes.
//!
//! **You provide** deltas, numbered in a fixed order, and the outcome of each set of deltas that a search asks for.
//! **You get** a [`Search`], which names the set to test next and, in the end, the deltas that cause the failure.
//! **It does not** run anything. There is no I/O here, no clock, no thread and no randomness. So a search can be cloned
//! to look ahead, replayed from a journal, and tested as a conversation.
//!
//! ```
//! use howcome_dd::{Answer, Ask, Balanced, Configuration, Outcome, Search};
//!
//! // Eight deltas. The test fails if deltas 3 and 6 are both applied.
//! let cause: Configuration = "3,6".parse()?;
//! let mut search = Balanced::new(Configuration::all(8));
//! let finding = loop {
//!     match search.ask() {
//!         Ask::Test(question) => {
//!             let fails = cause.is_subset(&question.configuration);
//!             search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
//!         }
//!         Ask::Done(finding) => break finding,
//!     }
//! };
//! assert_eq!(finding.failing, cause);
//! # Ok::<(), howcome_dd::NotAConfiguration>(())
//! ```
//!
//! # The contract
//!
//! - The empty configuration passes, and the configuration that a search starts from fails. Test both before you search.
//! - Each outcome belongs to the question asked last. A search that is done ignores further answers.
//! - What a search asks depends only on the answers it was told.
//! - A finding is 1-minimal if the test stops failing when any single one of its deltas is removed. Searches that promise
//!   less are listed below; [`Confirm`] checks their findings.
//!
//! # Searches
//!
//! | search | finds | promises |
//! |---|---|---|
//! | [`Dd`], [`DdPlus`] | the deltas that induce the failure | nothing until [`Confirm`] has checked the finding |
//! | [`Ddmin`], [`Balanced`] | a small configuration that still fails | 1-minimal, whatever the outcomes |
//! | [`Narrow`] | the same if most configurations are unresolved | fails; 1-minimal if outcomes are monotone |
//! | [`Isolate`] | a small difference between passing and failing | 1-minimal, whatever the outcomes |
//! | [`IsolateInOrder`] | the same for deltas whose prefixes make sense | 1-minimal, whatever the outcomes |
//! | [`Bisect`] | the first bad delta, or the first bad revision of a graph | the culprit, or the suspects |
//! | [`FlakyBisect`] | the revision that changed how often a test fails | the culprit with the requested probability |
//! | [`WalkBack`] | how far a line of versions keeps its outcome | the first version that differs, except skipped ones |
//! | [`Confirm`] | whether a finding fails alone and is minimal | its claim was tested |
//! | [`BothWays`] | the first of several changes without which the failing side passes, and with which the passing side fails | each claim was tested |
//! | [`Probe`] | the outcome of one configuration | that outcome |
//!
//! Wrappers change what a search asks or when it stops. They promise what the search inside promises.
//!
//! | wrapper | change |
//! |---|---|
//! | [`CoarseToFine`] | searches groups first, then what is in the groups that are left |
//! | [`GroupsFirst`] | the same for one level of groups of any deltas |
//! | [`TargetOutcome`] | looks for another outcome than a failure |
//! | [`FailsHerePassesThere`] | looks for a failure that another version does not have |
//! | [`StopEarly`] | ends by a rule: [`SearchLimit`] (too many tests with little or no progress), [`TestLimit`] (a number of tests), [`UntilOutcome`] (an outcome is seen), [`Productivity`] (the last tests removed little) |
//! | [`SeenPassing`] | also returns the configurations that passed |
//! | [`UnresolvedLimit`] | stops after too many unresolved answers |
//!
//! # Files
//!
//! | file | idea |
//! |---|---|
//! | `search.rs` | the interface of all searches: ask, tell, finding |
//! | `outcome.rs` | pass, fail, unresolved; relations between deltas; hints that come with an answer |
//! | `configuration/mod.rs` | a set of deltas: union, difference, parts |
//! | `configuration/chunk.rs` | 4096 deltas of a set, shared between sets |
//! | `configuration/text.rs` | a set as text: `1-4,7` |
//! | `knowledge.rs` | outcomes that can be predicted without a test |
//! | `driver.rs` | the simplest driver: one test at a time |
//! | `every_search.rs` | one of each search, for tests |
//! | `algorithms/mod.rs` | **the published algorithms**, with the cases of the papers |
//! | `algorithms/dd.rs` | dd (Zeller 1999) |
//! | `algorithms/dd_plus.rs` | dd+ (Zeller 1999) |
//! | `algorithms/ddmin.rs` | ddmin (Zeller & Hildebrandt 2002) |
//! | `algorithms/isolate.rs` | dd for isolation (Zeller 2002) |
//! | `algorithms/split.rs` | how they split a configuration into parts |
//! | `searches/mod.rs` | **our own searches** |
//! | `searches/balanced/mod.rs` | the default simplifier: remove runs that can go with a chance of one half |
//! | `searches/balanced/chances.rs` | the estimate of that chance |
//! | `searches/narrow/mod.rs` | narrow from both sides, round after round |
//! | `searches/narrow/cut.rs` | cut a difference along groups, from coarse to fine |
//! | `searches/narrow/needs.rs` | which deltas need which others |
//! | `searches/narrow/order.rs` | an order in which each delta comes after what it needs |
//! | `searches/narrow/proposed_repairs.rs` | configurations to try instead of an unresolved one |
//! | `searches/narrow/removal.rs` | in which order deltas are removed in the end |
//! | `searches/narrow/blame.rs` | what unresolved configurations have in common |
//! | `searches/narrow/asked_before.rs` | the configurations that were asked before |
//! | `searches/isolate_in_order.rs` | binary search over prefixes, then isolation |
//! | `searches/bisect/mod.rs` | the first bad revision of a line or a graph |
//! | `searches/bisect/weights.rs` | how likely each revision is the culprit, before any test |
//! | `searches/flaky_bisect/mod.rs` | the revision that changed how often a flaky test fails |
//! | `searches/flaky_bisect/posterior.rs` | how probable each revision is the culprit after some runs |
//! | `searches/flaky_bisect/failure_rate.rs` | how probable runs are if the failure rate is unknown |
//! | `searches/flaky_bisect/tests.rs` | its tests |
//! | `searches/walk_back/mod.rs` | walk along versions until the outcome changes |
//! | `searches/walk_back/route.rs` | where a walk starts and where it goes |
//! | `searches/walk_back/tests.rs` | its tests |
//! | `searches/confirm.rs` | check a finding alone and by single removals |
//! | `searches/probe.rs` | one question |
//! | `wrappers/mod.rs` | **searches around another search** |
//! | `wrappers/search_wrapper.rs` | what all wrappers pass on to the search inside |
//! | `wrappers/coarse_to_fine.rs`, `wrappers/groups_first.rs`, `wrappers/target_outcome.rs`, `wrappers/fails_here_passes_there.rs`, `wrappers/stop_early.rs`, `wrappers/seen_passing.rs`, `wrappers/unresolved_limit.rs`, `wrappers/test_limit.rs`, `wrappers/until_outcome.rs` | the wrappers in the table above |
//! | `wrappers/search_limit.rs`, `wrappers/productivity.rs` | the rules that end a search early |
//! | `algorithms` | the published algorithms, with the cases of the papers beside the code |
//! | `configuration` | sets of deltas |
//! | `searches` | our own searches |
//! | `wrappers` | searches around another search |

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

pub use algorithms::{Dd, DdPlus, Ddmin, Isolate, Split, SplitLevels, SplitParts};
pub use configuration::text::NotAConfiguration;
pub use configuration::{Configuration, DeltaId, DeltaRuns};
pub use driver::{Conversation, drive};
pub use every_search::{SearchVisitor, visit_every_search};
pub use knowledge::Knowledge;
pub use outcome::{Hints, Outcome, Relation};
pub use search::{Answer, Ask, Difference, Question, Search, Step};
pub use searches::{
    Ancestry, Balanced, Bisect, BothWays, Confirm, Confirmed, Culprit, DecidingChange, FailureCount,
    FlakyBisect, FlakyCulprit, IsolateInOrder, Narrow, Probe, RemovalOrder, VersionOutcome, WalkBack,
    WalkRoute, WalkedBack,
};
pub use wrappers::{
    CoarseToFine, FailsHerePassesThere, FoundUntil, FoundWithinLimit, GroupsFirst, LimitReached,
    Productivity, SearchLimit, SearchWrapper, SeenPassing, StopEarly, StopRule, TargetOutcome, TestLimit,
    TestLimitFinding, ToldAnswer, UnresolvedLimit, UntilOutcome,
};
