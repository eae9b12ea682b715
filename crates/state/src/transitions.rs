//! Cause transitions (Cleve and Zeller 2005): the moments where one variable stops and another starts being the cause. What
//! runs between two such moments is where the defect most probably is.

use crate::debug::TypeId;
use crate::events::{Common, Moment, Stretch, Trace, align, is_own, trace};
use crate::examine::{Bench, Ending, Examined};
use crate::graph::{Shape, State};
use crate::place::{Course, Place};
use crate::runs::Run;
use crate::station::Halt;
use crate::tracee::Error;
use crate::Address;
use howcome_run::{Driver, JournalError, Stop};
use std::collections::{BTreeSet, HashMap};

/// So far from the middle a moment is looked for at which something can be seen.
const NEAR: usize = 3;

/// The cause changes hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The variables that decide before,
    pub from: Vec<String>,
    /// and those that decide after.
    pub to: Vec<String>,
    /// The last moment at which the former decide; its line is run next.
    pub before: Place,
    /// The first moment at which the latter do.
    pub after: Place,
}

/// Who decides at a moment, and by which values: a variable that gets another value changes hands, too.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    names: Vec<String>,
    /// Where they are in the failing run: a variable has one address as long as it lives, whatever it is called.
    spots: BTreeSet<(Address, TypeId)>,
    /// What they hold in the failing run.
    values: Vec<Vec<u8>>,
}

impl Holder {
    fn of(examined: &Examined) -> Self {
        let State { graph, snapshot, .. } = &examined.states[1];
        let (mut spots, mut values) = (BTreeSet::new(), Vec::new());
        for cause in &examined.causes {
            let Some([_, failing]) = cause.vertices else {
                values.push(cause.failing.clone().into_bytes());
                continue;
            };
            let vertex = &graph.vertices[failing.0 as usize];
            spots.insert((vertex.at, vertex.ty));
            let length = match vertex.shape {
                Shape::Scalar(length) | Shape::Text(length) => u64::from(length),
                _ => size_of::<u64>() as u64,
            };
            values.push(snapshot.bytes(vertex.at, length).unwrap_or_default().to_vec());
        }
        Self { names: examined.causes.iter().map(|cause| cause.variable.clone()).collect(), spots, values }
    }

    fn is(&self, other: &Self) -> bool {
        let are_the_same = self.names == other.names || (!self.spots.is_empty() && self.spots == other.spots);
        are_the_same && self.values == other.values
    }
}

/// The moments that both runs have in common, finer where it was looked at closely.
pub struct Timeline<'a, 'b> {
    bench: &'a Bench<'b>,
    course: &'a Course,
    moments: Vec<Common>,
    /// Between these and the next one all lines are known.
    close: Vec<bool>,
    known: HashMap<Halt, Option<Holder>>,
}

/// A search that may be stopped.
type Stoppable<T> = Result<Result<T, Stop>, JournalError>;

impl<'a, 'b> Timeline<'a, 'b> {
    /// The calls that both runs have in common.
    #[must_use]
    pub fn new(bench: &'a Bench<'b>, course: &'a Course) -> Self {
        let moments = course.common.clone();
        Self { bench, course, close: vec![false; moments.len()], moments, known: HashMap::new() }
    }

    /// What is known of a place already.
    pub fn remember(&mut self, examined: &Examined) {
        self.known.insert(examined.place.failing, Some(Holder::of(examined)));
    }

    /// How the cause at a place came to be: where it takes over, and so on backwards, at most so many times. In the order of time.
    pub fn before(&mut self, driver: &mut Driver, place: &Place, most: usize) -> Stoppable<Vec<Transition>> {
        let mut transitions = Vec::new();
        let at = self.moments.iter().position(|moment| moment.failing.halt == place.failing);
        let (Some(mut at), Some(Some(mut holder))) = (at, self.known.get(&place.failing).cloned()) else {
            return Ok(Ok(transitions));
        };
        while transitions.len() < most {
            let Some((before, after, earlier)) = (match self.takes_over(driver, &holder, at)? {
                Ok(found) => found,
                Err(stop) => return Ok(Err(stop)),
            }) else {
                break;
            };
            let place = |moment: usize| Place::of(&self.bench.runs.setting.program, &self.moments[moment]);
            let (from, to) = (earlier.names.clone(), holder.names.clone());
            transitions.insert(0, Transition { from, to, before: place(before), after: place(after) });
            (at, holder) = (before, earlier);
        }
        Ok(Ok(transitions))
    }

    /// The two neighbouring moments between which these variables take over, and from whom.
    fn takes_over(
        &mut self,
        driver: &mut Driver,
        holder: &Holder,
        at: usize,
    ) -> Stoppable<Option<(usize, usize, Holder)>> {
        let mut earlier = None;
        let (mut low, mut high) = (0, at);
        // The first moment at which anything can be seen is the beginning.
        while low < high {
            match self.holder(driver, low)? {
                Err(stop) => return Ok(Err(stop)),
                Ok(Some(found)) if found.is(holder) => return Ok(Ok(None)),
                Ok(Some(found)) => {
                    earlier = Some(found);
                    break;
                }
                Ok(None) => low += 1,
            }
        }
        let Some(mut earlier) = earlier else { return Ok(Ok(None)) };
        loop {
            if high - low == 1 {
                if self.close[low] || !self.look_closely(low) {
                    return Ok(Ok(Some((low, high, earlier))));
                }
                high = low + 1 + self.inserted(low);
                continue;
            }
            match self.near_the_middle(driver, low, high)? {
                Err(stop) => return Ok(Err(stop)),
                Ok(None) => return Ok(Ok(Some((low, high, earlier)))),
                Ok(Some((middle, found))) if found.is(holder) => high = middle,
                Ok(Some((middle, found))) => (low, earlier) = (middle, found),
            }
        }
    }

    /// A moment between two others at which something can be seen, and what.
    fn near_the_middle(
        &mut self,
        driver: &mut Driver,
        low: usize,
        high: usize,
    ) -> Stoppable<Option<(usize, Holder)>> {
        let middle = low + (high - low) / 2;
        let candidates = (0..=NEAR).flat_map(|far| [middle.checked_sub(far), Some(middle + far)]).flatten();
        for candidate in candidates.filter(|candidate| low < *candidate && *candidate < high) {
            match self.holder(driver, candidate)? {
                Ok(Some(found)) => return Ok(Ok(Some((candidate, found)))),
                Ok(None) => {}
                Err(stop) => return Ok(Err(stop)),
            }
        }
        Ok(Ok(None))
    }

    /// Who decides at a moment, if that can be seen.
    fn holder(&mut self, driver: &mut Driver, moment: usize) -> Stoppable<Option<Holder>> {
        let common = self.moments[moment];
        if let Some(known) = self.known.get(&common.failing.halt) {
            return Ok(Ok(known.clone()));
        }
        let place = Place::of(&self.bench.runs.setting.program, &common);
        let found = match self.bench.examine(driver, &place)? {
            Ending::Found(examined) => Some(Holder::of(&examined)),
            Ending::Nothing(_) => None,
            Ending::Stopped(stop) => return Ok(Err(stop)),
        };
        self.known.insert(common.failing.halt, found.clone());
        Ok(Ok(found))
    }

    /// How many moments were put in behind one.
    fn inserted(&self, low: usize) -> usize {
        self.close[low..].iter().take_while(|close| **close).count() - 1
    }

    /// Puts the lines that both runs go through between a call and the next into the timeline. False if there are none.
    fn look_closely(&mut self, low: usize) -> bool {
        self.close[low] = true;
        let (from, to) = (self.moments[low], self.moments[low + 1]);
        let Ok(lines) = self.lines(&from, &to) else { return false };
        let is_end = |common: &&Common| {
            common.failing.halt.at == to.failing.halt.at && common.failing.stack == to.failing.stack
        };
        let lines: Vec<Common> = match lines.iter().rposition(|common| is_end(&common)) {
            Some(end) => lines[..end].to_vec(),
            None => lines,
        };
        self.close.splice(low + 1..low + 1, vec![true; lines.len()]);
        let is_any = !lines.is_empty();
        self.moments.splice(low + 1..low + 1, lines);
        is_any
    }

    fn lines(&self, from: &Common, to: &Common) -> Result<Vec<Common>, Error> {
        let runs = self.bench.runs;
        let program = &runs.setting.program;
        let sides = [
            (&runs.passing, &self.course.passing, from.passing, to.passing),
            (&runs.failing, &self.course.failing, from.failing, to.failing),
        ];
        let mut functions = BTreeSet::new();
        for (run, trace, from, to) in sides {
            let passed = between(trace, from, to);
            functions.extend(passed.iter().filter_map(|moment| program.function_at(moment.halt.at)));
            functions.extend(self.callers(run, from.halt)?);
        }
        let statements = functions.iter().flat_map(|function| program.statements(*function));
        let addresses: Vec<Address> = statements.map(|(address, _)| address).collect();
        let follow = |(run, course, from, to): (&Run, &Trace, Moment, Moment)| {
            let to = Halt { after: None, at: to.halt.at, hit: hits_between(course, from, to) };
            let stretch = Stretch { from: Some(from.halt), to: Some(to) };
            trace(&runs.setting, &run.invocation, &addresses, stretch)
        };
        Ok(align(&follow(sides[0])?, &follow(sides[1])?))
    }

    /// The user's own functions that are active at a moment.
    fn callers(&self, run: &Run, halt: Halt) -> Result<Vec<crate::debug::FunctionId>, Error> {
        let program = &self.bench.runs.setting.program;
        let frames = crate::events::frames(&self.bench.runs.setting, &run.invocation, halt)?;
        let functions = frames.iter().filter_map(|frame| frame.function);
        Ok(functions.filter(|function| is_own(program.function(*function))).collect())
    }
}

/// What a run comes by from one moment to another, both included.
fn between(trace: &Trace, from: Moment, to: Moment) -> &[Moment] {
    let at = |wanted: Moment| trace.moments.iter().position(|moment| moment.halt == wanted.halt);
    match (at(from), at(to)) {
        (Some(from), Some(to)) if from <= to => &trace.moments[from..=to],
        _ => &[],
    }
}

/// The so-many-th time, counted behind `from`, is `to`.
fn hits_between(trace: &Trace, from: Moment, to: Moment) -> u32 {
    let passed = between(trace, from, to).iter().skip(1).filter(|moment| moment.halt.at == to.halt.at);
    (passed.count() as u32).max(1)
}
