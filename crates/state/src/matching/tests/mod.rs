//! Comparisons of states of a made-up program.
//!
//! | file | idea |
//! |---|---|
//! | `made_up`, `model` | a program with all kinds of structures; its states as values |
//! | `canonical` | an independent reader of its memory |
//! | `stories`, `properties` | small states with known deltas; random states |

mod canonical;
mod made_up;
mod model;
mod properties;
mod stories;

use super::{DeltaKind, Differences};
use crate::Address;
use howcome_dd::Configuration;
use made_up::{MadeUp, MadeUpHeap};
use model::Model;

/// What differs between two states.
fn between(base: &MadeUpHeap, other: &MadeUpHeap) -> Differences {
    Differences::of(&MadeUp, None, &base.state(), &other.state())
}

/// The base with some deltas.
fn altered(base: &MadeUpHeap, differences: &Differences, configuration: &Configuration) -> MadeUpHeap {
    let mut heap = base.clone();
    let allocated: Vec<Address> =
        differences.allocations.iter().map(|size| Address(heap.allocate(*size))).collect();
    let alterations = differences.alterations(configuration, &allocated);
    for (at, bytes) in alterations.writes {
        heap.write(at.0, &bytes);
    }
    heap
}

fn all(differences: &Differences) -> Configuration {
    Configuration::all(differences.deltas.len() as u32)
}

/// The deltas in words.
fn told(differences: &Differences) -> Vec<String> {
    let tell = |delta: &super::StateDelta| {
        format!("{:?} {}: {} -> {}", delta.kind, delta.variable, delta.base, delta.other)
    };
    differences.deltas.iter().map(tell).collect()
}
