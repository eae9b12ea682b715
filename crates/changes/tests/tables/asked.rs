//! What a scripted search asked, as text: one line for each stage, with the revisions of walks.

use howcome_dd::{Configuration, Outcome};
use howcome_run::{Observation, StageName};

/// `walk 20✗ 1?`: the stages in their order, and what was seen of each test.
pub(crate) fn describe_asked(asked: &[(StageName, Configuration, Observation)]) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for (stage, configuration, seen) in asked {
        let stage_name = stage.to_string();
        if lines.last().is_none_or(|(last, _)| *last != stage_name) {
            lines.push((stage_name, String::new()));
        }
        let Some((_, tests)) = lines.last_mut() else { continue };
        let is_walk = matches!(stage, StageName::Walk(_) | StageName::Return | StageName::Forward(_));
        if let Some(revision) = configuration.get(0).filter(|_| is_walk) {
            *tests += &format!(" {}", revision.0 + 1);
        } else if tests.is_empty() {
            tests.push(' ');
        }
        tests.push(match seen.outcome {
            Outcome::Pass => '✓',
            Outcome::Fail => '✗',
            Outcome::Unresolved => '?',
        });
    }
    lines.into_iter().map(|(stage, tests)| format!("{stage}:{tests}")).collect()
}
