//! Files with names of tests that the program itself uses. They are part of what is tested.

use crate::trees::entry::{EntryKind, TreeEntry};
use crate::trees::reading::read_readable;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use std::collections::BTreeSet;

/// Extensions of files that use others by name.
const SOURCES: [&str; 25] = [
    "py", "js", "mjs", "cjs", "ts", "jsx", "tsx", "mts", "cts", "c", "h", "cc", "cpp", "cxx", "hh", "hpp",
    "rb", "php", "pl", "pm", "lua", "go", "sh", "bash", "vue",
];

/// In a tree with more source files, those that are not read are taken to use no tests.
const MOST_FILES: usize = 5000;
const LARGEST: u64 = 1_000_000;

/// Of some files, those that a file outside of the tests imports or includes.
pub(super) fn used_by_program<'a>(
    files: &BTreeSet<&'a TreePath>,
    bad: &Tree,
    is_test: &dyn Fn(&TreePath) -> bool,
) -> BTreeSet<&'a TreePath> {
    let modules: Vec<(&TreePath, ModuleName<'_>)> =
        files.iter().filter_map(|path| Some((*path, ModuleName::of(path)?))).collect();
    let mut used = BTreeSet::new();
    if modules.is_empty() {
        return used;
    }
    let is_source = |path: &TreePath| extension(path).is_some_and(|extension| SOURCES.contains(&extension));
    let sources = bad.iter().filter(|(path, entry)| {
        matches!(entry.kind, EntryKind::File { .. }) && is_source(path) && !is_test(path)
    });
    let is_short = |entry: &TreeEntry| entry.contents.size().is_none_or(|size| size <= LARGEST);
    let (paths, entries): (Vec<&TreePath>, Vec<&TreeEntry>) =
        sources.take(MOST_FILES).filter(|(_, entry)| is_short(entry)).unzip();
    read_readable(&entries, |number, bytes| {
        let text = String::from_utf8_lossy(bytes);
        // Looked for once in the whole text: there are many lines.
        let has_calls = CALLS.iter().any(|call| text.contains(call));
        for line in text.lines().filter(|line| is_import(line, has_calls)) {
            let named = modules.iter().filter(|(own, name)| *own != paths[number] && name.is_in(line));
            used.extend(named.map(|(own, _)| *own));
        }
    });
    used
}

/// How other files name a file.
struct ModuleName<'a> {
    stem: &'a str,
    /// The folder that it is in, if it is in one.
    folder: Option<&'a str>,
}

impl<'a> ModuleName<'a> {
    fn of(path: &'a TreePath) -> Option<Self> {
        let text = std::str::from_utf8(path.as_bytes()).ok()?;
        extension(path).filter(|extension| SOURCES.contains(extension))?;
        let mut parts = text.rsplit('/');
        let stem = parts.next()?.split('.').next()?;
        let folder = parts.next();
        match (stem, folder) {
            // A folder is imported by its own name.
            ("__init__" | "index", Some(folder)) => Some(Self { stem: folder, folder: None }),
            _ => Some(Self { stem, folder }),
        }
    }

    fn is_in(&self, line: &str) -> bool {
        let words = || line.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter));
        words().any(|word| word == self.stem)
            && self.folder.is_none_or(|folder| words().any(|word| word == folder))
    }
}

/// Calls that import a file, anywhere in a line.
const CALLS: [&str; 2] = ["require(", "import("];

/// How lines that import a file start.
const STARTS: [&str; 10] =
    ["import ", "from ", "#include", "# include", "require", "include", "source ", ". ", "use ", "export "];

fn is_import(line: &str, can_have_calls: bool) -> bool {
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start))
        || can_have_calls && CALLS.iter().any(|call| line.contains(call))
}

fn extension(path: &TreePath) -> Option<&str> {
    let name = std::str::from_utf8(path.as_bytes()).ok()?.rsplit('/').next()?;
    name.rsplit_once('.').map(|(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_code::conventions::is_test_by_name;

    #[test]
    fn a_file_that_the_program_imports_is_part_of_the_program() {
        let files = [
            ("app.py", "import os\nfrom tests.sample import DATA\nimport check\n"),
            ("src/main.c", "#include \"test/table.h\"\n// tests/helper.h\n"),
            ("src/index.js", "const run = require('./test/run');\n"),
            ("tests/sample.py", "DATA = 1\n"),
            ("tests/helper.py", ""),
            ("tests/test_app.py", "from tests.helper import x\n"),
            ("src/test/table.h", ""),
            ("src/test/run.js", ""),
            ("tests/helper.h", ""),
            ("check.py", ""),
            ("verify.py", ""),
        ];
        let tree = Tree::of_texts(&files);
        let paths: BTreeSet<&TreePath> = tree.iter().map(|(path, _)| path).collect();
        let used = used_by_program(&paths, &tree, &is_test_by_name);
        let used: Vec<String> = used.into_iter().map(ToString::to_string).collect();
        assert_eq!(used, ["check.py", "src/test/run.js", "src/test/table.h", "tests/sample.py"]);
    }
}
