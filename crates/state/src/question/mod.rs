//! The question: how did a program come to fail?
//!
//! [`run_both`] runs the program both ways; [`ask`] stops both runs at place after place, finds the variables that decide at
//! each of them, and the moments at which one variable takes over from another. [`find_way_back`] goes one step back in a
//! chain that was found. [`TriedTest`] repeats one test of a run for people.
//!
//! | file | idea |
//! |---|---|
//! | `request` | what is asked, as `run.json` keeps it |
//! | `command_line` | a run of the program as the user writes it |
//! | `further_runs` | further runs that pass or fail |
//! | `investigation` | from two runs to the answer |
//! | `places` | the places to look at |
//! | `chain`, `evidence`, `candidates` | what was found at the places; what is found besides; where the defect can be |
//! | `finding`, `recorded_step`, `graph_part`, `shown_place` | what the report shows: the chain in words, one of its steps, the memory around a cause, all of it |
//! | `dead_end` | what can help if nothing was found |
//! | `way_back` | one step back in a chain that was found |
//! | `revisit`, `gdb_script` | one test of a run, for people; the same with gdb |
//! | `problems` | what can be wrong with a program, and what to do about it |

mod candidates;
mod chain;
mod command_line;
mod dead_end;
mod evidence;
mod finding;
mod further_runs;
mod gdb_script;
mod graph_part;
mod investigation;
mod places;
mod problems;
mod recorded_step;
mod request;
mod revisit;
mod shown_place;
mod way_back;

pub use command_line::RunHost;
pub use further_runs::FurtherRuns;
pub use investigation::{Asking, Draw, ask, run_both};
pub use request::{GraphRequest, JudgingRequest, PlaceChoice, StateRequest};
pub use revisit::TriedTest;
pub use shown_place::ShownPlace;
pub use way_back::{WayBack, choose_step, find_way_back};
