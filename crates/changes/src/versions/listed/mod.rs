//! Revisions from anywhere but git: a command prints their names, and another one checks them out.
//!
//! | file | idea |
//! |---|---|
//! | `request` | the revisions as `run.json` keeps them, and opened |
//! | `names`, `name_order` | the names in a list of revisions, and whether they are in the order of their numbers |
//! | `helper_command` | commands of the user that are not tests |
//! | `checkout_command` | the command that writes a revision into a folder |
//! | `revision_list` | revisions by their names, each fetched once |
//! | `pool`, `pool_record` | where fetched revisions are kept |

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
