//! Walks through history.

mod back_ports;
mod causes;
mod forward;
mod stopped;
mod untestable;

use crate::asked::describe_asked;
use crate::test_rules::TestRules;
use crate::text_versions::{TextVersions, text_of};
use howcome_changes::history::{HistoryFindingBuilder, HistoryRevisions, search_history};
use howcome_changes::search::plan::SearchPlan;
use howcome_changes::{Space, as_subject};
use howcome_dd::{Configuration, Outcome};
use howcome_run::{
    Because, Budget, ChangesFinding, Ending, Finding, HistoryFinding, Observation, QuestionName,
    ScriptedStages,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A history, its test, and what is expected, in sections: lines that begin with a number are revisions; `test`, `absent`, `asks` and
/// `finds` begin sections.
struct HistoryTable<'a> {
    revisions: Vec<&'a str>,
    test: Vec<&'a str>,
    absent: Vec<&'a str>,
    asks: Vec<&'a str>,
    finds: Vec<&'a str>,
}

impl<'a> HistoryTable<'a> {
    fn parse(text: &'a str) -> Self {
        let mut table = Self {
            revisions: Vec::new(),
            test: Vec::new(),
            absent: Vec::new(),
            asks: Vec::new(),
            finds: Vec::new(),
        };
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let mut content = line;
            if word.starts_with(|letter: char| letter.is_ascii_digit()) && section != "finds" {
                section = "revisions";
            } else if ["test", "absent", "asks", "finds"].contains(&word) {
                (section, content) = (word, rest.trim());
            }
            match section {
                "revisions" => table.revisions.push(content),
                "test" => table.test.push(content),
                "absent" => table.absent.extend(content.split_whitespace()),
                "asks" => table.asks.push(content),
                "finds" => table.finds.push(content),
                _ => panic!("`{line}` is in no section"),
            }
        }
        table
    }

    fn versions(&self) -> TextVersions {
        let mut versions = TextVersions::parse(self.revisions.iter().copied());
        versions.absent = self.absent.iter().map(|name| (*name).to_owned()).collect();
        versions
    }

    /// Searches, and describes what was asked and found.
    fn search(&self, versions: TextVersions, budget: Budget) -> SearchedHistory {
        let (rules, ids) = (TestRules::parse(self.test.iter().copied()), versions.ids());
        let bad = ids.last().unwrap().to_string();
        let revisions = HistoryRevisions::new(Arc::new(versions), ids).unwrap();
        let test = |space: &(dyn Space + 'static), configuration: &Configuration| match space
            .candidate(configuration)
        {
            Ok(candidate) => rules.judge(&text_of(&candidate.tree())),
            Err(because) => Observation::new(Outcome::Unresolved, because, Duration::ZERO),
        };
        let mut stages = ScriptedStages::new(test, budget, as_subject);
        let search = search_history(&revisions, &SearchPlan::default(), &mut stages).unwrap();
        let builder = HistoryFindingBuilder {
            revisions: &revisions,
            bad: &bad,
            bad_ends: &Because::Exit(1),
            repository: None,
            here: Path::new("/"),
            run: None,
        };
        let (concluded, _) = builder.conclude(search).unwrap();
        let finding = concluded.conclusion.unwrap().finding;
        let Some(Finding::History(finding)) = finding.read(QuestionName::History) else {
            panic!("{finding:?}")
        };
        SearchedHistory {
            asked: describe_asked(&stages.asked),
            tests: stages.asked.len(),
            ending: concluded.ending,
            found: describe_finding(concluded.ending, concluded.why.as_deref(), &finding),
            finding: *finding,
        }
    }
}

struct SearchedHistory {
    asked: Vec<String>,
    tests: usize,
    ending: Ending,
    found: Vec<String>,
    finding: HistoryFinding,
}

/// Searches a history as revisions of any source and as commits, and compares with what is expected. The stages can differ between
/// the two, for there can be commits between a revision that passes and one that fails; so `asks` is compared for the first only.
fn check(text: &str) {
    let table = HistoryTable::parse(text);
    for has_history in [false, true] {
        let mut versions = table.versions();
        versions.has_history = has_history;
        let searched = table.search(versions, Budget::default());
        assert_eq!(searched.found, table.finds, "{:#?}", searched.asked);
        if !table.asks.is_empty() && !has_history {
            assert_eq!(searched.asked, table.asks);
        }
    }
}

/// A finding in a few lines.
fn describe_finding(ending: Ending, why: Option<&str>, finding: &HistoryFinding) -> Vec<String> {
    let mut lines = Vec::new();
    let name = |revision: &Option<String>| revision.clone().unwrap_or_else(|| "none".to_owned());
    if let Some(never) = &finding.never_worked {
        let fit = never.lines.zip(never.lines_of).map(|(lines, of)| format!(" with {lines} of {of} lines"));
        lines.push(format!("never worked: {} fails{}", never.revision, fit.unwrap_or_default()));
    } else {
        let (passing, failing) = (name(&finding.passing_revision), name(&finding.failing_revision));
        lines.push(format!("{passing} passes, {failing} fails"));
    }
    if ending != Ending::Found && ending != Ending::NeverWorked {
        lines.push(format!("{ending:?}: {}", why.unwrap_or_default()).to_lowercase());
    }
    for patch in &finding.patches {
        lines.push(format!("patched {} like {}", patch.revision, patch.newer));
    }
    if let Some(patch) = &finding.backported {
        let minimal = if finding.backported_minimal { " (minimal)" } else { "" };
        lines.push(format!(
            "back-port to {}: {}{minimal}",
            name(&finding.backported_onto),
            changed_lines(patch)
        ));
    }
    if let Some(cause) = &finding.cause {
        lines.push(format!("cause: {}", lines_of_changes(cause)));
    }
    if let Some(patch) = &finding.forward {
        lines.push(format!("fix: {}", changed_lines(patch)));
    }
    for step in &finding.forward_steps {
        lines.push(format!("adapted to {}", step.revision));
    }
    if let Some(why) = &finding.forward_why {
        let at = finding.forward_at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
        lines.push(format!("no fix{at}: {why}"));
    }
    let skipped: Vec<&str> =
        finding.skipped_revisions.iter().map(|skipped| skipped.revision.as_str()).collect();
    if !skipped.is_empty() {
        lines.push(format!("skipped {}", skipped.join(" ")));
    }
    lines
}

/// `calc +sum -list`: the changed lines of a patch.
fn changed_lines(patch: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut old = String::new();
    for line in patch.lines() {
        if let Some(name) = line.strip_prefix("--- ") {
            old = name.trim_start_matches("a/").to_owned();
        } else if let Some(name) = line.strip_prefix("+++ ") {
            let name = name.trim_start_matches("b/");
            words.push(if name == "/dev/null" { old.clone() } else { name.to_owned() });
        } else if line.starts_with(['+', '-']) {
            words.push(line.to_owned());
        }
    }
    words.join(" ")
}

fn lines_of_changes(cause: &ChangesFinding) -> String {
    let mut words: Vec<String> = Vec::new();
    for change in &cause.changes {
        if words.iter().rev().find(|word| !word.starts_with(['+', '-'])) != Some(&change.path) {
            words.push(change.path.clone());
        }
        words.extend(change.removed.iter().map(|line| format!("-{line}")));
        words.extend(change.added.iter().map(|line| format!("+{line}")));
    }
    words.join(" ")
}
