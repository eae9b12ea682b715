//! A cluster in this process: it stores blobs, caches results and executes actions in temporary folders. Faults can be ordered.
#![allow(dead_code, clippy::unwrap_used, missing_docs, unreachable_pub)]

mod execution;
pub mod proxy;
mod storage;

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, action_cache_server::ActionCacheServer, capabilities_server::CapabilitiesServer,
    content_addressable_storage_server::ContentAddressableStorageServer, execution_server::ExecutionServer,
};
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStreamServer;
use bazel_remote_apis::google::longrunning::operations_server::OperationsServer;
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tonic::service::InterceptorLayer;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Code, Request, Status};

/// What the cluster is like.
#[derive(Clone, Debug)]
pub struct ClusterOptions {
    pub slots: usize,
    /// Each action takes at least this long.
    pub delay: Duration,
    pub accepts_results: bool,
    pub compresses: bool,
    /// Input files are shared between actions: hard links that cannot be written.
    pub shares_files: bool,
    pub largest_batch: i64,
    /// Nothing is executed: every test passes.
    pub pretends: bool,
    /// The certificates of an encrypted server.
    pub tls: Option<ServerTlsConfig>,
    /// Headers without which no call is answered.
    pub wanted_headers: Vec<(&'static str, &'static str)>,
}

impl Default for ClusterOptions {
    fn default() -> Self {
        Self {
            slots: 4,
            delay: Duration::ZERO,
            accepts_results: true,
            compresses: true,
            shares_files: false,
            largest_batch: 4 << 20,
            pretends: false,
            tls: None,
            wanted_headers: Vec::new(),
        }
    }
}

/// Something that goes wrong the next time a method is called.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Nothing goes wrong this time.
    Nothing,
    /// The call fails.
    Fail(Code),
    /// The call is never answered.
    Hang,
    /// The bytes that are read are not those that were written.
    WrongBytes,
    /// All blobs are gone before the call.
    LoseBlobs,
    /// The server believes that it has all blobs.
    BelievesAll,
    /// The news of an action end after the first message.
    CutStream,
    /// The worker dies: the action is executed, but ends with this exit code and without a result.
    WorkerDies(i32),
}

#[derive(Debug, Default)]
pub struct State {
    /// Whether a fault has lost blobs that clients had sent.
    pub has_lost_blobs: bool,
    pub blobs: HashMap<String, Vec<u8>>,
    pub results: HashMap<String, ActionResult>,
    pub operations: HashMap<String, Arc<execution::RunningAction>>,
    pub faults: HashMap<String, VecDeque<Fault>>,
    pub calls: HashMap<String, u64>,
    pub bytes: u64,
    pub executed: u64,
    pub cancelled: u64,
    pub most_at_once: usize,
    pub at_once: usize,
}

/// What all services share.
#[derive(Debug)]
pub struct Cluster {
    pub options: ClusterOptions,
    pub state: Mutex<State>,
    /// Tells that actions have begun or were cancelled.
    pub changed: Condvar,
    pub slots: Semaphore,
}

impl Cluster {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Changes what all services share, and tells those who wait for it.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Waits until something is so.
    pub fn wait_until(&self, is_so: impl Fn(&State) -> bool) {
        drop(self.changed.wait_while(self.state(), |state| !is_so(state)).unwrap());
    }

    /// Counts a call, and lets it fail if that was ordered.
    pub async fn called(&self, method: &str) -> Result<Option<Fault>, Status> {
        let fault = {
            let mut state = self.state();
            *state.calls.entry(method.to_owned()).or_default() += 1;
            self.changed.notify_all();
            state.faults.get_mut(method).and_then(VecDeque::pop_front)
        };
        match fault {
            Some(Fault::Fail(code)) => Err(Status::new(code, "as ordered")),
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::LoseBlobs) => {
                let mut state = self.state();
                state.blobs.clear();
                state.has_lost_blobs = true;
                Ok(None)
            }
            other => Ok(other),
        }
    }
}

/// A running cluster.
pub struct FakeCluster {
    pub cluster: Arc<Cluster>,
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl FakeCluster {
    pub fn start(options: ClusterOptions) -> Self {
        let slots = Semaphore::new(options.slots);
        let cluster = Arc::new(Cluster { options, state: Mutex::default(), changed: Condvar::new(), slots });
        let (stop, thread, address) = serve(&cluster, "127.0.0.1:0".parse().unwrap());
        Self { cluster, address, stop: Some(stop), thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        let scheme = if self.cluster.options.tls.is_some() { "grpcs" } else { "grpc" };
        format!("{scheme}://{}", self.address)
    }

    /// Orders faults of a method.
    pub fn order(&self, method: &str, faults: &[Fault]) {
        self.cluster.state().faults.entry(method.to_owned()).or_default().extend(faults.iter().cloned());
    }

    pub fn calls(&self, method: &str) -> u64 {
        self.cluster.state().calls.get(method).copied().unwrap_or(0)
    }

    pub fn executed(&self) -> u64 {
        self.cluster.state().executed
    }

    /// Ends the server. Its blobs and results stay.
    pub fn stop(&mut self) {
        drop(self.stop.take());
        self.thread.take().map(std::thread::JoinHandle::join);
        self.cluster.state().operations.clear();
    }

    /// Starts it again at the same address.
    pub fn start_again(&mut self) {
        let (stop, thread, _) = serve(&self.cluster, self.address);
        (self.stop, self.thread) = (Some(stop), Some(thread));
    }
}

impl Drop for FakeCluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Refuses calls that lack a header.
fn with_headers(request: Request<()>, wanted: &[(&str, &str)]) -> Result<Request<()>, Status> {
    let has =
        |(name, value): &(&str, &str)| request.metadata().get(*name).is_some_and(|found| found == value);
    match wanted.iter().find(|header| !has(header)) {
        Some((name, _)) => Err(Status::unauthenticated(format!("the header {name} is missing or wrong"))),
        None => Ok(request),
    }
}

fn serve(
    cluster: &Arc<Cluster>,
    address: SocketAddr,
) -> (oneshot::Sender<()>, std::thread::JoinHandle<()>, SocketAddr) {
    let (stop, stopped) = oneshot::channel();
    let listener = std::net::TcpListener::bind(address).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let cluster = Arc::clone(cluster);
    let thread = std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
            let service = || storage::Service(Arc::clone(&cluster));
            let mut builder = Server::builder();
            if let Some(tls) = cluster.options.tls.clone() {
                builder = builder.tls_config(tls).unwrap();
            }
            let wanted = cluster.options.wanted_headers.clone();
            let server = builder
                .layer(InterceptorLayer::new(move |request| with_headers(request, &wanted)))
                .add_service(CapabilitiesServer::new(service()))
                .add_service(
                    ContentAddressableStorageServer::new(service()).max_decoding_message_size(64 << 20),
                )
                .add_service(ByteStreamServer::new(service()))
                .add_service(ActionCacheServer::new(service()))
                .add_service(ExecutionServer::new(service()))
                .add_service(OperationsServer::new(service()))
                .serve_with_incoming(incoming);
            tokio::select! {
                served = server => served.unwrap(),
                _ = stopped => {}
            }
        });
        // Actions that nobody waits for any more are not worth waiting for.
        runtime.shutdown_background();
    });
    (stop, thread, address)
}
