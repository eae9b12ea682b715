//! Code of the test that is built together with each version.
//!
//! If a build stops in that code, the version is not broken: it lacks what the test uses.

use howcome_lab::inquiry::TestCommand;
use regex::bytes::Regex;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The files of a test that a build compiles, as far as commands name them.
#[derive(Clone, Debug, Default)]
pub struct BuiltTest {
    /// Files outside of the versions that the build or the test command names.
    named: Vec<PathBuf>,
    /// Files inside of the versions that are the same in all of them, because they belong to the test.
    held: Vec<String>,
}

/// Where an error is: in the line of a compiler, after the arrow of another one, or in the line of a linker.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?P<file>[^\s:]+):\d+:(?:\d+:)?\s(?:(?:fatal\ )?error|undefined)
        | ^\s*-->\ (?P<arrow>\S+?):\d+:\d+
        | (?:^|[\ /])(?P<object>[^\s:/]+\.\w+):(?:\d+|\([^)]*\)):\ undefined\ reference",
    )
    .ok()
});

impl BuiltTest {
    /// The files of a test that a build command or the test command names, and those that are held.
    #[must_use]
    pub fn of(test: &TestCommand, build: Option<&[String]>, held: Vec<String>) -> Self {
        let arguments = test.arguments.iter().filter_map(|word| word.to_str());
        let words = build.unwrap_or_default().iter().map(String::as_str).chain(arguments);
        let directory = test.directory.to_string_lossy();
        let place = |word: &str| {
            let path = word.trim_matches(['"', '\'', ';', '(', ')']).replace("$HOWCOME_DIR", &directory);
            Some(PathBuf::from(path)).filter(|path| path.is_absolute() && path.is_file())
        };
        let named = words.flat_map(|word| word.split([' ', '=', '\n'])).filter_map(place);
        let program = Some(test.program.clone()).filter(|_| test.is_path);
        let named = named.chain(program).filter(|path| !is_of_the_system(path)).collect();
        Self { named, held }
    }

    /// Whether the first error of a build, which ran in a folder, is in the code of the test.
    #[must_use]
    pub fn stops_build(&self, printed: &[u8], ran_in: &Path) -> bool {
        let Some(place) = PLACE.as_ref() else { return false };
        let first = printed.split(|byte| *byte == b'\n').find_map(|line| place.captures(line));
        let named = |group| first.as_ref()?.name(group).and_then(|path| str::from_utf8(path.as_bytes()).ok());
        if let Some(object) = named("object") {
            return self.has_file_of_name(object);
        }
        named("file").or_else(|| named("arrow")).is_some_and(|path| self.has(Path::new(path), ran_in))
    }

    fn has(&self, path: &Path, ran_in: &Path) -> bool {
        match path.strip_prefix(ran_in) {
            Err(_) if path.is_absolute() => {
                let beside = |named: &PathBuf| named.parent().is_some_and(|folder| path.starts_with(folder));
                path.is_file() && self.named.iter().any(beside)
            }
            relative => {
                let relative = relative.unwrap_or(path);
                let relative = relative.strip_prefix(".").unwrap_or(relative);
                self.held.iter().any(|held| Path::new(held) == relative)
            }
        }
    }

    /// A linker does not print the folder of a file.
    fn has_file_of_name(&self, name: &str) -> bool {
        let is_called = |path: &Path| path.file_name().is_some_and(|own| own == name);
        self.named.iter().any(|named| is_called(named))
            || self.held.iter().any(|held| is_called(Path::new(held)))
    }
}

fn is_of_the_system(path: &Path) -> bool {
    ["/usr", "/bin", "/lib", "/opt"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_error_in_the_code_of_the_test_is_not_one_in_the_version() {
        let folder = tempfile::tempdir().unwrap();
        let [check, source] = ["check.sh", "use.c"].map(|name| folder.path().join(name));
        for path in [&check, &source] {
            fs::write(path, "").unwrap();
        }
        let test = TestCommand {
            arguments: Vec::new(),
            program: check,
            directory: folder.path().to_owned(),
            is_path: true,
        };
        let build = ["cc".to_owned(), "$HOWCOME_DIR/use.c".to_owned(), "lib.c".to_owned()];
        let built = BuiltTest::of(&test, Some(&build), vec!["tests/all.c".to_owned()]);
        let stops = |printed: &str| built.stops_build(printed.as_bytes(), Path::new("/job/candidate"));
        let source = source.display();
        assert!(stops(&format!(
            "{source}: In function 'main':\n{source}:4:5: error: unknown type name 'a'\n"
        )));
        assert!(stops(&format!("{source}:1:10: fatal error: a.h: No such file or directory\n")));
        assert!(stops("tests/all.c:3:1: error: expected ';'\n"));
        assert!(stops("/job/candidate/tests/all.c:3:1: error: expected ';'\n"));
        assert!(stops(
            "/usr/bin/ld: use.o: in function `main':\nuse.c:(.text+0x9): undefined reference to `a'\n"
        ));
        assert!(!stops(&format!(
            "lib.c:7:1: error: conflicting types for 'a'\n{source}:4:5: error: unknown\n"
        )));
        assert!(!stops("lib.c:(.text+0x9): undefined reference to `a'\n"));
        assert!(!stops("/job/candidate/lib.c:7:1: error: expected ';'\n/usr/include/a.h:1:1: error: no\n"));
        assert!(!stops("make: *** [all] Error 1\n"));
    }
}
