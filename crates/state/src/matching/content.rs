//! The content of an object as a hash. Pointers are left out, because addresses differ from run to run.

use super::side::{Meant, StateSide, digest, mix};
use crate::graph::{MemoryObjectId, Shape, VertexId};

/// At most this number of objects that an object points to counts as its content.
const NEIGHBOURS: usize = 16;

/// The content of the objects of one side. Each object is read at most once.
pub(super) struct ObjectContents {
    own: Vec<Option<Own>>,
}

/// The content of an object itself, including the texts that it points to.
#[derive(Clone, Copy)]
struct Own {
    all: u64,
    /// The first text or number, which often identifies it.
    first: Option<u64>,
}

impl ObjectContents {
    pub(super) fn new(side: &StateSide<'_>) -> Self {
        Self { own: vec![None; side.graph.objects.len()] }
    }

    /// Objects of the same class can be the same; `None` for objects that are not paired by content.
    pub(super) fn class(side: &StateSide<'_>, object: MemoryObjectId) -> Option<u64> {
        if !side.is_anonymous(object) {
            return None;
        }
        let vertex = side.vertex(side.object(object).vertex);
        let shape = match vertex.shape {
            Shape::Scalar(size) => mix(1, u64::from(size)),
            Shape::Bits(_) => 2,
            Shape::Pointer => 3,
            Shape::Record => 4,
            Shape::Array(_) => 5,
            Shape::Text(_) => 6,
            Shape::Stream => 7,
        };
        Some(mix(shape, u64::from(vertex.ty.0)))
    }

    /// Its own content and that of its neighbours; `None` if there is none.
    pub(super) fn deep(&mut self, side: &StateSide<'_>, object: MemoryObjectId) -> Option<u64> {
        let class = Self::class(side, object);
        let mut digest = self.own(side, object).first.map(|_| self.own(side, object).all);
        let mut left = NEIGHBOURS;
        let mut neighbours = Vec::new();
        side.leaves(side.object(object).vertex, |leaf| {
            if left > 0 && side.vertex(leaf.vertex).shape == Shape::Pointer {
                let target = side.target(leaf.vertex).filter(|target| *target != object);
                if let Some(target) = target.filter(|target| Self::class(side, *target) != class) {
                    left -= 1;
                    neighbours.push(target);
                }
            }
        });
        for target in neighbours {
            let own = self.own(side, target);
            if own.first.is_some() {
                digest = Some(mix(digest.unwrap_or(0), own.all));
            }
        }
        digest.map(|digest| mix(digest, class.unwrap_or(0)))
    }

    /// Its own content; `None` if there is none.
    pub(super) fn shallow(&mut self, side: &StateSide<'_>, object: MemoryObjectId) -> Option<u64> {
        let own = self.own(side, object);
        own.first.map(|_| mix(own.all, Self::class(side, object).unwrap_or(0)))
    }

    /// The first number or text of it; `None` if there is none.
    pub(super) fn first(&mut self, side: &StateSide<'_>, object: MemoryObjectId) -> Option<u64> {
        let first = self.own(side, object).first?;
        Some(mix(first, Self::class(side, object).unwrap_or(0)))
    }

    fn own(&mut self, side: &StateSide<'_>, object: MemoryObjectId) -> Own {
        let slot = &mut self.own[object.0 as usize];
        *slot.get_or_insert_with(|| {
            let mut own = Own { all: 0, first: None };
            side.leaves(side.object(object).vertex, |leaf| {
                if let Some(content) = content(side, leaf.vertex) {
                    own.all = mix(own.all, content);
                    own.first = own.first.or(Some(content));
                }
            });
            own
        })
    }
}

/// A hash of a leaf, without addresses.
fn content(side: &StateSide<'_>, leaf: VertexId) -> Option<u64> {
    let vertex = side.vertex(leaf);
    match vertex.shape {
        Shape::Scalar(8) => match side.meant(side.word(vertex.at)) {
            Meant::Plain(word) => Some(word),
            _ => None,
        },
        Shape::Scalar(size) => side.bytes(vertex.at, size.into()).map(digest),
        Shape::Text(size) => side.bytes(vertex.at, size.into()).map(digest),
        Shape::Bits(bits) => {
            let bytes = side.bytes(vertex.at, side.length(leaf))?;
            Some(super::patch::bits_of(bytes, bits))
        }
        Shape::Pointer => {
            let text = side.graph.edges_of(leaf).first()?.to;
            let is_text = matches!(side.vertex(text).shape, Shape::Text(_));
            is_text.then(|| content(side, text)).flatten()
        }
        Shape::Record | Shape::Array(_) | Shape::Stream => None,
    }
}
