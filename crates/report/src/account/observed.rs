//! What a test showed, in a few words.

use howcome_run::Observation;
use howcome_run::words::{printable, seconds};

/// How a test ended, how often, how long it took.
pub(crate) fn details(observation: &Observation) -> String {
    let repeats = match observation.tally.runs() {
        0 | 1 => String::new(),
        runs => format!(", {} of {runs} times", observation.tally.count(observation.outcome)),
    };
    let because = printable(&observation.because.to_string());
    let source = if observation.is_cached { ", from the action cache of the cluster" } else { "" };
    format!("{because}{repeats}, {}{source}", seconds(observation.took.as_secs_f64()))
}
