//! What every question does: it opens a session, tests both sides, searches, checks what it found, and ends.
//!
//! Each question has its own way in between. The steps are the same for all of them and are here once:
//! [`Session`] (the record of a run), [`prepare`] and [`prepare_failing`] (the baseline), [`search_and_confirm`],
//! [`verify`], and [`Concluded`] (how it ended).
//!
//! | file | step |
//! |---|---|
//! | `session`, `listener` | the record of a run, and who is told about it |
//! | `failure_request`, `test_command`, `search_choice` | what the user asked for, as it is recorded |
//! | `baseline`, `sides`, `look` | both sides are tested before anything is searched |
//! | `search` | a search, and its finding by single removals |
//! | `verification` | the finding alone, and everything without it, from a clean start; what the trail is worth |
//! | `conclusion` | how a question ends |
//! | `live` | the stages of a procedure, run in a lab |
//! | `revisit` | candidates made again, for people |

mod baseline;
mod conclusion;
mod failure_request;
mod listener;
mod live;
mod look;
mod revisit;
mod search;
mod search_choice;
mod session;
mod sides;
mod test_command;
mod verification;

pub use baseline::{BaselineResult, FailingSide, prepare, prepare_failing};
pub use conclusion::{Concluded, Response, explain_no_verdict, explain_stop};
pub use failure_request::{FailureRequest, conditions};
pub use listener::{Listener, NoListener};
pub use live::LiveStages;
pub use revisit::empty_folder;
pub use search::{CheckedFinding, search_and_confirm};
pub use search_choice::SearchChoice;
pub use session::{ClosedSession, EndedRun, Session};
pub use sides::{BaselineTerms, SideNames};
pub use test_command::{TestCommand, find_in_path, split_words, warn_if_relative, words};
pub use verification::{confidence, nothing_was_resolved, verify};
