//! The question of `howcome history`: which change broke it, although no old revision passes as it is.
//!
//! **What you provide:** a [`HistoryRequest`] (the revisions, the test, what counts as the failure), a session that records the run,
//! and a lab in which tests run. Revisions of any [source](crate::versions::source::VersionSource) can be given as
//! [`HistoryRevisions`], and [`search_history`] runs its stages wherever you want.
//! **What you get:** the last revision that passes, the patch that it needs for that, the lines that broke it, and a fix for the
//! newest revision; or that it never worked.
//! **What it is not for:** reading the command line, or printing.
//!
//! ```no_run
//! use howcome_changes::HelperSetup;
//! use howcome_changes::history::{HistoryRequest, RevisionSource, SameRequest, algorithms, ask};
//! use howcome_lab::inquiry::{FailureRequest, NoListener, Response, Session, TestCommand};
//! use howcome_lab::{Local, LocalOptions};
//! use howcome_run::{Budget, QuestionName, RunFile};
//!
//! # fn run(warden: Vec<std::ffi::OsString>) -> Result<(), Box<dyn std::error::Error>> {
//! let here = std::env::current_dir()?;
//! let mut request = HistoryRequest {
//!     revisions: RevisionSource::in_git(None, None, None, &here)?,
//!     test: TestCommand::parse(&["./check.sh".into()], here, true)?,
//!     test_in_tree: None,
//!     same: Vec::new(),
//!     hold: Vec::new(),
//!     vary_tests: false,
//!     held: None,
//!     changed_tests: Vec::new(),
//!     build: Some(vec!["make".to_owned()]),
//!     clean: None,
//!     copy: Vec::new(),
//!     failure: FailureRequest::default(),
//!     alike: SameRequest::default(),
//!     asked_as: None,
//!     thorough: false,
//!     every_revision: false,
//!     test_names: Vec::new(),
//! };
//! // A program that calls `howcome_lab::warden::serve` when it is started as a warden.
//! let options = LocalOptions::new(warden, std::env::temp_dir());
//! let setup = HelperSetup { options: options.clone(), on_interrupt: &|_| Ok(()) };
//! let revisions = request.open(&setup)?;
//! let file = RunFile::new(QuestionName::History, algorithms(), 1, &request)?;
//! let mut session =
//!     Session::begin(["howcome.out/check".into()], file, Budget::default(), Box::new(NoListener))?;
//! let mut lab = Local::new(options)?;
//! let answer = ask(&mut session, &mut lab, &request, &revisions, None, false);
//! if let Ok(Response::Concluded(concluded)) = &answer {
//!     println!("{:?}", concluded.conclusion);
//! }
//! session.close(answer)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `request` | what is asked, as `run.json` keeps it |
//! | `revision_source` | where the revisions come from |
//! | `revisions` | the revisions, opened |
//! | `same_request` | what must be the same in a failure |
//! | `question` | from the baseline to the answer |
//! | `procedure` | the whole search: walk back, explain, carry the fix forward |
//! | `stages` | runs the stages of the search, and numbers them |
//! | `walk` | the walk back until a revision passes |
//! | `walk_state` | how far a walk back has come, and where it ends |
//! | `walk_space` | the revisions that a walk tests, with a patch or without |
//! | `revision_outcomes` | what was seen of the revisions |
//! | `restore` | makes a revision fail in the original way, with changes of newer revisions |
//! | `trial` | trials of a revision with less than the patch of the walk |
//! | `whole_files` | files of a patch that older revisions get as a whole |
//! | `merged_branch` | a part of the branch that brought what the test needs |
//! | `reduced_patch` | a patch with which a revision passes, made smaller so that it fits others |
//! | `fewest_changes` | the fewest changes of a newer revision that make an older one fail |
//! | `later_pass` | a later revision that passes, because the change that a walk has found was undone in between |
//! | `one_sided_lines` | lines of a patch that fit only the one of two revisions |
//! | `later_changes` | the oldest revision with all changes that came after a newer one |
//! | `without_hunk` | the newest revision without one of the changes that came with what the test needs |
//! | `left_out_part` | a patch without a part of its changes, if the patch has brought the cause |
//! | `missing_names` | revisions that lack a name which the test uses |
//! | `hidden_cause` | looks for a cause that a patch has brought to older revisions |
//! | `backport_patch` | a patch on its way back through history |
//! | `smallest_patch` | the smallest patch with which the older revision passes and the newer one fails |
//! | `patched_sides` | a patch in two revisions at once |
//! | `explanation` | the cause between a revision that passes and one that fails |
//! | `forward` | the fix for the newest revision |
//! | `adapted_fix` | a fix that is adapted to a revision at which it is not enough |
//! | `moved_fix` | a fix whose lines are elsewhere in the newest revision |
//! | `cause_lines` | the lines of a cause, looked for in a newer version and in a fix of it |
//! | `changes_around` | the changes of a newer revision around a fix |
//! | `completed_fix` | a fix together with the changes that it needs by their names |
//! | `whole_hunks` | the whole hunks of a cause of which single lines say too little |
//! | `doubts` | what speaks against an answer |
//! | `other_error` | an error that the oldest revision reports, and the newest one does not |
//! | `other_reason` | why a test that fails in an old revision says nothing about it |
//! | `silent_test` | a test that does not say why it fails |
//! | `finding` | the finding |
//! | `known_part` | a part of the answer that is known before the run ends |
//! | `revisit` | any test of a run, for people |

mod adapted_fix;
mod backport_patch;
mod cause_lines;
mod changes_around;
mod completed_fix;
mod doubts;
mod explanation;
mod fewest_changes;
mod finding;
mod forward;
mod hidden_cause;
mod known_part;
mod later_changes;
mod later_pass;
mod left_out_part;
mod merged_branch;
mod missing_names;
mod moved_fix;
mod one_sided_lines;
mod other_error;
mod other_reason;
mod patched_sides;
mod procedure;
mod question;
mod reduced_patch;
mod request;
mod restore;
mod revision_outcomes;
mod revision_source;
mod revisions;
mod revisit;
mod same_request;
mod silent_test;
mod smallest_patch;
mod stages;
mod trial;
mod walk;
mod walk_space;
mod walk_state;
mod whole_files;
mod whole_hunks;
mod without_hunk;

pub use finding::{AnswerFile, HistoryFindingBuilder};
pub use known_part::{KnownPart, OnKnownPart};
pub use procedure::{HistorySearch, search_history};
pub use question::{algorithms, ask};
pub use request::HistoryRequest;
pub use revision_source::{NamedCommit, RevisionSource};
pub use revisions::HistoryRevisions;
pub use revisit::{RecordedStage, describe, rebuild};
pub use same_request::SameRequest;
