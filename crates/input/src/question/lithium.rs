//! Tests that are written for Lithium: a Python file that defines `interesting(args, prefix)`.

use howcome_lab::inquiry::find_in_path;
use howcome_run::Problem;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Calls the functions of the file as Lithium does, and exits with 0 if the candidate is interesting, otherwise with 1.
const STUB: &str = r#"import importlib.util, os, sys
path, args = sys.argv[1], sys.argv[2:]
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("interestingness", path)
test = importlib.util.module_from_spec(spec)
sys.dont_write_bytecode = True
spec.loader.exec_module(test)
os.makedirs("lithium-tmp", exist_ok=True)
if hasattr(test, "init"): test.init(args)
found = test.interesting(args, os.path.abspath("lithium-tmp/1"))
if hasattr(test, "cleanup"): test.cleanup(args)
sys.exit(0 if found else 1)
"#;

/// The command that runs such a test; `None` if the test is a program of its own. `files` is the input, and paths start in
/// `directory`.
///
/// # Errors
/// If there is no Python to run it.
pub fn lithium_command(
    words: &[OsString],
    files: &[PathBuf],
    directory: &Path,
) -> Result<Option<Vec<OsString>>, Problem> {
    let Some((program, arguments)) = words.split_first() else { return Ok(None) };
    let path = directory.join(program);
    if path.extension() != Some(OsStr::new("py"))
        || !fs::read_to_string(&path).is_ok_and(|text| is_lithium_test(&text))
    {
        return Ok(None);
    }
    let python = find_in_path(OsStr::new("python3")).ok_or_else(|| {
        Problem::new(
            "the test is written for Lithium (it defines `interesting`), but python3 is not installed",
        )
    })?;
    let mut command: Vec<OsString> =
        [python.as_os_str(), OsStr::new("-c"), OsStr::new(STUB)].map(Into::into).into();
    command.push(path.into_os_string());
    command.extend(arguments.iter().cloned());
    let names_candidate = |argument: &OsString| {
        argument.to_string_lossy().contains("{}")
            || files.iter().any(|file| file.file_name() == Some(argument.as_os_str()))
    };
    if !arguments.iter().any(names_candidate) {
        command.push("{}".into());
    }
    Ok(Some(command))
}

/// Whether a file defines a test of Lithium. One that can be run by itself is a program, whatever its functions are called.
fn is_lithium_test(text: &str) -> bool {
    let defines = |line: &str| {
        let parameters = line.strip_prefix("def interesting(").and_then(|rest| rest.split(')').next());
        parameters.is_some_and(|parameters| parameters.split(',').count() == 2)
    };
    text.lines().any(defines) && !text.contains("__main__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_happens_to_define_interesting_is_a_program() {
        assert!(is_lithium_test("import sys\ndef interesting(args, prefix):\n    return True\n"));
        assert!(is_lithium_test(
            "def interesting(cli_args: List[str], temp_prefix: str) -> bool:\n    pass\n"
        ));
        assert!(!is_lithium_test("def interesting(x):\n    pass\n"));
        assert!(!is_lithium_test("def interesting(a, b):\n    pass\nif __name__ == '__main__':\n    pass\n"));
    }
}
