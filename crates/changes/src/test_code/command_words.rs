//! The files and modules that a test command names.

use howcome_lab::inquiry::TestCommand;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The words of a test command that can be files of the versions. Whether they are is for the caller to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommandWords {
    /// Scripts that an interpreter runs, and programs that a shell starts.
    pub(super) scripts: Vec<String>,
    /// All words that can be paths, the scripts included.
    pub(super) named: Vec<String>,
}

const INTERPRETERS: [&str; 14] = [
    "sh", "bash", "dash", "zsh", "ksh", "python", "perl", "ruby", "node", "php", "lua", "deno", "bun",
    "tclsh",
];

/// Programs of shell scripts that look at files of the program under test.
const LOOKS_AT_FILES: [&str; 14] =
    ["test", "[", "grep", "egrep", "fgrep", "cat", "ls", "wc", "head", "tail", "sed", "awk", "rm", "stat"];

/// Modules of Python that run tests, and take modules or files as arguments.
const RUNNER_MODULES: [&str; 4] = ["unittest", "pytest", "nose2", "nose"];

impl CommandWords {
    /// The words of a command. Arguments of test runners (`tests/test_cart.py::test_total`, `tests.test_cart.Cart`) are read as the
    /// files that they mean.
    pub(super) fn of(test: &TestCommand) -> Self {
        let program = test.program.file_name().unwrap_or(test.program.as_os_str());
        let words = std::iter::once(program).chain(test.arguments.iter().map(OsStr::new));
        let words: Vec<String> = words.filter_map(|word| Some(word.to_str()?.to_owned())).collect();
        let mut found = Self::default();
        // The program itself runs from where it is, unless it runs a script.
        let is_program = words.first().is_some_and(|program| !is_interpreter(program));
        found.read(&words[usize::from(is_program)..]);
        found
    }

    /// Adds the scripts that the script of a command starts.
    pub(super) fn follow_scripts(&mut self, test: &TestCommand) {
        const LONGEST: u64 = 200_000;
        let own = Some(test.program.clone()).filter(|_| test.is_path);
        let named = test.arguments.iter().map(|word| test.directory.join(word));
        let files: Vec<PathBuf> = own.into_iter().chain(named).collect();
        let named = self.named.clone();
        for file in files {
            let is_short = fs::metadata(&file).is_ok_and(|about| about.is_file() && about.len() <= LONGEST);
            let text = Some(&file).filter(|_| is_short).and_then(|file| fs::read_to_string(file).ok());
            let is_of_shell = |text: &String| {
                let first = text.lines().next().unwrap_or_default();
                first.starts_with("#!") && first.ends_with("sh")
                    || file.extension().is_some_and(|end| end == "sh")
            };
            let Some(text) = text.filter(is_of_shell) else { continue };
            for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
                let line = line.trim_start().trim_start_matches("exec ").to_owned();
                self.read_script(Some(&line));
            }
        }
        self.named = named;
    }

    fn read(&mut self, words: &[String]) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !is_interpreter(word) {
                self.name(word);
                continue;
            }
            // The script is the first word that is not an option. `-W ignore` and the like are rare before it.
            while let Some(word) = words.next() {
                match word.as_str() {
                    "-c" => self.read_script(words.next()),
                    "-m" => self.read_module(words.next()),
                    option
                        if option.starts_with('-') && option.ends_with('c') && !option.starts_with("--") =>
                    {
                        self.read_script(words.next());
                    }
                    option if option.starts_with('-') => continue,
                    script => {
                        self.scripts.extend(relative(script).map(str::to_owned));
                        self.name(script);
                    }
                }
                break;
            }
        }
    }

    /// The text of `sh -c`: what it starts are scripts.
    fn read_script(&mut self, text: Option<&String>) {
        let Some(text) = text else { return };
        let text = text.replace(';', " ; ");
        let words =
            shlex::split(&text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect());
        for command in words.split(|word| ["&&", "||", ";", "|", "then", "do", "if"].contains(&word.as_str()))
        {
            let trimmed =
                |word: &String| word.trim_matches(|letter| ";&|(){}`$<>".contains(letter)).to_owned();
            let command: Vec<String> = command.iter().map(trimmed).collect();
            let is_assignment = |word: &&String| word.contains('=') && !word.starts_with('-');
            let first = command.iter().find(|word| !word.is_empty() && *word != "!" && !is_assignment(word));
            self.scripts.extend(
                first
                    .and_then(|word| relative(word))
                    .filter(|word| word.contains('/') || word.contains('.'))
                    .map(str::to_owned),
            );
            // What a shell looks at is what it checks, not what it checks with.
            if !first.is_some_and(|program| LOOKS_AT_FILES.contains(&program.as_str())) {
                self.read(&command);
            }
        }
    }

    /// `python -m tests.run` runs a script, and `python -m unittest` a runner.
    fn read_module(&mut self, module: Option<&String>) {
        let Some(module) = module.filter(|module| !RUNNER_MODULES.contains(&module.as_str())) else { return };
        let path = module.replace('.', "/");
        let files = [format!("{path}.py"), format!("{path}/__main__.py")];
        self.scripts.extend(files.iter().cloned());
        self.named.extend(files);
    }

    fn name(&mut self, word: &str) {
        let value = match word.strip_prefix("--") {
            Some(option) => option.split_once('=').map(|(_, value)| value),
            None => Some(word).filter(|word| !word.starts_with('-')),
        };
        let Some(value) = value.and_then(|value| value.split("::").next()).and_then(relative) else { return };
        // rspec takes `spec/cart_spec.rb:12`.
        let without_line =
            value.rsplit_once(':').filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit()));
        self.named.push(without_line.map_or(value, |(path, _)| path).to_owned());
        let is_module = value.contains('.') && !value.contains('/') && value.split('.').all(is_identifier);
        if is_module {
            // `tests.test_cart.Cart.test_total`: which part is the file is for the tree to tell.
            let parts: Vec<&str> = value.split('.').collect();
            self.named.extend((1..=parts.len()).map(|end| format!("{}.py", parts[..end].join("/"))));
        }
    }
}

/// A path as it is in a tree, if the word can be one.
fn relative(word: &str) -> Option<&str> {
    let path = word.trim_start_matches("./").trim_end_matches('/');
    (!path.is_empty() && !path.starts_with('/') && path != "." && !path.starts_with("../")).then_some(path)
}

fn is_identifier(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Whether a program runs scripts: `python3.12` is one.
fn is_interpreter(program: &str) -> bool {
    let name = Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_version = |rest: &str| rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    INTERPRETERS.iter().any(|known| name.strip_prefix(known).is_some_and(is_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &[&str]) -> CommandWords {
        let test = TestCommand {
            program: command[0].into(),
            arguments: command[1..].iter().map(Into::into).collect(),
            directory: "/here".into(),
            is_path: false,
        };
        CommandWords::of(&test)
    }

    #[test]
    fn the_script_of_an_interpreter_is_found_behind_options_and_wrappers() {
        for (command, scripts) in [
            (&["sh", "tests/run.sh", "fast"][..], &["tests/run.sh"][..]),
            (&["/usr/bin/python3.12", "-u", "./check.py"], &["check.py"]),
            (&["timeout", "9", "python3", "check.py"], &["check.py"]),
            (&["python3", "-m", "checks.run"], &["checks/run.py", "checks/run/__main__.py"]),
            (&["python3", "-m", "unittest", "tests.test_cart"], &[]),
            (&["sh", "-c", "make -s && ./check.sh out"], &["check.sh"]),
            (&["bash", "-ec", "cd src; python3 check.py | grep ok"], &["check.py"]),
            (&["make", "test"], &[]),
        ] {
            assert_eq!(words(command).scripts, scripts, "{command:?}");
        }
    }

    #[test]
    fn arguments_of_runners_name_files() {
        for (command, named) in [
            (&["pytest", "-q", "tests/test_cart.py::Cart::test_total"][..], "tests/test_cart.py"),
            (&["python3", "-m", "unittest", "tests.test_cart.Cart.test_total"], "tests/test_cart.py"),
            (&["rspec", "spec/cart_spec.rb:12"], "spec/cart_spec.rb"),
            (&["node", "--test", "./cart.test.js"], "cart.test.js"),
            (&["prog", "--expect=golden/total.txt"], "golden/total.txt"),
            (&["sh", "-c", "./prog <in.txt | diff - expected.txt"], "expected.txt"),
        ] {
            assert!(
                words(command).named.iter().any(|word| word == named),
                "{command:?}: {:?}",
                words(command)
            );
        }
        assert_eq!(words(&["go", "test", "./...", ".", "../x", "/abs"]).named, ["test", "..."]);
    }
}
