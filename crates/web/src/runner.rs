//! Runs the commands of one job: prepare its files, ask or continue the question.

use crate::job::commands::{self, BAD, BUNDLE, GOOD, JobLimits, UploadedParts};
use crate::job::folder::{FILES, JobFolder, TEMPORARY};
use crate::job::submission::Submission;
use crate::record::{has_run, summary_of};
use crate::settings::{JobProgram, ServeLimits};
use crate::store::{JobEnd, JobRow, JobStatus};
use crate::supervised::{EndOfProcess, Stopping, UseLimits, run_supervised};
use howcome_run::words::{cut, printable, printable_lines};
use howcome_sandbox::{Cell, CellLimits, CellView};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What of a job's messages is shown if it gave no answer.
const LONGEST_PROBLEM: usize = 4_000;
/// What of a command is shown that failed.
const LONGEST_COMMAND: usize = 300;
/// Where the folder of a job is, behind the walls.
const INSIDE: &str = "/job";
/// If the service runs as root, jobs run as this user, and one more for each slot.
const FIRST_USER: u32 = 64_100;
/// Howcome ends by itself at the limit of time. This is how much later it is killed.
const LATER: Duration = Duration::from_secs(60);

/// Everything that running a job needs.
pub(crate) struct JobRunner {
    pub(crate) program: JobProgram,
    pub(crate) limits: ServeLimits,
    pub(crate) folder: JobFolder,
    /// The folder of the job whose chain is asked about.
    pub(crate) parent: Option<JobFolder>,
    pub(crate) job: JobRow,
    /// Counted from 0.
    pub(crate) slot: usize,
    /// The folder with the names of users that programs see.
    pub(crate) settings: PathBuf,
}

/// How a job left this node.
pub(crate) enum LeftNode {
    Over(JobEnd),
    /// The service ends, or another node has the job.
    Continues,
}

impl JobRunner {
    /// Runs the job to its end, or until it is stopped. It blocks.
    pub(crate) fn run(&self, stopping: &Stopping) -> LeftNode {
        let mut cpu = 0;
        let ended = self.folder.lock().and_then(|lock| match self.job.step {
            Some(step) => self.ask_before(step, &lock, stopping, &mut cpu),
            None => self.ask(&lock, stopping, &mut cpu),
        });
        if stopping.continues_elsewhere() {
            return LeftNode::Continues;
        }
        let (ending, problem) = match ended {
            _ if stopping.is_cancelled() => (None, None),
            Err(error) => (Some("failed".to_owned()), Some(format!("the job could not be run: {error}"))),
            Ok(EndOfProcess { problem: Some(why), .. }) => (Some("failed".to_owned()), Some(why)),
            Ok(EndOfProcess { code, .. }) => self.ending(code),
        };
        let status = if stopping.is_cancelled() { JobStatus::Cancelled } else { JobStatus::Ended };
        LeftNode::Over(JobEnd { status, ending, problem, bytes: self.folder.bytes(), cpu })
    }

    /// What an exit code and the journal say.
    fn ending(&self, code: i32) -> (Option<String>, Option<String>) {
        let is_answer = matches!(code, 0 | 1 | 3 | 4 | 5);
        let recorded = match self.job.step {
            Some(_) => (code == 0).then(|| "found".to_owned()),
            None => summary_of(&self.folder)
                .and_then(|summary| summary.ending)
                .filter(|_| is_answer)
                .and_then(|ending| serde_json::to_value(ending).ok()?.as_str().map(str::to_owned)),
        };
        match recorded {
            Some(ending) => {
                // The journal says that there is nothing to explain, and the messages say why.
                let problem = (ending == "refused").then(|| self.last_messages());
                (Some(ending), problem)
            }
            None if code == 1 => (Some("refused".to_owned()), Some(self.last_messages())),
            None => (Some("failed".to_owned()), Some(self.last_messages())),
        }
    }

    fn ask(&self, lock: &File, stopping: &Stopping, cpu: &mut i64) -> io::Result<EndOfProcess> {
        let submission: Submission = serde_json::from_str(&self.job.request)?;
        let parts = self.parts(&submission);
        if !self.folder.is_prepared() {
            self.folder.make_files()?;
            fs::write(self.folder.messages(), "")?;
            self.give_to_user(&self.folder.work())?;
            for command in commands::preparation(&submission, parts) {
                let words: Vec<OsString> = command.words.iter().map(Into::into).collect();
                let ended = self.execute(&words, lock, stopping, None)?;
                *cpu += ended.cpu;
                if ended.code != 0 || ended.problem.is_some() || stopping.is_wanted() {
                    let problem = self.failed_preparation(&command.shown, &ended);
                    return Ok(EndOfProcess { problem: Some(problem), ..ended });
                }
            }
            self.folder.mark_prepared()?;
        } else {
            self.folder.make_temporary()?;
            self.give_to_user(&self.folder.work())?;
        }
        let limits = JobLimits { workers: self.limits.workers, seconds: self.limits.seconds };
        let words = match has_run(&self.folder) {
            true => commands::resume(&limits),
            false => commands::question(&submission, self.job.question, parts, &limits),
        };
        let ended = self.execute(&howcome(words), lock, stopping, None)?;
        *cpu += ended.cpu;
        Ok(ended)
    }

    fn failed_preparation(&self, command: &str, ended: &EndOfProcess) -> String {
        let command = cut(&printable(command), LONGEST_COMMAND);
        let how = match &ended.problem {
            Some(why) => format!("was stopped: {why}"),
            None => format!("failed with exit code {}", ended.code),
        };
        format!("the command `{command}` {how}\n\n{}", self.last_messages()).trim_end().to_owned()
    }

    fn parts(&self, submission: &Submission) -> UploadedParts {
        let upload = self.folder.upload();
        let program = commands::test_program(submission);
        let is_in = |folder: PathBuf| program.as_ref().is_some_and(|program| folder.join(program).is_file());
        UploadedParts {
            versions: upload.join(GOOD).is_dir() && upload.join(BAD).is_dir(),
            bundle: upload.join(BUNDLE).is_file(),
            test_in_versions: is_in(upload.join(BAD)) && !is_in(upload),
        }
    }

    fn ask_before(
        &self,
        step: i64,
        lock: &File,
        stopping: &Stopping,
        cpu: &mut i64,
    ) -> io::Result<EndOfProcess> {
        let answer = File::create(self.folder.answer())?;
        if let Some(parent) = &self.parent {
            // Another slot, and so another user, may have answered the question.
            self.give_to_user(&parent.work())?;
        }
        let ended = self.execute(&howcome(commands::before(step)), lock, stopping, Some(answer))?;
        *cpu += ended.cpu;
        Ok(ended)
    }

    /// Runs a command in the files of the job.
    fn execute(
        &self,
        words: &[OsString],
        lock: &File,
        stopping: &Stopping,
        answer: Option<File>,
    ) -> io::Result<EndOfProcess> {
        let subject = self.parent.as_ref().unwrap_or(&self.folder);
        let work = std::path::absolute(subject.work())?;
        let inside = match &self.program.sandbox {
            Some(walls) if walls.has_namespaces() => PathBuf::from(INSIDE),
            _ => work.clone(),
        };
        let command: Vec<OsString> = match &self.program.sandbox {
            None => {
                let howcome = self.program.howcome.as_os_str();
                words
                    .iter()
                    .map(|word| if word == Cell::ITSELF { howcome } else { word }.to_owned())
                    .collect()
            }
            Some(walls) => {
                let mut cell = Cell::new(CellView::System, inside.join(FILES))
                    .writable(&work, &inside)
                    // On the disk, so that it is counted.
                    .writable(work.join(TEMPORARY), "/tmp")
                    .writable(work.join(TEMPORARY), "/dev/shm")
                    .measured()
                    .user(self.user())
                    .limits(CellLimits {
                        cpu: Some(self.limits.seconds),
                        memory: Some(self.limits.memory),
                        processes: Some(self.limits.processes),
                        file: Some(self.limits.job_disk),
                    });
                for name in ["passwd", "group"] {
                    cell = cell.readable(self.settings.join(name), Path::new("/etc").join(name));
                }
                for path in &self.program.readable {
                    cell = cell.readable(path, path);
                }
                cell.command(walls, &self.program.howcome, words)
            }
        };
        let path = match &self.program.readable {
            more if more.is_empty() => "/usr/local/bin:/usr/bin:/bin".into(),
            more => {
                let folders = more.iter().map(|path| path.join("bin"));
                let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
                std::env::join_paths(folders.chain(usual)).map_err(io::Error::other)?
            }
        };
        let mut environment = vec![
            ("PATH", path),
            ("HOME", inside.join(FILES).into_os_string()),
            ("TMPDIR", inside.join(TEMPORARY).into_os_string()),
            ("LANG", "C.UTF-8".into()),
            ("USER", "howcome".into()),
            ("NO_COLOR", "1".into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ];
        // `state` stops processes, which must be on this machine.
        let is_state = words.get(1).is_some_and(|word| word == "state");
        let cluster = self.program.remote.as_ref().filter(|_| !is_state);
        if let Some(cluster) = cluster {
            environment.push(("HOWCOME_REMOTE", cluster.into()));
            let more = self.program.remote_environment.iter();
            environment.extend(more.map(|(name, value)| (name.as_str(), value.clone())));
        }
        let messages = || OpenOptions::new().create(true).append(true).open(self.folder.messages());
        let stdout: Box<dyn Write + Send> = match answer {
            Some(answer) => Box::new(answer),
            None => Box::new(messages()?),
        };
        // Howcome ends by itself at the limit.
        let is_howcome = words.first().is_some_and(|word| word == Cell::ITSELF);
        let later = if is_howcome { LATER } else { Duration::ZERO };
        let limits = UseLimits {
            memory: self.limits.memory,
            disk: self.limits.job_disk,
            disk_used: &|| subject.bytes_if_known(),
            time: Duration::from_secs(self.limits.seconds) + later,
        };
        let folder =
            if self.program.sandbox.is_some() { Path::new("/").to_owned() } else { work.join(FILES) };
        run_supervised(
            &command,
            &folder,
            &environment,
            lock,
            [stdout, Box::new(messages()?)],
            stopping,
            &limits,
        )
    }

    fn user(&self) -> u32 {
        FIRST_USER + u32::try_from(self.slot).unwrap_or(0)
    }

    /// The files of a job belong to the user that it runs as, if the service runs as root.
    fn give_to_user(&self, work: &Path) -> io::Result<()> {
        if !nix::unistd::geteuid().is_root() || self.program.sandbox.is_none() {
            return Ok(());
        }
        let mut open = vec![work.to_owned()];
        while let Some(folder) = open.pop() {
            chown(&folder, Some(self.user()), Some(self.user()))?;
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                match entry.file_type()? {
                    kind if kind.is_dir() => open.push(entry.path()),
                    _ => std::os::unix::fs::lchown(entry.path(), Some(self.user()), Some(self.user()))?,
                }
            }
        }
        Ok(())
    }

    fn last_messages(&self) -> String {
        let messages = fs::read(self.folder.messages()).unwrap_or_default();
        let text = String::from_utf8_lossy(&messages);
        let text = printable_lines(text.trim()).join("\n");
        let mut start = text.len().saturating_sub(LONGEST_PROBLEM);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text[start..].to_owned()
    }
}

fn howcome(words: Vec<String>) -> Vec<OsString> {
    [Cell::ITSELF.into()].into_iter().chain(words.into_iter().map(Into::into)).collect()
}
