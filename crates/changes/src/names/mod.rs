//! Names that a mix of two versions uses, although nothing in it defines them. A compiler would refuse such a mix, and an interpreter would
//! stop at the name, so the mix is not worth a test.
//!
//! Nothing is known of other files, of macros, or of names that are made at run time. So a use means something only in comparison: each
//! version that has the same use in the same function also has the definition among the files that changed.
//!
//! C, C++ and Python are known.
//!
//! | file | idea |
//! |---|---|
//! | `file_names` | what a file defines and uses, function by function |
//! | `c_names` | how that is read from C and C++ |
//! | `python_names` | how that is read from Python |
//! | `python_builtins` | names that Python itself defines |
//! | `reading` | that in any of these languages |
//! | `call_shape` | how many arguments a function takes, and a call has |
//! | `file_states` | the tables of the files of a set of changes, in either version and in a mix |
//! | `mixed_names`, `tests` | what no compiler accepts in a mix |

mod c_names;
mod call_shape;
mod file_names;
mod file_states;
mod mixed_names;
mod python_builtins;
mod python_names;
mod reading;
#[cfg(test)]
#[cfg(feature = "syntax")]
mod tests;

pub(crate) use mixed_names::{MixedNames, NameComplaint};
