//! A transition, and what is added to those that are known: rounds of loops and copies are folded.

use crate::compared_place::ComparedPlace;

/// A loop has at most this number of transitions in each round.
const MOST_IN_ROUND: usize = 3;

/// Where other variables become the cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseTransition {
    /// The variables that decide before.
    pub from: Vec<String>,
    /// The variables that decide after.
    pub to: Vec<String>,
    /// The last moment at which `from` decides. The line of this place runs next.
    pub before: ComparedPlace,
    /// The first moment at which `to` decides.
    pub after: ComparedPlace,
    /// How many times the run does this, with other values: a loop, or a counter.
    pub times: u32,
    /// Whether the two runs execute different lines in between.
    pub is_parting: bool,
    /// If they part in the function of `before`: the first line there that only the failing run executes.
    pub branch: Option<u32>,
    /// Whether only the input decides before: here it is read.
    pub is_reading: bool,
    /// Whether a value is only copied.
    pub is_copy: bool,
}

impl CauseTransition {
    /// Whether an earlier transition is the same in the round of a loop before: the same lines, and the same variables.
    fn is_repeated(&self, earlier: &Self) -> bool {
        let lines = |transition: &Self| {
            [&transition.before, &transition.after].map(|place| (place.file.clone(), place.line))
        };
        lines(self) == lines(earlier) && (&self.from, &self.to) == (&earlier.from, &earlier.to)
    }

    /// Whether variables only get other values.
    fn is_of_one_variable(&self) -> bool {
        self.from == self.to
    }
}

/// What became of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddedTransition {
    New,
    /// It is a round of a loop that is known.
    Round,
    /// It says nothing.
    Copy,
}

/// Adds a transition before all others. If variables only get other values again and again, that is one transition; so is each transition
/// of a loop. A copy is left out, unless nothing comes after it: a wrong copy can be the defect.
pub(super) fn add_earlier(
    known: &mut Vec<CauseTransition>,
    earlier: CauseTransition,
    is_returned: bool,
) -> AddedTransition {
    let is_same_variable = |later: &CauseTransition| {
        later.is_of_one_variable() && earlier.is_of_one_variable() && later.from == earlier.from
    };
    if let Some(later) =
        known.first_mut().filter(|later| later.is_repeated(&earlier) || is_same_variable(later))
    {
        later.times += 1;
        later.before = earlier.before;
        later.is_parting |= earlier.is_parting;
        return AddedTransition::Round;
    }
    if let Some(later) = known.iter_mut().take(MOST_IN_ROUND).find(|later| later.is_repeated(&earlier)) {
        later.times += 1;
        later.is_parting |= earlier.is_parting;
        return AddedTransition::Round;
    }
    if earlier.is_copy && earlier.is_of_one_variable() {
        return AddedTransition::Round;
    }
    if earlier.is_copy && (!known.is_empty() || is_returned) {
        return AddedTransition::Copy;
    }
    known.insert(0, earlier);
    AddedTransition::New
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, StopPoint};

    fn transition(variable: &str, lines: [u32; 2], hit: u32) -> CauseTransition {
        let place = |line: u32| ComparedPlace {
            passing: StopPoint::new(Address(line.into()), hit),
            failing: StopPoint::new(Address(line.into()), hit),
            function: "count".to_owned(),
            file: "a.c".into(),
            line,
            hit,
        };
        let [from, to] = [variable, "sum"].map(|name| vec![name.to_owned()]);
        CauseTransition {
            from,
            to,
            before: place(lines[0]),
            after: place(lines[1]),
            times: 1,
            is_parting: false,
            branch: None,
            is_reading: false,
            is_copy: false,
        }
    }

    #[test]
    fn a_round_of_a_loop_has_the_same_lines_and_variables() {
        let last = transition("sum", [5, 6], 9);
        assert!(last.is_repeated(&transition("sum", [5, 6], 8)));
        assert!(!last.is_repeated(&transition("sum", [4, 6], 8)));
        assert!(!last.is_repeated(&transition("n", [5, 6], 8)));
    }

    fn added(found: &[([&str; 2], [u32; 2], bool)]) -> Vec<(String, String, u32)> {
        let mut known = Vec::new();
        for (number, ([from, to], lines, is_copy)) in (0..).zip(found.iter().rev()) {
            let names = [from, to].map(|name| vec![(*name).to_owned()]);
            let [from, to] = names;
            let found = CauseTransition { from, to, is_copy: *is_copy, ..transition("", *lines, number) };
            add_earlier(&mut known, found, false);
        }
        known.into_iter().map(|found| (found.from.join(","), found.to.join(","), found.times)).collect()
    }

    #[test]
    fn a_variable_that_gets_other_values_again_and_again_is_one_transition() {
        let found = added(&[
            (["n", "flags[1]"], [3, 4], false),
            (["flags[1]", "flags[1]"], [5, 6], false),
            (["flags[1]", "flags[1]"], [7, 9], false),
            (["flags[1]", "flags[1]"], [5, 6], false),
        ]);
        let of = |from: &str, to: &str, times| (from.to_owned(), to.to_owned(), times);
        assert_eq!(found, [of("n", "flags[1]", 1), of("flags[1]", "flags[1]", 3)]);
    }

    #[test]
    fn the_same_variable_with_the_same_value_is_no_transition() {
        assert_eq!(added(&[(["flags[1]", "flags[1]"], [5, 6], true)]), []);
        assert_eq!(added(&[(["a", "b"], [5, 6], true)]).len(), 1, "a wrong copy can be the defect");
    }

    #[test]
    fn each_transition_of_a_loop_is_named_once() {
        let round = [(["a", "b"], [5, 6], false), (["b", "a"], [7, 8], false)];
        let found = added(&[&round[..], &round[..], &round[..]].concat());
        let of = |from: &str, to: &str| (from.to_owned(), to.to_owned(), 3);
        assert_eq!(found, [of("a", "b"), of("b", "a")]);
    }
}
