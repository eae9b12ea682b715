//! A git repository as a source of versions: read by the `git` program, never written to.
//!
//! Only plumbing commands are used. None of them takes a lock, refreshes the index, runs a hook, a filter or a text conversion, or
//! fetches missing objects. Paths and contents are bytes.
//!
//! ```no_run
//! use howcome_changes::versions::git::Repository;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let repository = Repository::discover(".")?;
//! let good = repository.resolve("v1.2")?;
//! let bad = repository.resolve("HEAD")?;
//! let range = repository.range(&[good], bad)?;
//! let search = howcome_dd::Bisect::new(range.revisions.history());
//! # drop(search);
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `git_versions` | the commits of a repository as a source of versions |
//! | `repository` | a repository, and the revisions that people name in it |
//! | `command` | how the `git` program is asked |
//! | `object_id`, `objects` | ids of git, and the contents that they name |
//! | `commit` | who made a commit, when and why |
//! | `tree`, `tree_diff`, `revision_tree` | the files of a commit, what differs between two, and a commit as a tree |
//! | `dirty` | the working tree |
//! | `submodules` | the files of submodules |
//! | `range` | the commits between good and bad |
//! | `blame`, `removal` | the commit that a line comes from, or was removed by |
//! | `similar` | names that somebody may have meant |

mod blame;
mod command;
mod commit;
mod dirty;
mod git_versions;
mod object_id;
mod objects;
mod range;
mod removal;
mod repository;
mod revision_tree;
mod similar;
mod submodules;
mod tree;
mod tree_diff;

pub use blame::{BlamedLine, NoBlame};
pub use command::GitFailed;
pub use commit::{CommitRecord, When};
pub use dirty::{WorkingContent, WorkingFile, WorkingTree};
pub use git_versions::GitVersions;
pub use object_id::{NotAnObjectId, ObjectId};
pub use objects::{NoObject, Objects};
pub use range::NoRange;
pub use removal::RemovedLine;
pub use repository::{NoSuchRevision, NotARepository, Repository};
pub use revision_tree::{NoRevisionTree, tree_of_working_files};
pub use similar::similar;
pub use submodules::Submodules;
pub use tree::{GitTree, GitTreeEntry, Mode, NoTree};
pub use tree_diff::ChangedPath;
