//! Source trees in memory: paths, entries, and what differs from a tree.
//!
//! | file | idea |
//! |---|---|
//! | `tree_path` | a path inside of a tree, in bytes |
//! | `contents` | where the bytes of an entry come from |
//! | `entry` | an entry: what it is, and its bytes, read or not |
//! | `reading` | many entries read at once |
//! | `tree` | one version of a source tree |
//! | `tree_error` | why a tree cannot be used |
//! | `mix` | what differs from a tree |
//! | `directory` | the tree of a folder |

pub mod contents;
mod directory;
pub mod entry;
pub mod mix;
pub(crate) mod reading;
pub mod tree;
pub mod tree_error;
pub mod tree_path;
