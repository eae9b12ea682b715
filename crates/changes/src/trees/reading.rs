//! Reads many entries at once.

use super::contents::ContentStore;
use super::entry::{LoadedEntry, TreeEntry};
use super::tree_error::TreeError;
use super::tree_path::TreePath;
use std::io;
use std::sync::Arc;

/// Entries of the same store, by their numbers, each with its identity there.
struct Batch<'a> {
    store: Arc<dyn ContentStore>,
    entries: Vec<(usize, &'a [u8])>,
}

/// Passes on the bytes of all entries, each with its number, in any order. Entries of the same store are read together.
///
/// # Errors
/// If one of them cannot be read or passed on.
pub(crate) fn read_each(
    entries: &[&TreeEntry],
    mut pass_on: impl FnMut(usize, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let Some((store, identity)) = entry.contents.store().zip(entry.contents.identity()) else {
            pass_on(number, &entry.contents.read()?)?;
            continue;
        };
        match batches.iter_mut().find(|batch| Arc::ptr_eq(&batch.store, &store)) {
            Some(batch) => batch.entries.push((number, identity)),
            None => batches.push(Batch { store, entries: vec![(number, identity)] }),
        }
    }
    for Batch { store, entries } in batches {
        let identities: Vec<&[u8]> = entries.iter().map(|(_, identity)| *identity).collect();
        store.read_each(&identities, &mut |place, bytes| pass_on(entries[place].0, &bytes))?;
    }
    Ok(())
}

/// Passes on the bytes of all entries that can be read, each with its number, in any order.
pub(crate) fn read_readable(entries: &[&TreeEntry], mut pass_on: impl FnMut(usize, &[u8])) {
    let mut is_passed = vec![false; entries.len()];
    let mut pass_on_once = |number: usize, bytes: &[u8]| {
        if !std::mem::replace(&mut is_passed[number], true) {
            pass_on(number, bytes);
        }
    };
    let read = read_each(entries, |number, bytes| {
        pass_on_once(number, bytes);
        Ok(())
    });
    if read.is_err() {
        // One by one: the entry that cannot be read has stopped the others.
        for (number, entry) in entries.iter().enumerate() {
            if let Ok(bytes) = entry.contents.read() {
                pass_on_once(number, &bytes);
            }
        }
    }
}

/// Reads all entries. The paths are used in errors.
pub(crate) fn load_all(entries: &[(&TreePath, &TreeEntry)]) -> Result<Vec<LoadedEntry>, TreeError> {
    let unread: Vec<&TreeEntry> = entries.iter().map(|(_, entry)| *entry).collect();
    let mut bytes: Vec<Option<Arc<[u8]>>> = vec![None; entries.len()];
    let read = read_each(&unread, |number, content| {
        bytes[number] = Some(content.into());
        Ok(())
    });
    let load = |((path, entry), bytes): (&(&TreePath, &TreeEntry), Option<Arc<[u8]>>)| match bytes {
        Some(bytes) if read.is_ok() => Ok(LoadedEntry { kind: entry.kind, bytes }),
        // One by one, to name the entry that cannot be read.
        _ => LoadedEntry::read(path, entry),
    };
    entries.iter().zip(bytes).map(load).collect()
}
