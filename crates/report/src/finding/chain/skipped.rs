//! The places of a chain at which nothing was found, by their reasons.

use crate::finding::chain::{ChainReport, PlaceWords};
use howcome_run::words::{count, printable, thousands};
use howcome_run::{RunPlace, SkippedPlace};

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
        let mut reasons: Vec<(String, PlaceSkipReason<'_>)> = Vec::new();
        for skipped in &self.skipped {
            let why = reason(skipped);
            let kind = without_numbers(&why);
            match reasons.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, reason)) => {
                    reason.places.push(&skipped.location);
                    if reason.why != why {
                        reason.why = kind;
                    }
                }
                None => reasons.push((kind, PlaceSkipReason { why, places: vec![&skipped.location] })),
            }
        }
        reasons.into_iter().map(|(_, reason)| reason).collect()
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
        lines
    }
}

/// `with all N differences`
fn without_numbers(why: &str) -> String {
    let mut kind = String::with_capacity(why.len());
    let mut is_in_number = false;
    for character in why.chars() {
        let is_digit = character.is_ascii_digit();
        if !is_digit {
            kind.push(character);
        } else if !is_in_number {
            kind.push('N');
        }
        is_in_number = is_digit;
    }
    kind
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
        assert_eq!(lines, ["Skipped 2 places (a, b): with all N differences (N dropped)."]);
        assert_eq!(skips(&[("a", "3"), ("b", "3")]), ["Skipped 2 places (a, b): 3."]);
    }
}
