//! Reducing without processes: for tests, and for programs that have a function instead of a test command.

use crate::{Candidates, Document, InputTest, Pass, Reduced, reduce};
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Because, Budget, Halt, Observation, ScriptedStages};
use std::sync::Arc;
use std::time::Duration;

/// Makes a document as small as these passes can, as long as `fails` returns true for it.
///
/// ```
/// use howcome_input::{Document, passes, simplify};
///
/// let page = Document::of_file("page", r#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#);
/// let simplified = simplify(&page, passes(), |page| {
///     let text = page.text();
///     text.starts_with("<SELECT") && text.ends_with('>')
/// });
/// assert_eq!(simplified.document.text(), "<SELECT>");
/// ```
pub fn simplify(
    document: &Document,
    passes: Vec<Arc<dyn Pass>>,
    mut fails: impl FnMut(&Document) -> bool,
) -> Reduced {
    let test = |candidates: &Candidates, configuration: &Configuration| {
        let (outcome, code) = match fails(&candidates.document(configuration)) {
            true => (Outcome::Fail, 1),
            false => (Outcome::Pass, 0),
        };
        Observation::new(outcome, Because::Exit(code), Duration::ZERO)
    };
    let mut stages = ScriptedStages::new(test, Budget::default(), |candidates| candidates);
    let reduced = reduce(&mut stages, passes, document, &Arc::new(InputTest::default()), None, &mut |_| {});
    match reduced {
        Ok(reduced) | Err(Halt::Stopped { best: reduced, .. }) => reduced,
        // A function does not refuse a baseline, and nothing is recorded that could be wrong.
        Err(Halt::Refused { .. } | Halt::Failed(_) | Halt::Reached) => {
            unreachable!("a script has neither a baseline nor a record")
        }
    }
}
