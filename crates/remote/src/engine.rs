//! Has candidates tested on the cluster: looks into the action cache, sends what is missing, executes, and reads the result.

use crate::action::{ActionTerms, PreparedAction, built_name, candidate_name, result_name};
use crate::action_service::{ActionService, useless};
use crate::blobs::Blobs;
use crate::calls::{CallError, MOST_TRIES, Patience};
use crate::costs::Costs;
use crate::known_path::KnownPath;
use crate::parcel::Parcel;
use crate::protocol::{ActionResult, Connection, OutputFile};
use crate::store::BlobStore;
use crate::worker_report::WorkerReport;
use crate::{BlobDigest, RemoteOptions};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, oneshot};

/// Has candidates tested on one cluster.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) options: RemoteOptions,
    pub(crate) store: BlobStore,
    service: ActionService,
    costs: Mutex<Costs>,
    path: KnownPath,
    packs: TestPacks,
    pub(crate) counts: Counts,
}

/// What the cluster did.
#[derive(Debug, Default)]
pub struct Counts {
    /// Actions that were executed.
    pub executed: AtomicU64,
    /// Tests whose outcome came from the action cache.
    pub cached: AtomicU64,
    /// Actions with several tests.
    pub packs: AtomicU64,
}

/// How a candidate is to be tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// An earlier result is as good.
    Any,
    /// It must be executed now.
    Now,
    /// It must be executed now, and its result is not kept.
    Repeat,
}

/// What a candidate did.
#[derive(Debug)]
pub(crate) struct Tested {
    pub(crate) result: WorkerReport,
    pub(crate) is_cached: bool,
    /// The archive of what its build made.
    pub(crate) built: Option<BlobDigest>,
    /// The file with the result.
    pub(crate) file: BlobDigest,
}

impl Engine {
    pub(crate) async fn open(options: RemoteOptions, connection: Connection) -> Result<Self, CallError> {
        let patience = Patience { first_delay: options.first_delay, call_timeout: options.call_timeout };
        let instance = options.address.instance.clone();
        let store = BlobStore::open(connection.clone(), instance.clone(), patience).await?;
        if !store.abilities().executes {
            return Err(CallError::Refused("the server stores files, but executes nothing".to_owned()));
        }
        let service = ActionService { connection, instance, patience, unfinished: Arc::default() };
        let (costs, packs, counts) = (Mutex::default(), TestPacks::default(), Counts::default());
        Ok(Self { options, store, service, costs, path: KnownPath::default(), packs, counts })
    }

    pub(crate) fn packs(&self) -> &TestPacks {
        &self.packs
    }

    pub(crate) fn service(&self) -> &ActionService {
        &self.service
    }

    pub(crate) fn unfinished(&self) -> &AtomicUsize {
        &self.service.unfinished
    }

    fn costs(&self) -> MutexGuard<'_, Costs> {
        self.costs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tests a candidate. It is a guess until `is_awaited`.
    pub(crate) async fn test(
        self: &Arc<Self>,
        parcel: Arc<Parcel>,
        terms: ActionTerms,
        freshness: Freshness,
        can_be_packed: bool,
        is_awaited: &AtomicBool,
    ) -> Result<Tested, CallError> {
        let salt = (freshness == Freshness::Repeat).then(salt);
        let action = PreparedAction::new(&[&parcel], terms, salt, &self.options);
        if freshness == Freshness::Any {
            let found = self.cached(&action, terms).await?;
            if is_awaited.load(Ordering::Acquire) {
                self.path.looked_up(found.is_some());
            }
            if let Some(found) = found {
                self.counts.cached.fetch_add(1, Ordering::Relaxed);
                return Ok(found);
            }
        }
        if freshness != Freshness::Repeat {
            self.path.end(is_awaited).await;
        }
        if freshness == Freshness::Any && is_awaited.load(Ordering::Acquire) {
            self.path.looked_up(false);
        }
        let number = self.costs().worth_packing(self.options.most_packed);
        let is_packed = can_be_packed
            && freshness == Freshness::Any
            && number > 1
            // Otherwise nobody could find the results again.
            && self.store.abilities().accepts_results;
        if is_packed {
            let window = self.costs().window();
            return self.packs.test(self, parcel, action, terms, number, window).await;
        }
        let mut tested = self.execute(&[&parcel], &action, terms, freshness != Freshness::Any).await?;
        tested.pop().ok_or_else(|| CallError::Lost("an action had no result".to_owned()))
    }

    /// The result of a candidate in the action cache.
    async fn cached(&self, action: &PreparedAction, terms: ActionTerms) -> Result<Option<Tested>, CallError> {
        let files = outputs(1);
        let Some(result) = self.service.look_up(action.digest, &files).await? else { return Ok(None) };
        match self.results(&result, 1, terms, true).await {
            Ok(tested) => Ok(tested.and_then(|mut tested| tested.pop())),
            // The cache has forgotten the files of a result.
            Err(CallError::NotFound(_) | CallError::MissingBlobs(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Executes an action, until it has a result that can be read.
    pub(crate) async fn execute(
        &self,
        parcels: &[&Parcel],
        action: &PreparedAction,
        terms: ActionTerms,
        is_fresh: bool,
    ) -> Result<Vec<Tested>, CallError> {
        let files = outputs(parcels.len());
        let mut blobs = action.blobs.clone();
        for parcel in parcels {
            blobs.add_all(parcel.blobs.clone());
        }
        let (mut tries, mut losses, mut is_fresh) = (0, 0, is_fresh);
        loop {
            tries += 1;
            let began = Instant::now();
            let problem = match self.execute_once(&blobs, losses, action, is_fresh, &files).await {
                Ok(executed) => {
                    let counter =
                        if executed.is_cached { &self.counts.cached } else { &self.counts.executed };
                    counter.fetch_add(1, Ordering::Relaxed);
                    match self.results(&executed.result, parcels.len(), terms, executed.is_cached).await {
                        Ok(Some(tested)) => {
                            if !executed.is_cached {
                                let took = tested.iter().map(|tested| tested.result.took()).sum();
                                self.costs().learn(began.elapsed(), took, parcels.len());
                            }
                            return Ok(tested);
                        }
                        Ok(None) => {
                            is_fresh = true;
                            useless(&executed.result, tries)
                        }
                        Err(CallError::NotFound(why) | CallError::MissingBlobs(why)) => {
                            is_fresh = true;
                            (tries >= MOST_TRIES).then_some(CallError::Lost(why))
                        }
                        Err(error) => Some(error),
                    }
                }
                Err(CallError::MissingBlobs(why)) => {
                    losses += 1;
                    self.store.forget(&blobs);
                    (tries >= MOST_TRIES).then(|| CallError::Lost(format!("the server loses files: {why}")))
                }
                Err(CallError::Failed(why)) => {
                    losses += 1;
                    self.store.forget(&blobs);
                    let lost = || CallError::Lost(format!("executing a test failed {tries} times: {why}"));
                    (tries >= MOST_TRIES).then(lost)
                }
                Err(error) => Some(error),
            };
            if let Some(problem) = problem {
                return Err(problem);
            }
            self.service.patience.wait(tries).await;
        }
    }

    async fn execute_once(
        &self,
        blobs: &Blobs,
        losses: u32,
        action: &PreparedAction,
        is_fresh: bool,
        files: &[String],
    ) -> Result<crate::action_service::ExecutedAction, CallError> {
        // The server does not always know what it has lost.
        if losses > 1 {
            self.store.send_all(blobs).await?;
        } else {
            self.store.send(blobs).await?;
        }
        self.service.execute(action.digest, is_fresh, files).await
    }

    /// Reads the results of candidates; `None` if they are not all there.
    async fn results(
        &self,
        result: &ActionResult,
        number: usize,
        terms: ActionTerms,
        is_cached: bool,
    ) -> Result<Option<Vec<Tested>>, CallError> {
        if result.exit_code != 0 {
            return Ok(None);
        }
        let named = |name: String| result.output_files.iter().find(|file| file.path == name);
        let files: Option<Vec<&OutputFile>> =
            (0..number).map(|number| named(result_name(&candidate_name(number)))).collect();
        let Some(files) = files else { return Ok(None) };
        let digest = |file: &OutputFile| file.digest.as_ref().and_then(BlobDigest::of_message);
        let Some(digests) = files.iter().map(|file| digest(file)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        // Some servers send short files along. They are believed only if they have the digest.
        let is_here = |file: &OutputFile, digest: &BlobDigest| BlobDigest::of(&file.contents) == *digest;
        let missing: Vec<BlobDigest> = files
            .iter()
            .zip(&digests)
            .filter(|(file, digest)| !is_here(file, digest))
            .map(|(_, digest)| *digest)
            .collect();
        let fetched = self.store.fetch(&missing).await?;
        let mut tested = Vec::new();
        for (place, (file, digest)) in files.iter().zip(&digests).enumerate() {
            let bytes = fetched.get(digest).unwrap_or(&file.contents);
            let Some(result) = WorkerReport::parse(bytes) else { return Ok(None) };
            let built = named(built_name(&candidate_name(place))).filter(|_| terms.keeps_build);
            let built = built.and_then(|file| file.digest.as_ref()).and_then(BlobDigest::of_message);
            tested.push(Tested { result, is_cached, built, file: *digest });
        }
        Ok(Some(tested))
    }
}

/// The packs that still take candidates.
#[derive(Debug, Default)]
pub(crate) struct TestPacks(Mutex<Vec<OpenPack>>);

/// Candidates that will share an action.
#[derive(Debug)]
struct OpenPack {
    terms: ActionTerms,
    size: usize,
    members: Vec<PackMember>,
    is_full: Arc<Notify>,
}

#[derive(Debug)]
struct PackMember {
    parcel: Arc<Parcel>,
    /// The action of this candidate alone, under which others will look for its result.
    single: PreparedAction,
    reply: oneshot::Sender<Result<Tested, CallError>>,
}

impl TestPacks {
    /// Tests a candidate in an action with others that are tested at the same time: at most `size` of them, which come within a
    /// `window`.
    pub(crate) async fn test(
        &self,
        engine: &Arc<Engine>,
        parcel: Arc<Parcel>,
        single: PreparedAction,
        terms: ActionTerms,
        size: usize,
        window: Duration,
    ) -> Result<Tested, CallError> {
        let (reply, replied) = oneshot::channel();
        if let Some(is_full) = self.join(PackMember { parcel, single, reply }, terms, size) {
            // A task of its own: the candidate that began the pack can be cancelled while others need it.
            let engine = Arc::clone(engine);
            tokio::spawn(async move {
                let _ = tokio::time::timeout(window, is_full.notified()).await;
                if let Some(pack) = engine.packs().take(&is_full) {
                    pack.test(&engine).await;
                }
            });
        }
        replied.await.unwrap_or_else(|_| Err(CallError::Lost("an action was given up".to_owned())))
    }

    /// Adds a candidate to a pack. If it is the first one in its pack, returns what its task waits for.
    fn join(&self, member: PackMember, terms: ActionTerms, size: usize) -> Option<Arc<Notify>> {
        let mut packs = self.packs();
        let has_room = |pack: &&mut OpenPack| pack.terms == terms && pack.members.len() < pack.size;
        if let Some(pack) = packs.iter_mut().find(has_room) {
            pack.members.push(member);
            if pack.members.len() == pack.size {
                pack.is_full.notify_one();
            }
            return None;
        }
        let is_full = Arc::new(Notify::new());
        packs.push(OpenPack { terms, size, members: vec![member], is_full: Arc::clone(&is_full) });
        Some(is_full)
    }

    fn take(&self, is_full: &Arc<Notify>) -> Option<OpenPack> {
        let mut packs = self.packs();
        let place = packs.iter().position(|pack| Arc::ptr_eq(&pack.is_full, is_full))?;
        Some(packs.remove(place))
    }

    fn packs(&self) -> MutexGuard<'_, Vec<OpenPack>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenPack {
    async fn test(mut self, engine: &Engine) {
        self.members.retain(|member| !member.reply.is_closed());
        let Self { terms, mut members, .. } = self;
        if members.is_empty() {
            return;
        }
        let parcels: Vec<Arc<Parcel>> = members.iter().map(|member| Arc::clone(&member.parcel)).collect();
        let parcels: Vec<&Parcel> = parcels.iter().map(|parcel| &**parcel).collect();
        let together = PreparedAction::new(&parcels, terms, None, &engine.options);
        if parcels.len() > 1 {
            engine.counts.packs.fetch_add(1, Ordering::Relaxed);
        }
        let tested = tokio::select! {
            tested = engine.execute(&parcels, &together, terms, false) => tested,
            () = all_gone(&mut members) => return,
        };
        let tested = match tested {
            Ok(tested) => tested,
            Err(error) => {
                for member in members {
                    let _ = member.reply.send(Err(error.clone()));
                }
                return;
            }
        };
        let is_alone = members.len() == 1;
        // The end of the run waits for this.
        engine.unfinished().fetch_add(1, Ordering::SeqCst);
        for (member, tested) in members.into_iter().zip(tested) {
            let (result, blobs, action) = (as_single(&tested), member.single.blobs, member.single.digest);
            let was_executed = !tested.is_cached;
            // The search goes on first.
            let _ = member.reply.send(Ok(tested));
            if !is_alone && was_executed && engine.store.send(&blobs).await.is_ok() {
                engine.service().publish(action, result).await;
            }
        }
        engine.unfinished().fetch_sub(1, Ordering::SeqCst);
    }
}

/// The result of a candidate as that of an action of its own.
fn as_single(tested: &Tested) -> ActionResult {
    let path = result_name(&candidate_name(0));
    let file = OutputFile { path, digest: Some(tested.file.to_message()), ..OutputFile::default() };
    ActionResult { output_files: vec![file], ..ActionResult::default() }
}

/// Waits until nobody needs any of these candidates any more.
async fn all_gone(members: &mut [PackMember]) {
    for member in members {
        member.reply.closed().await;
    }
}

/// The files that an action with this many candidates returns.
fn outputs(number: usize) -> Vec<String> {
    (0..number).map(|number| result_name(&candidate_name(number))).collect()
}

/// Bytes that nobody else uses.
fn salt() -> Vec<u8> {
    [0_u8, 1]
        .iter()
        .flat_map(|half| RandomState::new().hash_one((std::process::id(), half)).to_le_bytes())
        .collect()
}
