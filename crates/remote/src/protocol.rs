//! The Remote Execution API: its messages, and the connection to a server. Nothing outside of this file knows how the protocol is
//! transported.

use crate::{Certificates, RemoteOptions};
pub use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, ActionResult, BatchReadBlobsRequest, BatchUpdateBlobsRequest, Command, Digest, Directory,
    DirectoryNode, ExecuteRequest, ExecuteResponse, FileNode, FindMissingBlobsRequest,
    GetActionResultRequest, GetCapabilitiesRequest, OutputFile, Platform, ServerCapabilities, SymlinkNode,
    UpdateActionResultRequest, WaitExecutionRequest, batch_update_blobs_request, command, compressor,
    digest_function, platform,
};
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    action_cache_client::ActionCacheClient, capabilities_client::CapabilitiesClient,
    content_addressable_storage_client::ContentAddressableStorageClient, execution_client::ExecutionClient,
};
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
pub use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
pub use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
pub use prost::Message;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue, MetadataMap};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
pub use tonic::{Code, Status, Streaming};

/// Answers and blobs can be as long as the largest batch that any server allows.
const LONGEST_MESSAGE: usize = 64 << 20;

/// A connection that is silent for this long is tried, and given up if there is no reply for as long.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

type Service = InterceptedService<Channel, Headers>;

/// The services of one server. Cloning it shares the connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// What the server can do.
    pub capabilities: CapabilitiesClient<Service>,
    /// The content-addressed store.
    pub store: ContentAddressableStorageClient<Service>,
    /// Large blobs.
    pub bytes: ByteStreamClient<Service>,
    /// The action cache.
    pub cache: ActionCacheClient<Service>,
    /// Execution.
    pub execution: ExecutionClient<Service>,
    /// Running operations.
    pub operations: OperationsClient<Service>,
}

/// Why there can be no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// A file with a certificate cannot be read.
    #[error("{path} cannot be read: {source}")]
    File {
        /// The file.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A header is not valid.
    #[error("`{0}` is not a valid header")]
    Header(String),
    /// A file does not contain what it should.
    #[error("{path} does not contain a {what} in PEM format")]
    NotPem {
        /// The file.
        path: String,
        /// What it should contain.
        what: &'static str,
    },
    /// The certificates are not valid, or do not belong together.
    #[error("the certificates cannot be used ({files}): {why}")]
    Certificates {
        /// The files.
        files: String,
        /// The reason.
        why: String,
    },
    /// The address is not valid.
    #[error("{0}")]
    Invalid(String),
}

impl Connection {
    /// Prepares the connection. It is made when it is first used, and again whenever it was lost. Must be called in a runtime.
    pub(crate) fn new(options: &RemoteOptions) -> Result<Self, ConnectionError> {
        let invalid = |error: tonic::transport::Error| ConnectionError::Invalid(described(&error));
        let mut endpoint = Endpoint::from_shared(options.address.uri())
            .map_err(invalid)?
            .connect_timeout(options.call_timeout.min(Duration::from_secs(10)))
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(KEEP_ALIVE)
            .keep_alive_while_idle(true)
            .tcp_nodelay(true);
        if options.address.is_encrypted {
            endpoint = endpoint.tls_config(tls(options)?).map_err(|error| {
                let Certificates { authority, own, key } = &options.certificates;
                let files =
                    [authority, own, key].into_iter().flatten().map(|path| path.display().to_string());
                let files = files.collect::<Vec<_>>().join(", ");
                ConnectionError::Certificates { files, why: described(&error) }
            })?;
        }
        let channel = endpoint.connect_lazy();
        let headers = Headers::of(options)?;
        macro_rules! client {
            ($client:ident) => {
                $client::new(InterceptedService::new(channel.clone(), headers.clone()))
                    .max_decoding_message_size(LONGEST_MESSAGE)
                    .max_encoding_message_size(LONGEST_MESSAGE)
            };
        }
        Ok(Self {
            capabilities: client!(CapabilitiesClient),
            store: client!(ContentAddressableStorageClient),
            bytes: client!(ByteStreamClient),
            cache: client!(ActionCacheClient),
            execution: client!(ExecutionClient),
            operations: client!(OperationsClient),
        })
    }
}

fn tls(options: &RemoteOptions) -> Result<ClientTlsConfig, ConnectionError> {
    let read = |path: &Path, what: &'static str| {
        let shown = || path.display().to_string();
        let text = fs::read(path).map_err(|source| ConnectionError::File { path: shown(), source })?;
        match String::from_utf8_lossy(&text).contains(&format!("{}-----", what.to_uppercase())) {
            true => Ok(text),
            false => Err(ConnectionError::NotPem { path: shown(), what }),
        }
    };
    let (certificate, private_key) = ("certificate", "private key");
    let certificates = &options.certificates;
    let mut config = match &certificates.authority {
        Some(path) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read(path, certificate)?)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    if let (Some(own), Some(key)) = (&certificates.own, &certificates.key) {
        config = config.identity(Identity::from_pem(read(own, certificate)?, read(key, private_key)?));
    }
    Ok(config.domain_name(options.address.host.trim_matches(['[', ']'])))
}

/// Adds the headers of the user to each call.
#[derive(Clone)]
pub struct Headers(MetadataMap);

impl Headers {
    fn of(options: &RemoteOptions) -> Result<Self, ConnectionError> {
        let mut map = MetadataMap::new();
        let token =
            options.token.as_ref().map(|token| ("authorization".to_owned(), format!("Bearer {token}")));
        for (name, value) in token.iter().chain(&options.headers) {
            // The value can be a secret.
            let invalid = || ConnectionError::Header(name.clone());
            let key = name.to_ascii_lowercase().parse::<AsciiMetadataKey>().map_err(|_| invalid())?;
            let mut value = value.parse::<AsciiMetadataValue>().map_err(|_| invalid())?;
            value.set_sensitive(true);
            map.append(key, value);
        }
        Ok(Self(map))
    }
}

impl std::fmt::Debug for Headers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Headers")
    }
}

impl Interceptor for Headers {
    fn call(&mut self, mut request: tonic::Request<()>) -> Result<tonic::Request<()>, Status> {
        for entry in self.0.iter() {
            if let tonic::metadata::KeyAndValueRef::Ascii(name, value) = entry {
                request.metadata_mut().append(name, value.clone());
            }
        }
        Ok(request)
    }
}

/// An error with its causes: the outermost one rarely says what happened.
pub(crate) fn described(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}

/// The bytes of a message.
pub(crate) fn encoded(message: &impl Message) -> Vec<u8> {
    message.encode_to_vec()
}
