//! Files that a run did not find although the user's folder has them: the test runs in a folder of its own.

use crate::runners::PrintedText;
use std::path::Path;

/// How messages about missing files and modules name them: the text before the name, and the character after it.
const MESSAGES: [(&str, char); 13] = [
    ("No module named '", '\''),
    ("can't open file '", '\''),
    ("No such file or directory: '", '\''),
    ("Cannot find module '", '\''),
    ("Cannot find package '", '\''),
    ("Cannot find module \"", '"'),
    ("cannot load such file -- ", ' '),
    ("Failed opening required '", '\''),
    ("cannot open file '", '\''),
    ("Could not open input file: ", '\n'),
    ("cannot access '", '\''),
    ("can't read ", ':'),
    ("Failed to change working directory to ", ':'),
];

/// How shells and programs end messages about a file or a command that does not exist.
const ENDS: [&str; 3] = [": No such file or directory", ": command not found", ": not found"];

/// The names of files, modules and commands that a run did not find, in their order.
pub(crate) fn missing_names<'a>(
    printed: &'a PrintedText,
    workspace: &Path,
) -> impl Iterator<Item = String> + use<'a> {
    let workspace = format!("{}/", workspace.display());
    printed.lines().filter_map(move |line| {
        let by_message =
            MESSAGES.iter().find_map(|(before, end)| line.split_once(before)?.1.split(*end).next());
        // `cat: data.txt: No such file or directory`, `sh: 1: ./run: not found`
        let by_end = || ENDS.iter().find_map(|end| line.trim_end().strip_suffix(end)?.rsplit(": ").next());
        let name = by_message.or_else(by_end)?.trim().trim_matches(['\'', '"', '`', '‘', '’']);
        let name = name.strip_prefix(&workspace).unwrap_or(name).trim_start_matches("./");
        (!name.is_empty()).then(|| name.to_owned())
    })
}

/// The package that an interpreter did not find, if a run prints that: the first part of the name of a module that is not relative.
pub(crate) fn missing_package(printed: &PrintedText) -> Option<String> {
    let messages = [
        ("No module named '", '\''),
        ("Cannot find module '", '\''),
        ("Cannot find package '", '\''),
        ("cannot load such file -- ", ' '),
    ];
    let named = |line: &str| {
        messages.iter().find_map(|(before, end)| {
            let module = line.split_once(before)?.1.split(*end).next()?;
            let is_relative = module.starts_with(['.', '/']);
            let parts = if module.starts_with('@') { 2 } else { 1 };
            let package = module.split(['/', '.']).take(parts).collect::<Vec<_>>().join("/");
            (!is_relative && !package.is_empty()).then_some(package)
        })
    };
    printed.lines().find_map(named)
}

/// The command that a shell or make did not find, if a run prints that.
pub(crate) fn missing_command(printed: &PrintedText) -> Option<String> {
    // `sh: 1: ./run: not found`, `bash: line 1: run: command not found`, `check.sh: 3: run: not found`
    let by_shell = |line: &str| {
        let (before, name) =
            ENDS.iter().find_map(|end| line.trim_end().strip_suffix(end))?.rsplit_once(": ")?;
        let place = before.rsplit([' ', ':']).next().unwrap_or_default();
        let is_line = !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit());
        is_line.then(|| name.to_owned())
    };
    // `make: ./run: No such file or directory`, followed by `Error 127`
    let is_make = || printed.lines().any(|line| line.starts_with("make") && line.ends_with(" Error 127"));
    let by_make = |line: &str| {
        let name =
            line.strip_prefix("make")?.split_once(": ")?.1.strip_suffix(": No such file or directory")?;
        is_make().then(|| name.to_owned())
    };
    printed.lines().find_map(|line| by_shell(line).or_else(|| by_make(line)))
}

/// The first name of a file or module that a run did not find in its workspace and that the user's folder has.
pub(crate) fn missing_file(printed: &PrintedText, workspace: &Path, user_folder: &Path) -> Option<String> {
    let exists = |name: &&str| {
        let path = user_folder.join(name);
        Path::new(name).is_relative() && (path.exists() || path.with_extension("py").exists())
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
    missing_names(printed, workspace).map(top).find(|name| exists(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_command_that_does_not_exist_is_told_by_the_shell_or_by_make() {
        let missing = |lines: &[&str]| {
            let stderr = lines.iter().map(ToString::to_string).collect();
            missing_command(&PrintedText { stdout: Vec::new(), stderr })
        };
        assert_eq!(missing(&["sh: 1: ./chekc.sh: not found"]).as_deref(), Some("./chekc.sh"));
        assert_eq!(missing(&["bash: line 1: mocha: command not found"]).as_deref(), Some("mocha"));
        let make = ["make: ./chekc: No such file or directory", "make: *** [Makefile:2: test] Error 127"];
        assert_eq!(missing(&make).as_deref(), Some("./chekc"));
        assert_eq!(missing(&make[..1]), None);
        assert_eq!(missing(&["user 17: not found", "cat: x: No such file or directory"]), None);
    }

    #[test]
    fn a_package_that_is_not_installed_is_told_by_the_interpreter() {
        let missing =
            |line: &str| missing_package(&PrintedText { stdout: vec![line.to_owned()], stderr: Vec::new() });
        assert_eq!(missing("E   ModuleNotFoundError: No module named 'yaml.nodes'").as_deref(), Some("yaml"));
        assert_eq!(missing("Error: Cannot find module '@scope/name/part'").as_deref(), Some("@scope/name"));
        assert_eq!(missing("cannot load such file -- rake/clean (LoadError)").as_deref(), Some("rake"));
        assert_eq!(missing("Error: Cannot find module './local'"), None);
        assert_eq!(missing("Error: Cannot find module '/tmp/x.js'"), None);
    }

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
