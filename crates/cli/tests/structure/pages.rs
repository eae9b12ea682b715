//! Each file of a crate is named in the page of its crate, or of its folder.

use crate::sources::{Crate, crates};

#[test]
fn every_file_is_named_in_its_page() {
    let missing: Vec<String> = crates().iter().flat_map(missing).collect();
    assert!(missing.is_empty(), "{} files:\n{}", missing.len(), missing.join("\n"));
}

fn missing(krate: &Crate) -> Vec<String> {
    let unnamed = |module: &&String| {
        let (folder, name) = module.rsplit_once("::").unwrap_or(("", module));
        !names(krate, folder, name)
    };
    let modules = krate.files.keys().filter(|module| !module.is_empty());
    modules.filter(unnamed).map(|module| format!("{}: {module}", krate.name)).collect()
}

/// Whether the page of a folder, or of one above it, names a file or folder in backticks.
fn names(krate: &Crate, folder: &str, name: &str) -> bool {
    let is_named = krate.files.get(folder).is_some_and(|page| {
        let docs = page.text.lines().filter(|line| line.starts_with("//!")).collect::<Vec<_>>().join("\n");
        docs.split('`').skip(1).step_by(2).any(|quoted| {
            let quoted = quoted.trim_end_matches('/').trim_end_matches(".rs");
            quoted == name || quoted.ends_with(&format!("/{name}"))
        })
    });
    match folder.rsplit_once("::") {
        _ if is_named => true,
        None if folder.is_empty() => false,
        None => names(krate, "", name),
        Some((above, _)) => names(krate, above, name),
    }
}
