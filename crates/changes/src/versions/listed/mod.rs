//! Revisions from anywhere but git: a command prints their names, and another one checks them out.
//!
//! | file | idea |
//! |---|---|
//! | `request` | the commands as `run.json` keeps them, and the revisions, opened |
//! | `helper_command` | commands of the user that are not tests |
//! | `checkout_command` | the command that writes a revision into a folder |
//! | `names`, `name_order` | the names of the revisions, and whether their order is plausible |
//! | `revision_list` | the revisions as a source of versions; `revision_list/tests` has its tests |
//! | `pool`, `pool_record` | the files of all revisions, each content once |

mod checkout_command;
mod helper_command;
mod name_order;
mod names;
mod pool;
mod pool_record;
mod request;
mod revision_list;

pub use helper_command::{HelperSetup, InterruptHook};
pub use pool::Pool;
pub use request::{ListCommands, ListedRevisions, OpenedRevisions};
pub use revision_list::{FetchRevision, NotFetched, RevisionList};
