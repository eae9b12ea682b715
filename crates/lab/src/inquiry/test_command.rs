//! The test command, as given on the command line.

use super::Listener;
use super::command_text::needs_shell;
use howcome_run::words::shell_word;
use howcome_run::{Problem, plain_error};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// A program, its arguments, and the user's working directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCommand {
    /// Everything after the program.
    #[serde(with = "words")]
    pub arguments: Vec<OsString>,
    /// The program.
    pub program: PathBuf,
    /// The user's working directory.
    pub directory: PathBuf,
    /// Whether the program was given as a path, not as a name to look up in `PATH`.
    #[serde(default)]
    pub is_path: bool,
}

impl TestCommand {
    /// Parses the words of a test command. A relative path of the program starts at the user's `directory`; the program
    /// must exist and be executable. If the version is built first (`is_built`), a program that is missing or is a
    /// binary is expected to come from the build. One word that only a shell understands (`make && ./check`) is run by a shell.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn parse(words: &[OsString], directory: PathBuf, is_built: bool) -> Result<Self, Problem> {
        let for_shell = for_shell(words, &directory);
        let Some((program, arguments)) =
            for_shell.as_ref().map_or(words, |words| words.as_slice()).split_first()
        else {
            return Err(Problem::new("no test was given").hint("write it after --, as in `-- ./test.sh`"));
        };
        if arguments.is_empty() && program.as_bytes().contains(&b' ') && !directory.join(program).exists() {
            return Err(several_words(program));
        }
        let is_path = program.as_bytes().contains(&b'/');
        let path = without_dots(Path::new(program));
        let is_built = is_built && path.is_relative() && is_missing_or_binary(&directory.join(&path));
        let program = match is_path {
            true if is_built => Path::new(".").join(path),
            true => executable(&directory.join(path))?,
            false => find_in_path(program).ok_or_else(|| not_in_path(program, &directory))?,
        };
        let arguments =
            arguments.iter().map(|word| outside(word, &directory).unwrap_or_else(|| word.clone()));
        Ok(Self { arguments: arguments.collect(), program, directory, is_path })
    }

    /// Checks that the script which an interpreter is to run exists. `is_there` says whether the folder of the test has a file.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_script(&self, is_there: impl Fn(&OsStr) -> bool) -> Result<(), Problem> {
        const INTERPRETERS: [&str; 9] =
            ["python", "node", "ruby", "perl", "php", "lua", "sh", "bash", "dash"];
        const ENDINGS: [&str; 8] = [".py", ".js", ".mjs", ".rb", ".pl", ".php", ".lua", ".sh"];
        let program = self.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_version = |rest: &str| rest.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let is_interpreter =
            INTERPRETERS.iter().any(|known| program.strip_prefix(known).is_some_and(is_version));
        let script = self.arguments.first().filter(|_| is_interpreter);
        let script =
            script.filter(|word| ENDINGS.iter().any(|end| word.as_bytes().ends_with(end.as_bytes())));
        match script {
            Some(script) if !is_there(script) && !self.directory.join(script).exists() => {
                Err(Problem::new(format!("the script {} does not exist", script.display()))
                    .hint("check its name; a relative path begins in the current folder"))
            }
            _ => Ok(()),
        }
    }

    /// The same command with the full paths of files in the user's directory that it names. The test runs in a folder of its own
    /// and would not find them. `is_there` says whether that folder has a file.
    #[must_use]
    pub fn with_full_paths(mut self, is_there: impl Fn(&OsStr) -> bool) -> Self {
        for argument in &mut self.arguments {
            let path = without_dots(Path::new(argument));
            // A word such as `check` is more often the name of something else than of a file.
            let is_path_like = argument.as_bytes().iter().any(|byte| matches!(byte, b'.' | b'/'));
            let file = self.directory.join(&path);
            if is_path_like && path.is_relative() && !is_there(path.as_os_str()) && file.is_file() {
                *argument = file.into_os_string();
            }
        }
        self
    }

    /// The command and its arguments, for reports.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        // A program that was found in PATH is known by its name.
        let program = match (self.is_path, self.program.file_name()) {
            (false, Some(name)) => name.to_string_lossy().into_owned(),
            _ => match self.program.strip_prefix(&self.directory) {
                Ok(path) if path.starts_with("..") => path.display().to_string(),
                Ok(path) => Path::new(".").join(path).display().to_string(),
                Err(_) => self.program.display().to_string(),
            },
        };
        let arguments = self.arguments.iter().map(|word| word.to_string_lossy().into_owned());
        std::iter::once(program).chain(arguments).collect()
    }

    /// The command as a user would type it.
    #[must_use]
    pub fn shell_words(&self) -> String {
        let program = self.program.to_string_lossy();
        let words = std::iter::once(program).chain(self.arguments.iter().map(|word| word.to_string_lossy()));
        words.map(|word| shell_word(&word)).collect::<Vec<_>>().join(" ")
    }
}

/// The words that run a test in a shell, if it is one word that only a shell understands.
fn for_shell(words: &[OsString], directory: &Path) -> Option<[OsString; 3]> {
    let [word] = words else { return None };
    let command = word.to_str().filter(|command| needs_shell(command))?;
    (!directory.join(command).exists()).then(|| ["sh".into(), "-c".into(), command.into()])
}

fn several_words(word: &OsStr) -> Problem {
    let word = word.display();
    Problem::new(format!("`{word}` is not a program"))
        .hint(format!("write the test without quotes around all of it: -- {word}"))
}

/// Whether a build probably creates this file: nobody writes a binary by hand.
fn is_missing_or_binary(path: &Path) -> bool {
    let mut start = [0; 4];
    match fs::File::open(path) {
        Ok(mut file) => std::io::Read::read_exact(&mut file, &mut start).is_ok() && start == *b"\x7fELF",
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Removes the `.` parts of a path: `./test.sh` is `test.sh`.
/// The full path of a file above the user's directory. Where the test runs, `../check.py` means nothing.
fn outside(word: &OsStr, directory: &Path) -> Option<OsString> {
    let is_above = word.as_bytes().starts_with(b"../") || word.as_bytes().starts_with(b"./../");
    let file = directory.join(word);
    let file = file.is_file().then(|| file.canonicalize().ok()).flatten();
    file.filter(|_| is_above).map(PathBuf::into_os_string)
}

fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

fn executable(path: &Path) -> Result<PathBuf, Problem> {
    let found = fs::metadata(path).map_err(|error| {
        Problem::new(format!("the test {} cannot be started: {}", path.display(), plain_error(&error)))
            .hint("give the path of a program or an executable script")
    })?;
    if !found.is_file() {
        return Err(Problem::new(format!("the test {} is not a program", path.display())));
    }
    if found.permissions().mode() & 0o111 == 0 {
        let shown = path.display();
        return Err(Problem::new(format!("the test {shown} is not executable"))
            .hint(format!("chmod +x {}", shell_word(&path.to_string_lossy()))));
    }
    Ok(path.to_owned())
}

/// Finds a program in PATH.
#[must_use]
pub fn find_in_path(name: &OsStr) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| executable(path).is_ok())
}

fn not_in_path(name: &OsStr, directory: &Path) -> Problem {
    let failure = Problem::new(format!("the test `{}` is not a program in PATH", name.display()));
    match directory.join(name).is_file() {
        true => failure.hint(format!("there is a file of that name here: write ./{}", name.display())),
        false => failure.hint("give its path, or install it"),
    }
}

/// Warns about an argument that names a file in the user's directory if the test will not find it where it runs.
/// `is_there` says whether the test's folder has the file.
pub fn warn_if_relative(
    argument: &OsStr,
    directory: &Path,
    listener: &dyn Listener,
    is_there: impl Fn(&OsStr) -> bool,
) {
    let path = Path::new(argument);
    let is_found = is_there(without_dots(path).as_os_str());
    if path.is_relative() && !argument.is_empty() && !is_found && directory.join(path).is_file() {
        listener.warn(&format!(
            "the test runs in its own folder and will not find {} there; if it needs that file, write \"$PWD/{}\"",
            path.display(),
            without_dots(path).display()
        ));
    }
}

/// Serialises words: as text, or as bytes if they are not text.
pub mod words {
    use super::{OsStrExt, OsString, OsStringExt};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum StoredWord {
        Text(String),
        Bytes(Vec<u8>),
    }

    /// Writes words.
    ///
    /// # Errors
    /// If the serialiser fails.
    pub fn serialize<S: Serializer>(words: &[OsString], to: S) -> Result<S::Ok, S::Error> {
        let word = |word: &OsString| match word.to_str() {
            Some(text) => StoredWord::Text(text.to_owned()),
            None => StoredWord::Bytes(word.as_bytes().to_vec()),
        };
        words.iter().map(word).collect::<Vec<_>>().serialize(to)
    }

    /// Reads words.
    ///
    /// # Errors
    /// If they are neither text nor bytes.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OsString>, D::Error> {
        let words = Vec::<StoredWord>::deserialize(from)?;
        Ok(words
            .into_iter()
            .map(|word| match word {
                StoredWord::Text(text) => text.into(),
                StoredWord::Bytes(bytes) => OsString::from_vec(bytes),
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_the_directory_of_the_user_is_known_by_its_full_path() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().join("project");
        std::fs::create_dir(&here).unwrap();
        std::fs::write(folder.path().join("check.sh"), "exit 1\n").unwrap();
        std::fs::write(here.join("own.sh"), "exit 1\n").unwrap();
        let words = ["sh", "../check.sh", "own.sh", "../nothing.sh"].map(OsString::from);
        let test = TestCommand::parse(&words, here, false).unwrap();
        let above = folder.path().canonicalize().unwrap().join("check.sh");
        assert_eq!(test.arguments, [above.as_os_str(), OsStr::new("own.sh"), OsStr::new("../nothing.sh")]);
    }
}
