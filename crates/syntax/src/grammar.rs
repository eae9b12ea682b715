//! The grammars, and what they allow at each position of a tree.

use crate::language_info::GrammarSource;
use crate::{GrammarSlot, Language};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// The grammar of a language.
pub(crate) struct Grammar {
    pub(crate) language: &'static tree_sitter::Language,
    /// For each kind of node and each of its fields, what the grammar allows there. The empty field is all other children.
    slots: HashMap<&'static str, HashMap<&'static str, GrammarSlot>>,
}

impl Grammar {
    /// The grammar, which is read once for each language. `None` if it was left out of the build.
    pub(crate) fn of(language: Language) -> Option<&'static Self> {
        static GRAMMARS: [OnceLock<Option<Grammar>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        static LANGUAGES: [OnceLock<tree_sitter::Language>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let grammar = GRAMMARS[language as usize].get_or_init(|| {
            let GrammarSource { language: function, node_types } = language.info().grammar?;
            let language = LANGUAGES[language as usize].get_or_init(|| function.into());
            Some(Self { language, slots: slots(language, node_types) })
        });
        grammar.as_ref()
    }

    pub(crate) fn slot(&self, parent: &str, field: Option<&str>) -> GrammarSlot {
        let slots = self.slots.get(parent);
        slots.and_then(|slots| slots.get(field.unwrap_or_default())).cloned().unwrap_or_default()
    }
}

/// The slots of all kinds of nodes, from the description that comes with the grammar.
fn slots(
    language: &'static tree_sitter::Language,
    node_types: &str,
) -> HashMap<&'static str, HashMap<&'static str, GrammarSlot>> {
    let Ok(Value::Array(types)) = serde_json::from_str::<Value>(node_types) else { return HashMap::new() };
    let names = GrammarNames::of(language);
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
        GrammarSlot {
            is_repeated: described["multiple"] == Value::Bool(true),
            is_required: described["required"] == Value::Bool(true),
            kinds: Some(Arc::new(kinds)),
        }
    };
    let mut slots: HashMap<&'static str, HashMap<&'static str, GrammarSlot>> = HashMap::new();
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

/// The names that the grammar itself stores: they live as long as the program.
struct GrammarNames {
    kinds: HashMap<&'static str, &'static str>,
    fields: HashMap<&'static str, &'static str>,
}

impl GrammarNames {
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
