//! An order of deltas in which each delta comes after what it needs (Tarjan 1972). So no prefix lacks a needed delta.

use super::needs::Needs;
use crate::{Configuration, DeltaId};
use std::collections::BTreeMap;

/// The deltas in an order in which each delta comes after what it needs. Deltas that need each other form one block.
/// Deltas that are related to few others come first, because they can be combined with anything.
pub(crate) fn blocks(deltas: &Configuration, needs: &[&Needs]) -> Vec<Vec<DeltaId>> {
    let mut walk = NeedsWalk { deltas, needs, seen: BTreeMap::new(), path: Vec::new(), blocks: Vec::new() };
    for delta in least_related_first(deltas, needs) {
        if !walk.seen.contains_key(&delta) {
            walk.from(delta);
        }
    }
    walk.blocks
}

/// Where a difference is cut, in sixteenths of its size, the best cut first.
pub(crate) const CUTS: [usize; 7] = [4, 8, 2, 12, 6, 10, 14];

/// The same for deltas that can mostly be resolved.
pub(crate) const HALVES_FIRST: [usize; 7] = [8, 4, 12, 2, 6, 10, 14];

/// A prefix of about this many sixteenths of the deltas. It lacks no delta that is known to be needed and, if possible, no
/// delta that is assumed to be needed.
pub(crate) fn prefix(
    deltas: &Configuration,
    assumed: &[&Needs],
    known: &Needs,
    sixteenths: usize,
) -> Option<Configuration> {
    let target = deltas.len() * sixteenths / 16;
    let penalty = deltas.len() / 8;
    let (mut order, mut best) = (Vec::new(), None);
    let mut offer = |len: usize, penalty: usize| {
        let cost = len.abs_diff(target) + penalty;
        if len > 0 && len < deltas.len() && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, len));
        }
    };
    let all: Vec<&Needs> = assumed.iter().copied().chain([known]).collect();
    for block in blocks(deltas, &all) {
        let inner = blocks(&block.into_iter().collect(), &[known]);
        let (last, first) = (inner.len() - 1, order.len());
        for (i, inner) in inner.into_iter().enumerate() {
            order.extend(inner);
            offer(order.len(), if i == last || first == order.len() { 0 } else { penalty });
        }
    }
    let (_, len) = best?;
    Some(order[..len].iter().copied().collect())
}

/// The deltas, ordered by how many others they are related to, directly or indirectly.
fn least_related_first(deltas: &Configuration, needs: &[&Needs]) -> Vec<DeltaId> {
    let members: Vec<DeltaId> = deltas.iter().collect();
    let mut leader: BTreeMap<DeltaId, DeltaId> = members.iter().map(|delta| (*delta, *delta)).collect();
    fn led(leader: &BTreeMap<DeltaId, DeltaId>, mut delta: DeltaId) -> DeltaId {
        while leader[&delta] != delta {
            delta = leader[&delta];
        }
        delta
    }
    for &delta in &members {
        let needed = needs.iter().flat_map(|needs| needs.of(delta));
        for needed in needed.filter(|needed| deltas.contains(*needed)) {
            let (one, other) = (led(&leader, delta), led(&leader, needed));
            leader.insert(one.max(other), one.min(other));
            // Keeps the paths to the leaders short.
            leader.insert(delta, one.min(other));
        }
    }
    let leaders: Vec<DeltaId> = members.iter().map(|delta| led(&leader, *delta)).collect();
    let mut sizes: BTreeMap<DeltaId, usize> = BTreeMap::new();
    leaders.iter().for_each(|leader| *sizes.entry(*leader).or_default() += 1);
    let mut keyed: Vec<(usize, DeltaId, DeltaId)> =
        leaders.iter().zip(&members).map(|(leader, delta)| (sizes[leader], *leader, *delta)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, delta)| delta).collect()
}

/// A depth-first walk along the needs.
struct NeedsWalk<'a> {
    deltas: &'a Configuration,
    needs: &'a [&'a Needs],
    /// When the walk first met each delta, or `usize::MAX` after its block is known.
    seen: BTreeMap<DeltaId, usize>,
    /// Deltas whose block is not known yet, in the order in which the walk met them.
    path: Vec<DeltaId>,
    blocks: Vec<Vec<DeltaId>>,
}

/// A delta on the path, its needs that were not visited yet, and the earliest delta on the path that it reaches.
struct NeedsVisit {
    delta: DeltaId,
    open: Vec<DeltaId>,
    met: usize,
    earliest: usize,
}

impl NeedsWalk<'_> {
    fn from(&mut self, first: DeltaId) {
        let mut visits = vec![self.enter(first)];
        while let Some(visit) = visits.last_mut() {
            if let Some(next) = visit.open.pop() {
                match self.seen.get(&next) {
                    Some(met) => visit.earliest = visit.earliest.min(*met),
                    None => {
                        let visit = self.enter(next);
                        visits.push(visit);
                    }
                }
                continue;
            }
            let (delta, met, earliest) = (visit.delta, visit.met, visit.earliest);
            visits.pop();
            if let Some(before) = visits.last_mut() {
                before.earliest = before.earliest.min(earliest);
            }
            if earliest == met {
                self.close(delta);
            }
        }
    }

    fn enter(&mut self, delta: DeltaId) -> NeedsVisit {
        let met = self.seen.len();
        self.seen.insert(delta, met);
        self.path.push(delta);
        let all = self.needs.iter().flat_map(|needs| needs.of(delta));
        let mut open: Vec<DeltaId> = all.filter(|needed| self.deltas.contains(*needed)).collect();
        open.sort_unstable_by(|one, other| other.cmp(one));
        NeedsVisit { delta, open, met, earliest: met }
    }

    /// Closes a block: the delta and all deltas after it on the path.
    fn close(&mut self, delta: DeltaId) {
        let start = self.path.iter().rposition(|other| *other == delta).unwrap_or_default();
        let mut block = self.path.split_off(start);
        block.iter().for_each(|delta| {
            self.seen.insert(*delta, usize::MAX);
        });
        block.sort_unstable();
        self.blocks.push(block);
    }
}
