//! From differences to deltas: merged, in order, in words.

use super::compare::{Comparison, Found};
use super::merge::{Bond, merged};
use super::patch::Patch;
use super::plan::Plan;
use super::{Delta, Differences, Kind};
use crate::graph::VertexId;
use howcome_dd::DeltaId;
use std::collections::HashMap;

/// Something that a delta changes, the same in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Spot {
    /// A value.
    Vertex(VertexId),
    /// An open file that belongs to no vertex.
    Descriptor(i32),
}

/// Where a delta stands: its module, its variable, its object, then as it was found.
type Order = (u32, u32, usize, usize);

/// Makes the deltas of a comparison.
pub(super) fn of(mut comparison: Comparison<'_, '_>) -> Differences {
    let mut lists: Vec<(Order, Vec<usize>)> =
        merged(&comparison).into_iter().map(|list| (order(&comparison, &list), list)).collect();
    lists.sort_unstable();
    let mut deltas = Vec::with_capacity(lists.len());
    let mut group = [0; 3];
    for (index, (order, list)) in lists.iter().enumerate() {
        if let Some(previous) = index.checked_sub(1).map(|previous| lists[previous].0) {
            group[0] += u32::from(order.0 != previous.0);
            group[1] += u32::from((order.0, order.1) != (previous.0, previous.1));
            group[2] += u32::from((order.0, order.1, order.2) != (previous.0, previous.1, previous.2));
        }
        deltas.push(delta(&comparison, list, group));
    }
    let spots: Vec<Vec<_>> = lists.iter().map(|(_, list)| spots(&comparison.found, list)).collect();
    let mut by_spot = HashMap::new();
    for (spots, delta) in spots.iter().zip(0..) {
        by_spot.extend(spots.iter().map(|spot| (*spot, DeltaId(delta))));
    }
    let mut take = |index: &usize| std::mem::take(&mut comparison.found[*index].patches);
    let patches = lists.iter().map(|(_, list)| list.iter().flat_map(&mut take).collect()).collect();
    let objects = comparison.base.graph.objects.iter().map(|object| object.at).collect();
    let (blocks, resizings) = (comparison.carrier.blocks, comparison.resizings);
    let plan = Plan { patches, blocks, resizings, objects };
    let allocations = plan.allocations();
    Differences { deltas, dropped: comparison.dropped, allocations, plan, spots, by_spot }
}

fn order(comparison: &Comparison<'_, '_>, list: &[usize]) -> Order {
    let first = list[0];
    let pair = comparison.found[first].pair;
    let root = comparison.pairs.all.get(pair).map_or(u32::MAX, |pair| pair.root);
    let module = comparison.pairs.roots.get(root as usize).map_or(u32::MAX, |root| root.module);
    (module, root, pair, first)
}

fn spots(found: &[Found], list: &[usize]) -> Vec<(Spot, Spot)> {
    let mut spots = Vec::with_capacity(list.len());
    for index in list {
        match found[*index].vertices {
            Some((base, other)) => spots.push((Spot::Vertex(base), Spot::Vertex(other))),
            None => spots.extend(found[*index].patches.iter().filter_map(|patch| match patch {
                Patch::File(file) => {
                    Some((Spot::Descriptor(file.descriptor), Spot::Descriptor(file.descriptor)))
                }
                _ => None,
            })),
        }
    }
    spots
}

fn delta(comparison: &Comparison<'_, '_>, list: &[usize], group: [u32; 3]) -> Delta {
    let members = || list.iter().map(|index| &comparison.found[*index]);
    let container = members().flat_map(|found| &found.bonds).find_map(|bond| match bond {
        Bond::Container(vertices) => Some(*vertices),
        _ => None,
    });
    // The member that says most: what is made, else what is lost, else the first.
    let of_kind = |kind| members().find(|found| found.kind == kind);
    let said =
        of_kind(Kind::Created).or_else(|| of_kind(Kind::Deleted)).unwrap_or(&comparison.found[list[0]]);
    let kind = said.kind;
    let is_container = container.is_some() && list.len() > 1;
    let vertices = if is_container { container } else { said.vertices };
    let words = said.words.clone().filter(|_| !is_container);
    let [variable, base, other] =
        words.unwrap_or_else(|| vertices.map(|vertices| in_words(comparison, vertices)).unwrap_or_default());
    Delta { variable, base, other, kind, vertices, group }
}

fn in_words(comparison: &Comparison<'_, '_>, (base, other): (VertexId, VertexId)) -> [String; 3] {
    let (here, there) = (comparison.base, comparison.other);
    let variable = here.expression(base);
    let base = here.value(base);
    let other = there.value(other);
    [variable, base, other]
}
