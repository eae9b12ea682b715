//! A variable that decides, in words.

use howcome_run::words::{cut_middle, cut_to_difference, printable};
use howcome_run::{ChainStep, DecidingVariable};

/// Of a longer name both ends are shown: the variable and the member.
const NAME: usize = 60;
/// A longer value is recognised by its beginning.
const VALUE: usize = 72;

/// A variable that decides, in words.
pub(crate) trait VariableWords {
    /// `v[5] = 0`
    fn statement(&self) -> String;

    /// `v[5] = 0 (instead of 4)`
    fn comparison(&self) -> String;

    fn short_name(&self) -> String;

    fn failing_value(&self) -> String;

    fn passing_value(&self) -> String;

    /// Whether both values are written in the same way although they differ.
    fn reads_the_same(&self) -> bool;

    /// What was not confirmed. Empty if everything was.
    fn doubts(&self) -> Vec<&'static str>;
}

impl VariableWords for DecidingVariable {
    fn statement(&self) -> String {
        match &self.failing {
            Some(_) => format!("{} = {}", self.short_name(), self.failing_value()),
            None => self.short_name(),
        }
    }

    fn comparison(&self) -> String {
        format!("{} (instead of {})", self.statement(), self.passing_value())
    }

    fn short_name(&self) -> String {
        cut_middle(&printable(&self.name), NAME)
    }

    fn failing_value(&self) -> String {
        value(self.failing.as_deref(), self.passing.as_deref())
    }

    fn passing_value(&self) -> String {
        let value = value(self.passing.as_deref(), self.failing.as_deref());
        if self.reads_the_same() { format!("another {value}") } else { value }
    }

    fn reads_the_same(&self) -> bool {
        self.failing.is_some() && self.failing == self.passing
    }

    fn doubts(&self) -> Vec<&'static str> {
        doubts(self.alone_fails, self.without_passes, "its")
    }
}

/// A step of a chain, in words.
pub(crate) trait StepWords {
    /// What was not confirmed of all causes of the step together, if the same holds for all of them.
    fn doubts_of_all(&self) -> Option<Vec<&'static str>>;

    /// How it was found, if not in the usual way.
    fn aside(&self) -> Option<&'static str>;

    /// How many variables decide.
    fn deciding(&self) -> u64;
}

impl StepWords for ChainStep {
    fn doubts_of_all(&self) -> Option<Vec<&'static str>> {
        let (first, rest) = self.causes.split_first()?;
        let tried = |cause: &DecidingVariable| (cause.alone_fails, cause.without_passes);
        let whose = if rest.is_empty() { "its" } else { "their" };
        let is_same = rest.iter().all(|cause| tried(cause) == tried(first));
        is_same.then(|| doubts(first.alone_fails, first.without_passes, whose))
    }

    fn aside(&self) -> Option<&'static str> {
        self.is_reversed.then_some("found by changing the failing run")
    }

    fn deciding(&self) -> u64 {
        self.relevant.unwrap_or(self.causes.len() as u64)
    }
}

fn doubts(alone_fails: Option<bool>, without_passes: Option<bool>, whose: &str) -> Vec<&'static str> {
    if (alone_fails, without_passes) == (None, None) {
        return vec!["not confirmed"];
    }
    let alone = match alone_fails {
        Some(true) => "",
        Some(false) => "not enough alone",
        None => "not tested alone",
    };
    let without = match (without_passes, whose) {
        (Some(true), _) => "",
        (Some(false), "their") => "removing them does not help",
        (Some(false), _) => "removing it does not help",
        (None, "their") => "removing them was not tested",
        (None, _) => "removing it was not tested",
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
    fn a_long_name_keeps_both_its_ends() {
        let name = format!("{}->children[3]->name", "compiler->unit->first".repeat(4));
        let short = DecidingVariable { name, ..DecidingVariable::default() }.short_name();
        assert!(short.starts_with("compiler->unit->") && short.ends_with("->children[3]->name"));
        assert_eq!(short.chars().count(), NAME);
    }

    #[test]
    fn two_values_that_are_written_alike_are_told_apart() {
        let cause = |failing: &str, passing: &str| DecidingVariable {
            name: "p".into(),
            failing: Some(failing.into()),
            passing: Some(passing.into()),
            ..DecidingVariable::default()
        };
        assert_eq!(cause("top", "top").comparison(), "p = top (instead of another top)");
        let long = "x".repeat(200);
        let compared = cause(&format!("{long}1"), &format!("{long}2")).comparison();
        assert!(compared.contains("x1 (") && compared.ends_with("x2)"), "{compared}");
    }

    #[test]
    fn missing_confirmations_are_named() {
        let doubts = |alone_fails, without_passes| {
            DecidingVariable { alone_fails, without_passes, ..DecidingVariable::default() }
                .doubts()
                .join("; ")
        };
        assert_eq!(doubts(Some(true), Some(true)), "");
        assert_eq!(doubts(Some(false), Some(false)), "not enough alone; removing it does not help");
        assert_eq!(doubts(Some(true), None), "removing it was not tested");
        assert_eq!(doubts(None, None), "not confirmed");
    }
}
