//! The content-addressed store: sends what the server does not have, and fetches results.

use crate::BlobDigest;
use crate::blobs::Blobs;
use crate::calls::{CallError, MOST_TRIES, Patience, is_about_certificates};
use crate::protocol::{
    BatchReadBlobsRequest, BatchUpdateBlobsRequest, Code, Connection, FindMissingBlobsRequest,
    GetCapabilitiesRequest, ReadRequest, ServerCapabilities, Status, WriteRequest,
    batch_update_blobs_request, compressor, digest_function,
};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a server accepts in one message if it does not say so, and the most that we send to any server.
const USUAL_BATCH: usize = 4 << 20;

/// What a message needs for each blob besides its bytes.
const PER_BLOB: usize = 256;

/// The pieces in which large blobs are sent.
const PIECE: usize = 256 << 10;

/// The digests in one question about missing blobs.
const MOST_DIGESTS: usize = 10_000;

/// Shorter blobs are not worth compressing.
const WORTH_COMPRESSING: usize = 512;

/// The store of a cluster.
#[derive(Debug)]
pub(crate) struct BlobStore {
    connection: Connection,
    instance: String,
    patience: Patience,
    abilities: Abilities,
    /// Blobs that the server had when it was last asked.
    known: Mutex<HashSet<BlobDigest>>,
    /// What was sent.
    pub(crate) traffic: Traffic,
}

/// What the server can do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abilities {
    pub(crate) largest_batch: usize,
    pub(crate) compresses_batches: bool,
    pub(crate) compresses_streams: bool,
    /// Clients can write to the action cache.
    pub(crate) accepts_results: bool,
    pub(crate) executes: bool,
}

/// What was sent and asked.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Bytes of blobs as they were sent.
    pub bytes_sent: AtomicU64,
    /// Calls that sent blobs or asked which are missing.
    pub calls: AtomicU64,
}

impl Abilities {
    fn of(capabilities: &ServerCapabilities) -> Result<Self, CallError> {
        let cache = capabilities.cache_capabilities.clone().unwrap_or_default();
        let sha = digest_function::Value::Sha256 as i32;
        if !cache.digest_functions.is_empty() && !cache.digest_functions.contains(&sha) {
            return Err(CallError::Refused("the server does not know SHA-256".to_owned()));
        }
        let zstd = compressor::Value::Zstd as i32;
        let largest = usize::try_from(cache.max_batch_total_size_bytes).ok().filter(|size| *size > 0);
        Ok(Self {
            largest_batch: largest.unwrap_or(USUAL_BATCH).clamp(1 << 12, USUAL_BATCH) - (1 << 11),
            compresses_batches: cache.supported_batch_update_compressors.contains(&zstd),
            compresses_streams: cache.supported_compressors.contains(&zstd),
            accepts_results: cache
                .action_cache_update_capabilities
                .is_some_and(|update| update.update_enabled),
            executes: capabilities
                .execution_capabilities
                .as_ref()
                .is_some_and(|execution| execution.exec_enabled),
        })
    }
}

impl BlobStore {
    /// Asks the server what it can do.
    pub(crate) async fn open(
        connection: Connection,
        instance: String,
        patience: Patience,
    ) -> Result<Self, CallError> {
        let capabilities = patience
            .call_unless(is_about_certificates, "asking the server what it can do", || {
                let mut client = connection.capabilities.clone();
                let request = GetCapabilitiesRequest { instance_name: instance.clone() };
                async move { client.get_capabilities(request).await }
            })
            .await?;
        let abilities = Abilities::of(capabilities.get_ref())?;
        let (known, traffic) = (Mutex::default(), Traffic::default());
        Ok(Self { connection, instance, patience, abilities, known, traffic })
    }

    pub(crate) fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn known(&self) -> MutexGuard<'_, HashSet<BlobDigest>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks again about these blobs before they are used the next time: the server has lost some of them.
    pub(crate) fn forget(&self, blobs: &Blobs) {
        let mut known = self.known();
        for digest in blobs.digests() {
            known.remove(&digest);
        }
    }

    /// Sends the blobs that the server does not have.
    pub(crate) async fn send(&self, blobs: &Blobs) -> Result<(), CallError> {
        let unknown: Vec<BlobDigest> = {
            let known = self.known();
            blobs.digests().filter(|digest| digest.size > 0 && !known.contains(digest)).collect()
        };
        let mut missing = Vec::new();
        for digests in unknown.chunks(MOST_DIGESTS) {
            missing.extend(self.missing(digests).await?);
        }
        self.send_these(missing, blobs).await?;
        self.known().extend(unknown);
        Ok(())
    }

    /// Sends all blobs, even the empty one, whatever the server says it has.
    pub(crate) async fn send_all(&self, blobs: &Blobs) -> Result<(), CallError> {
        let all: Vec<BlobDigest> = blobs.digests().collect();
        self.send_these(all.clone(), blobs).await?;
        self.known().extend(all);
        Ok(())
    }

    async fn send_these(&self, mut missing: Vec<BlobDigest>, blobs: &Blobs) -> Result<(), CallError> {
        // In the same order each time, whatever the order of the table.
        missing.sort_unstable();
        let (small, large): (Vec<_>, Vec<_>) = missing
            .into_iter()
            .partition(|digest| (digest.size as usize) + PER_BLOB <= self.abilities.largest_batch);
        let mut batch = Vec::new();
        let mut room = self.abilities.largest_batch;
        for digest in small {
            let request = self.batched(digest, blobs)?;
            let size = request.data.len() + PER_BLOB;
            if size > room {
                self.send_batch(std::mem::take(&mut batch)).await?;
                room = self.abilities.largest_batch;
            }
            room -= size;
            batch.push(request);
        }
        if !batch.is_empty() {
            self.send_batch(batch).await?;
        }
        for digest in large {
            self.send_stream(digest, blobs).await?;
        }
        Ok(())
    }

    async fn missing(&self, digests: &[BlobDigest]) -> Result<Vec<BlobDigest>, CallError> {
        self.traffic.calls.fetch_add(1, Ordering::Relaxed);
        let found = self
            .patience
            .call("asking which files are missing", || {
                let mut client = self.connection.store.clone();
                let request = FindMissingBlobsRequest {
                    instance_name: self.instance.clone(),
                    blob_digests: digests.iter().map(|digest| digest.to_message()).collect(),
                    digest_function: digest_function::Value::Sha256 as i32,
                };
                self.count(&request);
                async move { client.find_missing_blobs(request).await }
            })
            .await?;
        Ok(found.get_ref().missing_blob_digests.iter().filter_map(BlobDigest::of_message).collect())
    }

    fn count(&self, message: &impl crate::protocol::Message) {
        self.traffic.bytes_sent.fetch_add(message.encoded_len() as u64, Ordering::Relaxed);
    }

    fn batched(
        &self,
        digest: BlobDigest,
        blobs: &Blobs,
    ) -> Result<batch_update_blobs_request::Request, CallError> {
        let bytes = blobs.read(digest).map_err(|error| CallError::Here(error.to_string()))?;
        let packed = (self.abilities.compresses_batches && bytes.len() >= WORTH_COMPRESSING)
            .then(|| compress_to_vec(&*bytes, CompressionLevel::Fastest))
            .filter(|packed| packed.len() < bytes.len());
        let (data, compressor) = match packed {
            Some(packed) => (packed, compressor::Value::Zstd),
            None => (bytes.to_vec(), compressor::Value::Identity),
        };
        let digest = Some(digest.to_message());
        Ok(batch_update_blobs_request::Request { digest, data, compressor: compressor as i32 })
    }

    async fn send_batch(&self, requests: Vec<batch_update_blobs_request::Request>) -> Result<(), CallError> {
        self.traffic.calls.fetch_add(1, Ordering::Relaxed);
        let mut tries = 0;
        let mut requests = requests;
        loop {
            let replied = self
                .patience
                .call("sending files", || {
                    let mut client = self.connection.store.clone();
                    let request = BatchUpdateBlobsRequest {
                        instance_name: self.instance.clone(),
                        requests: requests.clone(),
                        digest_function: digest_function::Value::Sha256 as i32,
                    };
                    self.count(&request);
                    async move { client.batch_update_blobs(request).await }
                })
                .await?;
            // Each blob has a status of its own.
            let failed: HashMap<String, Status> = replied
                .get_ref()
                .responses
                .iter()
                .filter_map(|response| {
                    let status = response.status.as_ref().filter(|status| status.code != 0)?;
                    let hash = response.digest.as_ref()?.hash.clone();
                    Some((hash, Status::new(Code::from(status.code), status.message.clone())))
                })
                .collect();
            let Some(status) = failed.values().next() else { return Ok(()) };
            tries += 1;
            if let Some(error) = crate::calls::verdict("sending a file", status, tries) {
                return Err(error);
            }
            requests.retain(|request| {
                request.digest.as_ref().is_some_and(|digest| failed.contains_key(&digest.hash))
            });
            self.patience.wait(tries).await;
        }
    }

    async fn send_stream(&self, digest: BlobDigest, blobs: &Blobs) -> Result<(), CallError> {
        self.traffic.calls.fetch_add(1, Ordering::Relaxed);
        let bytes = blobs.read(digest).map_err(|error| CallError::Here(error.to_string()))?;
        let packed =
            self.abilities.compresses_streams.then(|| compress_to_vec(&*bytes, CompressionLevel::Fastest));
        let (kind, data): (&str, &[u8]) = match &packed {
            Some(packed) => ("compressed-blobs/zstd", packed),
            None => ("blobs", &bytes),
        };
        self.patience
            .call("sending a large file", || {
                let name =
                    self.resource(&format!("uploads/{}/{kind}/{}/{}", unique(), digest.hex(), digest.size));
                let count = data.len().div_ceil(PIECE).max(1);
                let pieces: Vec<WriteRequest> = (0..count)
                    .map(|number| {
                        let (start, end) = (number * PIECE, data.len().min((number + 1) * PIECE));
                        WriteRequest {
                            resource_name: if number == 0 { name.clone() } else { String::new() },
                            write_offset: start as i64,
                            finish_write: number + 1 == count,
                            data: data[start..end].to_vec(),
                        }
                    })
                    .collect();
                pieces.iter().for_each(|piece| self.count(piece));
                let mut client = self.connection.bytes.clone();
                let length = data.len() as i64;
                async move {
                    let written = client.write(tokio_stream::iter(pieces)).await?.into_inner().committed_size;
                    // A server that has the blob already can stop early; it then names the whole size, or -1.
                    match written == length || written == digest.size as i64 || written == -1 {
                        true => Ok(()),
                        false => Err(Status::data_loss(format!("{written} of {length} bytes arrived"))),
                    }
                }
            })
            .await
    }

    fn resource(&self, rest: &str) -> String {
        if self.instance.is_empty() { rest.to_owned() } else { format!("{}/{rest}", self.instance) }
    }

    /// Fetches blobs. Bytes that do not have the digest are fetched again, and never used.
    pub(crate) async fn fetch(
        &self,
        digests: &[BlobDigest],
    ) -> Result<HashMap<BlobDigest, Vec<u8>>, CallError> {
        let mut fetched = HashMap::new();
        let mut tries = 0;
        loop {
            let mut batch = Vec::new();
            let mut room = self.abilities.largest_batch;
            for digest in digests.iter().filter(|digest| !fetched.contains_key(*digest)) {
                let size = usize::try_from(digest.size).unwrap_or(usize::MAX).saturating_add(PER_BLOB);
                if digest.size == 0 {
                    // Nobody has to keep the empty blob.
                    batch.retain(|other| other != digest);
                } else if size <= room {
                    room -= size;
                    batch.push(*digest);
                }
            }
            digests
                .iter()
                .filter(|digest| digest.size == 0)
                .for_each(|digest| drop(fetched.insert(*digest, Vec::new())));
            if batch.is_empty() {
                let Some(large) = digests.iter().find(|digest| !fetched.contains_key(*digest)) else {
                    return Ok(fetched);
                };
                let bytes = self.fetch_stream(*large).await?;
                if BlobDigest::of(&bytes) == *large {
                    fetched.insert(*large, bytes);
                    continue;
                }
            } else {
                let before = fetched.len();
                self.fetch_batch(&batch, &mut fetched).await?;
                if fetched.len() == before + batch.len() {
                    continue;
                }
            }
            tries += 1;
            if tries >= MOST_TRIES {
                let why = format!("the server returned results with a wrong digest {tries} times");
                return Err(CallError::Lost(why));
            }
            self.patience.wait(tries).await;
        }
    }

    async fn fetch_batch(
        &self,
        digests: &[BlobDigest],
        fetched: &mut HashMap<BlobDigest, Vec<u8>>,
    ) -> Result<(), CallError> {
        let replied = self
            .patience
            .call("fetching results", || {
                let mut client = self.connection.store.clone();
                let request = BatchReadBlobsRequest {
                    instance_name: self.instance.clone(),
                    digests: digests.iter().map(|digest| digest.to_message()).collect(),
                    acceptable_compressors: Vec::new(),
                    digest_function: digest_function::Value::Sha256 as i32,
                };
                async move { client.batch_read_blobs(request).await }
            })
            .await?;
        for response in replied.into_inner().responses {
            if let Some(status) = response.status.as_ref().filter(|status| status.code != 0) {
                let status = Status::new(Code::from(status.code), status.message.clone());
                if let Some(error) = crate::calls::verdict("fetching a result", &status, 1) {
                    return Err(error);
                }
                continue;
            }
            let wanted = response.digest.as_ref().and_then(BlobDigest::of_message);
            let is_right = |digest: &BlobDigest| BlobDigest::of(&response.data) == *digest;
            if let Some(digest) = wanted.filter(|digest| digests.contains(digest) && is_right(digest)) {
                fetched.insert(digest, response.data);
            }
        }
        Ok(())
    }

    async fn fetch_stream(&self, digest: BlobDigest) -> Result<Vec<u8>, CallError> {
        let is_compressed = self.abilities.compresses_streams;
        let kind = if is_compressed { "compressed-blobs/zstd" } else { "blobs" };
        let name = self.resource(&format!("{kind}/{}/{}", digest.hex(), digest.size));
        let bytes = self
            .patience
            .call("fetching a large result", || {
                let mut client = self.connection.bytes.clone();
                let request = ReadRequest { resource_name: name.clone(), read_offset: 0, read_limit: 0 };
                async move {
                    let mut pieces = client.read(request).await?.into_inner();
                    let mut bytes = Vec::new();
                    while let Some(piece) = pieces.message().await? {
                        bytes.extend_from_slice(&piece.data);
                    }
                    Ok(bytes)
                }
            })
            .await?;
        if !is_compressed {
            return Ok(bytes);
        }
        let mut plain = Vec::new();
        // Damaged bytes have another digest, which the caller notices.
        if let Ok(mut decoder) = ruzstd::decoding::StreamingDecoder::new(bytes.as_slice()) {
            let limited = Read::by_ref(&mut decoder).take(digest.size + 1);
            let _ = { limited }.read_to_end(&mut plain);
        }
        Ok(plain)
    }
}

/// The name of an upload: one that nobody else uses.
fn unique() -> String {
    let [high, low] = [0_u8, 1].map(|half| RandomState::new().hash_one((std::process::id(), half)));
    let digits = format!("{high:016x}{low:016x}");
    format!("{}-{}-4{}-8{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..])
}
