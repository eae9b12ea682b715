//! Cause transitions in words. All texts are printable.

use crate::finding::chain::{ChainReport, PlaceWords};
use howcome_run::words::{cut_middle, pad, printable, thousands, width};
use howcome_run::{DefectCandidate, QuotedLine, TransitionFound};

/// Of a longer list the first and the last are shown.
const FIRST: usize = 5;
const LAST: usize = 15;
const NAME: usize = 40;
/// Measured on programs that the order of the places was not chosen with.
const HOW_OFTEN: &str = "the first place is near the defect in a fifth of all cases, one of them in half";

impl ChainReport {
    /// Whether it is the first of the places to look at.
    pub(crate) fn is_likely(&self, transition: &TransitionFound) -> bool {
        transition.is_likely || self.transitions.len() == 1 && self.candidates.is_empty()
    }

    /// The transitions as lines of a terminal, in the order of time.
    pub(crate) fn transition_lines(&self) -> Vec<String> {
        if let [only] = self.transitions.as_slice() {
            return only.sentence().into_iter().collect();
        }
        let known: Vec<(String, String, bool)> = self
            .transitions
            .iter()
            .filter_map(|transition| {
                Some((transition.hands(), transition.interval()?, self.is_likely(transition)))
            })
            .collect();
        let columns = known.iter().map(|(hands, ..)| width(hands)).max().unwrap_or(0);
        let mut lines: Vec<String> = Vec::new();
        let left_out = known.len().saturating_sub(FIRST + LAST);
        for (number, (hands, interval, is_likely)) in known.iter().enumerate() {
            if left_out > 0 && number == FIRST {
                lines.push(format!("  … {} more …", thousands(left_out as u64)));
            }
            if (FIRST..FIRST + left_out).contains(&number) && !is_likely {
                continue;
            }
            lines.push(format!("  {}  {interval}", pad(hands, columns)));
        }
        if !lines.is_empty() {
            lines.insert(0, "The cause changes, in the order of time:".to_owned());
        }
        lines
    }
}

impl ChainReport {
    /// The places at which the defect can be, as lines of a terminal, the best first. The report points at none alone: no rule is right
    /// often enough for that.
    pub(crate) fn candidate_lines(&self) -> Vec<String> {
        let line = |candidate: &DefectCandidate| {
            let why: Vec<String> = candidate.why.iter().map(|why| printable(why)).collect();
            format!("  {}: {}", candidate.location.in_full(), why.join("; "))
        };
        let mut lines: Vec<String> = self.candidates.iter().map(line).collect();
        if !lines.is_empty() {
            lines.insert(0, format!("Look here, the best place first ({HOW_OFTEN}):"));
        }
        lines
    }
}

/// A cause transition, in words.
pub(crate) trait TransitionWords {
    /// `The cause changes from argc to v[5] between lines 29 and 32 of main (sample.c).`
    fn sentence(&self) -> Option<String>;

    /// `argc → v[5]`
    fn hands(&self) -> String;

    /// The variables before and after it.
    fn variables(&self) -> (String, String);

    /// `between line 35 of main and line 9 of shell_sort (sample.c)`; in a loop, also how many times; also whether the runs part there
    fn interval(&self) -> Option<String>;

    /// Whether a line is between the two places, or is marked.
    fn means(&self, line: &QuotedLine) -> bool;
}

impl TransitionWords for TransitionFound {
    fn sentence(&self) -> Option<String> {
        let (from, to) = self.variables();
        Some(format!("The cause changes from {from} to {to} {}.", self.interval()?))
    }

    fn hands(&self) -> String {
        let (from, to) = self.variables();
        format!("{from} → {to}")
    }

    fn variables(&self) -> (String, String) {
        let name = |name: &str| match name {
            "" => "an unknown variable".to_owned(),
            name => cut_middle(&printable(name), NAME),
        };
        (name(&self.from), name(&self.to))
    }

    fn interval(&self) -> Option<String> {
        let times = self.times.filter(|times| *times > 1);
        let times = times.map(|times| format!(", {} times", thousands(times))).unwrap_or_default();
        let parting = if self.is_parting { ", where the runs part" } else { "" };
        Some(lines_between(self)? + &times + parting)
    }

    fn means(&self, line: &QuotedLine) -> bool {
        let (Some(from), Some(to), Some(number)) = (self.between.first(), self.between.last(), line.line)
        else {
            return line.is_here;
        };
        let is_within = from.file == to.file && from.function == to.function;
        match (from.line, to.line) {
            (Some(first), Some(last)) if is_within && first <= last => (first..=last).contains(&number),
            _ => line.is_here || from.line == Some(number),
        }
    }
}

/// The lines between the two places of a transition.
fn lines_between(transition: &TransitionFound) -> Option<String> {
    let (first, last) = (transition.between.first()?, transition.between.last()?);
    let is_one_file = first.file_name() == last.file_name();
    let both = |first: String, last: String| Some(format!("between {first} and {last}"));
    let (Some(from), Some(to)) = (first.line_of(), last.line_of()) else {
        return match first == last {
            true => Some(format!("at {}", first.in_full())),
            false => both(first.in_full(), last.in_full()),
        };
    };
    let name = printable(last.file_name());
    let (function, file) = (last.name(), if name.is_empty() { name } else { format!(" ({name})") });
    match is_one_file && first.function == last.function {
        true if from == to => Some(format!("in line {to} of {function}{file}")),
        true if from < to => Some(format!("between lines {from} and {to} of {function}{file}")),
        // In a loop, or if the code is in another order than the source.
        true => Some(format!("between line {from} and then line {to} of {function}{file}")),
        false => {
            let other = printable(first.file_name());
            let other = if is_one_file || other.is_empty() { String::new() } else { format!(" ({other})") };
            both(format!("line {from} of {}{other}", first.name()), format!("line {to} of {function}{file}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::{ChainFinding, RunPlace};

    fn at(file: &str, function: &str, line: u64) -> RunPlace {
        let (file, function, line) = (file.into(), function.into(), Some(line));
        RunPlace { function, file, line, ..RunPlace::default() }
    }

    fn between(from: RunPlace, to: RunPlace) -> TransitionFound {
        TransitionFound {
            from: "a".into(),
            to: "b".into(),
            between: vec![from, to],
            ..TransitionFound::default()
        }
    }

    #[test]
    fn an_interval_names_the_shared_file_once() {
        let interval = |from, to| between(from, to).interval().unwrap_or_default();
        let main = |line| at("src/sample.c", "main", line);
        assert_eq!(interval(main(29), main(32)), "between lines 29 and 32 of main (sample.c)");
        assert_eq!(interval(main(29), main(29)), "in line 29 of main (sample.c)");
        assert_eq!(interval(main(32), main(29)), "between line 32 and then line 29 of main (sample.c)");
        assert_eq!(
            interval(main(35), at("src/sample.c", "sort", 9)),
            "between line 35 of main and line 9 of sort (sample.c)"
        );
        assert_eq!(
            interval(main(35), at("sort.c", "sort", 9)),
            "between line 35 of main (sample.c) and line 9 of sort (sort.c)"
        );
        assert_eq!(interval(at("a.c", "", 3), at("a.c", "", 4)), "between a.c:3 and a.c:4");
        assert_eq!(TransitionFound::default().interval(), None);
    }

    #[test]
    fn all_places_to_look_at_are_in_one_list() {
        let candidate =
            |line, why: &str| DefectCandidate { location: at("a.c", "g", line), why: vec![why.to_owned()] };
        let mut transition = between(at("a.c", "g", 5), at("a.c", "g", 6));
        transition.is_likely = true;
        let candidates = vec![candidate(5, "the cause changes here"), candidate(30, "the runs part here")];
        let finding = ChainFinding { transitions: vec![transition], candidates, ..ChainFinding::default() };
        assert_eq!(
            ChainReport(finding).candidate_lines(),
            [
                format!("Look here, the best place first ({HOW_OFTEN}):"),
                "  g (a.c:5): the cause changes here".to_owned(),
                "  g (a.c:30): the runs part here".to_owned()
            ]
        );
    }

    #[test]
    fn rounds_of_a_loop_are_counted() {
        let mut only = between(at("a.c", "g", 5), at("a.c", "g", 5));
        only.times = Some(12);
        let mut chain =
            ChainReport(ChainFinding { transitions: vec![only.clone()], ..ChainFinding::default() });
        assert_eq!(
            chain.transition_lines(),
            ["The cause changes from a to b in line 5 of g (a.c), 12 times."]
        );
        chain.0.transitions.push(between(at("a.c", "g", 7), at("a.c", "g", 8)));
        assert_eq!(chain.transition_lines()[1], "  a → b  in line 5 of g (a.c), 12 times");
        chain.0.transitions[0].is_parting = true;
        assert_eq!(
            chain.transition_lines()[1],
            "  a → b  in line 5 of g (a.c), 12 times, where the runs part"
        );
    }

    #[test]
    fn of_many_transitions_the_first_and_the_last_are_listed_and_the_likely_one() {
        let mut last = between(at("a.c", "g", 5), at("a.c", "g", 6));
        last.is_likely = true;
        let transitions = vec![between(at("a.c", "f", 1), at("a.c", "f", 2)), last];
        let mut chain = ChainReport(ChainFinding { transitions, ..ChainFinding::default() });
        assert_eq!(
            chain.transition_lines(),
            [
                "The cause changes, in the order of time:",
                "  a → b  between lines 1 and 2 of f (a.c)",
                "  a → b  between lines 5 and 6 of g (a.c)",
            ]
        );
        let first = chain.transitions[0].clone();
        chain.0.transitions.splice(1..1, vec![first.clone(); 48]);
        chain.0.transitions.extend(vec![first; 50]);
        let lines = chain.transition_lines();
        assert_eq!((lines.len(), lines[6].as_str()), (23, "  … 80 more …"));
        assert!(lines[7].ends_with("lines 5 and 6 of g (a.c)"));
    }
}
