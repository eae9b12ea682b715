//! Asks the question: reduces one input, or isolates the difference between two.

use super::inputs::Inputs;
use super::request::InputRequest;
use super::{isolating, reducing};
use crate::Mixture;
use howcome_lab::Lab;
use howcome_lab::inquiry::{Response, Session};
use howcome_run::Halt;
use std::path::Path;
use std::sync::Arc;

/// Finds the smallest input that still fails, or the smallest difference between a passing and a failing input, and writes
/// it to the output of the request. An output that exists is replaced only if one of the `runs` in this folder has written
/// it.
///
/// # Errors
/// If there is nothing to explain, the user wants to stop before anything is known, or something is wrong.
pub fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &InputRequest,
    inputs: &Inputs,
    runs: &Path,
    dry_run: bool,
) -> Result<Response, Halt> {
    match &inputs.passing {
        None => reducing::ask(session, lab, request, &inputs.failing, runs, dry_run),
        Some(passing) => {
            let mixture = Mixture::new(passing, &inputs.failing, Arc::new(request.input_test()));
            isolating::ask(session, lab, request, Arc::new(mixture), runs, dry_run)
        }
    }
}
