//! The executor that runs tests on this machine.

use crate::belief::Repeat;
use crate::candidate_runner::CandidateRunner;
use crate::closer_look::CloserLook;
use crate::experiment::{Oracle, Prepare};
use crate::lab::{Lab, Look, LookError};
use crate::limits::Limits;
use crate::options::{LocalError, LocalOptions};
use crate::placement::name_of_its_own;
use crate::queue::{Job, JobHandle, Queue, Task, WorkerMessage};
use crate::run_terms::ExecutionError;
use crate::set_aside::SetAside;
use crate::warden::{NoWarden, Warden, Wardens, WorkerFolder};
use crate::worker::{Experiment, KeepWorkspace, LookTerms, Worker};
use crate::worker_setting::WorkerSetting;
use crate::workspace::{self, Workspace};
use crate::{Confinement, Execution, SameAspect};
use howcome_dd::Configuration;
use howcome_run::{Because, Event, Executor, Observation, Tally, TestId, TestOrder};
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Runs tests on this machine, each in its own workspace and process tree.
///
/// When dropped, it ends all tests and removes all workspaces.
pub struct Local {
    setting: Arc<WorkerSetting>,
    root: PathBuf,
    limits: Limits,
    closer: CloserLook,
    experiment: Option<Arc<Experiment>>,
    queue: Arc<Queue>,
    bells: Vec<Arc<EventFd>>,
    threads: Vec<JoinHandle<()>>,
    running: HashMap<TestId, Arc<JobHandle>>,
    looks: u64,
    /// Looks that have ended before one that is awaited.
    looked: HashMap<u64, Result<Execution, ExecutionError>>,
    sender: Sender<WorkerMessage>,
    messages: Receiver<WorkerMessage>,
    /// Events that arrived while the executor waited for something else.
    postponed: VecDeque<Event>,
}

/// Interrupts a [`Local`] from any thread.
#[derive(Clone, Debug)]
pub struct Interrupter(Sender<WorkerMessage>);

impl Interrupter {
    /// The user wants to stop.
    pub fn interrupt(&self) {
        // If the receiver is gone, there is nothing left to stop.
        let _ = self.0.send(WorkerMessage::Interrupted);
    }
}

impl Local {
    /// Starts the workers.
    ///
    /// # Errors
    /// If there is no place for workspaces, or processes cannot be supervised.
    pub fn new(options: LocalOptions) -> Result<Self, LocalError> {
        let wardens = Wardens::new(options.warden.clone());
        let FirstWarden { root, folder, confinement, warden } = FirstWarden::start(&wardens, &options)?;
        let setting = Arc::new(WorkerSetting {
            log: options.log.clone(),
            wardens,
            confinement,
            set_aside: SetAside::default(),
            site: options.site.clone(),
            launcher: options.launcher.clone(),
        });
        let (sender, messages) = channel();
        let mut local = Self {
            setting,
            root,
            limits: options.limits,
            closer: CloserLook::default(),
            experiment: None,
            queue: Arc::default(),
            bells: Vec::new(),
            threads: Vec::new(),
            running: HashMap::new(),
            looks: 0,
            looked: HashMap::new(),
            sender,
            messages,
            postponed: VecDeque::new(),
        };
        local.add_worker(Workspace::new(folder), Some(warden)).map_err(LocalError::NoWorkers)?;
        for worker in 1..options.workers {
            let workspace = Workspace::new(local.root.join(name_of_its_own(worker)));
            local.add_worker(workspace, None).map_err(LocalError::NoWorkers)?;
        }
        Ok(local)
    }

    fn add_worker(&mut self, workspace: Workspace, warden: Option<Warden>) -> io::Result<()> {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        let bell = Arc::new(EventFd::from_flags(flags)?);
        self.bells.push(Arc::clone(&bell));
        let number = self.threads.len();
        let worker =
            Worker { runner: CandidateRunner::new(Arc::clone(&self.setting), workspace, bell, warden) };
        let (queue, sender) = (Arc::clone(&self.queue), self.sender.clone());
        let thread = thread::Builder::new().name(format!("worker {number}"));
        self.threads.push(thread.spawn(move || queue.work(number, worker, &sender))?);
        Ok(())
    }

    /// How tests are confined on this machine.
    #[must_use]
    pub fn confinement(&self) -> Confinement {
        self.setting.confinement
    }

    /// The limits of each test.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// A handle that interrupts waiting.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.sender.clone())
    }

    fn start_look(&mut self, look: &Look<'_>) -> (u64, Arc<JobHandle>) {
        self.looks += 1;
        let number = self.looks;
        let kept = match look.goes_on && look.subject.reuses() {
            true => KeepWorkspace::InPlace,
            false => KeepWorkspace::Aside(number),
        };
        let terms = LookTerms { kept, is_probe: look.is_probe };
        let task = Task::Look(number, Arc::clone(look.subject), look.configuration.clone(), terms);
        (number, self.queue.push(Job::new(task, self.limits, self.closer)))
    }

    fn end_of_look(&mut self, number: u64) -> Result<Execution, LookError> {
        loop {
            if let Some(looked) = self.looked.remove(&number) {
                return looked.map_err(|error| match error {
                    ExecutionError::Because(because) => LookError::Because(because),
                    // The worker turns other errors into reasons, and only this function cancels its own job.
                    _ => LookError::Interrupted,
                });
            }
            match self.messages.recv() {
                Ok(WorkerMessage::Looked(which, looked)) => drop(self.looked.insert(which, *looked)),
                Ok(WorkerMessage::Interrupted) | Err(_) => return Err(LookError::Interrupted),
                Ok(other) => self.postpone(other),
            }
        }
    }

    fn postpone(&mut self, message: WorkerMessage) {
        if let Some(event) = self.event(message) {
            self.postponed.push_back(event);
        }
    }

    /// The event for the driver, if any: messages of tests that are no longer wanted are dropped.
    fn event(&mut self, message: WorkerMessage) -> Option<Event> {
        match message {
            WorkerMessage::Finished(id, observation) => {
                self.running.remove(&id).map(|_| Event::Finished(id, observation))
            }
            WorkerMessage::Looked(..) => None,
            WorkerMessage::Interrupted => Some(Event::Interrupted),
        }
    }

    fn stop(&self, handle: &JobHandle) {
        if let Some(bell) = handle.cancel().and_then(|worker| self.bells.get(worker)) {
            let _ = bell.write(1);
        }
    }
}

impl Executor for Local {
    fn workers(&self) -> usize {
        self.threads.len()
    }

    fn can_wait(&self) -> usize {
        1
    }

    fn runs_apart(&self) -> bool {
        self.setting.launcher.is_some() || self.setting.site.is_some()
    }

    fn start(&mut self, order: TestOrder) {
        let id = order.id;
        let later = order.experiment.clone().and_then(|later| later.downcast::<Experiment>().ok());
        let Some(experiment) = later.or_else(|| self.experiment.clone()) else {
            let because = Because::Broken("no experiment was set before the first test".to_owned());
            let nothing = Observation::new(howcome_dd::Outcome::Unresolved, because, Duration::ZERO);
            self.postponed.push_back(Event::Finished(id, Box::new(nothing)));
            return;
        };
        let handle = self.queue.push(Job::new(Task::Test(order, experiment), self.limits, self.closer));
        self.running.insert(id, handle);
    }

    fn expect(&mut self, id: TestId) {
        if let Some(handle) = self.running.get(&id) {
            handle.expect();
        }
    }

    fn cancel(&mut self, id: TestId) {
        if let Some(handle) = self.running.remove(&id) {
            self.stop(&handle);
        }
        self.postponed.retain(|event| !matches!(event, Event::Finished(finished, _) if *finished == id));
    }

    fn next_ready(&mut self) -> Option<Event> {
        self.ready_event()
    }

    fn wait(&mut self, until: Option<Instant>) -> Event {
        if let Some(event) = self.postponed.pop_front() {
            return event;
        }
        loop {
            let message = match until {
                None => self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.messages.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(message) => {
                    if let Some(event) = self.event(message) {
                        return event;
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Event::TimeIsUp,
                // Cannot happen, because this executor holds a sender itself.
                Err(RecvTimeoutError::Disconnected) => return Event::Interrupted,
            }
        }
    }
}

impl Local {
    /// An event that has happened already.
    fn ready_event(&mut self) -> Option<Event> {
        if let Some(event) = self.postponed.pop_front() {
            return Some(event);
        }
        while let Ok(message) = self.messages.try_recv() {
            if let Some(event) = self.event(message) {
                return Some(event);
            }
        }
        None
    }
}

impl Lab for Local {
    fn set_experiment(&mut self, subject: Arc<dyn Prepare>, oracle: Arc<dyn Oracle>, repeat: Repeat) {
        self.experiment = Some(Arc::new(Experiment { subject, oracle, repeat, is_measured: false }));
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn set_same(&mut self, same: &[SameAspect]) {
        self.closer = CloserLook::of(same);
    }

    fn look_at_all(&mut self, looks: &[Look<'_>]) -> Vec<Result<Execution, LookError>> {
        let at_once = if self.runs_apart() { looks.len().max(1) } else { 1 };
        let mut all = Vec::new();
        for together in looks.chunks(at_once) {
            let started: Vec<_> = together.iter().map(|look| self.start_look(look)).collect();
            let mut is_interrupted = false;
            for (number, handle) in started {
                let looked = match is_interrupted {
                    true => Err(LookError::Interrupted),
                    false => self.end_of_look(number),
                };
                if matches!(looked, Err(LookError::Interrupted)) {
                    is_interrupted = true;
                    self.stop(&handle);
                }
                all.push(looked);
            }
            if is_interrupted {
                self.looked.clear();
                all.resize_with(looks.len(), || Err(LookError::Interrupted));
                break;
            }
        }
        all
    }

    fn release_workspaces(&mut self) {
        self.setting.set_aside.release();
    }

    fn measure(
        &mut self,
        subject: &Arc<dyn Prepare>,
        oracle: &Arc<dyn Oracle>,
        configuration: &Configuration,
        runs: u32,
    ) -> Result<Tally, LookError> {
        let (subject, oracle) = (Arc::clone(subject), Arc::clone(oracle));
        let experiment =
            Arc::new(Experiment { subject, oracle, repeat: Repeat::default(), is_measured: true });
        let mut handles = Vec::new();
        let mut waiting = HashSet::new();
        for run in 0..runs {
            // Counted down from the largest number, so that no test of the driver has the same id.
            let id = TestId(u64::MAX - u64::from(run));
            let order = TestOrder {
                id,
                configuration: configuration.clone(),
                alone: false,
                from_scratch: false,
                repeat: None,
                ahead: false,
                experiment: None,
            };
            waiting.insert(id);
            handles.push(self.queue.push(Job::new(
                Task::Test(order, Arc::clone(&experiment)),
                self.limits,
                self.closer,
            )));
        }
        let mut tally = Tally::default();
        while !waiting.is_empty() {
            let stopped = match self.messages.recv() {
                Ok(WorkerMessage::Finished(id, observation)) if waiting.remove(&id) => {
                    if !observation.because.is_no_verdict() {
                        tally.add(observation.outcome);
                        continue;
                    }
                    LookError::Because(observation.because)
                }
                Ok(WorkerMessage::Interrupted) | Err(_) => LookError::Interrupted,
                Ok(other) => {
                    self.postpone(other);
                    continue;
                }
            };
            handles.iter().for_each(|handle| self.stop(handle));
            return Err(stopped);
        }
        Ok(tally)
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.queue.close();
        for bell in &self.bells {
            let _ = bell.write(1);
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        let mut removed = workspace::remove(&self.root);
        // A test on another machine can still write until it has noticed that nobody waits for it.
        for _ in 0..REMOVALS {
            if self.setting.launcher.is_none() || removed.is_ok() {
                break;
            }
            thread::sleep(Duration::from_millis(200));
            removed = workspace::remove(&self.root);
        }
    }
}

/// How often howcome tries again to remove folders to which another machine still writes.
const REMOVALS: u32 = 25;

/// How often a warden that ends before it is ready is replaced by another one.
const MOST_FAILURES: u32 = 3;

/// The warden of the first worker, which shows what the machine allows and creates the folder of all workers.
struct FirstWarden {
    root: PathBuf,
    /// The folder of the first worker.
    folder: PathBuf,
    confinement: Confinement,
    warden: Warden,
}

impl FirstWarden {
    fn start(wardens: &Wardens, options: &LocalOptions) -> Result<Self, LocalError> {
        // A launcher must be able to read the files of root that tell it how to connect, which have no owner in a namespace.
        let wanted = options.confinement.or(options.launcher.as_ref().map(|_| Confinement::Subreaper));
        let mut confinement = wanted.unwrap_or(Confinement::Namespace);
        let mut failures = 0;
        let (root, folder, warden) = loop {
            // A name that nobody else uses, so whatever is there later is ours. It consists of numbers: see `message`.
            let process = std::process::id();
            let number = RandomState::new().hash_one(process) as u32;
            let root = options.temp.join(format!("howcome-{process}-{number:010}"));
            let folder = WorkerFolder { path: root.join(name_of_its_own(0)), is_first: true };
            match wardens.start(confinement, &folder) {
                Ok(warden) => break (root, folder.path, warden),
                Err(NoWarden::Unable(_)) if wanted.is_none() && confinement == Confinement::Namespace => {
                    confinement = Confinement::Subreaper;
                }
                Err(NoWarden::NoFolder(source)) => {
                    return Err(LocalError::NoRoot { path: options.temp.clone(), source });
                }
                Err(error) => {
                    // It was killed, perhaps after it had created the folder.
                    let _ = workspace::remove(&root);
                    failures += 1;
                    if failures == MOST_FAILURES {
                        return Err(LocalError::NoWarden(error.to_string()));
                    }
                }
            }
        };
        if confinement == Confinement::Subreaper {
            // If a test kills its warden, this process inherits the processes of the test, so none of them gets away.
            let _ = nix::sys::prctl::set_child_subreaper(true);
        }
        Ok(Self { root, folder, confinement, warden })
    }
}
