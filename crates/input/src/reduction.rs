//! From a failing document to the smallest that still fails: one pass after another, until none finds anything any more.

use crate::noticed::NoticedDocuments;
use crate::{Candidates, Document, InputTest, Pass, ReductionPlan};
use howcome_run::{Algorithm, Halt, PassYield, StageLabel, StageRunner, Unit};
use std::sync::Arc;

/// What came of reducing a document.
#[derive(Clone, Debug, Default)]
pub struct Reduced {
    /// The smallest document that was found.
    pub document: Document,
    /// The finest unit of which no single one can be removed. `None` if that is not known.
    pub minimal_in: Option<Unit>,
    /// How many questions were answered by tests.
    pub tests: u64,
    /// What each pass removed, the one that removed most first.
    pub yields: Vec<PassYield>,
    /// What tests showed beside the failure in question.
    pub noticed: NoticedDocuments,
}

/// Makes a document as small as these passes can. `keep` is called with each better candidate, if candidates are real.
///
/// # Errors
/// If the run is stopped, with the smallest document so far, or something is wrong.
pub fn reduce<R: StageRunner<Subject = Candidates>>(
    stages: &mut R,
    passes: Vec<Arc<dyn Pass>>,
    original: &Document,
    test: &Arc<InputTest>,
    keep: &mut dyn FnMut(&Document),
) -> Result<Reduced, Halt<Reduced>> {
    let mut plan = ReductionPlan::new(passes, original);
    let mut reduced = Reduced { document: original.clone(), ..Reduced::default() };
    while let Some(planned) = plan.next(&reduced.document) {
        let before = reduced.document.clone();
        let candidates =
            Arc::new(Candidates::new(before.clone(), &planned.proposals.deltas, Arc::clone(test)));
        let stage = StageLabel {
            name: planned.name.clone(),
            search: Algorithm::Balanced,
            unit: planned.pass.info().unit,
        };
        let told = stages.told();
        let search = planned.search(&before);
        let searched =
            stages.search(&stage, &candidates, search, &mut |left| keep(&candidates.document(left)));
        let (left, halt) = match searched {
            Ok(found) => (found.failing, None),
            Err(Halt::Stopped { why, best }) => (best.failing, Some(why)),
            Err(other) => return Err(other.keeping(reduced)),
        };
        let after = candidates.document(&left);
        let tests = stages.told() - told;
        reduced.tests += tests;
        reduced.noticed.add(&candidates, stages.take_noticed());
        add_yield(
            &mut reduced.yields,
            planned.pass.name(),
            tests,
            before.size().saturating_sub(after.size()),
        );
        if let Some(why) = halt {
            if after.size() <= before.size() {
                reduced.document = after;
            }
            sort(&mut reduced.yields);
            return Err(Halt::Stopped { why, best: reduced });
        }
        reduced.document = plan.tell(&planned, before, &left, after, tests);
    }
    reduced.minimal_in = plan.minimal_in();
    sort(&mut reduced.yields);
    Ok(reduced)
}

fn add_yield(yields: &mut Vec<PassYield>, name: &str, tests: u64, bytes: u64) {
    match yields.iter_mut().find(|known| known.name == name) {
        Some(known) => (known.tests, known.bytes) = (known.tests + tests, known.bytes + bytes),
        None => yields.push(PassYield { name: name.to_owned(), tests, bytes }),
    }
}

fn sort(yields: &mut [PassYield]) {
    yields.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.tests.cmp(&b.tests)));
}
