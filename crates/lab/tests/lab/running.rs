//! The environment of a test, and its execution.

use crate::bench::{BOTH, Bench, Test};
use howcome_dd::Configuration;
use howcome_lab::{CaptureLimits, Command, Confinement, Lab, LookError, Prepare, TestEnding};
use howcome_run::Because;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

fn look(
    bench: &mut Bench,
    command: impl Fn(&Path) -> Result<Command, Because> + Send + Sync + 'static,
) -> Result<howcome_lab::Execution, LookError> {
    let subject: Arc<dyn Prepare> = Arc::new(Test(command));
    bench.local.look(&subject, &Configuration::empty())
}

fn reason(looked: Result<howcome_lab::Execution, LookError>) -> Because {
    match looked {
        Err(LookError::Because(because)) => because,
        other => panic!("{other:?}"),
    }
}

#[test]
fn exit_codes_and_signals_are_reported_unchanged() {
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        assert_eq!(bench.sh("exit 0").ending, TestEnding::Exit(0));
        assert_eq!(bench.sh("exit 255").ending, TestEnding::Exit(255));
        assert_eq!(bench.sh("kill -SEGV $$").ending, TestEnding::Signal(11));
        assert_eq!(bench.sh("kill -40 $$").ending, TestEnding::Signal(40), "a real-time signal");
        assert_eq!(bench.sh("sh -c 'kill -SEGV $$'; exit $?").ending.plain(), TestEnding::Signal(11));
        assert_eq!(bench.sh("exec sh -c 'exec sh -c \"exit 7\"'").ending, TestEnding::Exit(7));
    }
}

#[test]
fn output_is_complete_and_each_stream_separate() {
    let mut bench = Bench::any();
    let seen = bench.sh("echo one; echo two >&2; printf three");
    assert_eq!(seen.stdout.pieces().collect::<Vec<_>>(), [b"one\nthree"]);
    assert_eq!(seen.stderr.pieces().collect::<Vec<_>>(), [b"two\n"]);
    assert!(bench.sh("exec >&- 2>&-; true").stdout.is_empty());
    assert_eq!(
        bench.sh("printf x | cat").stdout.last_lines(1),
        ["x"],
        "pipes still work after a test closed them"
    );
}

#[test]
fn a_test_that_makes_its_output_non_blocking_does_not_affect_the_next_test() {
    let mut bench = Bench::any();
    bench.sh("dd oflag=nonblock if=/dev/null 2>/dev/null");
    let seen = bench.sh("head -c 1000000 /dev/zero");
    assert_eq!(seen.ending, TestEnding::Exit(0));
    assert_eq!(seen.stdout.pieces().map(<[u8]>::len).sum::<usize>(), 1_000_000);
}

#[test]
fn a_flood_of_output_is_counted_but_not_kept() {
    let mut bench = Bench::any();
    let mut limits = bench.local.limits();
    limits.keep = CaptureLimits { head: 10, tail: 10 };
    bench.local.set_limits(limits);
    let seen = bench.sh("echo begin; head -c 100000000 /dev/zero; echo end >&2; echo end");
    assert_eq!(seen.ending, TestEnding::Exit(0));
    assert_eq!(seen.stdout.skipped(), 100_000_000 + 10 - 20);
    assert_eq!(seen.stderr.last_lines(1), ["end"]);
}

#[test]
fn output_of_killed_processes_is_not_lost() {
    let mut bench = Bench::any();
    let _ready = bench.pipe("ready");
    let script = r#"(echo from afar; echo >"$BENCH/ready"; sleep 1000) & read x <>"$BENCH/ready"; echo near"#;
    assert_eq!(bench.sh(script).stdout.last_lines(9), ["from afar", "near"]);
}

#[test]
fn a_test_has_no_standard_input_no_terminal_and_no_core_files() {
    let mut bench = Bench::any();
    assert_eq!(bench.sh("read line || exit 3").ending, TestEnding::Exit(3));
    assert_eq!(bench.sh("exec 3<>/dev/tty").ending, TestEnding::Exit(2));
    assert_eq!(bench.sh("ulimit -c").stdout.last_lines(1), ["0"]);
}

#[test]
fn a_test_in_a_namespace_sees_no_other_processes() {
    let Some(mut bench) = Bench::new(Confinement::Namespace) else { return };
    let seen =
        bench.sh("cd /proc; for p in [0-9]*; do echo $p; done | grep -vxE \"1|$$|$(($$+1))|$(($$+2))\"");
    assert_eq!(seen.stdout.last_lines(9), [""; 0]);
}

#[test]
fn a_test_has_the_usual_signal_mask() {
    let script = "grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status";
    let bare = std::process::Command::new("sh").args(["-c", script]).output().unwrap();
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        assert_eq!(bench.sh(script).stdout, howcome_lab::Captured::whole(bare.stdout.clone()));
    }
}

#[test]
fn memory_is_limited_for_each_process() {
    let mut bench = Bench::any();
    let mut limits = bench.local.limits();
    limits.memory = Some(512 << 20);
    bench.local.set_limits(limits);
    assert_eq!(bench.sh("ulimit -v").stdout.last_lines(1), [(512 << 10).to_string()]);
}

#[test]
fn every_test_starts_in_an_empty_workspace() {
    let mut bench = Bench::any();
    let empty = r#"[ -z "$(ls -A)" ] || exit 9; "#;
    let tricks = [
        "mkdir -p a/b/c; touch a/b/c/.hidden; chmod 000 a/b a",
        "chmod 000 .",
        "touch x; chmod 500 .",
        "cd ..; rmdir work",
        "cd ..; rmdir work; touch work",
        "cd ..; rm -r work; ln -s / work",
        "cd ../..; mv 0/work 0/other",
        "ln -s . self; mkfifo pipe; : >'a\nfile'",
    ];
    for trick in tricks {
        assert_eq!(bench.sh(&format!("{empty}{trick}; exit 0")).ending, TestEnding::Exit(0), "after {trick}");
    }
    assert_eq!(bench.sh(empty).ending, TestEnding::Exit(0));
}

#[test]
fn the_workspace_of_a_test_can_be_inspected() {
    let mut bench = Bench::any();
    let (one, two) = (bench.sh("echo 1 >result"), bench.sh("echo 2 >result"));
    assert_eq!(fs::read_to_string(one.workspace.join("result")).unwrap(), "1\n");
    assert_eq!(fs::read_to_string(two.workspace.join("result")).unwrap(), "2\n");
}

#[test]
fn arguments_and_variables_arrive_unchanged() {
    let mut bench = Bench::any();
    let strange = OsString::from_vec(vec![b'a', 0xff, b'\n', b'"', b' ', 0xfe]);
    let expected = strange.clone();
    let seen = look(&mut bench, move |workspace| {
        let command = Command::new("sh", workspace).arguments(["-c", r#"printf %s "$1$V""#, "sh"]);
        Ok(command.argument(&strange).variable("V", &strange))
    });
    assert_eq!(seen.unwrap().stdout.pieces().collect::<Vec<_>>(), [[expected.as_bytes(); 2].concat()]);
}

#[test]
fn long_argument_lists_arrive_and_too_long_ones_do_not_apply() {
    let mut bench = Bench::any();
    let many = look(&mut bench, |workspace| {
        let numbers = (0..100_000).map(|number| number.to_string());
        Ok(Command::new("sh", workspace).arguments(["-c", "exit $(($# % 256))", "sh"]).arguments(numbers))
    });
    assert_eq!(many.unwrap().ending, TestEnding::Exit(100_000 % 256));
    let too_many =
        look(&mut bench, |workspace| Ok(Command::new("true", workspace).argument("x".repeat(10 << 20))));
    assert!(matches!(reason(too_many), Because::DidNotApply(_)));
}

#[test]
fn a_test_that_cannot_be_started_says_why() {
    let mut bench = Bench::any();
    let place = bench.temp.path().to_owned();
    let file = |name: &str, text: &str, mode: u32| {
        let path = place.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let cases = [
        ("no-such-program".into(), "no-such-program: program not found"),
        (place.join("missing"), ": program not found"),
        (file("plain", "#!/bin/sh\n", 0o644), "is not executable"),
        (file("noise", "no #! line\n", 0o755), "nor a script with an interpreter in its first line"),
        (
            file("interpreter", "#!/no/such/thing -x\n", 0o755),
            "exists, but `/no/such/thing`, the interpreter in its first line (#!), does not",
        ),
        (
            file("windows", "#!/bin/sh\r\nexit 1\r\n", 0o755),
            "has Windows line endings (CRLF), so that the interpreter in its first line is `/bin/sh\\r`",
        ),
        (place.clone(), "is not executable"),
    ];
    for (program, expected) in cases {
        let because = reason(look(&mut bench, move |workspace| Ok(Command::new(program.clone(), workspace))));
        let Because::CouldNotStart(why) = because else { panic!("{because:?}") };
        assert!(why.contains(expected), "{why}");
    }
    assert_eq!(bench.sh("exit 3").ending, TestEnding::Exit(3), "and the next one runs");
}

#[test]
fn a_candidate_without_the_program_of_its_test_does_not_apply() {
    let mut bench = Bench::any();
    let missing = look(&mut bench, |workspace| Ok(Command::new(workspace.join("test.sh"), workspace)));
    assert!(matches!(reason(missing), Because::DidNotApply(_)));
    let nowhere = look(&mut bench, |workspace| Ok(Command::new("true", workspace.join("not/there"))));
    assert!(matches!(reason(nowhere), Because::DidNotApply(_)));
}

#[test]
fn a_candidate_that_does_not_build_is_not_tested() {
    let mut bench = Bench::any();
    let build = |script: &'static str| {
        move |workspace: &Path| {
            let build = Command::new("sh", workspace).arguments(["-c", script]);
            Ok(Command::new("sh", workspace).arguments(["-c", "test -e built"]).after(build))
        }
    };
    assert_eq!(look(&mut bench, build("touch built")).unwrap().ending, TestEnding::Exit(0));
    let failed = reason(look(&mut bench, build("echo 'error: no' >&2; exit 1")));
    assert_eq!(failed, Because::DidNotBuild("the build ended with exit code 1\nerror: no".to_owned()));
}

#[test]
fn the_processor_time_of_all_processes_of_a_test_is_counted() {
    let mut bench = Bench::any();
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    assert!(!bench.sh(&format!("sh -c '{busy}'; exit 0")).cpu.is_zero());
}

#[test]
fn a_full_disk_is_not_a_verdict() {
    let temp = tempfile::tempdir().unwrap();
    let nothing = None::<&str>;
    let small =
        nix::mount::mount(nothing, temp.path(), Some("tmpfs"), nix::mount::MsFlags::empty(), Some("size=4m"));
    if let Err(error) = small {
        eprintln!("not tested: cannot mount a small file system: {error}");
        return;
    }
    let mut bench = Bench::with(|options| options.temp = temp.path().to_owned()).unwrap();
    let full = reason(bench.try_sh("head -c 10000000 /dev/zero >big"));
    assert!(matches!(full, Because::DiskFull(_)), "{full:?}");
    assert_eq!(bench.sh("exit 3").ending, TestEnding::Exit(3), "and there is room again");
    drop(bench);
    nix::mount::umount2(temp.path(), nix::mount::MntFlags::MNT_DETACH).unwrap();
}

#[test]
fn the_memory_of_the_largest_process_is_reported_without_that_of_earlier_tests() {
    // A buffer of 60 MB, in its own process.
    const LARGE: &str =
        "head -c 60000000 /dev/zero | dd bs=60000000 iflag=fullblock of=/dev/null 2>/dev/null";
    for confinement in BOTH {
        let Some(mut bench) = Bench::new(confinement) else { continue };
        let small = bench.sh("true").memory;
        assert!((1..20 << 20).contains(&small), "{small}");
        let large = bench.sh(LARGE).memory;
        assert!((60_000_000..100_000_000).contains(&large), "{large}");
        let orphan =
            bench.sh(&format!("({LARGE}; echo done >left) & while ! test -s left; do :; done")).memory;
        assert!(orphan >= 60_000_000, "{orphan}");
        assert!(bench.sh("true").memory < 20 << 20);
    }
}
