//! What a container holds, and what is remembered to pack it again.

use crate::{DocumentPart, Packing, Piece, PieceKind};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// A file that might be a container.
pub(super) struct SealedFile<'a> {
    pub(super) name: &'a OsStr,
    pub(super) bytes: &'a [u8],
    /// How many bytes can be unpacked at most.
    pub(super) room: usize,
}

/// How to pack the container again, and its members.
pub(super) type OpenedContainer = (Arc<dyn Packing>, Vec<Piece>);

/// A member. Its name and its first bytes decide about its language.
pub(super) fn member(name: impl Into<OsString>, bytes: Vec<u8>) -> Piece {
    let name = name.into();
    let kind = PieceKind::Part(Arc::new(DocumentPart::of(&name, bytes)));
    Piece { name, inside: 0, mode: 0o644, kind }
}

/// What an archive knows about its members besides names and contents. Names are made unique, so that each member is found
/// again.
#[derive(Debug)]
pub(super) struct MemberRecords<R> {
    of: HashMap<OsString, R>,
    /// How many members have the same name, if there are several.
    twins: HashMap<OsString, u32>,
}

impl<R> MemberRecords<R> {
    pub(super) fn new() -> Self {
        Self { of: HashMap::new(), twins: HashMap::new() }
    }

    /// Remembers a record for a member, and returns the member's unique name.
    pub(super) fn add(&mut self, name: OsString, record: R) -> OsString {
        let mut unique = name.clone();
        while self.of.contains_key(&unique) {
            let count = self.twins.entry(name.clone()).or_insert(1);
            *count += 1;
            // After a slash, so that members of the same name are in one folder.
            unique = name.clone();
            unique.push(format!("/{count}"));
        }
        self.of.insert(unique.clone(), record);
        unique
    }

    pub(super) fn get(&self, name: &OsStr) -> Option<&R> {
        self.of.get(name)
    }
}
