//! A type's name is used once, so that a reader knows which type is meant.

use crate::sources::crates;
use std::collections::BTreeMap;

#[test]
fn no_type_name_is_used_twice() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for krate in crates() {
        for (module, file) in &krate.files {
            for name in file.text.lines().filter_map(defined_type) {
                places.entry(name.to_owned()).or_default().push(format!("{}: {module}", krate.name));
            }
        }
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

/// The type that a line defines at the top of a module.
fn defined_type(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub").map_or(line, |line| {
        let visibility = line.strip_prefix('(').and_then(|line| line.split_once(')'));
        visibility.map_or(line, |(_, line)| line).trim_start()
    });
    let rest =
        ["struct ", "enum ", "trait ", "union "].iter().find_map(|keyword| line.strip_prefix(keyword))?;
    rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()
}

#[test]
fn type_definitions_are_recognised() {
    assert_eq!(defined_type("pub(crate) struct Row {"), Some("Row"));
    assert_eq!(defined_type("pub trait Lab: Executor {"), Some("Lab"));
    assert_eq!(defined_type("enum Way<T> {"), Some("Way"));
    assert_eq!(defined_type("    struct Inner;"), None);
    assert_eq!(defined_type("let structure = 1;"), None);
}
