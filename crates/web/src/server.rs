//! Starts the service, accepts connections, and ends it without losing a job.

use crate::accounts_in_use::AccountsInUse;
use crate::http::router;
use crate::live::LiveFeeds;
use crate::metrics::Metrics;
use crate::queue::{tidy, work};
use crate::rate::RateLimits;
use crate::secret::random_text;
use crate::service::Service;
use crate::settings::ServeSettings;
use crate::store::Store;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tower::ServiceExt;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// How long open requests may take when the service ends.
const LAST_REQUESTS: Duration = Duration::from_secs(10);

/// Connections that wait for an answer. Beyond the usual 128, clients that come all at once would be dropped and try again after a second.
const WAITING_CONNECTIONS: u32 = 4_096;
/// How many records of jobs are read at a time.
const RECORDS_AT_A_TIME: usize = 2;

/// A service that runs.
pub struct RunningService {
    service: Arc<Service>,
    address: SocketAddr,
    accepting: JoinHandle<()>,
    workers: Vec<JoinHandle<()>>,
    /// Only one service at a time uses a data folder with SQLite.
    _lock: Option<fs::File>,
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database.
    #[error("{0}")]
    Store(#[from] crate::store::StoreError),
    /// The data folder or the address.
    #[error("{what}: {source}")]
    Io {
        /// What could not be used.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// Another service uses the data folder.
    #[error("another service uses {0}")]
    InUse(String),
    /// Everybody on the network could use it.
    #[error("there are no accounts, and {0} can be reached from other machines")]
    Open(SocketAddr),
}

/// Opens the store of the settings.
pub(crate) async fn open_store(settings: &ServeSettings) -> Result<Store, ServeError> {
    let failed = |what: &Path| {
        let what = what.display().to_string();
        move |source| ServeError::Io { what, source }
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&settings.data)
        .map_err(failed(&settings.data))?;
    Ok(match &settings.database {
        Some(url) => Store::postgres(url).await?,
        None => Store::sqlite(&settings.data.join("howcome.db")).await?,
    })
}

impl RunningService {
    /// Starts it. Jobs that ran when an earlier service ended are continued.
    ///
    /// # Errors
    /// If the data folder, the database or the address cannot be used.
    pub async fn start(settings: ServeSettings) -> Result<Self, ServeError> {
        let store = open_store(&settings).await?;
        let failed = |what: String| move |source| ServeError::Io { what, source };
        let data = settings.data.display().to_string();
        let lock = match settings.database {
            None => Some(lock_folder(&settings.data)?),
            Some(_) => None,
        };
        fs::create_dir_all(settings.data.join("jobs")).map_err(failed(data.clone()))?;
        if is_passed_by_jobs(&settings) {
            for folder in [settings.data.clone(), settings.data.join("jobs")] {
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o711))
                    .map_err(failed(data.clone()))?;
            }
        }
        write_names(&settings.data.join("etc")).map_err(failed(data))?;
        let has_accounts = !settings.open && !store.accounts().await?.is_empty();
        if !has_accounts && !settings.open && !settings.listen.ip().is_loopback() {
            return Err(ServeError::Open(settings.listen));
        }
        if lock.is_some() {
            store.recover().await?;
        }
        let listener = listen(settings.listen).map_err(failed(settings.listen.to_string()))?;
        let address = listener.local_addr().map_err(failed(settings.listen.to_string()))?;
        let service = Arc::new(Service {
            store,
            live: LiveFeeds::default(),
            metrics: Metrics::default(),
            rates: RateLimits::default(),
            readers: Semaphore::new(RECORDS_AT_A_TIME),
            bell: tokio::sync::Notify::new(),
            ending: watch::channel(false).0,
            accounts: AccountsInUse::at_the_start(has_accounts),
            started: crate::clock::now(),
            settings,
        });
        let node = random_text(16).map_err(failed("/dev/urandom".to_owned()))?;
        let slots = service.settings.slots.max(1);
        let workers =
            (0..slots).map(|slot| tokio::spawn(work(Arc::clone(&service), node.clone(), slot))).collect();
        tokio::spawn(tidy(Arc::clone(&service)));
        let accepting = tokio::spawn(accept(listener, Arc::clone(&service)));
        service.log(
            "service.started",
            json!({"address": address.to_string(), "slots": slots, "accounts": has_accounts}),
        );
        Ok(Self { service, address, accepting, workers, _lock: lock })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it: no new requests; jobs save their best so far and are continued by the next service.
    pub async fn end(self) {
        self.service.log("service.ending", json!({}));
        let _ = self.service.ending.send(true);
        for worker in self.workers {
            let _ = worker.await;
        }
        let _ = self.accepting.await;
        self.service.log("service.ended", json!({}));
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_CONNECTIONS)
}

/// Without mounts of their own, jobs of other users pass through the data folder. They cannot list it, and names of jobs are secret.
fn is_passed_by_jobs(settings: &ServeSettings) -> bool {
    let has_mounts = settings.program.sandbox.as_ref().is_none_or(howcome_sandbox::Walls::has_namespaces);
    !has_mounts && nix::unistd::geteuid().is_root()
}

fn lock_folder(data: &Path) -> Result<fs::File, ServeError> {
    let path = data.join("lock");
    let failed = |source| ServeError::Io { what: path.display().to_string(), source };
    let file = fs::File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(ServeError::InUse(data.display().to_string())),
        Err(fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The names of users that jobs see. Those of this machine are nobody's business.
fn write_names(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let users = (0..256).map(|slot| 64_100 + slot).chain([nix::unistd::geteuid().as_raw()]);
    let line = |user: u32| format!("howcome:x:{user}:{user}::/job/files:/bin/sh\n");
    fs::write(folder.join("passwd"), users.clone().map(line).collect::<String>())?;
    fs::write(folder.join("group"), users.map(|user| format!("howcome:x:{user}:\n")).collect::<String>())
}

async fn accept(listener: TcpListener, service: Arc<Service>) {
    let router = router(&service);
    let graceful = GracefulShutdown::new();
    let seats = Arc::new(Semaphore::new(service.settings.limits.connections));
    let mut ending = service.ending.subscribe();
    loop {
        let seat = tokio::select! {
            seat = Arc::clone(&seats).acquire_owned() => seat,
            _ = ending.changed() => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = ending.changed() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files: there will be some again.
                service.log("accept.failed", json!({"error": error.to_string()}));
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        let connection = serve_connection(router.clone(), stream, peer);
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away, or is too slow, is no error.
            let _ = watched.await;
            drop(seat);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_REQUESTS, graceful.shutdown()).await;
}

type HyperRequest = axum::http::Request<hyper::body::Incoming>;

fn serve_connection(
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |mut request: HyperRequest| {
        request.extensions_mut().insert(peer);
        request.map(axum::body::Body::new)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
}
