//! `howcome changes`: which change broke it, or mended it.

mod below;
mod blame;
mod clues;
mod estimate;
mod finding;
mod ground;
mod hunt;
mod make;
mod origin;
mod past;
mod plan;
mod sources;

use crate::baseline::{self, NotReady, Ready, Sides, Terms};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::investigate::{confidence, why_stopped};
use crate::options::{FailureOptions, NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Answered, Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::TestCommand;
use clap::Args;
use finding::{Scribe, Written};
use ground::{Abort, Live, Replayed, baseline_stage, in_full};
use howcome_changes::{
    ChangeSet, PathFilter, Reads, Recipe, Space, TreePath, TreeTest, Versions, changed_since_written,
    patch_of_good,
};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::{Prepare, Seen};
use howcome_run::{
    Conclusion, Content, Ending, Minimal, RUN_VERSION, Recorded, RunDir, RunFile, Verified, read_journal,
};
use hunt::{Cause, Hunt, Hunted};
use origin::{Origin, Origins};
use plan::{Clue, Outputs, Plan, Within};
use serde::{Deserialize, Serialize};
use sources::Sources;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

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

/// What `run.json` keeps of the command line: everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Request {
    origins: Origins,
    test: TestCommand,
    /// The test, where it is part of the versions.
    test_in_tree: Option<String>,
    build: Option<Vec<String>>,
    clean: Option<Vec<String>>,
    #[serde(with = "crate::test_command::words")]
    only: Vec<OsString>,
    #[serde(with = "crate::test_command::words")]
    except: Vec<OsString>,
    copy: Vec<PathBuf>,
    fix: bool,
    all: bool,
    within: Within,
    without: Vec<Clue>,
    output: Option<PathBuf>,
    failure: FailureOptions,
    /// What identifies the differences between versions that are no commits.
    fingerprint: Option<Content>,
}

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
    let test = TestCommand::parse(&args.test)?;
    let test_in_tree = Sources::in_bad_version(&origins, &test.program).filter(|_| test.is_path);
    let mut request = Request {
        build: args.build.as_deref().map(|build| words(build, "--build")).transpose()?,
        clean: args.clean.as_deref().map(|clean| words(clean, "--clean")).transpose()?,
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
        output: args.output.map(|path| stands.join(path)),
        failure: args.failure,
        fingerprint: None,
    };
    let sources = Sources::read(&request.origins, test_in_tree.as_ref(), &request.copy, &stands)?;
    // What cannot be written in text is tested from where it is.
    request.test_in_tree = test_in_tree
        .filter(|path| sources.bad.base.tree().get(path).is_some())
        .and_then(|path| String::from_utf8(path.as_bytes().to_vec()).ok());
    request.fingerprint = fingerprint(&request.origins, &sources)?;
    for words in [&mut request.clean, &mut request.build].into_iter().flatten() {
        find_builder(words, &sources, &stands)?;
    }
    say_what_is_missing(&request, &sources, &talk);
    let plan = request.plan()?;
    something_to_vary(&request, &sources, &plan)?;
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "changes".to_owned(),
        algorithm: if sources.past.is_some() && request.within == Within::Commit {
            "bisect, narrow"
        } else {
            "narrow"
        }
        .to_owned(),
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

/// What was tested, for people.
pub(crate) fn describe(
    run: &Path,
    file: &RunFile,
    stage: u32,
    unit: &str,
    configuration: &Configuration,
) -> Result<String, Failure> {
    let space = space_of(run, file, stage)?;
    let (count, deltas) = (configuration.len(), space.deltas());
    if unit == "commit" {
        // It builds on all the others.
        let last = configuration.last().map(|last| space.describe(last));
        return Ok(format!(
            "commit {} ({count} of {deltas})\n",
            last.unwrap_or_else(|| "of the good version".to_owned())
        ));
    }
    let upon = space
        .revision(configuration)
        .map_or_else(String::new, |commit| format!(" upon commit {}", commit.short()));
    let mut text = format!("{count} of {}{upon}:\n", howcome_report::count(deltas.into(), unit));
    for delta in configuration.slice(0..SHOWN).iter() {
        text += &format!("    {}\n", howcome_report::printable(&space.describe(delta)));
    }
    if count > SHOWN {
        text += &format!("    … and {} more\n", count - SHOWN);
    }
    Ok(text)
}

/// More changes than this are not listed.
const SHOWN: usize = 20;

/// Makes the version of a test again, to be tried by hand.
pub(crate) fn rebuild(
    run: &Path,
    file: &RunFile,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let request = request_of(file)?;
    let space = space_of(run, file, stage)?;
    let candidate =
        space.candidate(configuration).map_err(|because| Failure::wrong_use(because.to_string()))?;
    fs::create_dir_all(into).map_err(|error| Failure::file(into, &error))?;
    let into = into.canonicalize().map_err(|error| Failure::file(into, &error))?;
    if fs::read_dir(&into).map_err(|error| Failure::file(&into, &error))?.next().is_some() {
        return Err(Failure::wrong_use(format!("{} is not empty", into.display())).hint("name a new folder"));
    }
    howcome_changes::Checkout::fresh(&into, candidate).map_err(|error| Failure::file(&into, &error))?;
    let word = |text: &str| howcome_report::shell_word(text);
    let mut steps = vec![format!("cd {}", word(&into.to_string_lossy()))];
    let revision = space.revision(configuration).map(|commit| commit.to_string()).unwrap_or_default();
    steps.push(format!(
        "export HOWCOME_REVISION={revision} HOWCOME_DIR={}",
        word(&request.test.directory.to_string_lossy())
    ));
    for words in [&request.clean, &request.build].into_iter().flatten() {
        steps.push(words.iter().map(|text| word(text)).collect::<Vec<_>>().join(" "));
    }
    let test = match &request.test_in_tree {
        Some(path) => {
            TestCommand { program: PathBuf::from(format!("./{path}")), ..request.test.clone() }.shell_words()
        }
        None => request.test.shell_words(),
    };
    steps.push(test);
    Ok(steps.join(" && "))
}

/// What was varied in a stage of a run: the way is gone again by what is recorded of it.
fn space_of(run: &Path, file: &RunFile, stage: u32) -> Result<Arc<dyn Space>, Failure> {
    let request = request_of(file)?;
    let sources = sources_of(&request)?;
    let mut plan = request.plan()?;
    let recorded: Recorded = read_journal(&howcome_run::journal_path(run))?;
    plan.outputs = read_outputs(run);
    plan.unread = read_unread(run);
    // The first stage is the baseline.
    if stage == 0 {
        return Ok(versions(&request, &sources));
    }
    let mut ground = Replayed::new(&recorded, Arc::new(request.recipe()), stage - 1);
    ground.begin_baseline(&versions(&request, &sources))?;
    match (Hunt { sources: &sources, plan: &plan }).run(&mut ground) {
        Err(Abort::Failure(failure)) => Err(failure),
        _ => ground.space.ok_or_else(|| {
            Failure::wrong_use("the record does not say what was tested there")
                .hint("the test can be repeated only with the versions as they were when the run began")
        }),
    }
}

fn answer(
    mut session: Session,
    request: &Request,
    sources: &Sources,
    mut plan: Plan,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let answered = investigate(&mut session, request, sources, &mut plan, dry_run);
    match answered {
        Ok(Some(answered)) => session.end(answered),
        Ok(None) => session.forget().map(|()| Exit::Found),
        // What never began is not worth a folder.
        Err(failure) if failure.code() == Exit::WrongUse && session.is_new() => {
            session.forget().and(Err(failure))
        }
        Err(failure) => Err(failure),
    }
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
    look_at_baseline(session, sources, plan, &ready, &reads)?;
    if dry_run {
        estimate::say(session, sources, plan, &ready);
        return Ok(None);
    }
    let patch_file = match (&request.output, session.dir()) {
        (Some(output), _) => Some(output.clone()),
        (None, dir) => dir.map(|dir| dir.join(PATCH)),
    };
    let scribe =
        Scribe { sources, origins: &request.origins, fix: request.fix, patch_file: patch_file.as_deref() };
    let mut ground = Live { session, recipe, judge: ready.judge, repeat: ready.repeat };
    let hunted = match (Hunt { sources, plan }).run(&mut ground) {
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

/// What the baseline shows beside its outcome: what both sides print, and files that the build has changed.
fn look_at_baseline(
    session: &mut Session,
    sources: &Sources,
    plan: &mut Plan,
    ready: &Ready,
    reads: &Reads,
) -> Result<(), Failure> {
    let printed =
        |seen: &Seen| seen.stdout.pieces().chain(seen.stderr.pieces()).collect::<Vec<_>>().join(&b'\n');
    let [bad, good] = &ready.seen;
    let sides = [(bad, &sources.bad), (good, &sources.good)];
    if session.is_new() {
        let changed: std::collections::BTreeSet<TreePath> = sides
            .iter()
            .flat_map(|(seen, version)| changed_since_written(&seen.workspace, version))
            .collect();
        if let Some(first) = changed.first() {
            let more =
                if changed.len() > 1 { format!(" and {} more", changed.len() - 1) } else { String::new() };
            session.warn(&format!(
                "the build or the test writes into the source tree ({first}{more}); such files are restored before each test, \
                 but a build that goes on from what it wrote there may be wrong; --clean CMD helps"
            ))?;
        }
    }
    let outputs = Outputs { good: printed(good), bad: printed(bad) };
    keep_outputs(session, &outputs);
    // Those of the first session, so that a resumed run asks the same.
    plan.outputs = session.dir().and_then(read_outputs).or(Some(outputs));
    let unread = unread_by_both(reads, &ready.seen);
    match session.dir() {
        Some(dir) => {
            if !dir.join(UNREAD).exists() {
                let _ = fs::write(
                    dir.join(UNREAD),
                    unread.iter().map(TreePath::as_bytes).collect::<Vec<_>>().join(&0),
                );
            }
            plan.unread = read_unread(dir);
        }
        None => plan.unread = unread,
    }
    Ok(())
}

/// The files that neither side has read.
fn unread_by_both(reads: &Reads, seen: &[Seen; 2]) -> Vec<TreePath> {
    let mut reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
    let mut unread = |configuration: Configuration, seen: &Seen| {
        let trace = reads.remove(&configuration.to_string())?;
        Some(trace.finish_in(&seen.workspace))
    };
    match (unread(Configuration::all(1), &seen[0]), unread(Configuration::empty(), &seen[1])) {
        (Some(bad), Some(good)) => good.intersection(&bad).cloned().collect(),
        _ => Vec::new(),
    }
}

const OUTPUTS: [&str; 2] = ["good-output", "bad-output"];
const UNREAD: &str = "unread";

fn keep_outputs(session: &Session, outputs: &Outputs) {
    let Some(dir) = session.dir() else { return };
    for (name, printed) in OUTPUTS.iter().zip([&outputs.good, &outputs.bad]) {
        let path = dir.join(name);
        if !path.exists() {
            // What cannot be kept only makes the search less clever when it is resumed.
            let _ = fs::write(path, printed);
        }
    }
}

fn read_outputs(run: &Path) -> Option<Outputs> {
    let read = |name: &str| fs::read(run.join(name)).ok();
    Some(Outputs { good: read(OUTPUTS[0])?, bad: read(OUTPUTS[1])? })
}

fn read_unread(run: &Path) -> Vec<TreePath> {
    let listed = fs::read(run.join(UNREAD)).unwrap_or_default();
    let paths = listed.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.filter_map(|path| TreePath::new(path).ok()).collect()
}

/// An answer that cannot be carried to one of the two versions is still right where it was found.
fn say_what_could_not_be_tried(session: &mut Session, causes: &[Cause]) -> Result<(), Failure> {
    let proofs = causes.iter().map(|cause| &cause.proof);
    for (seen, what) in proofs
        .flat_map(|proof| [(&proof.alone, "applied to the good"), (&proof.without, "taken from the bad")])
    {
        if let Some(hunt::Seen::DidNotApply(why)) = seen {
            session.warn(&format!("the change could not be {what} version to confirm it there: {why}"))?;
        }
    }
    Ok(())
}

/// How it ended, and what is to be written down.
fn conclude(scribe: &Scribe<'_>, hunted: Hunted) -> (Answered, Option<Written>) {
    let answered =
        |ending, conclusion, failure, why| Answered { ending, conclusion, answer: None, failure, why };
    match hunted {
        Hunted::Found(causes) => {
            let (written, Some(first)) = (scribe.causes(&causes), causes.first()) else {
                return (answered(Ending::Undecided, None, None, None), None);
            };
            let verified = Verified {
                alone_fails: first.proof.alone.as_ref().and_then(|seen| seen.is(Outcome::Fail)),
                without_passes: first.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)),
            };
            let minimal = Minimal { of: howcome_report::plural(first.unit), checked: first.is_minimal };
            let conclusion = written.as_ref().map(|written| Conclusion {
                finding: written.json.clone(),
                minimal,
                verified,
                confidence: None,
            });
            (answered(Ending::Found, conclusion, None, None), written)
        }
        Hunted::Undecided(pair) => {
            let written = scribe.best(&pair, None);
            let conclusion = partial(&written, "commits");
            let why = "nothing between the last version that passes and the first that fails could be judged"
                .to_owned();
            (answered(Ending::Undecided, Some(conclusion), None, Some(why)), Some(written))
        }
        Hunted::Stopped { why, found, best } => {
            let written = scribe
                .causes(&found)
                .or_else(|| best.map(|(pair, narrowed)| scribe.best(&pair, narrowed.as_ref())));
            let (ending, why, failure) = why_stopped(why);
            let conclusion = written.as_ref().map(|written| partial(written, "hunks"));
            (answered(ending, conclusion, failure, Some(why)), written)
        }
    }
}

fn partial(written: &Written, of: &str) -> Conclusion {
    Conclusion {
        finding: written.json.clone(),
        minimal: Minimal { of: of.to_owned(), checked: false },
        verified: Verified::default(),
        confidence: None,
    }
}

fn write_patches(session: &mut Session, path: Option<&Path>, patches: &[Vec<u8>]) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    for (cause, patch) in patches.iter().enumerate() {
        let path = finding::numbered(path, cause);
        if let Err(error) = fs::write(&path, patch) {
            session.warn(&format!(
                "{} could not be written: {}",
                path.display(),
                crate::failure::plain(&error)
            ))?;
        }
    }
    Ok(())
}

impl Request {
    fn recipe(&self) -> Recipe {
        let os = |words: &Option<Vec<String>>| {
            words.as_ref().map(|words| words.iter().map(OsString::from).collect())
        };
        let program = match &self.test_in_tree {
            Some(path) => PathBuf::from(format!("./{path}")),
            None => self.test.program.clone(),
        };
        Recipe {
            clean: os(&self.clean),
            build: os(&self.build),
            build_variables: make::keep_going(std::env::var_os("MAKEFLAGS").as_deref()),
            program,
            arguments: self.test.arguments.clone(),
            directory: self.test.directory.clone(),
        }
    }

    fn plan(&self) -> Result<Plan, Failure> {
        let filter = PathFilter::new(&self.only, &self.except)
            .map_err(|error| Failure::wrong_use(error.to_string()).hint(error.hint()))?;
        Ok(Plan {
            within: self.within,
            all: self.all,
            filter,
            only: self.only.clone(),
            except: self.except.clone(),
            without: self.without.clone(),
            outputs: None,
            unread: Vec::new(),
        })
    }
}

fn request_of(file: &RunFile) -> Result<Request, Failure> {
    serde_json::from_value(file.request.clone())
        .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
}

/// The versions as they were when the run began.
fn sources_of(request: &Request) -> Result<Sources, Failure> {
    let same = request.test_in_tree.as_ref().and_then(|path| TreePath::new(path.as_bytes()).ok());
    let sources = Sources::read(&request.origins, same.as_ref(), &request.copy, &request.test.directory)?;
    if fingerprint(&request.origins, &sources)? != request.fingerprint {
        return Err(Failure::wrong_use("the versions have changed since the run began")
            .hint("restore them, or start a new run"));
    }
    Ok(sources)
}

/// Commits stay what they are; folders and the working tree may change.
fn fingerprint(origins: &Origins, sources: &Sources) -> Result<Option<Content>, Failure> {
    if origins.bad.commit().is_some() && origins.good.iter().all(|good| good.commit().is_some()) {
        return Ok(None);
    }
    let changes = differences(sources)?;
    Ok(Some(Content::of([patch_of_good(&changes, &changes.all()).as_slice()])))
}

fn differences(sources: &Sources) -> Result<ChangeSet, Failure> {
    ChangeSet::between(sources.good.base.tree(), sources.bad.base.tree())
        .map_err(|error| origin::failure(&error, Some(error.hint().to_owned())))
}

/// Versions that are the same have nothing to explain, and neither has a part of them that is.
fn something_to_vary(request: &Request, sources: &Sources, plan: &Plan) -> Result<(), Failure> {
    let changes = differences(sources)?;
    let good = request.origins.good.first().map(Origin::name).unwrap_or_default();
    if changes.is_empty() {
        let message = match &request.origins.bad {
            Origin::WorkingTree => format!("the working tree is the same as the good version, {good}"),
            bad => format!("the good version, {good}, and the bad one, {}, hold the same files", bad.name()),
        };
        let hint = match &request.test_in_tree {
            Some(_) => "give two versions that differ in more than the test itself",
            None => "give two versions that differ",
        };
        return Err(Failure::wrong_use(message).hint(hint).exit(Exit::NothingToExplain));
    }
    if changes.split_by(&plan.filter).0.is_empty() {
        let paths = changes.paths_of(&changes.all());
        let first: Vec<String> = paths.iter().take(5).map(ToString::to_string).collect();
        let more = if paths.len() > first.len() { ", …" } else { "" };
        return Err(Failure::wrong_use(
            "--only and --except leave nothing that differs between the versions",
        )
        .hint(format!("what differs: {}{more}", first.join(", "))));
    }
    Ok(())
}

/// What builds is part of the versions, a program in PATH, or something from where the user stands.
fn find_builder(words: &mut [String], sources: &Sources, stands: &Path) -> Result<(), Failure> {
    let Some(program) = words.first_mut() else { return Ok(()) };
    if !program.contains('/') {
        return match crate::test_command::in_path(OsStr::new(program.as_str())) {
            Some(_) => Ok(()),
            None => Err(Failure::wrong_use(format!("the build `{program}` is not a program in PATH"))
                .hint("give its path, or install it")),
        };
    }
    let in_tree = TreePath::new(program.trim_start_matches("./").as_bytes())
        .is_ok_and(|path| sources.bad.base.tree().get(&path).is_some());
    let here = stands.join(program.trim_start_matches("./"));
    match (in_tree, here.is_file()) {
        (true, _) => Ok(()),
        (false, true) => {
            *program = here.display().to_string();
            Ok(())
        }
        (false, false) => {
            Err(Failure::wrong_use(format!("the build {program} is neither in the bad version nor here")))
        }
    }
}

/// Splits a command as a shell would.
fn words(command: &str, flag: &str) -> Result<Vec<String>, Failure> {
    match shlex::split(command) {
        None => Err(Failure::wrong_use(format!("a quote in `{command}` is not closed"))
            .hint(format!("look at {flag}"))),
        Some(words) if words.is_empty() => Err(Failure::wrong_use(format!("{flag} is empty"))),
        Some(words) => Ok(words),
    }
}

/// Tests run in copies of the versions, where not everything is that is where the user stands.
fn say_what_is_missing(request: &Request, sources: &Sources, talk: &Talk) {
    for argument in &request.test.arguments {
        let in_tree = |path: &OsStr| {
            use std::os::unix::ffi::OsStrExt;
            let path = TreePath::new(path.as_bytes());
            path.is_ok_and(|path| sources.bad.base.tree().get(&path).is_some())
        };
        crate::test_command::warn_if_relative(argument, &request.test.directory, talk, in_tree);
    }
}

/// Where a build within the test may end in the code that means failure, mixes that do not build are taken for failures.
fn same_codes(request: &Request) -> Option<String> {
    let program = request.test.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let builds =
        ["make", "gmake", "ninja", "cargo", "cmake", "ctest", "go", "mvn", "gradle", "meson", "bazel"];
    let is_said = !request.failure.fails_when.is_empty();
    (request.build.is_none() && builds.contains(&program) && !is_said).then(|| {
        format!(
            "`{program}` may end with the same code where a version does not build and where it fails the test, so one would be \
             taken for the other; give what builds it as --build CMD"
        )
    })
}

/// What to look at where both sides end alike.
fn if_refused(request: &Request) -> Option<String> {
    let is_git = request.origins.repository.is_some();
    is_git.then(|| {
        "the test runs in copies that hold what git tracks and nothing else; if it needs a file that git ignores, \
         add it by --copy PATH"
            .to_owned()
    })
}
