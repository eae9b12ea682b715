//! Unread input of streams and descriptors.
//!
//! A stream of the C library reads ahead: the position of the program is the position of the file minus the bytes that are
//! still in the buffer. To continue elsewhere, the buffer is emptied and the descriptor gets the other file and position.

use super::compare::{Comparison, FoundDifference};
use super::delta::DeltaKind;
use super::differences::DeltaSpot;
use super::patch::{BaseAddress, BasePatch, Template};
use super::side::StateSide;
use crate::Address;
use crate::graph::{OpenFile, Shape, VertexId};

/// Where glibc's `_IO_FILE` has `_IO_read_ptr`, `_IO_read_end`, `_IO_read_base` and `_fileno`.
const READ_POINTER: u64 = 8;
const READ_END: u64 = 16;
const READ_BASE: u64 = 24;
const DESCRIPTOR: u64 = 112;

/// A stream of one side.
#[derive(Clone, Copy, Debug)]
struct Stream {
    at: Address,
    vertex: Option<VertexId>,
}

impl Comparison<'_, '_> {
    /// Compares the unread input of all streams, then of descriptors without a stream.
    pub(super) fn unread(&mut self, standard_input: Option<Address>) {
        self.pair = self.pairs.all.len();
        let (here, there) = (streams(self.base, standard_input), streams(self.other, standard_input));
        for stream in &here {
            let Some(other) = self.same_stream(*stream, &there) else { continue };
            let (Some(base), Some(rest)) = (rest(self.base, stream.at), rest(self.other, other.at)) else {
                continue;
            };
            if (&base.path, base.position) != (&rest.path, rest.position) {
                self.read_elsewhere(*stream, other, base, rest);
            }
        }
        let owned = |side: &StateSide<'_>, streams: &[Stream]| -> Vec<i32> {
            streams.iter().filter_map(|stream| descriptor(side, stream.at)).collect()
        };
        let (owned_here, owned_there) = (owned(self.base, &here), owned(self.other, &there));
        for file in self.base.files {
            let number = file.descriptor;
            if owned_here.contains(&number) || owned_there.contains(&number) {
                continue;
            }
            match self.other.files.iter().find(|other| other.descriptor == number) {
                Some(other) if other == file => {}
                Some(other) => {
                    let name =
                        if number == 0 { "standard input".into() } else { format!("descriptor {number}") };
                    let words = [name, position(file), position(other)];
                    self.push_unread(None, vec![BasePatch::File(other.clone())], Some(words));
                }
                None => self.dropped += 1,
            }
        }
    }

    fn same_stream(&self, stream: Stream, there: &[Stream]) -> Option<Stream> {
        let is_same = |other: &&Stream| {
            let partner = stream.vertex.and_then(|vertex| {
                let object = self.base.vertex(vertex).object;
                self.pairs.of_base[object.0 as usize]
            });
            match (partner, other.vertex) {
                (Some(partner), Some(vertex)) => self.other.vertex(vertex).object == partner,
                _ => stream.at == other.at && !self.base.is_dynamic(stream.at),
            }
        };
        there.iter().find(is_same).copied()
    }

    fn read_elsewhere(&mut self, stream: Stream, other: Stream, base: OpenFile, rest: OpenFile) {
        let emptied = self.base.word(stream.at + READ_BASE).to_le_bytes();
        let place = match self.base.graph.object_at(stream.at) {
            Some(object) => BaseAddress::Base(object, stream.at + READ_POINTER - self.base.object(object).at),
            None => BaseAddress::Plain((stream.at + READ_POINTER).0),
        };
        let name = stream.vertex.map(|vertex| self.base.expression(vertex));
        let words = [name.unwrap_or_else(|| "standard input".into()), position(&base), position(&rest)];
        let file = OpenFile { descriptor: base.descriptor, ..rest };
        let patches = vec![
            BasePatch::Bytes(place, Template::plain([emptied, emptied].concat())),
            BasePatch::File(file),
        ];
        self.push_unread(stream.vertex.zip(other.vertex), patches, Some(words));
    }

    fn push_unread(
        &mut self,
        vertices: Option<(VertexId, VertexId)>,
        patches: Vec<BasePatch>,
        words: Option<[String; 3]>,
    ) {
        let descriptor = patches.iter().find_map(|patch| match patch {
            BasePatch::File(file) => Some(DeltaSpot::Descriptor(file.descriptor)),
            _ => None,
        });
        self.found.push(FoundDifference {
            vertices,
            spot: descriptor,
            kind: DeltaKind::Unread,
            pair: self.pair,
            patches,
            words,
            bonds: Vec::new(),
            lone: (None, None),
        });
    }
}

/// The streams of the graph, and standard input, which programs use without naming it.
fn streams(side: &StateSide<'_>, standard_input: Option<Address>) -> Vec<Stream> {
    let vertices = side.graph.vertices.iter().zip(0..);
    let mut streams: Vec<_> = vertices
        .filter(|(vertex, _)| vertex.shape == Shape::Stream)
        .map(|(vertex, number)| Stream { at: vertex.at, vertex: Some(VertexId(number)) })
        .collect();
    if let Some(at) = standard_input
        && !streams.iter().any(|stream| stream.at == at)
    {
        streams.push(Stream { at, vertex: None });
    }
    streams
}

fn descriptor(side: &StateSide<'_>, stream: Address) -> Option<i32> {
    Some(side.snapshot.number(stream + DESCRIPTOR, 4)? as u32 as i32)
}

/// The unread rest of a stream: its file, and the position of the program in it.
fn rest(side: &StateSide<'_>, stream: Address) -> Option<OpenFile> {
    let number = descriptor(side, stream)?;
    let file = side.files.iter().find(|file| file.descriptor == number)?;
    let read = side.word(stream + READ_POINTER);
    let buffered =
        side.word(stream + READ_END).checked_sub(read).filter(|buffered| *buffered <= file.position);
    Some(OpenFile { position: file.position - buffered.unwrap_or(0), ..file.clone() })
}

fn position(file: &OpenFile) -> String {
    format!("{} from byte {}", file.path.display(), file.position)
}
