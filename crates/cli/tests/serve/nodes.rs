//! Several services that share a PostgreSQL database.

use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A database server of its own, reachable through a socket in its folder.
struct Database {
    process: Child,
    folder: TempDir,
}

fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions.map(|version| version.path().join("bin")).find(|bin| bin.join("initdb").exists())
}

/// PostgreSQL refuses to run as root.
fn as_other_user(program: &Path) -> Command {
    if !nix::unistd::geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

impl Database {
    fn start() -> Option<Self> {
        let Some(bin) = programs() else {
            howcome_testing::skip("postgresql is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let data = folder.path().join("cluster");
        let made = as_other_user(&bin.join("initdb"))
            .args(["-A", "trust", "-U", "howcome", "--no-sync", "-D"])
            .arg(&data)
            .current_dir("/")
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let process = as_other_user(&bin.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-k"])
            .arg(folder.path())
            .current_dir("/")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let database = Self { process, folder };
        while !database.folder.path().join(".s.PGSQL.5432").exists() {
            std::thread::park_timeout(std::time::Duration::from_millis(20));
        }
        Some(database)
    }

    fn address(&self) -> String {
        format!("host={} user=howcome dbname=postgres", self.folder.path().display())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(self.process.id().cast_signed());
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGQUIT);
        let _ = self.process.wait();
    }
}

#[test]
fn a_dead_nodes_jobs_continue_elsewhere() {
    if !has_sandbox() {
        return;
    }
    let Some(database) = Database::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let address = database.address();
    let flags = ["--slots", "1", "--database", &address];
    let mut first = Server::start_in(&data, &flags);
    let list: Vec<String> = (0..60).map(|line| format!("x{line}")).collect();
    let slow = json!({"question": "items", "list": list.join("\n"),
        "script": "sleep 0.1; ! (grep -qx x7 \"$HOWCOME_ITEMS\" && grep -qx x41 \"$HOWCOME_ITEMS\")"});
    let jobs: Vec<String> = (0..4).map(|_| first.job(&slow, &[])).collect();
    first.wait_for(&jobs[0], &["running"]);
    let second = Server::start_in(&data, &flags);
    first.kill();
    for id in &jobs {
        let info = second.end_of(id);
        assert_eq!(info["ending"], "found", "{info}");
        assert_eq!(second.file(id, "finding.json").json()["finding"]["items"], json!(["x7", "x41"]));
    }
    assert_eq!(second.get("/api/v1/jobs").json().as_array().unwrap().len(), jobs.len());
}
