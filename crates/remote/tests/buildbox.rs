//! Candidates on a real server: buildbox-casd. `./test` installs it; `HOWCOME_BUILDBOX` names the folder with its programs.
#![allow(clippy::unwrap_used)]

use howcome_lab::{
    Captured, Command, Limits, SiteCandidate, SiteRun, SiteTerms, SiteWorker, TestEnding, TestSite,
};
use howcome_remote::{Remote, RemoteOptions};
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const ANY: SiteTerms = SiteTerms { is_proof: false, is_doubted: false, is_repeat: false, alone: true };

/// A server, as an unprivileged user, that listens on this machine only.
struct Buildbox {
    server: Child,
    url: String,
    _folder: TempDir,
}

impl Buildbox {
    /// `None` if it is not installed, or must not be started here.
    #[track_caller]
    fn start() -> Option<Self> {
        let Some(programs) = std::env::var_os("HOWCOME_BUILDBOX").map(PathBuf::from) else {
            howcome_testing::skip("buildbox-casd is not installed (HOWCOME_BUILDBOX is not set)");
            return None;
        };
        let is_root = nix::unistd::geteuid().is_root();
        if !howcome_testing::need_program("bwrap") || (is_root && !howcome_testing::need_program("setpriv")) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        // The port is free again when the listener is dropped.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        // The user of the server can perhaps not read the original programs.
        for name in ["buildbox-casd", "buildbox-run"] {
            fs::copy(programs.join(name), folder.path().join(name)).unwrap();
        }
        let programs = folder.path();
        let casd = programs.join("buildbox-casd");
        let mut command = match is_root {
            true => std::process::Command::new("setpriv"),
            false => std::process::Command::new(&casd),
        };
        if is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&casd);
        }
        // Other folders of this user are perhaps closed to the user of the server.
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
        command.env("PATH", path).current_dir(folder.path());
        command.arg(format!("--bind=127.0.0.1:{port}"));
        command.arg(format!("--buildbox-run={}", programs.join("buildbox-run").display()));
        command.args(["--jobs=2", "--runner-arg=--staging-mode=copy-or-link"]);
        for system in ["/usr", "/bin", "/lib", "/lib64"].iter().filter(|system| Path::new(system).exists()) {
            command.arg(format!("--runner-arg=--bind-mount={system}:{system}"));
        }
        command.arg(folder.path().join("cache")).stdout(Stdio::null()).stderr(Stdio::null());
        let server = command.spawn().unwrap();
        Some(Self { server, url: format!("grpc://127.0.0.1:{port}"), _folder: folder })
    }

    /// Connects as soon as the server listens.
    fn connect(&self) -> Remote {
        Remote::connect(RemoteOptions::new(self.url.parse().unwrap())).unwrap()
    }
}

impl Drop for Buildbox {
    fn drop(&mut self) {
        let _ = nix::sys::signal::kill(
            nix::unistd::Pid::from_raw(self.server.id().cast_signed()),
            nix::sys::signal::Signal::SIGTERM,
        );
        let _ = self.server.wait();
    }
}

fn run(worker: &mut dyn SiteWorker, folder: &Path, script: &str, terms: SiteTerms) -> SiteRun {
    let candidate = SiteCandidate {
        folder,
        command: &Command::new("sh", folder).arguments(["-c", script]),
        limits: &Limits::default(),
        terms,
        wants_reads: false,
        cancelled: &AtomicBool::new(false),
        is_awaited: &AtomicBool::new(true),
    };
    worker.run(&candidate).unwrap()
}

#[test]
fn a_real_server_runs_tests_and_remembers_their_outcomes() {
    let Some(server) = Buildbox::start() else { return };
    let remote = server.connect();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/a.txt"), "hello\n").unwrap();
    let mut worker = remote.worker();
    let seen = run(&mut *worker, folder.path(), "cat src/a.txt; pwd >&2; echo x >>src/a.txt; exit 3", ANY)
        .test
        .unwrap();
    assert_eq!(seen.ending, Ok(TestEnding::Exit(3)));
    assert_eq!(seen.stdout, Captured::whole("hello\n"));
    assert_eq!(seen.stderr, Captured::whole(format!("{}\n", folder.path().display())));
    let crash = run(&mut *worker, folder.path(), "kill -s SEGV $$", ANY);
    assert_eq!(crash.test.unwrap().ending, Ok(TestEnding::Signal(11)));
    let colleague = server.connect();
    let script = "cat src/a.txt; pwd >&2; echo x >>src/a.txt; exit 3";
    let again = run(&mut *colleague.worker(), folder.path(), script, ANY);
    assert!(again.is_cached);
    assert_eq!(colleague.counts().executed.load(Ordering::Relaxed), 0);
    let proof = SiteTerms { is_proof: true, ..ANY };
    assert!(!run(&mut *colleague.worker(), folder.path(), script, proof).is_cached);
}

/// Prints the two times; nothing is asserted about them.
#[test]
fn a_warm_cache_of_a_real_server_answers_without_executing() {
    let Some(server) = Buildbox::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut times = Vec::new();
    for executed in [20, 0] {
        let remote = server.connect();
        let mut worker = remote.worker();
        let began = Instant::now();
        for number in 0..20 {
            let seen = run(&mut *worker, folder.path(), &format!("exit {number}"), ANY).test.unwrap();
            assert_eq!(seen.ending, Ok(TestEnding::Exit(number)));
        }
        times.push(began.elapsed());
        assert_eq!(remote.counts().executed.load(Ordering::Relaxed), executed);
    }
    let per_test = |time: Duration| time.as_secs_f64() * 50.0;
    println!(
        "20 tests: executed in {:.1} ms each, from the cache in {:.1} ms each",
        per_test(times[0]),
        per_test(times[1])
    );
}
