//! What a search asked, as text: `commits 2✓ 4✗; hunks 1✗`.

use howcome_dd::Outcome;

/// A sign for an outcome.
pub(crate) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "✓",
        Outcome::Fail => "✗",
        Outcome::Unresolved => "?",
    }
}

/// The tests of each stage, in their order.
pub(crate) fn by_stage(asked: impl Iterator<Item = (String, String)>) -> String {
    let mut stages: Vec<(String, Vec<String>)> = Vec::new();
    for (stage, test) in asked {
        match stages.last_mut() {
            Some((last, tests)) if *last == stage => tests.push(test),
            _ => stages.push((stage, vec![test])),
        }
    }
    let stages: Vec<String> =
        stages.iter().map(|(stage, tests)| format!("{stage} {}", tests.join(" "))).collect();
    stages.join("; ")
}
