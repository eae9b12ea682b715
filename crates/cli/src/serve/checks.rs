//! What can be said about a submission before a job is made of it, with the readers of the command line.

use crate::quantity;
use howcome_lab::{Condition, NotACondition};
use howcome_web::Submission;

/// What is wrong, as a sentence for the one who asks.
pub(super) fn check(submission: &Submission) -> Result<(), String> {
    let timeout = submission.timeout.trim();
    if !timeout.is_empty() {
        quantity::duration(timeout).map_err(|why| format!("`{timeout}` is not a duration: {why}"))?;
    }
    for condition in submission.fails_when.iter().chain(&submission.passes_when) {
        let parsed: Result<Condition, NotACondition> = condition.trim().parse();
        parsed.map_err(|error| match error.hint() {
            Some(hint) => format!("{error}: {hint}"),
            None => error.to_string(),
        })?;
    }
    Ok(())
}
