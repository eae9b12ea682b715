//! Of very many changes: first which files make the difference, each of them whole.
//!
//! A file of C that uses others only by their headers often compiles beside the headers of the other version, although hardly any mix
//! inside it does. One build that goes on after errors tells which files these are.

use super::hunks::{HunkSearch, NarrowResult, label, unreadable};
use super::narrowed_changes::NarrowedChanges;
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::{ChangeSpace, ComplaintReader};
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{Dependencies, Repairs, Words, is_compiled, is_header};
use howcome_dd::{Configuration, DeltaId, FoundWithinLimit, Hints, Narrow, SearchLimit, StopEarly};
use howcome_run::{Algorithm, Round, RoundStep, Unit};
use std::sync::Arc;

/// With fewer files that are compiled, the definitions in them take hardly more tests.
const FEWEST_COMPILED: usize = 16;
/// How many repairs a mix of files is worth.
const MOST_REPAIRS: u32 = 5;
/// The search ends after this many tests in a row that leave no fewer files.
const MOST_WITHOUT_PROGRESS: u32 = 6;

impl HunkSearch<'_> {
    /// The files that make the difference, as far as whole files can be mixed. `None` if that is not worth a test.
    pub(super) fn narrow_files(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
    ) -> NarrowResult {
        let files = Arc::new(ChangeSet::by_files(&low.tree(), &pair.high.tree()).map_err(unreadable)?);
        let compiled = that(&files, is_compiled);
        // What one commit changes belongs together, so hardly any of its files can be mixed.
        if pair.commit.is_some()
            || compiled.len() < FEWEST_COMPILED
            || that(&files, is_header).is_empty()
            || !self.plan.uses(Clue::Files)
        {
            return Ok(None);
        }
        let reader = self.plan.uses(Clue::Repairs).then(|| FileComplaints::of(&files));
        let space: Arc<dyn Space> = Arc::new(ChangeSpace {
            reader: reader.map(|reader| Arc::new(reader) as _),
            syntax: None,
            names: None,
            ..self.space(low, pair, &files, None)
        });
        let all = files.all();
        let search = Narrow::new(all.clone())
            .trying_first(vec![all.without(&compiled)])
            .with_repairs(MOST_REPAIRS)
            .repairing_by_adding()
            .isolating()
            .only_if_a_suggestion_is_resolved();
        let search = StopEarly::new(search, SearchLimit::of_progress(MOST_WITHOUT_PROGRESS));
        let stage = label(round, RoundStep::Files, Algorithm::Narrow, Unit::File);
        let narrowed = |chosen| NarrowedChanges::of(&files, chosen, Unit::File);
        match stages.search(&stage, &space, search, &mut |_| {}) {
            Ok(FoundWithinLimit { found, limit }) => {
                if let Some(limit) = limit {
                    stages.note_limit(&stage.name, limit.into());
                }
                let passing = Some(Box::new(found.passing));
                Ok(Some(NarrowedChanges { passing, ..narrowed(found.failing) }))
            }
            Err(halt) => Err(halt.map_best(|best| Some(narrowed(best.failing)))),
        }
    }
}

/// The files with such names that both versions have.
fn that(files: &ChangeSet, is_wanted: impl Fn(&[u8]) -> bool) -> Configuration {
    let is_wanted = |delta: &DeltaId| {
        let change = files.describe(*delta);
        change.is_some_and(|change| change.what == ChangeKind::Lines && is_wanted(change.path.as_bytes()))
    };
    files.all().iter().filter(is_wanted).collect()
}

/// Reads what compilers and linkers complain of, and repairs it by whole files.
struct FileComplaints {
    files: Arc<ChangeSet>,
    words: Words,
    dependencies: Dependencies,
}

impl FileComplaints {
    fn of(files: &Arc<ChangeSet>) -> Self {
        let words = Words::of(files);
        let dependencies = Dependencies::of(files, &words);
        Self { files: Arc::clone(files), words, dependencies }
    }
}

impl ComplaintReader for FileComplaints {
    fn read(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        let Self { files, words, dependencies } = self;
        Hints::repairs(Repairs::new(files, words, dependencies).of_files(configuration, printed))
    }
}
