//! The finding as one JSON object: the contract with scripts, see the chapter on the command line.

use crate::Summary;
use crate::finding::FindingReport;
use crate::trail::summary::{AheadCounts, TestCounts};
use howcome_run::{Ending, Minimal, QuestionName, RecordedFinding, TestInfo, Verified};
use serde::Serialize;

/// The version of the format. Fields can be added without a new version; any other change needs one.
pub const SCHEMA: u32 = 1;

/// The JSON Schema of the object.
pub const JSON_SCHEMA: &str = include_str!("../../schema/finding.schema.json");

// In the order in which people want to read it.
#[derive(Serialize)]
struct JsonReport<'a> {
    howcome: &'a str,
    schema: u32,
    question: QuestionName,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_as: Option<QuestionName>,
    ending: Option<Ending>,
    run: &'a str,
    tests: TestCounts,
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<AheadCounts>,
    seconds: f64,
    jobs: u32,
    algorithm: &'a str,
    minimal: Minimal,
    verified: Verified,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    test: Option<&'a TestInfo>,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    finding: Option<&'a RecordedFinding>,
}

/// The JSON object of a run, indented, without a newline at its end.
///
/// While a run is going on, `ending` is null. If nothing was found, `finding` is null. The other fields are always set.
///
/// # Errors
/// Never for a summary that was read from a journal.
pub fn json(summary: &Summary) -> serde_json::Result<String> {
    let conclusion = summary.conclusion.as_ref();
    // A chain without a step confirms nothing, whatever the record says.
    let is_empty = FindingReport::of_run(summary)
        .is_some_and(|finding| finding.chain().is_some_and(|chain| chain.steps.is_empty()));
    let verified = conclusion.filter(|_| !is_empty).map(|conclusion| conclusion.verified);
    let unchecked = || Minimal::new(summary.unit_of_last_stage(), false);
    serde_json::to_string_pretty(&JsonReport {
        howcome: &summary.howcome,
        schema: SCHEMA,
        question: summary.question,
        asked_as: summary.asked_as,
        ending: summary.ending,
        run: &summary.run,
        tests: summary.counts,
        ahead: summary.ahead,
        // Sums of durations have long tails, and nobody compares anything finer than milliseconds.
        seconds: (summary.seconds * 1e3).round() / 1e3,
        jobs: summary.jobs,
        algorithm: &summary.algorithm,
        minimal: conclusion.map_or_else(unchecked, |conclusion| conclusion.minimal),
        verified: verified.unwrap_or_default(),
        confidence: conclusion.and_then(|conclusion| conclusion.confidence),
        test: summary.test.as_ref(),
        warnings: &summary.warnings,
        why: summary.why.as_deref(),
        finding: conclusion.map(|conclusion| &conclusion.finding),
    })
}
