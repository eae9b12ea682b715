//! Simplifying without processes: for tests, and for whoever has a function instead of a program.

use crate::candidates::content;
use crate::{Candidates, Document, Given, Pass, Plan};
use howcome_dd::{Answer, Ask, Outcome, Search};
use howcome_run::{Content, Unit};
use std::collections::HashMap;
use std::sync::Arc;

/// What came of simplifying.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The smallest document that was found.
    pub document: Document,
    /// How many different documents were tested.
    pub tests: u64,
    /// The finest unit of which no single one can go.
    pub minimal_in: Option<Unit>,
}

/// Makes a document as small as these passes can, as long as it fails.
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
) -> Simplified {
    let given = Arc::new(Given::default());
    let mut document = document.clone();
    let mut plan = Plan::new(passes, &document);
    let mut known: HashMap<Content, bool> = HashMap::new();
    while let Some(planned) = plan.next(&document) {
        let candidates = Candidates::new(document.clone(), &planned.proposals.deltas, Arc::clone(&given));
        let mut search = planned.search(&document);
        let before = known.len() as u64;
        let left = loop {
            let question = match search.ask() {
                Ask::Done(found) => break found.failing,
                Ask::Test(question) => question,
            };
            let candidate = candidates.document(&question.configuration);
            let fails = *known.entry(content(&candidate)).or_insert_with(|| fails(&candidate));
            search.tell(Answer::from(if fails { Outcome::Fail } else { Outcome::Pass }));
        };
        let after = candidates.document(&left);
        document = plan.tell(&planned, document, &left, after, known.len() as u64 - before);
    }
    Simplified { document, tests: known.len() as u64, minimal_in: plan.minimal_in() }
}
