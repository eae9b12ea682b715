//! Candidates on a cluster of our own, with and without faults.
#![allow(clippy::unwrap_used)]

mod fake_cluster;

use fake_cluster::{ClusterOptions, FakeCluster, Fault};
use howcome_lab::{
    Captured, Command, Limits, SiteCandidate, SiteError, SiteRun, SiteTerms, SiteWorker, TestEnding, TestSite,
};
use howcome_remote::{Remote, RemoteOptions};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tonic::Code;

/// A candidate that searches are free to look up.
const ANY: SiteTerms = SiteTerms { is_proof: false, is_doubted: false, is_repeat: false, alone: true };
const PROOF: SiteTerms = SiteTerms { is_proof: true, ..ANY };

struct Bench {
    cluster: FakeCluster,
    remote: Remote,
    worker: Box<dyn SiteWorker>,
    folder: TempDir,
    cancelled: AtomicBool,
}

impl Bench {
    fn new() -> Self {
        Self::with(ClusterOptions::default(), |_| {})
    }

    fn with(options: ClusterOptions, change: impl FnOnce(&mut RemoteOptions)) -> Self {
        let cluster = FakeCluster::start(options);
        let remote = connect(&cluster, change);
        let worker = remote.worker();
        Self {
            cluster,
            remote,
            worker,
            folder: tempfile::tempdir().unwrap(),
            cancelled: AtomicBool::new(false),
        }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn sh(&self, script: &str) -> Command {
        Command::new("sh", self.folder.path()).arguments(["-c", script])
    }

    fn try_run(&mut self, command: &Command, terms: SiteTerms) -> Result<SiteRun, SiteError> {
        self.worker.run(&SiteCandidate {
            folder: self.folder.path(),
            command,
            limits: &Limits { timeout: Duration::from_secs(5), ..Limits::default() },
            terms,
            wants_reads: false,
            cancelled: &self.cancelled,
            is_awaited: &AtomicBool::new(true),
        })
    }

    fn run(&mut self, script: &str) -> SiteRun {
        let command = self.sh(script);
        self.try_run(&command, ANY).unwrap()
    }
}

fn connect(cluster: &FakeCluster, change: impl FnOnce(&mut RemoteOptions)) -> Remote {
    let mut options = RemoteOptions::new(cluster.url().parse().unwrap());
    options.first_delay = Duration::from_millis(1);
    change(&mut options);
    Remote::connect(options).unwrap()
}

fn ending(run: &SiteRun) -> TestEnding {
    run.test.as_ref().unwrap().ending.unwrap()
}

#[test]
fn a_test_ends_and_prints_on_a_cluster_as_it_does_here() {
    let mut bench = Bench::new();
    bench.write("src/a.txt", "hello\n");
    let run = bench.run("cat src/a.txt; pwd >&2; exit 3");
    assert_eq!(ending(&run), TestEnding::Exit(3));
    let test = run.test.unwrap();
    assert_eq!(test.stdout, Captured::whole("hello\n"));
    let here = format!("{}\n", bench.folder.path().display());
    assert_eq!(test.stderr, Captured::whole(here), "the folder has its name of this machine");
    assert_eq!(ending(&bench.run("kill -s SEGV $$")), TestEnding::Signal(11));
    assert_eq!(ending(&bench.run("exit 139")), TestEnding::Exit(139), "an exit code is not a signal");
    assert_eq!(ending(&bench.run("kill -s KILL 0")), TestEnding::Signal(9), "the test ends its whole group");
    assert_eq!(ending(&bench.run("echo x >src/a.txt && cat src/a.txt")), TestEnding::Exit(0));
    assert_eq!(fs::read_to_string(bench.folder.path().join("src/a.txt")).unwrap(), "hello\n");
}

#[test]
fn a_test_can_write_to_files_that_the_server_shares_between_actions() {
    let mut bench = Bench::with(ClusterOptions { shares_files: true, ..ClusterOptions::default() }, |_| {});
    bench.write("a.txt", "hello\n");
    bench.write("b.txt", "hello\n");
    let run = bench.run("echo x >>a.txt && cat a.txt b.txt");
    assert_eq!(run.test.unwrap().stdout, Captured::whole("hello\nx\nhello\n"));
}

#[test]
fn builds_come_first_and_a_failing_build_is_no_verdict_of_the_test() {
    let mut bench = Bench::new();
    bench.write("a.txt", "x");
    let test = bench.sh("cat built").after(bench.sh("cp a.txt built; echo said >&2"));
    let run = bench.try_run(&test, ANY).unwrap();
    assert_eq!(run.test.unwrap().stdout, Captured::whole("x"));
    assert_eq!(run.builds[0].stderr, Captured::whole("said\n"));
    let broken = bench.sh("exit 0").after(bench.sh("echo no >&2; exit 2"));
    let run = bench.try_run(&broken, ANY).unwrap();
    assert!(run.test.is_none());
    assert_eq!(run.builds[0].ending, Ok(TestEnding::Exit(2)));
}

#[test]
fn a_program_that_is_missing_on_the_worker_is_not_a_failing_test() {
    let mut bench = Bench::new();
    let missing = Command::new("no-such-program", bench.folder.path());
    let run = bench.try_run(&missing, ANY).unwrap();
    assert_eq!(run.test.unwrap().ending, Err(std::io::ErrorKind::NotFound));
    bench.write("script", "exit 0");
    let denied = Command::new("./script", bench.folder.path());
    let run = bench.try_run(&denied, ANY).unwrap();
    assert_eq!(run.test.unwrap().ending, Err(std::io::ErrorKind::PermissionDenied));
}

#[test]
fn a_test_that_hangs_is_ended_with_everything_that_it_started() {
    let mut bench = Bench::new();
    let command = bench.sh("sleep 1000 & sleep 1000");
    let limits = Limits { timeout: Duration::from_millis(10), ..Limits::default() };
    let run = bench.worker.run(&SiteCandidate {
        folder: bench.folder.path(),
        command: &command,
        limits: &limits,
        terms: ANY,
        wants_reads: false,
        cancelled: &bench.cancelled,
        is_awaited: &AtomicBool::new(true),
    });
    assert_eq!(ending(&run.unwrap()), TestEnding::TimedOut);
}

#[test]
fn a_second_run_of_a_colleague_executes_nothing_but_proofs() {
    let mut bench = Bench::new();
    bench.write("a.txt", "x");
    bench.run("exit 1");
    assert_eq!(bench.cluster.executed(), 1);
    let colleague = connect(&bench.cluster, |_| {});
    bench.worker = colleague.worker();
    let uploads = bench.cluster.calls("FindMissingBlobs");
    let run = bench.run("exit 1");
    assert!(run.is_cached && ending(&run) == TestEnding::Exit(1));
    assert_eq!(bench.cluster.executed(), 1);
    assert_eq!(bench.cluster.calls("FindMissingBlobs"), uploads, "nothing is sent for a known outcome");
    let proof = bench.try_run(&bench.sh("exit 1"), PROOF).unwrap();
    assert!(!proof.is_cached);
    assert_eq!(bench.cluster.executed(), 2);
    let trusting = connect(&bench.cluster, |options| options.trusts_cache = true);
    bench.worker = trusting.worker();
    assert!(bench.try_run(&bench.sh("exit 1"), PROOF).unwrap().is_cached);
}

#[test]
fn repeats_of_a_flaky_test_are_never_cached() {
    let mut bench = Bench::new();
    let repeat = SiteTerms { is_repeat: true, ..ANY };
    for executed in 1..=3 {
        let run = bench.try_run(&bench.sh("exit 1"), repeat).unwrap();
        assert!(!run.is_cached);
        assert_eq!(bench.cluster.executed(), executed);
    }
    assert!(bench.cluster.cluster.state().results.is_empty());
}

#[test]
fn a_mix_that_differs_in_one_file_sends_that_file() {
    let mut bench = Bench::with(
        ClusterOptions { compresses: false, pretends: true, ..ClusterOptions::default() },
        |_| {},
    );
    for folder in 0..50 {
        for file in 0..200 {
            bench.write(&format!("d{folder}/f{file}.c"), &format!("int f_{folder}_{file};\n"));
        }
    }
    bench.run("exit 0");
    let before = sent(&bench.cluster);
    let changed = "x".repeat(50_000);
    bench.write("d7/f7.c", &changed);
    bench.run("exit 0");
    let after = sent(&bench.cluster);
    let besides = after.0 - before.0 - changed.len() as u64;
    println!("sent beside the file: {besides} bytes in {} calls", after.1 - before.1);
    assert!(besides < 100_000, "{besides} bytes");
    // Ask what is missing, send, execute.
    assert!(after.1 - before.1 <= 3, "{} calls", after.1 - before.1);
}

/// The bytes and the calls that brought actions to the cluster.
fn sent(cluster: &FakeCluster) -> (u64, u64) {
    let bytes = cluster.cluster.state().bytes;
    let methods = ["FindMissingBlobs", "BatchUpdateBlobs", "Write", "Execute"];
    (bytes, methods.iter().map(|method| cluster.calls(method)).sum())
}

#[test]
fn large_files_and_large_outputs_arrive_whole_with_and_without_compression() {
    for compresses in [false, true] {
        let options = ClusterOptions { compresses, largest_batch: 1 << 16, ..ClusterOptions::default() };
        let mut bench = Bench::with(options, |_| {});
        let large: String = (0..60_000).map(|number| format!("{number}\n")).collect();
        bench.write("large", &large);
        let run = bench.run("cat large");
        assert_eq!(run.test.unwrap().stdout, Captured::whole(large));
        assert!(bench.cluster.calls("Write") > 0 && bench.cluster.calls("Read") > 0);
    }
}

#[test]
fn a_call_that_fails_is_repeated_and_its_outcome_stays_right() {
    let codes = [Code::Unavailable, Code::DeadlineExceeded, Code::ResourceExhausted, Code::Internal];
    for method in ["FindMissingBlobs", "BatchUpdateBlobs", "Execute", "BatchReadBlobs", "GetActionResult"] {
        let mut bench = Bench::new();
        bench.write("a.txt", "1");
        bench.cluster.order(method, &codes.map(Fault::Fail));
        let run = bench.run("exit $(cat a.txt)");
        assert_eq!(ending(&run), TestEnding::Exit(1), "{method}");
        assert_eq!(bench.cluster.calls(method), 5, "{method}");
    }
}

#[test]
fn after_five_failures_the_cluster_is_lost_and_nothing_is_concluded() {
    let mut bench = Bench::new();
    bench.cluster.order("Execute", &vec![Fault::Fail(Code::Unavailable); 5]);
    let command = bench.sh("exit 1");
    assert!(matches!(bench.try_run(&command, ANY), Err(SiteError::Gone(why)) if why.contains("5 times")));
    assert!(matches!(bench.try_run(&command, ANY), Err(SiteError::Gone(_))));
    assert_eq!(bench.cluster.calls("Execute"), 5, "a lost cluster is not asked again");
}

#[test]
fn a_refusal_is_not_repeated() {
    let mut bench = Bench::new();
    bench.cluster.order("Execute", &[Fault::Fail(Code::PermissionDenied)]);
    let command = bench.sh("exit 1");
    assert!(
        matches!(bench.try_run(&command, ANY), Err(SiteError::Gone(why)) if why.contains("permission denied"))
    );
    assert_eq!(bench.cluster.calls("Execute"), 1);
}

#[test]
fn blobs_that_the_server_lost_are_sent_again() {
    let mut bench = Bench::new();
    bench.write("a.txt", "1");
    assert_eq!(ending(&bench.run("exit $(cat a.txt)")), TestEnding::Exit(1));
    bench.write("b.txt", "1");
    bench.cluster.order("Execute", &[Fault::LoseBlobs, Fault::Fail(Code::NotFound)]);
    assert_eq!(ending(&bench.run("exit $(cat a.txt)")), TestEnding::Exit(1));
    assert_eq!(bench.cluster.calls("Execute"), 4);
    // The third time, all blobs are sent unasked.
    bench.write("a.txt", "2");
    bench.cluster.order("FindMissingBlobs", &vec![Fault::BelievesAll; 2]);
    assert_eq!(ending(&bench.run("exit $(cat a.txt)")), TestEnding::Exit(2));
    assert_eq!(bench.cluster.calls("Execute"), 7);
}

#[test]
fn a_result_with_a_wrong_digest_is_fetched_again_and_never_believed() {
    let mut bench = Bench::new();
    bench.write("a.txt", "1");
    bench.cluster.order("BatchReadBlobs", &vec![Fault::WrongBytes; 3]);
    assert_eq!(ending(&bench.run("exit $(cat a.txt)")), TestEnding::Exit(1));
    bench.write("a.txt", "0");
    bench.cluster.order("BatchReadBlobs", &vec![Fault::WrongBytes; 5]);
    let command = bench.sh("exit $(cat a.txt)");
    assert!(
        matches!(bench.try_run(&command, ANY), Err(SiteError::Gone(why)) if why.contains("wrong digest"))
    );
}

#[test]
fn a_worker_that_dies_is_replaced_and_its_exit_code_is_no_outcome() {
    let mut bench = Bench::new();
    bench.cluster.order("Execute", &[Fault::WorkerDies(137), Fault::WorkerDies(1), Fault::WorkerDies(0)]);
    assert_eq!(ending(&bench.run("exit 4")), TestEnding::Exit(4));
}

#[test]
fn a_cut_connection_is_attached_to_the_running_action_again() {
    let mut bench = Bench::new();
    bench.cluster.order("Execute", &[Fault::CutStream]);
    assert_eq!(ending(&bench.run("exit 4")), TestEnding::Exit(4));
    assert_eq!(bench.cluster.executed(), 1, "it was not executed twice");
    assert_eq!(bench.cluster.calls("WaitExecution"), 1);
}

#[test]
fn a_call_that_hangs_is_given_up_and_repeated() {
    let mut bench =
        Bench::with(ClusterOptions::default(), |options| options.call_timeout = Duration::from_millis(50));
    bench.cluster.order("FindMissingBlobs", &[Fault::Hang]);
    assert_eq!(ending(&bench.run("exit 4")), TestEnding::Exit(4));
}

#[test]
fn a_server_that_restarts_loses_no_test() {
    let mut bench =
        Bench::with(ClusterOptions::default(), |options| options.first_delay = Duration::from_millis(20));
    assert_eq!(ending(&bench.run("exit 1")), TestEnding::Exit(1));
    bench.cluster.stop();
    let command = bench.sh("exit 2");
    let (cluster, worker) = (&mut bench.cluster, &mut bench.worker);
    let candidate = SiteCandidate {
        folder: bench.folder.path(),
        command: &command,
        limits: &Limits::default(),
        terms: ANY,
        wants_reads: false,
        cancelled: &bench.cancelled,
        is_awaited: &AtomicBool::new(true),
    };
    let run = std::thread::scope(|scope| {
        let run = scope.spawn(|| worker.run(&candidate));
        cluster.start_again();
        run.join().unwrap()
    });
    assert_eq!(ending(&run.unwrap()), TestEnding::Exit(2));
}

#[test]
fn a_cancelled_test_ends_on_the_cluster_too() {
    let mut bench = Bench::new();
    let command = bench.sh("sleep 1000");
    let candidate = SiteCandidate {
        folder: bench.folder.path(),
        command: &command,
        limits: &Limits::default(),
        terms: ANY,
        wants_reads: false,
        cancelled: &bench.cancelled,
        is_awaited: &AtomicBool::new(true),
    };
    let (cluster, worker, cancelled) = (&bench.cluster, &mut bench.worker, &bench.cancelled);
    let run = std::thread::scope(|scope| {
        let run = scope.spawn(|| worker.run(&candidate));
        cluster.cluster.wait_until(|state| state.at_once > 0);
        cancelled.store(true, Ordering::SeqCst);
        run.join().unwrap()
    });
    assert_eq!(run.unwrap_err(), SiteError::Cancelled);
    drop(bench.remote);
    bench.cluster.cluster.wait_until(|state| state.cancelled > 0);
}

#[test]
fn files_that_the_judge_wants_come_back() {
    let mut bench =
        Bench::with(ClusterOptions::default(), |options| options.wanted = vec!["out/report".into()]);
    bench.run("mkdir out; echo done >out/report; echo other >out/other");
    assert_eq!(fs::read_to_string(bench.folder.path().join("out/report")).unwrap(), "done\n");
    assert!(!bench.folder.path().join("out/other").exists());
    let again = bench.run("mkdir out && echo again >out/report");
    assert_eq!(ending(&again), TestEnding::Exit(0), "the next candidate does not have them");
    assert_eq!(fs::read_to_string(bench.folder.path().join("out/report")).unwrap(), "again\n");
}

#[test]
fn quick_tests_share_actions_and_a_colleague_still_finds_each_outcome() {
    let cluster =
        FakeCluster::start(ClusterOptions { delay: Duration::from_millis(200), ..ClusterOptions::default() });
    let remote = connect(&cluster, |_| {});
    let packed = SiteTerms { alone: false, ..ANY };
    let run_all = |remote: &Remote, numbers: std::ops::Range<i32>| {
        std::thread::scope(|scope| {
            for number in numbers {
                scope.spawn(move || {
                    let mut bench = Tester::new(remote.worker());
                    let run = bench.run(&format!("exit {number}"), packed);
                    assert_eq!(ending(&run), TestEnding::Exit(number));
                });
            }
        });
    };
    // The first test shows what an action costs.
    run_all(&remote, 0..1);
    run_all(&remote, 1..25);
    let executed = cluster.executed();
    assert!(executed < 15, "{executed} actions for 25 tests");
    assert!(remote.counts().packs.load(Ordering::Relaxed) > 0);
    drop(remote);
    let colleague = connect(&cluster, |_| {});
    run_all(&colleague, 0..25);
    assert_eq!(cluster.executed(), executed, "all outcomes were in the cache");
}

/// A worker with a folder of its own.
struct Tester {
    worker: Box<dyn SiteWorker>,
    folder: TempDir,
}

impl Tester {
    fn new(worker: Box<dyn SiteWorker>) -> Self {
        Self { worker, folder: tempfile::tempdir().unwrap() }
    }

    fn run(&mut self, script: &str, terms: SiteTerms) -> SiteRun {
        let command = Command::new("sh", self.folder.path()).arguments(["-c", script]);
        let candidate = SiteCandidate {
            folder: self.folder.path(),
            command: &command,
            limits: &Limits { timeout: Duration::from_secs(5), ..Limits::default() },
            terms,
            wants_reads: false,
            cancelled: &AtomicBool::new(false),
            is_awaited: &AtomicBool::new(true),
        };
        self.worker.run(&candidate).unwrap()
    }
}

#[test]
fn without_permission_to_write_the_cache_every_test_is_an_action() {
    let options = ClusterOptions {
        accepts_results: false,
        delay: Duration::from_millis(50),
        ..ClusterOptions::default()
    };
    let cluster = FakeCluster::start(options);
    let remote = connect(&cluster, |_| {});
    for number in 0..4 {
        Tester::new(remote.worker()).run(&format!("exit {number}"), SiteTerms { alone: false, ..ANY });
    }
    assert_eq!(cluster.executed(), 4);
}

#[test]
fn what_a_build_makes_is_an_input_of_the_next_build_on_request() {
    let mut bench = Bench::with(ClusterOptions::default(), |options| options.is_warm = true);
    bench.write("Makefile", "all: a.o b.o\n%.o: %.c\n\techo $< >>built; cp $< $@\n");
    bench.write("a.c", "a");
    bench.write("b.c", "b");
    let test = |bench: &Bench, continues: bool| {
        let make = Command::new("make", bench.folder.path());
        let mut test = bench.sh("cat built a.o b.o").after(make);
        test.continues = continues;
        test
    };
    let stdout =
        |run: SiteRun| String::from_utf8(run.test.unwrap().stdout.pieces().next().unwrap().to_vec()).unwrap();
    let command = test(&bench, false);
    assert_eq!(stdout(bench.try_run(&command, ANY).unwrap()), "a.c\nb.c\nab");
    bench.write("b.c", "B");
    let command = test(&bench, true);
    assert_eq!(
        stdout(bench.try_run(&command, ANY).unwrap()),
        "a.c\nb.c\nb.c\naB",
        "only b.c was built again"
    );
    let command = test(&bench, false);
    assert_eq!(
        stdout(bench.try_run(&command, PROOF).unwrap()),
        "a.c\nb.c\naB",
        "a proof starts from nothing"
    );
}

#[test]
fn files_that_a_test_does_not_read_are_known() {
    let mut bench = Bench::new();
    bench.write("read", "x");
    bench.write("unread", "x");
    let command = bench.sh("cat read");
    let run = bench.worker.run(&SiteCandidate {
        folder: bench.folder.path(),
        command: &command,
        limits: &Limits::default(),
        terms: PROOF,
        wants_reads: true,
        cancelled: &bench.cancelled,
        is_awaited: &AtomicBool::new(true),
    });
    match run.unwrap().unread {
        Some(unread) => assert_eq!(unread, [Path::new("unread")]),
        None => howcome_testing::skip("the file system does not record when a file is read"),
    }
}
