//! Runs the stages of a search through history, and numbers them.

use super::backport_patch::{BackportPatch, PatchExtent};
use super::revisions::HistoryRevisions;
use super::walk_space::WalkSpace;
use super::walk_state::WalkState;
use crate::candidates::candidate::Candidate;
use crate::candidates::patch_series::PatchSeries;
use crate::candidates::space::{Space, TreeStages};
use crate::candidates::version_space::VersionSpace;
use crate::search::hunks::HunkSearch;
use crate::search::limited_stages::LimitedStages;
use crate::search::narrowed_changes::NarrowedChanges;
use crate::search::plan::SearchPlan;
use crate::search::version_pair::VersionPair;
use crate::versions::compared::ComparedVersions;
use crate::versions::kept::UncommittedVersions;
use howcome_dd::{Configuration, DeltaId, Difference, Outcome, Probe, WalkBack, WalkRoute, WalkedBack};
use howcome_run::{
    Algorithm, Because, Halt, Leg, Problem, Round, RoundStep, StageLabel, StageName, Unit, Way,
};
use std::sync::Arc;

/// The stages of a search through history: the revisions, how to search, and the runner. No two stages get the same name.
pub(super) struct HistoryStages<'a, R> {
    pub(super) revisions: &'a HistoryRevisions,
    pub(super) plan: &'a SearchPlan,
    pub(super) runner: &'a mut R,
    walks: u32,
    trials: u32,
    patch_searches: u32,
    reductions: u32,
    /// How many causes were searched.
    pub(super) causes: u32,
    /// How many steps forward fixes of earlier causes took.
    pub(super) steps_forward: u32,
    /// How many tests were told when the walk began.
    began_after: u64,
    /// Whether only failures with the output of the newest revision count, or did.
    pub(super) exactness: Exactness,
}

/// Which failures count in a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Exactness {
    /// All that end as in the newest revision.
    #[default]
    AnyOutput,
    /// Those that print the same as the newest revision.
    SameOutput,
    /// All again, because the walk with the same output led nowhere.
    AnyOutputAgain,
}

/// If the oldest revision fails too, others are tested until this many tests were run.
const MOST_TESTS_WITHOUT_PASS: u64 = 12;

/// How far a walk back came, and the stage that it was.
pub(super) struct FinishedWalk {
    pub(super) stage: StageName,
    pub(super) route: WalkRoute,
    pub(super) walked: WalkedBack,
}

impl<'a, R: TreeStages> HistoryStages<'a, R> {
    pub(super) fn new(revisions: &'a HistoryRevisions, plan: &'a SearchPlan, runner: &'a mut R) -> Self {
        let began_after = runner.told();
        Self {
            revisions,
            plan,
            runner,
            walks: 0,
            trials: 0,
            patch_searches: 0,
            reductions: 0,
            causes: 0,
            steps_forward: 0,
            began_after,
            exactness: Exactness::AnyOutput,
        }
    }

    /// Begins the walk anew with other failures that count.
    pub(super) fn begin_again(&mut self, exactness: Exactness) {
        self.exactness = exactness;
        self.runner.count_only_exact(exactness == Exactness::SameOutput);
        self.began_after = self.runner.told();
    }

    /// How many tests were told since the walk began.
    pub(super) fn tests(&self) -> u64 {
        self.runner.told().saturating_sub(self.began_after)
    }

    /// Runs stages whose searches together may run a number of tests only. Says also whether that has ended one of them.
    pub(super) fn within<T>(
        &mut self,
        most: Option<u32>,
        run: impl FnOnce(&mut HistoryStages<'_, LimitedStages<'_, R>>) -> T,
    ) -> (T, bool) {
        let mut limited = LimitedStages::new(&mut *self.runner);
        if let Some(most) = most {
            limited.limit(most);
        }
        let Self { revisions, plan, walks, trials, patch_searches, reductions, .. } = *self;
        let Self { causes, steps_forward, began_after, exactness, .. } = *self;
        let mut stages = HistoryStages {
            revisions,
            plan,
            runner: &mut limited,
            walks,
            trials,
            patch_searches,
            reductions,
            causes,
            steps_forward,
            began_after,
            exactness,
        };
        let result = run(&mut stages);
        (self.walks, self.trials) = (stages.walks, stages.trials);
        (self.patch_searches, self.reductions) = (stages.patch_searches, stages.reductions);
        (self.causes, self.steps_forward) = (stages.causes, stages.steps_forward);
        (result, limited.is_cut())
    }

    /// Revisions that undo an earlier one, the newest first. One of them can pass although older and newer ones fail.
    fn reverts(&self) -> impl Iterator<Item = u32> + use<'a, R> {
        let line = &self.revisions.line;
        let is_revert = |index: &usize| {
            let info = line.revisions.get(*index).and_then(|revision| line.source.commit_info(revision));
            info.is_some_and(|commit| commit.subject.starts_with("Revert"))
        };
        (0..line.len()).rev().filter(is_revert).map(|index| index as u32)
    }

    /// How many revisions there are.
    pub(super) fn count(&self) -> usize {
        self.revisions.line.len()
    }

    /// The number of the newest revision.
    pub(super) fn newest(&self) -> usize {
        self.count().saturating_sub(1)
    }

    /// The name of a revision.
    pub(super) fn name(&self, index: usize) -> String {
        self.revisions.line.name(index)
    }

    /// `1a2b3c4, revision 7 of 20`.
    pub(super) fn position(&self, index: usize) -> String {
        format!("{}, revision {} of {}", self.name(index), index + 1, self.count())
    }

    /// A revision without any patch.
    pub(super) fn version(&self, index: usize) -> Result<Candidate, Problem> {
        self.revisions.line.base(index).map(Candidate::of).map_err(|because| self.no_version(&because))
    }

    /// A version with a patch that must apply.
    pub(super) fn patched(&self, patch: &PatchSeries, version: &Candidate) -> Result<Candidate, Problem> {
        patch.apply_to(version).map_err(|because| self.no_version(&because))
    }

    /// The front of a walk with its patch.
    pub(super) fn patched_front(&self, state: &WalkState) -> Result<Candidate, Problem> {
        let patch = state.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
        self.patched(&patch, &self.version(state.front)?)
    }

    /// The problem with a version that the search cannot go on without.
    pub(super) fn no_version(&self, because: &Because) -> Problem {
        self.revisions.no_version(because)
    }

    /// Goes on from an older revision with a patch that was made for it.
    pub(super) fn add_backport(
        &self,
        state: &mut WalkState,
        patch: BackportPatch,
        older: usize,
    ) -> Result<(), Problem> {
        let unpatched = self.version(older)?;
        let earlier = state.patch.as_ref().map(BackportPatch::lines_that_fit).unwrap_or_default();
        let with = |lines: &PatchSeries| lines.apply_to(&unpatched).unwrap_or_else(|_| unpatched.clone());
        let added =
            BackportPatch::between(&with(&earlier), &with(&patch.lines_that_fit()), PatchExtent::Part)?;
        state.add_backport(patch, older, added.size());
        Ok(())
    }

    /// All revisions, with a patch.
    pub(super) fn walk_space(&self, patch: PatchSeries) -> Arc<dyn Space> {
        Arc::new(WalkSpace::with_patch(&self.revisions.line, patch))
    }

    /// Walks back for as long as revisions fail in the same way.
    pub(super) fn walk_back(&mut self, state: &WalkState) -> Result<FinishedWalk, Halt<Difference>> {
        self.walks += 1;
        let patch = state.patch.as_ref();
        let with = patch.map_or_else(String::new, |patch| format!(" with {}", patch.in_words()));
        self.runner.milestone(&format!("walking back from {}{with}", self.position(state.front)));
        let space = self.walk_space(patch.map(BackportPatch::lines_that_fit).unwrap_or_default());
        let route = WalkRoute { count: self.count() as u32, from: state.front as u32, is_forward: false };
        let search = WalkBack::new(route, Outcome::Fail, patch.is_some());
        let search = search.skipping(state.outcomes.skipped_numbers());
        let search = match self.plan.every_revision {
            true => search.one_by_one(),
            false => {
                let left = MOST_TESTS_WITHOUT_PASS.saturating_sub(self.tests());
                search.suspecting(self.reverts()).with_extra_tests(left.max(1) as u32)
            }
        };
        let stage = StageName::Walk(self.walks);
        let walked = self.walk(stage.clone(), &space, search)?;
        Ok(FinishedWalk { stage, route, walked })
    }

    /// Walks forward from a revision that passes with a patch, for as long as revisions pass.
    pub(super) fn walk_forward(
        &mut self,
        state: &WalkState,
        from: usize,
        patch: PatchSeries,
    ) -> Result<WalkedBack, Halt> {
        let route = WalkRoute { count: self.count() as u32, from: from as u32, is_forward: true };
        let search = WalkBack::new(route, Outcome::Pass, !patch.0.is_empty());
        let search = search.skipping(state.outcomes.skipped_numbers());
        let space = self.walk_space(patch);
        Ok(self.next_walk(&space, search)?)
    }

    /// Walks along the revisions in a stage of its own.
    pub(super) fn next_walk(
        &mut self,
        space: &Arc<dyn Space>,
        search: WalkBack,
    ) -> Result<WalkedBack, Halt<Difference>> {
        self.walks += 1;
        self.walk(StageName::Walk(self.walks), space, search)
    }

    /// Walks along the revisions.
    pub(super) fn walk(
        &mut self,
        name: StageName,
        space: &Arc<dyn Space>,
        search: WalkBack,
    ) -> Result<WalkedBack, Halt<Difference>> {
        let stage = StageLabel { name, search: Algorithm::Walk, unit: Unit::Revision };
        self.runner.search(&stage, space, search, &mut |_| {})
    }

    /// Tests a single version that is made from a revision, in the next stage for that.
    pub(super) fn try_version(
        &mut self,
        what: &str,
        candidate: Candidate,
        index: usize,
    ) -> Result<Outcome, Halt> {
        self.trials += 1;
        self.probe(StageName::Trial(self.trials), what, candidate, index)
    }

    /// Whether a revision without any patch fails, and prints the same as the newest one.
    pub(super) fn prints_the_same(&mut self, index: usize) -> Result<bool, Halt> {
        let version = self.version(index)?;
        let what = format!("{} without a patch", self.name(index));
        let outcome = self.try_version(&what, version, index)?;
        let tested = Configuration::empty().with_delta(DeltaId(0));
        let seen = self.runner.seen(&StageName::Trial(self.trials), &tested);
        Ok(outcome == Outcome::Fail && seen.is_some_and(|seen| !seen.differs))
    }

    /// Tests a single version that is made from a revision.
    pub(super) fn probe(
        &mut self,
        name: StageName,
        what: &str,
        candidate: Candidate,
        index: usize,
    ) -> Result<Outcome, Halt> {
        let commit = self.revisions.line.commit(index);
        let candidates =
            vec![(String::new(), candidate.clone(), commit.clone()), (what.to_owned(), candidate, commit)];
        let written = self.version(index).into_iter().collect();
        let space: Arc<dyn Space> =
            Arc::new(VersionSpace { must_build: true, ..VersionSpace::of(candidates).mixing(written) });
        let stage = StageLabel { name, search: Algorithm::Probe, unit: Unit::Version };
        let search = Probe::new(Configuration::empty().with_delta(DeltaId(0)));
        Ok(self.runner.search(&stage, &space, search, &mut |_| {})?)
    }

    /// The next search for a patch with which an older revision fails.
    pub(super) fn next_patch_search(&mut self) -> Leg {
        self.patch_searches += 1;
        Leg { way: Way::Patch, number: self.patch_searches }
    }

    /// The next search for fewer hunks of a patch with which an older revision passes.
    pub(super) fn next_reduction(&mut self) -> Leg {
        self.reductions += 1;
        Leg { way: Way::Backport, number: self.reductions }
    }

    /// The fewest hunks, or blocks of lines in them, that lead from the low version of a pair to a version with an outcome that the high version has.
    /// The low version's output can name what it lacks.
    pub(super) fn fewest_changes(
        &mut self,
        leg: Leg,
        pair: &VersionPair,
        (sought, finest): (Outcome, RoundStep),
        complaint: &[u8],
    ) -> Result<Option<NarrowedChanges>, Halt> {
        let versions = self.compared(pair);
        let round = Round { leg: Some(leg), ..Round::default() };
        let search = HunkSearch {
            sought: Some(sought),
            complaint,
            // A pass tells more than the fewest changes that fail.
            ends_at_pass: sought == Outcome::Fail,
            ..HunkSearch::of(&versions, self.plan)
        };
        search.fewest(self.runner, round, pair, finest == RoundStep::Blocks).map_err(|halt| halt.keeping(()))
    }

    /// Two versions that are made from revisions.
    pub(super) fn pair(
        &self,
        (low, low_index): (Candidate, usize),
        (high, high_index): (Candidate, usize),
    ) -> VersionPair {
        VersionPair {
            low,
            low_commit: self.revisions.line.commit(low_index),
            high,
            commit: self.revisions.line.commit(high_index),
            suspects: Vec::new(),
            merged: Vec::new(),
            fails_like_bad: false,
        }
    }

    /// A pair as the search below revisions compares it.
    pub(super) fn compared(&self, pair: &VersionPair) -> ComparedVersions {
        ComparedVersions {
            good: pair.low.clone(),
            good_commit: pair.low_commit.clone(),
            bad: pair.high.clone(),
            bad_commit: pair.commit.clone(),
            between: None,
            source: Arc::clone(&self.revisions.line.source),
            warnings: Vec::new(),
            uncommitted: UncommittedVersions::default(),
        }
    }
}
