//! The script with which a worker of the cluster becomes a build or a test of a candidate.
//!
//! Paths of this machine mean nothing there. Those in the folder of the candidate are rewritten. Files of the user elsewhere are
//! sent along. Those of the system are expected to be the same.

use howcome_lab::Command;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where programs and libraries of a system are: a worker has its own.
const OF_SYSTEM: [&str; 12] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/dev", "/proc", "/sys", "/nix"];

/// Variables that name the folder of the user. On a worker, they name the folder of the candidate.
const USER_FOLDER: &str = "HOWCOME_DIR";

/// A folder of a search path is sent along if it has at most this many files.
const MOST_IN_SEARCH_PATH: usize = 64;

/// The steps of a candidate as a script, and the files that it needs besides the candidate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) script: Vec<u8>,
    /// Files and folders of this machine, by their names in the folder of extras.
    pub(crate) extras: BTreeMap<String, PathBuf>,
    pub(crate) builds: usize,
}

impl Steps {
    /// The script for a command whose candidate is in this folder. Its processes can use this much memory.
    pub(crate) fn of(
        command: &Command,
        folder: &Path,
        memory: Option<u64>,
        search_path: &str,
    ) -> Option<Self> {
        let mut writer = StepWriter { folder, search_path, extras: BTreeMap::new(), script: Vec::new() };
        writer.line("W=$1 X=$2 H=$3");
        writer.line("case $4 in");
        for (number, build) in command.builds.iter().enumerate() {
            writer.line(&format!("{number})"));
            writer.step(build, memory)?;
        }
        writer.line("test)");
        writer.step(command, memory)?;
        writer.line("esac");
        Some(Self { script: writer.script, extras: writer.extras, builds: command.builds.len() })
    }
}

struct StepWriter<'a> {
    folder: &'a Path,
    search_path: &'a str,
    extras: BTreeMap<String, PathBuf>,
    script: Vec<u8>,
}

impl StepWriter<'_> {
    fn line(&mut self, text: &str) {
        self.script.extend_from_slice(text.as_bytes());
        self.script.push(b'\n');
    }

    fn bytes(&mut self, parts: &[&[u8]]) {
        parts.iter().for_each(|part| self.script.extend_from_slice(part));
        self.script.push(b'\n');
    }

    /// `None` if the command does not run in the folder of the candidate.
    fn step(&mut self, command: &Command, memory: Option<u64>) -> Option<()> {
        let inside = command.directory.strip_prefix(self.folder).ok()?;
        let directory = if inside.as_os_str().is_empty() {
            b"\"$W\"".to_vec()
        } else {
            [b"\"$W\"/".as_slice(), &quoted(inside.as_os_str().as_bytes())].concat()
        };
        self.bytes(&[b"cd ", &directory, b" || { echo missing >\"$H\"; exit 127; }"]);
        for (name, value) in &command.environment {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            if name.is_empty() || !name.as_bytes().iter().all(is_name) || name.as_bytes()[0].is_ascii_digit()
            {
                continue;
            }
            let value = match name.to_str() {
                Some(USER_FOLDER) => b"\"$W\"".to_vec(),
                Some("PATH") => self.of_search_path(value),
                _ => self.word(value),
            };
            self.bytes(&[b"export ", name.as_bytes(), b"=", &value]);
        }
        if let Some(memory) = memory {
            self.line(&format!("ulimit -v {}", memory.div_ceil(1024)));
        }
        if let Some(input) = &command.standard_input {
            let input = self.word(input.as_os_str());
            self.bytes(&[b"exec <", &input, b" || exit 127"]);
        }
        let program = self.word(command.program.as_os_str());
        self.bytes(&[b"P=", &program]);
        if command.program.as_os_str().as_bytes().contains(&b'/') {
            self.line("[ -e \"$P\" ] || { echo missing >\"$H\"; exit 127; }");
            self.line("[ -x \"$P\" ] || { echo denied >\"$H\"; exit 126; }");
        } else {
            self.line("command -v \"$P\" >/dev/null || { echo missing >\"$H\"; exit 127; }");
        }
        let mut words = b"exec \"$P\"".to_vec();
        for argument in &command.arguments {
            words.push(b' ');
            words.extend(self.word(argument));
        }
        self.bytes(&[&words]);
        self.line(";;");
        Some(())
    }

    /// A word of the script that has this value on the worker.
    fn word(&mut self, value: &OsStr) -> Vec<u8> {
        if let Some(extra) = self.extra(value, Path::is_file) {
            return extra;
        }
        let folder = self.folder.as_os_str().as_bytes();
        let mut word = Vec::new();
        let mut rest = value.as_bytes();
        while let Some(place) = position(rest, folder) {
            let after = &rest[place + folder.len()..];
            if !rest[..place].is_empty() {
                word.extend(quoted(&rest[..place]));
            }
            let is_whole =
                after.first().is_none_or(|byte| !(byte.is_ascii_alphanumeric() || b"._-".contains(byte)));
            word.extend(if is_whole { b"\"$W\"".to_vec() } else { quoted(folder) });
            rest = after;
        }
        if !rest.is_empty() || word.is_empty() {
            word.extend(quoted(rest));
        }
        word
    }

    /// A search path: small folders of the user in it are sent along, and our own search path becomes that of the worker.
    fn of_search_path(&mut self, value: &OsStr) -> Vec<u8> {
        let ours = std::env::var_os("PATH").unwrap_or_default();
        let value = value.as_bytes();
        let front = value.strip_suffix(ours.as_bytes()).unwrap_or(value);
        let is_ours = front.len() < value.len();
        let mut words = Vec::new();
        for folder in front.split(|byte| *byte == b':').filter(|folder| !folder.is_empty()) {
            let folder = OsStr::from_bytes(folder);
            let word = self.extra(folder, is_small_folder).unwrap_or_else(|| self.word(folder));
            words.extend(word);
            words.push(b':');
        }
        if is_ours {
            words.extend(quoted(self.search_path.as_bytes()));
        } else {
            words.pop();
        }
        words
    }

    /// The word for something of the user that is sent along.
    fn extra(&mut self, value: &OsStr, is_wanted: impl Fn(&Path) -> bool) -> Option<Vec<u8>> {
        let path = Path::new(value);
        let is_ours =
            path.starts_with(self.folder) || OF_SYSTEM.iter().any(|system| path.starts_with(system));
        if !path.is_absolute() || is_ours || !is_wanted(path) {
            return None;
        }
        let known = self.extras.iter().find(|(_, known)| *known == path).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            // The file keeps its name, in a folder of its own.
            let name =
                format!("{}/{}", self.extras.len(), path.file_name().unwrap_or_default().to_string_lossy());
            self.extras.insert(name.clone(), path.to_owned());
            name
        });
        Some([b"\"$X\"/".as_slice(), &quoted(name.as_bytes())].concat())
    }
}

fn is_small_folder(path: &Path) -> bool {
    std::fs::read_dir(path).is_ok_and(|entries| {
        let entries: Vec<_> = entries.take(MOST_IN_SEARCH_PATH + 1).filter_map(Result::ok).collect();
        entries.len() <= MOST_IN_SEARCH_PATH
            && entries.iter().all(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
    })
}

fn position(text: &[u8], part: &[u8]) -> Option<usize> {
    (!part.is_empty()).then(|| text.windows(part.len()).position(|window| window == part)).flatten()
}

/// A word that a shell takes as it is.
pub(crate) fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut word = vec![b'\''];
    for byte in bytes {
        match byte {
            b'\'' => word.extend_from_slice(b"'\\''"),
            other => word.push(*other),
        }
    }
    word.push(b'\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(command: &Command, folder: &str) -> String {
        let steps = Steps::of(command, Path::new(folder), None, "/usr/bin:/bin").unwrap();
        String::from_utf8(steps.script).unwrap()
    }

    #[test]
    fn the_folder_of_the_candidate_is_named_as_on_the_worker() {
        let command = Command::new("/usr/bin/python3", "/job/candidate")
            .arguments(["/job/candidate/a.py", "it's", "--out=/job/candidate", "/job/candidates"])
            .variable("HOWCOME_DIR", "/home/me")
            .variable("INPUT", "/job/candidate/in put");
        let script = script(&command, "/job/candidate");
        assert!(
            script.contains(r#"exec "$P" "$W"'/a.py' 'it'\''s' '--out='"$W" '/job/candidate''s'"#),
            "{script}"
        );
        assert!(script.contains("export HOWCOME_DIR=\"$W\""), "{script}");
        assert!(script.contains("export INPUT=\"$W\"'/in put'"), "{script}");
    }

    #[test]
    fn files_of_the_user_are_sent_along_and_those_of_the_system_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let test = folder.path().join("check.sh");
        std::fs::write(&test, "exit 0\n").unwrap();
        let command = Command::new(&test, "/job/candidate").argument("/bin/sh").argument(&test);
        let steps = Steps::of(&command, Path::new("/job/candidate"), None, "/bin").unwrap();
        assert_eq!(steps.extras, BTreeMap::from([("0/check.sh".to_owned(), test)]));
        let script = String::from_utf8(steps.script).unwrap();
        assert!(script.contains(r#"exec "$P" '/bin/sh' "$X"/'0/check.sh'"#), "{script}");
    }

    #[test]
    fn a_command_that_runs_outside_of_the_candidate_cannot_be_sent() {
        assert_eq!(Steps::of(&Command::new("true", "/"), Path::new("/job/candidate"), None, "/bin"), None);
    }
}
