//! What is known about deltas before they are tested, and what the output of a test tells about them.
//!
//! Most mixes of the changes between two versions of a program do not build. The names in the changed lines tell which
//! changes need each other ([`Dependencies`]) and which belong together ([`by_words`]); the complaints of a compiler
//! tell how to fix a mix ([`Repairs`]); what the two versions print tells where to look first ([`evidence()`]).
//!
//! | file | idea |
//! |---|---|
//! | `scan`, `reading` | the words and marks of a source text; a file as names, definitions, calls and scopes |
//! | `definitions`, `calls` | the names that a line defines; how functions are called and defined |
//! | `words` | the names in each delta |
//! | `dependencies`, `balance` | which deltas need which others, by their names and by what they open and close |
//! | `groups`, `relatedness` | deltas that share rare names |
//! | `call_graph` | deltas around the functions that a failing run names |
//! | `evidence` | deltas whose text is in only one of the two outputs |
//! | `complaints` | what compilers, linkers and interpreters complain about |
//! | `new_warnings` | dangerous warnings that a mix has and neither version does |
//! | `repairs`, `suspicion` | from complaints to better mixes, and to the deltas that are to blame |
//! | `file_name` | the parts of a file's name |
//! | `first_error` | the line of an output that probably says why a test failed |

mod balance;
mod call_graph;
mod calls;
mod complaints;
mod definitions;
mod dependencies;
mod evidence;
mod file_name;
mod first_error;
mod groups;
mod new_warnings;
mod reading;
mod relatedness;
mod repairs;
mod scan;
mod suspicion;
mod words;

pub(crate) use balance::{Depth, depth_at_end};
pub use call_graph::near_by_calls;
pub(crate) use complaints::complaint_places;
pub use complaints::{Complaint, ComplaintSort, complaints};
pub use dependencies::Dependencies;
pub use evidence::evidence;
pub(crate) use file_name::{base_name, is_compiled, is_header, stem};
pub(crate) use first_error::first_error;
pub use groups::by_words;
pub use new_warnings::{CompilerWarning, KnownWarnings};
pub(crate) use relatedness::identifiers;
pub use relatedness::{names_in, related};
pub use repairs::Repairs;
pub use words::Words;
