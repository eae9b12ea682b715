//! A first try: a project, a command, and the truth.

use crate::answer::{Answered, judge};
use crate::results::TryResult;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A project with a failure, and the command that a user types first.
pub(crate) struct FirstTry {
    pub(crate) name: String,
    folder: PathBuf,
    /// The words after `howcome`.
    command: Vec<String>,
    pub(crate) needs: Vec<String>,
    pub(crate) truth: Truth,
}

/// What a right answer is.
#[derive(Default)]
pub(crate) struct Truth {
    /// The subject of the culprit commit.
    pub(crate) commit: Option<String>,
    /// Lines of which one at least must be in the answer, each with its path. Removed lines begin with `-`.
    pub(crate) cause: Vec<(String, String)>,
    /// Lines that can be in the answer as well.
    pub(crate) may: Vec<(String, String)>,
    /// Texts that must be in the reduced input, or in the items.
    pub(crate) keeps: Vec<String>,
    /// The most bytes of the reduced input, or the most items.
    pub(crate) at_most: Option<usize>,
    /// Whether there is no answer, so that a refusal is right.
    pub(crate) has_no_answer: bool,
    /// Whether no version was ever right, so that this, or a refusal, is the answer.
    pub(crate) never_worked: bool,
}

impl FirstTry {
    /// All tries in a folder, by name.
    pub(crate) fn all(folder: &Path) -> Vec<Self> {
        let mut all: Vec<Self> =
            fs::read_dir(folder).unwrap().map(|entry| Self::read(&entry.unwrap().path())).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }

    fn read(folder: &Path) -> Self {
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let words = shlex::split(text("command").trim()).unwrap();
        assert_eq!(words[0], "howcome");
        let (mut needs, mut truth) = (Vec::new(), Truth::default());
        for line in text("truth").lines().filter(|line| !line.is_empty()) {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "needs" => needs.push(value.to_owned()),
                "commit" => truth.commit = Some(value.to_owned()),
                "cause" => truth.cause.push(line_of_path(value)),
                "may" => truth.may.push(line_of_path(value)),
                "keeps" => truth.keeps.push(value.to_owned()),
                "at-most" => truth.at_most = value.parse().ok(),
                "honest" => truth.has_no_answer = true,
                "never-worked" => truth.never_worked = true,
                "question" | "note" => {}
                other => panic!("{}: {other}", folder.display()),
            }
        }
        Self {
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            command: words[1..].to_vec(),
            needs,
            truth,
        }
    }

    /// Makes the project, asks, and compares the answer with the truth. Returns the result, and why it is not right.
    pub(crate) fn run(&self) -> (TryResult, String) {
        let place = tempfile::tempdir().unwrap();
        let make = Command::new(self.folder.join("make")).current_dir(&place).output().unwrap();
        assert!(make.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&make.stderr));
        let project = place.path().join("project");
        let here = if project.is_dir() { project } else { place.path().to_owned() };
        let (question, rest) = self.command.split_first().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_howcome"))
            .current_dir(&here)
            // Cargo of the try would share it with that of other versions.
            .env_remove("CARGO_TARGET_DIR")
            .args([question.as_str(), "-q", "--json", "--run-dir"])
            .arg(place.path().join("run"))
            .args(rest)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let told = json["tests"]["told"].as_u64().unwrap_or(0);
        let (answered, why) = judge(&self.truth, output.status.code(), &json, &here);
        let why = if answered == Answered::Right { why } else { format!("{why}\n{printed}") };
        (TryResult { answered, told }, why)
    }
}

fn line_of_path(text: &str) -> (String, String) {
    let (path, line) = text.split_once(": ").unwrap_or((text, ""));
    (path.to_owned(), plain(line))
}

/// A line without the blanks that do not matter. A removed line begins with `-`.
pub(crate) fn plain(line: &str) -> String {
    let line = line.trim();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.strip_prefix('-').filter(|_| !line.starts_with("--")) {
        Some(removed) => format!("-{}", words(removed)),
        None => words(line),
    }
}
