//! Looks up programs in `PATH` once instead of for every test.

use crate::Command;
use std::env;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Remembers where the last program is.
///
/// Starting a program by its name asks the kernel about every folder of `PATH`, which costs about a tenth of a short
/// test.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    name: PathBuf,
    places: Vec<PathBuf>,
    /// There is one place, which does not depend on the test.
    is_settled: bool,
}

impl Lookup {
    /// The paths at which a command's program can be. The test must already have its environment.
    pub(super) fn find(&mut self, command: &Command) -> &[PathBuf] {
        let name = &command.program;
        let has_own_path = command.environment.iter().any(|(variable, _)| variable == "PATH");
        let is_known = self.is_settled && !has_own_path && self.name == *name && is_program(&self.places[0]);
        if !is_known {
            self.name.clone_from(name);
            self.places = places(name);
            let found = only_place(&self.places).filter(|_| !has_own_path);
            self.is_settled = found.is_some();
            self.places = found.map_or_else(|| std::mem::take(&mut self.places), |found| vec![found]);
        }
        &self.places
    }
}

/// A path is used unchanged. A name is looked for in all folders of `PATH`.
fn places(program: &Path) -> Vec<PathBuf> {
    if program.as_os_str().as_bytes().contains(&b'/') {
        return vec![program.to_owned()];
    }
    let path = env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    env::split_paths(&path).map(|folder| folder.join(program)).collect()
}

/// The place of a program, if it does not depend on the test. Relative folders of `PATH` are folders of the test, not of this process.
fn only_place(places: &[PathBuf]) -> Option<PathBuf> {
    places.iter().take_while(|place| place.is_absolute()).find(|place| is_program(place)).cloned()
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
        let [found] = lookup.find(&Command::new("sh", "/")) else { panic!("one program") };
        assert!(found.is_absolute() && found.ends_with("sh"));
        assert_eq!(lookup.find(&Command::new("./sh", "/")), [Path::new("./sh")]);
        assert_eq!(lookup.find(&Command::new("/bin/sh", "/")), [Path::new("/bin/sh")]);
        let nowhere = lookup.find(&Command::new("no such program", "/"));
        assert!(nowhere.iter().all(|place| place.ends_with("no such program") && !place.exists()));
    }

    #[test]
    fn a_relative_folder_of_path_is_one_of_the_test() {
        let [relative, absolute] = [PathBuf::from("bin/sh"), PathBuf::from("/bin/sh")];
        assert_eq!(only_place(&[relative.clone(), absolute.clone()]), None, "each test can have its own");
        assert_eq!(only_place(&[absolute.clone(), relative]), Some(absolute));
    }

    #[test]
    fn a_command_with_its_own_path_variable_is_looked_up_each_time() {
        let mut lookup = Lookup::default();
        assert_eq!(lookup.find(&Command::new("sh", "/")).len(), 1);
        let command = Command::new("sh", "/").variable("PATH", "/elsewhere");
        assert_eq!(lookup.find(&command), places(Path::new("sh")), "the warden sets the variable before");
    }
}
