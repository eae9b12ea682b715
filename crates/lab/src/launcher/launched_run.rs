//! The files of one launched test, and what they say.

use super::Launcher;
use super::script::{NO_FOLDER, NO_PROGRAM, TOO_LATE, script};
use crate::captured::Capture;
use crate::limits::Limits;
use crate::workspace::temporary_files;
use crate::{CaptureLimits, Captured, Command, TestEnding};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the folder beside the workspace that has the files of launched tests.
const FOLDER: &str = "launch";

/// A test that a launcher is to run. Each has files of its own, so that nothing is read that belongs to an earlier one.
#[derive(Debug)]
pub(crate) struct LaunchedRun {
    /// The beginning of the names of its files.
    record: PathBuf,
}

/// What a worker needs to know about a launched test while it runs.
#[derive(Clone, Debug)]
pub(crate) struct LaunchControl {
    /// Exists as soon as the test has begun on the other machine. Until then it waits for its turn there.
    pub(crate) begun: PathBuf,
    /// When this file is gone, the script ends the test.
    pub(crate) keep: PathBuf,
}

/// What the script says about the test.
#[derive(Debug, PartialEq)]
pub(crate) enum LaunchedEnd {
    /// The test has ended. The time is `None` if the other machine has no clock that the script can read.
    Ended { ending: TestEnding, took: Option<Duration>, stdout: Captured, stderr: Captured },
    /// The program of the test is not there.
    NoProgram,
    /// The folder of the test is not there.
    NoFolder,
    /// The script has not come to its end, or was never started.
    Nothing { has_begun: bool },
}

impl LaunchedRun {
    /// Writes the script of a test into the folder of a worker.
    pub(crate) fn write(worker: &Path, number: u64, command: &Command, limits: &Limits) -> io::Result<Self> {
        let folder = worker.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let run = Self { record: folder.join(number.to_string()) };
        fs::write(run.file("keep"), "")?;
        fs::write(run.file("sh"), script(command, limits, &run.record, &temporary_files(worker)))?;
        Ok(run)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.record.with_extension(ending)
    }

    /// The command that launches it. It runs in the folder of the worker, since the launcher is not the test.
    pub(crate) fn command(&self, launcher: &Launcher, worker: &Path) -> Command {
        Command::new(&launcher.program, worker)
            .arguments(launcher.arguments.iter().cloned())
            .argument("sh")
            .argument(self.file("sh"))
    }

    pub(crate) fn control(&self) -> LaunchControl {
        LaunchControl { begun: self.file("begun"), keep: self.file("keep") }
    }

    /// What the script says, when the launcher has ended.
    pub(crate) fn end(&self, keep: CaptureLimits) -> LaunchedEnd {
        let Ok(said) = fs::read_to_string(self.file("ended")) else {
            return LaunchedEnd::Nothing { has_begun: self.file("begun").exists() };
        };
        let mut words = said.trim_end_matches('\n').split(' ');
        let ending = match words.next() {
            Some(NO_FOLDER) => return LaunchedEnd::NoFolder,
            Some(NO_PROGRAM) => return LaunchedEnd::NoProgram,
            Some(TOO_LATE) => TestEnding::TimedOut,
            // A shell says 128+n if the test was ended by signal n.
            Some(code) => match code.parse() {
                Ok(code) => TestEnding::Exit(code).plain(),
                Err(_) => return LaunchedEnd::Nothing { has_begun: true },
            },
            None => return LaunchedEnd::Nothing { has_begun: true },
        };
        let mut time = || words.next()?.parse::<f64>().ok();
        let took =
            time().zip(time()).and_then(|(began, ended)| Duration::try_from_secs_f64(ended - began).ok());
        let [stdout, stderr] = ["out", "err"].map(|stream| captured(&self.file(stream), keep));
        match (stdout, stderr) {
            (Ok(stdout), Ok(stderr)) => LaunchedEnd::Ended { ending, took, stdout, stderr },
            _ => LaunchedEnd::Nothing { has_begun: true },
        }
    }

    /// Removes its files. Without them, the script ends the test if it still runs.
    pub(crate) fn remove(&self) {
        let _ = fs::remove_file(self.file("keep"));
        for ending in ["sh", "pid", "out", "err", "part", "late", "ended"] {
            let _ = fs::remove_file(self.file(ending));
        }
        let _ = fs::remove_dir(self.file("begun"));
    }
}

/// As much of a file as is kept of a stream.
fn captured(path: &Path, keep: CaptureLimits) -> io::Result<Captured> {
    let mut file = fs::File::open(path)?;
    let (mut capture, mut buffer) = (Capture::new(keep), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(capture.finish()),
            length => capture.append(&buffer[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(said: Option<&str>) -> (tempfile::TempDir, LaunchedRun) {
        let folder = tempfile::tempdir().unwrap();
        let command = Command::new("true", folder.path());
        let run = LaunchedRun::write(folder.path(), 4, &command, &Limits::default()).unwrap();
        for stream in ["out", "err"] {
            fs::write(run.file(stream), stream).unwrap();
        }
        if let Some(said) = said {
            fs::write(run.file("ended"), said).unwrap();
        }
        (folder, run)
    }

    fn end(said: Option<&str>) -> LaunchedEnd {
        let (_folder, run) = run(said);
        run.end(CaptureLimits::default())
    }

    #[test]
    fn what_a_script_says_is_read_back() {
        let ended = |ending, took: Option<f64>| LaunchedEnd::Ended {
            ending,
            took: took.map(Duration::from_secs_f64),
            stdout: Captured::whole("out"),
            stderr: Captured::whole("err"),
        };
        assert_eq!(end(Some("3 10.25 12.75\n")), ended(TestEnding::Exit(3), Some(2.5)));
        assert_eq!(end(Some("139 10 11\n")), ended(TestEnding::Signal(11), Some(1.0)));
        assert_eq!(end(Some("late  \n")), ended(TestEnding::TimedOut, None), "there was no clock");
        assert_eq!(end(Some("no-program 1 1\n")), LaunchedEnd::NoProgram);
        assert_eq!(end(Some("no-folder 1 1\n")), LaunchedEnd::NoFolder);
    }

    #[test]
    fn without_a_readable_end_there_is_no_verdict() {
        assert_eq!(end(None), LaunchedEnd::Nothing { has_begun: false });
        assert_eq!(end(Some("")), LaunchedEnd::Nothing { has_begun: true });
        assert_eq!(end(Some("0x 1 2")), LaunchedEnd::Nothing { has_begun: true });
    }

    #[test]
    fn a_run_leaves_no_files() {
        let (folder, run) = run(Some("0 1 2"));
        fs::create_dir(run.file("begun")).unwrap();
        run.remove();
        assert_eq!(fs::read_dir(folder.path().join(FOLDER)).unwrap().count(), 0);
    }
}
