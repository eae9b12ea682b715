//! Runs howcome as a user would, and shows what the user saw.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses a part of it")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
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

impl Place {
    pub fn new() -> Self {
        let place = Self { dir: TempDir::new().unwrap(), temp: TempDir::new().unwrap() };
        let numbers: String = (1..=40).map(|number| format!("{number}\n")).collect();
        place.write("list.txt", numbers.as_bytes());
        place.script("test.sh", TEST);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
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
            let end = after.find("-items").map_or(after.len(), |at| at + "-items".len());
            rest = &after[end..];
        }
        plain + rest
    }
}

/// Durations are never the same twice.
fn without_times(text: &str) -> String {
    let mut plain = String::new();
    for line in text.split_inclusive('\n') {
        let mut words: Vec<&str> = line.split(' ').collect();
        let mut i = 1;
        while i < words.len() {
            let unit = words[i].trim_end_matches([')', ',', '.', '\n', ';']);
            let number = words[i - 1].trim_start_matches('(');
            if ["ms", "s", "min"].contains(&unit) && number.parse::<f64>().is_ok() {
                words[i - 1] = if words[i - 1].starts_with('(') { "([some" } else { "[some" };
                words[i] = match &words[i][unit.len()..] {
                    "" => "time]",
                    ")" => "time])",
                    ")," => "time]),",
                    "," => "time],",
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
