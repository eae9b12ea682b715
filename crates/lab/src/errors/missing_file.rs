//! Files that a run did not find although the user's folder has them: the test runs in a folder of its own.

use crate::runners::PrintedText;
use std::path::Path;

/// How messages about missing files and modules name them: the text before the name, and the character after it.
const MESSAGES: [(&str, char); 8] = [
    ("No module named '", '\''),
    ("can't open file '", '\''),
    ("No such file or directory: '", '\''),
    ("Cannot find module '", '\''),
    ("cannot open file '", '\''),
    ("Could not open input file: ", '\n'),
    ("cannot access '", '\''),
    ("can't read ", ':'),
];

/// The first name of a file or module that a run did not find in its workspace and that the user's folder has.
pub(crate) fn missing_file(printed: &PrintedText, workspace: &Path, user_folder: &Path) -> Option<String> {
    let workspace = format!("{}/", workspace.display());
    let exists = |name: &&str| {
        let path = user_folder.join(name);
        !name.is_empty()
            && Path::new(name).is_relative()
            && (path.exists() || path.with_extension("py").exists())
    };
    let named = |line: &str| {
        let by_message = MESSAGES.iter().find_map(|(before, end)| {
            let name = line.split_once(before)?.1.split(*end).next()?;
            Some(name.strip_prefix(&workspace).unwrap_or(name).trim_start_matches("./").to_owned())
        });
        // `cat: data.txt: No such file or directory`, `sh: 1: ./run: not found`
        let by_end = [": No such file or directory", ": not found"].iter().find_map(|end| {
            let name = line.trim_end().strip_suffix(end)?.rsplit(": ").next()?;
            Some(name.strip_prefix(&workspace).unwrap_or(name).trim_start_matches("./").to_owned())
        });
        by_message.or(by_end)
    };
    let top = |name: String| match name.contains('/') {
        // `tests.test_basket` is the file `tests/test_basket.py`.
        false => name
            .split('.')
            .next()
            .map(str::to_owned)
            .filter(|first| user_folder.join(first).is_dir())
            .unwrap_or(name),
        true => name,
    };
    printed.lines().filter_map(named).map(top).find(|name| exists(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_that_the_users_folder_has_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tests")).unwrap();
        fs::write(folder.path().join("data.txt"), "").unwrap();
        let missing = |line: &str| {
            let printed = PrintedText { stdout: Vec::new(), stderr: vec![line.to_owned()] };
            missing_file(&printed, Path::new("/tmp/w"), folder.path())
        };
        assert_eq!(missing("ModuleNotFoundError: No module named 'tests'").as_deref(), Some("tests"));
        assert_eq!(missing("ModuleNotFoundError: No module named 'tests.test_a'").as_deref(), Some("tests"));
        assert_eq!(
            missing("python3: can't open file '/tmp/w/data.txt': [Errno 2]").as_deref(),
            Some("data.txt")
        );
        assert_eq!(missing("cat: data.txt: No such file or directory").as_deref(), Some("data.txt"));
        assert_eq!(missing("cat: other.txt: No such file or directory"), None);
        assert_eq!(missing("ModuleNotFoundError: No module named 'numpy'"), None);
    }
}
