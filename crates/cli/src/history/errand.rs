//! Commands of the user that are no tests: run one at a time, and gone when howcome is.

use crate::failure::{Failure, plain};
use crate::session::{also_interrupt_by, lab_options};
use crate::test_command::{in_path, split_words};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::{Command, Keep, Limits, Local, NotSeen, Options, Prepare, Seen, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// As much of its output is kept. A list of revisions is shorter.
const KEPT: usize = 64 << 20;

/// Who runs them.
pub(crate) struct Errands {
    local: Mutex<Local>,
    is_stopped: Arc<AtomicBool>,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Where; `None` for an empty folder.
    pub(crate) directory: Option<PathBuf>,
}

impl Errands {
    /// Starts the process that watches over them, each of which may take so long. Ctrl-C stops what runs, and keeps others from
    /// being started.
    pub(crate) fn new(timeout: Duration) -> Result<Self, Failure> {
        let keep = Keep { head: KEPT, ..Keep::default() };
        let limits = Limits { timeout, keep, ..Limits::default() };
        let local = Local::new(Options { limits, ..lab_options()? })?;
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (interrupter, stop) = (local.interrupter(), Arc::clone(&is_stopped));
        also_interrupt_by(move || {
            stop.store(true, Ordering::SeqCst);
            interrupter.interrupt();
        })?;
        Ok(Self { local: Mutex::new(local), is_stopped })
    }

    /// Whether there was a Ctrl-C.
    pub(crate) fn are_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Runs a command. What it leaves in its folder stays there until somebody removes it.
    pub(crate) fn run(&self, errand: Errand) -> Result<Seen, NotSeen> {
        let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        if self.are_stopped() {
            return Err(NotSeen::Interrupted);
        }
        let subject: Arc<dyn Prepare> = Arc::new(errand);
        local.look(&subject, &Configuration::empty())
    }
}

impl Subject for Errand {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, _: DeltaId) -> String {
        String::new()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for Errand {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let directory = self.directory.as_deref().unwrap_or(folder.path());
        let command = Command::new(&self.program, directory).arguments(&self.arguments);
        let environment = self.environment.iter().cloned();
        Ok(environment.fold(command, |command, (name, value)| command.variable(name, value)))
    }
}

/// The words of a command behind a flag. The path of the program is taken from where the user stands, and is absolute then.
pub(crate) fn words(command: &str, flag: &str, stands: &Path) -> Result<Vec<String>, Failure> {
    let mut words = split_words(command, flag)?;
    if let Some(program) = words.first_mut() {
        *program = found(program, flag, stands)?;
    }
    Ok(words)
}

fn found(program: &str, flag: &str, stands: &Path) -> Result<String, Failure> {
    if !program.contains('/') {
        return match in_path(OsStr::new(program)) {
            Some(_) => Ok(program.to_owned()),
            None if stands.join(program).is_file() => {
                Err(Failure::wrong_use(format!("{flag}: `{program}` is not a program in PATH"))
                    .hint(format!("there is a file of that name here: write ./{program}")))
            }
            None => Err(Failure::wrong_use(format!("{flag}: `{program}` is not a program in PATH"))
                .hint("give its path, or install it")),
        };
    }
    let path = stands.join(program.trim_start_matches("./"));
    let cannot = |why: &str| Failure::wrong_use(format!("{flag}: {program} {why}"));
    let metadata =
        fs::metadata(&path).map_err(|error| cannot(&format!("cannot be started: {}", plain(&error))))?;
    if !metadata.is_file() {
        return Err(cannot("is not a program"));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(
            cannot("is not executable").hint(format!("chmod +x {}", howcome_report::shell_word(program)))
        );
    }
    path.into_os_string().into_string().map_err(|_| cannot("is in a folder whose name is no UTF-8"))
}
