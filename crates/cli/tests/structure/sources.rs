//! The source files of the workspace, and what they import.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A crate: its name, and each source file by its module path (`graph::value`), the root by an empty one.
pub(crate) struct Crate {
    pub name: String,
    pub files: BTreeMap<String, SourceFile>,
}

pub(crate) struct SourceFile {
    pub path: PathBuf,
    /// Without the tests at its end.
    pub text: String,
}

/// All crates below `crates`.
pub(crate) fn crates() -> Vec<Crate> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.retain(|folder| folder.join("Cargo.toml").exists());
    assert!(folders.len() > 8, "{folders:?}");
    folders.iter().map(|folder| read_crate(folder)).collect()
}

fn read_crate(folder: &Path) -> Crate {
    let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let mut files = BTreeMap::new();
    let mut open = vec![folder.join("src")];
    while let Some(folder_or_file) = open.pop() {
        if folder_or_file.is_dir() {
            open.extend(fs::read_dir(&folder_or_file).unwrap().map(|entry| entry.unwrap().path()));
        } else if folder_or_file.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&folder_or_file).unwrap();
            let text = text.split("#[cfg(test)]\nmod ").next().unwrap().to_owned();
            let module = module_path(folder_or_file.strip_prefix(folder.join("src")).unwrap());
            files.insert(module, SourceFile { path: folder_or_file, text });
        }
    }
    Crate { name, files }
}

fn module_path(path: &Path) -> String {
    let mut parts: Vec<String> =
        path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts.join("::")
}

impl Crate {
    /// Whether a module is a root or a folder: it only gathers what is in other files.
    pub(crate) fn gathers(&self, module: &str) -> bool {
        let file_name = self.files[module].path.file_name().unwrap();
        ["mod.rs", "lib.rs", "main.rs"].iter().any(|name| file_name == *name)
    }

    /// The paths that a file imports from its own crate, from the root: `graph::value::Value`.
    pub(crate) fn imports(&self, module: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for tree in statements(&self.files[module].text, "use ") {
            expand(&tree, "", &mut paths);
        }
        paths.iter().filter_map(|path| self.path_from_root(module, path)).collect()
    }

    fn path_from_root(&self, module: &str, path: &str) -> Option<String> {
        let mut here: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
        let mut parts = path.split("::").peekable();
        match *parts.peek()? {
            "crate" => {
                parts.next();
                here.clear();
            }
            "self" => drop(parts.next()),
            "super" => {
                while parts.next_if_eq(&"super").is_some() {
                    here.pop();
                }
            }
            _ => return None,
        }
        here.extend(parts);
        Some(here.join("::"))
    }

    /// The file in which something is defined, through whatever `mod.rs` and `lib.rs` re-export it.
    pub(crate) fn definition(&self, path: &str) -> Option<String> {
        let mut path = path.to_owned();
        for _ in 0..8 {
            let (module, name) = self.split(&path)?;
            if !self.gathers(&module) {
                return Some(module);
            }
            let mut exported = Vec::new();
            for tree in statements(&self.files[&module].text, "use ") {
                expand(&tree, "", &mut exported);
            }
            let found = exported.iter().find(|exported| exported.rsplit("::").next() == Some(&name));
            let Some(found) = found else { return Some(module) };
            let root = self.path_from_root(&module, found);
            path = root.unwrap_or_else(|| match module.as_str() {
                "" => found.clone(),
                module => format!("{module}::{found}"),
            });
        }
        None
    }

    /// The longest module that a path begins with, and the next part of it.
    fn split(&self, path: &str) -> Option<(String, String)> {
        let parts: Vec<&str> = path.split("::").collect();
        (0..=parts.len()).rev().find_map(|length| {
            let module = parts[..length].join("::");
            let name = parts.get(length).copied().unwrap_or_default().to_owned();
            self.files.contains_key(&module).then_some((module, name))
        })
    }
}

/// The statements of a text that begin a line with `pub(…)? keyword`, without the keyword and the semicolon.
fn statements(text: &str, keyword: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(keyword) {
        let line = rest[..at].rsplit('\n').next().unwrap().trim();
        let after = &rest[at + keyword.len()..];
        let is_statement = line.is_empty() || line.starts_with("pub") && !line.contains(' ');
        if let (true, Some(end)) = (is_statement, after.find(';')) {
            found.push(after[..end].split_whitespace().collect::<String>());
        }
        rest = after;
    }
    found
}

/// The paths of a use tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str, prefix: &str, paths: &mut Vec<String>) {
    match tree.split_once('{') {
        None => {
            let path = tree.split("as").next().filter(|_| tree.contains(")as")).unwrap_or(tree);
            paths.push(format!("{prefix}{path}"));
        }
        Some((head, rest)) => {
            let inner = rest.strip_suffix('}').unwrap_or(rest);
            for part in top_level(inner) {
                match part {
                    "self" => paths.push(format!("{prefix}{}", head.trim_end_matches("::"))),
                    part => expand(part, &format!("{prefix}{head}"), paths),
                }
            }
        }
    }
}

/// Splits at commas that are in no braces.
fn top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

#[test]
fn use_trees_are_expanded() {
    let mut paths = Vec::new();
    expand("crate::{a::{self,B},c::D}", "", &mut paths);
    assert_eq!(paths, ["crate::a", "crate::a::B", "crate::c::D"]);
}
