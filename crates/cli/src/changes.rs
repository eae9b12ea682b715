//! `howcome changes`: which change broke it, or mended it.

pub(crate) mod again;
pub(crate) mod below;
mod blame;
pub(crate) mod checks;
mod clues;
pub(crate) mod conclusion;
mod estimate;
mod executed;
mod facts;
pub(crate) mod finding;
pub(crate) mod ground;
pub(crate) mod hunt;
mod likely;
mod make;
pub(crate) mod origin;
pub(crate) mod past;
pub(crate) mod plan;
pub(crate) mod request;
pub(crate) mod sources;

use crate::algorithm::Algorithm;
use crate::baseline::{self, NotReady, Sides, Terms};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::investigate::confidence;
use crate::options::{FailureOptions, NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Answered, Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::{TestCommand, split_words};
pub(crate) use again::{describe, rebuild};
use checks::{find_builder, if_refused, same_codes, say_what_is_missing, something_to_vary};
use clap::Args;
use conclusion::{conclude, say_what_could_not_be_tried, write_patches};
use facts::look_at_baseline;
use finding::Scribe;
use ground::{Abort, Live, baseline_stage, in_full};
use howcome_changes::{Carried, Reads, Space, TreeTest, Versions};
use howcome_lab::Prepare;
use howcome_run::{Because, RUN_VERSION, RunDir, RunFile};
use hunt::{Hunt, Hunted};
use origin::{Origin, Origins};
use plan::{Clue, Plan, Within};
use request::{Request, fingerprint, request_of, sources_of};
use sources::Sources;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Find the changed lines that make a test fail
///
/// Between a version that passes the test and one that fails it, the lines are found that make the difference: first the
/// commit, then the lines within it, and what else they need in order to fail. The test runs at the top of a copy of each
/// version; neither the repository nor the working tree is touched. It finds the commit that it tests, or that a mixture is made
/// from, in the environment variable HOWCOME_REVISION, and the folder that you stand in as HOWCOME_DIR.
///
/// The failure is what the test does on the bad version, the pass what it does on the good one; anything else says nothing.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChangesArgs {
    /// A version that passes: a revision, or a folder (repeatable for revisions)
    #[arg(long, value_name = "REV|DIR", required = true)]
    good: Vec<OsString>,
    /// The version that fails: a revision, a folder, or a patch for the good one (the working tree)
    #[arg(long, value_name = "REV|DIR|PATCH")]
    bad: Option<OsString>,
    /// The repository (the one that you stand in)
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// What builds a version, if the test does not do so itself; words as in a shell, without one
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// What to run before each build, where a build upon what an earlier one left cannot be trusted
    #[arg(long, value_name = "CMD", requires = "build")]
    clean: Option<String>,
    /// Vary nothing but what is at or below PATH, which may hold * and ? (repeatable)
    #[arg(long, value_name = "PATH")]
    only: Vec<OsString>,
    /// Vary nothing that is at or below PATH (repeatable)
    #[arg(long, value_name = "PATH")]
    except: Vec<OsString>,
    /// Copy what no version holds, as a file that git ignores, into each of them (repeatable)
    #[arg(long, value_name = "PATH")]
    copy: Vec<PathBuf>,
    /// Find the change that mended it: the older version fails and the newer one passes
    #[arg(long)]
    fix: bool,
    /// Where the failure has several causes, find them all
    #[arg(long)]
    all: bool,
    /// Where to search: among commits first, or among all hunks at once
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    within: Within,
    /// Do without a piece of knowledge that saves tests (repeatable)
    #[arg(long, value_enum, value_name = "CLUE")]
    without: Vec<Clue>,
    /// How to search below the commits (narrow)
    #[arg(long, value_name = "NAME", value_enum)]
    algorithm: Option<Algorithm>,
    /// Leave out first what the failing run never executes: `gcov`, for programs that a C compiler builds, or a command that runs
    /// after the test of the bad version and prints coverage as lcov or gcov's JSON do
    #[arg(long, value_name = "gcov|CMD")]
    coverage: Option<String>,
    /// Where to write the patch (culprit.patch in the folder of the run)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    failure: FailureOptions,
    #[command(flatten)]
    new_run: NewRunOptions,
    #[command(flatten)]
    run: RunOptions,
    /// The test: a program and its arguments. One that is part of the versions is taken from the bad one
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  Which line since v1.0 broke it?
    howcome changes --good v1.0 --bad HEAD --build 'make -s' -- ./check.sh

  With a script written for `git bisect run`:
    howcome changes --good v1.0 --bad HEAD --codes bisect -- ./bisect.sh

  Between two releases that were unpacked here, without a script:
    howcome changes --good prog-1.0 --bad prog-1.1 --build make --fails-when 'stdout~nan' -- ./prog 2";

/// The name of the patch in the folder of the run.
const PATCH: &str = "culprit.patch";

pub(crate) fn run(args: ChangesArgs) -> Result<Exit, Failure> {
    args.failure.terms()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    talk.now("reading the versions");
    let stands = crate::test_command::stands()?;
    let mut origins = Origins::find(&args.good, args.bad.as_deref(), args.repo.as_deref(), &stands)?;
    if args.fix {
        origins.put_older_first();
    }
    let test = TestCommand::parse(&args.test, args.build.is_some())?;
    let test_in_tree = Sources::in_bad_version(&origins, &test.program)
        .filter(|_| test.is_path && test.program.is_absolute());
    let mut request = Request {
        build: args.build.as_deref().map(|build| split_words(build, "--build")).transpose()?,
        clean: args.clean.as_deref().map(|clean| split_words(clean, "--clean")).transpose()?,
        origins,
        test,
        test_in_tree: None,
        only: args.only,
        except: args.except,
        copy: args.copy,
        fix: args.fix,
        all: args.all,
        within: args.within,
        without: args.without,
        coverage: args.coverage,
        algorithm: args.algorithm,
        output: args.output.map(|path| stands.join(path)),
        failure: args.failure,
        fingerprint: None,
    };
    if let Some(output) = &request.output {
        crate::options::can_be_written(output)?;
    }
    let sources =
        Sources::read(&request.origins, test_in_tree.as_ref(), &request.copy, &stands, request.within)?;
    // What cannot be written in text is tested from where it is.
    request.test_in_tree = test_in_tree
        .filter(|path| sources.bad.base.tree().get(path).is_some())
        .and_then(|path| String::from_utf8(path.as_bytes().to_vec()).ok());
    request.fingerprint = fingerprint(&request.origins, &sources)?;
    for (flag, words) in [("--clean", &mut request.clean), ("--build", &mut request.build)] {
        if let Some(words) = words {
            find_builder(flag, words, sources.bad.base.tree(), &stands)?;
        }
    }
    say_what_is_missing(&request, &sources, &talk);
    let plan = request.plan()?;
    something_to_vary(&request, &sources, &plan)?;
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "changes".to_owned(),
        algorithm: {
            let below = request.algorithm.map_or("narrow", Algorithm::name);
            let is_by_commits = sources.past.is_some() && request.within == Within::Commit;
            if is_by_commits { format!("bisect, {below}") } else { below.to_owned() }
        },
        jobs: args.run.jobs(),
        started: now(),
        request: serde_json::to_value(&request)
            .map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?,
    };
    let run_dir = RunFolder::choose(args.new_run.run_dir, "changes", file.started);
    let mut session = Session::begin(&run_dir, file, &args.run, talk)?;
    for warning in sources.warnings.iter().cloned().chain(same_codes(&request)) {
        session.warn(&warning)?;
    }
    answer(session, &request, &sources, plan, args.new_run.dry_run)
}

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = request_of(run.file())?;
    let sources = sources_of(&request)?;
    let plan = request.plan()?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    answer(session, &request, &sources, plan, false)
}

fn answer(
    mut session: Session,
    request: &Request,
    sources: &Sources,
    mut plan: Plan,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let answered = investigate(&mut session, request, sources, &mut plan, dry_run);
    session.conclude(answered)
}

/// From the versions to the answer: `None` after a dry run.
fn investigate(
    session: &mut Session,
    request: &Request,
    sources: &Sources,
    plan: &mut Plan,
    dry_run: bool,
) -> Result<Option<Answered>, Failure> {
    let recipe = Arc::new(request.recipe());
    let space = versions(request, sources);
    let reads = Reads::default();
    let test = TreeTest { reads: Some(Arc::clone(&reads)), ..TreeTest::new(&space, &recipe) };
    let subject: Arc<dyn Prepare> = Arc::new(test);
    let stage = baseline_stage();
    session.driver.begin(&in_full(&stage, &*subject))?;
    let mut lab = request.failure.terms()?;
    (lab.any_message, lab.zero_is_pass) = (true, !request.fix);
    let terms = Terms { lab, two_sided: true, sides: Sides::Versions, if_refused: if_refused(request) };
    let ready = match baseline::prepare(session, &stage.name, &subject, &request.failure, &terms) {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return Ok(Some(*answered)),
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    if request.fix && ready.nothing_ends == Because::Exit(0) && request.failure.says_nothing() {
        let old = request.origins.good.first().map(Origin::name).unwrap_or_default();
        let message =
            format!("the older version, {old}, passes and the newer one fails, so nothing was mended");
        let failure = Failure::wrong_use(message.clone())
            .exit(Exit::NothingToExplain)
            .hint("leave --fix out to find what broke it");
        return Ok(Some(Answered::refused(failure, message)));
    }
    if !request.failure.flaky {
        look_at_baseline(session, sources, plan, &ready, &reads)?;
    }
    plan.executed = executed::learn(session, request, &recipe, &space)?;
    if dry_run {
        estimate::say(session, sources, plan, &ready);
        return Ok(None);
    }
    let patch_file = match (&request.output, session.dir()) {
        (Some(output), _) => Some(output.clone()),
        (None, dir) => dir.map(|dir| dir.join(PATCH)),
    };
    let scribe = Scribe {
        sources,
        stands: &request.test.directory,
        origins: &request.origins,
        fix: request.fix,
        patch_file: patch_file.as_deref(),
    };
    let mut ground = Live { session, recipe, judge: ready.judge, repeat: ready.repeat };
    let hunted = match (Hunt { sources, plan, carried: Carried::default() }).run(&mut ground) {
        Ok(hunted) => hunted,
        Err(Abort::Failure(failure)) => return Err(failure),
        Err(Abort::Reached) => return Err(Failure::wrong_use("the search looked for itself").exit(Exit::Bug)),
    };
    if let Hunted::Found(causes) = &hunted {
        say_what_could_not_be_tried(session, causes)?;
    }
    let mut answered = conclude(&scribe, hunted);
    if let (Some(conclusion), Some(written)) = (&mut answered.0.conclusion, &answered.1) {
        conclusion.confidence = confidence(session, &ready.repeat);
        write_patches(session, patch_file.as_deref(), &written.patches)?;
    }
    Ok(Some(answered.0))
}

/// The two versions as they are.
fn versions(request: &Request, sources: &Sources) -> Arc<dyn Space> {
    let name = |origin: Option<&Origin>| origin.map(Origin::name).unwrap_or_default();
    Arc::new(Versions {
        candidates: vec![
            (name(request.origins.good.first()), sources.good.clone(), sources.good_commit),
            (name(Some(&request.origins.bad)), sources.bad.clone(), sources.bad_commit),
        ],
    })
}
