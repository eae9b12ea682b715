//! The searches that are measured on a simulated cluster, by name.

use super::limit::{OptimalRun, optimal_run};
use crate::measured_search::levels;
use crate::random::mixed;
use crate::trial::{NumberedDeltas, SearchTrial, observation};
use crate::world::World;
use howcome_dd::{
    Ancestry, Balanced, Bisect, CoarseToFine, Configuration, Dd, DdPlus, Ddmin, FlakyBisect, Isolate,
    IsolateInOrder, Narrow, Outcome, Question, Search, Step, WalkBack, WalkRoute,
};
use howcome_run::{ScriptedExecutor, TestOrder};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::time::Duration;

/// A search on a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClusterSearch {
    Dd,
    DdPlus,
    Ddmin,
    Balanced,
    LevelsOfBalanced,
    Isolate,
    IsolateInOrder,
    Narrow,
    Bisect,
    FlakyBisect,
    WalkBack,
}

/// What the driver needed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DrivenRun {
    pub(crate) rounds: u64,
    pub(crate) told: u64,
    pub(crate) executed: u64,
    pub(crate) cancelled: u64,
    /// The processor time of the driver. The simulated tests take next to none.
    pub(crate) planning: Duration,
}

impl ClusterSearch {
    pub(crate) const ALL: [ClusterSearch; 11] = [
        ClusterSearch::Dd,
        ClusterSearch::DdPlus,
        ClusterSearch::Ddmin,
        ClusterSearch::Balanced,
        ClusterSearch::LevelsOfBalanced,
        ClusterSearch::Isolate,
        ClusterSearch::IsolateInOrder,
        ClusterSearch::Narrow,
        ClusterSearch::Bisect,
        ClusterSearch::FlakyBisect,
        ClusterSearch::WalkBack,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ClusterSearch::Dd => "dd",
            ClusterSearch::DdPlus => "dd+",
            ClusterSearch::Ddmin => "ddmin",
            ClusterSearch::Balanced => "balanced (`items`)",
            ClusterSearch::LevelsOfBalanced => "levels of balanced (`input`)",
            ClusterSearch::Isolate => "isolate",
            ClusterSearch::IsolateInOrder => "isolate in order (`input --pass`)",
            ClusterSearch::Narrow => "narrow (`changes`, hunks)",
            ClusterSearch::Bisect => "bisect (`changes`, commits)",
            ClusterSearch::FlakyBisect => "flaky bisect (`--flaky`)",
            ClusterSearch::WalkBack => "walk back (`history`)",
        }
    }

    /// Whether it searches a line of revisions, in which only the last needed delta matters.
    pub(crate) fn is_for_revisions(self) -> bool {
        matches!(self, ClusterSearch::Bisect | ClusterSearch::FlakyBisect | ClusterSearch::WalkBack)
    }

    /// Runs it with the driver in simulated time.
    pub(crate) fn drive(self, world: &World, slots: usize) -> anyhow::Result<DrivenRun> {
        struct Drive<'a>(&'a World, usize, ClusterSearch);
        impl WithSearch for Drive<'_> {
            type Result = anyhow::Result<DrivenRun>;
            fn call<S: Search>(self, search: S) -> Self::Result {
                let Self(world, slots, kind) = self;
                let test = |order: &TestOrder| {
                    let question = Question::new(order.configuration.clone(), Step::Single);
                    observation(kind.outcome(world, &Question { repeat: order.repeat, ..question }))
                };
                let mut executor = ScriptedExecutor::new(slots, test, |_: &Configuration| 1.0);
                let numbered = NumberedDeltas(world.deltas);
                let trial = SearchTrial { subject: Some(&numbered), ..SearchTrial::new(world) };
                let began = processor_time()?;
                let (figures, found) = trial.run(search, &mut executor)?;
                let planning = processor_time()?.saturating_sub(began);
                anyhow::ensure!(found.is_some(), "the search came to no end");
                Ok(DrivenRun {
                    rounds: executor.clock().round() as u64,
                    told: figures.told,
                    executed: figures.executed,
                    cancelled: figures.cancelled,
                    planning,
                })
            }
        }
        self.with(world, Drive(world, slots, self))
    }

    /// Runs it by optimal speculation.
    pub(crate) fn speculate(self, world: &World, slots: usize) -> OptimalRun {
        struct Speculate<'a>(&'a World, usize, ClusterSearch);
        impl WithSearch for Speculate<'_> {
            type Result = OptimalRun;
            fn call<S: Search>(self, search: S) -> OptimalRun {
                let Self(world, slots, kind) = self;
                optimal_run(world, search, slots, |question| kind.outcome(world, question))
            }
        }
        self.with(world, Speculate(world, slots, self))
    }

    fn outcome(self, world: &World, question: &Question) -> Outcome {
        let (configuration, last) = (&question.configuration, world.needed.last());
        match (self, question.repeat) {
            // Fails in six of ten runs with the cause, and in one of ten without it.
            (ClusterSearch::FlakyBisect, Some(repeat)) => {
                let has_cause = last.is_some_and(|last| configuration.contains(last));
                let dice = mixed(configuration.fingerprint(), 1000 + u64::from(repeat)) % 10;
                if dice < if has_cause { 6 } else { 1 } { Outcome::Fail } else { Outcome::Pass }
            }
            // Each delta is a revision; those before the cause pass.
            (ClusterSearch::WalkBack, _) => {
                let revision = configuration.last().or(last);
                if revision >= last { Outcome::Fail } else { Outcome::Pass }
            }
            _ => world.outcome(configuration),
        }
    }

    fn with<W: WithSearch>(self, world: &World, action: W) -> W::Result {
        let (all, deltas) = (world.all(), world.deltas);
        match self {
            ClusterSearch::Dd => action.call(Dd::new(all)),
            ClusterSearch::DdPlus => action.call(DdPlus::new(all)),
            ClusterSearch::Ddmin => action.call(Ddmin::new(all)),
            ClusterSearch::Balanced => action.call(Balanced::new(all)),
            ClusterSearch::LevelsOfBalanced => {
                action.call(CoarseToFine::new(all, levels(deltas), Balanced::new))
            }
            ClusterSearch::Isolate => action.call(Isolate::new(Configuration::empty(), all)),
            ClusterSearch::IsolateInOrder => {
                let seams = (1..deltas / 8).map(|group| group * 8).collect();
                action.call(IsolateInOrder::new(deltas, vec![seams]))
            }
            ClusterSearch::Narrow => action.call(Narrow::new(all)),
            ClusterSearch::Bisect => action.call(Bisect::new(Ancestry::Line(deltas))),
            ClusterSearch::FlakyBisect => action.call(FlakyBisect::new(Ancestry::Line(deltas), 0.999)),
            ClusterSearch::WalkBack => {
                let route = WalkRoute { count: deltas - 1, from: deltas - 2, is_forward: false };
                action.call(WalkBack::new(route, Outcome::Fail, false))
            }
        }
    }
}

/// The processor time of this thread, which does not depend on what else the machine does.
fn processor_time() -> anyhow::Result<Duration> {
    let used = getrusage(UsageWho::RUSAGE_THREAD)?;
    let micros = used.user_time().num_microseconds() + used.system_time().num_microseconds();
    Ok(Duration::from_micros(micros.unsigned_abs()))
}

/// Does something with any search.
trait WithSearch {
    type Result;
    fn call<S: Search>(self, search: S) -> Self::Result;
}
