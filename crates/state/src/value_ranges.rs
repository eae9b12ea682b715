//! Values that variables never have in passing runs. A statement that gives a variable such a value is suspicious (Hangal and Lam 2002).

use crate::Address;
use howcome_run::words::count;
use std::collections::{HashMap, HashSet};

/// A variable that fewer passing runs assign has no range that means anything.
const FEWEST_RUNS: u32 = 3;

/// A statement has given a variable a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    /// The statement.
    pub(crate) at: Address,
    /// The variable.
    pub(crate) variable: String,
    /// The value. Of a pointer, only whether it is null counts.
    pub(crate) value: i64,
}

/// The values that passing runs assign.
#[derive(Clone, Copy, Debug)]
struct ValueRange {
    least: i64,
    most: i64,
    runs: u32,
}

/// What statements assign in passing and in failing runs.
#[derive(Debug, Default)]
pub(crate) struct ValueRanges {
    ranges: HashMap<(Address, String), ValueRange>,
    /// The first one is the run that the user asks about.
    failing: Vec<Vec<Assignment>>,
}

/// A value that no passing run has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnusualValue {
    /// The statement that assigns it.
    pub(crate) at: Address,
    /// What is unusual, in words.
    pub(crate) why: String,
}

impl ValueRanges {
    /// Adds what a passing run assigns.
    pub(crate) fn add_passing(&mut self, assignments: Vec<Assignment>) {
        let mut seen = HashSet::new();
        for Assignment { at, variable, value } in assignments {
            let key = (at, variable);
            let is_first = seen.insert(key.clone());
            let range = self.ranges.entry(key).or_insert(ValueRange { least: value, most: value, runs: 0 });
            (range.least, range.most) = (range.least.min(value), range.most.max(value));
            range.runs += u32::from(is_first);
        }
    }

    /// Adds what a failing run assigns.
    pub(crate) fn add_failing(&mut self, assignments: Vec<Assignment>) {
        self.failing.push(assignments);
    }

    /// How far the value is from those of the passing runs, compared with how much these differ. `None` if it is one of them.
    fn excess(&self, assignment: &Assignment) -> Option<f64> {
        let range = self.ranges.get(&(assignment.at, assignment.variable.clone()))?;
        let [least, most, value] = [range.least, range.most, assignment.value].map(|number| number as f64);
        let is_known = range.runs >= FEWEST_RUNS;
        let is_outside = !(range.least..=range.most).contains(&assignment.value);
        (is_known && is_outside).then(|| (least - value).max(value - most) / (most - least + 1.0))
    }

    /// The assignment of the failing run with the most unusual value: first of all one that most of the failing runs make, then one whose value
    /// is far from those of the passing runs. Input is often a little outside; what a defect computes is far away.
    pub(crate) fn most_unusual(&self) -> Option<UnusualValue> {
        let mut runs: HashMap<(Address, &str), u32> = HashMap::new();
        for assignments in &self.failing {
            let unusual = assignments.iter().filter(|assignment| self.excess(assignment).is_some());
            let unusual: HashSet<(Address, &str)> =
                unusual.map(|assignment| (assignment.at, assignment.variable.as_str())).collect();
            unusual.into_iter().for_each(|key| *runs.entry(key).or_default() += 1);
        }
        let mut best: Option<((u32, f64), &Assignment)> = None;
        for assignment in self.failing.first()? {
            let Some(excess) = self.excess(assignment) else { continue };
            let found =
                (runs.get(&(assignment.at, assignment.variable.as_str())).copied().unwrap_or(0), excess);
            if best.is_none_or(|(known, _)| known < found) {
                best = Some((found, assignment));
            }
        }
        let (_, Assignment { at, variable, value }) = best?;
        let range = self.ranges.get(&(*at, variable.clone()))?;
        let passing = match range.least == range.most {
            true => format!("it is {}", range.least),
            false => format!("it is between {} and {}", range.least, range.most),
        };
        let runs = count(range.runs.into(), "passing run");
        Some(UnusualValue { at: *at, why: format!("{variable} becomes {value} here; in {runs} {passing}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned(run: &[(u64, i64)]) -> Vec<Assignment> {
        let assignment = |(at, value): &(u64, i64)| Assignment {
            at: Address(*at),
            variable: format!("v{at}"),
            value: *value,
        };
        run.iter().map(assignment).collect()
    }

    fn unusual(passing: &[&[(u64, i64)]], failing: &[&[(u64, i64)]]) -> Option<(Address, String)> {
        let mut ranges = ValueRanges::default();
        passing.iter().for_each(|run| ranges.add_passing(assigned(run)));
        failing.iter().for_each(|run| ranges.add_failing(assigned(run)));
        ranges.most_unusual().map(|unusual| (unusual.at, unusual.why))
    }

    #[test]
    fn the_value_farthest_from_the_passing_ones_is_unusual() {
        let passing: [&[(u64, i64)]; 3] = [&[(1, 4), (2, 0), (3, 1)], &[(1, 9), (2, 5)], &[(1, 4), (2, 3)]];
        let why = "v2 becomes 17 here; in 3 passing runs it is between 0 and 5".to_owned();
        assert_eq!(unusual(&passing, &[&[(1, 10), (3, 8), (2, 17), (1, 2)]]), Some((Address(2), why)));
        assert_eq!(
            unusual(&passing, &[&[(1, 8), (2, 5), (9, 1)]]),
            None,
            "known values and other statements"
        );
    }

    #[test]
    fn a_value_that_few_passing_runs_assign_says_nothing() {
        let passing: [&[(u64, i64)]; 2] = [&[(1, 4), (1, 5), (1, 6)], &[(1, 9)]];
        assert_eq!(unusual(&passing, &[&[(1, 80)]]), None);
    }

    #[test]
    fn what_is_unusual_in_more_failing_runs_comes_before_what_is_farther() {
        let same: &[(u64, i64)] = &[(1, 4), (2, 4)];
        let failing: [&[(u64, i64)]; 3] = [&[(1, 50), (2, -1)], &[(1, 4), (2, -2)], &[(2, -1)]];
        let found = unusual(&[same, same, same], &failing);
        assert_eq!(found, Some((Address(2), "v2 becomes -1 here; in 3 passing runs it is 4".to_owned())));
    }
}
