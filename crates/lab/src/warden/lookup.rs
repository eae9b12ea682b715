//! Looks up programs in `PATH` once instead of for every test.

use crate::Command;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Remembers the path of the last program.
///
/// Starting a program by its name asks the kernel about every folder of `PATH`, which costs about a tenth of a short
/// test.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    known: Option<(PathBuf, PathBuf)>,
}

impl Lookup {
    /// The path of a command's program; `None` to let the system find it.
    pub(super) fn find(&mut self, command: &Command) -> Option<&Path> {
        let name = &command.program;
        // A path is used unchanged. If the command has its own `PATH`, that one is searched each time.
        if name.components().count() != 1
            || command.environment.iter().any(|(variable, _)| variable == "PATH")
        {
            return None;
        }
        let is_known = self.known.as_ref().is_some_and(|(known, path)| known == name && is_program(path));
        if !is_known {
            // The test inherits this environment.
            let path = env::var_os("PATH")?;
            let found = env::split_paths(&path).map(|folder| folder.join(name)).find(|path| is_program(path));
            // A relative folder of `PATH` depends on the working directory.
            self.known = found.filter(|path| path.is_absolute()).map(|path| (name.clone(), path));
        }
        self.known.as_ref().map(|(_, path)| path.as_path())
    }
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_and_a_path_is_not() {
        let mut lookup = Lookup::default();
        let found = lookup.find(&Command::new("sh", "/")).map(Path::to_owned);
        assert!(found.is_some_and(|path| path.is_absolute() && path.ends_with("sh")));
        assert_eq!(lookup.find(&Command::new("./sh", "/")), None);
        assert_eq!(lookup.find(&Command::new("/bin/sh", "/")), None);
        assert_eq!(lookup.find(&Command::new("no such program", "/")), None);
    }

    #[test]
    fn the_system_looks_up_a_command_that_has_its_own_path_variable() {
        let command = Command::new("sh", "/").variable("PATH", "/elsewhere");
        assert_eq!(Lookup::default().find(&command), None);
    }
}
