//! An executor for tests and for measuring the driver. Its tests take only simulated time.

use crate::{Event, Executor, Observation, TestId, TestOrder};
use howcome_dd::Configuration;
use std::collections::{HashSet, VecDeque};
use std::time::Instant;

/// Runs functions as tests. They end in the order of their cost, so a random cost gives any order.
pub struct ScriptedExecutor<T, C> {
    workers: usize,
    test: T,
    cost: C,
    running: Vec<(f64, TestOrder)>,
    can_wait: usize,
    waiting: VecDeque<TestOrder>,
    waited: u64,
    clock: f64,
    executed: u64,
    cancelled: u64,
    interrupt_after: Option<u64>,
    runs_apart: bool,
    holds_guesses: bool,
    expected: HashSet<TestId>,
}

impl<T, C> ScriptedExecutor<T, C>
where
    T: FnMut(&TestOrder) -> Observation,
    C: FnMut(&Configuration) -> f64,
{
    /// Sets the number of workers, the test, and the time that the test takes for a configuration.
    pub fn new(workers: usize, test: T, cost: C) -> Self {
        let (running, can_wait, waiting, waited) = (Vec::new(), 0, VecDeque::new(), 0);
        let (clock, executed, cancelled, interrupt_after, runs_apart) = (0.0, 0, 0, None, false);
        let (holds_guesses, expected) = (false, HashSet::new());
        Self {
            workers,
            test,
            cost,
            running,
            can_wait,
            waiting,
            waited,
            clock,
            executed,
            cancelled,
            interrupt_after,
            runs_apart,
            holds_guesses,
            expected,
        }
    }

    /// Lets this many tests wait for a worker.
    #[must_use]
    pub fn can_wait(mut self, tests: usize) -> Self {
        self.can_wait = tests;
        self
    }

    /// Tests do not disturb each other.
    #[must_use]
    pub fn running_apart(mut self) -> Self {
        self.runs_apart = true;
        self
    }

    /// A test that is a guess does not end until somebody waits for it.
    #[must_use]
    pub fn holding_guesses(mut self) -> Self {
        self.holds_guesses = true;
        self
    }

    /// Behaves as if the user wanted to stop after this many tests.
    #[must_use]
    pub fn interrupt_after(mut self, tests: u64) -> Self {
        self.interrupt_after = Some(tests);
        self
    }

    /// The simulated time that the run has taken.
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// How many tests have ended.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// How many tests had to wait for a worker.
    pub fn waited(&self) -> u64 {
        self.waited
    }

    /// How many tests were cancelled.
    pub fn cancelled(&self) -> u64 {
        self.cancelled
    }

    fn begin_waiting(&mut self) {
        while self.running.len() < self.workers
            && let Some(order) = self.waiting.pop_front()
        {
            assert!(!order.alone || self.running.is_empty(), "no other test runs while a test runs alone");
            let cost = (self.cost)(&order.configuration);
            self.running.push((self.clock + cost, order));
        }
    }
}

impl<T, C> Executor for ScriptedExecutor<T, C>
where
    T: FnMut(&TestOrder) -> Observation,
    C: FnMut(&Configuration) -> f64,
{
    fn workers(&self) -> usize {
        self.workers
    }

    fn can_wait(&self) -> usize {
        self.can_wait
    }

    fn runs_apart(&self) -> bool {
        self.runs_apart
    }

    fn start(&mut self, order: TestOrder) {
        self.waiting.push_back(order);
        self.begin_waiting();
        self.waited += self.waiting.len() as u64;
        assert!(self.waiting.len() <= self.can_wait, "never more tests than workers and those that can wait");
    }

    fn expect(&mut self, id: TestId) {
        self.expected.insert(id);
    }

    fn cancel(&mut self, id: TestId) {
        self.running.retain(|(_, order)| order.id != id);
        self.waiting.retain(|order| order.id != id);
        self.cancelled += 1;
        self.begin_waiting();
    }

    fn wait(&mut self, _until: Option<Instant>) -> Event {
        if self.interrupt_after.is_some_and(|after| self.executed >= after) {
            return Event::Interrupted;
        }
        let by_time = |a: &usize, b: &usize| self.running[*a].0.total_cmp(&self.running[*b].0);
        let can_end = |place: &usize| {
            let order = &self.running[*place].1;
            !self.holds_guesses || !order.ahead || self.expected.contains(&order.id)
        };
        let next = (0..self.running.len()).filter(can_end).min_by(by_time);
        let Some(next) = next else { return Event::Interrupted };
        let (time, order) = self.running.swap_remove(next);
        self.clock = self.clock.max(time);
        self.executed += 1;
        self.begin_waiting();
        let mut observation = (self.test)(&order);
        observation.alone = order.alone;
        Event::Finished(order.id, Box::new(observation))
    }

    fn next_ready(&mut self) -> Option<Event> {
        let is_ready = !self.holds_guesses && self.running.iter().any(|(time, _)| *time <= self.clock);
        let goes_on = self.interrupt_after.is_none_or(|after| self.executed < after);
        (is_ready && goes_on).then(|| self.wait(None))
    }
}
