//! A service that is started for a test, and what it is asked for.

use crate::requests::{Reply, form, send};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a job may take in a test. It is a bound for errors, not an expectation.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
    pub(crate) data: PathBuf,
    _folder: Option<TempDir>,
    /// What it has logged, and where.
    pub(crate) log: PathBuf,
    /// Sent with each request.
    pub(crate) headers: String,
}

pub(crate) fn howcome() -> Command {
    Command::new(env!("CARGO_BIN_EXE_howcome"))
}

/// Howcome as on a machine whose kernel refuses these system calls: strace changes what they return.
pub(crate) fn howcome_where_the_kernel_refuses(calls: &[&str]) -> Command {
    let mut command = Command::new("strace");
    // -D: the process that is started becomes howcome, and strace is somewhere else.
    command.args(["-D", "-f", "-qqq", "-o", "/dev/null", "-e", &format!("trace={}", calls.join(","))]);
    for call in calls {
        command.args(["-e", &format!("inject={call}:error=ENOSYS")]);
    }
    command.arg(howcome().get_program());
    command
}

/// Whether jobs can be run here as the service runs them.
pub(crate) fn has_sandbox() -> bool {
    howcome_testing::need_program("bwrap")
}

impl Server {
    /// With its own data folder.
    pub(crate) fn start(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let mut server = Self::start_in(&data, flags);
        server._folder = Some(folder);
        server
    }

    /// With a data folder that may have been used before.
    pub(crate) fn start_in(data: &Path, flags: &[&str]) -> Self {
        Self::start_by(howcome(), "127.0.0.1:0", data, flags)
    }

    /// By a command that becomes howcome.
    pub(crate) fn start_by(mut command: Command, listen: &str, data: &Path, flags: &[&str]) -> Self {
        let log = data.with_extension("log");
        let errors = std::fs::OpenOptions::new().create(true).append(true).open(&log).unwrap();
        let mut process = command
            .args(["serve", "--listen", listen, "--requests", "1000000", "--submissions", "100000"])
            .args(["--user-jobs", "100000", "--data"])
            .arg(data)
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(errors)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{line}{}", std::fs::read_to_string(&log).unwrap()));
        let address = address.parse().unwrap();
        Self { process, address, data: data.to_owned(), _folder: None, log, headers: String::new() }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        send(self.address, "GET", path, &self.headers, b"")
    }

    pub(crate) fn post(&self, path: &str) -> Reply {
        send(self.address, "POST", path, &self.headers, b"")
    }

    pub(crate) fn post_form(&self, path: &str, fields: &str) -> Reply {
        let headers = format!("{}Content-Type: application/x-www-form-urlencoded\r\n", self.headers);
        send(self.address, "POST", path, &headers, fields.as_bytes())
    }

    pub(crate) fn submit(&self, request: &serde_json::Value, files: &[(&str, &str, &[u8])]) -> Reply {
        let request = request.to_string();
        let mut parts = vec![("request", None, request.as_bytes())];
        parts.extend(files.iter().map(|(part, name, content)| (*part, Some(*name), *content)));
        let (headers, body) = form(&parts);
        send(self.address, "POST", "/api/v1/jobs", &format!("{}{headers}", self.headers), &body)
    }

    /// Submits a job that is accepted.
    pub(crate) fn job(&self, request: &serde_json::Value, files: &[(&str, &str, &[u8])]) -> String {
        let reply = self.submit(request, files);
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.json()["job"].as_str().unwrap().to_owned()
    }

    /// Submits an example, and gives the id of its job.
    pub(crate) fn example(&self, name: &str) -> String {
        let reply = self.post(&format!("/examples/{name}"));
        assert_eq!(reply.status, 303, "{reply:?}");
        reply.header("location").unwrap().rsplit('/').next().unwrap().to_owned()
    }

    pub(crate) fn info(&self, id: &str) -> serde_json::Value {
        self.get(&format!("/api/v1/jobs/{id}")).json()
    }

    /// Waits until a job has one of these states.
    pub(crate) fn wait_for(&self, id: &str, states: &[&str]) -> serde_json::Value {
        let began = Instant::now();
        loop {
            let info = self.info(id);
            if states.contains(&info["status"].as_str().unwrap_or_default()) {
                return info;
            }
            assert!(began.elapsed() < PATIENCE, "{info}\n{}", std::fs::read_to_string(&self.log).unwrap());
            // The answer comes when it comes; this only keeps the test from using a whole processor.
            std::thread::park_timeout(Duration::from_millis(50));
        }
    }

    /// Waits for the end of a job.
    pub(crate) fn end_of(&self, id: &str) -> serde_json::Value {
        self.wait_for(id, &["ended", "cancelled"])
    }

    pub(crate) fn file(&self, id: &str, name: &str) -> Reply {
        self.get(&format!("/api/v1/jobs/{id}/files/{name}"))
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Ends it as an operator does. Returns whether it ended well.
    pub(crate) fn end(&mut self) -> bool {
        let pid = nix::unistd::Pid::from_raw(self.process.id().cast_signed());
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).unwrap();
        self.process.wait().unwrap().success()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
