//! Reduces a failing document to the smallest one that still fails: one pass after another, until no pass finds anything.

use crate::noticed::NoticedDocuments;
use crate::plan::PlannedStage;
use crate::small_enough::SmallEnough;
use crate::{Candidates, Delta, Document, InputTest, Pass, ReductionPlan};
use howcome_dd::{Configuration, StopEarly};
use howcome_run::{
    Algorithm, ForeseenTest, Halt, PassYield, Purpose, StageForesight, StageLabel, StageName, StageRunner,
    Unit, first_questions,
};
use std::sync::Arc;

/// A reduced document, and how it was found.
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
    /// Other failures that tests showed.
    pub noticed: NoticedDocuments,
    /// Whether the search has ended because the document is as small as the user wants it.
    pub is_small_enough: bool,
}

/// Makes a document as small as these passes can, or not larger than `until` bytes. `keep` is called with each better candidate, if candidates are real.
///
/// # Errors
/// If the run is stopped, with the smallest document so far, or something is wrong.
pub fn reduce<R: StageRunner<Subject = Candidates>>(
    stages: &mut R,
    passes: Vec<Arc<dyn Pass>>,
    original: &Document,
    test: &Arc<InputTest>,
    until: Option<u64>,
    keep: &mut dyn FnMut(&Document),
) -> Result<Reduced, Halt<Reduced>> {
    let mut plan = ReductionPlan::new(passes, original);
    let mut reduced = Reduced { document: original.clone(), ..Reduced::default() };
    let is_small_enough = |document: &Document| until.is_some_and(|until| document.size() <= until);
    while !is_small_enough(&reduced.document)
        && let Some(planned) = plan.next(&reduced.document)
    {
        let before = reduced.document.clone();
        let candidates =
            Arc::new(Candidates::new(before.clone(), &planned.proposals.deltas, Arc::clone(test)));
        let stage = StageLabel {
            name: planned.name.clone(),
            search: Algorithm::Balanced,
            unit: planned.pass.info().unit,
        };
        if stages.looks_further() {
            stages.foresee(later_passes(plan.clone(), planned.clone(), before.clone(), Arc::clone(test)));
        }
        let told = stages.told();
        let search = StopEarly::new(planned.search(&before), SmallEnough::new(&candidates, until));
        let searched =
            stages.search(&stage, &candidates, search, &mut |left| keep(&candidates.document(left)));
        let (left, stop) = match searched {
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
        if let Some(why) = stop {
            if after.size() <= before.size() {
                reduced.document = after;
            }
            sort(&mut reduced.yields);
            return Err(Halt::Stopped { why, best: reduced });
        }
        reduced.document = plan.tell(&planned, before, &left, after, tests);
    }
    reduced.is_small_enough = is_small_enough(&reduced.document);
    reduced.minimal_in = plan.minimal_in().filter(|_| !reduced.is_small_enough);
    sort(&mut reduced.yields);
    Ok(reduced)
}

/// The tests that follow if the present pass, and those after it, remove nothing: at the end of a reduction, that is so. Then the document is
/// the answer, which is tested once more.
fn later_passes(
    plan: ReductionPlan,
    planned: PlannedStage,
    document: Document,
    test: Arc<InputTest>,
) -> StageForesight<Candidates> {
    Box::new(move |number, known| {
        let (mut plan, mut planned, mut tests) = (plan.clone(), planned.clone(), Vec::new());
        let mut chance = 1.0;
        // To read a large document for each pass takes longer than the tests.
        while tests.len() < number && document.size() <= LARGEST {
            chance *= if planned.is_thorough { REMOVES_NOTHING_AT_THE_END } else { REMOVES_NOTHING };
            let nothing = Configuration::all(planned.proposals.deltas.len() as u32);
            let _ = plan.tell(&planned, document.clone(), &nothing, document.clone(), 1);
            let found =
                |deltas: &[Delta]| Arc::new(Candidates::new(document.clone(), deltas, Arc::clone(&test)));
            let Some(next) = plan.next(&document) else {
                let (stage, subject, purpose) = (StageName::FoundInput, found(&[]), Purpose::ConfirmAlone);
                let configuration = Configuration::empty();
                tests.push(ForeseenTest { stage, subject, configuration, purpose, chance });
                break;
            };
            let subject = found(&next.proposals.deltas);
            let questions = first_questions(&next.search(&document), &*subject, number - tests.len(), known);
            tests.extend(questions.into_iter().map(|(configuration, asked)| ForeseenTest {
                stage: next.name.clone(),
                subject: Arc::clone(&subject),
                configuration,
                purpose: Purpose::Question,
                chance: chance * asked,
            }));
            planned = next;
        }
        tests
    })
}

/// Of a larger document, the tests of later passes are not foreseen.
const LARGEST: u64 = 64 << 10;

/// How probable it is that a pass removes nothing, and that it removes nothing when each delta is tried on the final document.
const REMOVES_NOTHING: f64 = 0.4;
const REMOVES_NOTHING_AT_THE_END: f64 = 0.9;

fn add_yield(yields: &mut Vec<PassYield>, name: &str, tests: u64, bytes: u64) {
    match yields.iter_mut().find(|known| known.name == name) {
        Some(known) => (known.tests, known.bytes) = (known.tests + tests, known.bytes + bytes),
        None => yields.push(PassYield { name: name.to_owned(), tests, bytes }),
    }
}

fn sort(yields: &mut [PassYield]) {
    yields.sort_by(|a, b| b.bytes.cmp(&a.bytes).then(a.tests.cmp(&b.tests)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes;
    use howcome_dd::{Configuration, Outcome};
    use howcome_run::{Because, Budget, Observation, ScriptedStages, Stop};
    use std::time::Duration;

    const TEXT: &str = "one two\nthree needle four\nfive\nsix seven eight\n";

    /// Reduces a text that fails as long as it has a needle in it, and crashes without any `five`.
    fn reduce_text(budget: Budget) -> Result<Reduced, Halt<Reduced>> {
        reduce_text_until(budget, None)
    }

    fn reduce_text_until(budget: Budget, until: Option<u64>) -> Result<Reduced, Halt<Reduced>> {
        let test = |candidates: &Candidates, configuration: &Configuration| {
            let text = candidates.document(configuration).text();
            let (outcome, code) = match text.contains("needle") {
                true => (Outcome::Fail, 1),
                false => (Outcome::Pass, 0),
            };
            let mut seen = Observation::new(outcome, Because::Exit(code), Duration::ZERO);
            if !text.contains("five") {
                seen.also = Box::new(["a crash".to_owned()]);
            }
            seen
        };
        let mut stages = ScriptedStages::new(test, budget, |candidates: &Candidates| candidates);
        let document = Document::of_file("text", TEXT);
        reduce(&mut stages, passes(), &document, &Arc::new(InputTest::default()), until, &mut |_| {})
    }

    #[test]
    fn a_reduction_ends_when_the_document_is_small_enough() {
        let whole = reduce_text(Budget::default()).unwrap();
        let mut tests = whole.tests;
        for until in [6, 12, 20, 30, TEXT.len() as u64] {
            let reduced = reduce_text_until(Budget::default(), Some(until)).unwrap();
            assert!(reduced.document.size() <= until && reduced.document.text().contains("needle"));
            assert!(reduced.is_small_enough && reduced.minimal_in.is_none());
            assert!(reduced.tests <= tests, "a larger size needs no more tests");
            tests = reduced.tests;
        }
        assert_eq!(tests, 0, "the whole text is small enough");
        let impossible = reduce_text_until(Budget::default(), Some(5)).unwrap();
        assert_eq!((impossible.document.text(), impossible.tests), (whole.document.text(), whole.tests));
        assert!(!impossible.is_small_enough && impossible.minimal_in == whole.minimal_in);
    }

    #[test]
    fn what_the_passes_removed_adds_up_to_what_is_gone() {
        let reduced = reduce_text(Budget::default()).unwrap();
        assert_eq!(reduced.document.text(), "needle");
        assert_eq!(reduced.minimal_in, Some(Unit::Character));
        let removed: u64 = reduced.yields.iter().map(|pass| pass.bytes).sum();
        assert_eq!(removed, (TEXT.len() - "needle".len()) as u64);
        assert_eq!(reduced.yields.iter().map(|pass| pass.tests).sum::<u64>(), reduced.tests);
        assert!(reduced.yields.is_sorted_by(|a, b| a.bytes >= b.bytes), "{:?}", reduced.yields);
    }

    #[test]
    fn a_reduction_that_is_stopped_has_the_smallest_document_so_far() {
        let whole = reduce_text(Budget::default()).unwrap();
        let mut smallest = u64::MAX;
        for max_tests in 0..whole.tests {
            let stopped = reduce_text(Budget { max_tests: Some(max_tests), max_time: None }).unwrap_err();
            let Halt::Stopped { why, best } = stopped else { panic!("{stopped:?}") };
            assert_eq!((why, best.tests), (Stop::MaxTests(max_tests), max_tests));
            assert!(best.document.text().contains("needle"));
            assert!(best.document.size() <= smallest, "after {max_tests} tests");
            assert_eq!(best.minimal_in, None);
            smallest = best.document.size();
        }
        assert!(smallest < TEXT.len() as u64);
    }

    #[test]
    fn the_smallest_document_of_another_kind_is_kept() {
        let reduced = reduce_text(Budget::default()).unwrap();
        let noticed: Vec<_> = reduced.noticed.kinds().collect();
        let [("a crash", crash)] = noticed.as_slice() else { panic!("{noticed:?}") };
        assert_eq!(crash.smallest.size(), 0);
        assert!(crash.tests > 1);
    }
}
