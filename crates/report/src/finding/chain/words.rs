//! What is said about a cause-effect chain: the answer, both runs and what comes of them. Everything that is returned
//! here is harmless to show.

use crate::finding::chain::ChainReport;
use howcome_run::words::{cut, printable};

/// Both command lines have to fit on one line.
const COMMAND: usize = 44;

impl ChainReport {
    /// The answer: `Cause-effect chain of ./sample 9 8 7  (instead of 9 8)`.
    pub(crate) fn found(&self) -> String {
        format!("Cause-effect chain of {}", self.runs())
    }

    /// The best that is known before the end.
    pub(crate) fn so_far(&self) -> String {
        match self.steps.is_empty() {
            true => format!("at no place of {} is it known what decides", self.subject(COMMAND)),
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
        if stands_alone && !rest.is_empty() { printable(rest) } else { as_a_noun(passing) }
    }

    /// Where the cause changes hands, and which places were skipped. What belongs to the line above is indented.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let both = self.both_outcomes().filter(|_| self.steps.is_empty());
        both.into_iter().chain(self.hand_overs()).chain(self.skips()).collect()
    }

    /// What the two runs do, where no chain says it.
    pub(crate) fn both_outcomes(&self) -> Option<String> {
        let (failing, passing) = (printable(&self.outcome.failing), printable(&self.outcome.passing));
        let is_known = !failing.is_empty() && !passing.is_empty();
        is_known.then(|| format!("Failing run: {failing}; passing run: {passing}."))
    }
}

/// `it exits with 0` after `instead of`
fn as_a_noun(outcome: &str) -> String {
    let nouns = [
        ("it exits with ", "exit code "),
        ("it ends by signal ", "signal "),
        ("it does not end", "an endless run"),
        ("it returns", "a return"),
        ("the output is empty", "an empty output"),
        ("the output starts with ", "output that starts with "),
    ];
    let noun = nouns.iter().find_map(|(words, noun)| Some((*noun, outcome.strip_prefix(words)?)));
    noun.map_or_else(|| printable(outcome), |(noun, rest)| format!("{noun}{}", printable(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::{BothOutcomes, ChainFinding, ChainStep};

    fn chain(failing: &str, passing: &str) -> ChainReport {
        let steps = vec![ChainStep::default()];
        let (failing_run, passing_run) = (failing.to_owned(), passing.to_owned());
        ChainReport(ChainFinding { failing_run, passing_run, steps, ..ChainFinding::default() })
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
            let outcome = BothOutcomes { failing: failing.into(), passing: passing.into() };
            ChainReport(ChainFinding { outcome, ..ChainFinding::default() }).other_outcome()
        };
        assert_eq!(other("the output starts with \"0\"", "the output starts with \"4\""), "\"4\"");
        assert_eq!(other("it ends with signal 11", "it ends with status 0"), "status 0");
        assert_eq!(other("the output is \"a b\"", "the output is \"a c\""), "\"a c\"");
        assert_eq!(other("it crashes", "it prints \"4\""), "it prints \"4\"");
        assert_eq!(other("it ends", "it ends"), "it ends");
        assert_eq!(other("it ends by signal SEGV in f", "it exits with 0"), "exit code 0");
        assert_eq!(other("the output starts with \"1\"", "the output is empty"), "an empty output");
    }
}
