//! Compilers of C and C++ that are asked for more than the build asks them for.
//!
//! Builds find compilers by their names. They get scripts of these names first, which start the real compilers with further flags.

use crate::candidates::tree_test::Recipe;
use crate::knowledge::is_compiled;
use crate::trees::tree::Tree;
use howcome_lab::inquiry::find_in_path;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The compilers that most builds use.
const COMPILERS: [&str; 6] = ["cc", "gcc", "clang", "c++", "g++", "clang++"];

/// The variable that says where the messages of a build go.
const MESSAGES: &str = "HOWCOME_MESSAGES";

/// Flags of a build that should get no other warnings, as patterns of a shell. Of files with flags, nobody knows.
const UNWANTED: &str = "*' -Werror'* | *' -Wno-return-type '* | *' -Wno-uninitialized '* | *' -w '* | *' @'*";

/// What compilers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedFor {
    /// Warnings of code that can pass or fail by accident, unless the build does not want them, or stops at warnings. Those about calls
    /// and pointers come unasked.
    Warnings,
    /// Programs that write down which lines they execute.
    Coverage,
}

impl AskedFor {
    fn folder(self) -> &'static str {
        match self {
            Self::Warnings => "compilers",
            Self::Coverage => "compilers-for-coverage",
        }
    }

    /// How a script starts a compiler.
    fn command(self, compiler: &str) -> String {
        match self {
            // With -Werror or -w, another warning would change more than what is printed. If the build reads what a compiler prints,
            // another warning could make it fail.
            Self::Warnings => format!(
                "[ \"$(readlink /proc/self/fd/2)\" = \"${MESSAGES}\" ] || exec {compiler} \"$@\"\n\
                 case \" $* \" in {UNWANTED}) exec {compiler} \"$@\" ;; esac\n\
                 exec {compiler} \"$@\" -Wreturn-type -Wuninitialized\n"
            ),
            Self::Coverage => format!("exec {compiler} \"$@\" --coverage\n"),
        }
    }
}

/// Scripts in a folder of the run that take the place of compilers, until this value is dropped.
#[derive(Debug)]
pub(crate) struct AskedCompilers {
    folder: PathBuf,
}

impl AskedCompilers {
    /// Lets a recipe use such compilers. `None` if nothing is compiled, or the scripts cannot be written: then it uses the compilers
    /// as they are.
    pub(crate) fn ask(
        asked_for: AskedFor,
        run: Option<&Path>,
        version: &Tree,
        recipe: &mut Recipe,
    ) -> Option<Self> {
        let is_compiling = version.iter().any(|(path, _)| is_compiled(path.as_bytes()))
            && (recipe.build.is_some() || asked_for == AskedFor::Coverage);
        let run = run.filter(|_| is_compiling)?;
        let search_path = std::env::var("PATH").ok()?;
        let compilers = Self { folder: fs::canonicalize(run).ok()?.join(asked_for.folder()) };
        compilers.write_scripts(asked_for, &search_path)?;
        let variables = match asked_for {
            // A test that compiles something would print the warnings.
            AskedFor::Warnings => {
                let build = recipe.build.take()?;
                let script = format!("{MESSAGES}=$(readlink /proc/self/fd/2) exec \"$@\"");
                let words = ["sh".into(), "-c".into(), script.into(), "sh".into()];
                recipe.build = Some(words.into_iter().chain(build).collect());
                &mut recipe.build_variables
            }
            AskedFor::Coverage => &mut recipe.environment,
        };
        let path = format!("{}:{search_path}", compilers.folder.to_str()?);
        variables.push(("PATH".into(), path.into()));
        Some(compilers)
    }

    fn write_scripts(&self, asked_for: AskedFor, search_path: &str) -> Option<()> {
        // A search path cannot name a folder with a colon in its name.
        if self.folder.to_str()?.contains(':') {
            return None;
        }
        fs::create_dir_all(&self.folder).ok()?;
        for name in COMPILERS {
            let Some(compiler) = find_in_path(OsStr::new(name)) else { continue };
            let [compiler, search_path] = [compiler.to_str()?, search_path]
                .map(|text| shlex::try_quote(text).map(|quoted| quoted.into_owned()).ok());
            // A compiler can be a script itself that looks for another one of the same name.
            let script = format!("#!/bin/sh\nPATH={}\n{}", search_path?, asked_for.command(&compiler?));
            let path = self.folder.join(name);
            fs::write(&path, script).ok()?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).ok()?;
        }
        Some(())
    }
}

impl Drop for AskedCompilers {
    fn drop(&mut self) {
        // If it stays, it stays in the folder of the run, and nothing uses it.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            clean: None,
            build: Some(vec!["make".into()]),
            build_variables: Vec::new(),
            program: "true".into(),
            arguments: Vec::new(),
            directory: "/".into(),
            environment: Vec::new(),
        }
    }

    /// What a compiler says of a program that the build compiles with some flags.
    fn said_of(program: &str, flags: &[&str], script: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.c"), program).unwrap();
        let mut recipe = recipe();
        let tree = Tree::of_texts(&[("a.c", program)]);
        let compilers = AskedCompilers::ask(AskedFor::Warnings, Some(folder.path()), &tree, &mut recipe);
        let (_, path) = recipe.build_variables.pop().unwrap();
        let build = recipe.build.unwrap();
        let (make, start) = build.split_last().unwrap();
        assert_eq!(make, "make");
        let output = std::process::Command::new(&start[0])
            .args(&start[1..])
            .args(["sh", "-c", script, "sh"])
            .args(flags)
            .env("PATH", path)
            .env("LC_ALL", "C")
            .current_dir(folder.path())
            .output()
            .unwrap();
        drop(compilers);
        assert!(!folder.path().join("compilers").exists());
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }

    #[test]
    fn a_compiler_warns_of_a_missing_return_unless_the_build_does_not_want_that() {
        if !howcome_testing::need_program("cc") {
            return;
        }
        let program = "int f(int a) { if (a) return 1; }\nint g(void) { int b; return b; }\n";
        let compile = "cc -c a.c \"$@\"";
        for flags in [&[][..], &["-Wl,-O1"], &["-Wno-unused", "-Wpedantic"], &["-Wall"]] {
            let said = said_of(program, flags, compile);
            assert!(said.contains("[-Wreturn-type]") && said.contains("[-Wuninitialized]"), "{said}");
        }
        for chosen in ["-Werror", "-w", "-Wno-return-type"] {
            let said = said_of(program, &[chosen], compile);
            assert_eq!(said, "", "{chosen}");
        }
    }

    #[test]
    fn a_build_that_reads_the_messages_of_its_compiler_gets_no_others() {
        if !howcome_testing::need_program("cc") {
            return;
        }
        let program = "int f(int a) { if (a) return 1; }\n";
        let strict =
            "said=$(cc -c a.c 2>&1); test -z \"$said\" && cc -c a.c 2>log && test ! -s log && echo built";
        assert_eq!(said_of(program, &[], strict), "built\n");
    }

    #[test]
    fn compilers_stay_as_they_are_if_nothing_is_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let mut recipe = recipe();
        let tree = Tree::of_texts(&[("a.py", "")]);
        let asked = AskedCompilers::ask(AskedFor::Warnings, Some(folder.path()), &tree, &mut recipe);
        assert!(asked.is_none() && recipe.build_variables.is_empty());
    }
}
