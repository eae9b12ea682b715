//! Testing a version of the tree: it is written to a folder that earlier tests have built in, built, and run.

use crate::candidates::candidate::Candidate;
use crate::candidates::checkout::Checkout;
use crate::candidates::reads::ReadTrace;
use crate::candidates::space::Space;
use crate::candidates::version_warnings::{VersionWarnings, printed};
use crate::knowledge::KnownWarnings;
use crate::test_code::built_test::BuiltTest;
use crate::trees::tree_path::TreePath;
use howcome_dd::{Configuration, DeltaId, Hints};
use howcome_lab::{Command, Execution, Left, Prepare, WorkFolder};
use howcome_run::{Because, Content, Rejection, Subject};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How a version is built and tested.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The command that cleans the folder before each build, for builds that cannot be trusted.
    pub clean: Option<Vec<OsString>>,
    /// The command that builds it.
    pub build: Option<Vec<OsString>>,
    /// Variables of the build alone.
    pub build_variables: Vec<(OsString, OsString)>,
    /// The program of the test, by its path in the tree.
    pub program: PathBuf,
    /// The arguments of the program.
    pub arguments: Vec<OsString>,
    /// The folder in which the user asks.
    pub directory: PathBuf,
    /// More environment variables for all of these.
    pub environment: Vec<(OsString, OsString)>,
}

/// The versions of a space, and how each of them is tested.
pub struct TreeTest {
    /// The versions.
    pub space: Arc<dyn Space>,
    /// How each of them is built and tested.
    pub recipe: Arc<Recipe>,
    /// Collects the files that each test reads, if that is wanted.
    pub reads: Option<Reads>,
    /// The warnings of the versions, if warnings of mixes matter.
    pub warnings: Option<Arc<VersionWarnings>>,
    /// The code of the test that is built with each version, if it matters where a build stops.
    pub built_test: Option<Arc<BuiltTest>>,
}

/// The files that tests of configurations read.
pub type Reads = Arc<Mutex<BTreeMap<String, ReadTrace>>>;

impl TreeTest {
    /// The versions, and how each of them is tested.
    #[must_use]
    pub fn new(space: &Arc<dyn Space>, recipe: &Arc<Recipe>) -> Self {
        Self {
            space: Arc::clone(space),
            recipe: Arc::clone(recipe),
            reads: None,
            warnings: None,
            built_test: None,
        }
    }

    /// The same, with the warnings of versions, if they are known: mixes with other warnings are not judged.
    #[must_use]
    pub fn with_warnings(self, warnings: Option<&Arc<VersionWarnings>>) -> Self {
        Self { warnings: warnings.cloned(), ..self }
    }

    /// The same, with the code of the test that is built with each version. Versions in which it does not build are not broken.
    #[must_use]
    pub fn with_built_test(self, built_test: &Arc<BuiltTest>) -> Self {
        Self { built_test: Some(Arc::clone(built_test)), ..self }
    }

    fn content_of(&self, configuration: &Configuration) -> Option<Content> {
        self.space.candidate(configuration).ok().map(|candidate| candidate.content())
    }

    /// The warnings that a mix may have. `None` if it is not a mix, or nobody knows.
    fn warnings_allowed(&self, configuration: &Configuration) -> Option<KnownWarnings> {
        let warnings = self.warnings.as_ref()?;
        let written = self.space.written(configuration)?;
        let versions = written.configurations.iter().map(|version| self.content_of(version));
        warnings.allowed(versions, written.must_build)
    }

    fn watch(&self, reads: &Reads, configuration: &Configuration, folder: &Path) {
        let Ok(candidate) = self.space.candidate(configuration) else { return };
        // If reads cannot be observed, nothing is known about them, and the test runs anyway.
        if let Ok(Some(trace)) = ReadTrace::begin(folder, candidate.base.tree().iter().map(|(path, _)| path))
        {
            let mut reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
            reads.insert(configuration.to_string(), trace);
        }
    }
}

impl Subject for TreeTest {
    fn deltas(&self) -> u32 {
        self.space.deltas()
    }

    fn describe(&self, delta: DeltaId) -> String {
        self.space.describe(delta)
    }

    fn name(&self, configuration: &Configuration) -> Option<String> {
        self.space.name(configuration)
    }

    fn content(&self, configuration: &Configuration) -> Option<Content> {
        self.space.content(configuration)
    }

    fn rejects(&self, configuration: &Configuration) -> Option<Rejection> {
        self.space.rejects(configuration)
    }
}

impl Prepare for TreeTest {
    fn prepare(
        &self,
        configuration: &Configuration,
        folder: &mut WorkFolder<'_>,
    ) -> Result<Command, Because> {
        let candidate = self.space.candidate(configuration)?;
        let CheckedOut { mut checkout, continues } = match check_out(candidate, folder) {
            Ok(checked_out) => checked_out,
            Err(error) if is_not_stored(&error) => {
                // The files that could be read were written already.
                folder.empty().map_err(|error| not_written(&error))?;
                return Err(Because::DidNotApply(format!("it is not available: {error}")));
            }
            Err(error) => return Err(not_written(&error)),
        };
        let is_doubtful = checkout.is_rearranged();
        if let Some(reads) = &self.reads {
            self.watch(reads, configuration, folder.path());
            checkout.look_again(folder.path());
        }
        folder.keep_to_restore(checkout);
        let revision = self.space.revision_name(configuration);
        let command = |program: &Path| {
            let command = Command::new(program, folder.path());
            let environment = self.recipe.environment.iter().cloned();
            environment
                .fold(command, |command, (name, value)| command.variable(name, value))
                .variable("HOWCOME_DIR", &self.recipe.directory)
                .variable("HOWCOME_REVISION", revision.clone().unwrap_or_default())
        };
        let Recipe { clean, build, program, arguments, .. } = &*self.recipe;
        let mut test = command(program).arguments(arguments.iter().cloned());
        for words in [clean, build].into_iter().flatten() {
            if let Some((program, arguments)) = words.split_first() {
                let mut step = command(Path::new(program)).arguments(arguments.iter().cloned());
                for (name, value) in &self.recipe.build_variables {
                    step = step.variable(name, value);
                }
                test = test.after(step);
            }
        }
        test.is_doubtful = is_doubtful;
        test.continues = continues;
        Ok(test)
    }

    fn reuses(&self) -> bool {
        true
    }

    fn warm_up(&self, folder: &mut WorkFolder<'_>) -> Result<(), Because> {
        let candidate = self.space.candidate(&Configuration::empty())?;
        let checked_out = check_out(candidate, folder).map_err(|error| not_written(&error))?;
        folder.keep_to_restore(checked_out.checkout);
        Ok(())
    }

    fn new_warning(&self, configuration: &Configuration, seen: &Execution) -> Option<String> {
        let said = printed(seen);
        self.warnings.as_ref().filter(|warnings| warnings.are_in(&said))?;
        Some(self.warnings_allowed(configuration)?.first_new(&said)?.to_string())
    }

    fn stops_in_test(&self, build: &Execution) -> bool {
        self.built_test.as_ref().is_some_and(|test| test.stops_build(&printed(build), &build.ran_in))
    }

    fn unknown_warnings(&self, configuration: &Configuration) -> Vec<Configuration> {
        let Some(warnings) = &self.warnings else { return Vec::new() };
        let versions = self.space.written(configuration).map(|written| written.configurations);
        let is_unknown = |version: &Configuration| {
            self.content_of(version).is_some_and(|content| !warnings.are_known(&content))
        };
        versions.into_iter().flatten().filter(is_unknown).collect()
    }

    fn learn_warnings(&self, configuration: &Configuration, seen: Option<&Execution>) {
        if let (Some(warnings), Some(content)) = (&self.warnings, self.content_of(configuration)) {
            warnings.learn(content, seen.map(printed).as_deref());
        }
    }

    fn hints(&self, configuration: &Configuration, seen: &Execution) -> Hints {
        let said = printed(seen);
        let allowed = self.warnings_allowed(configuration);
        let errors = allowed.map(|allowed| allowed.new_as_errors(&said)).unwrap_or_default();
        self.space.hints(configuration, &[said, errors].join(&b'\n'))
    }
}

/// A folder with a candidate.
struct CheckedOut {
    checkout: Checkout,
    /// Whether what the previous build has made is still there.
    continues: bool,
}

/// Turns the folder of the test before into the candidate. If what that test has left cannot be trusted, nothing of it stays.
fn check_out(candidate: Candidate, folder: &mut WorkFolder<'_>) -> io::Result<CheckedOut> {
    let clean = |checkout| CheckedOut { checkout, continues: false };
    let (mut checkout, is_interrupted) = match folder.take_remains::<Checkout>()? {
        None => return Checkout::fresh(folder.path(), candidate).map(clean),
        Some(Left::ToBeRestored(checkout)) => (checkout, None),
        Some(Left::Interrupted(checkout)) => (checkout, Some(true)),
        Some(Left::Intact(checkout)) => (checkout, Some(false)),
    };
    if let Some(is_interrupted) = is_interrupted
        && go_on(&mut checkout, &candidate, folder.path(), is_interrupted).is_ok_and(|is_done| is_done)
    {
        return Ok(CheckedOut { checkout, continues: !is_interrupted });
    }
    if checkout.renew(folder.path(), candidate.clone()).is_ok() {
        return Ok(clean(checkout));
    }
    folder.empty()?;
    Checkout::fresh(folder.path(), candidate).map(clean)
}

/// Turns the folder into the candidate with what earlier tests have built, or without it if the last one was interrupted. Returns
/// whether it can.
fn go_on(
    checkout: &mut Checkout,
    candidate: &Candidate,
    folder: &Path,
    is_interrupted: bool,
) -> io::Result<bool> {
    let differing = checkout.differences(candidate)?;
    if checkout.loses(candidate, &differing) || differing.iter().any(says_how_to_build) {
        return Ok(false);
    }
    if is_interrupted {
        checkout.remove_additions(folder)?;
    }
    checkout.switch(folder, candidate.clone())?;
    Ok(true)
}

/// Whether a file controls how others are built. Few builds notice everything that follows from a change of such a file.
pub(crate) fn says_how_to_build(path: &TreePath) -> bool {
    let name = path.as_bytes().rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let ends = [
        ".mk", ".mak", ".cmake", ".am", ".ac", ".m4", ".in", ".gradle", ".kts", ".bazel", ".bzl", ".ninja",
        ".pro", ".gyp", ".gypi",
    ];
    let names = [
        "meson.build",
        "meson_options.txt",
        "CMakeLists.txt",
        "configure",
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "setup.py",
        "setup.cfg",
        "pyproject.toml",
        "package.json",
        "package-lock.json",
        "go.mod",
        "go.sum",
        "BUILD",
        "WORKSPACE",
        "pom.xml",
        "SConstruct",
        "SConscript",
        "wscript",
        "Kbuild",
        "Jamfile",
        "Rakefile",
    ];
    let is_makefile = [&b"makefile"[..], b"gnumakefile"].iter().any(|makefile| {
        name.len() >= makefile.len() && name[..makefile.len()].eq_ignore_ascii_case(makefile)
    });
    is_makefile
        || names.iter().any(|known| name == known.as_bytes())
        || ends.iter().any(|end| name.ends_with(end.as_bytes()))
}

/// Whether a version cannot be written because the source does not have a content of it.
fn is_not_stored(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound && error.get_ref().is_some()
}

fn not_written(error: &io::Error) -> Because {
    Because::not_written(format!("the version cannot be written to its folder: {error}"), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_are_known_by_their_names() {
        let says = |path: &str| says_how_to_build(&TreePath::new(path.as_bytes()).unwrap());
        for path in
            ["Makefile", "src/makefile.unix", "GNUmakefile", "a/CMakeLists.txt", "x.mk", "config.h.in"]
        {
            assert!(says(path), "{path}");
        }
        for path in ["main.c", "makefil.c", "src/configure.c", "BUILD/main.c", "mk"] {
            assert!(!says(path), "{path}");
        }
    }
}
