//! The cluster as a place where the candidates of `howcome-lab` run.

use crate::RemoteOptions;
use crate::action::{ActionTerms, SEARCH_PATH, round_limit};
use crate::calls::CallError;
use crate::engine::{Counts, Engine, Freshness, Tested};
use crate::merkle::TreeHasher;
use crate::parcel::{Parcel, WarmBuild};
use crate::protocol::{Connection, ConnectionError};
use crate::steps::Steps;
use crate::store::Traffic;
use howcome_lab::{FileStamp, SiteCandidate, SiteError, SiteRun, SiteTerms, SiteWorker, TestSite};
use howcome_run::{Because, Problem, ProblemKind};
use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};
use tokio::task::JoinSet;

/// How long the end of a run waits until the cluster knows which tests are cancelled, and the cache has all results.
const GOODBYE: Duration = Duration::from_secs(2);

/// A cluster that speaks the Remote Execution API.
pub struct Remote {
    engine: Arc<Engine>,
    runtime: Runtime,
    lost: Arc<Lost>,
}

/// Why a cluster cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// What the user said about it is wrong.
    #[error("{0}")]
    Connection(#[from] ConnectionError),
    /// It cannot be reached, or does not do what is needed.
    #[error("the cluster at {address} cannot be used: {why}")]
    Unusable {
        /// Its address.
        address: String,
        /// The reason.
        why: String,
    },
    /// It does not want us, or we do not trust it, and waiting changes nothing.
    #[error("the cluster at {address} cannot be used: {why}")]
    Refused {
        /// Its address.
        address: String,
        /// The reason.
        why: String,
    },
    /// The system has no threads left.
    #[error("cannot start the threads for the cluster: {0}")]
    NoThreads(std::io::Error),
}

impl From<RemoteError> for Problem {
    fn from(error: RemoteError) -> Self {
        let problem = Problem::new(error.to_string());
        match error {
            RemoteError::Connection(_) => problem,
            RemoteError::Refused { .. } => problem
                .hint("check the address after --remote, the certificates, the token and the headers"),
            RemoteError::Unusable { .. } => problem
                .hint(
                    "check the address after --remote (grpcs:// if the server wants TLS, with a certificate of yours if it asks for one), and whether the server runs; `howcome resume` with --remote begins the tests later, without it on this machine",
                )
                .of_kind(ProblemKind::Stopped),
            RemoteError::NoThreads(_) => problem.of_kind(ProblemKind::Stopped),
        }
    }
}

/// Remembers why the cluster was lost, and tells the user once.
#[derive(Default)]
struct Lost(Mutex<Option<String>>);

impl Lost {
    fn why(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns whether this is news.
    fn remember(&self, why: &str) -> bool {
        let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = lost.is_none();
        lost.get_or_insert_with(|| why.to_owned());
        is_news
    }
}

impl Remote {
    /// Connects to a cluster and asks what it can do.
    ///
    /// # Errors
    /// If it cannot be reached, or cannot execute actions.
    pub fn connect(options: RemoteOptions) -> Result<Self, RemoteError> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().map_err(RemoteError::NoThreads)?;
        let address = options.address.to_string();
        let connection = {
            let _inside = runtime.enter();
            Connection::new(&options)?
        };
        let engine = runtime.block_on(Engine::open(options, connection));
        let engine = engine.map_err(|error| match error {
            CallError::Refused(why) => RemoteError::Refused { address, why },
            other => RemoteError::Unusable { address, why: other.to_string() },
        })?;
        Ok(Self { engine: Arc::new(engine), runtime, lost: Arc::default() })
    }

    /// What the cluster did so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.engine.counts
    }

    /// What was sent so far.
    #[must_use]
    pub fn traffic(&self) -> &Traffic {
        &self.engine.store.traffic
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("options", &self.engine.options).finish_non_exhaustive()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        let until = Instant::now() + GOODBYE;
        let engine = Arc::clone(&self.engine);
        self.runtime.block_on(async move {
            while engine.unfinished().load(Ordering::SeqCst) > 0 && Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
    }
}

impl TestSite for Remote {
    fn worker(&self) -> Box<dyn SiteWorker> {
        Box::new(RemoteWorker {
            engine: Arc::clone(&self.engine),
            handle: self.runtime.handle().clone(),
            lost: Arc::clone(&self.lost),
            hasher: TreeHasher::default(),
            warm: None,
            left: Vec::new(),
        })
    }

    fn or_local(&self) -> bool {
        self.engine.options.or_local
    }
}

/// The connection of one worker.
struct RemoteWorker {
    engine: Arc<Engine>,
    handle: Handle,
    lost: Arc<Lost>,
    hasher: TreeHasher,
    /// What the last build of this worker made.
    warm: Option<WarmBuild>,
    /// Files of the last test that were written for its judge.
    left: Vec<LeftFile>,
}

/// A file that was written for a judge.
struct LeftFile {
    place: PathBuf,
    stamp: FileStamp,
    /// The folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl SiteWorker for RemoteWorker {
    fn run(&mut self, candidate: &SiteCandidate<'_>) -> Result<SiteRun, SiteError> {
        let run = self.run_copies(candidate, 1)?.pop();
        run.ok_or_else(|| SiteError::Gone("a test had no result".to_owned()))
    }

    fn run_copies(
        &mut self,
        candidate: &SiteCandidate<'_>,
        copies: usize,
    ) -> Result<Vec<SiteRun>, SiteError> {
        if let Some(why) = self.lost.why() {
            return Err(SiteError::Gone(why));
        }
        if candidate.cancelled.load(Ordering::Acquire) {
            return Err(SiteError::Cancelled);
        }
        self.remove_left();
        let (parcel, terms) = self.parcel(candidate)?;
        let parcel = Arc::new(parcel);
        let freshness = self.freshness(candidate.terms);
        // The judge of each run finds its files in the same folder.
        let is_single =
            freshness != Freshness::Repeat || terms.keeps_build || !self.engine.options.wanted.is_empty();
        if copies > 1 && !is_single {
            return self.run_together(candidate, &parcel, terms, copies);
        }
        let can_be_packed = !candidate.terms.alone && !terms.wants_reads && !terms.keeps_build;
        let test =
            self.engine.test(Arc::clone(&parcel), terms, freshness, can_be_packed, candidate.is_awaited);
        let tested = self.handle.block_on(async {
            tokio::select! {
                tested = test => tested.map_err(Some),
                () = cancelled(candidate.cancelled) => Err(None),
            }
        });
        match tested {
            Ok(tested) => {
                self.warm = tested.built.map(|built| WarmBuild { built, files: parcel.files.clone() });
                Ok(vec![self.finish(candidate, parcel.builds, tested)?])
            }
            Err(None) => Err(SiteError::Cancelled),
            Err(Some(error)) => Err(self.give_up(error)),
        }
    }
}

impl RemoteWorker {
    /// Runs a candidate several times at the same time, each time as an action of its own.
    fn run_together(
        &mut self,
        candidate: &SiteCandidate<'_>,
        parcel: &Arc<Parcel>,
        terms: ActionTerms,
        copies: usize,
    ) -> Result<Vec<SiteRun>, SiteError> {
        let tested = self.handle.block_on(async {
            // Dropped at the end, it cancels those that still run.
            let mut running = JoinSet::new();
            for _ in 0..copies {
                let (engine, parcel) = (Arc::clone(&self.engine), Arc::clone(parcel));
                running.spawn(async move {
                    let is_awaited = AtomicBool::new(true);
                    engine.test(parcel, terms, Freshness::Repeat, false, &is_awaited).await
                });
            }
            let mut all = Vec::new();
            loop {
                let ended = tokio::select! {
                    ended = running.join_next() => ended,
                    () = cancelled(candidate.cancelled) => return Err(None),
                };
                match ended {
                    None => return Ok(all),
                    Some(Ok(tested)) => all.push(tested.map_err(Some)?),
                    Some(Err(error)) => return Err(Some(CallError::Lost(error.to_string()))),
                }
            }
        });
        match tested {
            Ok(all) => all.into_iter().map(|tested| self.finish(candidate, parcel.builds, tested)).collect(),
            Err(None) => Err(SiteError::Cancelled),
            Err(Some(error)) => Err(self.give_up(error)),
        }
    }

    fn freshness(&self, terms: SiteTerms) -> Freshness {
        match terms {
            SiteTerms { is_repeat: true, .. } => Freshness::Repeat,
            SiteTerms { is_doubted: true, .. } => Freshness::Now,
            SiteTerms { is_proof: true, .. } if !self.engine.options.trusts_cache => Freshness::Now,
            _ => Freshness::Any,
        }
    }

    fn parcel(&mut self, candidate: &SiteCandidate<'_>) -> Result<(Parcel, ActionTerms), SiteError> {
        let options = &self.engine.options;
        let SiteCandidate { folder, command, limits, .. } = *candidate;
        let broken = |why: String| SiteError::Because(Because::Broken(why));
        let search_path = options.environment.iter().find(|(name, _)| name == "PATH");
        let search_path = search_path.map_or(SEARCH_PATH, |(_, value)| value);
        let steps = Steps::of(command, folder, limits.memory, search_path)
            .ok_or_else(|| broken("it does not run in the folder of its candidate".to_owned()))?;
        let tree = self.hasher.hash(folder).map_err(|error| broken(error.to_string()))?;
        let terms = ActionTerms {
            limits: [limits.timeout, limits.build_timeout].map(round_limit),
            builds: steps.builds,
            wants_reads: candidate.wants_reads,
            keeps_build: options.is_warm && steps.builds > 0,
        };
        let warm = self.warm.take().filter(|_| terms.keeps_build && command.continues);
        let parcel = Parcel::new(tree, steps, &options.wanted, warm.as_ref());
        Ok((parcel.map_err(|error| broken(error.to_string()))?, terms))
    }

    /// Removes what was written for the last judge: it does not belong to the next candidate.
    fn remove_left(&mut self) {
        for LeftFile { place, stamp, made } in self.left.drain(..) {
            // Somebody else can have made another file of that name in the meantime.
            if fs::symlink_metadata(&place).is_ok_and(|found| FileStamp::of(&found) == stamp) {
                let _ = fs::remove_file(place);
                // Those with other files stay.
                made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
            }
        }
    }

    /// Turns what a worker of the cluster reports into a run, and writes the files that the judge wants.
    fn finish(
        &mut self,
        candidate: &SiteCandidate<'_>,
        builds: usize,
        tested: Tested,
    ) -> Result<SiteRun, SiteError> {
        let SiteCandidate { folder, limits, .. } = *candidate;
        let Tested { mut result, is_cached, .. } = tested;
        let broken = |why: String| SiteError::Because(Because::Broken(why));
        for (path, bytes) in std::mem::take(&mut result.left) {
            let written = write_left(folder, &path, &bytes)
                .map_err(|error| broken(format!("{} cannot be written: {error}", path.display())))?;
            self.left.extend(written);
        }
        result
            .into_run(folder, builds, [limits.timeout, limits.build_timeout], limits.keep, is_cached)
            .ok_or_else(|| broken("a worker of the cluster reported too few steps".to_owned()))
    }

    fn give_up(&self, error: CallError) -> SiteError {
        if let CallError::Here(why) = error {
            return SiteError::Because(Because::Broken(why));
        }
        let why = error.to_string();
        if self.lost.remember(&why) {
            (self.engine.options.when_lost)(&why);
        }
        SiteError::Gone(why)
    }
}

/// Writes a file that a test has left. Returns it if the candidate does not have it itself.
fn write_left(folder: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<Option<LeftFile>> {
    // The answer of a server must not lead out of the folder.
    let inside: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    let place = folder.join(inside);
    let mut made = Vec::new();
    if let Some(parent) = place.parent() {
        made = parent.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        fs::create_dir_all(parent)?;
    }
    let is_new = fs::symlink_metadata(&place).is_err();
    if !is_new {
        fs::remove_file(&place)?;
    }
    fs::write(&place, bytes)?;
    let stamp = FileStamp::of(&fs::symlink_metadata(&place)?);
    Ok(is_new.then_some(LeftFile { place, stamp, made }))
}

/// Waits until a test is cancelled. Nobody notices that this takes a moment: the caller does not wait for it.
async fn cancelled(is_cancelled: &AtomicBool) {
    while !is_cancelled.load(Ordering::Acquire) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
