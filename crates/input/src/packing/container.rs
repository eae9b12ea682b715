//! What comes out of a container when it is opened, and what is remembered to pack it again.

use crate::{DocumentPart, Packing, Piece, PieceKind};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// What is asked to be opened.
pub(super) struct SealedFile<'a> {
    pub(super) name: &'a OsStr,
    pub(super) bytes: &'a [u8],
    /// How many bytes may come out of it.
    pub(super) room: usize,
}

/// What came out: how to pack it again, and the members.
pub(super) type OpenedContainer = (Arc<dyn Packing>, Vec<Piece>);

/// A member that is bytes, and perhaps a text in a language that its name tells.
pub(super) fn member(name: impl Into<OsString>, bytes: Vec<u8>) -> Piece {
    let name = name.into();
    let kind = PieceKind::Part(Arc::new(DocumentPart::of(&name, bytes)));
    Piece { name, inside: 0, mode: 0o644, kind }
}

/// What archives know of their members besides names and contents. Names are made unique to find it again.
#[derive(Debug)]
pub(super) struct MemberRecords<R> {
    of: HashMap<OsString, R>,
    /// How many there are of a name, where there are more.
    twins: HashMap<OsString, u32>,
}

impl<R> MemberRecords<R> {
    pub(super) fn new() -> Self {
        Self { of: HashMap::new(), twins: HashMap::new() }
    }

    /// The name of the member that this is known of.
    pub(super) fn add(&mut self, name: OsString, record: R) -> OsString {
        let mut unique = name.clone();
        while self.of.contains_key(&unique) {
            let count = self.twins.entry(name.clone()).or_insert(1);
            *count += 1;
            // Behind a slash, it is in a folder with the others.
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
