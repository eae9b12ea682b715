//! Runs howcome as a user would, and shows what the user saw.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

pub mod cart;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder to stand in, with a list of the numbers from 1 to 40 and tests to choose from.
pub struct Place {
    dir: TempDir,
    temp: TempDir,
}

/// Fails with items 7 and 31 together.
pub const TEST: &str = "#!/bin/sh
grep -qx 7 \"$HOWCOME_ITEMS\" && grep -qx 31 \"$HOWCOME_ITEMS\" && exit 1
exit 0
";

/// Every finding that a test sees is as the JSON Schema says.
fn check_json(words: &[&str], printed: &[u8]) {
    // Where the arguments are wrong, nothing is printed.
    let Ok(printed) = serde_json::from_slice::<serde_json::Value>(printed) else { return };
    // Lists have forms of their own.
    if printed.get("question").is_none() {
        return;
    }
    let schema = serde_json::from_str(howcome_report::JSON_SCHEMA).unwrap();
    let violations = howcome_testing::schema::violations(&schema, &printed);
    assert!(violations.is_empty(), "howcome {}: {violations:#?}", words.join(" "));
}

impl Place {
    pub fn new() -> Self {
        let place = Self::empty();
        let numbers: String = (1..=40).map(|number| format!("{number}\n")).collect();
        place.write("list.txt", numbers.as_bytes());
        place.script("test.sh", TEST);
        place
    }

    /// Replaces text that a file has once.
    pub fn replace_once(&self, file: &str, old: &str, new: &str) {
        let text = String::from_utf8(self.read(file)).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{old} in {text}");
        self.write(file, text.replace(old, new).as_bytes());
    }

    /// A folder with nothing in it.
    pub fn empty() -> Self {
        Self { dir: TempDir::new().unwrap(), temp: TempDir::new().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.write(name, text.as_bytes());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// howcome, with nothing of the user's settings, and temporary files where they can be counted.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path()).env("TMPDIR", self.temp.path()).stdin(Stdio::null());
        without_settings(&mut command);
        command
    }

    pub fn howcome(&self, words: &[&str]) -> Command {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_howcome")));
        command.args(words);
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        let output = self.howcome(words).output().unwrap();
        assert_eq!(
            self.left_behind(),
            Vec::<PathBuf>::new(),
            "nothing stays in the folder for temporary files"
        );
        if words.contains(&"--json") {
            check_json(words, &output.stdout);
        }
        output
    }

    /// What a user sees: the command, both streams and the exit code, without what differs from run to run.
    pub fn seen(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let text = |bytes: &[u8]| self.plain(&String::from_utf8_lossy(bytes));
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let code = output.status.code().map_or_else(|| output.status.to_string(), |code| code.to_string());
        format!("$ howcome {}\n{stdout}--- stderr\n{stderr}--- exit {code}\n", words.join(" "))
    }

    pub fn json(&self, words: &[&str]) -> serde_json::Value {
        let output = self.run(words);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!(
                "{error}: {}\n{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )
        })
    }

    /// What is left in the folder for temporary files.
    pub fn left_behind(&self) -> Vec<PathBuf> {
        fs::read_dir(self.temp.path()).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    /// Everything that is here but the records of runs: kind, mode, time and content of each file.
    pub fn everything(&self) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.path(".")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let found = fs::symlink_metadata(&path).unwrap();
                if path.ends_with("howcome.out") {
                    continue;
                }
                let content = if found.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
                // A folder that holds the folder of runs changes when that comes.
                let time = if found.is_dir() { (0, 0) } else { (found.mtime(), found.mtime_nsec()) };
                all.insert(path.clone(), (found.mode(), time.0, time.1, content));
                if found.is_dir() {
                    folders.push(path);
                }
            }
        }
        all
    }

    fn plain(&self, text: &str) -> String {
        let text = text.replace(&*self.dir.path().to_string_lossy(), "[here]");
        let text = without_times(&text);
        // The default name of a run is the time it was begun.
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find("howcome.out/2") {
            let (before, after) = rest.split_at(at);
            plain += before;
            plain += "howcome.out/[run]";
            let end = |question: &str| after.find(question).map(|at| at + question.len());
            let end =
                [end("-items"), end("-changes"), end("-input"), end("-history")].into_iter().flatten().min();
            rest = &after[end.unwrap_or(after.len())..];
        }
        plain + rest
    }
}

/// A git repository to stand in. The author and the times are always the same, so that commits have the same names each time.
pub struct Repo {
    pub place: Place,
    clock: Cell<u64>,
}

impl std::ops::Deref for Repo {
    type Target = Place;
    fn deref(&self) -> &Place {
        &self.place
    }
}

impl Repo {
    pub fn new() -> Self {
        let repo = Self { place: Place::empty(), clock: Cell::new(1_700_000_000) };
        repo.git(&["init", "-q", "-b", "main", "."]);
        repo
    }

    /// Runs git here and gives what it printed.
    pub fn git(&self, words: &[&str]) -> String {
        let mut git = self.place.command(Path::new("git"));
        git.args(words);
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "Ada Lovelace");
            git.env(format!("GIT_{role}_EMAIL"), "ada@example.org");
            git.env(format!("GIT_{role}_DATE"), format!("{} +0000", self.clock.get()));
        }
        let output = git.output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Commits all that lies here, and gives the name of the commit.
    pub fn commit(&self, subject: &str) -> String {
        self.git(&["add", "-A"]);
        self.commit_added(subject)
    }

    /// Commits what was added.
    pub fn commit_added(&self, subject: &str) -> String {
        self.clock.set(self.clock.get() + 60);
        self.git(&["commit", "-q", "--allow-empty", "-m", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Writes a file and commits it.
    pub fn change(&self, name: &str, content: &str) -> String {
        self.write(name, content.as_bytes());
        self.commit(&format!("change {name}"))
    }

    /// Does something here.
    pub fn sh(&self, script: &str) {
        let output = self.place.command(Path::new("sh")).args(["-euc", script]).output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// What `howcome changes` finds between the good version and the bad one.
    pub fn finds(&self, flags: &[&str], test: &str) -> serde_json::Value {
        self.json(&[&["changes", "-q", "--json"], flags, &["--", "sh", "-c", test]].concat())
    }

    /// The same as people see it, without the talk.
    pub fn tells(&self, flags: &[&str], test: &str) -> String {
        self.seen(&[&["changes", "-q", "-j1", "--run-dir", "run"], flags, &["--", "sh", "-c", test]].concat())
    }

    /// The commit `bad` in a folder of its own, with the patch of a run taken back in it, passes the test.
    pub fn is_fixed_by(&self, patch: &str, bad: &str, test: &str) {
        let clone = TempDir::new().unwrap();
        let script = format!(
            "git clone -q . \"$0\"; patch=$PWD/{patch}; cd \"$0\"; git checkout -q {bad}; ! sh -c '{test}'; \
             git apply -R \"$patch\"; sh -c '{test}'"
        );
        let mut sh = self.place.command(Path::new("sh"));
        let output = sh.args(["-euxc", &script]).arg(clone.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Merges a branch, conflicts being resolved by whatever `resolve` writes.
    pub fn merge(&self, branch: &str, resolve: impl Fn()) -> String {
        self.clock.set(self.clock.get() + 60);
        self.git(&["merge", "-q", "--no-ff", "--no-commit", "-s", "ours", branch]);
        resolve();
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", &format!("merge {branch}")]);
        self.git(&["rev-parse", "HEAD"])
    }
}

/// The lines that went and the lines that came, of all changes of a finding.
pub fn lines_of(json: &serde_json::Value) -> Vec<String> {
    let mut lines = Vec::new();
    for change in json["finding"]["changes"].as_array().unwrap_or_else(|| panic!("{json:#}")) {
        for (sign, side) in [('-', "removed"), ('+', "added")] {
            for line in change[side].as_array().unwrap() {
                let path = change["path"].as_str().unwrap();
                lines.push(format!("{path}: {sign}{}", line.as_str().unwrap().trim_end_matches('\n')));
            }
        }
    }
    lines
}

/// A finding without the names of files in the folder of the run.
pub fn finding_of(json: &serde_json::Value) -> serde_json::Value {
    let mut finding = json["finding"].clone();
    let fields = finding.as_object_mut().unwrap_or_else(|| panic!("{json:#}"));
    for file in ["patch_file", "backported_file", "forward_file"] {
        fields.remove(file);
    }
    if let Some(cause) = fields.get_mut("cause").and_then(serde_json::Value::as_object_mut) {
        cause.remove("patch_file");
    }
    finding
}

/// No setting of the machine reaches git.
fn without_settings(command: &mut Command) {
    for variable in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "HOWCOME_REVISION",
        "COLUMNS",
        "NO_COLOR",
        "CLICOLOR_FORCE",
    ] {
        command.env_remove(variable);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
}

/// Durations are never the same twice.
fn without_times(text: &str) -> String {
    let mut plain = String::new();
    for line in text.split_inclusive('\n') {
        let mut words: Vec<&str> = line.split(' ').collect();
        let mut i = 1;
        while i < words.len() {
            let unit = words[i].trim_end_matches([')', ',', '.', '\n', ';', ':']);
            let number = words[i - 1].trim_start_matches('(');
            if ["ms", "s", "min"].contains(&unit) && number.parse::<f64>().is_ok() {
                words[i - 1] = if words[i - 1].starts_with('(') { "([some" } else { "[some" };
                words[i] = match &words[i][unit.len()..] {
                    "" => "time]",
                    ")" => "time])",
                    ")," => "time]),",
                    "," => "time],",
                    ";" => "time];",
                    ":" => "time]:",
                    ".\n" => "time].\n",
                    ")\n" => "time])\n",
                    _ => "time]\n",
                };
            }
            i += 1;
        }
        plain += &words.join(" ");
    }
    // Columns are as wide as the times in them were.
    while plain.contains("  [some time]") {
        plain = plain.replace("  [some time]", " [some time]");
    }
    plain
}
