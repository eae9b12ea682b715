//! Changes as patches: written, read, and applied to versions that they were not made for.
//!
//! | file | idea |
//! |---|---|
//! | `patch_text`, `unified` | a configuration as a patch for `git apply` |
//! | `parsed/` | a patch as the source of a version |
//! | `quoted` | names that git puts in quotes |
//! | `apply`, `three_way` | changes that are made, or undone, in yet another version |
//! | `conflict` | why a change does not apply |
//! | `moved` | files that have other names there |
//! | `fitting` | the changes that apply there |

pub mod apply;
pub mod conflict;
pub mod fitting;
pub mod moved;
pub mod parsed;
pub mod patch_text;
pub(crate) mod quoted;
mod three_way;
mod unified;
