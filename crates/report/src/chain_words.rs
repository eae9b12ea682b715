//! What is said about a cause-effect chain: the answer, its places, how far each cause was confirmed, where the cause
//! changes hands. Everything that is returned here is harmless to show.

use crate::chain::{Chain, ChainStep, Skipped, Transition, Variable};
use crate::printable::{cut, printable};
use crate::quantity::count;

/// Both command lines have to fit on one line.
const COMMAND: usize = 44;
/// More places that were skipped are counted.
const SKIPPED: usize = 12;

impl Chain {
    /// The answer: `Cause-effect chain of ./sample 9 8 7  (instead of 9 8)`.
    pub(crate) fn found(&self) -> String {
        match self.steps.is_empty() {
            true => format!("At no place of {} could it be found what decides", self.subject(COMMAND)),
            false => format!("Cause-effect chain of {}", self.runs()),
        }
    }

    /// The best that is known before the end.
    pub(crate) fn so_far(&self) -> String {
        match self.steps.is_empty() {
            true => "at no place is it known yet what decides".to_owned(),
            false => format!("the cause-effect chain so far, of {}", self.runs()),
        }
    }

    fn runs(&self) -> String {
        let failing = self.subject(COMMAND);
        match self.instead() {
            Some(passing) => format!("{failing}  (instead of {})", cut(&passing, COMMAND)),
            None => failing,
        }
    }

    fn subject(&self, width: usize) -> String {
        let names = [&self.failing_run, &self.program].into_iter().find(|name| !name.trim().is_empty());
        cut(&printable(names.map_or("the failing run", |name| name.trim())), width)
    }

    /// The passing command, without its program where that is the same.
    fn instead(&self) -> Option<String> {
        let (failing, passing) = (self.failing_run.trim(), self.passing_run.trim());
        if passing.is_empty() || passing == failing {
            return None;
        }
        let (program, arguments) = passing.split_once(' ').unwrap_or((passing, ""));
        let is_same = failing.split(' ').next() == Some(program);
        Some(match (is_same, arguments.trim()) {
            (true, "") => "no arguments".to_owned(),
            (true, arguments) => printable(arguments),
            (false, _) => printable(passing),
        })
    }

    /// What the passing run does, without the words that it shares with what the failing one does.
    pub(crate) fn other_outcome(&self) -> String {
        let (failing, passing) = (self.outcome.failing.as_str(), self.outcome.passing.as_str());
        let shared: usize = failing
            .split_inclusive(' ')
            .zip(passing.split_inclusive(' '))
            // What is quoted is not taken apart.
            .take_while(|(one, other)| one == other && one.ends_with(' ') && !one.contains(['"', '\'', '`']))
            .map(|(one, _)| one.len())
            .sum();
        let (before, rest) = passing.split_at_checked(shared).unwrap_or(("", passing));
        let introduces = ["with", "is", "in", "at", "to", "by", "of", "after", "status", "signal", "code"];
        let is_introduced = before.split_whitespace().last().is_some_and(|word| introduces.contains(&word));
        let stands_alone = is_introduced || !rest.starts_with(char::is_alphabetic);
        printable(if stands_alone && !rest.is_empty() { rest } else { passing })
    }

    /// Where the cause changes hands, and which places were skipped.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let is_only = self.transitions.len() == 1;
        let mut remarks: Vec<String> =
            self.transitions.iter().filter_map(|transition| transition.sentence(is_only)).collect();
        remarks.extend(self.skipped.iter().take(SKIPPED).map(Skipped::sentence));
        match self.skipped.len().saturating_sub(SKIPPED) as u64 {
            0 => {}
            1 => remarks.push("1 more place was skipped.".to_owned()),
            more => remarks.push(format!("{} were skipped.", count(more, "more place"))),
        }
        remarks
    }
}

impl ChainStep {
    /// How it was found, where that was not the usual way.
    pub(crate) fn aside(&self) -> Option<&'static str> {
        self.is_reversed.then_some("found by mending the failing run")
    }
}

impl Transition {
    /// `The cause changes hands between sample.c:35 and shell_sort.`
    pub(crate) fn sentence(&self, is_only: bool) -> Option<String> {
        let between = self.interval()?;
        Some(match self.hands().filter(|_| !is_only) {
            Some(hands) => format!("The cause changes hands {hands}, {between}."),
            None => format!("The cause changes hands {between}."),
        })
    }

    /// `from argc to v[5]`
    pub(crate) fn hands(&self) -> Option<String> {
        let name = |name: &str| Variable { name: name.to_owned(), ..Variable::default() }.short_name();
        let is_known = !self.from.is_empty() && !self.to.is_empty();
        is_known.then(|| format!("from {} to {}", name(&self.from), name(&self.to)))
    }

    /// `between sample.c:35 and shell_sort`
    pub(crate) fn interval(&self) -> Option<String> {
        let (first, last) = (self.between.first()?, self.between.last()?);
        let begin = first.place().unwrap_or_else(|| first.moment());
        let is_within = first.function == last.function && first.file == last.file;
        Some(match last.place() {
            _ if self.between.len() == 1 || first == last => format!("at {begin}"),
            Some(_) if is_within && last.line.is_some() => {
                let line = last.line.map(|line| line.to_string()).unwrap_or_default();
                let within =
                    if first.function.is_empty() { String::new() } else { format!(" in {}", first.name()) };
                format!("between {begin} and line {line}{within}")
            }
            _ => format!("between {begin} and {}", last.moment()),
        })
    }
}

impl Skipped {
    fn sentence(&self) -> String {
        format!("Skipped {}: {}.", self.location.in_full(), self.reason())
    }

    pub(crate) fn reason(&self) -> String {
        match printable(self.why.trim().trim_end_matches('.')) {
            why if why.is_empty() => "the record does not say why".to_owned(),
            why => why,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Location;

    fn chain(failing: &str, passing: &str) -> Chain {
        let steps = vec![ChainStep::default()];
        let (failing_run, passing_run) = (failing.to_owned(), passing.to_owned());
        Chain { failing_run, passing_run, steps, ..Chain::default() }
    }

    #[test]
    fn the_program_is_not_said_twice() {
        assert_eq!(chain("./a 1 2", "./a 1").found(), "Cause-effect chain of ./a 1 2  (instead of 1)");
        assert_eq!(chain("./a 1", "./a").found(), "Cause-effect chain of ./a 1  (instead of no arguments)");
        assert_eq!(chain("./a 1", "./b 1").found(), "Cause-effect chain of ./a 1  (instead of ./b 1)");
        assert_eq!(chain("./a 1", "./a 1").found(), "Cause-effect chain of ./a 1");
    }

    #[test]
    fn only_what_differs_of_the_outcomes_is_said_again() {
        let other = |failing: &str, passing: &str| {
            let outcome = crate::chain::Outcomes { failing: failing.into(), passing: passing.into() };
            Chain { outcome, ..Chain::default() }.other_outcome()
        };
        assert_eq!(other("the output starts with \"0\"", "the output starts with \"4\""), "\"4\"");
        assert_eq!(other("it ends with signal 11", "it ends with status 0"), "status 0");
        assert_eq!(other("the output is \"a b\"", "the output is \"a c\""), "\"a c\"");
        assert_eq!(other("it crashes", "it prints \"4\""), "it prints \"4\"");
        assert_eq!(other("it ends", "it ends"), "it ends");
    }

    #[test]
    fn an_interval_within_a_function_names_it_once() {
        let at = |function: &str, line| Location {
            function: function.into(),
            file: "src/sample.c".into(),
            line: Some(line),
            hit: 1,
            ..Location::default()
        };
        let interval = |from, to| Transition { between: vec![from, to], ..Transition::default() }.interval();
        assert_eq!(interval(at("main", 35), at("sort", 9)).as_deref(), Some("between sample.c:35 and sort"));
        assert_eq!(
            interval(at("main", 35), at("main", 41)).as_deref(),
            Some("between sample.c:35 and line 41 in main")
        );
        assert_eq!(interval(at("main", 35), at("main", 35)).as_deref(), Some("at sample.c:35"));
        assert_eq!(Transition::default().interval(), None);
    }
}
