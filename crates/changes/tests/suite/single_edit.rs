//! One mistake amid names that changed everywhere: no hunk and no line can be left out, and still the answer is one line.

use crate::world::{PLAIN, files, path, tree};
use howcome_changes::question::conclusion::conclude;
use howcome_changes::question::finding_builder::FindingBuilder;
use howcome_changes::search::cause::CauseSearch;
use howcome_changes::search::plan::SearchPlan;
use howcome_changes::versions::compared::ComparedVersions;
use howcome_changes::versions::origin::{VersionOrigin, VersionOrigins};
use howcome_changes::{PatchSeries, Space, as_subject};
use howcome_dd::{Configuration, Outcome};
use howcome_run::{
    Because, Budget, ChangesFinding, Ending, Finding, Observation, QuestionName, ScriptedStages, Verified,
};
use std::path::Path;
use std::time::Duration;

const GOOD: &str = "\
struct column {
    int len;
};
int pad(struct column *c, int n)
{
    if (c->len < n)
        return 0;
    return c->len - n;
}
int twice(struct column *c)
{
    return 2 * c->len;
}
int fits(struct column *c, int n)
{
    return n <= c->len;
}
";

/// What is found, and how many tests it took, if a version builds only with one name everywhere and fails with a text in it.
fn search(bad: &str, fails_with: &str) -> (ChangesFinding, Verified, usize) {
    let side = |text: &str| tree(&files(&[("table.c", PLAIN, text.as_bytes())]));
    let versions = ComparedVersions::of_trees(side(GOOD), side(bad));
    let test = |space: &(dyn Space + 'static), configuration: &Configuration| {
        let version = space.candidate(configuration).unwrap().tree();
        let bytes = version.get(&path(b"table.c")).unwrap().contents.read().unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (outcome, because) = if text.contains("len") == text.contains("width") {
            (Outcome::Unresolved, Because::DidNotBuild("exit code 2".to_owned()))
        } else if text.replace("len", "width").contains(fails_with) {
            (Outcome::Fail, Because::Exit(1))
        } else {
            (Outcome::Pass, Because::Exit(0))
        };
        Observation::new(outcome, because, Duration::ZERO)
    };
    let mut stages = ScriptedStages::new(test, Budget::default(), as_subject);
    let plan = SearchPlan::default();
    let ended =
        CauseSearch { versions: &versions, plan: &plan, applied: PatchSeries::default() }.run(&mut stages);
    let folder = |name: &str| VersionOrigin::Folder(name.into());
    let origins = VersionOrigins {
        repository: None,
        good: vec![folder("good")],
        bad: folder("bad"),
        head: None,
        kept: None,
    };
    let builder = FindingBuilder {
        versions: &versions,
        origins: &origins,
        here: Path::new("."),
        fix: false,
        is_test_varied: false,
        printed: b"",
        patch_file: None,
    };
    let (concluded, _) = conclude(&builder, ended).unwrap();
    assert_eq!(concluded.ending, Ending::Found);
    let conclusion = concluded.conclusion.unwrap();
    let Some(Finding::Changes(finding)) = conclusion.finding.read(QuestionName::Changes) else {
        panic!("it is a finding about changes")
    };
    (*finding, conclusion.verified, stages.asked.len())
}

fn lines(finding: &ChangesFinding) -> Vec<String> {
    let lines = finding.changes.iter().flat_map(|change| {
        let removed = change.removed.iter().map(|line| format!("-{}", line.trim()));
        removed.chain(change.added.iter().map(|line| format!("+{}", line.trim()))).collect::<Vec<_>>()
    });
    lines.collect()
}

#[test]
fn the_answer_is_the_line_with_the_mistake_and_not_the_new_name() {
    let bad = GOOD.replace("len", "width").replace("n <= c->width", "n < c->width");
    let (finding, verified, asked) = search(&bad, "n < c->width;");
    assert_eq!(lines(&finding), ["-return n <= c->len;", "+return n < c->width;"]);
    assert_eq!(verified, Verified { alone_fails: Some(true), without_passes: Some(true) });
    // The patch is undone in the bad version, so it has the names of the bad version.
    assert!(
        finding.patch.contains("-    return n <= c->width;\n+    return n < c->width;\n"),
        "{}",
        finding.patch
    );
    assert!(asked < 50, "{asked} tests");
}

#[test]
fn a_failure_that_takes_two_edits_keeps_both() {
    let bad = GOOD.replace("len", "width").replace("2 * c->width", "3 * c->width");
    let bad = bad.replace("n <= c->width", "n < c->width");
    let both = "3 * c->width;\n}\nint fits(struct column *c, int n)\n{\n    return n < c->width;";
    let (finding, verified, _) = search(&bad, both);
    let lines = lines(&finding);
    assert!(lines.contains(&"+return 3 * c->width;".to_owned()), "{lines:?}");
    assert!(lines.contains(&"+return n < c->width;".to_owned()), "{lines:?}");
    assert_eq!(verified, Verified { alone_fails: Some(true), without_passes: Some(true) });
}
