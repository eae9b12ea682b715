//! Commands of the user that are not tests: one lists revisions, another one checks them out.

use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{find_in_path, split_words};
use howcome_lab::{
    CaptureLimits, Command, Execution, Lab, Limits, Local, LocalOptions, LookError, Prepare, WorkFolder,
};
use howcome_run::words::shell_word;
use howcome_run::{Because, Content, Problem, Subject, plain_error};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How much of its output is kept. A list of revisions is shorter.
const KEPT_BYTES: usize = 64 << 20;

/// What a program provides so that helper commands can run.
pub struct HelperSetup<'a> {
    /// How processes are started on this machine.
    pub options: LocalOptions,
    /// Arranges that something is called when the user wants to stop.
    pub on_interrupt: &'a dyn Fn(InterruptHook) -> Result<(), Problem>,
}

/// Is called when the user wants to stop.
pub type InterruptHook = Box<dyn Fn() + Send>;

/// A command to run.
#[derive(Clone, Debug)]
pub(super) struct HelperCommand {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    /// The folder in which it runs; `None` for a new, empty one.
    pub(super) directory: Option<PathBuf>,
}

/// Runs helper commands, one at a time. Whatever they start ends with howcome.
pub(super) struct HelperRunner {
    local: Mutex<Local>,
    is_interrupted: Arc<AtomicBool>,
}

impl HelperRunner {
    /// Starts the process that watches over the commands. Once the user wants to stop, the command that runs is stopped and no other
    /// one is started.
    pub(super) fn new(setup: &HelperSetup<'_>, timeout: Duration) -> Result<Self, Problem> {
        let keep = CaptureLimits { head: KEPT_BYTES, ..CaptureLimits::default() };
        let limits = Limits { timeout, keep, ..Limits::default() };
        let local = Local::new(LocalOptions { limits, ..setup.options.clone() })?;
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let (interrupter, flag) = (local.interrupter(), Arc::clone(&is_interrupted));
        (setup.on_interrupt)(Box::new(move || {
            flag.store(true, Ordering::SeqCst);
            interrupter.interrupt();
        }))?;
        Ok(Self { local: Mutex::new(local), is_interrupted })
    }

    /// Whether the user wants to stop.
    pub(super) fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::SeqCst)
    }

    /// Runs a command. The files that it leaves in a new folder stay there until the caller removes them.
    pub(super) fn run(&self, command: HelperCommand) -> Result<Execution, LookError> {
        let mut local = self.local.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_interrupted() {
            return Err(LookError::Interrupted);
        }
        let subject: Arc<dyn Prepare> = Arc::new(command);
        local.look(&subject, &Configuration::empty())
    }
}

impl Subject for HelperCommand {
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

impl Prepare for HelperCommand {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let directory = self.directory.as_deref().unwrap_or(folder.path());
        let command = Command::new(&self.program, directory).arguments(&self.arguments);
        let environment = self.environment.iter().cloned();
        Ok(environment.fold(command, |command, (name, value)| command.variable(name, value)))
    }
}

/// Splits the command that was given with a flag into words. The path of its program is taken from the user's folder, and is absolute
/// in the result.
pub(super) fn parse_command(command: &str, flag: &str, directory: &Path) -> Result<Vec<String>, Problem> {
    let mut words = split_words(command, flag)?;
    if let Some(program) = words.first_mut() {
        *program = find_program(program, flag, directory)?;
    }
    Ok(words)
}

fn find_program(program: &str, flag: &str, directory: &Path) -> Result<String, Problem> {
    if !program.contains('/') {
        return match find_in_path(OsStr::new(program)) {
            Some(_) => Ok(program.to_owned()),
            None if directory.join(program).is_file() => {
                Err(Problem::new(format!("{flag}: `{program}` is not a program in PATH"))
                    .hint(format!("there is a file of that name here: write ./{program}")))
            }
            None => Err(Problem::new(format!("{flag}: `{program}` is not a program in PATH"))
                .hint("give its path, or install it")),
        };
    }
    let path = directory.join(program.trim_start_matches("./"));
    let cannot = |why: &str| Problem::new(format!("{flag}: {program} {why}"));
    let metadata = fs::metadata(&path)
        .map_err(|error| cannot(&format!("cannot be started: {}", plain_error(&error))))?;
    if !metadata.is_file() {
        return Err(cannot("is not a program"));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(cannot("is not executable").hint(format!("chmod +x {}", shell_word(program))));
    }
    path.into_os_string().into_string().map_err(|_| cannot("is in a folder whose name is not UTF-8"))
}
