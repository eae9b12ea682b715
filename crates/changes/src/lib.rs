//! Which changes between two versions of a program make a test fail: the question of `howcome changes`, and, in [`history`], that of
//! `howcome history`.
//!
//! **What you provide:** two versions (commits, folders, a patch, or any [`VersionSource`](versions::source::VersionSource)), a
//! test, a session that records the run, and a lab in which tests run. See [`question::ask`].
//! **What you get:** the lines that make the difference, the commit that they come from, everything else that they need in order to
//! fail, a proof, and a patch.
//! **What it is not for:** reading the command line, or printing. Nothing of the user's is written: git is only asked, and versions
//! are built in folders of their own.
//!
//! The search from commits to lines ([`search`]) is written against a runner of stages, so the same code runs tests, replays a
//! record, and is tested without any process, as here:
//!
//! ```
//! use howcome_changes::search::cause::{CauseSearch, CausesFound};
//! use howcome_changes::search::plan::SearchPlan;
//! use howcome_changes::versions::compared::ComparedVersions;
//! use howcome_changes::{EntryKind, PatchSeries, Space, Tree, TreeEntry, TreePath, as_subject};
//! use howcome_dd::{Configuration, Outcome};
//! use howcome_run::{Because, Budget, Observation, ScriptedStages};
//! use std::time::Duration;
//!
//! let path = TreePath::new(b"main.c")?;
//! let tree = |text: &str| {
//!     let mut tree = Tree::empty();
//!     tree.insert(path.clone(), TreeEntry::of_bytes(EntryKind::PLAIN, text.as_bytes())).map(|()| tree)
//! };
//! let versions = ComparedVersions::of_trees(tree("a\nb\nc\nd\n")?, tree("A\nb\nc\nd\nlast\n")?);
//! // The test fails if the file has a line `last`.
//! let test = |space: &(dyn Space + 'static), configuration: &Configuration| {
//!     let text = space.candidate(configuration).ok().and_then(|version| version.tree().get(&path)?.contents.read().ok());
//!     let fails = text.is_some_and(|text| text.ends_with(b"last\n"));
//!     let (outcome, code) = if fails { (Outcome::Fail, 1) } else { (Outcome::Pass, 0) };
//!     Observation::new(outcome, Because::Exit(code), Duration::ZERO)
//! };
//! let mut stages = ScriptedStages::new(test, Budget::default(), as_subject);
//! let plan = SearchPlan::default();
//! let search = CauseSearch { versions: &versions, plan: &plan, applied: PatchSeries::default() };
//! let Ok(CausesFound::Causes(causes)) = search.run(&mut stages) else { panic!("nothing stops the search") };
//! let part = &causes[0].parts[0];
//! let change = part.chosen.first_from(howcome_dd::DeltaId(0)).and_then(|delta| part.changes.describe(delta));
//! assert_eq!(change.map(|change| change.to_string()).as_deref(), Some("main.c:5: 1 line added"));
//! # Ok::<(), howcome_changes::TreeError>(())
//! ```
//!
//! | folder | idea |
//! |---|---|
//! | `trees/` | source trees in memory |
//! | `deltas/` | the changes between two trees as numbered deltas |
//! | `edits/` | small edits amid code that moved or was renamed |
//! | `patches/` | changes as patches: written, read, and applied to other versions |
//! | `candidates/` | versions that are tested: made, written to folders, built and run |
//! | `versions/` | where versions come from: git, lists of revisions, folders |
//! | `knowledge/` | what the text of changes and the output of tests tell about them |
//! | `syntax/` | functions and types of source files |
//! | `names/` | names that a mix uses and does not define |
//! | `coverage/` | code that a run never executed |
//! | `test_code/` | which code belongs to the test, and is the same in every version |
//! | `search/` | from two versions to the lines that make the difference |
//! | `question/` | the question of `howcome changes`: from a request to a finding |
//! | `history/` | the question of `howcome history`: the first revision that fails, with back-ported patches |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod candidates;
pub mod coverage;
pub mod deltas;
mod edits;
pub mod history;
pub mod knowledge;
mod names;
pub mod patches;
pub mod question;
pub mod search;
pub mod syntax;
pub mod test_code;
pub mod trees;
pub mod versions;

pub use candidates::candidate::{Base, Candidate};
pub use candidates::change_space::{ChangeSpace, ComplaintReader};
pub use candidates::checkout::{Checkout, changed_since_written};
pub use candidates::patch_series::{PatchSeries, PatchStep};
pub use candidates::reads;
pub use candidates::revision_space::{RevisionSpace, TestedRevision};
pub use candidates::space::{Space, TreeStages, WrittenVersions, as_subject};
pub use candidates::tree_test::{Reads, Recipe, TreeTest};
pub use candidates::version_space::VersionSpace;
pub use candidates::version_warnings::VersionWarnings;
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
