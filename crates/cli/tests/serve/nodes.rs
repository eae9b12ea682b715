//! Several services that share a PostgreSQL database.

use crate::server::{Server, has_sandbox};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
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
        let process = Self::run(folder.path());
        Some(Self { process, folder })
    }

    fn run(folder: &Path) -> Child {
        let process = as_other_user(&programs().unwrap().join("postgres"))
            .arg("-D")
            .arg(folder.join("cluster"))
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-k"])
            .arg(folder)
            .current_dir("/")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !folder.join(".s.PGSQL.5432").exists() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        process
    }

    fn stop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(self.process.id().cast_signed());
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGQUIT);
        let _ = self.process.wait();
    }

    fn address(&self) -> String {
        format!("host={} user=howcome dbname=postgres", self.folder.path().display())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.stop();
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

#[test]
fn nodes_share_the_work_a_job_is_stopped_through_any_of_them_and_the_database_may_go_away() {
    if !has_sandbox() {
        return;
    }
    let Some(mut database) = Database::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = database.address();
    let flags = ["--slots", "1", "--database", &address];
    let nodes = ["a", "b"].map(|name| {
        // Each has its own log, and both have the same folder.
        let data = folder.path().join(name);
        std::os::unix::fs::symlink("shared", &data).unwrap();
        std::fs::create_dir_all(folder.path().join("shared")).unwrap();
        Server::start_in(&data, &flags)
    });
    let list: Vec<String> = (0..30).map(|line| format!("x{line}")).collect();
    let question = |needed: usize, pause: &str| json!({"question": "items", "list": list.join("\n"), "script": format!("sleep {pause}; ! grep -qx x{needed} \"$HOWCOME_ITEMS\"")});
    // Stopped through the node that does not run it.
    let endless = nodes[0].job(&question(3, "100"), &[]);
    nodes[1].wait_for(&endless, &["running"]);
    assert_eq!(nodes[1].post(&format!("/jobs/{endless}/cancel")).status, 303);
    assert_eq!(nodes[0].end_of(&endless)["status"], "cancelled");
    let jobs: Vec<String> =
        (0..12).map(|number| nodes[number % 2].job(&question(number, "0.02"), &[])).collect();
    database.stop();
    assert_eq!(nodes[0].get("/health").status, 503);
    database.process = Database::run(database.folder.path());
    for (number, id) in jobs.iter().enumerate() {
        while nodes[1].get(&format!("/api/v1/jobs/{id}")).status != 200 {
            std::thread::park_timeout(Duration::from_millis(50));
        }
        assert_eq!(nodes[1].end_of(id)["ending"], "found");
        assert_eq!(
            nodes[1].file(id, "finding.json").json()["finding"]["items"],
            json!([format!("x{number}")])
        );
    }
    let started = |node: &Server| std::fs::read_to_string(&node.log).unwrap().matches("job.started").count();
    assert!(nodes.iter().all(|node| started(node) > 1), "{} and {}", started(&nodes[0]), started(&nodes[1]));
}
