//! A moment of a run and a variable that decides there, in words.

use crate::finding::chain::{ChainStep, Location, Variable};
use howcome_run::words::{cut_middle, cut_to_difference, ordinal, printable};

/// Of a longer name both ends are shown: whose it is, and what it is.
const NAME: usize = 60;
/// A longer value is recognised by its beginning.
const VALUE: usize = 72;
/// Names of functions in C++ and Rust have no end.
const FUNCTION: usize = 36;

impl Location {
    /// `shell_sort`, `shell_sort, 3rd time`
    pub(crate) fn moment(&self) -> String {
        format!("{}{}", self.name(), self.times().unwrap_or_default())
    }

    /// The function, or where it is not known, the line.
    pub(crate) fn name(&self) -> String {
        match self.function.is_empty() {
            true => self.place().unwrap_or_else(|| "an unknown place".to_owned()),
            false => cut_middle(&printable(&self.function), FUNCTION),
        }
    }

    /// `, 3rd time`, unless it is the first.
    pub(crate) fn times(&self) -> Option<String> {
        (self.hit > 1).then(|| format!(", {} time", ordinal(self.hit)))
    }

    /// `sample.c:9`, with the name of the file only.
    pub(crate) fn place(&self) -> Option<String> {
        let name = printable(self.file.rsplit('/').next().unwrap_or_default());
        (!name.is_empty()).then(|| self.place_as(&name))
    }

    /// The line in a file that is called so.
    pub(crate) fn place_as(&self, file: &str) -> String {
        self.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
    }

    /// `shell_sort (sample.c:9)`
    pub(crate) fn in_full(&self) -> String {
        match self.place() {
            Some(place) if !self.function.is_empty() => format!("{} ({place})", self.moment()),
            _ => self.moment(),
        }
    }
}

impl Variable {
    /// `v[5] = 0`
    pub(crate) fn statement(&self) -> String {
        match &self.failing {
            Some(_) => format!("{} = {}", self.short_name(), self.failing_value()),
            None => self.short_name(),
        }
    }

    /// `v[5] = 0 (instead of 4)`
    pub(crate) fn comparison(&self) -> String {
        format!("{} (instead of {})", self.statement(), self.passing_value())
    }

    pub(crate) fn short_name(&self) -> String {
        cut_middle(&printable(&self.name), NAME)
    }

    pub(crate) fn failing_value(&self) -> String {
        value(self.failing.as_deref(), self.passing.as_deref())
    }

    pub(crate) fn passing_value(&self) -> String {
        let value = value(self.passing.as_deref(), self.failing.as_deref());
        if self.reads_the_same() { format!("another {value}") } else { value }
    }

    /// Whether both values are written alike, though they are two.
    pub(crate) fn reads_the_same(&self) -> bool {
        self.failing.is_some() && self.failing == self.passing
    }

    /// What was not confirmed, nothing where everything was.
    pub(crate) fn doubts(&self) -> Vec<&'static str> {
        doubts(self.alone_fails, self.without_passes, "its")
    }
}

impl ChainStep {
    /// What was not confirmed of all causes here together, where the same holds for all of them.
    pub(crate) fn doubts_of_all(&self) -> Option<Vec<&'static str>> {
        let (first, rest) = self.causes.split_first()?;
        let tried = |cause: &Variable| (cause.alone_fails, cause.without_passes);
        let whose = if rest.is_empty() { "its" } else { "their" };
        let is_same = rest.iter().all(|cause| tried(cause) == tried(first));
        is_same.then(|| doubts(first.alone_fails, first.without_passes, whose))
    }
}

fn doubts(alone_fails: Option<bool>, without_passes: Option<bool>, whose: &str) -> Vec<&'static str> {
    if (alone_fails, without_passes) == (None, None) {
        return vec!["not confirmed"];
    }
    let alone = match alone_fails {
        Some(true) => "",
        Some(false) => "not alone",
        None => "not tried alone",
    };
    let without = match (without_passes, whose) {
        (Some(true), _) => "",
        (Some(false), "their") => "their removal does not help",
        (Some(false), _) => "its removal does not help",
        (None, "their") => "their removal was not tried",
        (None, _) => "its removal was not tried",
    };
    [alone, without].into_iter().filter(|doubt| !doubt.is_empty()).collect()
}

fn value(value: Option<&str>, other: Option<&str>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    cut_to_difference(&printable(value), &printable(other.unwrap_or_default()), VALUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_says_whose_it_is_and_what_it_is() {
        let name = format!("{}->children[3]->name", "compiler->unit->first".repeat(4));
        let short = Variable { name, ..Variable::default() }.short_name();
        assert!(short.starts_with("compiler->unit->") && short.ends_with("->children[3]->name"));
        assert_eq!(short.chars().count(), NAME);
    }

    #[test]
    fn two_values_that_read_the_same_are_still_two() {
        let cause = |failing: &str, passing: &str| Variable {
            name: "p".into(),
            failing: Some(failing.into()),
            passing: Some(passing.into()),
            ..Variable::default()
        };
        assert_eq!(cause("top", "top").comparison(), "p = top (instead of another top)");
        let long = "x".repeat(200);
        let compared = cause(&format!("{long}1"), &format!("{long}2")).comparison();
        assert!(compared.contains("x1 (") && compared.ends_with("x2)"), "{compared}");
    }

    #[test]
    fn what_was_not_confirmed_is_said() {
        let doubts = |alone_fails, without_passes| {
            Variable { alone_fails, without_passes, ..Variable::default() }.doubts().join("; ")
        };
        assert_eq!(doubts(Some(true), Some(true)), "");
        assert_eq!(doubts(Some(false), Some(false)), "not alone; its removal does not help");
        assert_eq!(doubts(Some(true), None), "its removal was not tried");
        assert_eq!(doubts(None, None), "not confirmed");
    }
}
