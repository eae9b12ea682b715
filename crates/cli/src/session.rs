//! One session of a run: its folder, its journal, its workers, and the user who may want to stop it.

use crate::exit::Exit;
use crate::failure::{Failure, plain};
use crate::options::RunOptions;
use crate::run_folder::{RUNS, RunFolder};
use crate::streams::answer;
use crate::talk::Talk;
use howcome_dd::Configuration;
use howcome_lab::{Local, Options};
use howcome_report::{Summary, count, json, text};
use howcome_run::{
    Because, Budget, Conclusion, Driver, Ending, Entry, How, JOURNAL_VERSION, Journal, Recorded, RunDir,
    RunDirError, RunFile, read_journal,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The hidden command by which howcome starts itself as a warden.
pub(crate) const WARDEN: &str = "warden";

/// Everything that a question needs in order to be asked.
pub(crate) struct Session {
    pub(crate) talk: Talk,
    pub(crate) driver: Driver,
    pub(crate) local: Local,
    pub(crate) recorded: Recorded,
    file: RunFile,
    /// `None` where nothing can be recorded.
    run: Option<RunDir>,
    json: bool,
}

/// How a question was answered.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) ending: Ending,
    pub(crate) conclusion: Option<Conclusion>,
    /// The deltas that the answer consists of.
    pub(crate) answer: Option<Configuration>,
    /// Why, where the ending alone does not say it.
    pub(crate) failure: Option<Failure>,
    pub(crate) why: Option<String>,
}

impl Answered {
    /// There is nothing to explain, or something is wrong with the test.
    pub(crate) fn refused(failure: Failure, why: String) -> Self {
        Self {
            ending: Ending::Refused,
            conclusion: None,
            answer: None,
            failure: Some(failure),
            why: Some(why),
        }
    }
}

impl Session {
    /// Begins a new run. A folder that cannot be written does not keep it from starting.
    pub(crate) fn begin(
        folder: &RunFolder,
        file: RunFile,
        options: &RunOptions,
        talk: Talk,
    ) -> Result<Self, Failure> {
        let mut made = Err(RunDirError::Exists(PathBuf::new()));
        for path in folder.candidates() {
            made = RunDir::create(&path, file.clone());
            if !matches!(made, Err(RunDirError::Exists(_))) {
                break;
            }
        }
        let (run, journal) = match made {
            Ok(run) => {
                let journal = Journal::create(&run.journal(), Box::new(talk.progress()));
                (Some(run), journal)
            }
            Err(RunDirError::Io { path, source }) if is_unwritable(&source) => {
                let why = format!("{} cannot be written ({})", path.display(), plain(&source));
                talk.warn(&cannot_be_resumed(&why));
                (None, Journal::in_memory(&[], Box::new(talk.progress())))
            }
            Err(error) => return Err(error.into()),
        };
        Self::with(run, file, journal, Recorded::default(), options, talk)
    }

    /// Continues a run.
    pub(crate) fn resume(run: RunDir, options: &RunOptions, talk: Talk) -> Result<Self, Failure> {
        let recorded = match read_journal(&run.journal()) {
            Err(howcome_run::JournalError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Recorded::default()
            }
            other => other?,
        };
        if recorded.last_line_damaged {
            talk.warn("the last line of the journal is damaged and was left out; its test will be run again");
        }
        let file = run.file().clone();
        let journal = match recorded.entries.is_empty() && !run.journal().exists() {
            true => Journal::create(&run.journal(), Box::new(talk.progress())),
            false => Journal::resume(&run.journal(), &recorded, Box::new(talk.progress())),
        };
        Self::with(Some(run), file, journal, recorded, options, talk)
    }

    fn with(
        run: Option<RunDir>,
        file: RunFile,
        journal: Journal,
        recorded: Recorded,
        options: &RunOptions,
        talk: Talk,
    ) -> Result<Self, Failure> {
        let local = workers(options.jobs(), run.as_ref().map(RunDir::log))?;
        let budget = Budget { max_tests: options.max_tests, max_time: options.max_time };
        let mut driver = Driver::new(journal, budget, &recorded);
        let entry = Entry::Opened { howcome: VERSION.to_owned(), journal: JOURNAL_VERSION, time: now() };
        driver.journal().add(entry)?;
        driver.journal().flush();
        let mut session = Self { talk, driver, local, recorded, file, run, json: options.json };
        session.say_if_lost();
        Ok(session)
    }

    /// The folder of the run, if there is one.
    pub(crate) fn dir(&self) -> Option<&Path> {
        self.run.as_ref().map(RunDir::path)
    }

    /// Whether this is the first session of its run.
    pub(crate) fn is_new(&self) -> bool {
        self.recorded.entries.is_empty()
    }

    /// A warning that belongs to the record.
    pub(crate) fn warn(&mut self, text: &str) -> Result<(), Failure> {
        self.talk.warn(text);
        Ok(self.driver.journal().add(Entry::Warning { text: text.to_owned() })?)
    }

    /// Ends with what an investigation has come to: an answer, nothing after a dry run, or an error.
    pub(crate) fn conclude(self, investigated: Result<Option<Answered>, Failure>) -> Result<Exit, Failure> {
        match investigated {
            Ok(Some(answered)) => self.end(answered),
            Ok(None) => self.forget().map(|()| Exit::Found),
            // What never began is not worth a folder.
            Err(failure) if failure.code() == Exit::WrongUse && self.is_new() && self.driver.told() == 0 => {
                self.forget().and(Err(failure))
            }
            Err(failure) => Err(failure),
        }
    }

    /// Writes the ending down and gives the answer.
    pub(crate) fn end(mut self, answered: Answered) -> Result<Exit, Failure> {
        let Answered { ending, conclusion, failure, why, .. } = answered;
        let seconds = (self.driver.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        self.driver.journal().add(Entry::Ended { ending, conclusion, why, seconds })?;
        self.driver.journal().flush();
        self.say_if_lost();
        self.talk.finish();
        let entries = self.entries();
        let summary = Summary::of(&self.file, self.dir().unwrap_or(Path::new("")), &entries);
        // A run of `state` is compared with two others, not read by its code; and old revisions end as they like.
        if !matches!(self.file.question.as_str(), "state" | "history") {
            for hint in [unresolved_by_one_code(&summary), other_messages(&summary)].into_iter().flatten() {
                self.talk.note(&hint);
            }
        }
        if self.json {
            answer!(
                "{}\n",
                json(&summary).map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?
            );
        }
        match failure {
            Some(failure) if ending == Ending::Refused => Err(failure),
            Some(failure) => {
                if !self.json {
                    answer!("{}", text(&summary));
                }
                Err(failure)
            }
            None => {
                if !self.json {
                    answer!("{}", text(&summary));
                }
                Ok(ending.into())
            }
        }
    }

    /// What the record says so far.
    pub(crate) fn summary(&mut self) -> Summary {
        self.driver.journal().flush();
        let entries = self.entries();
        Summary::of(&self.file, self.dir().unwrap_or(Path::new("")), &entries)
    }

    /// Ends without an answer and leaves no trace: it was a dry run.
    pub(crate) fn forget(self) -> Result<(), Failure> {
        self.talk.finish();
        match self.dir() {
            Some(dir) => {
                fs::remove_dir_all(dir).map_err(|error| Failure::file(dir, &error))?;
                // The folder of all runs, if this was the only one.
                let _ = dir.parent().filter(|runs| runs.ends_with(RUNS)).map(fs::remove_dir);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// All that is known of this run, written or not.
    pub(crate) fn entries(&mut self) -> Vec<Entry> {
        let written = self.run.as_ref().and_then(|run| read_journal(&run.journal()).ok());
        let mut entries = written.map(|recorded| recorded.entries).unwrap_or_default();
        entries.extend_from_slice(self.driver.journal().unwritten());
        entries
    }

    fn say_if_lost(&mut self) {
        if let Some(error) = self.driver.journal().take_lost() {
            self.talk.warn(&cannot_be_resumed(&format!("the journal cannot be written ({})", plain(&error))));
        }
    }
}

/// Many tests that end in one way that neither side shows are probably meant as a verdict.
fn unresolved_by_one_code(summary: &Summary) -> Option<String> {
    let (reason, tests) = summary.reasons_for_unresolved().into_iter().max_by_key(|(_, tests)| *tests)?;
    // By 125 a test says itself that it cannot judge.
    let may_be_meant = reason.starts_with("exit code") && reason != "exit code 125";
    let many = may_be_meant && tests >= 5 && tests * 2 >= summary.counts.told;
    many.then(|| {
        format!(
            "hint: {tests} of {} ended with {reason}, as neither side of the baseline does, and were left unresolved; if that is \
             a verdict, say so with --fails-when or --passes-when, or with --codes bisect",
            count(summary.counts.told, "test")
        )
    })
}

/// Many tests that end like the failure but say something else may well show the same one.
fn other_messages(summary: &Summary) -> Option<String> {
    let other = summary
        .trail
        .iter()
        .filter(|step| step.how == How::Tested && matches!(step.because, Some(Because::SaidOtherwise(_))));
    let tests = other.count() as u64;
    (tests >= 3 && tests * 3 >= summary.counts.told).then(|| {
        format!(
            "hint: {tests} of {} ended as the failure does, but with another message; if that is the same failure, say so \
             with --any-message",
            count(summary.counts.told, "test")
        )
    })
}

fn cannot_be_resumed(why: &str) -> String {
    format!("{why}: the run goes on, but it cannot be resumed")
}

fn is_unwritable(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

fn workers(jobs: u32, log: Option<PathBuf>) -> Result<Local, Failure> {
    let local = Local::new(Options { workers: jobs as usize, log, ..lab_options()? })?;
    let interrupter = local.interrupter();
    interrupt_by(move || interrupter.interrupt())?;
    Ok(local)
}

/// How anything is run on this machine.
pub(crate) fn lab_options() -> Result<Options, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::wrong_use(format!("howcome cannot find itself: {}", plain(&error))))?;
    // Tests do not run where we stand, so a path that starts here would lead them astray.
    let temp = std::path::absolute(std::env::temp_dir()).unwrap_or_else(|_| PathBuf::from("/tmp"));
    Ok(Options::new(vec![program.into(), WARDEN.into()], temp))
}

/// What is done about the first Ctrl-C, and how many there were.
#[derive(Default)]
struct Interrupts {
    run: Option<Box<dyn Fn() + Send>>,
    /// What is run beside tests.
    errands: Vec<Box<dyn Fn() + Send>>,
    times: u32,
}

static INTERRUPTS: OnceLock<Mutex<Interrupts>> = OnceLock::new();

/// Ctrl-C asks the run to stop; a second one does not wait for it. The wardens clean up in any case.
pub(crate) fn interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Failure> {
    on_interrupt(|interrupts| {
        interrupts.run = Some(Box::new(interrupt));
        interrupts.times = 0;
    })
}

/// Ctrl-C stops this, too, whatever becomes of the run.
pub(crate) fn also_interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Failure> {
    on_interrupt(|interrupts| interrupts.errands.push(Box::new(interrupt)))
}

fn on_interrupt(change: impl FnOnce(&mut Interrupts)) -> Result<(), Failure> {
    let is_new = INTERRUPTS.get().is_none();
    let interrupts = INTERRUPTS.get_or_init(Mutex::default);
    change(&mut interrupts.lock().unwrap_or_else(PoisonError::into_inner));
    if !is_new {
        return Ok(());
    }
    let handler = || {
        let interrupts = INTERRUPTS.get_or_init(Mutex::default);
        let mut interrupts = interrupts.lock().unwrap_or_else(PoisonError::into_inner);
        interrupts.times += 1;
        match interrupts.times {
            1 => interrupts.run.iter().chain(&interrupts.errands).for_each(|interrupt| interrupt()),
            _ => std::process::exit(Exit::Stopped as i32),
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::wrong_use(format!("signals cannot be handled: {error}")))
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
