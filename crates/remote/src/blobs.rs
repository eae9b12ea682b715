//! The blobs that an action needs, and where their bytes are.

use crate::BlobDigest;
use crate::protocol::{Message, encoded};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Blobs by their digests.
#[derive(Clone, Debug, Default)]
pub struct Blobs(HashMap<BlobDigest, BlobSource>);

/// Where the bytes of a blob are.
#[derive(Clone, Debug)]
enum BlobSource {
    Bytes(Arc<[u8]>),
    File(PathBuf),
}

impl Blobs {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> BlobDigest {
        let digest = BlobDigest::of(bytes);
        self.0.entry(digest).or_insert_with(|| BlobSource::Bytes(bytes.into()));
        digest
    }

    /// Adds a message of the protocol.
    pub fn add_message(&mut self, message: &impl Message) -> BlobDigest {
        self.add(&encoded(message))
    }

    /// Adds a file whose digest is known.
    pub fn add_file(&mut self, digest: BlobDigest, path: PathBuf) {
        self.0.entry(digest).or_insert(BlobSource::File(path));
    }

    /// Adds other blobs.
    pub fn add_all(&mut self, others: Blobs) {
        for (digest, source) in others.0 {
            self.0.entry(digest).or_insert(source);
        }
    }

    /// All digests.
    pub fn digests(&self) -> impl Iterator<Item = BlobDigest> {
        self.0.keys().copied()
    }

    /// The bytes of a blob.
    ///
    /// # Errors
    /// If it cannot be read, or is not what it was.
    pub fn read(&self, digest: BlobDigest) -> io::Result<Arc<[u8]>> {
        let bytes = match self.0.get(&digest) {
            Some(BlobSource::Bytes(bytes)) => return Ok(Arc::clone(bytes)),
            Some(BlobSource::File(path)) => read_unnoticed(path)?,
            None => return Err(io::ErrorKind::NotFound.into()),
        };
        match BlobDigest::of(&bytes) == digest {
            true => Ok(bytes.into()),
            false => Err(io::Error::other("a file of the candidate has changed while it was sent")),
        }
    }
}

/// Reads a file without a trace in its time of access: that shows later which files the test has read.
pub(crate) fn read_unnoticed(path: &Path) -> io::Result<Vec<u8>> {
    let open = |flags| File::options().read(true).custom_flags(flags).open(path);
    // Only the owner of a file can read it in this way.
    let mut file = open(nix::libc::O_NOATIME).or_else(|_| open(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
