//! Drives searches: it answers their questions with an [`Executor`] that runs tests, and records everything.
//!
//! **What you provide:** a [`Subject`] with its deltas, a search of `howcome_dd`, an [`Executor`] that runs tests.
//! **What you get:** the finding, and a [`Journal`] from which everything else can be derived: the trail, the counts, the
//! state after a crash. Idle workers run the questions that will probably come next. Answers are told strictly in order, so
//! the trail and the finding are the same for any number of workers.
//! **What it is not for:** processes and terminals. `howcome-lab` runs tests, `howcome-report` describes the results.
//!
//! ```
//! use howcome_dd::{Balanced, Configuration, DeltaId, Knowledge, Outcome};
//! use howcome_run::{
//!     Algorithm, Because, Budget, Content, Driver, Journal, Observation, TestOrder, Recorded, ScriptedExecutor, Stage, StageName,
//!     Subject, Unit, NoWatcher,
//! };
//! use std::time::Duration;
//!
//! struct Numbers;
//! impl Subject for Numbers {
//!     fn deltas(&self) -> u32 { 40 }
//!     fn describe(&self, delta: DeltaId) -> String { delta.to_string() }
//!     fn content(&self, _: &Configuration) -> Option<Content> { None }
//! }
//!
//! let needed: Configuration = "7,31".parse()?;
//! let test = |order: &TestOrder| {
//!     let fails = needed.is_subset(&order.configuration);
//!     let (outcome, code) = if fails { (Outcome::Fail, 1) } else { (Outcome::Pass, 0) };
//!     Observation::new(outcome, Because::Exit(code), Duration::ZERO)
//! };
//! let mut executor = ScriptedExecutor::new(8, test, |_: &Configuration| 1.0);
//! let journal = Journal::in_memory(&[], Box::new(NoWatcher));
//! let mut driver = Driver::new(journal, Budget::default(), &Recorded::default());
//! let stage = Stage {
//!     subject: &Numbers,
//!     name: &StageName::Other("numbers".to_owned()),
//!     search: Algorithm::Balanced,
//!     unit: Unit::Item,
//!     knowledge: Knowledge::none(),
//! };
//! let found = driver.run(&mut executor, &stage, Balanced::new(Configuration::all(40)), &mut |_| {});
//! assert_eq!(found.expect("there is no budget").failing, needed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `driver`, `driver/telling`, `driver/running`, `driver/confirmation`, `driver/proofs`, `driver/later`, `driver/recollection`, `active_search` | brings a search and an executor together; tells the search what is known; keeps the workers busy; confirms answers from scratch, and likely answers before they are certain; runs tests of later stages on idle workers; recalls what earlier sessions observed; the search in the middle of its stage |
//! | `look_ahead`, `odds`, `later_test` | the questions that will probably come next, and their probabilities; tests of later stages |
//! | `memory` | what is known about configurations and contents |
//! | `subject`, `stage`, `executor` | what is varied, a search over it, and where tests run |
//! | `flaky_rates` | how often a flaky test fails with the cause and without it |
//! | `observation`, `test_info` | what happened in a test, and why; what is known about the test itself |
//! | `stage_runner`, `scripted_executor` | stages of a procedure: in a lab, from a journal, or from a script; an executor without processes |
//! | `journal`, `entry`, `file_replacement` | the record of a run, its lines, and files that are replaced as a whole |
//! | `run_dir`, `staged_run`, `run_lock`, `run_dir_error` | the folder of a run, how it is made, its lock, and why it cannot be used |
//! | `run_file`, `run_inputs` | the request, and what the run keeps of its input |
//! | `finding/` | what each question concludes: `items`, `input`, `difference`, `changes`, `history`, `chain` |
//! | `names/` | the names in a record: questions, stages, units and algorithms |
//! | `halt`, `problem` | why work does not continue, and errors for the user |
//! | `words/` | numbers and texts for people |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod active_search;
mod driver;
mod entry;
mod executor;
mod file_replacement;
mod finding;
mod flaky_rates;
mod halt;
mod journal;
mod later_test;
mod look_ahead;
mod memory;
mod names;
mod observation;
mod odds;
mod problem;
mod run_dir;
mod run_dir_error;
mod run_file;
mod run_inputs;
mod run_lock;
mod scripted_executor;
mod stage;
mod stage_runner;
mod staged_run;
mod subject;
mod test_info;
pub mod words;

pub use driver::{Driver, Noticed};
pub use entry::{
    AnswerSource, Conclusion, EndedAfter, EndedStage, Ending, Entry, JOURNAL_VERSION, Minimal, Purpose,
    Verified,
};
pub use executor::{Event, Executor, LaterExperiment, TestId, TestOrder};
pub use file_replacement::{FileReplacement, can_be_written};
pub use finding::{
    BothOutcomes, ChainAdvice, ChainFinding, ChainStep, ChangeExtent, ChangesFinding, CommitCheck,
    CommitInfo, DecidingVariable, DefectCandidate, DifferenceFinding, DifferenceKind, DifferingPart,
    FailsSince, FilePreview, Finding, ForwardStep, FoundChange, GraphEdge, GraphPart, GraphVertex,
    HistoryFinding, HunkLine, InputFinding, ItemsFinding, MarkedText, NeverWorked, OtherFailure, PassYield,
    PatchBase, PatchMade, QuotedLine, RecordedFinding, ReducedFile, RevisionOutcome, RevisionTried, RunPlace,
    SkippedPlace, SkippedRevision, TransitionFound,
};
pub use flaky_rates::{FlakyRates, ToldRuns};
pub use halt::Halt;
pub use journal::{
    Journal, JournalError, NoWatcher, Recorded, Waiting, Watcher, parse_journal, read_journal,
};
pub use later_test::{ForeseenTest, Foresight, KnownContents, LaterTest, StageForesight, first_questions};
pub use names::{
    Algorithm, Algorithms, BackportStep, Leg, QuestionName, Round, RoundStep, StageName, Unit, Way,
};
pub use observation::{Because, Observation, Tally, signal_name, signal_number};
pub use odds::Odds;
pub use problem::{Problem, ProblemKind, plain_error};
pub use run_dir::{RunDir, journal_path};
pub use run_dir_error::RunDirError;
pub use run_file::{InputHashes, RUN_VERSION, RunFile, read_run_file};
pub use run_inputs::{RunInputs, check_inputs};
pub use run_lock::is_locked;
pub use scripted_executor::ScriptedExecutor;
pub use stage::{Budget, Stage, Stop};
pub use stage_runner::{Replay, ScriptedStages, StageLabel, StageRunner, check_stage, read_log};
pub use subject::{Content, Rejection, Subject};
pub use test_info::TestInfo;
