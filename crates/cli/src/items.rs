//! `howcome items`: the smallest part of any list of things that still fails.

use crate::exit::Exit;
use crate::lab_setup::current_folder;
use crate::options::{AlgorithmChoice, FailureArgs, NewRunArgs, RelationArgs, RunArgs};
use crate::question::{QuestionCommands, arguments};
use crate::session::{begin, finish, start_lab};
use crate::talk::Talk;
use clap::Args;
use howcome_items::{
    ItemList, ItemsRequest, ask, check_relations, describe, rebuild, recorded_list, warn_about,
};
use howcome_lab::inquiry::{SearchChoice, TestCommand};
use howcome_run::{Problem, QuestionName, RunDir};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find the smallest part of a list that still makes a test fail
///
/// LIST is any list of things, one a line: compiler flags, environment variables, packages, seeds. The test is run with
/// parts of the list. It finds the chosen lines in the file named by the environment variable HOWCOME_ITEMS; a word `{}` in
/// TEST is the path of this file. Each test runs in a folder of its own: a copy of the current folder if the test needs its
/// files, otherwise an empty one. HOWCOME_DIR is the current folder.
///
/// The failure is what the test does with the whole list; with --isolate, the pass is what it does with an empty one.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ItemsArgs {
    /// The list, one item a line; - reads standard input
    list: PathBuf,
    /// Find the smallest difference that decides, instead of the smallest part that fails
    #[arg(long)]
    isolate: bool,
    /// How to search (balanced; with --isolate: isolate; with --order: dd+)
    #[arg(long, value_name = "NAME", value_enum)]
    algorithm: Option<AlgorithmChoice>,
    /// Each item needs all items before it: parts of the list that leave out an earlier item are not tested
    #[arg(long)]
    order: bool,
    #[command(flatten)]
    relations: RelationArgs,
    /// Where to write the answer, one item a line (best/items.txt in the folder of the run)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    failure: FailureArgs,
    #[command(flatten)]
    new_run: NewRunArgs,
    #[command(flatten)]
    run: RunArgs,
    /// The test: a program and its arguments
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  Which compiler flags make the program misbehave?
    howcome items flags.txt -- sh -c 'gcc $(cat \"$HOWCOME_ITEMS\") prog.c -o prog && ./prog'

  Which environment variable?
    env > env.txt
    howcome items env.txt --fails-when 'stderr~cannot connect' -- ./check-env.sh
  where check-env.sh says
    xargs -d '\\n' -a \"$HOWCOME_ITEMS\" sh -c 'exec env -i \"$@\" prog' sh

  Which migration broke it, if each needs all earlier ones?
    ls migrations > list.txt
    howcome items list.txt --order -- ./migrate-and-check.sh";

pub(crate) const QUESTION: QuestionCommands = QuestionCommands {
    name: QuestionName::Items,
    command: ItemsArgs::augment_args,
    run: |matches| run(arguments(matches)?),
    resume,
    describe: |test| describe(test.run, test.configuration),
    rebuild: |test, into| rebuild(test.run, test.file, test.configuration, into),
    before: None,
};

fn run(args: ItemsArgs) -> Result<Exit, Problem> {
    let algorithm = match (args.isolate, args.algorithm) {
        (false, None) if args.order => SearchChoice::DdPlus,
        (false, chosen) => chosen.map_or(SearchChoice::Balanced, Into::into),
        (true, None | Some(AlgorithmChoice::Isolate)) => SearchChoice::Isolate,
        (true, Some(other)) => {
            let other = SearchChoice::from(other).algorithm();
            return Err(Problem::new(format!("--isolate and --algorithm {other} exclude each other"))
                .hint("leave one of them out"));
        }
    };
    let failure = args.failure.request()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let list = Arc::new(ItemList::read(&args.list)?);
    let relations = args.relations.request(args.order)?;
    check_relations(&relations, &list)?;
    let test = TestCommand::parse(&args.test, current_folder()?, false)?;
    test.check_script(|_| false)?;
    let output = args.output.map(|path| test.directory.join(path));
    if let Some(output) = &output {
        check_output(output, &args.list)?;
    }
    let request = ItemsRequest { list: args.list, test, algorithm, output, failure, relations };
    let mut session =
        begin(QuestionName::Items, algorithm.algorithm(), &request, &*list, &args.new_run, &args.run, talk)?;
    let mut lab = start_lab(&session, &args.run)?;
    warn_about(&mut session, &list)?;
    let answered = ask(&mut session, &mut lab, &request, &list, args.new_run.dry_run);
    finish(session, answered, &args.run)
}

fn resume(run: RunDir, options: &RunArgs) -> Result<Exit, Problem> {
    let request = ItemsRequest::of(run.file())?;
    let list = Arc::new(recorded_list(run.path())?);
    let talk = Talk::new(options.quiet, options.verbose);
    let mut session = crate::session::resume(run, options, talk)?;
    let mut lab = start_lab(&session, options)?;
    let answered = ask(&mut session, &mut lab, &request, &list, false);
    finish(session, answered, options)
}

/// Better now than after the whole search.
fn check_output(path: &Path, list: &Path) -> Result<(), Problem> {
    if let (Ok(path), Ok(list)) = (path.canonicalize(), list.canonicalize())
        && path == list
    {
        return Err(
            Problem::new("the answer would be written over the list").hint("name another file after -o")
        );
    }
    crate::options::can_be_written(path)
}
