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

pub mod candidates;
pub mod coverage;
pub mod deltas;
pub mod history;
pub mod knowledge;
pub mod patches;
pub mod question;
pub mod search;
pub mod syntax;
pub mod trees;
pub mod versions;

pub use candidates::candidate::{Base, Candidate};
pub use candidates::change_space::{ChangeSpace, ComplaintReader};
pub use candidates::checkout::{Checkout, changed_since_written};
pub use candidates::patch_series::{PatchSeries, PatchStep};
pub use candidates::reads;
pub use candidates::revision_space::{RevisionSpace, TestedRevision};
pub use candidates::space::{Space, TreeStages, as_subject};
pub use candidates::tree_test::{Reads, Recipe, TreeTest};
pub use candidates::version_space::VersionSpace;
pub use deltas::change::{ChangeKind, DescribedChange};
pub use deltas::change_set::ChangeSet;
pub use deltas::hunk::CONTEXT;
pub use deltas::path_filter::{BadPattern, PathFilter};
pub use deltas::splice::mix;
pub use patches::apply::{apply_to, undo_from};
pub use patches::conflict::{Conflict, ConflictKind};
pub use patches::fitting::fitting;
pub use patches::moved::moved;
pub use patches::parsed::bad_patch::{BadPatch, BadPatchKind};
pub use patches::parsed::patched_tree::apply_patch;
pub use patches::patch_text::{patch_of_bad, patch_of_good};
pub use trees::contents::Contents;
pub use trees::entry::{EntryKind, LoadedEntry, TreeEntry};
pub use trees::mix::Mix;
pub use trees::tree::Tree;
pub use trees::tree_error::TreeError;
pub use trees::tree_path::{BadPath, TreePath};
pub use versions::listed::{
    FetchRevision, HelperSetup, InterruptHook, ListCommands, ListedRevisions, NotFetched, OpenedRevisions,
    Pool, RevisionList,
};
