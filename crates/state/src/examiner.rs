//! Examines one place: which variables decide there?

use crate::compared_place::ComparedPlace;
use crate::copy_executor::{CopyExecutor, StateSubject, StopFlag};
use crate::examination::{Examination, Examined, NoCause, UnalteredResults};
use crate::graph::ProgramState;
use crate::isolation_limits::IsolationLimits;
use crate::matching::{Alterations, Differences};
use crate::peeling::{Peel, Peeled, PeelingRecord};
use crate::run_pair::{OriginalRun, RunPair};
use crate::run_result::RunResult;
use crate::run_settings::RunGoal;
use crate::state_cause::StateCause;
use crate::stopped_run::StoppedRun;
use crate::tracee::TraceError;
use crate::transfer_direction::{Transfer, TransferDirection};
use crate::unread_memory::UnreadMemory;
use crate::variable_search::{JointCauses, SearchLimits, VariablesFound, search_variables, stage};
use crate::{Address, FailureTerms, RunJudge};
use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_run::{Algorithm, Driver, Halt, JournalError, Observation, Purpose, StageName, Stop, Subject};
use std::sync::Arc;

/// What is the same for all places.
pub struct Examiner<'a> {
    /// The two runs.
    pub runs: &'a RunPair,
    /// What counts as the failure.
    pub terms: FailureTerms,
    /// Tests at a time.
    pub workers: usize,
    /// Set if the user wants to stop.
    pub stop: StopFlag,
    /// The last place at which the runs can be told apart. If both runs end alike, their outputs from here on are compared,
    /// whichever place is examined. What they print before, perhaps their own input, is not the failure.
    pub mark: Option<ComparedPlace>,
    /// What was found about differences that spoil the transfer of a failure.
    pub peelings: PeelingRecord,
    /// Whether it is still worth looking for variables that decide together.
    pub joint_causes: JointCauses,
    /// How long isolations go on without progress.
    pub isolations: IsolationLimits,
    /// Which memory could not be read.
    pub unread: UnreadMemory,
}

/// Why there is no finding, until it becomes an [`Examination`] or an error.
enum NoFinding {
    Nothing(NoCause),
    Halted(Halt),
}

impl From<NoCause> for NoFinding {
    fn from(nothing: NoCause) -> Self {
        NoFinding::Nothing(nothing)
    }
}

impl From<Halt> for NoFinding {
    fn from(halt: Halt) -> Self {
        NoFinding::Halted(halt)
    }
}

impl From<JournalError> for NoFinding {
    fn from(error: JournalError) -> Self {
        NoFinding::Halted(error.into())
    }
}

/// The differences that transfer what the other run does.
struct Transferred {
    left: Configuration,
    /// The differences that were left out because they spoil it.
    spoilers: Vec<DeltaId>,
}

/// Both runs at a place.
struct OpenedPlace {
    direction: TransferDirection,
    /// The run that is altered, once for each worker.
    base: Vec<StoppedRun>,
    /// The run whose values are used.
    other: Option<StoppedRun>,
    /// The state of the base run, then that of the other run.
    states: [ProgramState; 2],
    /// What they do from here on if they are not altered.
    seen: [RunResult; 2],
    subject: StateSubject,
}

impl OpenedPlace {
    fn judge(&self, direction: TransferDirection, terms: &FailureTerms) -> Option<RunJudge> {
        let (passing, failing) = direction.in_order(&self.seen[0], &self.seen[1]);
        RunJudge::new(passing.clone(), failing.clone(), terms.clone())
    }
}

impl<'a> Examiner<'a> {
    /// An examiner without a mark.
    #[must_use]
    pub fn new(runs: &'a RunPair, terms: FailureTerms, workers: usize, stop: StopFlag) -> Self {
        Self {
            runs,
            terms,
            workers,
            stop,
            mark: None,
            peelings: PeelingRecord::default(),
            joint_causes: JointCauses::default(),
            isolations: IsolationLimits::default(),
            unread: UnreadMemory::default(),
        }
    }
}

impl Examiner<'_> {
    /// Examines a place: forward first, and in the other direction if the failure cannot be transferred forward. If neither
    /// works with all differences, those that spoil the transfer are left out.
    ///
    /// # Errors
    /// If the run is stopped, or the journal of an earlier session does not fit.
    pub fn examine(&self, driver: &mut Driver, place: &ComparedPlace) -> Result<Examination, Halt> {
        let mut last: Option<NoCause> = None;
        for transfer in Transfer::IN_ORDER {
            if self.stop.is_interrupted() {
                return Err(Stop::Interrupted.into());
            }
            if let Some(stop) = driver.out_of_time() {
                return Err(stop.into());
            }
            if transfer.is_partial && self.peelings.tests_left() == 0 {
                break;
            }
            match self.examine_in(driver, place, transfer) {
                Ok(examined) => return Ok(Examination::Found(Box::new(examined))),
                Err(NoFinding::Nothing(nothing)) => match &mut last {
                    // Why nothing was found forward is told, even if something else is wrong in the other direction.
                    Some(first) => first.add_later(nothing, transfer.direction),
                    None if matches!(nothing, NoCause::NotTransferable { .. }) => last = Some(nothing),
                    None => return Ok(Examination::Nothing(nothing)),
                },
                Err(NoFinding::Halted(halt)) => return Err(halt),
            }
        }
        Ok(Examination::Nothing(last.unwrap_or(NoCause::NoDifference)))
    }

    /// Sets the mark: the last of these places at which the two runs can still be told apart.
    pub fn set_mark(&mut self, places: &[ComparedPlace]) {
        let is_by_output =
            self.terms.says_nothing() && self.runs.failing.result.ends_like(&self.runs.passing.result);
        if !is_by_output || self.runs.settings.goal != RunGoal::End {
            return;
        }
        let is_told_apart = |place: &&ComparedPlace| {
            let sides = [(&self.runs.passing, place.passing), (&self.runs.failing, place.failing)];
            let [passing, failing] = sides.map(|(run, stop_point)| {
                let stopped_run =
                    StoppedRun::open(self.runs.settings.clone(), run.invocation.clone(), stop_point, None);
                stopped_run.run_on(Alterations::default())
            });
            matches!((passing, failing), (Ok(passing), Ok(failing)) if !passing.is_like(&failing))
        };
        self.mark = places.iter().rev().find(is_told_apart).cloned();
    }

    fn examine_in(
        &self,
        driver: &mut Driver,
        place: &ComparedPlace,
        transfer: Transfer,
    ) -> Result<Examined, NoFinding> {
        let told = driver.told();
        let direction = transfer.direction;
        let mut opened = self.open_place(place, direction)?;
        let judge = opened.judge(direction, &self.terms).ok_or(NoCause::DecidedBefore)?;
        let name = transfer.stage(place);
        let base = std::mem::take(&mut opened.base);
        let (mut executor, transferred) =
            self.run_baseline(driver, base, &opened, &judge, transfer, &name)?;
        let limits =
            SearchLimits { transfer, joint_causes: &self.joint_causes, isolations: &self.isolations };
        let found =
            search_variables(driver, &mut executor, &opened.subject, &transferred.left, &name, &limits)?;
        let found = match found {
            VariablesFound::Few(found) => found,
            VariablesFound::NotNarrowed { left, limit } => {
                return Err(NoCause::NotNarrowed { left, limit }.into());
            }
        };
        // The files that the base run has written exist as long as its processes, and the other run can be given one of them.
        let without = self.confirm_without(driver, &mut opened, &found.deltas, &judge, place)?;
        drop(executor);
        let (alone, without) = direction.in_order(Some(found.alone), without);
        let differences = &opened.subject.0;
        let cause = |delta: DeltaId| StateCause::of_delta(differences, delta, direction, alone, without);
        let causes = found.deltas.iter().map(cause).collect();
        let deltas = differences.deltas.len();
        let left_out = names(differences, transferred.spoilers.into_iter());
        let (dropped, common) = (differences.dropped, differences.common);
        let differing = direction.differing(differences);
        let [base, other] = opened.states;
        let (passing_state, failing_state) = direction.in_order(base, other);
        let [base, other] = opened.seen;
        let (passing, failing) = direction.in_order(base, other);
        Ok(Examined {
            place: place.clone(),
            vertices: failing_state.graph.vertices.len(),
            edges: failing_state.graph.edges.len() + failing_state.graph.roots.len(),
            common,
            deltas,
            dropped,
            left_out,
            tests: driver.told() - told,
            direction,
            causes,
            is_minimal: found.is_minimal,
            ends: UnalteredResults { passing, failing },
            states: [passing_state, failing_state],
            differing,
        })
    }

    /// The baseline: the base run with none of the differences, and with all of them, or with those that are left.
    fn run_baseline(
        &self,
        driver: &mut Driver,
        base: Vec<StoppedRun>,
        opened: &OpenedPlace,
        judge: &RunJudge,
        transfer: Transfer,
        name: &StageName,
    ) -> Result<(CopyExecutor, Transferred), NoFinding> {
        let (differences, direction) = (&opened.subject.0, opened.direction);
        if differences.deltas.is_empty() {
            return Err(NoCause::NoDifference.into());
        }
        let stopped_runs = allocate(base, differences).map_err(NoCause::NotLooked)?;
        driver.begin(&stage(&opened.subject, name, Algorithm::Baseline))?;
        let search_judge = Arc::new(direction.seen_by_search(judge));
        let mut executor =
            CopyExecutor::new(stopped_runs, Arc::clone(differences), search_judge, self.stop.clone());
        let all = Configuration::all(opened.subject.deltas());
        let transferred = match transfer.is_partial {
            true => self.leave_out_spoilers(driver, &mut executor, opened, all, name)?,
            false => Transferred { left: all, spoilers: Vec::new() },
        };
        let sides = [
            (Purpose::BaselinePassing, Configuration::empty()),
            (Purpose::BaselineFailing, transferred.left.clone()),
        ];
        for (purpose, configuration) in sides {
            let is_all = purpose == Purpose::BaselineFailing;
            let seen = executor.run_now(&configuration).map_err(|error| match error {
                TraceError::Broken(_) => NoCause::NotLooked(error),
                _ => not_transferable(differences, error.to_string(), Vec::new()),
            })?;
            let (outcome, because) = judge.judge(&seen);
            let observation =
                Observation { alone: true, ..Observation::new(direction.told(outcome), because, seen.took) };
            driver.baseline(name, purpose, &configuration, None, observation)?;
            if outcome != direction.expected(is_all) {
                return Err(match is_all {
                    true => {
                        let instead = crate::run_result::describe_end(&seen.end);
                        not_transferable(differences, instead, Vec::new()).into()
                    }
                    false => NoCause::NotRepeatable(direction.base()).into(),
                });
            }
        }
        Ok((executor, transferred))
    }

    /// The differences without those that spoil the transfer.
    fn leave_out_spoilers(
        &self,
        driver: &mut Driver,
        executor: &mut CopyExecutor,
        opened: &OpenedPlace,
        all: Configuration,
        name: &StageName,
    ) -> Result<Transferred, NoFinding> {
        let differences = &opened.subject.0;
        let is_suspect =
            |delta: &DeltaId| self.peelings.is_spoiler(&differences.deltas[delta.index()].variable);
        let suspects: Configuration = all.iter().filter(is_suspect).collect();
        let peel = Peel::new(all, suspects, self.peelings.tests_left());
        let told = driver.told();
        let peeled = driver.run(executor, &stage(&opened.subject, name, Algorithm::Peel), peel, &mut |_| {});
        self.peelings.count(driver.told() - told);
        match peeled.map_err(Halt::from)? {
            Peeled::Transferable { left, spoilers } => {
                self.peelings.add_spoilers(names(differences, spoilers.iter().copied()).into_iter());
                Ok(Transferred { left, spoilers })
            }
            Peeled::Spoiled(spoilers) => {
                let spoilers = names(differences, spoilers.into_iter());
                Err(not_transferable(differences, String::new(), spoilers).into())
            }
        }
    }

    /// Stops both runs at the place, and lets copies of them run to the end.
    fn open_place(
        &self,
        place: &ComparedPlace,
        direction: TransferDirection,
    ) -> Result<OpenedPlace, NoCause> {
        let settings = &self.runs.settings;
        let stopped_run = |(run, stop_point, mark): (&OriginalRun, _, _)| {
            StoppedRun::open(settings.clone(), run.invocation.clone(), stop_point, mark)
        };
        let marks = self.mark.as_ref().map(|mark| (mark.passing, mark.failing)).unzip();
        let passing = (&self.runs.passing, place.passing, marks.0);
        let sides = (passing, (&self.runs.failing, place.failing, marks.1));
        let (base_side, other_side) = direction.in_order(sides.0, sides.1);
        let base: Vec<StoppedRun> = (0..self.workers.max(1)).map(|_| stopped_run(base_side)).collect();
        let other = stopped_run(other_side);
        // The mark must mean the same moment for an altered run, whichever of the two runs it is more like.
        let left = |stopped_run: &StoppedRun| stopped_run.left().map_err(NoCause::NotLooked);
        if left(&base[0])? != left(&other)? {
            base.iter().chain([&other]).for_each(StoppedRun::unmark);
        }
        let look = |stopped_run: &StoppedRun| {
            let state = stopped_run.state()?;
            Ok((state, stopped_run.run_on(Alterations::default())?))
        };
        let (base_state, base_seen) = look(&base[0]).map_err(NoCause::NotLooked)?;
        let (other_state, other_seen) = look(&other).map_err(NoCause::NotLooked)?;
        [&base_state, &other_state].iter().for_each(|state| self.unread.note(&state.graph));
        let runs =
            [(&base_seen, base_side.0, direction.base()), (&other_seen, other_side.0, direction.other())];
        for (seen, run, name) in runs {
            if settings.goal == RunGoal::End && !seen.ends_like(&run.result) {
                return Err(NoCause::NotRepeatable(name));
            }
        }
        let differences = Differences::between(&settings.program, &base_state, &other_state);
        let subject = StateSubject(Arc::new(differences));
        let (states, seen) = ([base_state, other_state], [base_seen, other_seen]);
        Ok(OpenedPlace { direction, base, other: Some(other), states, seen, subject })
    }

    /// Puts the values of the base run for the causes into the other run: does it do what the base run does?
    fn confirm_without(
        &self,
        driver: &mut Driver,
        opened: &mut OpenedPlace,
        causes: &Configuration,
        judge: &RunJudge,
        place: &ComparedPlace,
    ) -> Result<Option<bool>, Halt> {
        let [base, other] = &opened.states;
        let reverse = Arc::new(Differences::between(&self.runs.settings.program, other, base));
        let counterparts: Option<Configuration> =
            causes.iter().map(|cause| opened.subject.0.counterpart(&reverse, cause)).collect();
        let (Some(counterparts), Some(stopped_run)) = (counterparts, opened.other.take()) else {
            return Ok(None);
        };
        let Ok(stopped_runs) = allocate(vec![stopped_run], &reverse) else { return Ok(None) };
        let opposite = opened.direction.opposite();
        let subject = StateSubject(Arc::clone(&reverse));
        let name = Transfer { direction: opposite, is_partial: false }.stage(place);
        driver.begin(&stage(&subject, &name, Algorithm::Confirm))?;
        let judge = Arc::new(opposite.seen_by_search(judge));
        let mut executor = CopyExecutor::new(stopped_runs, reverse, judge, self.stop.clone());
        let seen = driver.confirm(&mut executor, &name, Purpose::ConfirmWithout, &counterparts, None)?;
        Ok(Some(seen.outcome == Outcome::Fail))
    }
}

fn allocate(
    stopped_runs: Vec<StoppedRun>,
    differences: &Differences,
) -> Result<Vec<(StoppedRun, Vec<Address>)>, TraceError> {
    let allocate = |stopped_run: StoppedRun| {
        let allocated = stopped_run.allocate(differences.allocations.clone())?;
        Ok((stopped_run, allocated))
    };
    stopped_runs.into_iter().map(allocate).collect()
}

fn names(differences: &Differences, deltas: impl Iterator<Item = DeltaId>) -> Vec<String> {
    deltas.map(|delta| differences.deltas[delta.index()].variable.clone()).collect()
}

fn not_transferable(differences: &Differences, instead: String, spoilers: Vec<String>) -> NoCause {
    let (deltas, dropped) = (differences.deltas.len(), differences.dropped);
    NoCause::NotTransferable { deltas, dropped, instead, spoilers }
}
