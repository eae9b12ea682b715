//! `howcome history`: which change broke it, although no old revision passes as it is.

use crate::exit::Exit;
use crate::interrupts::also_interrupt_by;
use crate::lab_setup::{current_folder, lab_options};
use crate::options::{FailureArgs, HoldingArgs, NewRunArgs, RunArgs};
use crate::question::{QuestionCommands, TestOfRun, arguments};
use crate::session::{begin, finish, make_flags, start_lab, warn_of_shared_builds};
use crate::talk::Talk;
use clap::Args;
use howcome_changes::history::{
    HistoryRequest, RecordedStage, RevisionSource, SameRequest, algorithms, ask, describe, rebuild,
};
use howcome_changes::{HelperSetup, ListCommands, ListedRevisions};
use howcome_lab::inquiry::{Concluded, Listener, Response, TestCommand, split_words};
use howcome_run::{Ending, Halt, Problem, ProblemKind, QuestionName, RunDir};
use std::ffi::OsString;
use std::path::PathBuf;

/// Find what broke a test although no old revision passes as it is
///
/// A test fails today. Perhaps it passed long ago, but older revisions fail differently: an option is missing, or they do not build.
/// So howcome walks back through history. If a revision fails differently, howcome back-ports changes of newer revisions, as far as
/// they apply, so that it fails in the original way. Once a revision passes, howcome makes the back-ported patch as small as possible,
/// finds the cause as `howcome changes` does, and carries the reversal of the cause forward to the revision that fails today.
///
/// The failure is what the test does on the bad revision. The test passes if it exits with 0, or as --passes-when says. It runs at
/// the top of a copy of each revision; howcome touches neither the repository nor the working tree.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HistoryArgs {
    /// The revision that fails (HEAD, or the last one of --revisions-from)
    #[arg(long, value_name = "REV")]
    bad: Option<OsString>,
    /// The oldest revision to test (the first one)
    #[arg(long, value_name = "REV")]
    back_to: Option<OsString>,
    /// The repository (the one that holds the current folder)
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// The command that builds a revision, if the test does not build it; a shell runs it if it contains && or the like
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// The command to run before each build, if a build on top of an earlier one cannot be trusted
    #[arg(long, value_name = "CMD", requires = "build")]
    clean: Option<String>,
    /// Copy a file that no revision holds, such as one that git ignores, into every revision (repeatable)
    #[arg(long, value_name = "PATH")]
    copy: Vec<PathBuf>,
    #[command(flatten)]
    holding: HoldingArgs,
    #[command(flatten)]
    listed: ListedArgs,
    #[command(flatten)]
    failure: FailureArgs,
    #[command(flatten)]
    same: SameArgs,
    /// Test the revisions one by one, so that no revision that passes is missed; it can take many more tests
    #[arg(long)]
    every_revision: bool,
    /// Do not end a search that makes no progress; it can take many more tests
    #[arg(long)]
    thorough: bool,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
    /// The test: a program and its arguments. Tests that are part of the revisions are taken from the bad revision
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  The test fails today. Did it ever pass?
    howcome history --build 'make -s' -- ./check.sh

  Walk back to version 1.0 and no further:
    howcome history --bad main --back-to v1.0 --build make -- ./check.sh

  Releases in a folder, instead of revisions in git:
    howcome history --revisions-from 'sh -c \"ls *.tar.gz | sort -V\"' \\
        --checkout 'sh -c \"tar xf $HOWCOME_DIR/{} --strip-components=1\"' --build make -- ./check.sh";

/// Where revisions come from, if not from git.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ListedArgs {
    /// For revisions that are not in git: CMD prints their names, one per line, the oldest first; split into words as in a shell,
    /// but run without one
    #[arg(long, value_name = "CMD", requires = "checkout")]
    revisions_from: Option<String>,
    /// CMD writes a revision into the empty folder that it runs in. {} in its words, and HOWCOME_REVISION, are the name of the
    /// revision; HOWCOME_DIR is the current folder. With exit code 125, the revision is not available and is skipped
    #[arg(long, value_name = "CMD", requires = "revisions_from")]
    checkout: Option<String>,
    /// Use the revisions in the order in which CMD prints them, whatever their numbers say
    #[arg(long, requires = "revisions_from")]
    in_this_order: bool,
}

impl ListedArgs {
    /// The commands that list and check out revisions; `None` if these come from git.
    fn commands(&self) -> Option<ListCommands<'_>> {
        let (revisions_from, checkout) = self.revisions_from.as_deref().zip(self.checkout.as_deref())?;
        Some(ListCommands { revisions_from, checkout, in_this_order: self.in_this_order })
    }
}

/// What must be the same in a failure.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "The failure")]
pub(crate) struct SameArgs {
    /// It is the same failure only if WHAT is the same, too (repeatable, all must be): output (what the test prints, without
    /// numbers, addresses and temporary paths), memory or memory=FACTOR (of the largest process, within a factor of 2), time or
    /// time=FACTOR (of processors, within a factor of 3), backtrace (the innermost functions of a crash, as printed or by gdb),
    /// uninitialised (no other functions use uninitialised data, by valgrind)
    #[arg(long, value_name = "WHAT")]
    same: Vec<String>,
}

pub(crate) const QUESTION: QuestionCommands = QuestionCommands {
    name: QuestionName::History,
    command: HistoryArgs::augment_args,
    run: |matches| run(arguments(matches)?),
    resume,
    describe: |test| {
        let unit = test.summary.unit(test.stage);
        describe(stage_of(test), unit, test.configuration, &helper_setup()?)
    },
    rebuild: |test, into| rebuild(stage_of(test), test.configuration, into, &helper_setup()?),
    before: None,
};

fn run(args: HistoryArgs) -> Result<Exit, Problem> {
    if let Some(what) = args.same.same.iter().find(|what| *what != "output") {
        args.run.launch.refuse(&format!("--same {what} can only be found out on this machine"))?;
    }
    let failure = args.failure.request()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    talk.now("reading the revisions");
    let here = current_folder()?;
    let setup = helper_setup()?;
    let (bad, back_to) = (args.bad.as_deref(), args.back_to.as_deref());
    let revisions = match args.listed.commands() {
        Some(commands) => {
            RevisionSource::Listed(ListedRevisions::read(commands, bad, back_to, &here, &setup)?)
        }
        None => RevisionSource::in_git(args.repo.as_deref(), bad, back_to, &here)?,
    };
    let mut request = HistoryRequest {
        revisions,
        test: TestCommand::parse(&args.test, here, args.build.is_some())?,
        test_in_tree: None,
        same: Vec::new(),
        hold: args.holding.hold,
        vary_tests: args.holding.vary_tests,
        held: None,
        changed_tests: Vec::new(),
        build: args.build.as_deref().map(|build| split_words(build, "--build")).transpose()?,
        clean: args.clean.as_deref().map(|clean| split_words(clean, "--clean")).transpose()?,
        copy: args.copy,
        failure,
        alike: SameRequest { same: args.same.same },
        asked_as: None,
        thorough: args.thorough,
        every_revision: args.every_revision,
        test_names: Vec::new(),
    };
    let revisions = request.open(&setup)?;
    let mut session =
        begin(QuestionName::History, algorithms(), &request, &(), &args.new_run, &args.run, talk)?;
    if let Some(run) = session.dir() {
        revisions.keep_in(run)?;
        request.keep(run);
    }
    request.warn(&mut session)?;
    warn_of_shared_builds(&mut session)?;
    let mut lab = start_lab(&session, &args.run)?;
    let make_flags = make_flags();
    let dry_run = args.new_run.dry_run;
    let answered = ask(&mut session, &mut lab, &request, &revisions, make_flags.as_deref(), dry_run);
    finish(session, answered, &args.run)
}

/// The most tests for a question that the user has not asked.
const MOST_TESTS: u64 = 40;

/// Why another question than the user's is asked.
pub(crate) struct InsteadOf<'a> {
    /// Why the user's question has no answer.
    pub(crate) why: &'a str,
    /// The command that asks this question without a limit.
    pub(crate) command: &'a str,
}

/// Asks instead of a question of `howcome changes` whose good version cannot run the test.
pub(crate) fn ask_instead(
    mut request: HistoryRequest,
    instead_of: &InsteadOf<'_>,
    new_run: &NewRunArgs,
    options: &RunArgs,
) -> Result<Exit, Problem> {
    let max_tests = options.max_tests.map_or(MOST_TESTS, |most| most.min(MOST_TESTS));
    let limited = RunArgs { max_tests: Some(max_tests), ..options.clone() };
    let revisions = request.open(&helper_setup()?)?;
    let talk = Talk::new(options.quiet, options.verbose);
    let mut session = begin(QuestionName::History, algorithms(), &request, &(), new_run, &limited, talk)?;
    session.warn(&format!(
        "{}; so howcome walks back from the bad version, as `howcome history` does",
        instead_of.why
    ))?;
    if let Some(run) = session.dir() {
        request.keep(run);
    }
    let mut lab = start_lab(&session, options)?;
    let answered = ask(&mut session, &mut lab, &request, &revisions, make_flags().as_deref(), false);
    let is_used_up = session.driver.told() >= MOST_TESTS;
    let answered = answered.map(|response| match response {
        Response::Concluded(mut concluded) if is_used_up && concluded.ending == Ending::Stopped => {
            let hint = format!("to go on: {}", instead_of.command);
            concluded.ending = Ending::Undecided;
            concluded.why = Some(format!("{MOST_TESTS} tests were not enough; {hint}"));
            Response::Concluded(concluded)
        }
        other => other,
    });
    let answered = match answered {
        // A patch that does not fit an old revision: that revision cannot be tested, and nothing is known of it.
        Err(Halt::Failed(problem)) if problem.kind() == ProblemKind::NothingToExplain => {
            let why = format!("{}; {problem}", instead_of.why);
            Ok(Concluded::new(Ending::Undecided, None).because(why).into())
        }
        answered => answered,
    };
    finish(session, answered, options)
}

fn resume(run: RunDir, options: &RunArgs) -> Result<Exit, Problem> {
    let request = HistoryRequest::of(run.file())?;
    let talk = Talk::new(options.quiet, options.verbose);
    let revisions = request.resume(run.path(), &talk, &helper_setup()?)?;
    let mut session = crate::session::resume(run, options, talk)?;
    let mut lab = start_lab(&session, options)?;
    let answered = ask(&mut session, &mut lab, &request, &revisions, make_flags().as_deref(), false);
    finish(session, answered, options)
}

fn stage_of<'a>(test: &TestOfRun<'a>) -> RecordedStage<'a> {
    RecordedStage { run: test.run, file: test.file, stage: test.stage }
}

/// How commands that list and check out revisions are started. Ctrl-C stops them, too.
fn helper_setup() -> Result<HelperSetup<'static>, Problem> {
    Ok(HelperSetup { options: lab_options()?, on_interrupt: &|hook| also_interrupt_by(hook) })
}
