//! `howcome --server URL QUESTION …`: a service answers the question, and this program submits, follows and fetches.

use super::delivered::DeliveredReport;
use super::named_files::{NamedFiles, join};
use crate::exit::Exit;
use crate::interrupts::interrupt_by;
use crate::lab_setup::current_folder;
use crate::streams::{answer, talk, write_bytes};
use clap::ArgMatches;
use clap::parser::ValueSource;
use howcome_lab::inquiry::TestCommand;
use howcome_run::words::count;
use howcome_run::{FileReplacement, Problem, QuestionName, plain_error};
use howcome_web::{JobInfo, SentFiles, ServeClient, Submission};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(300);
/// How long a service that does not answer is asked again.
const PATIENCE: Duration = Duration::from_secs(60);
/// After how many tests their number is told; then, whenever it has doubled.
const FIRST_SAID: u64 = 5;
/// What a service can be told. Any other flag is refused, not ignored.
const KNOWN: &[&str] = &[
    "list",
    "isolate",
    "order",
    "fails_when",
    "passes_when",
    "codes",
    "any_message",
    "timeout",
    "flaky",
    "max_tests",
    "json",
    "quiet",
    "verbose",
    "output",
    "test",
    "files",
    "pass",
    "stdin",
    "fail",
    "at",
    "transitions",
    "good",
    "bad",
    "repo",
    "build",
    "only",
    "fix",
    "back_to",
    "color",
    "server",
    "send",
    "sandbox",
];

pub(crate) fn ask_service(
    server: &str,
    send: &[PathBuf],
    name: QuestionName,
    matches: &ArgMatches,
) -> Result<Exit, Problem> {
    if let Some(unknown) = matches.ids().find(|id| {
        !KNOWN.contains(&id.as_str())
            && matches.value_source(id.as_str()) == Some(ValueSource::CommandLine)
            // Groups of flags have ids, too.
            && matches.try_get_raw(id.as_str()).is_ok_and(|values| values.is_some())
            && id.as_str().chars().all(|c| c.is_lowercase() || c == '_')
            && !matches!(id.as_str(), "places" | "form")
    }) {
        let flag = unknown.as_str().replace('_', "-");
        return Err(
            Problem::new(format!("--{flag} cannot be used with --server")).hint("ask without --server")
        );
    }
    let question = AskedService { name, matches, here: current_folder()? };
    question.check_programs()?;
    let mut files = NamedFiles::new(&question.here);
    let submission = question.submission(&mut files)?;
    submission.check().map_err(Problem::new)?;
    send.iter().try_for_each(|path| files.file(path).map(drop))?;
    let sent = question.sent(files)?;
    if !server.starts_with("http://") && !server.starts_with("https://") {
        return Err(Problem::new(format!("--server: `{server}` is not an address"))
            .hint("write it as in http://127.0.0.1:8410"));
    }
    let token = std::env::var("HOWCOME_TOKEN").ok().filter(|token| !token.is_empty());
    let client = Arc::new(ServeClient::new(server, token));
    let problem = |why: String| unanswered(server, &why);
    let created = client.submit(&submission, &sent).map_err(problem)?;
    talk!("{}", client.page(&created.page));
    let (for_interrupt, id) = (Arc::clone(&client), created.job.clone());
    interrupt_by(move || drop(for_interrupt.cancel(&id)))?;
    let info = follow(&client, &created.job, question.is_set("quiet")).map_err(problem)?;
    question.print(&client, &info).map_err(problem)
}

/// What the service said, or why it cannot be reached.
fn unanswered(server: &str, why: &str) -> Problem {
    let Some(error) = why.strip_prefix("io: ") else {
        return Problem::new(format!("the service at {server}: {why}"));
    };
    let error = plain_error(&std::io::Error::other(error));
    Problem::new(format!("the service at {server} does not answer: {error}"))
        .hint("does `howcome serve` run there? Open the address in a browser to see")
}

fn follow(client: &ServeClient, id: &str, is_quiet: bool) -> Result<JobInfo, String> {
    let (mut said, mut said_tests, mut answered) = (String::new(), 0, Instant::now());
    loop {
        let info = match client.job(id) {
            Ok(info) => info,
            // A service that is restarted continues its jobs.
            Err(_) if answered.elapsed() < PATIENCE => {
                std::thread::sleep(PERIOD);
                continue;
            }
            Err(why) => return Err(why),
        };
        answered = Instant::now();
        if matches!(info.status.as_str(), "ended" | "cancelled") {
            return Ok(info);
        }
        // A line now and then is enough. What is left depends on the search; the page shows it.
        let tests = info.tests.filter(|tests| *tests >= (said_tests * 2).max(FIRST_SAID));
        let progress = match tests {
            Some(tests) => {
                said_tests = tests;
                format!("{} so far", count(tests, "test"))
            }
            None if said_tests > 0 => said.clone(),
            None if info.status == "queued" => "waiting for its turn".to_owned(),
            None => info.status,
        };
        if progress != said && !is_quiet {
            talk!("{progress}");
            said = progress;
        }
        std::thread::sleep(PERIOD);
    }
}

struct AskedService<'a> {
    name: QuestionName,
    matches: &'a ArgMatches,
    here: PathBuf,
}

impl AskedService<'_> {
    fn is_set(&self, id: &str) -> bool {
        self.matches.try_get_one::<bool>(id).ok().flatten().copied().unwrap_or(false)
    }

    fn texts(&self, id: &str) -> Vec<String> {
        let raw = self.matches.try_get_raw(id).ok().flatten();
        raw.into_iter().flatten().map(|text| text.to_string_lossy().into_owned()).collect()
    }

    /// The value of a flag that was given.
    fn text(&self, id: &str) -> String {
        self.texts(id).pop().unwrap_or_default()
    }

    /// The question as the service is asked it, with its names of the files.
    fn submission(&self, files: &mut NamedFiles<'_>) -> Result<Submission, Problem> {
        let test = self.texts("test").iter().map(|word| files.word(word)).collect::<Result<Vec<_>, _>>()?;
        let mut submission = Submission {
            question: Some(self.name),
            test: join(&test)?,
            fails_when: self.texts("fails_when"),
            passes_when: self.texts("passes_when"),
            codes: self.text("codes"),
            any_message: self.is_set("any_message"),
            flaky: self.is_set("flaky"),
            timeout: self.text("timeout"),
            max_tests: self.text("max_tests").parse().ok(),
            isolate: self.is_set("isolate"),
            order: self.is_set("order"),
            stdin: self.is_set("stdin"),
            transitions: self.is_set("transitions"),
            fix: self.is_set("fix"),
            build: files.command(&self.text("build"))?,
            only: self.texts("only"),
            back_to: self.text("back_to"),
            fail: files.command(&self.text("fail"))?,
            at: self.texts("at"),
            ..Submission::default()
        };
        match self.name {
            QuestionName::Items => {
                let path = PathBuf::from(self.text("list"));
                let list =
                    std::fs::read_to_string(&path).map_err(|error| Problem::with_file(&path, &error))?;
                submission.list = list;
            }
            QuestionName::Input => match self.texts("files").as_slice() {
                [file] => {
                    submission.input = files.file(Path::new(file))?;
                    if let Some(passing) = self.texts("pass").pop() {
                        submission.pass_input = files.file(Path::new(&passing))?;
                    }
                }
                _ => return Err(Problem::new("with --server, `input` takes one file")),
            },
            QuestionName::State => submission.pass = files.command(&self.text("pass"))?,
            QuestionName::Changes | QuestionName::History if self.folders().is_none() => {
                submission.good = self.text("good");
                submission.bad = self.text("bad");
            }
            QuestionName::Changes | QuestionName::History => {}
        }
        Ok(submission)
    }

    /// Two versions that are folders.
    fn folders(&self) -> Option<[PathBuf; 2]> {
        let folder = |id: &str| {
            Some(self.here.join(self.text(id))).filter(|path| !self.text(id).is_empty() && path.is_dir())
        };
        Some([folder("good")?, folder("bad")?])
    }

    /// Programs that are named by a path must exist, as without a service.
    fn check_programs(&self) -> Result<(), Problem> {
        let is_missing = |program: &str| program.contains('/') && !self.here.join(program).exists();
        for flag in ["pass", "fail"].into_iter().filter(|_| self.name == QuestionName::State) {
            let program = shlex::split(&self.text(flag)).unwrap_or_default().into_iter().next();
            if let Some(program) = program.filter(|program| is_missing(program)) {
                let problem = Problem::new(format!("{program}: program not found"));
                return Err(problem.hint(format!("check --{flag}")));
            }
        }
        let words: Vec<OsString> = self.texts("test").into_iter().map(OsString::from).collect();
        let Some(program) = words.first().and_then(|word| word.to_str()) else { return Ok(()) };
        let is_in_version = self.folders().is_some_and(|[_, bad]| bad.join(program).exists());
        if is_missing(program) && !is_in_version {
            TestCommand::parse(&words, self.here.clone(), !self.text("build").is_empty())?;
        }
        Ok(())
    }

    fn sent(&self, files: NamedFiles<'_>) -> Result<SentFiles, Problem> {
        let versions = self.folders();
        let is_repository =
            matches!(self.name, QuestionName::Changes | QuestionName::History) && versions.is_none();
        let bundle = is_repository.then(|| self.bundle()).transpose()?;
        Ok(SentFiles { files: files.into_sent(), versions, bundle })
    }

    fn bundle(&self) -> Result<Vec<u8>, Problem> {
        let repository = match self.text("repo") {
            repo if repo.is_empty() => self.here.clone(),
            repo => self.here.join(repo),
        };
        let words: [OsString; 6] = ["bundle", "create", "-q", "-", "HEAD", "--all"].map(OsString::from);
        let made = Command::new("git").args(words).current_dir(&repository).output();
        let made = made.map_err(|error| Problem::new(format!("cannot start git: {error}")))?;
        match made.status.success() {
            true => Ok(made.stdout),
            false => Err(Problem::new(format!(
                "git cannot bundle {}: {}",
                repository.display(),
                String::from_utf8_lossy(&made.stderr).trim()
            ))),
        }
    }

    fn print(&self, client: &ServeClient, info: &JobInfo) -> Result<Exit, String> {
        let ending = info.ending.as_deref().unwrap_or("stopped");
        let report = if self.is_set("json") { "finding.json" } else { "report.txt" };
        let mut delivered = DeliveredReport { id: &info.id, page: client.page(&info.page), written: None };
        let Some(report) = client.file(&info.id, report)?.filter(|_| ending != "failed") else {
            let problem = info.problem.as_deref().unwrap_or("the job has no answer");
            return Err(delivered.text(problem));
        };
        if let Some((path, name)) = self.output()
            && let Some(content) = client.file(&info.id, name)?
        {
            let written = FileReplacement::at_users_path(&path).write_bytes(&content);
            written.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
            talk!("written to {}", path.display());
            delivered.written = Some((name, path.display().to_string()));
        }
        let report = String::from_utf8_lossy(&report);
        let report = if self.is_set("json") { delivered.json(&report) } else { delivered.text(&report) };
        write_bytes(std::io::stdout(), report.as_bytes());
        answer!("");
        Ok(match ending {
            "found" | "never-worked" => Exit::Found,
            "refused" => Exit::NothingToExplain,
            "flaky" => Exit::Flaky,
            "undecided" => Exit::Undecided,
            "stopped" => Exit::Stopped,
            _ => Exit::WrongUse,
        })
    }

    /// Where the answer is written, and what the service calls it.
    fn output(&self) -> Option<(PathBuf, &'static str)> {
        match (self.name, self.text("output")) {
            (QuestionName::Input, output) if output.is_empty() => {
                let input = PathBuf::from(self.text("files"));
                let stem = input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let end =
                    input.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
                Some((input.with_file_name(format!("{stem}.min{end}")), "smaller-input"))
            }
            (QuestionName::Input, output) => Some((PathBuf::from(output), "smaller-input")),
            (QuestionName::Items, output) if !output.is_empty() => Some((PathBuf::from(output), "items.txt")),
            (_, output) if !output.is_empty() => Some((PathBuf::from(output), "culprit.patch")),
            _ => None,
        }
    }
}
