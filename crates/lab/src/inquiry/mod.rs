//! The steps that all questions share: open a session, test both sides, search, check the finding, end.
//!
//! Each question has its own procedure between these steps. The steps themselves are: [`Session`] (the record of a
//! run), [`prepare`] and [`prepare_failing`] (the baseline), [`search_and_confirm`], [`verify`], and [`Concluded`] (the
//! end of a question).
//!
//! | file | step |
//! |---|---|
//! | `session`, `new_run`, `listener` | the record of a run, what it begins with, and the listener that hears about it |
//! | `failure_request`, `test_command`, `command_text`, `search_choice` | what the user requested, as it is recorded |
//! | `relations`, `relation_file` | what the user knows of the deltas: their order, which belong together, which need which |
//! | `test_folder`, `folder_choice` | the folder in which a test runs: with the candidate only, or a copy of the user's |
//! | `baseline`, `sides`, `look` | tests of both sides before the search |
//! | `search` | a search, and a check of its finding without each single delta |
//! | `verification` | the finding alone and everything without it, both from a clean start; the confidence of a noisy trail |
//! | `conclusion` | the end of a question |
//! | `live` | the stage runner of a lab |
//! | `revisit` | a folder for a candidate that is made again |

mod baseline;
mod command_text;
mod conclusion;
mod failure_request;
mod folder_choice;
mod listener;
mod live;
mod look;
mod new_run;
mod relation_file;
mod relations;
mod revisit;
mod search;
mod search_choice;
mod session;
mod sides;
mod test_command;
mod test_folder;
mod verification;

pub use baseline::{BaselineResult, FailingSide, prepare, prepare_failing, recorded_rates};
pub use command_text::split_words;
pub use conclusion::{Concluded, Response, explain_no_verdict, explain_stop};
pub use failure_request::{FailureRequest, conditions};
pub use folder_choice::needs_copy;
pub use listener::{CandidateView, Listener, NoListener, SeenCandidate};
pub use live::LiveStages;
pub use look::KEPT_SIDES;
pub use new_run::NewRun;
pub use relation_file::{NamedGroup, NamedNeed, RelationFile};
pub use relations::{KnownRelations, RelationsRequest, UnknownName};
pub use revisit::{empty_folder, was_in_copy};
pub use search::{CheckedFinding, confirm, search_and_confirm};
pub use search_choice::SearchChoice;
pub use session::{ClosedSession, EndedRun, Session};
pub use sides::{BaselineTerms, SideNames};
pub use test_command::{TestCommand, find_in_path, warn_if_relative, words};
pub use test_folder::{TestFolder, could_not_be_written};
pub use verification::{confidence, nothing_was_resolved, verify, verify_sides};
