//! Which tests a cluster executes: guesses, repeats, and what is in doubt.
#![allow(clippy::unwrap_used)]

mod fake_cluster;

use fake_cluster::{ClusterOptions, FakeCluster, Fault};
use howcome_lab::{Command, Limits, SiteCandidate, SiteError, SiteTerms, SiteWorker, TestEnding, TestSite};
use howcome_remote::{Remote, RemoteOptions};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tonic::Code;

const ANY: SiteTerms = SiteTerms { is_proof: false, is_doubted: false, is_repeat: false, alone: true };

fn connect(cluster: &FakeCluster, trusts_cache: bool) -> Remote {
    let mut options = RemoteOptions::new(cluster.url().parse().unwrap());
    options.trusts_cache = trusts_cache;
    Remote::connect(options).unwrap()
}

/// Who is interested in a test.
#[derive(Default)]
struct Interest {
    cancelled: AtomicBool,
    is_awaited: AtomicBool,
}

impl Interest {
    fn run(&self, worker: &mut dyn SiteWorker, folder: &Path, script: &str, terms: SiteTerms) -> Seen {
        let (command, limits) = (Command::new("sh", folder).arguments(["-c", script]), Limits::default());
        let candidate = SiteCandidate {
            folder,
            command: &command,
            limits: &limits,
            terms,
            wants_reads: false,
            cancelled: &self.cancelled,
            is_awaited: &self.is_awaited,
        };
        let runs = worker.run_copies(&candidate, if terms.is_repeat { 3 } else { 1 })?;
        Ok(runs.into_iter().map(|run| (run.test.unwrap().ending.unwrap(), run.is_cached)).collect())
    }
}

/// How runs ended, and whether they are those of somebody else.
type Seen = Result<Vec<(TestEnding, bool)>, SiteError>;

fn awaited() -> Interest {
    Interest { is_awaited: AtomicBool::new(true), ..Interest::default() }
}

#[test]
fn a_guess_is_executed_when_somebody_waits_for_it() {
    let (cluster, folder) = (FakeCluster::start(ClusterOptions::default()), tempfile::tempdir().unwrap());
    let (remote, guess) = (connect(&cluster, false), Interest::default());
    let mut worker = remote.worker();
    let seen = thread::scope(|scope| {
        let run = scope.spawn(|| guess.run(&mut *worker, folder.path(), "exit 3", ANY));
        cluster.cluster.wait_until(|state| state.calls.contains_key("GetActionResult"));
        guess.is_awaited.store(true, Ordering::SeqCst);
        run.join().unwrap()
    });
    assert_eq!(seen.unwrap(), [(TestEnding::Exit(3), false)]);
}

#[test]
fn a_guess_or_proof_of_a_guess_that_nobody_asks_for_is_never_executed() {
    let (cluster, folder) = (FakeCluster::start(ClusterOptions::default()), tempfile::tempdir().unwrap());
    let first = connect(&cluster, false);
    awaited().run(&mut *first.worker(), folder.path(), "exit 1", ANY).unwrap();
    drop(first);
    let remote = connect(&cluster, false);
    // The search moves where the cache knows the way.
    let known = awaited().run(&mut *remote.worker(), folder.path(), "exit 1", ANY);
    assert_eq!(known.unwrap(), [(TestEnding::Exit(1), true)]);
    for terms in [ANY, SiteTerms { is_proof: true, ..ANY }] {
        let (guess, calls) = (Interest::default(), cluster.calls("GetActionResult"));
        let mut worker = remote.worker();
        let seen = thread::scope(|scope| {
            let run = scope.spawn(|| guess.run(&mut *worker, folder.path(), "exit 3", terms));
            if !terms.is_proof {
                cluster.cluster.wait_until(|state| state.calls["GetActionResult"] > calls);
            }
            guess.cancelled.store(true, Ordering::SeqCst);
            run.join().unwrap()
        });
        assert_eq!(seen, Err(SiteError::Cancelled));
    }
    assert_eq!(cluster.executed(), 1);
    assert_eq!(cluster.calls("Execute"), 1);
    // Now it has left the known way.
    awaited().run(&mut *remote.worker(), folder.path(), "exit 2", ANY).unwrap();
    let guess = Interest::default().run(&mut *remote.worker(), folder.path(), "exit 3", ANY);
    assert_eq!(guess.unwrap(), [(TestEnding::Exit(3), false)]);
}

#[test]
fn a_record_that_is_in_doubt_is_not_believed_even_by_those_who_trust_the_cache() {
    let (cluster, folder) = (FakeCluster::start(ClusterOptions::default()), tempfile::tempdir().unwrap());
    let remote = connect(&cluster, true);
    let run = |terms| awaited().run(&mut *remote.worker(), folder.path(), "exit 1", terms).unwrap();
    run(ANY);
    assert!(run(SiteTerms { is_proof: true, ..ANY })[0].1);
    assert!(!run(SiteTerms { is_doubted: true, ..ANY })[0].1);
    assert_eq!(cluster.executed(), 2);
}

#[test]
fn an_action_that_the_server_has_forgotten_is_executed_again() {
    let (cluster, folder) = (FakeCluster::start(ClusterOptions::default()), tempfile::tempdir().unwrap());
    cluster.order("Execute", &vec![Fault::CutStream; 3]);
    cluster.order("WaitExecution", &vec![Fault::Fail(Code::NotFound); 3]);
    let remote = connect(&cluster, false);
    // Otherwise the first execution can have reached the cache.
    let proof = SiteTerms { is_proof: true, ..ANY };
    let seen = awaited().run(&mut *remote.worker(), folder.path(), "exit 4", proof);
    assert_eq!(seen.unwrap(), [(TestEnding::Exit(4), false)]);
    assert_eq!(cluster.calls("Execute"), 4);
}

#[test]
fn repeats_of_a_flaky_test_run_at_the_same_time() {
    let (cluster, folder) = (FakeCluster::start(ClusterOptions::default()), tempfile::tempdir().unwrap());
    let meeting = tempfile::tempdir().unwrap();
    // Each run waits for the two others.
    let script = format!(
        "mktemp -p {0} && until [ $(ls {0} | wc -l) -ge 3 ]; do :; done; exit 4",
        meeting.path().display()
    );
    let remote = connect(&cluster, true);
    let repeat = SiteTerms { is_repeat: true, ..ANY };
    let seen = awaited().run(&mut *remote.worker(), folder.path(), &script, repeat);
    assert_eq!(seen.unwrap(), [(TestEnding::Exit(4), false); 3]);
    assert_eq!(cluster.executed(), 3);
}
