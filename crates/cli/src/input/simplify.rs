//! From a failing input to the smallest that still fails: one pass after another, until none finds anything any more.

use super::keep;
use super::request::Request;
use crate::baseline::{self, NotReady, Ready, Sides, Terms};
use crate::exit::Exit;
use crate::failure::{Failure, plain};
use crate::investigate::why_stopped;
use crate::session::{Answered, Session};
use howcome_dd::{Configuration, DeltaId, Knowledge};
use howcome_input::{Candidates, Delta, Document, Given, Pass, Plan};
use howcome_lab::Prepare;
use howcome_run::{Conclusion, Ending, Minimal, Stage, StageEnd, Stop, Verified};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// The subject of the baseline: the whole input, or nothing of it.
const WHOLE: &str = "whole";

pub(crate) fn answer(
    mut session: Session,
    request: &Request,
    original: &Document,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let given = Arc::new(request.given());
    let ready = match look_at_both(&mut session, request, original, &given) {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return session.end(*answered),
        Err(NotReady::Failed(failure)) if failure.code() == Exit::WrongUse && session.is_new() => {
            return session.forget().and(Err(failure));
        }
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    if dry_run {
        return session.forget().map(|()| Exit::Found);
    }
    let (document, stop) = reduce(&mut session, request, original, &given, &ready)?;
    let is_stopped = stop.is_some();
    let finding = json!({
        "output": request.output,
        "bytes_before": original.size(),
        "bytes_after": document.size(),
    });
    keep_answer(&mut session, &document, &request.output)?;
    let conclusion = Conclusion {
        finding,
        minimal: Minimal { of: "characters".to_owned(), checked: !is_stopped },
        verified: Verified::default(),
        confidence: None,
    };
    let (ending, why, failure) = match stop {
        None => (Ending::Found, None, None),
        Some(stop) => {
            let (ending, why, failure) = why_stopped(stop);
            (ending, Some(why), failure)
        }
    };
    session.end(Answered { ending, conclusion: Some(conclusion), answer: None, failure, why })
}

fn look_at_both(
    session: &mut Session,
    request: &Request,
    original: &Document,
    given: &Arc<Given>,
) -> Result<Ready, NotReady> {
    let terms =
        Terms { lab: request.failure.terms()?, two_sided: false, sides: Sides::Parts, if_refused: None };
    let nothing = [original.nothing()];
    let whole: Arc<dyn Prepare> = Arc::new(Candidates::new(original.clone(), &nothing, Arc::clone(given)));
    baseline::prepare(session, WHOLE, &whole, &request.failure, &terms)
}

/// The smallest document, and why it may not be the smallest that there is.
fn reduce(
    session: &mut Session,
    request: &Request,
    original: &Document,
    given: &Arc<Given>,
    ready: &Ready,
) -> Result<(Document, Option<Stop>), Failure> {
    let mut document = original.clone();
    let passes = howcome_input::passes();
    let is_wanted = |pass: &Arc<dyn Pass>| !request.skip_pass.iter().any(|skip| skip == pass.name());
    let mut plan = Plan::new(passes.into_iter().filter(is_wanted).collect(), &document);
    let best = session.dir().map(|dir| dir.join("best"));
    while let Some(planned) = plan.next(&document) {
        let deltas: &[Delta] = &planned.proposals.deltas;
        let candidates = Arc::new(Candidates::new(document.clone(), deltas, Arc::clone(given)));
        let subject: Arc<dyn Prepare> = Arc::<Candidates>::clone(&candidates);
        session.local.set_experiment(Arc::clone(&subject), Arc::clone(&ready.judge), ready.repeat);
        let stage = Stage {
            subject: candidates.as_ref(),
            name: &planned.name,
            search: "balanced",
            unit: planned.pass.unit(),
            knowledge: Knowledge::none(),
        };
        let mut keep = |left: &Configuration| {
            if let Some(best) = &best {
                let _ = keep::replace(&candidates.document(left), best);
            }
        };
        let told = session.driver.told();
        let search = planned.proposals.search(!planned.is_thorough);
        let (left, stop) = match session.driver.run(&mut session.local, &stage, search, &mut keep)? {
            StageEnd::Done(found) => (found.failing, None),
            StageEnd::Stopped { why, best } => (best.failing, Some(why)),
        };
        let after = candidates.document(&left);
        if stop.is_some() {
            return Ok((after, stop));
        }
        let is_left = |delta| left.contains(DeltaId(delta));
        plan.tell(&planned, &document, is_left, &after, session.driver.told() - told);
        document = after;
    }
    Ok((document, None))
}

fn keep_answer(session: &mut Session, document: &Document, output: &Path) -> Result<(), Failure> {
    let written = document.write_as(output);
    if let Err((path, error)) = written {
        session.warn(&format!("{} could not be written: {}", path.display(), plain(&error)))?;
    }
    Ok(())
}
