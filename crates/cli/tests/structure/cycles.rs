//! No files of a crate import each other in a circle.

use crate::sources::{Crate, crates};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let circles: Vec<String> = crates().iter().flat_map(circles).collect();
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

fn circles(krate: &Crate) -> Vec<String> {
    let mut imports: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for module in krate.files.keys() {
        let files = krate.imports(module).into_iter().filter_map(|path| krate.definition(&path));
        // A page that gathers files may import them, and files may use what it defines itself.
        let files = files.filter(|file| file != module && !krate.gathers(file));
        imports.insert(module, files.collect());
    }
    let reaches = |from: &str, to: &str| {
        let (mut open, mut seen) = (vec![from.to_owned()], BTreeSet::new());
        while let Some(module) = open.pop() {
            for next in imports.get(module.as_str()).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        false
    };
    let mut circles = BTreeSet::new();
    for module in krate.files.keys().filter(|module| !krate.gathers(module)) {
        for other in &imports[module.as_str()] {
            if reaches(other, module) {
                circles.insert(format!("{}: {module} imports {other}, which leads back to it", krate.name));
            }
        }
    }
    circles.into_iter().collect()
}

#[test]
fn imports_are_followed_to_the_file_that_defines_them() {
    let run = crates().into_iter().find(|krate| krate.name == "run").unwrap();
    assert_eq!(run.definition("Driver").as_deref(), Some("driver"));
    assert_eq!(run.definition("names::unit::Unit").as_deref(), Some("names::unit"));
    assert_eq!(run.definition("Unit").as_deref(), Some("names::unit"));
    assert!(run.imports("driver").contains(&"memory::Memory".to_owned()));
}
