//! Asks the question: reduces one input, or isolates the difference between two.

use super::copied_folder::{folder_copy, test_in_copy};
use super::inputs::Inputs;
use super::request::InputRequest;
use super::{isolating, reducing};
use crate::{Candidates, Delta, InputTest, Mixture};
use howcome_lab::inquiry::{Response, Session, needs_copy};
use howcome_lab::{Lab, Prepare};
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
    let test = Arc::new(choose_folder(session, lab, request, inputs)?);
    match &inputs.passing {
        None => reducing::ask(session, lab, request, (&inputs.failing, test), runs, dry_run),
        Some(passing) => {
            let mixture = Mixture::new(passing, &inputs.failing, test);
            isolating::ask(session, lab, request, Arc::new(mixture), runs, dry_run)
        }
    }
}

/// How candidates are given to the test: in a folder of its own, or in a copy of the user's folder if the test needs it.
fn choose_folder(
    session: &Session,
    lab: &mut dyn Lab,
    request: &InputRequest,
    inputs: &Inputs,
) -> Result<InputTest, Halt> {
    let own = request.input_test();
    let Some(copy) = folder_copy(request, session.dir()) else { return Ok(own) };
    let copied = test_in_copy(request, Arc::clone(&copy));
    let sides = |test: &InputTest| -> Arc<dyn Prepare> {
        let test = Arc::new(test.clone());
        match &inputs.passing {
            Some(passing) => Arc::new(Mixture::new(passing, &inputs.failing, test)),
            None => {
                let nothing = [Delta::everything(&inputs.failing)];
                Arc::new(Candidates::new(inputs.failing.clone(), &nothing, test))
            }
        }
    };
    let needs_copy = needs_copy(session, lab, [&sides(&own), &sides(&copied)], &copy, &request.failure)?;
    Ok(if needs_copy { copied } else { own })
}
