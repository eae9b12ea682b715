//! Deltas from two versions of a source tree.
//!
//! You provide two trees; you get the changes between them as numbered deltas, hunk by hunk or line by line, groups of
//! them for a search from coarse to fine, and for any configuration the files that it makes, or the patch. Nothing is
//! written; that is for those who use it. Trees come from folders, from patches ([`apply_patch`]) and from [`versions::git`],
//! which reads revisions by means of the `git` program, and only reads. [`apply_to`] and [`undo_from`] carry what was
//! found to yet another version.
//!
//! ```
//! use howcome_changes::{ChangeSet, TreeEntry, EntryKind, Tree, TreePath, mix};
//! use howcome_dd::{Configuration, DeltaId};
//!
//! let path = TreePath::new(b"main.c")?;
//! let (mut good, mut bad) = (Tree::empty(), Tree::empty());
//! good.insert(path.clone(), TreeEntry::of_bytes(EntryKind::PLAIN, b"a\nb\nc\nd\n"))?;
//! bad.insert(path.clone(), TreeEntry::of_bytes(EntryKind::PLAIN, b"A\nb\nc\n"))?;
//!
//! let changes = ChangeSet::between(&good, &bad)?;
//! assert_eq!(changes.len(), 2);
//! let second = DeltaId(1);
//! assert_eq!(changes.describe(second).unwrap().to_string(), "main.c:4: 1 line removed");
//!
//! let mix = mix(&changes, &Configuration::empty().with_delta(second));
//! let version = mix.get(&path).flatten().unwrap();
//! assert_eq!(&*version.bytes, b"a\nb\nc\n");
//! # Ok::<(), howcome_changes::TreeError>(())
//! ```

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod candidate;
mod carry;
mod change;
mod change_set;
mod checkout;
mod compare;
mod conflict;
mod contents;
pub mod coverage;
mod describe;
mod directory;
mod file_change;
mod fitting;
pub mod history;
mod hunk;
pub mod knowledge;
mod levels;
mod lines;
mod mix;
mod moved;
mod patch;
mod patch_source;
mod path_filter;
pub mod question;
pub mod reads;
mod rename;
pub mod search;
mod similar;
mod space;
mod splice;
pub mod syntax;
mod text;
mod three_way;
mod tree;
mod tree_path;
mod tree_test;
mod unified;
mod version;
pub mod versions;
mod watch;

pub use candidate::{Base, Candidate};
pub use carry::{apply_to, undo_from};
pub use change::{ChangeKind, DescribedChange};
pub use change_set::ChangeSet;
pub use checkout::{Checkout, changed_since_written};
pub use conflict::{Conflict, ConflictKind};
pub use contents::Contents;
pub use fitting::fitting;
pub use hunk::CONTEXT;
pub use mix::Mix;
pub use moved::moved;
pub use patch::{patch_of_bad, patch_of_good};
pub use patch_source::{BadPatch, BadPatchKind, apply_patch};
pub use path_filter::{BadPattern, PathFilter};
pub use space::{
    ChangeSpace, ComplaintReader, PatchSeries, PatchStep, RevisionSpace, Space, TestedRevision, TreeStages,
    VersionSpace, as_subject,
};
pub use splice::mix;
pub use tree::{EntryKind, Tree, TreeEntry, TreeError};
pub use tree_path::{BadPath, TreePath};
pub use tree_test::{Reads, Recipe, TreeTest};
pub use version::LoadedEntry;
pub use versions::listed::{
    FetchRevision, HelperSetup, InterruptHook, ListCommands, ListedRevisions, NotFetched, OpenedRevisions,
    Pool, RevisionList,
};
