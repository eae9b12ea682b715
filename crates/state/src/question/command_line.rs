//! A run of the program as the user writes it.

use crate::tracee::Invocation;
use howcome_lab::LocalOptions;
use howcome_lab::inquiry::find_in_path;
use howcome_run::{Problem, plain_error};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// What runs get from the process that starts them.
#[derive(Clone, Debug)]
pub struct RunHost {
    /// The environment variables. The variables of a run are added to them.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder for copies of the files that runs write.
    pub temp_folder: PathBuf,
    /// How the user's own test is run.
    pub tests: LocalOptions,
}

/// A run as a JSON file describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DescribedRun {
    command: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    stdin: Option<PathBuf>,
    directory: Option<PathBuf>,
}

/// Reads a command that was given after a flag. Relative paths are taken from the user's folder.
pub(super) fn read_command(
    command: &str,
    flag: &str,
    user_directory: &Path,
    host: &RunHost,
) -> Result<Invocation, Problem> {
    let described = match command.strip_prefix('@') {
        Some(path) => from_file(&user_directory.join(path))?,
        None => from_words(command, flag, user_directory)?,
    };
    let directory = described.directory.unwrap_or_else(|| user_directory.to_owned());
    let Some((name, arguments)) = described.command.split_first() else {
        return Err(Problem::new(format!("{flag} does not name a program")));
    };
    let program = program(name, &directory)
        .ok_or_else(|| Problem::new(format!("{name}: program not found")).hint(format!("check {flag}")))?;
    let mut environment = host.environment.clone();
    for (name, value) in described.environment {
        environment.retain(|(known, _)| *known != *name);
        environment.push((name.into(), value.into()));
    }
    environment.sort();
    if let Some(input) = &described.stdin
        && !input.is_file()
    {
        return Err(Problem::new(format!(
            "the input file {} does not exist, or is not a regular file",
            input.display()
        ))
        .hint(format!("check {flag}")));
    }
    Ok(Invocation {
        program,
        called: name.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        environment,
        standard_input: described.stdin,
        directory,
        temp_folder: host.temp_folder.clone(),
    })
}

/// The environment variables that a command sets.
pub(super) fn set_variables(command: &str, user_directory: &Path) -> BTreeMap<String, String> {
    let described = match command.strip_prefix('@') {
        Some(path) => from_file(&user_directory.join(path)),
        None => from_words(command, "--fail", user_directory),
    };
    described.map(|described| described.environment).unwrap_or_default()
}

fn from_file(path: &Path) -> Result<DescribedRun, Problem> {
    let text = fs::read_to_string(path).map_err(|error| Problem::with_file(path, &error))?;
    let mut described: DescribedRun = serde_json::from_str(&text).map_err(|error| {
        Problem::new(format!("{} does not describe a run: {error}", path.display()))
            .hint(r#"as in {"command": ["./program", "argument"], "stdin": "input.txt"}"#)
    })?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    described.directory =
        Some(described.directory.map_or_else(|| folder.to_owned(), |there| folder.join(there)));
    described.stdin = described.stdin.map(|input| folder.join(input));
    Ok(described)
}

fn from_words(command: &str, flag: &str, user_directory: &Path) -> Result<DescribedRun, Problem> {
    let words = shlex::split(command).ok_or_else(|| {
        Problem::new(format!("a quote in `{command}` is not closed")).hint(format!("check {flag}"))
    })?;
    let mut described = DescribedRun::default();
    let mut words = words.into_iter().zip(bare(command)).peekable();
    while let Some((name, value)) = words.peek().and_then(|(word, _)| assignment(word)) {
        described.environment.insert(name, value);
        words.next();
    }
    while let Some((word, is_bare)) = words.next() {
        match word.as_str() {
            _ if !is_bare => described.command.push(word),
            "<" => {
                let (file, _) = words.next().ok_or_else(|| {
                    Problem::new(format!("no file is named after `<` in `{command}`"))
                        .hint(format!("check {flag}"))
                })?;
                described.stdin = Some(user_directory.join(file));
            }
            "|" | ">" | ">>" | "&&" | "||" | ";" | "2>" => {
                return Err(Problem::new(format!(
                    "`{command}` needs a shell, but {flag} is run without one"
                ))
                .hint("give the program itself and its arguments; `< FILE` works without a shell"));
            }
            _ => described.command.push(word),
        }
    }
    Ok(described)
}

/// For each word of a command line, whether it contains no quotes: only then `<` has its special meaning.
fn bare(command: &str) -> Vec<bool> {
    let mut words = Vec::new();
    let mut quote = None;
    let mut in_word = false;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        if quote.is_none() && character.is_whitespace() {
            in_word = false;
            continue;
        }
        if !in_word {
            words.push(true);
            in_word = true;
        }
        let is_special = matches!(character, '\'' | '"' | '\\');
        if let (true, Some(last)) = (is_special, words.last_mut()) {
            *last = false;
        }
        match (character, quote) {
            ('\\', None | Some('"')) => drop(characters.next()),
            ('\'' | '"', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            _ => {}
        }
    }
    words
}

fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| (name.to_owned(), value.to_owned()))
}

fn program(name: &str, directory: &Path) -> Option<PathBuf> {
    let path = match name.contains('/') {
        true => directory.join(name),
        false => find_in_path(name.as_ref())?,
    };
    let path = path.canonicalize().ok()?;
    path.is_file().then_some(path)
}

/// Whether two files hold the same program.
pub(super) fn is_same_program(one: &Path, other: &Path) -> Result<bool, Problem> {
    let read = |path: &Path| {
        fs::read(path).map_err(|error| Problem::new(format!("{}: {}", path.display(), plain_error(&error))))
    };
    Ok(one == other || read(one)? == read(other)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_command_line_may_set_variables_and_name_its_standard_input() {
        let run =
            from_words("LANG=C A_1='x y' ./program -n 'two words' < in.txt", "--fail", Path::new("/there"))
                .unwrap();
        assert_eq!(run.command, ["./program", "-n", "two words"]);
        assert_eq!(run.environment["A_1"], "x y");
        assert_eq!(run.stdin, Some(PathBuf::from("/there/in.txt")));
    }

    #[test]
    fn what_is_quoted_is_an_ordinary_argument() {
        let words = r#"./query age "<" 30 '|' \; a" "b"#;
        let run = from_words(words, "--fail", Path::new("/")).unwrap();
        assert_eq!(run.command, ["./query", "age", "<", "30", "|", ";", "a b"]);
        assert_eq!(run.stdin, None);
    }

    #[test]
    fn what_only_a_shell_can_do_is_refused() {
        for command in ["./a | ./b", "./a > out", "./a && ./b", "./a <", "./a 'open"] {
            assert!(from_words(command, "--fail", Path::new("/")).is_err(), "{command}");
        }
    }

    #[test]
    fn a_file_describes_a_run_relative_to_its_own_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let text =
            r#"{"command": ["true", "x"], "environment": {"A": "b"}, "stdin": "in.txt", "directory": "sub"}"#;
        fs::write(&path, text).unwrap();
        fs::write(folder.path().join("in.txt"), "").unwrap();
        let tests = LocalOptions::new(Vec::new(), "/tmp");
        let host = RunHost { environment: Vec::new(), temp_folder: "/tmp".into(), tests };
        let read =
            |path: &Path| read_command(&format!("@{}", path.display()), "--fail", Path::new("/"), &host);
        let run = read(&path).unwrap();
        assert_eq!(run.arguments, ["x"]);
        assert_eq!(run.directory, folder.path().join("sub"));
        assert!(run.environment.contains(&("A".into(), "b".into())));
        fs::write(&path, "{}").unwrap();
        assert!(read(&path).is_err());
    }
}
