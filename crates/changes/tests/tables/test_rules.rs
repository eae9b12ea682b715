//! A test written as text: the first rule that holds decides, and if none does, the test passes.
//!
//! ```text
//! does not build if calc has oops
//! fails differently unless calc has sum
//! fails if unit has two and calc lacks check
//! ```

use crate::text_versions::TextFiles;
use howcome_dd::Outcome;
use howcome_run::{Because, Observation};
use std::time::Duration;

/// A test of versions.
pub(crate) struct TestRules(Vec<TestRule>);

struct TestRule {
    outcome: RuleOutcome,
    /// Whether the outcome is that of versions for which the conditions do not all hold.
    unless: bool,
    conditions: Vec<LineCondition>,
}

#[derive(Clone, Copy)]
enum RuleOutcome {
    Passes,
    Fails,
    Differs,
    DoesNotBuild,
}

/// A file has a line, or lacks it.
struct LineCondition {
    file: String,
    line: String,
    wanted: bool,
}

impl TestRules {
    /// Reads rules as described above.
    pub(crate) fn parse<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        Self(lines.into_iter().map(|line| TestRule::parse(line.trim())).collect())
    }

    /// What is seen of a version.
    pub(crate) fn judge(&self, files: &TextFiles) -> Observation {
        let rule = self.0.iter().find(|rule| rule.holds(files));
        let (outcome, because) = match rule.map_or(RuleOutcome::Passes, |rule| rule.outcome) {
            RuleOutcome::Passes => (Outcome::Pass, Because::Exit(0)),
            RuleOutcome::Fails => (Outcome::Fail, Because::Exit(1)),
            RuleOutcome::Differs => (Outcome::Unresolved, Because::Exit(2)),
            RuleOutcome::DoesNotBuild => {
                (Outcome::Unresolved, Because::DidNotBuild("exit code 2".to_owned()))
            }
        };
        Observation::new(outcome, because, Duration::ZERO)
    }
}

impl TestRule {
    fn parse(text: &str) -> Self {
        let outcomes = [
            ("passes ", RuleOutcome::Passes),
            ("fails differently ", RuleOutcome::Differs),
            ("fails ", RuleOutcome::Fails),
            ("does not build ", RuleOutcome::DoesNotBuild),
        ];
        let known = outcomes.iter().find_map(|(words, outcome)| Some((text.strip_prefix(words)?, *outcome)));
        let (rest, outcome) = known.unwrap_or_else(|| panic!("`{text}` is not a rule"));
        let (word, conditions) = rest.split_once(' ').unwrap();
        assert!(matches!(word, "if" | "unless"), "{text}");
        let conditions = conditions.split(" and ").map(LineCondition::parse).collect();
        Self { outcome, unless: word == "unless", conditions }
    }

    fn holds(&self, files: &TextFiles) -> bool {
        self.conditions.iter().all(|condition| condition.holds(files)) != self.unless
    }
}

impl LineCondition {
    fn parse(text: &str) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [file, verb, line] = words.as_slice() else { panic!("`{text}` is not a condition") };
        assert!(matches!(*verb, "has" | "lacks"), "{text}");
        Self { file: (*file).to_owned(), line: (*line).to_owned(), wanted: *verb == "has" }
    }

    fn holds(&self, files: &TextFiles) -> bool {
        files.get(&self.file).is_some_and(|lines| lines.contains(&self.line)) == self.wanted
    }
}
