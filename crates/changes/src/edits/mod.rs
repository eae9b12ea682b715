//! Single edits: small changes that people made while they also moved code, renamed names or reformatted it.
//!
//! Hunks and lines are cut at places. Where code moved or a name changed everywhere, no hunk can be left out, because the rest
//! no longer builds. An edit is cut by what became of each line instead: it is undone where the line is now, in the form that
//! the code has now, and made where the line was, in the form that the code had then.
//!
//! | file | idea |
//! |---|---|
//! | `line_tokens` | the tokens of a line of code, in any language |
//! | `line_parts` | the parts in which two versions of a line differ |
//! | `line_matches` | which lines are versions of the same line, wherever they are |
//! | `line_names` | the names that differ between two versions of a line |
//! | `renamings` | names that replace other names everywhere |
//! | `new_names` | the good version in the names of the bad version |
//! | `single_edit` | the edits, and the two versions that each of them makes |
//! | `suspicion_order` | which edit is tried first |

mod line_matches;
mod line_names;
mod line_parts;
mod line_tokens;
mod new_names;
mod renamings;
mod single_edit;
mod suspicion_order;

pub(crate) use new_names::in_new_names;
pub(crate) use single_edit::{SingleEdit, single_edits};
pub(crate) use suspicion_order::by_suspicion;
