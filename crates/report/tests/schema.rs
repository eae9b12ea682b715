//! The JSON Schema that is checked in describes what is written, and nothing else.

#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::{JSON_SCHEMA, SCHEMA, Summary, json};
use howcome_run::{
    BothOutcomes, ChainAdvice, ChainFinding, ChainStep, ChangeExtent, ChangesFinding, CommitCheck,
    CommitInfo, Conclusion, DecidingVariable, DefectCandidate, DifferenceFinding, DifferenceKind,
    DifferingPart, EndedAfter, EndedStage, Ending, Entry, FailsSince, FilePreview, Finding, ForwardStep,
    FoundChange, GraphEdge, GraphPart, GraphVertex, HistoryFinding, HunkLine, InputFinding, ItemsFinding,
    MarkedText, Minimal, NeverWorked, OtherFailure, PassYield, PatchBase, PatchMade, QuestionName,
    QuotedLine, ReducedFile, RevisionOutcome, RevisionTried, Round, RoundStep, RunFile, RunPlace,
    SkippedPlace, SkippedRevision, StageName, TestInfo, TransitionFound, Unit, Verified,
};
use howcome_testing::schema::violations;
use journal::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn schema() -> Value {
    serde_json::from_str(JSON_SCHEMA).unwrap()
}

// Every field is named, so that a new one cannot be forgotten here, and every optional one is there.

fn some() -> Option<String> {
    Some("x".to_owned())
}

fn items() -> ItemsFinding {
    ItemsFinding {
        items: vec!["a".into()],
        of: Some(2),
        passing: Some(vec![]),
        failing: Some(vec!["a".into()]),
    }
}

fn preview() -> FilePreview {
    FilePreview { text: some(), beginning: some(), dump: some() }
}

fn input() -> InputFinding {
    InputFinding {
        output: "a".into(),
        bytes_before: 2,
        bytes_after: 1,
        passes: vec![PassYield { name: "lines".into(), tests: 1, bytes: 1 }],
        other_failures: vec![other_failure()],
        also: Some(vec![other_failure()]),
        preview: preview(),
        files: Some(vec![reduced_file()]),
        files_in_all: Some(1),
    }
}

fn other_failure() -> OtherFailure {
    OtherFailure { what: "signal 11".into(), tests: 1, bytes: Some(3), kept_in: some() }
}

fn reduced_file() -> ReducedFile {
    ReducedFile { path: "a".into(), bytes: 1, preview: preview() }
}

fn difference() -> DifferenceFinding {
    DifferenceFinding {
        passing: "a".into(),
        failing: "b".into(),
        difference: vec![differing_part()],
        deltas: 1,
        of: 2,
        unit: Unit::Token,
        passing_side: some(),
    }
}

fn differing_part() -> DifferingPart {
    let lines = || vec!["x".to_owned()];
    DifferingPart {
        path: "a".into(),
        line: Some(1),
        offset: 0,
        removed: lines(),
        added: lines(),
        before: lines(),
        passing: lines(),
        failing: lines(),
        marked: vec![MarkedText { line: 0, start: 0, end: 1 }],
        after: lines(),
        what: some(),
    }
}

fn changes() -> ChangesFinding {
    let one = ChangesFinding {
        commit: some(),
        files: 1,
        hunks: 1,
        lines_removed: 1,
        lines_added: 1,
        needs: vec![change()],
        patch: String::new(),
        patch_file: some(),
        of: extent(),
        good: some(),
        bad: some(),
        top: some(),
        bad_folder: some(),
        fix: false,
        changes: vec![change()],
        patch_for: Some(PatchBase::Bad),
        at_commit: Some(CommitCheck::Holds),
        in_mix: true,
        ended_stages: vec![EndedStage {
            stage: StageName::Round(Round::default(), RoundStep::Items),
            ended_after: EndedAfter::Tests(75),
        }],
        suspects: vec![commit()],
        commits: vec![commit()],
        further: Vec::new(),
    };
    ChangesFinding { further: vec![one.clone()], ..one }
}

fn extent() -> ChangeExtent {
    ChangeExtent { hunks: Some(1), files: Some(1), commits: Some(1) }
}

fn change() -> FoundChange {
    FoundChange {
        path: "a".into(),
        old_line: Some(1),
        new_line: Some(1),
        removed: vec!["x".into()],
        added: vec!["y".into()],
        what: some(),
        commit: some(),
        hunk: vec![hunk_line()],
    }
}

fn hunk_line() -> HunkLine {
    HunkLine { old: Some(1), new: None, text: "x".into(), decides: true }
}

fn test_info() -> TestInfo {
    let text = || "x".to_owned();
    TestInfo {
        command: vec![text()],
        signature: text(),
        held: vec![text()],
        in_copy: true,
        failing_output: text(),
    }
}

fn commit() -> CommitInfo {
    let text = || "x".to_owned();
    CommitInfo { id: text(), short: text(), author: text(), email: text(), date: text(), subject: text() }
}

fn history() -> HistoryFinding {
    HistoryFinding {
        forward_other_lines: 1,
        patches_ended_after: Some(70),
        passing_index: Some(1),
        failing_index: Some(2),
        fails_since: Some(FailsSince { revision: "6a7b8c9".to_owned(), number: 314 }),
        bad: some(),
        oldest: some(),
        revisions: 9,
        passing_revision: some(),
        failing_revision: some(),
        passing_commit: Some(commit()),
        failing_commit: Some(commit()),
        revisions_tried: 3,
        skipped: 1,
        skipped_revisions: vec![SkippedRevision { revision: "a".into(), why: "b".into() }],
        backported: some(),
        backported_file: some(),
        backported_onto: some(),
        backported_lines: 1,
        backported_hunks: 1,
        backported_minimal: true,
        patches: vec![patch_made()],
        cause: Some(changes()),
        forward: some(),
        forward_file: some(),
        forward_why: some(),
        forward_at: some(),
        forward_steps: vec![ForwardStep { revision: "a".into(), hunks: 1 }],
        never_worked: Some(never_worked()),
        tried: vec![RevisionTried { index: 0, outcome: RevisionOutcome::Otherwise }],
        patch_top: some(),
    }
}

fn patch_made() -> PatchMade {
    PatchMade {
        lines: 4,
        revision: "a".into(),
        index: Some(1),
        newer: "b".into(),
        because: some(),
        hunks: 1,
        files: 1,
        least: Some(true),
    }
}

fn never_worked() -> NeverWorked {
    NeverWorked {
        revision: "a".into(),
        because: "b".into(),
        whole: Some(true),
        lines: Some(1),
        lines_of: Some(1),
        runs_since: Some(String::new()),
        did_not_run: Some(String::new()),
    }
}

fn chain() -> ChainFinding {
    ChainFinding {
        program: "a".into(),
        failing_run: "a 1".into(),
        passing_run: "a 2".into(),
        outcome: BothOutcomes { passing: "x".into(), failing: "y".into() },
        steps: vec![step()],
        skipped: vec![SkippedPlace { location: place(), why: "x".into() }],
        transitions: vec![transition()],
        candidates: vec![DefectCandidate { location: place(), why: vec!["x".into()] }],
        advice: vec![ChainAdvice { purpose: "x".into(), command: some() }],
        divergence: Some(place()),
    }
}

fn step() -> ChainStep {
    ChainStep {
        location: place(),
        causes: vec![variable()],
        vertices: 1,
        edges: 1,
        common: Some(1),
        deltas: 1,
        dropped: 1,
        left_out: vec!["x".into()],
        tests: 1,
        relevant: Some(1),
        is_reversed: false,
        counted_from: Some(place()),
        has_no_way_back: true,
        source: vec![line()],
        graph: graph(),
    }
}

fn place() -> RunPlace {
    RunPlace { function: "f".into(), file: "a.c".into(), path: some(), line: Some(1), hit: Some(1) }
}

fn variable() -> DecidingVariable {
    DecidingVariable {
        name: "x".into(),
        failing: some(),
        passing: some(),
        kind: DifferenceKind::Changed,
        alone_fails: Some(true),
        without_passes: Some(true),
    }
}

fn transition() -> TransitionFound {
    TransitionFound {
        from: "a".into(),
        to: "b".into(),
        between: vec![place()],
        times: Some(2),
        is_parting: true,
        is_likely: true,
        source: vec![line()],
    }
}

fn line() -> QuotedLine {
    QuotedLine { line: Some(1), text: "x".into(), is_here: true }
}

fn graph() -> GraphPart {
    let vertex = GraphVertex {
        id: 1,
        name: "a".into(),
        value: "b".into(),
        passing: some(),
        is_different: true,
        is_cause: true,
    };
    GraphPart { vertices: vec![vertex], edges: vec![GraphEdge { from: 1, to: 1, label: "*".into() }] }
}

fn findings() -> Vec<(QuestionName, Finding)> {
    vec![
        (QuestionName::Items, Finding::Items(items())),
        (QuestionName::Input, Finding::Input(Box::new(input()))),
        (QuestionName::Input, Finding::Difference(Box::new(difference()))),
        (QuestionName::Changes, Finding::Changes(Box::new(changes()))),
        (QuestionName::History, Finding::History(Box::new(history()))),
        (QuestionName::State, Finding::Chain(Box::new(chain()))),
    ]
}

/// The object of a run that ends with a finding.
fn printed(question: QuestionName, finding: Finding) -> Value {
    let conclusion = Conclusion {
        finding: finding.into(),
        minimal: Minimal::new(Unit::Line, true),
        verified: Verified { alone_fails: Some(true), without_passes: None },
        confidence: Some(0.99),
    };
    let opened = Journal::opened().entry(Entry::Test(test_info()));
    let entries = opened.ended(Ending::Stopped, Some(conclusion), Some("because"), 1.0).entries;
    let run = RunFile { question, request: serde_json::json!({ "asked_as": "changes" }), ..run_file() };
    let summary = Summary::of(&run, Path::new("howcome.out/1"), &entries);
    serde_json::from_str(&json(&summary).unwrap()).unwrap()
}

#[test]
fn what_is_printed_is_as_the_schema_says() {
    let none: [String; 0] = [];
    for (question, finding) in findings() {
        assert_eq!(violations(&schema(), &printed(question, finding)), none, "{question}");
    }
    for summary in
        [found(), stopped(), refused(), flaky(), Journal::opened()].map(|journal| journal.summary())
    {
        let printed: Value = serde_json::from_str(&json(&summary).unwrap()).unwrap();
        assert_eq!(violations(&schema(), &printed), none);
    }
}

#[test]
fn a_finding_of_another_question_is_not_as_the_schema_says() {
    let mut printed = printed(QuestionName::Items, Finding::Items(items()));
    printed["question"] = json!("changes");
    assert!(!violations(&schema(), &printed).is_empty());
    printed["question"] = json!("items");
    printed["finding"]["items"] = json!("a");
    assert_eq!(violations(&schema(), &printed), ["$.finding.items is not of type \"array\": \"a\""]);
}

fn value(of: impl Serialize) -> Value {
    serde_json::to_value(of).unwrap()
}

#[test]
fn the_schema_describes_every_field_and_no_other() {
    let HistoryFinding { skipped_revisions, forward_steps, tried, .. } = history();
    let GraphPart { vertices, edges } = graph();
    let written = [
        ("test", value(test_info())),
        ("hunk_line", value(hunk_line())),
        ("items", value(items())),
        ("input", value(input())),
        ("pass", value(&input().passes[0])),
        ("other_failure", value(other_failure())),
        ("reduced_file", value(reduced_file())),
        ("difference", value(difference())),
        ("differing_part", value(differing_part())),
        ("marked_text", value(&differing_part().marked[0])),
        ("changes", value(changes())),
        ("extent", value(extent())),
        ("change", value(change())),
        ("commit", value(commit())),
        ("history", value(history())),
        ("skipped_revision", value(&skipped_revisions[0])),
        ("patch_made", value(patch_made())),
        ("forward_step", value(&forward_steps[0])),
        ("fails_since", value(history().fails_since.unwrap())),
        ("never_worked", value(never_worked())),
        ("revision_tried", value(tried[0])),
        ("chain", value(chain())),
        ("step", value(step())),
        ("place", value(place())),
        ("variable", value(variable())),
        ("skipped_place", value(&chain().skipped[0])),
        ("chain_advice", value(&chain().advice[0])),
        ("defect_candidate", value(&chain().candidates[0])),
        ("transition", value(transition())),
        ("line", value(line())),
        ("vertex", value(&vertices[0])),
        ("edge", value(&edges[0])),
    ];
    let schema = schema();
    let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let defined = written.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&schema["$defs"]), defined);
    for (name, value) in written {
        assert_eq!(names(&schema["$defs"][name]["properties"]), names(&value), "{name}");
    }
    let whole = printed(QuestionName::Items, Finding::Items(items()));
    // Only runs with many tests at a time have it.
    let ahead = BTreeSet::from(["ahead".to_owned()]);
    assert_eq!(names(&schema["properties"]), &names(&whole) | &ahead);
}

#[test]
fn the_schema_has_the_number_of_the_format() {
    assert_eq!(schema()["properties"]["schema"]["const"], SCHEMA);
}
