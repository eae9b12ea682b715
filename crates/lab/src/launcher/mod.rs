//! A launcher: a command in front of each test that brings it to another machine, such as `srun --exact -n1` or `ssh host`.
//!
//! The machines share the folder of the workspaces. howcome writes a small script there, and the launcher gets two more words: `sh` and
//! the path of the script. So it does not matter whether a launcher passes its words through a shell, as ssh does, or not, as srun does.
//! The script leaves what the test did in files beside it. The exit code of the launcher is no verdict: if there is no such file, the
//! test says nothing about its candidate, and is run again.
//!
//! | file | idea |
//! |---|---|
//! | `script` | the script that runs one test on the other machine |
//! | `launched_run` | the files of one launched test, and what they say |

mod launched_run;
mod script;

pub(crate) use launched_run::{LaunchControl, LaunchedEnd, LaunchedRun};

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A command in front of each test and each build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// How often a test is launched before the run ends without a verdict.
pub(crate) const MOST_LAUNCHES: u32 = 5;

/// How long howcome waits before it launches a test again.
pub(crate) fn pause_before(launch: u32) -> Duration {
    Duration::from_millis(100) * 4_u32.saturating_pow(launch.saturating_sub(1))
}

impl Launcher {
    /// A program and its arguments. `None` if there are no words.
    pub fn new(words: impl IntoIterator<Item = impl Into<OsString>>) -> Option<Self> {
        let mut words = words.into_iter().map(Into::into);
        let program = PathBuf::from(words.next()?);
        Some(Self { program, arguments: words.collect() })
    }

    /// The program, as the user gave it.
    #[must_use]
    pub fn program(&self) -> &OsStr {
        self.program.as_os_str()
    }

    /// The command as the user would write it.
    #[must_use]
    pub fn words(&self) -> String {
        let words =
            [self.program.as_os_str()].into_iter().chain(self.arguments.iter().map(OsString::as_os_str));
        let words = words.map(|word| howcome_run::words::shell_word(&word.to_string_lossy()));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether the path of a script in this folder arrives unchanged if a launcher passes it through a shell.
    #[must_use]
    pub fn can_name(folder: &Path) -> bool {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=@%,:".contains(byte);
        folder.is_absolute() && folder.as_os_str().as_encoded_bytes().iter().all(is_plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_a_shell_would_change_is_recognised() {
        assert!(Launcher::can_name(Path::new("/home/me/.cache/work-1_a")));
        for path in ["/home/my files", "/tmp/$x", "/tmp/a;b", "relative", "/tmp/it's"] {
            assert!(!Launcher::can_name(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_launcher_has_at_least_a_program() {
        assert_eq!(Launcher::new(Vec::<String>::new()), None);
        assert_eq!(
            Launcher::new(["ssh", "-o", "a b"]).map(|launcher| launcher.words()),
            Some("ssh -o 'a b'".to_owned())
        );
    }
}
