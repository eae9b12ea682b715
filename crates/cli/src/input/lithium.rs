//! Tests as Lithium takes them: a Python file that defines `interesting(args, prefix)`.

use crate::failure::Failure;
use crate::test_command::in_path;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Calls the functions of the file as Lithium does, and exits with 0 for an interesting candidate, with 1 for another one.
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

/// The command that asks such a test; `None` where the test is a program of its own.
pub(crate) fn command(
    words: &[OsString],
    files: &[PathBuf],
    directory: &Path,
) -> Result<Option<Vec<OsString>>, Failure> {
    let Some((program, arguments)) = words.split_first() else { return Ok(None) };
    let path = directory.join(program);
    if path.extension() != Some(OsStr::new("py"))
        || !fs::read_to_string(&path).is_ok_and(|text| is_one(&text))
    {
        return Ok(None);
    }
    let python = in_path(OsStr::new("python3")).ok_or_else(|| {
        Failure::wrong_use("the test defines `interesting` as for Lithium, but there is no python3 to run it")
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

/// A file that can be run by itself is a program, whatever its functions are called.
fn is_one(text: &str) -> bool {
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
        assert!(is_one("import sys\ndef interesting(args, prefix):\n    return True\n"));
        assert!(is_one("def interesting(cli_args: List[str], temp_prefix: str) -> bool:\n    pass\n"));
        assert!(!is_one("def interesting(x):\n    pass\n"));
        assert!(!is_one("def interesting(a, b):\n    pass\nif __name__ == '__main__':\n    pass\n"));
    }
}
