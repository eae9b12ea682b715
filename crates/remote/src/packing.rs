//! Several quick tests in one action.

use crate::action::{ActionTerms, PreparedAction, candidate_name, result_name};
use crate::calls::CallError;
use crate::engine::{Engine, Tested};
use crate::parcel::Parcel;
use crate::protocol::{ActionResult, OutputFile};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// The packs that still take candidates.
#[derive(Debug, Default)]
pub(crate) struct Packing(Mutex<Vec<OpenPack>>);

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

impl Packing {
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
                if let Some(pack) = engine.packing().take(&is_full) {
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
