//! Folders and files beside those of the versions that no version has: what a package manager or a build has put there. Tests run in
//! copies of the versions and do not find them.

use crate::errors::{missing_command, missing_names, missing_package};
use crate::runners::PrintedText;
use crate::{Execution, TestEnding};
use howcome_run::words::{printable, shell_word};
use howcome_run::{Halt, Problem, ProblemKind};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folders and files in a folder of the user that are part of no version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOutFolders {
    /// The folder of the user.
    pub user_folder: PathBuf,
    /// The names of the folders and files in it that are left out.
    pub names: Vec<String>,
    /// Whether versions are built before they are tested.
    pub is_built: bool,
}

/// A folder or a file that a test needs and that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededFolder {
    /// What the test did not find.
    pub missing: String,
    /// The folder that has it, or the file itself.
    pub folder: String,
    is_built: bool,
    /// Whether a build makes it. A copy of it would be of another version.
    is_product: bool,
}

/// Folders that a build makes.
const BUILT: [&str; 12] = [
    "build", "builddir", "dist", "target", "out", "bin", "obj", "lib", "_build", "Debug", "Release",
    "classes",
];

/// The command that a shell or make did not find in a run, if the run prints that.
#[must_use]
pub fn command_not_found(execution: &Execution) -> Option<String> {
    missing_command(&PrintedText::of(execution))
}

/// The package that an interpreter did not find in a run, if the run prints that.
#[must_use]
pub fn package_not_found(execution: &Execution) -> Option<String> {
    missing_package(&PrintedText::of(execution))
}

impl LeftOutFolders {
    /// The folder that has what a run did not find, if the run failed.
    #[must_use]
    pub fn needed_by(&self, execution: &Execution) -> Option<NeededFolder> {
        if execution.ending == TestEnding::Exit(0) || self.names.is_empty() {
            return None;
        }
        let printed = PrintedText::of(execution);
        missing_names(&printed, &execution.workspace).find_map(|missing| {
            let folder = self.names.iter().find(|folder| self.has(folder, &missing))?;
            let is_product = self.is_product(folder);
            Some(NeededFolder { folder: folder.clone(), missing, is_built: self.is_built, is_product })
        })
    }

    fn is_product(&self, name: &str) -> bool {
        let is_program = |found: fs::Metadata| found.is_file() && found.permissions().mode() & 0o111 != 0;
        BUILT.contains(&name)
            || name.starts_with("cmake-build")
            || fs::metadata(self.user_folder.join(name)).is_ok_and(is_program)
    }

    /// Whether a folder has a file, a module or a command.
    fn has(&self, folder: &str, missing: &str) -> bool {
        let is_plain = !missing.contains(char::is_whitespace) && Path::new(missing).is_relative();
        let place = self.user_folder.join(folder);
        let is_in_it = || Path::new(missing).starts_with(folder) && self.user_folder.join(missing).exists();
        // `node_modules/@scope/name`, `node_modules/.bin/mocha`, `.venv/bin/pytest`
        let mut parts = missing.split('/');
        let first = parts.next().unwrap_or_default();
        let package = match (first.starts_with('@'), parts.next()) {
            (true, Some(name)) => format!("{first}/{name}"),
            _ => first.to_owned(),
        };
        let is_package = || {
            Path::new(folder).ends_with("node_modules")
                && !package.starts_with('.')
                && place.join(&package).exists()
        };
        let is_command = || {
            !missing.contains('/')
                && [".bin", "bin"].iter().any(|bin| place.join(bin).join(missing).is_file())
        };
        is_plain && (is_in_it() || is_package() || is_command() || has_python_module(&place, missing))
    }
}

/// Whether a virtual environment of Python has a module.
fn has_python_module(place: &Path, module: &str) -> bool {
    let module = module.split('.').next().unwrap_or_default();
    let versions = place.join("pyvenv.cfg").is_file().then(|| fs::read_dir(place.join("lib")).ok()).flatten();
    let is_in = |version: PathBuf| {
        let packages = version.join("site-packages");
        packages.join(module).is_dir() || packages.join(format!("{module}.py")).is_file()
    };
    !module.is_empty() && versions.into_iter().flatten().flatten().any(|version| is_in(version.path()))
}

impl NeededFolder {
    /// Explains that the test cannot be run without the folder.
    #[must_use]
    pub fn refuse(&self, execution: &Execution) -> Halt {
        let Self { missing, folder, is_built, is_product } = self;
        let (what, whose) = match missing == folder {
            true => (format!("the test does not find {folder}"), "it"),
            false => {
                (format!("the test does not find {missing}, which is in the folder {folder}"), "that folder")
            }
        };
        let why = format!("{what}: it runs in copies of the versions, and git does not track {whose}");
        let lines: Vec<String> = execution.last_lines(5).iter().map(|line| printable(line)).collect();
        let copy = format!("--copy {}", shell_word(folder));
        let hint = match (is_product, is_built) {
            (true, false) => format!(
                "give the command that builds {folder} with --build CMD, or add {copy} if it does not depend on the version"
            ),
            (true, true) => format!(
                "check that --build makes {folder}, or add {copy} if it does not depend on the version"
            ),
            (false, _) => format!("add {copy}"),
        };
        let problem = Problem::new(format!("{why}\nit printed:\n    {}", lines.join("\n    ")))
            .of_kind(ProblemKind::LacksFolder)
            .hint(hint);
        Halt::Refused { problem, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Captured;

    fn needed(files: &[&str], printed: &str) -> Option<NeededFolder> {
        let folder = tempfile::tempdir().unwrap();
        let mut names: Vec<String> = Vec::new();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            names.push(file.split('/').next().unwrap().to_owned());
        }
        let left_out = LeftOutFolders { user_folder: folder.path().to_owned(), names, is_built: false };
        let execution = Execution { stderr: Captured::whole(printed), ..Execution::new(TestEnding::Exit(1)) };
        left_out.needed_by(&execution)
    }

    #[test]
    fn what_a_run_does_not_find_is_looked_for_in_folders_that_no_version_has() {
        for (files, printed, folder) in [
            (&["node_modules/left-pad/index.js"][..], "Error: Cannot find module 'left-pad'", "node_modules"),
            (
                &["node_modules/@a/b/x.js"],
                "Error: Cannot find module '@a/b/x' from 'src/i.js'",
                "node_modules",
            ),
            (&["node_modules/.bin/mocha"], "sh: 1: mocha: not found", "node_modules"),
            (
                &[".venv/pyvenv.cfg", ".venv/lib/python3.12/site-packages/yaml/__init__.py"],
                "ModuleNotFoundError: No module named 'yaml'",
                ".venv",
            ),
            (&[".venv/bin/python"], "make: .venv/bin/python: No such file or directory", ".venv"),
            (
                &["vendor/autoload.php"],
                "Failed opening required 'vendor/autoload.php' (include_path='.')",
                "vendor",
            ),
            (&["build/prog"], "sh: 1: ./build/prog: not found", "build"),
            (&["vendor/bin/phpunit"], "bash: line 1: phpunit: command not found", "vendor"),
        ] {
            assert_eq!(
                needed(files, printed).map(|needed| needed.folder).as_deref(),
                Some(folder),
                "{printed}"
            );
        }
    }

    #[test]
    fn what_no_folder_has_is_missing_for_another_reason() {
        for (files, printed) in [
            (&["node_modules/left-pad/index.js"][..], "Error: Cannot find module './left-pad2'"),
            (&["build/prog"], "sh: 1: prog2: not found"),
            (&["node_modules/x/index.js"], "AssertionError: page x: not found there"),
            (&[".venv/pyvenv.cfg"], "ModuleNotFoundError: No module named 'yaml'"),
        ] {
            assert_eq!(needed(files, printed), None, "{printed}");
        }
    }

    #[test]
    fn a_folder_of_packages_is_offered_and_a_built_one_is_built() {
        let said = |files: &[&str], printed: &str| {
            let execution = Execution::new(TestEnding::Exit(1));
            match needed(files, printed).unwrap().refuse(&execution) {
                Halt::Refused { problem, .. } => problem.to_string(),
                _ => String::new(),
            }
        };
        let packages = said(&["node_modules/left-pad/index.js"], "Cannot find module 'left-pad'");
        assert!(packages.ends_with("hint: add --copy node_modules"), "{packages}");
        let built = said(&["build/prog"], "sh: 1: ./build/prog: not found");
        assert!(built.contains("--build CMD"), "{built}");
    }
}
