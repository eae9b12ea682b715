//! Of very many changes: first which files make the difference, each of them whole.
//!
//! A file of C that uses others only by their headers often compiles beside the headers of the other version, although hardly any mix
//! inside it does. One build that goes on after errors tells which files these are.

use super::hunks::{HunkSearch, label, unreadable};
use super::narrowed_changes::NarrowedChanges;
use super::plan::Clue;
use super::version_pair::VersionPair;
use crate::candidates::candidate::Candidate;
use crate::candidates::change_space::{ChangeSpace, ComplaintReader};
use crate::candidates::space::{Space, TreeStages};
use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::knowledge::{Dependencies, Repairs, Words};
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId, Hints, Narrow, Outcome, Probe, SearchLimit, StopEarly};
use howcome_run::{Algorithm, Halt, Round, RoundStep, Unit};
use std::sync::Arc;

/// Files that are compiled on their own.
const COMPILED: [&str; 6] = [".c", ".cc", ".cpp", ".cxx", ".m", ".mm"];
/// Files that others include.
const INCLUDED: [&str; 5] = [".h", ".hh", ".hpp", ".hxx", ".inc"];

/// With fewer files that are compiled, the definitions in them take hardly more tests.
const FEWEST_COMPILED: usize = 16;
/// How many repairs a mix of files is worth.
const MOST_REPAIRS: u32 = 5;
/// The search ends after this many tests in a row that leave no fewer files.
const MOST_WITHOUT_PROGRESS: u32 = 5;

impl HunkSearch<'_> {
    /// The versions between which to go on: those that were given, with files of the other version as far as these do not matter.
    pub(super) fn narrow_files(
        &self,
        stages: &mut impl TreeStages,
        round: Round,
        pair: &VersionPair,
        low: &Candidate,
    ) -> Result<(Candidate, Candidate), Halt<Option<NarrowedChanges>>> {
        let whole = || (low.clone(), pair.high.clone());
        let files = Arc::new(ChangeSet::by_files(&low.tree(), &pair.high.tree()).map_err(unreadable)?);
        let compiled = ending_with(&files, &COMPILED);
        // What one commit changes belongs together, so hardly any of its files can be mixed.
        if pair.commit.is_some()
            || compiled.len() < FEWEST_COMPILED
            || ending_with(&files, &INCLUDED).is_empty()
            || !self.plan.uses(Clue::Files)
        {
            return Ok(whole());
        }
        let reader = self.plan.uses(Clue::Repairs).then(|| FileComplaints::of(&files));
        let space = ChangeSpace {
            revision: pair.low_commit.clone(),
            reader: reader.map(|reader| Arc::new(reader) as _),
            syntax: None,
            ..ChangeSpace::on(low, &files)
        };
        let all = files.all();
        let search = Narrow::new(all.clone())
            .trying_first(vec![all.without(&compiled)])
            .with_repairs(MOST_REPAIRS)
            .isolating()
            .only_if_a_suggestion_is_resolved();
        let search = StopEarly::new(search, SearchLimit::of_progress(MOST_WITHOUT_PROGRESS));
        let stage = |algorithm| label(round, RoundStep::Files, algorithm, Unit::File);
        let narrowed = |chosen| Some(NarrowedChanges::of(&files, chosen, Unit::File));
        let mixes = ChangeSpace::on(low, &files);
        let space: Arc<dyn Space> = Arc::new(space);
        let found = match stages.search(&stage(Algorithm::Narrow), &space, search, &mut |_| {}) {
            Ok(within) => within.found,
            Err(halt) => return Err(halt.map_best(|best| narrowed(best.failing))),
        };
        let with = mixes.version(&found.failing);
        if found.passing.is_empty() {
            return Ok((low.clone(), with));
        }
        let deciding = found.failing.without(&found.passing);
        let alone = match stages.search(
            &stage(Algorithm::Probe),
            &space,
            Probe::new(deciding.clone()),
            &mut |_| {},
        ) {
            Ok(outcome) => outcome,
            Err(halt) => return Err(halt.keeping(narrowed(found.failing))),
        };
        Ok(match alone {
            Outcome::Fail => (low.clone(), mixes.version(&deciding)),
            Outcome::Pass | Outcome::Unresolved => (mixes.version(&found.passing), with),
        })
    }
}

/// The files with such names that both versions have.
fn ending_with(files: &ChangeSet, endings: &[&str]) -> Configuration {
    let ends = |path: &TreePath| endings.iter().any(|end| path.as_bytes().ends_with(end.as_bytes()));
    let is_wanted = |delta: &DeltaId| {
        files.describe(*delta).is_some_and(|change| change.what == ChangeKind::Lines && ends(change.path))
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
