//! What there is to say about a run, in the order in which one wants to hear it: the answer, the proof, what it took,
//! what to do next. The wording lives here; text, Markdown and HTML only lay it out.

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

pub use claim::{Claim, Standing};
pub use exhibit::{DiffMark, Exhibit};
pub use next_step::NextStep;
pub(crate) use observed::details;
pub use section::Section;
pub(crate) use sentence::sentence;

use crate::Summary;
use crate::finding::FindingReport;
use crate::finding::changes::ChangesReport;

/// An account of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The answer in one sentence.
    pub headline: String,
    /// What the answer names.
    pub exhibits: Vec<Exhibit>,
    /// The whole patch, where the exhibits show only the lines of it, for those who can fold it away.
    pub patch: Option<Exhibit>,
    /// What there is to add: the reason of an ending, what was seen.
    pub remarks: Vec<String>,
    /// Why one may believe it.
    pub proof: Vec<Claim>,
    /// What belongs to the answer and comes after its proof.
    pub sections: Vec<Section>,
    /// What it took, on one line.
    pub tests: String,
    /// Why tests could not be judged, where some could not.
    pub unresolved: Option<String>,
    /// What one may want to do now.
    pub next: Vec<NextStep>,
}

impl Account {
    /// The account of a run.
    #[must_use]
    pub fn of(summary: &Summary) -> Self {
        let finding = FindingReport::of_run(summary);
        let exhibits = finding.as_ref().map(FindingReport::exhibits).unwrap_or_default();
        let mut headline = headline::headline(summary, finding.as_ref());
        match exhibits.first() {
            // The title of a table is no sentence.
            Some(exhibit) if exhibit.is_close => {}
            Some(_) => headline.push(':'),
            None => headline.push('.'),
        }
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
            tests: effort::tests(summary),
            unresolved: effort::unresolved(summary),
            next: advice::next_steps(summary, finding.as_ref()),
        }
    }
}
