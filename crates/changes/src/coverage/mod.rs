//! Code that a run never executed: changes there can hardly be what makes it fail.
//!
//! Coverage is evidence, not proof: a program that is killed may not have written down all that it did, and code that
//! is never run can still decide how other code is compiled. So test once without the changes that are left out.

//!
//! | file | idea |
//! |---|---|
//! | `line_coverage` | which lines a run has executed |
//! | `report` | reports of lcov and gcov |
//! | `unexecuted` | the changes that a run never executed |

mod line_coverage;
mod report;
mod unexecuted;

pub use line_coverage::{Coverage, LineCoverage};
pub use report::{parse_gcov_json, parse_lcov};
pub use unexecuted::unexecuted;
