//! The places of a chain at which nothing was found, by their reasons.

use crate::finding::chain::{ChainReport, PlaceWords};
use howcome_run::words::{count, printable, thousands};
use howcome_run::{ChainStep, RunPlace, SkippedPlace};
use std::fmt;

/// More reasons are only counted.
const REASONS: usize = 12;
/// More places with one reason are only counted.
const PLACES: usize = 4;

/// Places that were skipped for the same reason.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlaceSkipReason<'a> {
    pub(crate) why: String,
    pub(crate) places: Vec<&'a RunPlace>,
}

impl ChainReport {
    /// Why places were skipped, each reason once, in the order of the run. Reasons that differ in numbers only are one.
    pub(crate) fn reasons(&self) -> Vec<PlaceSkipReason<'_>> {
        let mut reasons: Vec<(CountingReason, Vec<&RunPlace>)> = Vec::new();
        for skipped in &self.skipped {
            let why = CountingReason::of(&reason(skipped));
            match reasons.iter_mut().find(|(known, _)| known.texts == why.texts) {
                Some((known, places)) => {
                    known.add(&why);
                    places.push(&skipped.location);
                }
                None => reasons.push((why, vec![&skipped.location])),
            }
        }
        reasons.into_iter().map(|(why, places)| PlaceSkipReason { why: why.to_string(), places }).collect()
    }

    /// The same as lines of a terminal.
    pub(crate) fn skips(&self) -> Vec<String> {
        let reasons = self.reasons();
        let mut lines: Vec<String> = reasons.iter().take(REASONS).map(PlaceSkipReason::sentence).collect();
        let more: u64 = reasons.iter().skip(REASONS).map(|reason| reason.places.len() as u64).sum();
        match more {
            0 => {}
            1 => lines.push("1 more place was skipped.".to_owned()),
            more => lines.push(format!("{} were skipped.", count(more, "more place"))),
        }
        lines.extend(self.left_out());
        lines
    }

    /// The variables that were left out because they spoil the transfer of the failure, place by place.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let spoiled = self.steps.iter().filter(|step| !step.left_out.is_empty());
        let sentence = |step: &ChainStep| {
            let mut names: Vec<&str> = step.left_out.iter().map(String::as_str).collect();
            let more = names.len().saturating_sub(PLACES);
            names.truncate(PLACES);
            let more = if more > 0 { format!(", {} more", thousands(more as u64)) } else { String::new() };
            let variables = count(step.left_out.len() as u64, "variable");
            let names = printable(&names.join(", "));
            format!(
                "Left out {variables} at {} that would spoil the test: {names}{more}.",
                step.location.in_full()
            )
        };
        spoiled.map(sentence).collect()
    }
}

/// A reason with the numbers in it, each from the least to the most of several places: `with all 3 to 41 differences`.
struct CountingReason {
    /// The texts before, between and after the numbers.
    texts: Vec<String>,
    numbers: Vec<[u64; 2]>,
}

/// What comes before a number that is not a count, so that another number is another reason.
const NAMES_OF_NUMBERS: [&str; 5] = ["exits with ", "exit code ", "signal ", "line ", ":"];

impl CountingReason {
    fn of(why: &str) -> Self {
        let (mut texts, mut numbers) = (vec![String::new()], Vec::new());
        let mut rest = why;
        while let Some(first) = rest.chars().next() {
            let text = &mut texts[numbers.len()];
            let is_count =
                text.ends_with([' ', '(']) && !NAMES_OF_NUMBERS.iter().any(|name| text.ends_with(name));
            // Thousands are separated by commas, but a comma can also come after a number.
            let end = rest.find(|digit: char| !digit.is_ascii_digit() && digit != ',').unwrap_or(rest.len());
            let digits = rest[..end].trim_end_matches(',');
            match digits.replace(',', "").parse() {
                Ok(number) if is_count && first.is_ascii_digit() => {
                    numbers.push([number, number]);
                    texts.push(String::new());
                    rest = &rest[digits.len()..];
                }
                _ => {
                    text.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        Self { texts, numbers }
    }

    /// The same reason at one more place.
    fn add(&mut self, other: &Self) {
        for ([least, most], [number, _]) in self.numbers.iter_mut().zip(&other.numbers) {
            (*least, *most) = ((*least).min(*number), (*most).max(*number));
        }
    }
}

impl fmt::Display for CountingReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, text) in self.texts.iter().enumerate() {
            f.write_str(text)?;
            match self.numbers.get(at) {
                Some([least, most]) if least < most => {
                    write!(f, "{} to {}", thousands(*least), thousands(*most))?
                }
                Some([only, _]) => f.write_str(&thousands(*only))?,
                None => {}
            }
        }
        Ok(())
    }
}

impl PlaceSkipReason<'_> {
    /// `Skipped 12 places (f, g, h, exit …): from here on both runs do the same.`
    fn sentence(&self) -> String {
        let why = &self.why;
        match self.places.as_slice() {
            [only] => format!("Skipped {}: {why}.", only.in_full()),
            places => {
                let mut names: Vec<String> = places.iter().map(|place| place.moment()).collect();
                names.dedup();
                let left_out = names.len().saturating_sub(PLACES);
                names.truncate(PLACES);
                let more = match left_out {
                    0 => String::new(),
                    more => format!(", {} more", thousands(more as u64)),
                };
                let places = count(places.len() as u64, "place");
                format!("Skipped {places} ({}{more}): {why}.", names.join(", "))
            }
        }
    }
}

fn reason(skipped: &SkippedPlace) -> String {
    match printable(skipped.why.trim().trim_end_matches('.')) {
        why if why.is_empty() => "unknown reason".to_owned(),
        why => why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::ChainFinding;

    fn skips(places: &[(&str, &str)]) -> Vec<String> {
        let skipped = |(function, why): &(&str, &str)| SkippedPlace {
            location: RunPlace { function: (*function).to_owned(), ..RunPlace::default() },
            why: (*why).to_owned(),
        };
        let skipped = places.iter().map(skipped).collect();
        ChainReport(ChainFinding { skipped, ..ChainFinding::default() }).skips()
    }

    #[test]
    fn variables_that_were_left_out_are_named() {
        let location = RunPlace { function: "work".to_owned(), ..RunPlace::default() };
        let left_out = vec!["hidden".to_owned(), "table".to_owned()];
        let steps = vec![ChainStep { location, left_out, ..ChainStep::default() }];
        let lines = ChainReport(ChainFinding { steps, ..ChainFinding::default() }).skips();
        assert_eq!(lines, ["Left out 2 variables at work that would spoil the test: hidden, table."]);
    }

    #[test]
    fn a_reason_is_said_once() {
        let lines = skips(&[("a", "decided."), ("b", "not reached"), ("c", "decided"), ("d", "decided")]);
        assert_eq!(lines, ["Skipped 3 places (a, c, d): decided.", "Skipped b: not reached."]);
    }

    #[test]
    fn reasons_that_differ_in_a_number_are_one_reason() {
        let lines = skips(&[
            ("a", "with all 3 differences (12 dropped)"),
            ("b", "with all 41 differences (7 dropped)"),
        ]);
        assert_eq!(lines, ["Skipped 2 places (a, b): with all 3 to 41 differences (7 to 12 dropped)."]);
        assert_eq!(skips(&[("a", "3"), ("b", "3")]), ["Skipped 2 places (a, b): 3."]);
        let ends = |count: &str, code: &str| format!("with all {count} differences, it exits with {code}");
        let [few, many, other] = [ends("3", "1"), ends("1,041", "1"), ends("3", "2")];
        assert_eq!(
            skips(&[("a", &few), ("b", &many), ("c", &other)]),
            [
                "Skipped 2 places (a, b): with all 3 to 1,041 differences, it exits with 1.",
                "Skipped c: with all 3 differences, it exits with 2."
            ]
        );
    }
}
