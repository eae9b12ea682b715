//! The versions that are compared: where they come from, and how they are read.
//!
//! | file | idea |
//! |---|---|
//! | `source` | what any source of versions can do |
//! | `revision_id` | what identifies a revision; only its source knows what it means |
//! | `revision_graph`, `revision_range` | revisions and their parents, and those between good and bad |
//! | `revision_line` | revisions one after the other |
//! | `git/` | the commits of a repository |
//! | `listed/` | revisions that a command lists and another one checks out |
//! | `folders` | folders, and whatever else is not a commit |
//! | `copied` | files of the user's folder that every version gets |
//! | `kept` | versions that are not commits, as they were when a run began |
//! | `left_out` | folders of the working tree that no version has |
//! | `untracked` | files that git neither tracks nor ignores |
//! | `origin` | the two versions as the user named them |
//! | `compared` | the two versions: their trees, and the commits between them |

pub mod compared;
pub mod copied;
pub mod folders;
pub mod git;
pub mod kept;
pub(crate) mod left_out;
pub mod listed;
pub mod origin;
pub mod revision_graph;
pub mod revision_id;
pub mod revision_line;
pub mod revision_range;
pub mod source;
pub mod untracked;
