//! The question of `howcome history`: which change broke it, although no old revision passes as it is.
//!
//! | file | idea |
//! |---|---|
//! | `request` | what is asked, as `run.json` keeps it |
//! | `revision_source` | where the revisions come from |
//! | `revisions` | the revisions, opened |
//! | `test_files` | files of the bad revision that belong to the test |
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
//! | `fewest_changes` | the fewest changes of a newer revision that make an older one fail |
//! | `hidden_cause` | looks for a cause that a patch has brought to older revisions |
//! | `backport_patch` | a patch on its way back through history |
//! | `smallest_patch` | the smallest patch with which the older revision passes and the newer one fails |
//! | `patched_sides` | a patch in two revisions at once |
//! | `explanation` | the cause between a revision that passes and one that fails |
//! | `forward` | the fix for the newest revision |
//! | `finding` | the finding |
//! | `revisit` | any test of a run, for people |

mod backport_patch;
mod explanation;
mod fewest_changes;
mod finding;
mod forward;
mod hidden_cause;
mod patched_sides;
mod procedure;
mod question;
mod request;
mod restore;
mod revision_outcomes;
mod revision_source;
mod revisions;
mod revisit;
mod same_request;
mod smallest_patch;
mod stages;
mod test_files;
mod trial;
mod walk;
mod walk_space;
mod walk_state;

pub use finding::{AnswerFile, HistoryFindingBuilder};
pub use procedure::{HistorySearch, search_history};
pub use question::{algorithms, ask};
pub use request::HistoryRequest;
pub use revision_source::{NamedCommit, RevisionSource};
pub use revisions::HistoryRevisions;
pub use revisit::{RecordedStage, describe, rebuild};
pub use same_request::SameRequest;
