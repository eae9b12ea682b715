//! Consecutive steps of a chain with the same causes and values are folded: people look for the steps that change.

use crate::finding::chain::{ChainReport, PlaceWords, VariableWords};
use howcome_run::words::{count, thousands};
use howcome_run::{ChainStep, DecidingVariable};

/// Fewer steps with the same causes are shown one by one.
const WORTH_FOLDING: usize = 4;

/// Consecutive steps, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepGroup<'a> {
    /// The number of the first step, counted from 1.
    pub(crate) number: usize,
    pub(crate) first: &'a ChainStep,
    /// The other steps, which have the same causes and values. There are several, or none.
    pub(crate) rest: &'a [ChainStep],
}

impl ChainReport {
    /// The steps in their order, grouped.
    pub(crate) fn groups(&self) -> Vec<StepGroup<'_>> {
        let mut groups = Vec::new();
        let mut number = 1;
        for steps in self.steps.chunk_by(have_the_same_causes) {
            match steps.split_first() {
                Some((first, rest)) if steps.len() >= WORTH_FOLDING => {
                    groups.push(StepGroup { number, first, rest });
                }
                _ => groups.extend((number..).zip(steps).map(|(number, first)| StepGroup {
                    number,
                    first,
                    rest: &[],
                })),
            }
            number += steps.len();
        }
        groups
    }
}

fn have_the_same_causes(one: &ChainStep, other: &ChainStep) -> bool {
    let is_same = |one: &DecidingVariable, other: &DecidingVariable| {
        (&one.name, &one.failing, &one.passing) == (&other.name, &other.failing, &other.passing)
    };
    !one.causes.is_empty()
        && one.causes.len() == other.causes.len()
        && one.causes.iter().zip(&other.causes).all(|(one, other)| is_same(one, other))
}

impl StepGroup<'_> {
    /// `… and the same at 40 places up to propagateall (lgc.c:900)`, if something is folded.
    pub(crate) fn folded(&self) -> Option<String> {
        let last = self.rest.last()?;
        let places = count(self.rest.len() as u64, "place");
        Some(format!("… and the same at {places} up to {}", last.location.in_full()))
    }

    /// How many tests the folded places took.
    pub(crate) fn tests(&self) -> u64 {
        self.rest.iter().map(|step| step.tests).sum()
    }

    /// At how many of the folded places the confirmations differ from those of the first place.
    pub(crate) fn otherwise_confirmed(&self) -> Option<String> {
        let doubts = |step: &ChainStep| step.causes.iter().map(VariableWords::doubts).collect::<Vec<_>>();
        let of_first = doubts(self.first);
        let (confirmed, other): (Vec<_>, Vec<_>) = self
            .rest
            .iter()
            .map(doubts)
            .filter(|doubts| *doubts != of_first)
            .partition(|doubts| doubts.iter().all(Vec::is_empty));
        let at = |places: usize| match places == self.rest.len() {
            true => "at all of them".to_owned(),
            false => format!("at {} of them", thousands(places as u64)),
        };
        match (confirmed.len(), other.len()) {
            (0, 0) => None,
            (confirmed, 0) => Some(format!("confirmed {}", at(confirmed))),
            (0, other) => Some(format!("not fully confirmed {}", at(other))),
            (confirmed, other) => Some(format!("confirmed {}, not fully {}", at(confirmed), at(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::ChainFinding;
    use serde_json::{Value, json};

    fn chain(values: &[&str]) -> ChainReport {
        let steps: Vec<Value> = (1..)
            .zip(values)
            .map(|(line, value)| {
                let cause = json!({"variable": "x", "failing": value, "passing": "0", "alone_fails": true,
                                   "without_passes": line != 4});
                json!({"location": {"function": "f", "file": "a.c", "line": line}, "causes": [cause], "tests": 2})
            })
            .collect();
        ChainReport(serde_json::from_value(json!({"chain": steps})).unwrap())
    }

    #[test]
    fn steps_with_the_same_causes_are_folded() {
        let chain = chain(&["1", "2", "2", "2", "2", "2", "3", "3"]);
        let groups = chain.groups();
        let shape: Vec<_> = groups.iter().map(|group| (group.number, group.rest.len())).collect();
        assert_eq!(shape, [(1, 0), (2, 4), (7, 0), (8, 0)]);
        assert_eq!(groups[1].folded().as_deref(), Some("… and the same at 4 places up to f (a.c:6)"));
        assert_eq!(groups[1].tests(), 8);
        assert_eq!(groups[1].otherwise_confirmed().as_deref(), Some("not fully confirmed at 1 of them"));
        assert_eq!(groups[0].folded(), None);
    }

    #[test]
    fn steps_without_causes_are_not_folded() {
        let chain =
            ChainReport(ChainFinding { steps: vec![ChainStep::default(); 9], ..ChainFinding::default() });
        assert_eq!(chain.groups().len(), 9);
        assert!(ChainReport::default().groups().is_empty());
    }
}
