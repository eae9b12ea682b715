//! What a finding consists of, by the question that it answers. What is not understood is shown as it is.

use crate::printable::{printable, printable_lines};
use serde::Deserialize;
use serde_json::Value;

/// A finding, ready to be worded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Finding {
    /// Some of a list of things are enough to make the test fail.
    Items { items: Vec<String>, of: Option<u64> },
    /// Some of a list of things make the difference, beside others that have to be there.
    Deciding { items: Vec<String>, of: Option<u64>, passing: Vec<String>, failing: Vec<String> },
    /// A smaller input.
    Input { output: String, before: u64, after: u64 },
    /// A smaller patch.
    Patch { commit: Option<String>, files: u64, hunks: u64, patch: Vec<String> },
    /// Anything else, as JSON.
    Other(Vec<String>),
}

#[derive(Deserialize)]
struct ItemsJson {
    items: Vec<String>,
    of: Option<u64>,
    passing: Option<Vec<String>>,
    failing: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct InputJson {
    output: String,
    bytes_before: u64,
    bytes_after: u64,
}

#[derive(Deserialize)]
struct PatchJson {
    commit: Option<Value>,
    files: Value,
    hunks: Value,
    patch: String,
}

impl Finding {
    pub(crate) fn of(question: &str, json: &Value) -> Self {
        let known = match question {
            "items" => ItemsJson::deserialize(json).ok().map(Self::of_items),
            "input" => InputJson::deserialize(json).ok().map(|input| Finding::Input {
                output: input.output,
                before: input.bytes_before,
                after: input.bytes_after,
            }),
            "changes" => PatchJson::deserialize(json).ok().map(Self::of_patch),
            _ => None,
        };
        known.unwrap_or_else(|| Finding::Other(printable_lines(&format!("{json:#}"))))
    }

    fn of_items(json: ItemsJson) -> Self {
        let lines = |items: Vec<String>| items.iter().map(|item| printable(item)).collect();
        let (items, of) = (lines(json.items), json.of);
        match (json.passing, json.failing) {
            (Some(passing), Some(failing)) => {
                Finding::Deciding { items, of, passing: lines(passing), failing: lines(failing) }
            }
            _ => Finding::Items { items, of },
        }
    }

    fn of_patch(json: PatchJson) -> Self {
        // A number, or the list of them.
        let how_many =
            |value: &Value| value.as_u64().or_else(|| Some(value.as_array()?.len() as u64)).unwrap_or(0);
        Finding::Patch {
            commit: json.commit.as_ref().and_then(Value::as_str).map(printable),
            files: how_many(&json.files),
            hunks: how_many(&json.hunks),
            patch: printable_lines(&json.patch),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_finding_of_another_shape_is_shown_as_it_is() {
        let finding = Finding::of("items", &json!({"items": 3}));
        assert_eq!(finding, Finding::Other(vec!["{".into(), "  \"items\": 3".into(), "}".into()]));
    }

    #[test]
    fn hunks_may_be_a_number_or_a_list() {
        let json = json!({"commit": null, "files": ["a.c"], "hunks": 2, "patch": "-a\n+b\n"});
        let patch = vec!["-a".to_owned(), "+b".to_owned()];
        assert_eq!(Finding::of("changes", &json), Finding::Patch { commit: None, files: 1, hunks: 2, patch });
    }
}
