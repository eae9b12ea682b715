//! `howcome input --pass`: the smallest difference between a passing and a failing input.

use super::output::Place;
use super::request::Request;
use super::{ORIGINAL, keep, output, shown, source};
use crate::baseline::{self, NotReady, Ready, Sides, Terms};
use crate::exit::Exit;
use crate::failure::{Failure, plain};
use crate::investigate::{confidence, why_stopped};
use crate::options::{NewRunOptions, RunOptions};
use crate::run_folder::RunFolder;
use crate::session::{Answered, Session};
use crate::streams::answer;
use crate::talk::Talk;
use clap::Args;
use howcome_dd::{Configuration, Confirm, Confirmed, Difference, Knowledge, Outcome};
use howcome_input::{Document, Mixture, Part, Piece, What};
use howcome_lab::Prepare;
use howcome_report::{count, printable, seconds};
use howcome_run::{
    Because, Conclusion, DifferenceFinding, Ending, Entry, Finding, How, Minimal, Purpose, RunDir, RunFile,
    Stage, StageEnd, Stop, Subject, Unit, Verified,
};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What makes the difference between passing and failing
#[derive(Args, Debug)]
pub(crate) struct IsolationArgs {
    /// Find the smallest difference between this input, which passes, and the failing one (one for each FILE)
    #[arg(long, value_name = "FILE")]
    pass: Vec<PathBuf>,
    /// The same with the empty input as the one that passes
    #[arg(long, conflicts_with = "pass")]
    isolate: bool,
}

/// Two inputs.
pub(crate) struct Isolation {
    passing: Document,
    failing: Document,
    /// What the passing one is.
    side: String,
}

impl IsolationArgs {
    /// Both inputs, if that is the question. The candidates of both sides have the names of the failing one.
    pub(crate) fn isolation(
        &self,
        request: &Request,
        failing: &Document,
    ) -> Result<Option<Isolation>, Failure> {
        if self.isolate || !self.pass.is_empty() {
            let files = request.files();
            let passing = self.pass.iter().map(|path| request.test.directory.join(path));
            let inputs: Vec<PathBuf> = files.iter().cloned().chain(passing).collect();
            let is_folder = output::is_folder(&files);
            output::check(request.output(), false, request.is_output_given, is_folder, &inputs)?;
            output::check(&passing_name(request.output()), true, false, is_folder, &inputs)?;
        }
        if self.isolate {
            let (passing, side) = (empty(failing), "the empty input".to_owned());
            return Ok(Some(Isolation { passing, failing: failing.clone(), side }));
        }
        if self.pass.is_empty() {
            return Ok(None);
        }
        let files = request.files();
        if self.pass.len() != files.len() {
            let inputs = count(files.len() as u64, "failing input");
            return Err(Failure::wrong_use(format!("there are {inputs}, but {} that pass", self.pass.len()))
                .hint("name a passing one for each, with a --pass of its own, in the same order"));
        }
        let paths: Vec<PathBuf> = self.pass.iter().map(|path| request.test.directory.join(path)).collect();
        let passing = renamed(source::read(&paths, format(request)?.as_ref())?, &files);
        if passing.files() == failing.files() {
            return Err(Failure::wrong_use("the passing and the failing input are the same")
                .exit(Exit::NothingToExplain));
        }
        let names: Vec<String> = self.pass.iter().map(|path| path.display().to_string()).collect();
        Ok(Some(Isolation { passing, failing: failing.clone(), side: names.join(", ") }))
    }
}

/// The same with nothing in it: of a single file no bytes, of more no files.
fn empty(document: &Document) -> Document {
    match document.pieces() {
        [piece @ Piece { what: What::Part(part), .. }] => {
            let what = What::Part(Arc::new(Part::new(Vec::new(), part.language())));
            Document::new(vec![Piece { what, ..piece.clone() }])
        }
        _ => Document::default(),
    }
}

/// The document with the names of other files.
fn renamed(document: Document, files: &[PathBuf]) -> Document {
    let mut pieces = document.pieces().to_vec();
    let mut at = 0;
    for name in files.iter().filter_map(|path| path.file_name()) {
        let Some(piece) = pieces.get_mut(at) else { break };
        piece.name = name.to_owned();
        at += 1 + piece.inside as usize;
    }
    Document::new(pieces)
}

/// Where a run keeps the passing input,
const PASSING: &str = "original.pass";
/// and its best passing candidate. The failing one is where simplified ones are.
pub(crate) const BEST_PASSING: &str = "best.pass";
const BEST: &str = "best";
/// What `run.json` has beside the request of any such run.
const SIDE: &str = "passing_side";
/// The subject of all stages.
const NAME: &str = "isolation";
const UNIT: &str = "token";

/// Whether a run is an isolation.
pub(crate) fn is_one(file: &RunFile) -> bool {
    file.request.get(SIDE).is_some()
}

/// Begins a run.
pub(crate) fn run(
    isolation: Isolation,
    mut file: RunFile,
    request: &Request,
    new_run: NewRunOptions,
    options: &RunOptions,
    talk: Talk,
) -> Result<Exit, Failure> {
    file.algorithm = "isolate".to_owned();
    file.request[SIDE] = Value::from(isolation.side.clone());
    let run_dir = RunFolder::choose(new_run.run_dir, "input", file.started);
    let session = Session::begin(&run_dir, file, options, talk)?;
    if let Some(dir) = session.dir() {
        keep::save(&isolation.failing, &dir.join(ORIGINAL))?;
        keep::save(&isolation.passing, &dir.join(PASSING))?;
    }
    isolate(session, request, &isolation, new_run.dry_run)
}

/// Continues one.
pub(crate) fn resume(run: RunDir, request: &Request, options: &RunOptions) -> Result<Exit, Failure> {
    let isolation = saved(run.path(), run.file(), request)?;
    let talk = Talk::new(options.quiet, options.verbose);
    let session = Session::resume(run, options, talk)?;
    isolate(session, request, &isolation, false)
}

/// Both inputs as they were when the run began.
fn saved(run: &Path, file: &RunFile, request: &Request) -> Result<Isolation, Failure> {
    let (files, format) = (request.files(), format(request)?);
    let there = |folder: PathBuf| -> Vec<PathBuf> {
        let names = files.iter().filter_map(|path| path.file_name());
        names.map(|name| folder.join(name)).filter(|path| fs::symlink_metadata(path).is_ok()).collect()
    };
    Ok(Isolation {
        passing: source::read(&there(run.join(PASSING)), format.as_ref())?,
        failing: source::read(&there(run.join(ORIGINAL)), format.as_ref())?,
        side: file.request[SIDE].as_str().unwrap_or_default().to_owned(),
    })
}

/// What the user says that the input is.
fn format(request: &Request) -> Result<Option<source::Format>, Failure> {
    request.format.as_deref().map(source::Format::of).transpose()
}

fn mixture(request: &Request, isolation: &Isolation) -> Mixture {
    Mixture::new(&isolation.passing, &isolation.failing, Arc::new(request.given()))
}

fn isolate(
    mut session: Session,
    request: &Request,
    isolation: &Isolation,
    dry_run: bool,
) -> Result<Exit, Failure> {
    let mixture = Arc::new(mixture(request, isolation));
    let ready = match look_at_both(&mut session, request, &mixture) {
        Ok(ready) => ready,
        Err(NotReady::Answered(answered)) => return session.end(*answered),
        Err(NotReady::Failed(failure)) if failure.code() == Exit::WrongUse && session.is_new() => {
            return session.forget().and(Err(failure));
        }
        Err(NotReady::Failed(failure)) => return Err(failure),
    };
    let is_zero = |ends: &Because| *ends == Because::Exit(0);
    if !is_zero(&ready.nothing_ends) && !is_zero(&ready.everything_ends) {
        session.talk.note(&format!(
            "note: the passing side ends with {}, so that is what counts as a pass, and exit code 0 does not; if it should, \
             name an input behind --pass that ends with it",
            ready.nothing_ends
        ));
    }
    if dry_run {
        session.talk.finish();
        let tests = f64::from(mixture.deltas().max(2)).log2().ceil();
        answer!("{} differ between the two inputs.\n", count(mixture.deltas().into(), UNIT));
        answer!(
            "If most mixes can be judged: about {}, about {} one at a time.\n",
            count(tests as u64, "test"),
            seconds(tests * ready.seconds)
        );
        return session.forget().map(|()| Exit::Found);
    }
    let files = Kept::of(&session, request);
    let whole = Difference { passing: Configuration::empty(), failing: Configuration::all(mixture.deltas()) };
    if session.is_new() {
        files.keep_best(&mixture, &whole);
    }
    let (found, end) = search(&mut session, &mixture, &files)?;
    files.keep_best(&mixture, &found);
    files.keep_answer(&mut session, &mixture, &found)?;
    let answered = conclude(&mut session, &mixture, &ready, &found, end, |found| {
        Finding::Difference(Box::new(DifferenceFinding {
            passing: files.passing.to_string_lossy().into_owned(),
            failing: files.failing.to_string_lossy().into_owned(),
            difference: mixture.decisive(found),
            deltas: found.deltas().len() as u64,
            of: mixture.deltas().into(),
            unit: Unit::Token,
            passing_side: Some(isolation.side.clone()),
        }))
    })?;
    session.end(answered)
}

fn look_at_both(session: &mut Session, request: &Request, mixture: &Arc<Mixture>) -> Result<Ready, NotReady> {
    let is_empty = mixture.document(&Configuration::empty()).size() == 0;
    let if_refused = is_empty.then(|| "name an input that passes behind --pass".to_owned());
    let terms = Terms { lab: request.failure.terms()?, two_sided: true, sides: Sides::Inputs, if_refused };
    let subject: Arc<dyn Prepare> = Arc::<Mixture>::clone(mixture);
    baseline::prepare(session, NAME, &subject, &request.failure, &terms)
}

/// How a search came to its end: with what the tests said of its finding, or why it was stopped.
type End = Result<Confirmed, Stop>;

fn search(session: &mut Session, mixture: &Arc<Mixture>, files: &Kept) -> Result<(Difference, End), Failure> {
    let stage = |search| Stage {
        subject: mixture.as_ref(),
        name: NAME,
        search,
        unit: UNIT,
        knowledge: Knowledge::none(),
    };
    let (driver, local) = (&mut session.driver, &mut session.local);
    let mut keep = |failing: &Configuration| files.keep_failing(mixture, failing);
    let found = match driver.run(local, &stage("isolate"), mixture.search(), &mut keep)? {
        StageEnd::Done(found) => found,
        StageEnd::Stopped { why, best } => return Ok((best, Err(why))),
    };
    // Most of what this asks is remembered.
    Ok(match driver.run(local, &stage("confirm"), Confirm::new(found.clone()), &mut |_| {})? {
        StageEnd::Done(confirmed) => (found, Ok(confirmed)),
        StageEnd::Stopped { why, .. } => (found, Err(why)),
    })
}

/// Tests the difference in the surroundings of both inputs, and says what is known.
fn conclude(
    session: &mut Session,
    mixture: &Mixture,
    ready: &Ready,
    found: &Difference,
    end: End,
    finding: impl Fn(&Difference) -> Finding,
) -> Result<Answered, Failure> {
    let answered = |ending, conclusion, failure, why| Answered {
        ending,
        conclusion: Some(conclusion),
        answer: Some(found.deltas()),
        failure,
        why,
    };
    let minimal = |checked| Minimal { of: howcome_report::plural(UNIT), checked };
    let conclusion = |checked, verified| Conclusion {
        finding: finding(found).into(),
        minimal: minimal(checked),
        verified,
        confidence: None,
    };
    let stopped = |stop| {
        let (ending, why, failure) = why_stopped(stop);
        answered(ending, conclusion(false, Verified::default()), failure, Some(why))
    };
    let confirmed = match end {
        Ok(confirmed) => confirmed,
        Err(stop) => return Ok(stopped(stop)),
    };
    let without = Configuration::all(mixture.deltas()).without(&found.deltas());
    let mut seen = Vec::new();
    for (purpose, configuration) in
        [(Purpose::ConfirmAlone, found.deltas()), (Purpose::ConfirmWithout, without)]
    {
        session.talk.now("confirming the answer");
        match session.driver.confirm(&mut session.local, NAME, purpose, &configuration, None)? {
            Ok(observation) => seen.push(observation.outcome),
            Err(stop) => return Ok(stopped(stop)),
        }
    }
    let verified = Verified {
        alone_fails: Some(seen[0] == Outcome::Fail),
        without_passes: Some(seen[1] == Outcome::Pass),
    };
    let is_resolved = |entry: &Entry| matches!(entry, Entry::Told { how: How::Tested, outcome, .. } if *outcome != Outcome::Unresolved);
    let is_all = found.deltas().len() == mixture.deltas() as usize && mixture.deltas() > 1;
    if is_all && !session.entries().iter().any(is_resolved) {
        let why = "none of the tests between the two sides could be judged".to_owned();
        return Ok(answered(Ending::Undecided, conclusion(false, verified), None, Some(why)));
    }
    let mut conclusion = conclusion(confirmed.is_minimal(), verified);
    conclusion.confidence = confidence(session, &ready.repeat);
    Ok(answered(Ending::Found, conclusion, None, None))
}

/// Where both sides go: the answer, and the best so far.
struct Kept {
    run: Option<PathBuf>,
    passing: PathBuf,
    failing: PathBuf,
    /// Nobody else has written there meanwhile.
    places: [Place; 2],
}

impl Kept {
    fn of(session: &Session, request: &Request) -> Self {
        let (run, failing) = (session.dir(), request.output());
        let passing = passing_name(failing);
        let places = [failing, &passing].map(|path| Place::now(run, request, path));
        Self { run: run.map(Path::to_owned), passing, failing: failing.to_owned(), places }
    }

    fn keep_failing(&self, mixture: &Mixture, failing: &Configuration) {
        if let Some(run) = &self.run {
            // The answer is written in any case, and says so if it cannot be.
            let _ = keep::replace(&mixture.document(failing), &run.join(BEST));
        }
    }

    fn keep_best(&self, mixture: &Mixture, best: &Difference) {
        self.keep_failing(mixture, &best.failing);
        if let Some(run) = &self.run {
            let _ = keep::replace(&mixture.document(&best.passing), &run.join(BEST_PASSING));
        }
    }

    fn keep_answer(
        &self,
        session: &mut Session,
        mixture: &Mixture,
        found: &Difference,
    ) -> Result<(), Failure> {
        if !self.places.iter().all(Place::may_be_written) {
            return session.warn(&format!(
                "{} or {} has been changed by somebody else, so the answer is only in the folder of the run",
                self.failing.display(),
                self.passing.display()
            ));
        }
        for (applied, path) in [(&found.failing, &self.failing), (&found.passing, &self.passing)] {
            if let Err(error) = keep::write_answer(&mixture.document(applied), path) {
                session.warn(&format!("{} could not be written: {}", path.display(), plain(&error)))?;
            }
        }
        Ok(())
    }
}

/// `bug.min.pass.c` beside `bug.min.c`.
pub(crate) fn passing_name(failing: &Path) -> PathBuf {
    // `bug.min` is what comes of `bug`, which has no extension.
    let extension = failing.extension().filter(|extension| *extension != "min");
    let stem = if extension.is_some() { failing.file_stem() } else { failing.file_name() };
    let mut name = stem.unwrap_or_default().to_owned();
    name.push(".pass");
    if let Some(extension) = extension {
        name.push(".");
        name.push(extension);
    }
    failing.with_file_name(name)
}

/// What was tested, in words.
pub(crate) fn describe(run: &Path, file: &RunFile, configuration: &Configuration) -> Result<String, Failure> {
    let request = Request::of(file)?;
    let isolation = saved(run, file, &request)?;
    let mixture = mixture(&request, &isolation);
    let candidate = mixture.document(configuration);
    let mut text = format!(
        "{} of {} that make the failing input of the passing one, {}:\n",
        howcome_report::thousands(configuration.len() as u64),
        count(mixture.deltas().into(), UNIT),
        howcome_report::size(candidate.size())
    );
    let shown = candidate.text();
    for line in shown.lines().take(SHOWN) {
        text += &format!("    {}\n", howcome_report::cut(&printable(line), 200));
    }
    if shown.lines().count() > SHOWN {
        text += "    …\n";
    }
    Ok(text)
}

/// More lines are not shown.
const SHOWN: usize = 40;

/// Makes the candidate of a test again, to be tried by hand.
pub(crate) fn rebuild(
    run: &Path,
    file: &RunFile,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let request = Request::of(file)?;
    let isolation = saved(run, file, &request)?;
    let candidate = mixture(&request, &isolation).document(configuration);
    shown::laid_out(&request, &candidate, into)
}
