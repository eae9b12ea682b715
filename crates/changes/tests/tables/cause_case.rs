//! A case of a table about causes: commits, a test, and everything that a search asks and finds.
//!
//! ```text
//! # its title
//! 1: a                     a commit with a file `a`; its parent is the commit before it
//! 2: a b
//! 3 < 1: a c!              a commit with another parent
//! 4 < 2 3: a b c!          a merge
//! working tree: a b d      uncommitted changes, if these are the bad version
//! good: 1                  the good version, or several; `folder` and files, if there is no history
//! bad: 4                   the bad version
//! fails: c!                the test fails if a file has this line
//! differs: c! -b           the test fails in another way than the bad version
//! broken: b -a             the version cannot be judged
//! options: all, thorough, within hunk, only a b, except a, without words, algorithm dd, order, together a b, needs a: b, max-tests 3
//! asks: commits 2✓ 4✗      each stage with what was tested, and how that ended
//! finds: 3 +c!             the commit and its lines
//! ```
//!
//! In the stages `hunks` and `lines`, deltas are numbered from 1. Other lines of the result tell what is not as usual: `ends`,
//! `needs`, `suspects`, `proof`, `minimal`, `further`, `error`.

use crate::asked::{by_stage, mark};
use crate::memory_versions::MemoryVersions;
use crate::test_rule::TestRule;
use crate::tree_text::{tree, words};
use howcome_changes::question::conclusion::conclude;
use howcome_changes::question::finding_builder::FindingBuilder;
use howcome_changes::search::cause::CauseSearch;
use howcome_changes::search::plan::{Clue, SearchPlan, SearchWithin};
use howcome_changes::versions::compared::{CommitsBetween, ComparedVersions};
use howcome_changes::versions::origin::{VersionOrigin, VersionOrigins};
use howcome_changes::versions::revision_id::RevisionId;
use howcome_changes::versions::source::VersionSource;
use howcome_changes::{Base, Candidate, PatchSeries, PathFilter, Space, as_subject};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::inquiry::{Concluded, RelationFile, SearchChoice};
use howcome_run::{
    Because, Budget, ChangesFinding, CommitInfo, Ending, Finding, FoundChange, Halt, Observation,
    QuestionName, RoundStep, ScriptedStages, StageName, Verified,
};
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The lines of a case that say what is asked and found.
pub(crate) const CAUSE_RESULTS: &[&str] =
    &["asks:", "finds:", "ends:", "needs:", "suspects:", "proof:", "minimal:", "further:", "error:"];

/// Runs the whole search of a case, and writes down what it asks and finds.
pub(crate) fn search_causes(given: &[String]) -> Vec<String> {
    World::parse(given).search()
}

/// A history, a test and a plan.
struct World {
    versions: ComparedVersions,
    origins: VersionOrigins,
    plan: SearchPlan,
    budget: Budget,
    fails: TestRule,
    differs: Option<TestRule>,
    broken: Option<TestRule>,
}

impl World {
    fn parse(lines: &[String]) -> Self {
        let mut source = MemoryVersions::default();
        let (mut good, mut bad, mut uncommitted) = ("", "", None);
        let (mut plan, mut budget) = (SearchPlan::default(), Budget::default());
        let (mut fails, mut differs, mut broken) = (TestRule::default(), None, None);
        for line in lines {
            let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("`{line}` is not understood"));
            let value = value.trim();
            match key {
                "good" => good = value,
                "bad" => bad = value,
                "fails" => fails = TestRule::parse(value),
                "differs" => differs = Some(TestRule::parse(value)),
                "broken" => broken = Some(TestRule::parse(value)),
                "working tree" => uncommitted = Some(value),
                "options" => {
                    value.split(',').for_each(|option| set_option(option.trim(), &mut plan, &mut budget));
                }
                commit => match commit.split_once('<') {
                    Some((name, parents)) => source.add(name.trim(), Some(parents), value),
                    None => source.add(commit.trim(), None, value),
                },
            }
        }
        let (versions, origins) = match good.strip_prefix("folder ") {
            Some(files) => of_folders(files, bad.strip_prefix("folder ").unwrap_or(bad)),
            None => of_commits(source, good, bad, uncommitted),
        };
        Self { versions, origins, plan, budget, fails, differs, broken }
    }

    fn test(&self, version: &Result<Candidate, Because>) -> Observation {
        let mut differs = false;
        let (outcome, because) = match version {
            Err(because) => (Outcome::Unresolved, because.clone()),
            Ok(version) => {
                let words = words(&version.tree());
                if self.broken.as_ref().is_some_and(|broken| broken.holds(&words)) {
                    (Outcome::Unresolved, Because::DidNotBuild("exit code 2".to_owned()))
                } else if self.fails.holds(&words) {
                    differs = self.differs.as_ref().is_some_and(|differs| differs.holds(&words));
                    (Outcome::Fail, Because::Exit(1))
                } else {
                    (Outcome::Pass, Because::Exit(0))
                }
            }
        };
        Observation { differs, ..Observation::new(outcome, because, Duration::ZERO) }
    }

    /// Runs the whole search, and writes down what it asks and finds.
    fn search(&self) -> Vec<String> {
        let names: Rc<RefCell<Vec<String>>> = Rc::default();
        let test = |space: &(dyn Space + 'static), configuration: &Configuration| {
            let last = configuration.last().map(|last| space.describe(last));
            names.borrow_mut().push(last.unwrap_or_else(|| "good".to_owned()));
            self.test(&space.candidate(configuration))
        };
        let mut stages = ScriptedStages::new(test, self.budget, as_subject);
        let search =
            CauseSearch { versions: &self.versions, plan: &self.plan, applied: PatchSeries::default() };
        let ended = search.run(&mut stages);
        let builder = FindingBuilder {
            versions: &self.versions,
            origins: &self.origins,
            here: Path::new("."),
            fix: false,
            is_test_varied: false,
            printed: b"",
            patch_file: None,
        };
        let concluded = conclude(&builder, ended).map(|(concluded, _)| concluded);
        let asked = stages.asked.iter().zip(names.take());
        let asked = asked.map(|((stage, configuration, seen), name)| {
            (stage.to_string(), tested(stage, configuration, &name) + mark(seen.outcome))
        });
        let mut lines = vec![format!("asks: {}", by_stage(asked)).trim_end().to_owned()];
        lines.extend(described(&concluded));
        lines
    }
}

fn set_option(option: &str, plan: &mut SearchPlan, budget: &mut Budget) {
    let (name, value) = option.split_once(' ').unwrap_or((option, ""));
    let paths = || value.split_whitespace().map(OsString::from).collect::<Vec<_>>();
    match name {
        "all" => plan.all = true,
        "thorough" => plan.is_thorough = true,
        "within" => plan.within = SearchWithin::Hunk,
        "only" => plan.filter = PathFilter::new(&paths(), &[]).unwrap(),
        "except" => plan.filter = PathFilter::new(&[], &paths()).unwrap(),
        "without" => plan.without.push(if value == "words" { Clue::Words } else { Clue::Needs }),
        "algorithm" => {
            plan.algorithm = Some(match value {
                "balanced" => SearchChoice::Balanced,
                "ddmin" => SearchChoice::Ddmin,
                "dd" => SearchChoice::Dd,
                "dd+" => SearchChoice::DdPlus,
                "isolate" => SearchChoice::Isolate,
                other => panic!("`{other}` is not an algorithm"),
            });
        }
        "order" => plan.relations.order = true,
        "together" => add_line(&mut plan.relations.together, value),
        "needs" => add_line(&mut plan.relations.needs, value),
        "max-tests" => budget.max_tests = value.parse().ok(),
        other => panic!("`{other}` is not an option"),
    }
    plan.is_filtered |= matches!(name, "only" | "except");
}

fn add_line(file: &mut Option<RelationFile>, line: &str) {
    let file = file.get_or_insert_with(|| RelationFile { path: "known.txt".into(), text: String::new() });
    file.text += &format!("{line}\n");
}

fn of_folders(good: &str, bad: &str) -> (ComparedVersions, VersionOrigins) {
    let origins = VersionOrigins {
        repository: None,
        good: vec![VersionOrigin::Folder("good".into())],
        bad: VersionOrigin::Folder("bad".into()),
        head: None,
        kept: None,
    };
    (ComparedVersions::of_trees(tree(good), tree(bad)), origins)
}

/// `good` names one commit, or several of which the first is compared. If there is a working tree, it comes after `bad`.
fn of_commits(
    source: MemoryVersions,
    good: &str,
    bad: &str,
    uncommitted: Option<&str>,
) -> (ComparedVersions, VersionOrigins) {
    let good: Vec<RevisionId> = good.split_whitespace().map(RevisionId::new).collect();
    let bad = RevisionId::new(bad);
    let range = source.range(&good, &bad).ok();
    let between = range.map(|range| CommitsBetween { range, ends_uncommitted: uncommitted.is_some() });
    let origin = |id: &RevisionId| VersionOrigin::Commit { name: id.to_string(), id: id.to_string() };
    let origins = VersionOrigins {
        repository: None,
        good: good.iter().map(origin).collect(),
        bad: if uncommitted.is_some() { VersionOrigin::WorkingTree } else { origin(&bad) },
        head: None,
        kept: None,
    };
    let version = |id: &RevisionId| Candidate::of(source.tree(id).unwrap());
    let bad_version = match uncommitted {
        Some(files) => Candidate::of(Base::new(tree(files), b"bad")),
        None => version(&bad),
    };
    let versions = ComparedVersions {
        good: version(&good[0]),
        good_commit: Some(good[0].clone()),
        bad: bad_version,
        bad_commit: uncommitted.is_none().then_some(bad),
        between,
        source: Arc::new(source),
        warnings: Vec::new(),
        uncommitted: Default::default(),
    };
    (versions, origins)
}

/// What was tested: a commit by its name, changes by their numbers, and nothing for a proof.
fn tested(stage: &StageName, configuration: &Configuration, name: &str) -> String {
    match stage {
        StageName::Round(_, RoundStep::Alone | RoundStep::Without) => String::new(),
        StageName::Round(_, RoundStep::Commits | RoundStep::Branch(_)) => name.to_owned(),
        _ => configuration.to_string(),
    }
}

fn described(concluded: &Result<Concluded, Halt>) -> Vec<String> {
    let concluded = match concluded {
        Ok(concluded) => concluded,
        Err(Halt::Failed(problem)) => {
            return vec![format!("error: {}", problem.to_string().replace("error: ", "").replace('\n', " "))];
        }
        Err(other) => return vec![format!("error: {other:?}")],
    };
    let mut lines = Vec::new();
    let conclusion = concluded.conclusion.as_ref();
    let finding = conclusion.and_then(|conclusion| conclusion.finding.read(QuestionName::Changes));
    if let Some(Finding::Changes(finding)) = finding {
        lines.push(format!("finds: {}", changes(&finding.changes)));
        lines.extend(extras(&finding));
    }
    if concluded.ending != Ending::Found {
        let why = concluded.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
        lines.push(format!("ends: {}{why}", format!("{:?}", concluded.ending).to_lowercase()));
    }
    if let Some(conclusion) = conclusion.filter(|_| concluded.ending == Ending::Found) {
        let usual = Verified { alone_fails: Some(true), without_passes: Some(true) };
        if conclusion.verified != usual {
            let said = |side: Option<bool>| side.map_or("unknown", |is_so| if is_so { "yes" } else { "no" });
            lines.push(format!(
                "proof: fails alone {}, passes without {}",
                said(conclusion.verified.alone_fails),
                said(conclusion.verified.without_passes)
            ));
        }
        if !conclusion.minimal.checked {
            lines.push("minimal: not known".to_owned());
        }
    }
    lines
}

fn extras(finding: &ChangesFinding) -> Vec<String> {
    let mut lines = Vec::new();
    if !finding.needs.is_empty() {
        lines.push(format!("needs: {}", changes(&finding.needs)));
    }
    if !finding.suspects.is_empty() {
        let suspects: Vec<&str> = finding.suspects.iter().map(|CommitInfo { id, .. }| id.as_str()).collect();
        lines.push(format!("suspects: {}", suspects.join(" ")));
    }
    for further in &finding.further {
        lines.push(format!("further: {}", changes(&further.changes)));
    }
    lines
}

/// `4 +c!, main: -x +y`: each with its commit, if it is known, and with its file, if that is not called like its only line.
fn changes(changes: &[FoundChange]) -> String {
    let one = |change: &FoundChange| {
        let signed = |sign: &str, lines: &[String]| {
            lines.iter().map(|line| format!("{sign}{line}")).collect::<Vec<_>>()
        };
        let lines = [signed("-", &change.removed), signed("+", &change.added)].concat();
        let is_plain = change.removed.iter().chain(&change.added).all(|line| *line == change.path);
        let what = match lines.is_empty() {
            true => change.what.clone().unwrap_or_default(),
            false if is_plain => lines.join(" "),
            false => format!("{}: {}", change.path, lines.join(" ")),
        };
        let commit = change.commit.as_ref().map_or_else(String::new, |commit| format!("{commit} "));
        format!("{commit}{what}")
    };
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}
