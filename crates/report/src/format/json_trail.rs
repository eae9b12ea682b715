//! The trail and the sizes of an input as JSON, for scripts.

use crate::Summary;
use crate::format::json::SCHEMA;
use crate::trail::sizes::{at_first, smaller};
use howcome_dd::Configuration;
use howcome_run::Because;
use serde_json::{Value, json};

/// The stages and the steps of a run as one JSON object.
#[must_use]
pub fn trail_json(summary: &Summary) -> Value {
    let stages: Vec<Value> = summary.stages.iter().map(|stage| {
        json!({"stage": stage.number, "subject": stage.subject.to_string(), "search": stage.search, "deltas": stage.deltas, "unit": stage.unit})
    }).collect();
    let steps: Vec<Value> = summary
        .trail
        .iter()
        .map(|step| {
            json!({
                "test": step.number,
                "stage": step.stage,
                "step": step.step.name(),
                "how": step.how,
                "outcome": step.outcome,
                "because": step.because.as_ref().map(Because::to_string),
                "configuration": step.configuration.as_ref().map(Configuration::to_string),
                "name": step.name,
                "left": step.left,
                "bytes": step.bytes,
                "seconds": step.took.map(|took| took.as_secs_f64()),
            })
        })
        .collect();
    json!({"howcome": summary.howcome, "schema": SCHEMA, "run": summary.run, "stages": stages, "trail": steps})
}

/// The steps that made an input smaller as one JSON object.
#[must_use]
pub fn size_history_json(summary: &Summary) -> Value {
    let pass = |number: u32| summary.stage(number).map(|stage| stage.subject.without_turn());
    let sizes: Vec<Value> = smaller(summary)
        .map(|(step, bytes)| json!({"test": step.number, "bytes": bytes, "pass": pass(step.stage)}))
        .collect();
    json!({"howcome": summary.howcome, "schema": SCHEMA, "run": summary.run, "bytes_before": at_first(summary), "history": sizes})
}
