//! `howcome history`: which change broke it, where no old revision passes as it is.

mod again;
mod explain;
mod finding;
mod forward;
mod journey;
mod patch;
mod request;
mod travelled;

use crate::baseline::{self, NotReady, Sides, Terms};
use crate::changes::checks::find_builder;
use crate::changes::ground::{Abort, Live, Named as StageName, in_full};
use crate::changes::origin::failure;
use crate::changes::plan::Plan;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{FailureOptions, NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Answered, Session, VERSION, now};
use crate::streams::answer;
use crate::talk::Talk;
use crate::test_command::{TestCommand, split_words};
pub(crate) use again::{describe, rebuild};
use clap::Args;
use finding::Scribe;
use howcome_changes::git::Repository;
use howcome_changes::{Carried, Space, TreeTest, Walked};
use howcome_dd::Configuration;
use howcome_lab::Prepare;
use howcome_report::{count, seconds};
use howcome_run::{RUN_VERSION, RunDir, RunFile};
use journey::Journey;
use request::{Named, Past, Request, Revisions, parts_of_the_test, request_of, somewhere_to_go};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Find what broke it where no old revision passes as it is
///
/// A test fails today. It may have worked long ago, but older revisions fail in other ways: an option is missing, they do not
/// build. So the failure is carried back: where an older revision ends otherwise, the fewest changes of a newer one are found with
/// which it fails in the original way, and the walk goes on with them. Where a revision passes, the cause is found as by
/// `howcome changes`, and its reversal is carried forward to the revision that fails today.
///
/// The failure is what the test does on the bad revision; it passes where it exits with 0 (or as --passes-when says). The test runs at
/// the top of a copy of each revision; neither the repository nor the working tree is touched.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// The revision that fails (HEAD)
    #[arg(long, value_name = "REV")]
    bad: Option<OsString>,
    /// The oldest revision to look at (the first one)
    #[arg(long, value_name = "REV")]
    back_to: Option<OsString>,
    /// The repository (the one that you stand in)
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// What builds a revision, if the test does not do so itself; words as in a shell, without one
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// What to run before each build, where a build upon what an earlier one left cannot be trusted
    #[arg(long, value_name = "CMD", requires = "build")]
    clean: Option<String>,
    /// Copy what no revision holds, as a file that git ignores, into each of them (repeatable)
    #[arg(long, value_name = "PATH")]
    copy: Vec<PathBuf>,
    #[command(flatten)]
    failure: FailureOptions,
    #[command(flatten)]
    new_run: NewRunOptions,
    #[command(flatten)]
    run: RunOptions,
    /// The test: a program and its arguments. One that is part of the revisions is taken from the bad one
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  It fails today; did it ever work?
    howcome history --build 'make -s' -- ./check.sh

  Not further back than version 1.0:
    howcome history --bad main --back-to v1.0 --build make -- ./check.sh";

pub(crate) fn run(args: HistoryArgs) -> Result<Exit, Failure> {
    args.failure.terms()?;
    if args.failure.flaky {
        return Err(Failure::wrong_use(
            "--flaky needs a version that passes to compare with, and none is known yet",
        )
        .hint("say with --repeat N how often an outcome must be seen before it is believed"));
    }
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    talk.now("reading the revisions");
    let stands = crate::test_command::stands()?;
    let repository =
        Repository::discover(args.repo.as_ref().map_or(stands.clone(), |path| stands.join(path)))
            .map_err(|error| failure(&error, error.hint()))?;
    let named = |word: &OsString| {
        let id = repository.resolve(word).map_err(|error| failure(&error, error.hint()))?;
        Ok::<_, Failure>(Named { name: word.to_string_lossy().into_owned(), id: id.to_string() })
    };
    let revisions = Revisions::Git {
        repository: repository.work_tree().unwrap_or(repository.git_dir()).to_owned(),
        bad: named(&args.bad.unwrap_or_else(|| "HEAD".into()))?,
        back_to: args.back_to.as_ref().map(named).transpose()?,
    };
    let test = TestCommand::parse(&args.test, args.build.is_some())?;
    let mut request = Request {
        revisions,
        test,
        test_in_tree: None,
        same: Vec::new(),
        build: args.build.as_deref().map(|build| split_words(build, "--build")).transpose()?,
        clean: args.clean.as_deref().map(|clean| split_words(clean, "--clean")).transpose()?,
        copy: args.copy,
        failure: args.failure,
    };
    let past = request.past()?;
    somewhere_to_go(&*past.line)?;
    (request.test_in_tree, request.same) = parts_of_the_test(&request.test, request.repository(), &past.bad);
    for (flag, words) in [("--clean", &mut request.clean), ("--build", &mut request.build)] {
        if let Some(words) = words {
            find_builder(flag, words, &past.bad, &stands)?;
        }
    }
    // What the test consists of is in every revision from now on.
    let past = request.past()?;
    let plan = Request::plan()?;
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "history".to_owned(),
        algorithm: "walk, narrow".to_owned(),
        jobs: args.run.jobs(),
        started: now(),
        request: serde_json::to_value(&request)
            .map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?,
    };
    let run_dir = RunFolder::choose(args.new_run.run_dir, "history", file.started);
    let session = Session::begin(&run_dir, file, &args.run, talk)?;
    answer(session, &request, &past, &plan, args.new_run.dry_run)
}

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = request_of(run.file())?;
    let past = request.past()?;
    let plan = Request::plan()?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    answer(session, &request, &past, &plan, false)
}

fn answer(
    mut session: Session,
    request: &Request,
    past: &Past,
    plan: &Plan,
    dry_run: bool,
) -> Result<Exit, Failure> {
    match investigate(&mut session, request, past, plan, dry_run) {
        Ok(Some(answered)) => session.end(answered),
        Ok(None) => session.forget().map(|()| Exit::Found),
        // What never began is not worth a folder.
        Err(failure) if failure.code() == Exit::WrongUse && session.is_new() => {
            session.forget().and(Err(failure))
        }
        Err(failure) => Err(failure),
    }
}

/// From the revisions to the answer: `None` after a dry run.
fn investigate(
    session: &mut Session,
    request: &Request,
    past: &Past,
    plan: &Plan,
    dry_run: bool,
) -> Result<Option<Answered>, Failure> {
    let recipe = Arc::new(request.recipe());
    let space = newest(past);
    let subject: Arc<dyn Prepare> = Arc::new(TreeTest::new(&space, &recipe));
    let stage = baseline_stage();
    session.driver.begin(&in_full(&stage, &*subject))?;
    let mut lab = request.failure.terms()?;
    lab.zero_is_pass = true;
    let terms = Terms { lab, two_sided: false, sides: Sides::Revision, if_refused: None };
    let bad = Configuration::empty();
    let ready =
        match baseline::prepare_failing(session, &stage.name, &subject, &bad, &request.failure, &terms) {
            Ok(ready) => ready,
            Err(NotReady::Answered(answered)) => return Ok(Some(*answered)),
            Err(NotReady::Failed(failure)) => return Err(failure),
        };
    if dry_run {
        estimate(session, past, ready.seconds);
        return Ok(None);
    }
    let mut ground = Live { session, recipe, judge: ready.judge, repeat: ready.repeat };
    let journey = Journey { line: Arc::clone(&past.line), trees: past.trees.clone(), plan };
    let way = match journey.run(&mut ground) {
        Ok(way) => way,
        Err(Abort::Failure(failure)) => return Err(failure),
        Err(Abort::Reached) => return Err(Failure::wrong_use("the search looked for itself").exit(Exit::Bug)),
    };
    let dir = session.dir().map(std::path::Path::to_owned);
    let scribe = Scribe { request, past, ends: &ready.ends, dir: dir.as_deref() };
    let (answered, files) = scribe.conclude(way);
    for (path, text) in files {
        if let Err(error) = std::fs::write(&path, text) {
            let why = crate::failure::plain(&error);
            session.warn(&format!("{} could not be written: {why}", path.display()))?;
        }
    }
    Ok(Some(answered))
}

/// The stage in which the bad revision is tested as it is.
fn baseline_stage() -> StageName {
    StageName { name: "bad revision".to_owned(), search: "baseline", unit: "revision" }
}

/// The bad revision as it is.
fn newest(past: &Past) -> Arc<dyn Space> {
    Arc::new(Walked {
        line: Arc::clone(&past.line),
        from: past.line.len().saturating_sub(1),
        is_forward: false,
        len: 1,
        optional: Carried::default(),
        needed_before: 0,
        carried: Carried::default(),
    })
}

fn estimate(session: &Session, past: &Past, each: f64) {
    let revisions = past.line.len() as u64;
    let halvings = (revisions as f64).log2().ceil();
    // There, back, the cause, and what a patch takes.
    let tests = 3.0 * halvings + SEARCHES;
    session.talk.finish();
    answer!("{} would be walked through.\n", count(revisions, "revision"));
    answer!(
        "If one patch is needed, and one change is the cause: about {}, about {} one at a time, beside writing out the revisions.\n",
        count(tests as u64, "test"),
        seconds(tests * each)
    );
}

/// What it takes to find a patch, to make it smaller, and to find the lines of the cause.
const SEARCHES: f64 = 24.0;
