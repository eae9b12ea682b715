//! The jobs that wait for a worker, and the loop in which workers do them.

use crate::Execution;
use crate::closer_look::CloserLook;
use crate::experiment::Prepare;
use crate::interest::Interest;
use crate::limits::Limits;
use crate::run_terms::ExecutionError;
use crate::worker::{Experiment, LookTerms, Worker};
use howcome_dd::{Configuration, Outcome};
use howcome_run::{Because, Observation, TestId, TestOrder};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A message of a worker.
#[derive(Debug)]
pub(crate) enum WorkerMessage {
    Finished(TestId, Box<Observation>),
    Looked(u64, Box<Result<Execution, ExecutionError>>),
    Interrupted,
}

/// The task of a worker.
pub(crate) enum Task {
    Test(TestOrder, Arc<Experiment>),
    Look(u64, Arc<dyn Prepare>, Configuration, LookTerms),
}

/// A task with its limits, and a handle for its caller.
pub(crate) struct Job {
    task: Task,
    limits: Limits,
    closer: CloserLook,
    handle: Arc<JobHandle>,
}

impl Job {
    pub(crate) fn new(task: Task, limits: Limits, closer: CloserLook) -> Self {
        let handle = Arc::<JobHandle>::default();
        if !matches!(&task, Task::Test(order, _) if order.ahead) {
            handle.expect();
        }
        Self { task, limits, closer, handle }
    }
}

/// What a worker does next.
enum Next {
    WarmUp(Arc<dyn Prepare>),
    Job(Job),
}

/// Knows whether a job is still wanted, and which worker does it.
#[derive(Debug)]
pub(crate) struct JobHandle {
    cancelled: AtomicBool,
    is_awaited: AtomicBool,
    worker: AtomicUsize,
}

const NOBODY: usize = usize::MAX;

impl Default for JobHandle {
    fn default() -> Self {
        let [cancelled, is_awaited] = [AtomicBool::new(false), AtomicBool::new(false)];
        Self { cancelled, is_awaited, worker: AtomicUsize::new(NOBODY) }
    }
}

impl JobHandle {
    /// Cancels the job. Returns the worker that must be notified, if one does the job.
    pub(crate) fn cancel(&self) -> Option<usize> {
        // Sequentially consistent: either this thread sees the worker, or the worker sees the cancellation.
        self.cancelled.store(true, Ordering::SeqCst);
        Some(self.worker.load(Ordering::SeqCst)).filter(|worker| *worker != NOBODY)
    }

    /// From now on, somebody waits for the result.
    pub(crate) fn expect(&self) {
        self.is_awaited.store(true, Ordering::Release);
    }

    /// Whether the job is still wanted.
    pub(crate) fn interest(&self) -> Interest<'_> {
        Interest { cancelled: &self.cancelled, is_awaited: &self.is_awaited }
    }

    fn take(&self, worker: usize) -> bool {
        self.worker.store(worker, Ordering::SeqCst);
        !self.cancelled.load(Ordering::SeqCst)
    }
}

/// Jobs in the order in which they were added.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<QueueState>,
    filled: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Job>,
    /// How many workers have the files of an earlier test, and how many of them wait for a job.
    warm: usize,
    warm_and_idle: usize,
    begun: Vec<Arc<JobHandle>>,
    is_closed: bool,
}

impl Queue {
    pub(crate) fn push(&self, job: Job) -> Arc<JobHandle> {
        let handle = Arc::clone(&job.handle);
        self.state().waiting.push_back(job);
        self.filled.notify_one();
        handle
    }

    /// Stops the queue and cancels all jobs.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.waiting.clear();
        for handle in &state.begun {
            handle.cancel();
        }
        drop(state);
        self.filled.notify_all();
    }

    /// The loop of a worker.
    pub(crate) fn work(&self, number: usize, mut worker: Worker, sender: &Sender<WorkerMessage>) {
        let mut is_warm = false;
        // Not twice in a row, because it can fail.
        let mut can_warm_up = true;
        while let Some(next) = self.take(is_warm, can_warm_up) {
            match next {
                Next::WarmUp(subject) => {
                    let _ = catch_unwind(AssertUnwindSafe(|| worker.runner.warm_up(&*subject)));
                    can_warm_up = false;
                    self.note_warmth(&mut is_warm, worker.runner.is_warm());
                }
                Next::Job(job) => {
                    can_warm_up = true;
                    if job.handle.take(number) {
                        let message = attend(&mut worker, &job);
                        // Before the message is sent, because the answer to it can be the next job.
                        self.note_warmth(&mut is_warm, worker.runner.is_warm());
                        if matches!(message.map(|message| sender.send(message)), Some(Err(_))) {
                            return;
                        }
                        // After the message was sent, so that the receiver does not wait for this.
                        worker.runner.clean_up();
                    }
                    self.state().begun.retain(|handle| !Arc::ptr_eq(handle, &job.handle));
                }
            }
        }
    }

    fn note_warmth(&self, was_warm: &mut bool, is_warm: bool) {
        if *was_warm != is_warm {
            *was_warm = is_warm;
            let mut state = self.state();
            state.warm = if is_warm { state.warm + 1 } else { state.warm - 1 };
        }
    }

    /// What a worker does next. A worker that would have to write all files before its test leaves the test to a worker that only
    /// has to write what differs. While all of these are busy, it writes its files.
    fn take(&self, is_warm: bool, can_warm_up: bool) -> Option<Next> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            let first = state.waiting.front().map(|job| &job.task);
            let leaves_it = match first {
                Some(Task::Test(_, experiment)) if !is_warm && can_warm_up && state.warm > 0 => {
                    Some(&experiment.subject).filter(|subject| subject.reuses())
                }
                _ => None,
            };
            match leaves_it.map(Arc::clone) {
                Some(subject) if state.warm_and_idle == 0 => return Some(Next::WarmUp(subject)),
                // One of the others was perhaps not woken because this one was.
                Some(_) => self.filled.notify_all(),
                None => {
                    if let Some(job) = state.waiting.pop_front() {
                        state.begun.push(Arc::clone(&job.handle));
                        if !state.waiting.is_empty() {
                            // Others can have left them to this worker.
                            self.filled.notify_all();
                        }
                        return Some(Next::Job(job));
                    }
                }
            }
            state.warm_and_idle += usize::from(is_warm);
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.warm_and_idle -= usize::from(is_warm);
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn attend(worker: &mut Worker, job: &Job) -> Option<WorkerMessage> {
    let Job { task, limits, closer, handle } = job;
    // Subjects and oracles come from other crates. If a panic of theirs ended the thread, the driver would wait
    // forever.
    match task {
        Task::Test(order, experiment) => {
            let test = || worker.test(order, experiment, limits, *closer, handle.interest());
            let observation = catch_unwind(AssertUnwindSafe(test)).unwrap_or_else(|panic| {
                let because = Because::Broken(panic_message(&*panic));
                Some(Observation::new(Outcome::Unresolved, because, Duration::ZERO))
            })?;
            Some(WorkerMessage::Finished(order.id, Box::new(observation)))
        }
        Task::Look(number, subject, configuration, terms) => {
            let look = || worker.look(&**subject, configuration, limits, *closer, handle.interest(), *terms);
            let looked = catch_unwind(AssertUnwindSafe(look)).unwrap_or_else(|panic| {
                Err(ExecutionError::Because(Because::Broken(panic_message(&*panic))))
            });
            Some(WorkerMessage::Looked(*number, Box::new(looked)))
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a bug in howcome: {}", text.unwrap_or("it panicked"))
}
