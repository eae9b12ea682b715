//! What a user sees in a terminal: colours, columns, and a line that tells how far the run is.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use nix::pty::{OpenptyResult, Winsize, openpty};
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Command;

fn terminal(columns: u16) -> OpenptyResult {
    let size = Winsize { ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    openpty(Some(&size), None).unwrap()
}

/// Runs a command in a terminal of this width, and gives everything that it wrote there.
fn in_terminal(mut command: Command, columns: u16) -> String {
    let terminal = terminal(columns);
    let stream = || terminal.slave.try_clone().unwrap();
    command.env("TERM", "xterm").stdin(stream()).stdout(stream()).stderr(stream());
    let mut child = command.spawn().unwrap();
    drop(command);
    drop(terminal.slave);
    let written = everything(terminal.master);
    child.wait().unwrap();
    written
}

/// Reads until nobody has the terminal open any more, which Linux reports as an error.
fn everything(terminal: OwnedFd) -> String {
    let (mut terminal, mut written) = (File::from(terminal), Vec::new());
    let _ = terminal.read_to_end(&mut written);
    String::from_utf8_lossy(&written).into_owned()
}

fn found(place: &Place) {
    place.run(&["items", "list.txt", "-j1", "-q", "--run-dir", "run", "--", "./test.sh"]);
}

#[test]
fn a_terminal_has_colours_and_its_columns_are_used() {
    let place = Place::new();
    found(&place);
    let report = in_terminal(place.howcome(&["show", "run"]), 60);
    assert!(report.contains("\u{1b}[1mProof\u{1b}[0m"), "{report}");
    let plain =
        |text: &str| regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(text, "").into_owned();
    let widest = plain(&report).lines().map(|line| line.trim_end().chars().count()).max().unwrap();
    assert!(widest <= 60, "{widest}: {report}");
    let mut without = place.howcome(&["show", "run", "--trail"]);
    without.env("NO_COLOR", "1");
    assert!(!in_terminal(without, 60).contains('\u{1b}'));
}

#[test]
fn a_pipe_has_colours_only_if_they_are_asked_for() {
    let place = Place::new();
    found(&place);
    let shown = |words: &[&str], variable: Option<&str>| {
        let mut command = place.howcome(&[&["show", "run", "--trail"], words].concat());
        variable.map(|name| command.env(name, "1"));
        String::from_utf8(command.output().unwrap().stdout).unwrap().contains("\u{1b}[31m✗\u{1b}[0m")
    };
    assert!(!shown(&[], None));
    assert!(shown(&["--color", "always"], Some("NO_COLOR")));
    assert!(shown(&[], Some("CLICOLOR_FORCE")));
    assert!(!shown(&["--color", "never"], Some("CLICOLOR_FORCE")));
    // Errors of the command line, too.
    let error = place.howcome(&["show", "nowhere", "--color=always"]).output().unwrap();
    assert!(String::from_utf8_lossy(&error.stderr).starts_with("\u{1b}[31merror:\u{1b}[0m "));
}

/// The first tests pass or fail; a later one says that it has begun, and waits for ever.
const STUCK: &str = "#!/bin/sh
{ [ \"$(wc -l <\"$1\")\" -gt 30 ] || [ ! -s \"$1\" ]; } || { echo >\"$HOWCOME_DIR/begun\"; exec sleep 1000; }
! grep -q bad \"$1\"
";

#[test]
fn a_key_stops_a_run_with_the_best_so_far() {
    if !howcome_testing::need_program("setsid") {
        return;
    }
    let place = Place::empty();
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    place.write("text.txt", format!("bad\n{lines}").as_bytes());
    place.script("stuck.sh", STUCK);
    nix::unistd::mkfifo(&place.path("begun"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let terminal = terminal(100);
    let stream = || terminal.slave.try_clone().unwrap();
    // Keys are read only in the session that the terminal controls.
    let mut command = place.command(Path::new("setsid"));
    command.args([
        "-c",
        env!("CARGO_BIN_EXE_howcome"),
        "input",
        "text.txt",
        "-j1",
        "--run-dir",
        "run",
        "--",
        "./stuck.sh",
        "{}",
    ]);
    command.env("TERM", "xterm").stdin(stream()).stdout(stream()).stderr(stream());
    let mut child = command.spawn().unwrap();
    drop(command);
    // Reading a pipe waits for the other end.
    std::fs::read(place.path("begun")).unwrap();
    let mut keys = File::from(terminal.master.try_clone().unwrap());
    std::io::Write::write_all(&mut keys, b"q").unwrap();
    drop(terminal.slave);
    let seen = everything(terminal.master);
    assert_eq!(child.wait().unwrap().code(), Some(3), "{seen}");
    assert!(seen.contains("q stops") && seen.contains("Interrupted."), "{seen}");
    assert!(place.path("text.min.txt").exists());
}
