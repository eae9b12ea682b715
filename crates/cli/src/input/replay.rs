//! What was tested, made again from the record: the passes are pure, so the answers that they were told lead to the same
//! candidates, without any test.

use super::request::Request;
use super::{ORIGINAL, source};
use crate::failure::Failure;
use howcome_dd::{Answer, Ask, Configuration, DeltaId, Search};
use howcome_input::{Candidates, Document, Plan};
use howcome_report::Summary;
use howcome_run::How;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A stage as it was.
pub(crate) struct Replayed<'a> {
    pub(crate) number: u32,
    pub(crate) pass: &'a str,
    /// What it began with.
    pub(crate) before: &'a Document,
    pub(crate) candidates: &'a Candidates,
}

/// Goes through the stages of a run, until there are no more or `see` has seen enough.
pub(crate) fn replay(
    original: &Document,
    request: &Request,
    summary: &Summary,
    mut see: impl FnMut(&Replayed<'_>) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let given = Arc::new(request.given());
    let mut document = original.clone();
    let mut plan = Plan::new(request.passes(), &document);
    let mut rest = summary.trail.as_slice();
    for stage in summary.stages.iter().filter(|stage| stage.deltas > 0) {
        let planned = plan.next(&document).filter(|planned| planned.name == stage.subject);
        let Some(planned) = planned else { return Err(another_howcome()) };
        let end = rest.iter().position(|step| step.stage != stage.number).unwrap_or(rest.len());
        let (steps, others) = rest.split_at(end);
        rest = others;
        let candidates = Candidates::new(document.clone(), &planned.proposals.deltas, Arc::clone(&given));
        let pass = planned.pass.name();
        let seen = Replayed { number: stage.number, pass, before: &document, candidates: &candidates };
        if see(&seen).is_break() {
            return Ok(());
        }
        let mut search = planned.proposals.search(!planned.is_thorough);
        steps.iter().for_each(|step| search.tell(Answer::from(step.outcome)));
        let left: Configuration = match search.ask() {
            Ask::Done(found) => found.failing,
            // Here the run was stopped.
            Ask::Test(_) => return Ok(()),
        };
        let after = candidates.document(&left);
        let told = steps.iter().filter(|step| step.how == How::Tested).count() as u64;
        plan.tell(&planned, &document, |delta| left.contains(DeltaId(delta)), &after, told);
        document = after;
    }
    Ok(())
}

/// The input of a run as it was when the run began.
pub(crate) fn original(run: &Path, request: &Request) -> Result<Document, Failure> {
    let format = request.format.as_deref().map(source::Format::of).transpose()?;
    source::read_saved(&run.join(ORIGINAL), &request.files(), format.as_ref()).map_err(|failure| {
        failure.hint("the run is incomplete without its copy of the input; start a new one")
    })
}

fn another_howcome() -> Failure {
    Failure::wrong_use(
        "this howcome would not have asked what the run asked, so its candidates cannot be made again",
    )
    .hint("use the howcome that the run was made with; `howcome show RUN` names it in its JSON")
}
