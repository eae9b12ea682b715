//! A candidate as it is sent: its files, the script of its steps, and what they need besides.

use crate::BlobDigest;
use crate::blobs::{Blobs, read_unnoticed};
use crate::merkle::{HashedTree, NotHashed, TreeHasher};
use crate::protocol::{Directory, DirectoryNode, FileNode};
use crate::steps::{Steps, quoted};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A candidate as a folder of an action.
#[derive(Clone, Debug)]
pub(crate) struct Parcel {
    /// The digest of the folder.
    pub(crate) folder: BlobDigest,
    pub(crate) blobs: Blobs,
    /// How many builds come before the test.
    pub(crate) builds: usize,
    /// The files of the candidate.
    pub(crate) files: HashMap<PathBuf, BlobDigest>,
}

/// What an earlier build has made, in the store of the cluster.
#[derive(Clone, Debug)]
pub(crate) struct WarmBuild {
    pub(crate) built: BlobDigest,
    /// The files that it was made of.
    pub(crate) files: HashMap<PathBuf, BlobDigest>,
}

impl Parcel {
    pub(crate) fn new(
        tree: HashedTree,
        steps: Steps,
        wanted: &[PathBuf],
        warm: Option<&WarmBuild>,
    ) -> Result<Self, NotHashed> {
        let HashedTree { root, mut blobs, files } = tree;
        let mut folder = Directory::default();
        let mut add = |name: &str, digest: BlobDigest| {
            let node =
                FileNode { name: name.into(), digest: Some(digest.to_message()), ..FileNode::default() };
            folder.files.push(node);
        };
        if let Some(warm) = warm {
            add("changed", blobs.add(&newer_files(warm, &files)));
        }
        add("steps", blobs.add(&steps.script));
        let lines = wanted.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\n"]);
        add("wanted", blobs.add(&lines.collect::<Vec<_>>().concat()));
        if let Some(warm) = warm {
            // The server has it: it is the output of an action there.
            add("warm.tar", warm.built);
        }
        let extras = extras(&steps.extras, &mut blobs)?;
        for (name, digest) in [("extras", extras), ("files", root)] {
            folder.directories.push(DirectoryNode { name: name.into(), digest: Some(digest.to_message()) });
        }
        Ok(Self { folder: blobs.add_message(&folder), blobs, builds: steps.builds, files })
    }
}

/// A script that makes the files newer that differ from those of an earlier build.
fn newer_files(warm: &WarmBuild, files: &HashMap<PathBuf, BlobDigest>) -> Vec<u8> {
    let mut changed: Vec<&Path> = files
        .iter()
        .filter(|(path, digest)| warm.files.get(*path) != Some(*digest))
        .map(|(path, _)| path.as_path())
        .collect();
    changed.sort_unstable();
    let mut script = b"cd \"$1\" || exit 1\n".to_vec();
    for path in changed {
        script.extend_from_slice(b"touch ./");
        script.extend(quoted(path.as_os_str().as_bytes()));
        script.push(b'\n');
    }
    script
}

/// The folder of files that the steps need besides the candidate.
fn extras(extras: &BTreeMap<String, PathBuf>, blobs: &mut Blobs) -> Result<BlobDigest, NotHashed> {
    let mut all = Directory::default();
    for (place, path) in extras {
        let (number, name) = place.split_once('/').unwrap_or(("0", place));
        let unreadable = |source: io::Error| NotHashed::Io { path: path.display().to_string(), source };
        let metadata = fs::metadata(path).map_err(unreadable)?;
        let mut folder = Directory::default();
        if metadata.is_dir() {
            let HashedTree { root, blobs: inner, .. } = TreeHasher::default().hash(path)?;
            blobs.add_all(inner);
            folder.directories.push(DirectoryNode { name: name.into(), digest: Some(root.to_message()) });
        } else {
            let digest = Some(blobs.add(&read_unnoticed(path).map_err(unreadable)?).to_message());
            let is_executable = metadata.permissions().mode() & 0o100 != 0;
            folder.files.push(FileNode { name: name.into(), digest, is_executable, node_properties: None });
        }
        let digest = Some(blobs.add_message(&folder).to_message());
        all.directories.push(DirectoryNode { name: number.into(), digest });
    }
    all.directories.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(blobs.add_message(&all))
}
