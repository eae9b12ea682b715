//! A worker: a thread that runs candidates and has them judged until their outcomes can be believed.

use crate::belief::Repeat;
use crate::candidate_runner::{CandidateRunner, Executions, MOST_LOSSES};
use crate::closer_look::CloserLook;
use crate::decision::Decision;
use crate::experiment::{Oracle, Prepare};
use crate::interest::Interest;
use crate::limits::Limits;
use crate::memory_kills::MemoryKills;
use crate::run_terms::{ExecutionError, RunTerms};
use crate::{Execution, SiteTerms, TestEnding, log};
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Because, LaterExperiment, Observation, Tally, TestOrder};
use std::sync::Arc;
use std::time::Instant;

/// What is tested, which oracle judges it, and how often it is repeated.
#[derive(Clone)]
pub(crate) struct Experiment {
    pub(crate) subject: Arc<dyn Prepare>,
    pub(crate) oracle: Arc<dyn Oracle>,
    pub(crate) repeat: Repeat,
    /// Its runs are only counted: they measure the noise of the test.
    pub(crate) is_measured: bool,
}

/// An experiment that is not the present one, for an order of the driver.
pub(crate) fn later_experiment(
    subject: Arc<dyn Prepare>,
    oracle: Arc<dyn Oracle>,
    repeat: Repeat,
) -> LaterExperiment {
    Arc::new(Experiment { subject, oracle, repeat, is_measured: false })
}

pub(crate) struct Worker {
    pub(crate) runner: CandidateRunner,
}

impl Worker {
    /// Tests a configuration until its outcome can be believed. `None` if the test was cancelled.
    pub(crate) fn test(
        &mut self,
        order: &TestOrder,
        experiment: &Experiment,
        limits: &Limits,
        closer: CloserLook,
        interest: Interest<'_>,
    ) -> Option<Observation> {
        let started = Instant::now();
        let mut tally = Tally::default();
        let mut reasons: Vec<(Outcome, Because)> = Vec::new();
        let mut last = None;
        let mut also = Vec::new();
        let (mut confidence, mut was_disturbed, mut memory_kills) = (None, false, None);
        if order.from_scratch {
            self.runner.start_clean();
        }
        let wants = |execution: &Execution| match experiment.oracle.judge(execution).outcome {
            Outcome::Fail => closer,
            _ => CloserLook::default(),
        };
        let site = SiteTerms {
            is_proof: order.from_scratch,
            is_repeat: order.repeat.is_some()
                || experiment.is_measured
                || experiment.repeat != Repeat::Times(1),
            alone: order.alone,
            ..SiteTerms::default()
        };
        let terms = RunTerms { limits, interest, wants: &wants, site, wants_reads: false };
        let repeat = match order.repeat.is_some() {
            true => Repeat::Times(1),
            false => experiment.repeat,
        };
        let mut ahead = Executions::new();
        let (outcome, because) = loop {
            if ahead.is_empty() {
                let (subject, copies) = (&*experiment.subject, repeat.surely_needed(&tally));
                ahead = self.runner.run_copies(subject, &order.configuration, terms, copies);
            }
            let Some(execution) = ahead.pop_front() else { continue };
            let verdict = match execution {
                Err(ExecutionError::Cancelled) => return None,
                // Whoever killed it need not do so again, unless the test itself is the reason.
                Ok(execution) if order.alone && execution.was_killed() && memory_kills.is_none() => {
                    memory_kills = Some(MemoryKills::now());
                    continue;
                }
                Ok(execution) => {
                    // One of several runs is enough to mislead.
                    was_disturbed |= execution.was_killed() || execution.lacks_what_others_use();
                    let mut verdict = experiment.oracle.judge(&execution);
                    if let Some(before) = memory_kills.as_ref().filter(|_| execution.was_killed()) {
                        before.explain(&MemoryKills::now(), &mut verdict);
                    }
                    also.append(&mut verdict.also);
                    if verdict.outcome != Outcome::Unresolved
                        && let Some(warning) = self.new_warning(order, experiment, &execution, terms)?
                    {
                        last = Some(execution);
                        break (Outcome::Unresolved, Because::NewWarning(warning));
                    }
                    last = Some(execution);
                    verdict
                }
                // Whether a configuration makes a candidate, and one that builds, does not depend on chance.
                Err(ExecutionError::Because(because)) => break (Outcome::Unresolved, because),
                Err(ExecutionError::DidNotBuild(execution)) => {
                    let why = execution
                        .complaint()
                        .unwrap_or_else(|| format!("the build ended with {}", execution.ending));
                    // The time depends on what else runs, so the driver can repeat this test alone.
                    let because = match execution.ending {
                        TestEnding::TimedOut => Because::TimedOut,
                        _ if experiment.subject.stops_in_test(&execution) => Because::TestDidNotBuild(why),
                        _ => Because::DidNotBuild(why),
                    };
                    last = Some(*execution);
                    break (Outcome::Unresolved, because);
                }
                Err(ExecutionError::NotInTime(execution)) => {
                    last = Some(*execution);
                    break (Outcome::Unresolved, Because::TimedOut);
                }
                Err(ExecutionError::Lost) => break (Outcome::Unresolved, lost()),
                Err(ExecutionError::NotLaunched(why)) => break (Outcome::Unresolved, Because::Broken(why)),
            };
            tally.add(verdict.outcome);
            if verdict.because.is_no_verdict() {
                break (Outcome::Unresolved, verdict.because);
            }
            reasons.push((verdict.outcome, verdict.because));
            match repeat.decide(&tally) {
                Decision::More => {}
                Decision::Contradiction => break (Outcome::Unresolved, Because::Contradiction),
                Decision::Believe(outcome, probability) => {
                    confidence = matches!(repeat, Repeat::Flaky(_)).then_some(probability);
                    let reason = reasons.into_iter().rev().find(|(execution, _)| *execution == outcome);
                    break (outcome, reason.map_or(Because::Contradiction, |(_, because)| because));
                }
            }
        };
        let mut observation = Observation::new(outcome, because, started.elapsed());
        if tally.runs() > 0 {
            observation.tally = tally;
        }
        observation.alone = order.alone;
        observation.was_disturbed =
            was_disturbed || last.as_ref().is_some_and(Execution::lacks_what_others_use);
        observation.confidence = confidence;
        also.sort();
        also.dedup();
        observation.also = also.into();
        if let Some(execution) = &last {
            observation.prepared = execution.prepared;
            observation.is_cached = execution.is_cached;
            let folder = self.runner.setting().log.as_deref();
            observation.log = folder
                .filter(|_| !experiment.is_measured)
                .and_then(|folder| log::write_log(folder, &order.id.0.to_string(), execution));
            observation.differs = outcome == Outcome::Fail && experiment.oracle.differs(execution);
            if outcome == Outcome::Unresolved {
                observation.hints = experiment.subject.hints(&order.configuration, execution);
            }
        }
        Some(observation)
    }

    /// A dangerous warning that makes a run worthless. The outer `None` if the test was cancelled.
    fn new_warning(
        &mut self,
        order: &TestOrder,
        experiment: &Experiment,
        execution: &Execution,
        terms: RunTerms<'_>,
    ) -> Option<Option<String>> {
        let subject = &*experiment.subject;
        if subject.new_warning(&order.configuration, execution).is_none() {
            return Some(None);
        }
        // Only a clean build shows all warnings.
        for configuration in subject.unknown_warnings(&order.configuration) {
            self.runner.start_clean();
            match self.runner.run(subject, &configuration, terms) {
                Err(ExecutionError::Cancelled) => return None,
                Ok(execution) => subject.learn_warnings(&configuration, Some(&execution)),
                Err(_) => subject.learn_warnings(&configuration, None),
            }
        }
        // What is built already is not warned of again.
        self.runner.start_clean();
        Some(subject.new_warning(&order.configuration, execution))
    }

    /// Runs a configuration once, from an empty folder, and keeps its workspace.
    pub(crate) fn look(
        &mut self,
        subject: &dyn Prepare,
        configuration: &Configuration,
        limits: &Limits,
        closer: CloserLook,
        interest: Interest<'_>,
        look: LookTerms,
    ) -> Result<Execution, ExecutionError> {
        let wants = |_: &Execution| closer;
        let site = SiteTerms { is_proof: !look.is_probe, alone: true, ..SiteTerms::default() };
        let terms = RunTerms { limits, interest, wants: &wants, site, wants_reads: true };
        self.runner.start_clean();
        let mut execution = self.runner.run(subject, configuration, terms);
        if matches!(&execution, Ok(execution) if execution.was_killed()) {
            self.runner.start_clean();
            execution = self.runner.run(subject, configuration, terms);
        }
        let mut execution = match execution {
            Ok(execution) => execution,
            Err(ExecutionError::NotInTime(execution)) => *execution,
            Err(ExecutionError::Lost) => return Err(lost().into()),
            Err(ExecutionError::NotLaunched(why)) => return Err(Because::Broken(why).into()),
            Err(ExecutionError::DidNotBuild(execution)) => {
                let mut said = vec![format!("the build ended with {}", execution.ending)];
                let last = execution.last_lines(5);
                said.extend(execution.complaint().filter(|complaint| !last.contains(complaint)));
                said.extend(last);
                return Err(Because::DidNotBuild(said.join("\n")).into());
            }
            Err(error) => return Err(error),
        };
        if let KeepWorkspace::Aside(number) = look.kept {
            execution.workspace = self.runner.set_aside(number)?;
        }
        Ok(execution)
    }
}

/// What a look is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookTerms {
    pub(crate) kept: KeepWorkspace,
    /// An earlier run is as good.
    pub(crate) is_probe: bool,
}

/// How the workspace of a look is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeepWorkspace {
    /// In another folder with this number.
    Aside(u64),
    /// In its place, for the next test.
    InPlace,
}

fn lost() -> Because {
    let times = MOST_LOSSES;
    Because::Broken(format!(
        "the process that supervises the test was killed {times} times, perhaps by the test"
    ))
}
