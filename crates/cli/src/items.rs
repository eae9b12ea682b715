//! `howcome items`: the smallest part of any list of things that still fails.

use crate::algorithm::Algorithm;
use crate::exit::Exit;
use crate::failure::{Failure, plain};
use crate::investigate::{Question, investigate};
use crate::item_list::{ITEMS_FILE, ItemList, ItemsTest};
use crate::options::{FailureOptions, NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Answered, Session, VERSION, now};
use crate::talk::Talk;
use crate::test_command::TestCommand;
use clap::Args;
use howcome_dd::{Configuration, Difference};
use howcome_run::{Finding, ItemsFinding, RUN_VERSION, RunDir, RunFile};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Find the smallest part of a list that still makes a test fail
///
/// LIST is any list of things, one a line: compiler flags, environment variables, packages, seeds. The test is run with
/// parts of the list, each time in an empty folder of its own. It finds the chosen lines in the file named by the
/// environment variable HOWCOME_ITEMS, and the folder that you stand in as HOWCOME_DIR.
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
    /// How to search (balanced; with --isolate: isolate)
    #[arg(long, value_name = "NAME", value_enum)]
    algorithm: Option<Algorithm>,
    /// Where to write the answer, one item a line (best/items.txt in the folder of the run)
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    failure: FailureOptions,
    #[command(flatten)]
    new_run: NewRunOptions,
    #[command(flatten)]
    run: RunOptions,
    /// The test: a program and its arguments
    #[arg(last = true, required = true, value_name = "TEST")]
    test: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  Which compiler flags make the program misbehave?
    howcome items flags.txt -- ./check-flags.sh
  where check-flags.sh says
    gcc $(cat \"$HOWCOME_ITEMS\") \"$HOWCOME_DIR/prog.c\" -o prog && ./prog

  Which environment variable?
    env > env.txt
    howcome items env.txt --fails-when 'stderr~cannot connect' -- ./check-env.sh
  where check-env.sh says
    xargs -d '\\n' -a \"$HOWCOME_ITEMS\" sh -c 'exec env -i \"$@\" prog' sh";

/// What `run.json` keeps of the command line: everything that the answer depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Request {
    list: PathBuf,
    test: TestCommand,
    algorithm: Algorithm,
    output: Option<PathBuf>,
    failure: FailureOptions,
}

/// The list as it was when the run began. The original may change; the run does not.
const LIST_COPY: &str = "list";

pub(crate) fn run(args: ItemsArgs) -> Result<Exit, Failure> {
    let algorithm = match (args.isolate, args.algorithm) {
        (false, chosen) => chosen.unwrap_or(Algorithm::Balanced),
        (true, None | Some(Algorithm::Isolate)) => Algorithm::Isolate,
        (true, Some(other)) => {
            return Err(Failure::wrong_use(format!(
                "--isolate and --algorithm {} exclude each other",
                other.name()
            ))
            .hint("leave one of them out"));
        }
    };
    args.failure.terms()?;
    let talk = Talk::new(args.run.quiet, args.run.verbose);
    let list = ItemList::read(&args.list)?;
    let test = TestCommand::new(&args.test, &talk)?;
    let output = args.output.map(|path| test.directory.join(path));
    if let Some(output) = &output {
        check_output(output, &args.list)?;
    }
    let request = Request { list: args.list, test, algorithm, output, failure: args.failure };
    let file = RunFile {
        howcome: VERSION.to_owned(),
        version: RUN_VERSION,
        question: "items".to_owned(),
        algorithm: algorithm.name().to_owned(),
        jobs: args.run.jobs(),
        started: now(),
        request: serde_json::to_value(&request)
            .map_err(|error| Failure::wrong_use(error.to_string()).exit(Exit::Bug))?,
    };
    let run_dir = RunFolder::choose(args.new_run.run_dir, "items", file.started);
    let mut session = Session::begin(&run_dir, file, &args.run, talk)?;
    if let Some(dir) = session.dir() {
        let path = dir.join(LIST_COPY);
        fs::write(&path, list.bytes()).map_err(|error| Failure::file(&path, &error))?;
    }
    say_what_is_odd(&mut session, &list)?;
    answer(session, request, Arc::new(list), args.new_run.dry_run)
}

/// Continues a run of this question.
pub(crate) fn resume(run: RunDir, options: &RunOptions) -> Result<Exit, Failure> {
    let request = request_of(run.file())?;
    let list = list_of(run.path())?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    answer(session, request, Arc::new(list), false)
}

/// What was chosen of the list in a test, for people.
pub(crate) fn describe(run: &Path, configuration: &Configuration) -> Result<String, Failure> {
    let list = list_of(run)?;
    let first = list.texts(&configuration.slice(0..SHOWN));
    let more = configuration.len().saturating_sub(SHOWN);
    let mut text =
        format!("{} of {}:\n", configuration.len(), howcome_report::count(list.len() as u64, "item"));
    for item in first {
        text += &format!("    {}\n", howcome_report::printable(&item));
    }
    if more > 0 {
        text += &format!("    … and {more} more\n");
    }
    Ok(text)
}

/// More items than this are not listed.
const SHOWN: usize = 20;

/// Makes the candidate of a test again, to be tried by hand.
pub(crate) fn rebuild(
    run: &Path,
    file: &RunFile,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let request = request_of(file)?;
    let list = list_of(run)?;
    fs::create_dir_all(into).map_err(|error| Failure::file(into, &error))?;
    let into = into.canonicalize().map_err(|error| Failure::file(into, &error))?;
    let path = into.join(ITEMS_FILE);
    list.write(configuration, &path).map_err(|error| Failure::file(&path, &error))?;
    let words = [
        format!("HOWCOME_ITEMS={}", howcome_report::shell_word(&path.to_string_lossy())),
        format!("HOWCOME_DIR={}", howcome_report::shell_word(&request.test.directory.to_string_lossy())),
        request.test.shell_words(),
    ];
    Ok(format!("cd {} && {}", howcome_report::shell_word(&into.to_string_lossy()), words.join(" ")))
}

/// The list as it was when the run began.
fn list_of(run: &Path) -> Result<ItemList, Failure> {
    let path = run.join(LIST_COPY);
    let bytes = fs::read(&path).map_err(|error| {
        Failure::file(&path, &error)
            .hint("the run is incomplete without its copy of the list; start a new one")
    })?;
    Ok(ItemList::parse(bytes))
}

fn request_of(file: &RunFile) -> Result<Request, Failure> {
    serde_json::from_value(file.request.clone())
        .map_err(|error| Failure::wrong_use(format!("run.json does not say what was asked for: {error}")))
}

fn say_what_is_odd(session: &mut Session, list: &ItemList) -> Result<(), Failure> {
    let not_text = list.not_text();
    if let Some(first) = not_text.first() {
        let how_many = howcome_report::count(not_text.len() as u64, "item");
        session.warn(&format!(
            "{how_many} of the list cannot be shown as text (the first is item {first}); the test gets the bytes as they are"
        ))?;
    }
    if list.has_duplicates() {
        session.talk.note("the list names some items more than once; each is treated as an item of its own");
    }
    Ok(())
}

fn answer(
    mut session: Session,
    request: Request,
    list: Arc<ItemList>,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let Request { list: original, test, algorithm, output, failure } = request;
    let best_file = session.dir().map(|dir| dir.join("best").join(ITEMS_FILE));
    let two_sided = algorithm == Algorithm::Isolate;
    let finding = |found: &Difference| {
        Finding::Items(ItemsFinding {
            items: list.texts(&found.deltas()),
            of: Some(list.len() as u64),
            passing: two_sided.then(|| list.texts(&found.passing)),
            failing: two_sided.then(|| list.texts(&found.failing)),
        })
    };
    let mut not_kept = Vec::new();
    let mut keep = |best: &Configuration| {
        if let Some(path) = &best_file {
            not_kept.extend(replace(&list, best, path).err().map(|error| (path.clone(), error)));
        }
    };
    let question = Question {
        name: "items",
        unit: "item",
        subject: Arc::new(ItemsTest {
            list: Arc::clone(&list),
            program: test.program.clone(),
            arguments: test.arguments.clone(),
            directory: test.directory.clone(),
        }),
        failure: &failure,
        algorithm,
        dry_run,
        finding: &finding,
        keep: &mut keep,
    };
    let answered = investigate(&mut session, question);
    if let (Some(path), Ok(Some(Answered { answer: Some(items), .. }))) = (&output, &answered) {
        not_kept.extend(replace(&list, items, path).err().map(|error| (path.clone(), error)));
    }
    if has_changed(&test.directory.join(&original), &list) {
        session.warn(&format!(
            "{} has changed since the run began; the answer is about what it was then",
            original.display()
        ))?;
    }
    if let Some((path, error)) = not_kept.pop() {
        session.warn(&format!("{} could not be written: {}", path.display(), plain(&error)))?;
    }
    session.conclude(answered)
}

/// Better now than after the whole search.
fn check_output(path: &Path, list: &Path) -> Result<(), Failure> {
    if let (Ok(path), Ok(list)) = (path.canonicalize(), list.canonicalize())
        && path == list
    {
        return Err(Failure::wrong_use("the answer would be written over the list")
            .hint("name another file behind -o"));
    }
    crate::options::can_be_written(path)
}

/// Only files stay what they are and can be read again: a pipe cannot.
fn has_changed(path: &Path, list: &ItemList) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
        && fs::read(path).is_ok_and(|now| now != list.bytes())
}

/// At any moment the file holds a whole candidate: the old one or the new one.
fn replace(list: &ItemList, best: &Configuration, path: &Path) -> io::Result<()> {
    // A link stays a link to what it leads to, and what is no file (a terminal, a pipe) is written to, not replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return list.write(best, &path);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    list.write(best, &new)?;
    fs::rename(&new, path)
}
