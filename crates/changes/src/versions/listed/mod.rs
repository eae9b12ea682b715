//! Revisions from anywhere but git: a command prints their names, and another one checks them out.

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
