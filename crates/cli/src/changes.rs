//! `howcome changes`: which change broke it, or fixed it.

use crate::exit::Exit;
use crate::history::{InsteadOf, ask_instead};
use crate::lab_setup::current_folder;
use crate::options::{
    AlgorithmChoice, FailureArgs, HoldingArgs, NewRunArgs, RelationArgs, RunArgs, can_be_written,
};
use crate::question::{QuestionCommands, arguments};
use crate::session::{begin, finish, make_flags, start_lab, warn_of_shared_builds};
use crate::talk::Talk;
use clap::{Args, ValueEnum};
use howcome_changes::question::{ChangesRequest, as_history, ask, describe, history_command, rebuild};
use howcome_changes::search::plan::{Clue, SearchWithin};
use howcome_changes::versions::origin::VersionOrigins;
use howcome_lab::inquiry::{Listener, TestCommand, split_words};
use howcome_run::{Halt, Problem, ProblemKind, QuestionName, RunDir};
use std::ffi::OsString;
use std::path::PathBuf;

/// Find the changed lines that make a test fail
///
/// howcome compares a version that passes the test with one that fails it and finds the lines that make the difference: first the
/// commit, then the lines in it, and everything else that these lines need in order to fail. The test runs at the top of a
/// copy of each version; the repository and the working tree are only read. In the environment of the test,
/// HOWCOME_REVISION is the commit that is tested, or that a mix is made from, and HOWCOME_DIR is the folder in which you
/// started howcome.
///
/// A test fails if it fails as it does on the bad version: the same test of a test runner with the same kind of error, or the same
/// exit code with the same error message. It passes if that works. Everything else cannot be judged.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ChangesArgs {
    /// A version that passes: a revision or a folder (repeatable for revisions; in a repository, one is found if it is left out)
    #[arg(long, value_name = "REV|DIR")]
    good: Vec<OsString>,
    /// The version that fails: a revision, a folder, or a patch for the good version (the working tree)
    #[arg(long, value_name = "REV|DIR|PATCH")]
    bad: Option<OsString>,
    /// The repository (the one that holds the current folder)
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// The command that builds a version, if the test does not build it; a shell runs it if it contains && or the like
    #[arg(long, value_name = "CMD")]
    build: Option<String>,
    /// A command to run before each build, for builds that go wrong with files that an earlier build left behind
    #[arg(long, value_name = "CMD", requires = "build")]
    clean: Option<String>,
    /// Vary only changes at or below PATH, which may contain * and ? (repeatable)
    #[arg(long, value_name = "PATH")]
    only: Vec<OsString>,
    /// Do not vary changes at or below PATH (repeatable)
    #[arg(long, value_name = "PATH")]
    except: Vec<OsString>,
    /// Copy PATH into every version: a file that the test needs and git ignores (repeatable)
    #[arg(long, value_name = "PATH")]
    copy: Vec<PathBuf>,
    #[command(flatten)]
    holding: HoldingArgs,
    /// Find the change that fixed it: the older version fails and the newer version passes
    #[arg(long)]
    fix: bool,
    /// Find all causes of the failure, not only one
    #[arg(long)]
    all: bool,
    /// Do not end a search that makes no progress; it can take many more tests
    #[arg(long)]
    thorough: bool,
    /// Where to search: first among the commits, or among all hunks at once
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    within: WithinChoice,
    /// Do not use a piece of knowledge that saves tests (repeatable)
    #[arg(long, value_enum, value_name = "CLUE")]
    without: Vec<ClueChoice>,
    /// How to search below the commits (narrow)
    #[arg(long, value_name = "NAME", value_enum)]
    algorithm: Option<AlgorithmChoice>,
    /// Each change needs all changes of earlier commits: among hunks of several commits (with --within hunk), do not test others without
    /// these
    #[arg(long)]
    order: bool,
    #[command(flatten)]
    relations: RelationArgs,
    /// First leave out code that the failing run never executes: `gcov`, for programs that a C compiler builds, or a command that
    /// runs after the test of the bad version and prints coverage in the format of lcov or of gcov's JSON
    #[arg(long, value_name = "gcov|CMD")]
    coverage: Option<String>,
    /// Where to write the patch (culprit.patch in the folder of the run)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    failure: FailureArgs,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
    /// The test: a program and its arguments. Tests that are part of the versions are taken from the bad version
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

/// A piece of knowledge that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClueChoice {
    /// Changes of one commit belong together
    Commits,
    /// Changes of one directory or file belong together
    Files,
    /// Changes of one function or type belong together
    Functions,
    /// If there are many changes, whole functions, types and declarations are searched first
    Items,
    /// Changes that share names belong together
    Words,
    /// Changes in functions around those that the failing run names belong together (--algorithm dd+)
    Calls,
    /// A change that uses what another one defines needs it
    Needs,
    /// Messages of compilers and interpreters tell which changes are missing, or too many
    Repairs,
    /// Changes whose text is in only one of the two outputs are tried first
    Evidence,
    /// Files that neither build nor test reads are left out first
    Unread,
    /// Code that the failing run never executes is left out first
    Coverage,
    /// Compilers of C and C++ are asked for warnings of mixes that can pass or fail by accident (with --build)
    Warnings,
}

impl From<ClueChoice> for Clue {
    fn from(choice: ClueChoice) -> Self {
        match choice {
            ClueChoice::Commits => Clue::Commits,
            ClueChoice::Files => Clue::Files,
            ClueChoice::Functions => Clue::Functions,
            ClueChoice::Items => Clue::Items,
            ClueChoice::Words => Clue::Words,
            ClueChoice::Calls => Clue::Calls,
            ClueChoice::Needs => Clue::Needs,
            ClueChoice::Repairs => Clue::Repairs,
            ClueChoice::Evidence => Clue::Evidence,
            ClueChoice::Unread => Clue::Unread,
            ClueChoice::Coverage => Clue::Coverage,
            ClueChoice::Warnings => Clue::Warnings,
        }
    }
}

/// Where to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WithinChoice {
    /// First among the commits, then within the commit that is found
    #[default]
    Commit,
    /// Among all changes between the two versions, whatever commits they come from
    Hunk,
}

impl From<WithinChoice> for SearchWithin {
    fn from(choice: WithinChoice) -> Self {
        match choice {
            WithinChoice::Commit => SearchWithin::Commit,
            WithinChoice::Hunk => SearchWithin::Hunk,
        }
    }
}

pub(crate) const QUESTION: QuestionCommands = QuestionCommands {
    name: QuestionName::Changes,
    command: ChangesArgs::augment_args,
    run: |matches| run(arguments(matches)?),
    resume,
    describe: |test| {
        let unit = test.summary.unit(test.stage);
        describe(test.run, test.file, test.stage, unit, test.configuration)
    },
    rebuild: |test, into| rebuild(test.run, test.file, test.stage, test.configuration, into),
    before: None,
};

fn run(args: ChangesArgs) -> Result<Exit, Problem> {
    let failure = args.failure.request()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    talk.now("reading the versions");
    let here = current_folder()?;
    let mut origins = VersionOrigins::find(&args.good, args.bad.as_deref(), args.repo.as_deref(), &here)?;
    if args.fix {
        if args.good.is_empty() {
            return Err(
                Problem::new("--fix needs two versions").hint("name the version that fails with --good")
            );
        }
        origins.put_older_first();
    }
    let test = TestCommand::parse(&args.test, here.clone(), args.build.is_some())?;
    let mut request = ChangesRequest {
        build: args.build.as_deref().map(|build| split_words(build, "--build")).transpose()?,
        clean: args.clean.as_deref().map(|clean| split_words(clean, "--clean")).transpose()?,
        origins,
        test,
        test_in_tree: None,
        only: args.only,
        except: args.except,
        copy: args.copy,
        hold: args.holding.hold,
        vary_tests: args.holding.vary_tests,
        held: None,
        finds_good: args.good.is_empty(),
        fix: args.fix,
        all: args.all,
        thorough: args.thorough,
        within: args.within.into(),
        without: args.without.into_iter().map(Into::into).collect(),
        coverage: args.coverage,
        algorithm: args.algorithm.map(Into::into),
        relations: args.relations.request(args.order)?,
        output: args.output.map(|path| here.join(path)),
        failure,
        fingerprint: None,
    };
    if let Some(output) = &request.output {
        can_be_written(output)?;
    }
    let versions = request.open(&talk)?;
    let algorithms = request.algorithms(&versions);
    let mut session =
        begin(QuestionName::Changes, algorithms, &request, &(), &args.new_run, &args.run, talk)?;
    if let Some(run) = session.dir() {
        request.keep(run, &versions);
    }
    let mut lab = start_lab(&session, &args.run)?;
    request.warn(&mut session, &versions)?;
    warn_of_shared_builds(&mut session)?;
    let answered =
        ask(&mut session, &mut lab, &request, &versions, make_flags().as_deref(), args.new_run.dry_run);
    let cannot_run =
        |problem: &Problem| problem.kind() == ProblemKind::CannotRunTest && !args.new_run.dry_run;
    match &answered {
        Err(Halt::Refused { problem, why }) if cannot_run(problem) => match as_history(&request) {
            Some(history) => {
                session.forget()?;
                drop(lab);
                let command = history_command(&request).unwrap_or_default();
                ask_instead(history, &InsteadOf { why, command: &command }, &args.new_run, &args.run)
            }
            None => finish(session, answered, &args.run),
        },
        _ => finish(session, answered, &args.run),
    }
}

fn resume(run: RunDir, options: &RunArgs) -> Result<Exit, Problem> {
    let mut request = ChangesRequest::of(run.file())?;
    let versions = request.reopen(run.path())?;
    let talk = Talk::new(options.quiet, options.verbose);
    let mut session = crate::session::resume(run, options, talk)?;
    let mut lab = start_lab(&session, options)?;
    let answered = ask(&mut session, &mut lab, &request, &versions, make_flags().as_deref(), false);
    finish(session, answered, options)
}
