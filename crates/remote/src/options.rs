//! How to reach a cluster, and how tests run on it.

use crate::RemoteAddress;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How to reach a cluster, and how tests run on it.
#[derive(Clone)]
pub struct RemoteOptions {
    /// Where it is.
    pub address: RemoteAddress,
    /// The bearer token.
    pub token: Option<String>,
    /// More headers of each call.
    pub headers: Vec<(String, String)>,
    /// The certificates for TLS.
    pub certificates: Certificates,
    /// The properties of the platform that tests need, such as a container image.
    pub properties: Vec<(String, String)>,
    /// Variables of the environment of tests.
    pub environment: Vec<(String, String)>,
    /// The baseline and proofs may come from the action cache, too.
    pub trusts_cache: bool,
    /// If the cluster is lost, tests run on this machine.
    pub or_local: bool,
    /// What a build makes is an input of the next build.
    pub is_warm: bool,
    /// The files that the judge reads after a test, relative to the folder of the candidate.
    pub wanted: Vec<PathBuf>,
    /// At most this many tests in one action.
    pub most_packed: usize,
    /// The waiting time before the first repetition of a call that failed; it grows fourfold each time.
    pub first_delay: Duration,
    /// How long a single call may take.
    pub call_timeout: Duration,
    /// Hears once why the cluster was lost.
    pub when_lost: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The files with certificates for TLS, in PEM format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificates {
    /// The authority that signs the certificate of the server. Without it, the authorities that the system trusts.
    pub authority: Option<PathBuf>,
    /// The certificate of the user.
    pub own: Option<PathBuf>,
    /// Its private key.
    pub key: Option<PathBuf>,
}

impl RemoteOptions {
    /// No token, no headers, the usual certificates, cached outcomes for everything but baseline and proofs.
    #[must_use]
    pub fn new(address: RemoteAddress) -> Self {
        Self {
            address,
            token: None,
            headers: Vec::new(),
            certificates: Certificates::default(),
            properties: Vec::new(),
            environment: Vec::new(),
            trusts_cache: false,
            or_local: false,
            is_warm: false,
            wanted: Vec::new(),
            most_packed: 16,
            first_delay: Duration::from_millis(100),
            call_timeout: Duration::from_secs(60),
            when_lost: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for RemoteOptions {
    // Tokens and headers are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteOptions").field("address", &self.address).finish_non_exhaustive()
    }
}
