//! The answer about a cause-effect chain in one sentence, the two runs and their outcomes. All texts are printable.

use crate::finding::chain::ChainReport;
use howcome_run::words::{cut, printable};

/// Both command lines have to fit on one line.
const COMMAND: usize = 44;

impl ChainReport {
    /// The answer: `These values decide, step by step, that ./sample 9 8 7 fails (compared with 9 8)`.
    pub(crate) fn found(&self) -> String {
        {
            let compared = self.compared().unwrap_or_default();
            format!("These values decide, step by step, that {} fails{compared}", self.subject(COMMAND))
        }
    }

    /// What is known if the search did not finish.
    pub(crate) fn so_far(&self) -> String {
        match self.steps.is_empty() {
            true => format!("no deciding variable was found in {}", self.subject(COMMAND)),
            false => {
                let compared = self.compared().unwrap_or_default();
                format!("at least these values decide that {} fails{compared}", self.subject(COMMAND))
            }
        }
    }

    /// ` (compared with 9 8)`
    fn compared(&self) -> Option<String> {
        self.instead().map(|passing| format!(" (compared with {})", cut(&passing, COMMAND)))
    }

    fn subject(&self, width: usize) -> String {
        let names = [&self.failing_run, &self.program].into_iter().find(|name| !name.trim().is_empty());
        cut(&printable(names.map_or("the failing run", |name| name.trim())), width)
    }

    /// The passing command, without the program if that is the same.
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

    /// The outcome of the passing run, without the words that it shares with that of the failing run.
    pub(crate) fn other_outcome(&self) -> String {
        let (failing, passing) = (self.outcome.failing.as_str(), self.outcome.passing.as_str());
        let shared: usize = failing
            .split_inclusive(' ')
            .zip(passing.split_inclusive(' '))
            // A quoted text is not taken apart.
            .take_while(|(one, other)| one == other && one.ends_with(' ') && !one.contains(['"', '\'', '`']))
            .map(|(one, _)| one.len())
            .sum();
        let (before, rest) = passing.split_at_checked(shared).unwrap_or(("", passing));
        let introduces = ["with", "is", "in", "at", "to", "by", "of", "after", "status", "signal", "code"];
        let is_introduced = before.split_whitespace().last().is_some_and(|word| introduces.contains(&word));
        let stands_alone = is_introduced || !rest.starts_with(char::is_alphabetic);
        if stands_alone && !rest.is_empty() { printable(rest) } else { as_a_noun(passing) }
    }

    /// The transitions and the skipped places. Lines that belong to the line above are indented.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let both = self.both_outcomes().filter(|_| self.steps.is_empty());
        let places = self.transition_lines().into_iter().chain(self.candidate_lines());
        both.into_iter().chain(places).chain(self.skips()).collect()
    }

    /// The outcomes of the two runs, if no chain shows them.
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
    fn the_program_is_not_named_twice() {
        assert_eq!(
            chain("./a 1 2", "./a 1").found(),
            "These values decide, step by step, that ./a 1 2 fails (compared with 1)"
        );
        assert_eq!(
            chain("./a 1", "./a").found(),
            "These values decide, step by step, that ./a 1 fails (compared with no arguments)"
        );
        assert_eq!(
            chain("./a 1", "./b 1").found(),
            "These values decide, step by step, that ./a 1 fails (compared with ./b 1)"
        );
        assert_eq!(chain("./a 1", "./a 1").found(), "These values decide, step by step, that ./a 1 fails");
    }

    #[test]
    fn only_the_part_of_the_outcome_that_differs_is_repeated() {
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
