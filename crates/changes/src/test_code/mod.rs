//! The test is not the subject: which code belongs to the test, and is therefore the same in every version.
//!
//! Every candidate is judged by the test of the bad version. Otherwise a test that is newer than the good version is missing there,
//! and an expectation that has changed looks like the cause.
//!
//! | file | idea |
//! |---|---|
//! | `conventions` | files that are tests by their names |
//! | `checker_names` | scripts whose names say that they check, and the outputs that they expect |
//! | `command_words` | the files and modules that a test command names |
//! | `program_use` | files with names of tests that the program itself uses |
//! | `test_items` | test functions and modules inside a source file |
//! | `held_source` | a source file with the test items of the bad version |
//! | `held_tests` | what is held, as `run.json` keeps it |
//! | `finder` | decides what is held, from the command and the versions |
//! | `other_tests` | test files that have nothing to do with the tests that fail |
//! | `test_names` | the names that a test uses, and whether a version has them |
//! | `built_test` | code of the test that is built together with each version |
//! | `common_files` | makes the held code the same in every version |

pub mod built_test;
mod checker_names;
mod command_words;
pub mod common_files;
mod conventions;
pub mod finder;
mod held_source;
pub mod held_tests;
pub mod other_tests;
mod program_use;
mod test_items;
pub mod test_names;
