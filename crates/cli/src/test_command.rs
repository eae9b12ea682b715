//! The test as it was given on the command line.

use crate::failure::{Failure, plain};
use crate::talk::Talk;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// A program, its arguments, and where the user stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TestCommand {
    #[serde(with = "words")]
    pub(crate) arguments: Vec<OsString>,
    pub(crate) program: PathBuf,
    pub(crate) directory: PathBuf,
    /// Whether the program was given as a path, and not by a name to be looked up.
    #[serde(default)]
    pub(crate) is_path: bool,
}

impl TestCommand {
    /// A relative path of the program is taken from where the user stands. It must be there and executable. Says so where an
    /// argument seems to be a file, which the test will not find.
    pub(crate) fn new(words: &[OsString], talk: &Talk) -> Result<Self, Failure> {
        let command = Self::parse(words, false)?;
        for argument in &command.arguments {
            warn_if_relative(argument, &command.directory, talk, |_| false);
        }
        Ok(command)
    }

    /// The same without a word about its arguments. Where something builds what is tested, the program may be built by it: one
    /// that is not here is taken to be there later.
    pub(crate) fn parse(words: &[OsString], is_built: bool) -> Result<Self, Failure> {
        let directory = stands()?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(
                Failure::wrong_use("no test was given").hint("write it behind --, as in `-- ./test.sh`")
            );
        };
        let is_path = program.as_bytes().contains(&b'/');
        let path = without_dots(Path::new(program));
        let is_built = is_built && path.is_relative() && is_missing_or_binary(&directory.join(&path));
        let program = match is_path {
            true if is_built => Path::new(".").join(path),
            true => executable(&directory.join(without_dots(Path::new(program))))?,
            false => in_path(program).ok_or_else(|| not_in_path(program, &directory))?,
        };
        Ok(Self { arguments: arguments.to_vec(), program, directory, is_path })
    }

    /// As one would type it.
    pub(crate) fn shell_words(&self) -> String {
        let program = self.program.to_string_lossy();
        let words = std::iter::once(program).chain(self.arguments.iter().map(|word| word.to_string_lossy()));
        words.map(|word| howcome_report::shell_word(&word)).collect::<Vec<_>>().join(" ")
    }
}

/// Whether a build may be meant to make this file: nobody writes a binary by hand.
fn is_missing_or_binary(path: &Path) -> bool {
    let mut start = [0; 4];
    match fs::File::open(path) {
        Ok(mut file) => std::io::Read::read_exact(&mut file, &mut start).is_ok() && start == *b"\x7fELF",
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Splits a command as a shell would.
pub(crate) fn split_words(command: &str, flag: &str) -> Result<Vec<String>, Failure> {
    match shlex::split(command) {
        None => Err(Failure::wrong_use(format!("a quote in `{command}` is not closed"))
            .hint(format!("look at {flag}"))),
        Some(words) if words.is_empty() => Err(Failure::wrong_use(format!("{flag} is empty"))),
        Some(words)
            if words.iter().any(|word| matches!(word.as_str(), "&&" | "||" | ";" | "|" | ">" | "<")) =>
        {
            let quoted = howcome_report::shell_word(command);
            Err(Failure::wrong_use(format!("{flag} is run without a shell, which `{command}` is meant for"))
                .hint(format!("{flag} {}", howcome_report::shell_word(&format!("sh -c {quoted}")))))
        }
        Some(words) => Ok(words),
    }
}

/// Where the user stands.
pub(crate) fn stands() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::wrong_use(format!("the current folder cannot be found: {}", plain(&error))))
}

/// `./test.sh` is `test.sh` once it is clear where it is.
fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

fn executable(path: &Path) -> Result<PathBuf, Failure> {
    let found = fs::metadata(path).map_err(|error| {
        Failure::wrong_use(format!("the test {} cannot be started: {}", path.display(), plain(&error)))
            .hint("give the path of a program or an executable script")
    })?;
    if !found.is_file() {
        return Err(Failure::wrong_use(format!("the test {} is not a program", path.display())));
    }
    if found.permissions().mode() & 0o111 == 0 {
        let shown = path.display();
        return Err(Failure::wrong_use(format!("the test {shown} is not executable"))
            .hint(format!("chmod +x {}", howcome_report::shell_word(&path.to_string_lossy()))));
    }
    Ok(path.to_owned())
}

/// A program by its name.
pub(crate) fn in_path(name: &OsStr) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| executable(path).is_ok())
}

fn not_in_path(name: &OsStr, directory: &Path) -> Failure {
    let failure = Failure::wrong_use(format!("the test `{}` is not a program in PATH", name.display()));
    match directory.join(name).is_file() {
        true => failure.hint(format!("there is a file of that name here: write ./{}", name.display())),
        false => failure.hint("give its path, or install it"),
    }
}

/// The test does not run where the user stands, which is easily forgotten. `is_there` says what it will find where it runs.
pub(crate) fn warn_if_relative(
    argument: &OsStr,
    directory: &Path,
    talk: &Talk,
    is_there: impl Fn(&OsStr) -> bool,
) {
    let path = Path::new(argument);
    let is_found = is_there(without_dots(path).as_os_str());
    if path.is_relative() && !argument.is_empty() && !is_found && directory.join(path).is_file() {
        talk.warn(&format!(
            "the test runs in a folder of its own, where it will not find {}; if that is a file for it, write \"$PWD/{}\"",
            path.display(),
            without_dots(path).display()
        ));
    }
}

/// Words are text nearly always, and bytes where they are not.
pub(crate) mod words {
    use super::{OsStrExt, OsString, OsStringExt};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Word {
        Text(String),
        Bytes(Vec<u8>),
    }

    pub(crate) fn serialize<S: Serializer>(words: &[OsString], to: S) -> Result<S::Ok, S::Error> {
        let word = |word: &OsString| match word.to_str() {
            Some(text) => Word::Text(text.to_owned()),
            None => Word::Bytes(word.as_bytes().to_vec()),
        };
        words.iter().map(word).collect::<Vec<_>>().serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OsString>, D::Error> {
        let words = Vec::<Word>::deserialize(from)?;
        Ok(words
            .into_iter()
            .map(|word| match word {
                Word::Text(text) => text.into(),
                Word::Bytes(bytes) => OsString::from_vec(bytes),
            })
            .collect())
    }
}
