//! No process and no workspace is left when howcome itself is killed.
//!
//! This is a separate test program, because it adopts orphans and waits for them.

#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "lab/bench.rs"]
mod bench;

use bench::{BOTH, Pipe, STAYS, Test, warden};
use howcome_dd::Configuration;
use howcome_lab::{Command, Confinement, Lab, Local, LocalOptions, Prepare};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

#[test]
fn no_process_and_no_workspace_is_left_when_howcome_is_killed() {
    nix::sys::prctl::set_child_subreaper(true).unwrap();
    for confinement in BOTH {
        let temp = tempfile::tempdir().unwrap();
        let workspaces = temp.path().join("workspaces");
        std::fs::create_dir(&workspaces).unwrap();
        let mut held = Pipe::new(temp.path().join("held"));
        let mut ready = Pipe::new(temp.path().join("ready"));
        let mut howcome = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_howcome_to_be_killed", "--nocapture"])
            .env("BENCH", temp.path())
            .env("CONFINEMENT", format!("{confinement:?}"))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let said = ready.next();
        howcome.kill().unwrap();
        howcome.wait().unwrap();
        if said == "not tested\n" {
            continue;
        }
        // This process has adopted its orphans. When the last of them has ended, everything must be cleaned up.
        while nix::sys::wait::wait().is_ok() {}
        assert!(!held.is_held());
        assert_eq!(std::fs::read_dir(&workspaces).unwrap().count(), 0, "{confinement:?}");
    }
}

/// Not a test: the test above starts it in a process of its own.
#[test]
fn a_howcome_to_be_killed() {
    let Some(bench) = std::env::var_os("BENCH").map(PathBuf::from) else { return };
    let is_namespace = std::env::var("CONFINEMENT").unwrap() == "Namespace";
    let mut options = LocalOptions::new(warden(), bench.join("workspaces"));
    options.workers = 2;
    options.confinement = Some(if is_namespace { Confinement::Namespace } else { Confinement::Subreaper });
    let mut local = match Local::new(options) {
        Ok(local) => local,
        Err(error) => {
            eprintln!("not tested: {error}");
            std::fs::write(bench.join("ready"), "not tested\n").unwrap();
            return;
        }
    };
    let script = format!("mkdir -p a/b; setsid sh -c '{STAYS}' & sleep 1000");
    let subject: Arc<dyn Prepare> =
        Arc::new(Test(move |workspace: &Path| Ok(Command::new("sh", workspace).arguments(["-c", &script]))));
    let _ = local.look(&subject, &Configuration::empty());
}
