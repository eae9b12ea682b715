//! The files that a command line names: they are sent, and the service may know them by another name.

use howcome_run::Problem;
use howcome_web::SentFile;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What a service has of its own: a program that is installed there is not sent.
const OF_A_SYSTEM: [&str; 11] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/opt", "/nix", "/proc", "/sys", "/dev"];
/// A command with one of these is left to a shell, which knows its words.
const OF_A_SHELL: [char; 9] = ['|', '&', ';', '<', '>', '$', '`', '*', '\n'];

/// The files that were named so far.
pub(super) struct NamedFiles<'a> {
    here: &'a Path,
    /// By their paths at the service.
    sent: BTreeMap<PathBuf, PathBuf>,
}

impl<'a> NamedFiles<'a> {
    /// Relative paths begin in the folder `here`.
    pub(super) fn new(here: &'a Path) -> Self {
        Self { here, sent: BTreeMap::new() }
    }

    pub(super) fn into_sent(self) -> Vec<SentFile> {
        self.sent.into_iter().map(|(path, from)| SentFile { path, from }).collect()
    }

    /// A file that must exist, as the service knows it.
    pub(super) fn file(&mut self, path: &Path) -> Result<String, Problem> {
        let from = self.here.join(path);
        fs::metadata(&from).map_err(|error| Problem::with_file(&from, &error))?;
        if !from.is_file() {
            let problem = Problem::new(format!("{} is not a file", path.display()));
            return Err(problem.hint("with --server, give the files one by one"));
        }
        self.send(path, from)
    }

    /// A word of a command, as the service knows it. If it names a file, that is sent.
    pub(super) fn word(&mut self, word: &str) -> Result<String, Problem> {
        let (path, from) = (Path::new(word), self.here.join(word));
        let is_sent =
            !word.is_empty() && !OF_A_SYSTEM.iter().any(|folder| path.starts_with(folder)) && from.is_file();
        if is_sent { self.send(path, from) } else { Ok(word.to_owned()) }
    }

    /// A command in one text. It stays as it is unless it names a file outside of the current folder.
    pub(super) fn command(&mut self, command: &str) -> Result<String, Problem> {
        let words = shlex::split(command).unwrap_or_default();
        let known = words.iter().map(|word| self.word(word)).collect::<Result<Vec<_>, _>>()?;
        if known == words || command.contains(OF_A_SHELL) {
            return Ok(command.to_owned());
        }
        join(&known)
    }

    fn send(&mut self, path: &Path, from: PathBuf) -> Result<String, Problem> {
        if let Some(name) = inside(path) {
            self.add(name, from)?;
            return Ok(path.to_string_lossy().into_owned());
        }
        let full = from.canonicalize().map_err(|error| Problem::with_file(&from, &error))?;
        let name = match full.strip_prefix(self.here) {
            Ok(below) => below.to_owned(),
            Err(_) => PathBuf::from(from.file_name().unwrap_or_default()),
        };
        let word = Path::new(".").join(&name).to_string_lossy().into_owned();
        self.add(name, from)?;
        Ok(word)
    }

    fn add(&mut self, name: PathBuf, from: PathBuf) -> Result<(), Problem> {
        let own = self.here.join(&name);
        let other = self.sent.get(&name).cloned().or_else(|| own.exists().then_some(own));
        if let Some(other) = other.filter(|other| other.canonicalize().ok() != from.canonicalize().ok()) {
            let message = format!("{} and {} have the same name", from.display(), other.display());
            return Err(Problem::new(message).hint("with --server, rename one of the two"));
        }
        self.sent.insert(name, from);
        Ok(())
    }
}

/// The words of a command as one text.
pub(super) fn join(words: &[String]) -> Result<String, Problem> {
    shlex::try_join(words.iter().map(String::as_str)).map_err(|error| Problem::new(error.to_string()))
}

/// A relative path that stays inside the folder, without `./`.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    (!plain.as_os_str().is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_above_is_sent_under_its_own_name_and_two_of_a_name_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let here = folder.join("here");
        fs::create_dir_all(here.join("bin")).unwrap();
        for file in ["check.sh", "other.sh", "here/own.sh", "here/other.sh", "here/bin/tool"] {
            fs::write(folder.join(file), "").unwrap();
        }
        let mut files = NamedFiles::new(&here);
        let full = folder.join("check.sh").display().to_string();
        let tool = here.join("bin/tool").display().to_string();
        for (word, known) in [
            ("../check.sh", "./check.sh"),
            (&*full, "./check.sh"),
            (&*tool, "./bin/tool"),
            ("own.sh", "own.sh"),
            ("./own.sh", "./own.sh"),
            ("../here/own.sh", "./own.sh"),
            ("/bin/sh", "/bin/sh"),
            ("../missing", "../missing"),
            ("", ""),
        ] {
            assert_eq!(files.word(word).unwrap(), known, "{word}");
        }
        assert!(files.word("../other.sh").unwrap_err().to_string().contains("have the same name"));
        assert_eq!(files.command("../check.sh 'a b'").unwrap(), "./check.sh 'a b'");
        assert_eq!(files.command("make  -s").unwrap(), "make  -s");
        assert!(files.file(Path::new("../missing")).unwrap_err().to_string().contains("no such file"));
        let sent: Vec<PathBuf> = files.into_sent().into_iter().map(|file| file.path).collect();
        assert_eq!(sent, ["bin/tool", "check.sh", "own.sh"].map(PathBuf::from));
    }
}
