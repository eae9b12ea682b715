//! The recordings in this folder.

use howcome_lab::runners::PrintedText;
use std::fs;
use std::path::{Path, PathBuf};

/// The output of a real run, and where the expected report is.
pub(crate) struct Recording {
    /// The runner and the case: `pytest/quiet`.
    pub name: String,
    /// The file of the expected report.
    pub report: PathBuf,
    pub printed: PrintedText,
}

impl Recording {
    /// The folder of the recording, which is named after the runner.
    pub(crate) fn folder(&self) -> &str {
        self.name.split('/').next().unwrap()
    }

    /// The expected report.
    pub(crate) fn expected(&self) -> String {
        fs::read_to_string(&self.report).unwrap_or_default()
    }
}

/// All of them, in the order of their names.
pub(crate) fn recordings() -> Vec<Recording> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runners");
    let mut files: Vec<PathBuf> =
        entries(&folder).iter().filter(|path| path.is_dir()).flat_map(|f| entries(f)).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "txt"));
    files.sort();
    files.iter().map(|path| read(&folder, path)).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn read(folder: &Path, path: &Path) -> Recording {
    let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let (command, output) = text.split_once('\n').unwrap();
    assert!(command.starts_with("$ "), "{}: the first line is the command", path.display());
    let (stdout, stderr) = match output.strip_prefix("[stderr]\n") {
        Some(stderr) => ("", stderr),
        None => output.split_once("\n[stderr]\n").unwrap_or((output, "")),
    };
    Recording {
        name: path.with_extension("").strip_prefix(folder).unwrap().display().to_string(),
        report: path.with_extension("report"),
        printed: PrintedText::of_streams(stdout.as_bytes(), stderr.as_bytes()),
    }
}
