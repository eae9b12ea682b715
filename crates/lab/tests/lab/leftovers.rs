//! All processes that a test leaves running end when the test has ended.

use crate::bench::{BOTH, Bench, STAYS, finished, order, warden};
use howcome_lab::{Confinement, Lab, Local, LocalOptions, LookError, Repeat, TestEnding};
use howcome_run::{Because, Executor, TestOrder};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Runs a script that starts `$STAYS` in some way. The script continues when that process is ready.
fn assert_nothing_stays(start: &str) {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        let mut held = bench.pipe("held");
        // We hold both ends, so that opening the pipe does not block.
        let _ready = bench.pipe("ready");
        let script =
            format!("STAYS='{STAYS}'; export STAYS; {start}\nread answer <>\"$BENCH/ready\"; exit 3");
        let seen = bench.sh(&script);
        assert_eq!(seen.ending, TestEnding::Exit(3), "{confinement:?}: {seen:?}");
        assert!(!held.is_held(), "{confinement:?}: a process is left");
    }
}

#[test]
fn a_background_process_is_gone() {
    assert_nothing_stays(r#"sh -c "$STAYS" &"#);
}

#[test]
fn a_process_in_its_own_session_is_gone() {
    assert_nothing_stays(r#"setsid sh -c "$STAYS" &"#);
}

#[test]
fn a_daemon_that_forked_twice_is_gone() {
    assert_nothing_stays(r#"(setsid sh -c '(sh -c "$STAYS" &)' &)"#);
}

#[test]
fn a_process_under_nohup_is_gone() {
    assert_nothing_stays(r#"nohup sh -c "$STAYS" >/dev/null 2>&1 &"#);
}

#[test]
fn a_family_of_processes_that_keeps_growing_is_gone() {
    let grow = r#"grow() { while :; do setsid sleep 1000 & sleep 0.001; done; }; grow & (grow &)"#;
    assert_nothing_stays(&format!(r#"{grow}; setsid sh -c "$STAYS" &"#));
}

#[test]
fn processes_of_a_cancelled_test_are_gone() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        let (mut held, mut ready) = (bench.pipe("held"), bench.pipe("ready"));
        bench.set_script(&format!("setsid sh -c '{STAYS}' & sleep 1000"), Repeat::default());
        bench.local.start(order(1));
        ready.next();
        bench.local.cancel(howcome_run::TestId(1));
        held.wait_for_end();
    }
}

#[test]
fn processes_of_a_test_that_timed_out_are_gone() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        let mut held = bench.pipe("held");
        let mut limits = bench.local.limits();
        limits.timeout = std::time::Duration::from_millis(50);
        bench.local.set_limits(limits);
        let seen =
            bench.sh(r#"exec 9>"$BENCH/held"; setsid sleep 1000 & trap "" TERM; sleep 1000; sleep 1000"#);
        assert_eq!(seen.ending, TestEnding::TimedOut);
        assert!(!held.is_held());
    }
}

#[test]
fn a_test_in_a_namespace_cannot_kill_its_parent() {
    let Some(mut bench) = Bench::new(Confinement::Namespace) else { return };
    let seen = bench.sh("kill -9 $PPID; kill -TERM $PPID; kill -STOP $PPID; echo $PPID; exit 3");
    assert_eq!(seen.ending, TestEnding::Exit(3));
    assert_eq!(seen.stdout.last_lines(1), ["1"]);
}

#[test]
fn a_test_that_lost_its_warden_is_run_again() {
    let Some(mut bench) = Bench::new(Confinement::Subreaper) else { return };
    let (mut held, mut ready) = (bench.pipe("held"), bench.pipe("ready"));
    let script = format!(
        "mkdir \"$BENCH/first\" || exit 3\nsetsid sh -c '{STAYS}' &\nread answer <>\"$BENCH/ready\"; echo >\"$BENCH/ready\"; kill -9 $PPID; sleep 1000"
    );
    assert_eq!(bench.sh(&script).ending, TestEnding::Exit(3));
    ready.next();
    assert!(!held.is_held());
}

#[test]
fn a_test_that_always_kills_its_warden_has_no_outcome() {
    let Some(mut bench) = Bench::new(Confinement::Subreaper) else { return };
    let Err(LookError::Because(because)) = bench.try_sh("kill -9 $PPID; sleep 1000") else { panic!() };
    assert!(because.is_no_verdict(), "{because}");
    assert_eq!(bench.sh("exit 3").ending, TestEnding::Exit(3));
}

#[test]
fn a_warden_that_was_killed_before_it_was_ready_is_replaced() {
    let first = tempfile::tempdir().unwrap();
    let script = r#"rmdir "$0" 2>/dev/null && exit 1; exec "$1""#;
    let mut command: Vec<std::ffi::OsString> = ["sh", "-c", script].map(Into::into).to_vec();
    command.extend([first.path().into()].into_iter().chain(warden()));
    let mut bench = Bench::with(|options| options.warden = command).unwrap();
    assert!(!first.path().exists(), "the first one exited immediately");
    assert_eq!(bench.sh("exit 3").ending, TestEnding::Exit(3));
}

#[test]
fn wardens_that_are_always_killed_leave_no_folder() {
    if !howcome_testing::need_program("strace") {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    // The first folder that a warden creates is that of all workers, the second one that of its worker.
    for (call, number) in [("mkdir", 1), ("mkdir", 2), ("rt_sigprocmask", 1)] {
        let inject = format!("inject={call}:signal=KILL:when={number}");
        let mut command: Vec<std::ffi::OsString> =
            ["strace", "-o", "/dev/null", "-e", &inject].map(Into::into).to_vec();
        command.extend(warden());
        let mut options = LocalOptions::new(command, temp.path());
        options.confinement = Some(Confinement::Subreaper);
        assert!(Local::new(options).is_err(), "{inject}");
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0, "{inject}");
    }
}

#[test]
fn a_killed_test_is_run_again_and_killed_only_if_it_happens_again() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        let once = r#"mkdir "$BENCH/first" && kill -9 $$; exit 3"#;
        assert_eq!(bench.sh(once).ending, TestEnding::Exit(3), "{confinement:?}");
        assert_eq!(bench.sh("kill -9 $$").ending, TestEnding::Signal(9), "{confinement:?}");
    }
}

#[test]
fn a_test_among_others_that_was_killed_is_not_believed_and_one_alone_is_repeated() {
    let mut bench = Bench::any();
    bench.set_script("kill -9 $$", Repeat::default());
    bench.local.start(order(1));
    let (_, among_others) = finished(bench.local.wait(None));
    assert!(among_others.was_disturbed && !among_others.alone);
    bench.set_script(r#"mkdir "$BENCH/second" && kill -9 $$; exit 1"#, Repeat::default());
    bench.local.start(TestOrder { alone: true, ..order(2) });
    let (_, alone) = finished(bench.local.wait(None));
    assert_eq!((alone.because, alone.was_disturbed), (Because::Exit(1), false));
}

#[test]
fn a_test_among_others_that_lacks_what_they_use_is_not_believed() {
    let mut bench = Bench::any();
    for (script, is_disturbed) in [
        ("echo 'OSError: [Errno 98] Address already in use'; exit 1", true),
        ("echo 'Error: listen EADDRINUSE: address in use :::80' >&2; exit 1", true),
        ("echo 'sqlite3.OperationalError: database is locked' >&2; exit 1", true),
        ("echo 'connection refused' >&2; exit 1", false),
        ("echo 'Address already in use, trying the next one'", false),
    ] {
        bench.set_script(script, Repeat::default());
        bench.local.start(order(1));
        let (_, seen) = finished(bench.local.wait(None));
        assert_eq!(seen.was_disturbed, is_disturbed, "{script}");
    }
    let once = r#"mkdir "$BENCH/first" && echo 'Address already in use' && exit 1; exit 0"#;
    bench.set_script(once, Repeat::Times(2));
    bench.local.start(order(1));
    let (_, seen) = finished(bench.local.wait(None));
    assert!(seen.was_disturbed, "one of three runs was");
}

#[test]
fn a_warden_that_somebody_stopped_continues() {
    let Some(mut bench) = Bench::new(Confinement::Subreaper) else { return };
    assert_eq!(bench.sh("kill -STOP $PPID; exit 3").ending, TestEnding::Exit(3));
}

#[test]
fn a_warden_that_somebody_stopped_ends_with_howcome() {
    let Some(mut bench) = Bench::new(Confinement::Subreaper) else { return };
    let warden = bench.sh("echo $PPID").stdout.last_lines(1).concat().parse().unwrap();
    kill(Pid::from_raw(warden), Signal::SIGSTOP).unwrap();
    // Waits for the warden.
    drop(bench);
}

#[test]
fn a_test_that_signals_its_whole_process_group_hits_only_itself() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        assert_eq!(bench.sh("kill -TERM 0").ending, TestEnding::Signal(15));
        assert_eq!(bench.sh("kill -TERM $PPID; exit 3").ending, TestEnding::Exit(3));
        assert_eq!(bench.sh("exit 4").ending, TestEnding::Exit(4));
    }
}

#[test]
fn a_test_that_stops_its_warden_can_still_be_cancelled() {
    let Some(mut bench) = Bench::new(Confinement::Subreaper) else { return };
    let mut ready = bench.pipe("ready");
    bench.set_script(r#"kill -STOP $PPID; echo >"$BENCH/ready"; sleep 1000"#, Repeat::default());
    bench.local.start(order(1));
    ready.next();
    bench.local.cancel(howcome_run::TestId(1));
    assert_eq!(bench.sh("exit 3").ending, TestEnding::Exit(3));
}

#[test]
fn temporary_files_of_a_killed_test_are_removed() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        bench.sh(r#"test -d "$TMPDIR" && : >"$TMPDIR/left" && kill -9 $$"#);
        let seen = bench.sh(r#"test -w "$TMPDIR" && test -z "$(ls -A "$TMPDIR")""#);
        assert_eq!(seen.ending, TestEnding::Exit(0), "{confinement:?}");
    }
}
