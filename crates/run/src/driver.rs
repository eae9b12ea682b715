//! The driver brings a search and an executor together.
//!
//! (1) While memory knows the answer, tell and record it. (2) If the search is done or the budget is used up, end. (3)
//! Look ahead, cancel running tests that the search is no longer expected to ask for, start the missing ones. (4) Wait
//! for one event, record and remember the observation, go to (1). Answers are told strictly in the order of the
//! questions, so neither the trail nor the finding depends on the number of workers or on which of them is the fastest.

mod confirmation;
mod later;
mod proofs;
mod recollection;
mod running;
mod telling;

use crate::active_search::{ActiveSearch, TestPace};
use crate::look_ahead::{ExpectedQuestion, KnownAnswers};
use crate::memory::{ConfigurationKey, Memory};
use crate::{
    AnswerSource, Because, Budget, Content, Entry, Executor, Halt, Journal, JournalError, Observation,
    Purpose, Recorded, Stage, StageName, Stop, Subject, TestId, ToldRuns, Waiting,
};
use howcome_dd::{Ask, Configuration, Difference, Question, Search};
use later::LaterTests;
use proofs::ProofsAhead;
use recollection::Recollection;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Drives the stages of one run.
pub struct Driver {
    journal: Journal,
    memory: Memory,
    confirmations: HashMap<(Purpose, ConfigurationKey), (TestId, Observation)>,
    /// Tests without a verdict on their configurations. They are repeated in the next session, not in this one.
    no_verdict: HashMap<ConfigurationKey, Observation>,
    /// Configurations of told answers whose tests showed something else that is worth a look.
    noticed: Vec<Noticed>,
    budget: Budget,
    told: u64,
    /// The runs of the tests that were told.
    told_runs: ToldRuns,
    /// How many stages have begun.
    stages: u32,
    next_test: u64,
    began: Instant,
    earlier: Duration,
    running: Vec<RunningTest>,
    /// What the last test spent its time on.
    pace: TestPace,
    /// Only failures with the same details count.
    exact: bool,
    /// What earlier sessions have observed and this one has not come to yet.
    recollection: Recollection,
    /// Tests of answers that are not certain yet.
    proofs: ProofsAhead,
    /// Tests of later stages.
    later: LaterTests,
    /// The present stage.
    stage: Option<StageName>,
}

/// A configuration of a told answer, and what else its test showed.
pub type Noticed = (Configuration, Vec<String>);

/// A test that has started and not ended.
struct RunningTest {
    id: TestId,
    /// The configurations that it tests: all of them have the same content.
    keys: Vec<ConfigurationKey>,
    content: Option<Content>,
    configuration: Configuration,
    repeat: Option<u32>,
    alone: bool,
    /// The search had not asked for it yet.
    ahead: bool,
    started: Instant,
}

impl Driver {
    /// A driver that knows the record of earlier sessions, if there were any.
    #[must_use]
    pub fn new(journal: Journal, budget: Budget, recorded: &Recorded) -> Self {
        let mut driver = Self {
            journal,
            memory: Memory::default(),
            confirmations: HashMap::new(),
            no_verdict: HashMap::new(),
            noticed: Vec::new(),
            budget,
            told: 0,
            told_runs: ToldRuns::default(),
            stages: 0,
            next_test: 0,
            began: Instant::now(),
            earlier: Duration::ZERO,
            running: Vec::new(),
            pace: TestPace::default(),
            exact: false,
            recollection: Recollection::default(),
            proofs: ProofsAhead::default(),
            later: LaterTests::default(),
            stage: None,
        };
        driver.recall(recorded);
        driver
    }

    /// From now on, only a failure with the same details as that of the failing side counts as a failure, or any again. Returns how it was
    /// before.
    pub fn count_only_exact(&mut self, exact: bool) -> bool {
        std::mem::replace(&mut self.exact, exact)
    }

    fn remember(
        &mut self,
        test: TestId,
        purpose: Purpose,
        keys: &[ConfigurationKey],
        content: Option<Content>,
        seen: Observation,
    ) {
        match purpose {
            _ if seen.because.is_no_verdict() => {}
            Purpose::Question => self.memory.remember(test, keys, content, seen),
            // Each session runs the baseline, but the trail refers to the tests of the first session.
            Purpose::BaselinePassing | Purpose::BaselineFailing
                if keys.iter().any(|key| self.memory.look_up(*key).is_some()) => {}
            Purpose::BaselinePassing | Purpose::BaselineFailing => {
                self.memory.remember(test, keys, content, seen);
                self.memory.tell(test);
            }
            Purpose::ConfirmAlone | Purpose::ConfirmWithout | Purpose::ConfirmAgain => {
                self.confirmations.extend(keys.iter().map(|key| ((purpose, *key), (test, seen.clone()))));
            }
        }
    }

    /// How long the run has taken, including earlier sessions.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.began.elapsed()
    }

    /// How many questions tests have answered, including those of earlier sessions that were told again.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.told
    }

    /// The runs of the candidates that were told to fail, and of those that were told to pass.
    #[must_use]
    pub fn told_runs(&self) -> ToldRuns {
        self.told_runs
    }

    /// What tests showed in addition to their outcomes since the last call, in the order of the trail.
    pub fn take_noticed(&mut self) -> Vec<Noticed> {
        std::mem::take(&mut self.noticed)
    }

    /// The journal of the run.
    pub fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// Records what one side of the baseline did, for the subject of the first stage.
    ///
    /// # Errors
    /// If the journal of an earlier session does not match.
    pub fn baseline(
        &mut self,
        subject: &StageName,
        purpose: Purpose,
        configuration: &Configuration,
        content: Option<Content>,
        observation: Observation,
    ) -> Result<(), JournalError> {
        let key = Memory::key(self.memory.subject(subject), configuration);
        let id = TestId(self.next_test);
        self.next_test += 1;
        self.pace = TestPace::of_baseline(&observation);
        self.remember(id, purpose, &[key], content, observation.clone());
        self.observed(id, purpose, (configuration.clone(), None), content, observation)?;
        self.journal.flush();
        Ok(())
    }

    /// Records that a stage begins. [`Driver::run`] does this itself; a stage that only confirms must call it.
    ///
    /// # Errors
    /// If the journal of an earlier session does not fit.
    pub fn begin(&mut self, stage: &Stage<'_>) -> Result<(), JournalError> {
        // Subjects are numbered in the order in which a later session will read them.
        self.memory.subject(stage.name);
        self.stages += 1;
        self.stage = Some(stage.name.clone());
        self.journal.add(Entry::Stage {
            stage: self.stages - 1,
            subject: stage.name.clone(),
            search: stage.search,
            deltas: stage.subject.deltas(),
            unit: stage.unit,
            bytes: stage.subject.bytes(&Configuration::all(stage.subject.deltas())),
        })?;
        self.recall_up_to_next_step();
        Ok(())
    }

    /// Drives a search to its end, or until the budget is used up. Calls `keep` with each better candidate.
    ///
    /// # Errors
    /// If the run is stopped, or if the journal of an earlier session does not match.
    pub fn run<S: Search>(
        &mut self,
        executor: &mut dyn Executor,
        stage: &Stage<'_>,
        search: S,
        keep: &mut dyn FnMut(&Configuration),
    ) -> Result<S::Finding, Halt<Difference>> {
        self.begin(stage)?;
        let subject = self.memory.subject(stage.name);
        let mut asking = ActiveSearch::new(search, subject, stage.knowledge.clone());
        self.pace = self.pace.before_stage();
        let end = loop {
            let question = match asking.search.ask() {
                Ask::Done(finding) => break Ok(finding),
                Ask::Test(question) => question,
            };
            let key = Memory::key(subject, &question.configuration).of_run(question.repeat);
            // This comes before any prediction, so that the trail does not depend on what look-ahead has recognised.
            let content = match question.repeat {
                None => asking.content(key, &question.configuration, stage.subject),
                Some(_) => None,
            };
            self.memory.recognise(key, content);
            let told = self.known(key, &question, &asking, stage.subject);
            if told.is_none() {
                // All that the record says up to its next step is known.
                self.journal.leave_record();
            }
            let is_test = told.as_ref().is_none_or(|told| told.how == AnswerSource::Tested);
            if let Some(stop) = self.out_of_budget(is_test) {
                break Err(asking.stopped(stop));
            }
            if let Some(told) = told {
                self.tell(&mut asking, stage.subject, (key, question), told, keep)?;
                continue;
            }
            if let Some(seen) = self.no_verdict.get(&key).filter(|seen| is_final(seen)) {
                break Err(asking.stopped(Stop::NoVerdict(Box::new(seen.clone()))));
            }
            if question.repeat.is_none() && self.recall_later(key, &question.configuration, content)? {
                continue;
            }
            // A known result that is not believed is repeated while no other test runs.
            let doubted = self.memory.look_up(key).is_some() || self.no_verdict.contains_key(&key);
            let is_narrow = doubted || !asking.is_worth_guessing(self.pace);
            let width = if is_narrow { 1 } else { executor.workers().min(WIDEST) };
            let is_quick = !is_narrow && self.pace.is_below(QUICK);
            let foresees = executor.runs_apart() && self.proofs.are_foreseen();
            let can_wait = if is_quick && !foresees { executor.can_wait() } else { 0 };
            let expected = self.expected(&mut asking, stage.subject, &question, width + can_wait, foresees);
            let (proofs, mut expected): (Vec<_>, Vec<_>) =
                expected.into_iter().partition(|expected| expected.proof.is_some());
            let number = expected.len().min(width);
            let waiting =
                expected[number..].iter().take_while(|waiting| waiting.chance >= ALMOST_CERTAIN).count();
            expected.truncate(number + waiting);
            let alone = doubted || executor.workers() == 1;
            if alone {
                self.cancel_unexpected(executor, &expected, alone)?;
                self.run_later(executor, 0)?;
            }
            // The current question is started before the contents of the others are known: to find out a content can take as long as
            // a test, and the others are only guesses.
            expected[0].content = content;
            self.start_if_missing(executor, (&expected[0], false), alone, doubted)?;
            let looks_further = !is_narrow && !is_quick && executor.runs_apart() && self.later.has_any();
            let later = if looks_further {
                self.workers_for_later(&expected, width.saturating_sub(proofs.len()))
            } else {
                0
            };
            if later > 0 {
                expected.truncate(width.saturating_sub(proofs.len() + later).max(1));
            }
            let guesses = expected[1..].iter_mut().filter(|guess| guess.repeat.is_none());
            for ExpectedQuestion { key, configuration, content, .. } in guesses {
                *content = asking.content(*key, configuration, stage.subject);
            }
            if expected[1..].iter().any(|guess| self.memory.recognise(guess.key, guess.content)) {
                continue;
            }
            let mut has_news = false;
            for ExpectedQuestion { key, configuration, content, .. } in &expected[1..] {
                has_news |= self.recall_later(*key, configuration, *content)?;
            }
            if has_news {
                continue;
            }
            self.cancel_unexpected(executor, &expected, alone)?;
            self.cancel_proofs(executor, |running| proofs.iter().any(|proof| running.is_for(proof)))?;
            for guess in &expected[1..] {
                self.start_if_missing(executor, (guess, true), alone, doubted)?;
            }
            for proof in proofs {
                self.start_proof(executor, proof)?;
            }
            if looks_further {
                self.run_later(executor, later)?;
            }
            self.journal.flush();
            let running = self.running.len().min(executor.workers());
            let questions_left = asking.search.questions_left();
            self.journal.watcher().waiting(Waiting { question: &question, running, questions_left });
            if let Some(why) = self.wait(executor, Purpose::Question)? {
                break Err(asking.stopped(why));
            }
        };
        self.cancel(executor, |_| true)?;
        if end.is_err() {
            self.end_later(executor)?;
        }
        let found = end.is_ok().then(|| asking.search.best_difference());
        let proofs = found.map(|found| self.proofs.of(&found)).unwrap_or_default();
        self.cancel_proofs(executor, |running| {
            let key = |configuration| Memory::key(subject, configuration);
            proofs.iter().any(|(purpose, configuration)| running.confirms(*purpose, key(configuration)))
        })?;
        self.journal.flush();
        end
    }

    /// The questions that are worth a worker, the current one first. Their contents are not known yet.
    fn expected<S: Search>(
        &self,
        asking: &mut ActiveSearch<S>,
        subject: &dyn Subject,
        now: &Question,
        width: usize,
        foresees: bool,
    ) -> Vec<ExpectedQuestion> {
        let (memory, knowledge, subject_number) = (&self.memory, &asking.knowledge, asking.subject);
        let proofs_of = |found: &Difference| self.proofs.of(found);
        let proofs_of = foresees.then_some(&proofs_of as _);
        let known = KnownAnswers { memory, knowledge, subject, subject_number, exact: self.exact, proofs_of };
        asking.ahead.expected(&asking.search, now, &known, &asking.odds, width)
    }

    /// The limit that is reached, if there is one. Recorded answers of earlier sessions are told again in any case.
    fn out_of_budget(&self, is_test: bool) -> Option<Stop> {
        if self.journal.is_replaying() {
            return None;
        }
        let tests = self.budget.max_tests.filter(|max| is_test && self.told >= *max).map(Stop::MaxTests);
        tests.or_else(|| self.budget.max_time.filter(|max| self.elapsed() >= *max).map(Stop::MaxTime))
    }

    /// The observation of a configuration in a stage, if it was tested.
    #[must_use]
    pub fn seen(&self, stage: &StageName, configuration: &Configuration) -> Option<&Observation> {
        let subject = self.memory.known_subject(stage)?;
        self.memory.look_up(Memory::key(subject, configuration)).map(|seen| seen.observation)
    }

    /// How much time is left, if it is limited.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.budget.max_time.map(|max| max.saturating_sub(self.elapsed()))
    }

    /// Whether the time is up, for callers that also do other work.
    #[must_use]
    pub fn out_of_time(&self) -> Option<Stop> {
        self.out_of_budget(false)
    }

    fn observed(
        &mut self,
        test: TestId,
        purpose: Purpose,
        (configuration, repeat): (Configuration, Option<u32>),
        content: Option<Content>,
        observation: Observation,
    ) -> Result<(), JournalError> {
        let at = (self.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        // The baseline belongs to the first stage, a confirmation to the stage before it.
        let stage = self.stages.saturating_sub(1);
        self.journal.add(Entry::Observed {
            test,
            stage,
            purpose,
            at,
            configuration,
            repeat,
            content,
            observation,
        })
    }
}

/// With more workers than this, nearly all tests that are started ahead are never asked for, and planning takes too long.
const WIDEST: usize = 1024;

/// After a test as quick as this, a worker would be idle for a noticeable part of its time until it gets the next one. So tests that
/// will almost certainly be asked for wait for it.
const QUICK: Duration = Duration::from_millis(10);
const ALMOST_CERTAIN: f64 = 0.9;

/// Whether a test without a verdict would not get one by running alone.
fn is_final(seen: &Observation) -> bool {
    seen.alone || matches!(seen.because, Because::Contradiction | Because::AskedToStop(_))
}
