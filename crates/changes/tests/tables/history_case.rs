//! A case of a table about history: revisions, a test, and everything that a walk asks and finds.
//!
//! ```text
//! # its title
//! 1-9: calc(begin end) unit(one)     revisions 1 to 9, with the files `calc` and `unit`
//! 10: calc(begin sum end) unit(two)
//! absent: 3 4                        revisions that are not available
//! broken: oops                       a version with this line does not build
//! differs: -sum                      a version without this line fails differently
//! fails: two                         a version with this line fails
//! options: max-tests 3
//! asks: walk 1? 5?                   each stage with what was tested, and how that ended
//! finds: 9 passes, 10 fails          the last revision that passes, and the first that fails
//! patched: 9 like 10                 a revision that got all changes of a newer one
//! back-port: 9 calc +sum, minimal    the patch for the revision that passes
//! cause: unit -one +two
//! fix: unit -two +one                the patch for the newest revision
//! ```
//!
//! Other lines of the result tell what is not as usual: `ends`, `never worked`, `adapted`, `no fix`, `skipped`. Each case is searched
//! twice, as commits and as revisions without a history, and what is found is the same; `asks` is about the latter.

use crate::asked::{by_stage, mark};
use crate::memory_versions::MemoryVersions;
use crate::partial_versions::PartialVersions;
use crate::test_rule::TestRule;
use crate::tree_text::words;
use howcome_changes::history::{HistoryFindingBuilder, HistoryRevisions, search_history};
use howcome_changes::search::plan::SearchPlan;
use howcome_changes::versions::revision_id::RevisionId;
use howcome_changes::{Candidate, Space, as_subject};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::inquiry::Concluded;
use howcome_run::{
    Because, Budget, ChangesFinding, Ending, Finding, HistoryFinding, Observation, QuestionName,
    ScriptedStages, StageName,
};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The lines of a case that say what is asked and found.
pub(crate) const HISTORY_RESULTS: &[&str] = &[
    "asks:",
    "finds:",
    "ends:",
    "never worked:",
    "patched:",
    "back-port:",
    "cause:",
    "fix:",
    "adapted:",
    "no fix:",
    "skipped:",
];

/// Runs the whole search of a case, and writes down what it asks and finds.
pub(crate) fn search_history_case(given: &[String]) -> Vec<String> {
    let (asked, found) = WalkedHistory::parse(given, false).search();
    let (_, as_commits) = WalkedHistory::parse(given, true).search();
    assert_eq!(found, as_commits, "the same is found among commits: {given:#?}");
    [vec![asked], found].concat()
}

/// Revisions and a test.
struct WalkedHistory {
    ids: Vec<RevisionId>,
    versions: Arc<PartialVersions>,
    budget: Budget,
    broken: Option<TestRule>,
    differs: Option<TestRule>,
    fails: TestRule,
}

impl WalkedHistory {
    fn parse(lines: &[String], has_history: bool) -> Self {
        let (mut ids, mut versions) = (Vec::new(), MemoryVersions::default());
        let (mut absent, mut budget) = (BTreeSet::new(), Budget::default());
        let (mut broken, mut differs, mut fails) = (None, None, TestRule::default());
        for line in lines {
            let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("`{line}` is not understood"));
            let value = value.trim();
            match key {
                "absent" => absent = value.split_whitespace().map(str::to_owned).collect(),
                "broken" => broken = Some(TestRule::parse(value)),
                "differs" => differs = Some(TestRule::parse(value)),
                "fails" => fails = TestRule::parse(value),
                "options" => {
                    budget.max_tests = value.strip_prefix("max-tests ").map(|most| most.parse().unwrap())
                }
                numbers => {
                    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
                    for number in first.parse::<u32>().unwrap()..=last.parse().unwrap() {
                        versions.add(&number.to_string(), None, value);
                        ids.push(RevisionId::new(number.to_string()));
                    }
                }
            }
        }
        let versions = Arc::new(PartialVersions { versions, absent, has_history });
        Self { ids, versions, budget, broken, differs, fails }
    }

    fn test(&self, version: &Result<Candidate, Because>) -> Observation {
        let (outcome, because) = match version {
            Err(because) => (Outcome::Unresolved, because.clone()),
            Ok(version) => {
                let words = words(&version.tree());
                let holds = |rule: &Option<TestRule>| rule.as_ref().is_some_and(|rule| rule.holds(&words));
                if holds(&self.broken) {
                    (Outcome::Unresolved, Because::DidNotBuild("exit code 2".to_owned()))
                } else if holds(&self.differs) {
                    (Outcome::Unresolved, Because::Exit(2))
                } else if self.fails.holds(&words) {
                    (Outcome::Fail, Because::Exit(1))
                } else {
                    (Outcome::Pass, Because::Exit(0))
                }
            }
        };
        Observation::new(outcome, because, Duration::ZERO)
    }

    /// Runs the whole search, and writes down what it asks, and what it finds.
    fn search(&self) -> (String, Vec<String>) {
        let revisions = HistoryRevisions::new(self.versions.clone(), self.ids.clone()).unwrap();
        let test = |space: &(dyn Space + 'static), configuration: &Configuration| {
            self.test(&space.candidate(configuration))
        };
        let mut stages = ScriptedStages::new(test, self.budget, as_subject);
        let search = search_history(&revisions, &SearchPlan::default(), &mut stages, &mut |_| {}).unwrap();
        let builder = HistoryFindingBuilder {
            revisions: &revisions,
            bad: self.ids.last().unwrap().as_str(),
            bad_ends: &Because::Exit(1),
            printed: b"",
            repository: None,
            here: Path::new("."),
            run: None,
        };
        let (concluded, _) = builder.conclude(search).unwrap();
        let asked = stages.asked.iter().map(|(stage, configuration, seen)| {
            (stage.to_string(), tested(stage, configuration) + mark(seen.outcome))
        });
        (format!("asks: {}", by_stage(asked)).trim_end().to_owned(), describe(&concluded))
    }
}

/// What was tested: a revision by its number, changes by their numbers, and nothing for a single version.
fn tested(stage: &StageName, configuration: &Configuration) -> String {
    match stage {
        StageName::Walk(_) | StageName::Return | StageName::Forward(_) => {
            configuration.get(0).map_or_else(String::new, |revision| (revision.0 + 1).to_string())
        }
        _ => String::new(),
    }
}

fn describe(concluded: &Concluded) -> Vec<String> {
    let finding = concluded.conclusion.as_ref().unwrap().finding.read(QuestionName::History);
    let Some(Finding::History(finding)) = finding else { panic!("{finding:?}") };
    let mut lines = vec![describe_walk(&finding)];
    if !matches!(concluded.ending, Ending::Found | Ending::NeverWorked) {
        let why = concluded.why.as_deref().unwrap_or_default();
        lines.push(format!("ends: {}: {why}", format!("{:?}", concluded.ending).to_lowercase()));
    }
    for patch in &finding.patches {
        lines.push(format!("patched: {} like {}", patch.revision, patch.newer));
    }
    if let Some((patch, onto)) = finding.backported.as_ref().zip(finding.backported_onto.as_ref()) {
        let minimal = if finding.backported_minimal { ", minimal" } else { "" };
        lines.push(format!("back-port: {onto} {}{minimal}", lines_of_patch(patch)));
    }
    lines.extend(finding.cause.as_ref().map(|cause| format!("cause: {}", lines_of_cause(cause))));
    lines.extend(finding.forward.as_ref().map(|patch| format!("fix: {}", lines_of_patch(patch))));
    if !finding.forward_steps.is_empty() {
        lines.push(format!("adapted: {}", join(finding.forward_steps.iter().map(|step| &step.revision))));
    }
    if let Some(why) = &finding.forward_why {
        let at = finding.forward_at.as_ref().map_or_else(String::new, |at| format!("at {at}, "));
        lines.push(format!("no fix: {at}{why}"));
    }
    if !finding.skipped_revisions.is_empty() {
        let skipped = finding.skipped_revisions.iter().map(|skipped| &skipped.revision);
        lines.push(format!("skipped: {}", join(skipped)));
    }
    lines
}

fn describe_walk(finding: &HistoryFinding) -> String {
    if let Some(never) = &finding.never_worked {
        let fit = never.lines.zip(never.lines_of).map(|(lines, of)| format!(" with {lines} of {of} lines"));
        return format!("never worked: {} fails{}", never.revision, fit.unwrap_or_default());
    }
    let name = |revision: &Option<String>| revision.clone().unwrap_or_else(|| "none".to_owned());
    format!("finds: {} passes, {} fails", name(&finding.passing_revision), name(&finding.failing_revision))
}

fn join<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// `calc +sum -list`: the changed lines of a patch, with their files.
fn lines_of_patch(patch: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut old = "";
    for line in patch.lines() {
        if let Some(name) = line.strip_prefix("--- ") {
            old = name.trim_start_matches("a/");
        } else if let Some(name) = line.strip_prefix("+++ ") {
            words.push(if name == "/dev/null" { old } else { name.trim_start_matches("b/") });
        } else if line.starts_with(['+', '-']) {
            words.push(line);
        }
    }
    words.join(" ")
}

/// The same of a cause.
fn lines_of_cause(cause: &ChangesFinding) -> String {
    let mut words: Vec<String> = Vec::new();
    for change in &cause.changes {
        if words.iter().rfind(|word| !word.starts_with(['+', '-'])) != Some(&change.path) {
            words.push(change.path.clone());
        }
        words.extend(change.removed.iter().map(|line| format!("-{line}")));
        words.extend(change.added.iter().map(|line| format!("+{line}")));
    }
    words.join(" ")
}
