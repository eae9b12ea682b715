//! What there is to say about a run, in the order in which people want to read it: the answer, the proof, the tests, what
//! to do next. The words are here; text, Markdown and HTML lay them out.

mod advice;
mod claim;
mod effort;
mod exhibit;
mod headline;
mod next_step;
mod observed;
mod proof;
mod remarks;
mod section;
mod sentence;
mod test_fact;

pub use claim::{Claim, Standing};
pub(crate) use exhibit::NumberedLine;
pub use exhibit::{DiffMark, Exhibit};
pub use next_step::NextStep;
pub(crate) use observed::details;
pub use section::Section;
pub(crate) use sentence::sentence;
pub use test_fact::TestFact;

use crate::Summary;
use crate::finding::FindingReport;
use crate::finding::changes::ChangesReport;
use crate::format::form::TextForm;
use howcome_dd::Outcome;
use howcome_run::Ending;

/// An account of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The answer in one sentence.
    pub headline: String,
    /// What the answer names.
    pub exhibits: Vec<Exhibit>,
    /// The whole patch if the exhibits show only its lines, for formats that can fold it away.
    pub patch: Option<Exhibit>,
    /// Sentences after the answer: why the run ended, what else was seen.
    pub remarks: Vec<String>,
    /// The claims about the finding, each with the test that shows it.
    pub proof: Vec<Claim>,
    /// Parts of the answer that come after its proof.
    pub sections: Vec<Section>,
    /// What is known about the test.
    pub test: Vec<TestFact>,
    /// The first and the last lines that the failing side printed.
    pub failing_output: Option<Exhibit>,
    /// The tests, on one line.
    pub tests: String,
    /// The words for each outcome in that line: `8 passed`.
    pub outcomes: Vec<(Outcome, String)>,
    /// How tests ended that neither passed nor failed, if there were any.
    pub unresolved: Option<String>,
    /// What to do next.
    pub next: Vec<NextStep>,
}

impl Account {
    /// The title of the proof. If a test contradicts a claim, or nothing was found, it is not a proof.
    #[must_use]
    pub fn proof_title(&self, ending: Option<Ending>) -> &'static str {
        let is_found = matches!(ending, Some(Ending::Found | Ending::NeverWorked));
        let is_contradicted = self.proof.iter().any(|claim| claim.standing == Standing::Doubtful);
        if is_found && !is_contradicted { "Proof" } else { "Observations" }
    }

    /// The account of a run.
    #[must_use]
    pub fn of(summary: &Summary) -> Self {
        Self::within(summary, TextForm::PLAIN.columns)
    }

    /// The account of a run with tables that are at most this wide, if possible.
    #[must_use]
    pub fn within(summary: &Summary, columns: usize) -> Self {
        let finding = FindingReport::of_run(summary);
        let exhibits = finding.as_ref().map(|finding| finding.exhibits(columns)).unwrap_or_default();
        let test = summary.test.as_ref();
        let is_fix = finding.as_ref().and_then(FindingReport::cause).is_some_and(|cause| cause.fix);
        let mut headline = headline::headline(summary, finding.as_ref());
        headline.push('.');
        Self {
            headline,
            exhibits,
            patch: finding.as_ref().and_then(FindingReport::cause).and_then(ChangesReport::whole_patch),
            remarks: remarks::remarks(summary, finding.as_ref()),
            proof: proof::claims(summary, finding.as_ref()),
            sections: finding
                .as_ref()
                .and_then(FindingReport::history)
                .map(|history| history.sections(summary.ending))
                .unwrap_or_default(),
            test: test
                .map(|test| test_fact::test_facts(test, is_fix))
                .unwrap_or_default()
                .into_iter()
                // A refused run has no failure: both sides end in the same way.
                .filter(|fact| fact.is_command || summary.ending != Some(Ending::Refused))
                .collect(),
            failing_output: test.and_then(|test| test_fact::failing_output(test, is_fix)),
            tests: effort::tests(summary),
            outcomes: effort::outcomes(summary),
            unresolved: effort::unresolved(summary),
            next: advice::next_steps(summary, finding.as_ref()),
        }
    }
}
