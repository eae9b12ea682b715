//! What these tests share: shell scripts as tests, and named pipes that show which processes still live.

use howcome_dd::{Configuration, DeltaId, Outcome};
use howcome_lab::{
    Command, Confinement, Execution, Lab, Local, LocalOptions, LookError, Oracle, Prepare, Repeat,
    TestEnding, Verdict, WorkFolder,
};
use howcome_run::{Because, Content, Observation, Subject, TestId, TestOrder};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::Mode;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const BOTH: [Confinement; 2] = [Confinement::Namespace, Confinement::Subreaper];

/// A process that does not want to end: it holds a pipe, says that it is ready, and ignores every signal that can be
/// ignored.
pub(crate) const STAYS: &str =
    r#"trap "" TERM HUP INT QUIT; exec 9>"$BENCH/held"; echo >"$BENCH/ready"; sleep 1000; sleep 1000"#;

/// A subject without deltas. A function makes the test's command from a workspace.
pub(crate) struct Test<F>(pub(crate) F);

impl<F> Subject for Test<F> {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, delta: DeltaId) -> String {
        format!("{delta:?}")
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl<F: Fn(&Path) -> Result<Command, Because> + Send + Sync> Prepare for Test<F> {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        (self.0)(folder.path())
    }
}

/// A subject whose deltas are shell scripts. The last delta of a configuration is run in a folder that `kept` says how to prepare.
pub(crate) struct Scripts<K> {
    pub(crate) scripts: Vec<&'static str>,
    pub(crate) bench: PathBuf,
    pub(crate) kept: K,
}

impl<K> Scripts<K> {
    pub(crate) fn script(&self, configuration: &Configuration) -> &'static str {
        self.scripts[configuration.last().unwrap().index()]
    }

    /// `$BENCH` is the folder of the bench.
    pub(crate) fn sh(&self, folder: &Path, script: &str) -> Command {
        Command::new("sh", folder).arguments(["-c", script]).variable("BENCH", &self.bench)
    }
}

impl<K> Subject for Scripts<K> {
    fn deltas(&self) -> u32 {
        self.scripts.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        self.scripts[delta.index()].to_owned()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

/// Exit code 0 passes, 1 fails, anything else is unresolved.
pub(crate) struct ByCode;

impl Oracle for ByCode {
    fn judge(&self, seen: &Execution) -> Verdict {
        let outcome = match seen.ending {
            TestEnding::Exit(0) => Outcome::Pass,
            TestEnding::Exit(1) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        Verdict::new(outcome, seen)
    }
}

/// An executor with its own temporary folder.
pub(crate) struct Bench {
    pub(crate) local: Local,
    pub(crate) temp: TempDir,
}

impl Bench {
    /// `None`, with a message, if the machine does not allow namespaces.
    pub(crate) fn new(confinement: Confinement) -> Option<Self> {
        Self::with(|options| options.confinement = Some(confinement))
    }

    /// With the best confinement that the machine allows.
    pub(crate) fn any() -> Self {
        Self::with(|_| {}).unwrap()
    }

    pub(crate) fn with(change: impl FnOnce(&mut LocalOptions)) -> Option<Self> {
        let temp = tempfile::tempdir().unwrap();
        let mut options = LocalOptions::new(warden(), temp.path());
        change(&mut options);
        let wanted = options.confinement;
        match Local::new(options) {
            Ok(local) => Some(Self { local, temp }),
            Err(error) if wanted == Some(Confinement::Namespace) => {
                eprintln!("not tested: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Runs a shell script. `$BENCH` is the folder of the bench.
    pub(crate) fn sh(&mut self, script: &str) -> Execution {
        self.try_sh(script).unwrap()
    }

    pub(crate) fn try_sh(&mut self, script: &str) -> Result<Execution, LookError> {
        let subject = self.script(script);
        self.local.look(&subject, &Configuration::empty())
    }

    pub(crate) fn script(&self, script: &str) -> Arc<dyn Prepare> {
        let (script, bench) = (script.to_owned(), self.temp.path().to_owned());
        Arc::new(Test(move |workspace: &Path| {
            Ok(Command::new("sh", workspace).arguments(["-c", &script]).variable("BENCH", &bench))
        }))
    }

    pub(crate) fn set_script(&mut self, script: &str, repeat: Repeat) {
        let subject = self.script(script);
        self.local.set_experiment(subject, Arc::new(ByCode), repeat);
    }

    /// Sets up scripts in folders that are kept.
    pub(crate) fn set_scripts<K>(&mut self, scripts: &[&'static str], kept: K) -> Arc<dyn Prepare>
    where
        Scripts<K>: Prepare + 'static,
    {
        let bench = self.temp.path().to_owned();
        let subject: Arc<dyn Prepare> = Arc::new(Scripts { scripts: scripts.to_vec(), bench, kept });
        self.local.set_experiment(Arc::clone(&subject), Arc::new(ByCode), Repeat::default());
        subject
    }

    pub(crate) fn pipe(&self, name: &str) -> Pipe {
        Pipe::new(self.temp.path().join(name))
    }
}

pub(crate) fn warden() -> Vec<OsString> {
    vec![env!("CARGO_BIN_EXE_howcome-warden").into()]
}

pub(crate) fn order(id: u64) -> TestOrder {
    TestOrder {
        id: TestId(id),
        configuration: Configuration::empty(),
        alone: false,
        from_scratch: false,
        repeat: None,
        ahead: false,
        experiment: None,
    }
}

pub(crate) fn finished(event: howcome_run::Event) -> (u64, Observation) {
    match event {
        howcome_run::Event::Finished(TestId(id), observation) => (id, *observation),
        other => panic!("{other:?}"),
    }
}

/// A named pipe. We hold the reading end, which reaches its end when no process holds the other end.
pub(crate) struct Pipe {
    file: File,
}

impl Pipe {
    pub(crate) fn new(path: PathBuf) -> Self {
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).unwrap();
        let file = File::options().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path).unwrap();
        Self { file }
    }

    /// Waits until something is written, and returns it.
    pub(crate) fn next(&mut self) -> String {
        let mut watched = [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)];
        // Not a measurement: the limit only ends a test that would wait forever.
        let limit = PollTimeout::try_from(Duration::from_secs(60)).unwrap();
        assert_eq!(poll(&mut watched, limit), Ok(1), "nothing was written");
        let mut text = [0; 100];
        let length = self.file.read(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    /// Whether a process holds the other end now.
    pub(crate) fn is_held(&mut self) -> bool {
        let mut text = Vec::new();
        self.file.read_to_end(&mut text).is_err()
    }

    /// Waits until no process holds the other end.
    pub(crate) fn wait_for_end(&mut self) {
        while !self.next().is_empty() {}
    }
}
