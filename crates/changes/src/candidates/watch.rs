//! Which files of a folder something has touched. The kernel reports them, so that not all files have to be checked.

use crate::trees::tree_path::TreePath;
use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};
use std::collections::{BTreeSet, HashMap};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Watches some folders.
#[derive(Debug)]
pub(crate) struct Watch {
    inotify: Inotify,
    /// Each with its path in the tree, which is empty at the top.
    folders: HashMap<WatchDescriptor, Vec<u8>>,
    watched: BTreeSet<Vec<u8>>,
}

/// What has happened since the last call.
pub(crate) enum Touched {
    /// These files, among others that did not exist before.
    Paths(BTreeSet<TreePath>),
    /// Too many files to report one by one.
    Anything,
}

impl Watch {
    /// `None` if the system does not allow so many watches.
    pub(crate) fn over<'a>(root: &Path, paths: impl Iterator<Item = &'a TreePath>) -> Option<Self> {
        let inotify = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK).ok()?;
        let mut watch = Self { inotify, folders: HashMap::new(), watched: BTreeSet::new() };
        watch.extend(root, paths).then_some(watch)
    }

    /// Watches the folders of more files. Returns whether it can.
    pub(crate) fn extend<'a>(&mut self, root: &Path, paths: impl Iterator<Item = &'a TreePath>) -> bool {
        let flags = AddWatchFlags::IN_MODIFY
            | AddWatchFlags::IN_ATTRIB
            | AddWatchFlags::IN_CREATE
            | AddWatchFlags::IN_DELETE
            | AddWatchFlags::IN_MOVED_FROM
            | AddWatchFlags::IN_MOVED_TO
            | AddWatchFlags::IN_DONT_FOLLOW
            | AddWatchFlags::IN_ONLYDIR;
        for path in paths {
            for folder in std::iter::once(&b""[..]).chain(path.directories()) {
                if self.watched.contains(folder) {
                    continue;
                }
                let place = root.join(Path::new(std::ffi::OsStr::from_bytes(folder)));
                let Ok(descriptor) = self.inotify.add_watch(&place, flags) else { return false };
                self.folders.insert(descriptor, folder.to_vec());
                self.watched.insert(folder.to_vec());
            }
        }
        true
    }

    /// What was touched since the last call. If a folder is replaced, anything can have changed.
    pub(crate) fn take(&mut self) -> Touched {
        let mut paths = BTreeSet::new();
        loop {
            let events = match self.inotify.read_events() {
                Ok(events) => events,
                Err(Errno::EAGAIN) => return Touched::Paths(paths),
                Err(_) => return Touched::Anything,
            };
            for event in events {
                let lost =
                    AddWatchFlags::IN_Q_OVERFLOW | AddWatchFlags::IN_IGNORED | AddWatchFlags::IN_UNMOUNT;
                let Some(folder) = self.folders.get(&event.wd).filter(|_| !event.mask.intersects(lost))
                else {
                    return Touched::Anything;
                };
                let Some(name) = event.name else { continue };
                let path = match folder.is_empty() {
                    true => name.as_bytes().to_vec(),
                    false => [folder, &b"/"[..], name.as_bytes()].concat(),
                };
                if self.watched.contains(&path)
                    && event.mask.intersects(
                        AddWatchFlags::IN_MOVED_TO
                            | AddWatchFlags::IN_CREATE
                            | AddWatchFlags::IN_MOVED_FROM
                            | AddWatchFlags::IN_DELETE,
                    )
                {
                    return Touched::Anything;
                }
                paths.extend(TreePath::new(&path));
            }
        }
    }
}
