//! What is known of deltas before they are tested, and what the output of a test tells of them.
//!
//! Most mixes of the changes between two versions of a program do not build. The names in the changed lines tell which
//! changes need each other ([`Dependencies`]) and which belong together ([`by_words`]); the complaints of a compiler
//! tell how to mend a mix ([`Repairs`]); what the two versions print tells where to look first ([`evidence()`]).

mod balance;
mod calls;
mod complaints;
mod definitions;
mod dependencies;
mod evidence;
mod file_name;
mod groups;
mod reading;
mod relatedness;
mod repairs;
mod scan;
mod suspicion;
mod words;

pub use complaints::{Complaint, ComplaintSort, complaints};
pub use dependencies::Dependencies;
pub use evidence::evidence;
pub use groups::by_words;
pub use relatedness::{names_in, related};
pub use repairs::Repairs;
pub use words::Words;
