//! The grammars, and what they say of each place in a tree.

use crate::{Language, Slot};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// What is known of a language.
pub(crate) struct Grammar {
    pub(crate) language: &'static tree_sitter::Language,
    /// For each kind of node and each of its fields, what may stand there; the empty field is all other children.
    slots: HashMap<&'static str, HashMap<&'static str, Slot>>,
}

impl Grammar {
    /// Read once for each language; none where it was left out when this was built.
    pub(crate) fn of(language: Language) -> Option<&'static Self> {
        static GRAMMARS: [OnceLock<Option<Grammar>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        static LANGUAGES: [OnceLock<tree_sitter::Language>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let grammar = GRAMMARS[language as usize].get_or_init(|| {
            let (function, node_types) = common(language).or_else(|| more(language))?;
            let language = LANGUAGES[language as usize].get_or_init(|| function.into());
            Some(Self { language, slots: slots(language, node_types) })
        });
        grammar.as_ref()
    }

    pub(crate) fn slot(&self, parent: &str, field: Option<&str>) -> Slot {
        let slots = self.slots.get(parent);
        slots.and_then(|slots| slots.get(field.unwrap_or_default())).cloned().unwrap_or_default()
    }
}

type Described = (tree_sitter_language::LanguageFn, &'static str);

#[cfg(feature = "common-grammars")]
fn common(language: Language) -> Option<Described> {
    Some(match language {
        Language::C => (tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES),
        Language::Cpp => (tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES),
        Language::Go => (tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES),
        Language::Html => (tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES),
        Language::Java => (tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES),
        Language::JavaScript => (tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES),
        Language::Json => (tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES),
        Language::Python => (tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES),
        Language::Rust => (tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES),
        Language::Xml => (tree_sitter_xml::LANGUAGE_XML, tree_sitter_xml::XML_NODE_TYPES),
        _ => return None,
    })
}

#[cfg(not(feature = "common-grammars"))]
fn common(_: Language) -> Option<Described> {
    None
}

#[cfg(feature = "more-grammars")]
fn more(language: Language) -> Option<Described> {
    Some(match language {
        Language::Bash => (tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES),
        Language::Css => (tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES),
        Language::Sql => (tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES),
        Language::Toml => (tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES),
        Language::Yaml => (tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES),
        // It has all that is in the other one, but for types in angle brackets before a value.
        Language::TypeScript => {
            (tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES)
        }
        _ => return None,
    })
}

#[cfg(not(feature = "more-grammars"))]
fn more(_: Language) -> Option<Described> {
    None
}

/// The slots of all kinds of nodes, out of the description that comes with each grammar.
fn slots(
    language: &'static tree_sitter::Language,
    node_types: &str,
) -> HashMap<&'static str, HashMap<&'static str, Slot>> {
    let Ok(Value::Array(types)) = serde_json::from_str::<Value>(node_types) else { return HashMap::new() };
    let names = Names::of(language);
    let kind_of = |entry: &Value| names.kind(entry["type"].as_str()?);
    let subtypes: HashMap<&str, &Vec<Value>> = types
        .iter()
        .filter_map(|entry| Some((entry["type"].as_str()?, entry["subtypes"].as_array()?)))
        .collect();
    let slot = |described: &Value| {
        let mut kinds = HashSet::new();
        let mut waiting: Vec<&Value> = described["types"].as_array().into_iter().flatten().collect();
        while let Some(entry) = waiting.pop() {
            match entry["type"].as_str().and_then(|kind| subtypes.get(kind)) {
                Some(below) => waiting.extend(below.iter()),
                None => kinds.extend(kind_of(entry)),
            }
        }
        Slot {
            is_repeated: described["multiple"] == Value::Bool(true),
            is_required: described["required"] == Value::Bool(true),
            kinds: Some(Arc::new(kinds)),
        }
    };
    let mut slots: HashMap<&'static str, HashMap<&'static str, Slot>> = HashMap::new();
    for entry in &types {
        let Some(kind) = kind_of(entry) else { continue };
        let of_kind = slots.entry(kind).or_default();
        for (field, described) in entry["fields"].as_object().into_iter().flatten() {
            if let Some(field) = names.field(field) {
                of_kind.insert(field, slot(described));
            }
        }
        if entry["children"].is_object() {
            of_kind.insert("", slot(&entry["children"]));
        }
    }
    slots
}

/// The names that the grammar itself keeps: they live as long as the program.
struct Names {
    kinds: HashMap<&'static str, &'static str>,
    fields: HashMap<&'static str, &'static str>,
}

impl Names {
    fn of(language: &'static tree_sitter::Language) -> Self {
        let kinds = (0..language.node_kind_count()).filter_map(|id| language.node_kind_for_id(id as u16));
        let fields = (1..=language.field_count()).filter_map(|id| language.field_name_for_id(id as u16));
        Self {
            kinds: kinds.map(|kind| (kind, kind)).collect(),
            fields: fields.map(|field| (field, field)).collect(),
        }
    }

    fn kind(&self, name: &str) -> Option<&'static str> {
        self.kinds.get(name).copied()
    }

    fn field(&self, name: &str) -> Option<&'static str> {
        self.fields.get(name).copied()
    }
}
