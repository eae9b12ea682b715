//! Checks JSON against a JSON Schema, as far as the schema of howcome's findings needs it.

use serde_json::Value;
use std::collections::BTreeSet;

/// What is wrong with a value, a line for each violation: a field that is missing or has another type, and a field that the
/// schema does not describe. A schema allows the latter to readers; a test wants to know about it.
///
/// # Panics
/// If the schema has a keyword that this module does not know.
#[must_use]
pub fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Checker { root: schema }.check_whole(schema, value, "$", &mut found);
    found.sort();
    found
}

struct Checker<'a> {
    root: &'a Value,
}

impl<'a> Checker<'a> {
    /// A value with all of its fields.
    fn check_whole(&self, schema: &'a Value, value: &Value, path: &str, found: &mut Vec<String>) {
        self.check(schema, value, path, found);
        let mut known = BTreeSet::new();
        self.describe(schema, value, &mut known);
        let undescribed =
            fields(value).filter(|(field, _)| !known.is_empty() && !known.contains(field.as_str()));
        found.extend(undescribed.map(|(field, _)| format!("{path}.{field} is not described")));
    }

    fn check(&self, schema: &'a Value, value: &Value, path: &str, found: &mut Vec<String>) {
        for (keyword, rule) in fields(schema) {
            match keyword.as_str() {
                "type" if !is_of_type(rule, value) => {
                    found.push(format!("{path} is not of type {rule}: {value}"))
                }
                "const" if rule != value => found.push(format!("{path} is not {rule}: {value}")),
                "enum" if !elements(rule).contains(value) => {
                    found.push(format!("{path} is not one of {rule}: {value}"))
                }
                "minimum" if value.as_f64() < rule.as_f64() && value.is_number() => {
                    found.push(format!("{path} is less than {rule}: {value}"));
                }
                "maximum" if value.as_f64() > rule.as_f64() => {
                    found.push(format!("{path} is more than {rule}: {value}"));
                }
                "required" => {
                    let names = elements(rule).iter().filter_map(Value::as_str);
                    let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                    found.extend(missing.map(|name| format!("{path}.{name} is missing")));
                }
                "properties" => {
                    for (name, schema) in fields(rule) {
                        if let Some(field) = value.get(name) {
                            self.check_whole(schema, field, &format!("{path}.{name}"), found);
                        }
                    }
                }
                "items" => {
                    for (at, element) in elements(value).iter().enumerate() {
                        self.check_whole(rule, element, &format!("{path}[{at}]"), found);
                    }
                }
                "$ref" => self.check(self.definition(rule), value, path, found),
                "allOf" => elements(rule).iter().for_each(|schema| self.check(schema, value, path, found)),
                "anyOf" => found.extend(self.least_violations(rule, value, path)),
                "then" if self.holds(&schema["if"], value) => self.check(rule, value, path, found),
                "type" | "const" | "enum" | "minimum" | "maximum" | "if" | "then" => {}
                "$schema" | "$defs" | "title" | "description" => {}
                unknown => panic!("the keyword {unknown} is not known here"),
            }
        }
    }

    /// The violations of the alternative that fits best.
    fn least_violations(&self, alternatives: &'a Value, value: &Value, path: &str) -> Vec<String> {
        let violations = elements(alternatives).iter().map(|schema| {
            let mut found = Vec::new();
            self.check(schema, value, path, &mut found);
            found
        });
        violations.min_by_key(Vec::len).unwrap_or_default()
    }

    fn holds(&self, schema: &'a Value, value: &Value) -> bool {
        let mut found = Vec::new();
        self.check(schema, value, "$", &mut found);
        found.is_empty()
    }

    /// The fields that a schema describes for a value.
    fn describe(&self, schema: &'a Value, value: &Value, known: &mut BTreeSet<&'a str>) {
        known.extend(fields(&schema["properties"]).map(|(name, _)| name.as_str()));
        if let Some(reference) = schema.get("$ref") {
            self.describe(self.definition(reference), value, known);
        }
        for schema in elements(&schema["allOf"]) {
            self.describe(schema, value, known);
        }
        for schema in elements(&schema["anyOf"]).iter().filter(|schema| self.holds(schema, value)) {
            self.describe(schema, value, known);
        }
    }

    fn definition(&self, reference: &Value) -> &'a Value {
        let pointer = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
        pointer
            .and_then(|pointer| self.root.pointer(pointer))
            .unwrap_or_else(|| panic!("no definition {reference}"))
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn is_of_type(types: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => panic!("the type {name} is not known here"),
    };
    if types.is_array() { elements(types).iter().any(is) } else { is(types) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_violation_says_where_it_is() {
        let schema = json!({
            "type": "object", "required": ["a", "b"],
            "properties": {"a": {"type": ["integer", "null"], "minimum": 1}, "b": {"enum": ["x", null]},
                           "c": {"type": "array", "items": {"$ref": "#/$defs/d"}}},
            "allOf": [{"if": {"properties": {"b": {"const": "x"}}}, "then": {"properties": {"c": {"anyOf": [{"type": "array"}, {"type": "null"}]}}}}],
            "$defs": {"d": {"type": "object", "properties": {"e": {"type": "boolean"}}}},
        });
        let none: [&str; 0] = [];
        assert_eq!(violations(&schema, &json!({"a": 1, "b": null, "c": [{"e": true}]})), none);
        assert_eq!(violations(&schema, &json!({"a": null, "b": "x", "c": []})), none);
        let wrong = json!({"a": 0, "b": "x", "c": [{"e": 1, "f": 2}], "z": 1});
        assert_eq!(
            violations(&schema, &wrong),
            [
                "$.a is less than 1: 0",
                "$.c[0].e is not of type \"boolean\": 1",
                "$.c[0].f is not described",
                "$.z is not described",
            ]
        );
        assert_eq!(
            violations(&schema, &json!({"a": "1"})),
            ["$.a is not of type [\"integer\",\"null\"]: \"1\"", "$.b is missing"]
        );
    }
}
