//! From differences to deltas: merged, in order, in words.

use super::bond::Bond;
use super::compare::{Comparison, FoundDifference};
use super::delta::{DeltaKind, StateDelta};
use super::differences::{DeltaSpot, Differences};
use super::merge::merged;
use super::pairs::Pairs;
use super::plan::AlterationPlan;
use super::side::StateSide;
use crate::Address;
use crate::debug::Program;
use crate::graph::{Declarations, MemoryObjectId, ProgramState, Shape, VertexId};
use howcome_dd::DeltaId;
use std::collections::HashMap;

/// The name of the C library's stream for standard input.
const STANDARD_INPUT: &str = "_IO_2_1_stdin_";

/// The position of a delta: its module, its variable, its object, then the order in which it was found.
type DeltaOrder = (u32, u32, usize, usize);

impl Differences {
    /// Compares two states of one program at the same place. The base is the one that will be altered.
    #[must_use]
    pub fn between(program: &Program, base: &ProgramState, other: &ProgramState) -> Self {
        Self::of(program, program.symbol(STANDARD_INPUT), base, other)
    }

    /// The same for any declarations, given the address of the stream for standard input.
    pub(super) fn of(
        program: &dyn Declarations,
        standard_input: Option<Address>,
        base: &ProgramState,
        other: &ProgramState,
    ) -> Self {
        let (base, other) = StateSide::both(program, base, other);
        let pairs = Pairs::of(&base, &other);
        let mut comparison = Comparison::of(&base, &other, &pairs);
        comparison.unread(standard_input);
        collect_deltas(comparison)
    }
}

/// Makes the deltas of a comparison.
fn collect_deltas(mut comparison: Comparison<'_, '_>) -> Differences {
    let mut lists: Vec<(DeltaOrder, Vec<usize>)> =
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
    let plan = AlterationPlan { patches, blocks, resizings, objects };
    let allocations = plan.allocations();
    let (dropped, common) = (comparison.dropped, comparison.common);
    Differences { deltas, dropped, common, allocations, plan, spots, by_spot }
}

fn order(comparison: &Comparison<'_, '_>, list: &[usize]) -> DeltaOrder {
    let first = list[0];
    let pair = comparison.found[first].pair;
    let root = comparison.pairs.all.get(pair).map_or(u32::MAX, |pair| pair.root);
    let module = comparison.pairs.roots.get(root as usize).map_or(u32::MAX, |root| root.module);
    (module, root, pair, first)
}

fn spots(found: &[FoundDifference], list: &[usize]) -> Vec<(DeltaSpot, DeltaSpot)> {
    let spot = |index: &usize| match found[*index].vertices {
        Some((base, other)) => Some((DeltaSpot::Vertex(base), DeltaSpot::Vertex(other))),
        None => found[*index].spot.map(|spot| (spot, spot)),
    };
    list.iter().filter_map(spot).collect()
}

fn delta(comparison: &Comparison<'_, '_>, list: &[usize], group: [u32; 3]) -> StateDelta {
    let members = || list.iter().map(|index| &comparison.found[*index]);
    let container = members().flat_map(|found| &found.bonds).find_map(|bond| match bond {
        Bond::Container(vertices) => Some(*vertices),
        _ => None,
    });
    // The most telling member: an object that is copied, else one that is lost, else the first.
    let of_kind = |kind| members().find(|found| found.kind == kind);
    let said = of_kind(DeltaKind::Created)
        .or_else(|| of_kind(DeltaKind::Deleted))
        .unwrap_or(&comparison.found[list[0]]);
    let kind = said.kind;
    let is_container = container.is_some() && list.len() > 1;
    let vertices = if is_container { container } else { said.vertices };
    let words = said.words.clone().filter(|_| !is_container);
    let leftovers = members().filter(|found| found.bonds.contains(&Bond::Leftovers)).count();
    let words = match leftovers {
        0 | 1 => words,
        count => words
            .map(|[first, base, other]| [format!("{first} and the rest of {count} buffers"), base, other]),
    };
    let [variable, base, other] = words
        .unwrap_or_else(|| vertices.map(|vertices| in_words(comparison, vertices, kind)).unwrap_or_default());
    StateDelta { variable, base, other, kind, vertices, group }
}

fn in_words(
    comparison: &Comparison<'_, '_>,
    (base, other): (VertexId, VertexId),
    kind: DeltaKind,
) -> [String; 3] {
    let (here, there) = (comparison.base, comparison.other);
    let variable = here.expression(base);
    let pairs = comparison.pairs;
    // An object that both runs have is named as the run names it that reaches it by another path.
    let names = (kind == DeltaKind::Redirected).then(|| {
        let by_other = name(here, base, &pairs.of_base, there, other);
        (by_other, name(there, other, &pairs.of_other, here, base))
    });
    let (base_name, other_name) = names.unwrap_or_default();
    let base = base_name.unwrap_or_else(|| here.value(base));
    [variable, base, other_name.unwrap_or_else(|| there.value(other))]
}

/// The name of a pointer's target in the run on the other side. There the pointer leads elsewhere, so the target has another
/// name. `None` for texts, which are better quoted, and if this run has another name for it anyway.
fn name(
    side: &StateSide<'_>,
    pointer: VertexId,
    partners: &[Option<MemoryObjectId>],
    elsewhere: &StateSide<'_>,
    pointer_there: VertexId,
) -> Option<String> {
    let target = side.target(pointer)?;
    let vertex = side.object(target).vertex;
    let leads_to_start = side.word(side.vertex(pointer).at) == side.object(target).at.0;
    let is_record = side.vertex(vertex).shape == Shape::Record;
    if !leads_to_start || !is_record || side.vertex(vertex).parent != Some(pointer) {
        return None;
    }
    let partner = elsewhere.object(partners[target.0 as usize]?).vertex;
    if elsewhere.vertex(partner).parent == Some(pointer_there) {
        return None;
    }
    let expression = elsewhere.expression(partner);
    Some(match expression.strip_prefix('*') {
        Some(pointer) => pointer.to_owned(),
        None => format!("&{expression}"),
    })
}
