//! `howcome history`: which change broke it, where no old revision passes as it is.

mod again;
mod checkout;
mod errand;
mod explain;
mod finding;
mod forward;
mod journey;
mod list;
mod listed;
mod order;
mod patch;
mod request;
mod restore;
mod same;
mod travelled;

use crate::baseline::{self, NotReady, Sides, Terms};
use crate::changes::checks::find_builder;
use crate::changes::ground::{Abort, Live, Named as StageName, in_full};
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
use howcome_changes::{Carried, Space, TreeTest, Walked};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::Prepare;
use howcome_report::{count, seconds};
use howcome_run::{RUN_VERSION, RunDir, RunFile};
use journey::Journey;
use listed::ListedArgs;
use request::{Past, Request, Revisions, parts_of_the_test, request_of};
use same::SameOptions;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Find what broke it where no old revision passes as it is
///
/// A test fails today. It may have worked long ago, but older revisions fail in other ways: an option is missing, they do not
/// build. So the failure is carried back: where an older revision ends otherwise, what a newer one has more is carried along, as far
/// as it fits, so that the older one fails in the original way. Where a revision passes, as much as can go of that is left out, the
/// cause is found as by `howcome changes`, and its reversal is carried forward to the revision that fails today.
///
/// The failure is what the test does on the bad revision; it passes where it exits with 0 (or as --passes-when says). The test runs at
/// the top of a copy of each revision; neither the repository nor the working tree is touched.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// The revision that fails (HEAD, or the last one of --revisions-from)
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
    listed: ListedArgs,
    #[command(flatten)]
    failure: FailureOptions,
    #[command(flatten)]
    same: SameOptions,
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
    howcome history --bad main --back-to v1.0 --build make -- ./check.sh

  Releases in a folder, instead of revisions in git:
    howcome history --revisions-from 'sh -c \"ls *.tar.gz | sort -V\"' \\
        --checkout 'sh -c \"tar xf $HOWCOME_DIR/{} --strip-components=1\"' --build make -- ./check.sh";

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
    let revisions = match args.listed.read(args.bad.as_deref(), args.back_to.as_deref(), &stands)? {
        Some(listed) => Revisions::Listed(listed),
        None => {
            Revisions::in_git(args.repo.as_deref(), args.bad.as_deref(), args.back_to.as_deref(), &stands)?
        }
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
        alike: args.same,
    };
    let past = request.past(None)?;
    (request.test_in_tree, request.same) = parts_of_the_test(&request.test, request.repository(), &past.bad);
    for (flag, words) in [("--clean", &mut request.clean), ("--build", &mut request.build)] {
        if let Some(words) = words {
            find_builder(flag, words, &past.bad, &stands)?;
        }
    }
    // What the test consists of is in every revision from now on.
    let past = match &past.opened {
        Some(opened) => request.listed(Arc::clone(opened))?,
        None => request.past(None)?,
    };
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
    if let (Some(opened), Some(run)) = (&past.opened, session.dir()) {
        opened.keep_in(run)?;
    }
    answer(session, &request, &past, &plan, args.new_run.dry_run)
}

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = request_of(run.file())?;
    let talk = Talk::new(options.quiet, options.verbose);
    if let Revisions::Listed(listed) = &request.revisions {
        listed.look_again(&talk)?;
    }
    let past = request.past(Some(run.path()))?;
    let plan = Request::plan()?;
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
    let answered = investigate(&mut session, request, past, plan, dry_run);
    session.conclude(answered)
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
    let space = as_they_are(past);
    let subject: Arc<dyn Prepare> = Arc::new(TreeTest::new(&space, &recipe));
    let stage = baseline_stage();
    session.driver.begin(&in_full(&stage, &*subject))?;
    let mut lab = request.failure.terms()?;
    lab.zero_is_pass = true;
    lab.same = request.alike.same()?;
    session.local.set_same(&lab.same);
    let terms = Terms { lab, two_sided: false, sides: Sides::Revision, if_refused: None };
    let bad = Configuration::empty().with_delta(DeltaId(past.line.len().saturating_sub(1) as u32));
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
    let journey = Journey { past, plan };
    let mut way = match journey.run(&mut ground) {
        Ok(way) => way,
        Err(Abort::Failure(failure)) => return Err(failure),
        Err(Abort::Reached) => return Err(Failure::wrong_use("the search looked for itself").exit(Exit::Bug)),
    };
    way.see_what_was_told(&session.summary());
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

/// The revisions as they are.
fn as_they_are(past: &Past) -> Arc<dyn Space> {
    Arc::new(Walked {
        line: Arc::clone(&past.line),
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
