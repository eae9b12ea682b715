//! Isolation along an order (Zeller 2002, Figure 2, with the splitting that Table I of the paper assumes).

use crate::{Answer, Ask, Configuration, Difference, Isolate, Outcome, Question, Search, Split, Step};
use std::sync::Arc;

/// Isolates the difference between nothing and everything if the deltas have an order whose prefixes make sense, such as
/// the parts of a text in the order in which they are written. The difference it finds is always 1-minimal.
///
/// A seam is a position at which the order can be cut. While there are seams, each question is a prefix, so this is a
/// binary search. Kinds of seams whose cuts are often unresolved are used less. What has no seam inside is left to
/// [`Isolate`].
#[derive(Clone, Debug)]
pub struct IsolateInOrder {
    seams: Arc<[Vec<u32>]>,
    /// For each kind of seam, how many cuts were resolved and how many were unresolved.
    tallies: Vec<[u32; 2]>,
    /// The unresolved cuts.
    unresolved: Vec<u32>,
    /// The length of the longest prefix that passes.
    passes: u32,
    /// The length of the shortest prefix that fails.
    fails: u32,
    /// How many cuts can be unresolved before the search stops cutting at seams.
    most_unresolved: u32,
    failing: Configuration,
    phase: OrderPhase,
}

#[derive(Clone, Debug)]
enum OrderPhase {
    /// The order is cut at a seam.
    Cut {
        kind: usize,
        at: u32,
    },
    Inside(Isolate),
}

/// At most this many deltas without a seam are tried one by one.
const FEW: u32 = 8;

impl IsolateInOrder {
    /// Isolates the difference between none and all deltas. A seam at 3 is before `DeltaId(3)`. Seams are given by kind,
    /// the most promising kind first.
    #[must_use]
    pub fn new(deltas: u32, mut seams: Vec<Vec<u32>>) -> Self {
        for kind in &mut seams {
            kind.sort_unstable();
            kind.dedup();
        }
        let all: usize = seams.iter().map(Vec::len).sum();
        let failing = Configuration::all(deltas);
        let mut search = Self {
            tallies: vec![[0; 2]; seams.len()],
            seams: seams.into(),
            unresolved: Vec::new(),
            passes: 0,
            fails: deltas,
            most_unresolved: 2 * all.max(1).ilog2() + 6,
            phase: OrderPhase::Inside(Isolate::new(Configuration::empty(), failing.clone())),
            failing,
        };
        search.plan();
        search
    }

    fn plan(&mut self) {
        self.failing = Configuration::all(self.fails);
        self.phase = match self.best_cut() {
            Some((kind, at)) => OrderPhase::Cut { kind, at },
            None => OrderPhase::Inside(self.inside()),
        };
    }

    /// The cut that is expected to tell the most.
    fn best_cut(&self) -> Option<(usize, u32)> {
        if self.unresolved.len() as u32 > self.most_unresolved {
            return None;
        }
        let size = f64::from(self.fails - self.passes);
        // Cuts next to an unresolved cut are probably unresolved too.
        let mut distance = (self.fails - self.passes) / 16;
        loop {
            let cuts = (0..self.seams.len()).flat_map(|kind| {
                self.nearest_to_the_middle(kind, distance).into_iter().flatten().map(move |at| (kind, at))
            });
            let tells = |&(kind, at): &(usize, u32)| {
                entropy(f64::from(at - self.passes) / size) * (1.0 - self.risk(kind))
            };
            let best = cuts.max_by(|a, b| tells(a).total_cmp(&tells(b)).then(b.cmp(a)));
            if best.is_some() || distance == 0 {
                return best;
            }
            distance /= 2;
        }
    }

    /// How likely a cut at this kind of seam is unresolved.
    fn risk(&self, kind: usize) -> f64 {
        let [resolved, unresolved] = self.tallies[kind];
        let before = [0.05, 0.15, 0.35].get(kind).copied().unwrap_or(0.5);
        (4.0 * before + f64::from(unresolved)) / (4.0 + f64::from(resolved + unresolved))
    }

    /// The nearest seam on each side of the middle that is further than `distance` from all unresolved cuts.
    fn nearest_to_the_middle(&self, kind: usize, distance: u32) -> [Option<u32>; 2] {
        let seams = &self.seams[kind];
        let middle = self.passes + (self.fails - self.passes) / 2;
        let near = |at: u32| self.unresolved.iter().find(|tried| tried.abs_diff(at) <= distance).copied();
        let first = seams.partition_point(|seam| *seam < middle);
        let (mut up, mut down) = (first, first);
        let above = loop {
            let at = seams.get(up).copied().filter(|at| *at < self.fails);
            let Some(tried) = at.and_then(near) else { break at };
            up = seams.partition_point(|seam| *seam <= tried + distance);
        };
        let below = loop {
            let at = down.checked_sub(1).map(|down| seams[down]).filter(|at| *at > self.passes);
            let Some(tried) = at.and_then(near) else { break at };
            down = seams.partition_point(|seam| *seam < tried.saturating_sub(distance));
        };
        [below, above.filter(|at| *at > self.passes)]
    }

    /// The search for the rest, which has no useful seam.
    fn inside(&self) -> Isolate {
        let (passing, failing) = (Configuration::all(self.passes), Configuration::all(self.fails));
        if self.fails - self.passes <= FEW {
            return Isolate::finest(passing, failing);
        }
        let mut seams: Vec<u32> = self.seams.iter().flatten().copied().collect();
        seams.retain(|at| self.passes < *at && *at < self.fails);
        seams.extend([self.passes, self.fails]);
        seams.sort_unstable();
        let groups = seams.windows(2).map(|pair| Configuration::from_run(pair[0]..pair[1]));
        Isolate::with_split(passing, failing, Split::along(groups.filter(|group| !group.is_empty())))
    }
}

/// The information that an answer gives, in bits.
fn entropy(share: f64) -> f64 {
    let bits = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
    bits(share) + bits(1.0 - share)
}

impl Search for IsolateInOrder {
    type Finding = Difference;
    const SEES_UNRESOLVED: bool = true;
    const KEEPS_WHAT_PASSES: bool = true;

    fn ask(&self) -> Ask<Difference> {
        match &self.phase {
            OrderPhase::Cut { at, .. } => Ask::Test(Question::new(Configuration::all(*at), Step::Subset)),
            OrderPhase::Inside(search) => search.ask(),
        }
    }

    fn tell(&mut self, answer: Answer) {
        match &mut self.phase {
            OrderPhase::Inside(search) => {
                search.tell(answer);
                self.failing = search.best_so_far().clone();
            }
            OrderPhase::Cut { kind, at } => {
                let is_resolved = answer.outcome != Outcome::Unresolved;
                self.tallies[*kind][usize::from(!is_resolved)] += 1;
                match answer.outcome {
                    Outcome::Fail => self.fails = *at,
                    Outcome::Pass => self.passes = *at,
                    Outcome::Unresolved => self.unresolved.push(*at),
                }
                if is_resolved {
                    let (passes, fails) = (self.passes, self.fails);
                    self.unresolved.retain(|at| passes < *at && *at < fails);
                }
                self.plan();
            }
        }
    }

    fn best_so_far(&self) -> &Configuration {
        &self.failing
    }

    fn best_difference(&self) -> Difference {
        match &self.phase {
            OrderPhase::Cut { .. } => {
                Difference { passing: Configuration::all(self.passes), failing: self.failing.clone() }
            }
            OrderPhase::Inside(search) => search.best_difference(),
        }
    }

    fn left(&self) -> usize {
        match &self.phase {
            OrderPhase::Cut { .. } => (self.fails - self.passes) as usize,
            OrderPhase::Inside(search) => search.left(),
        }
    }

    fn questions_left(&self) -> Option<f64> {
        Some((self.left().max(1) as f64).log2())
    }
}
