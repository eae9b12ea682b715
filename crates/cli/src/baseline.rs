//! The two tests without which nothing starts, as the command line runs them.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::session::{Answered, Session};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::{
    Baseline, Ending, Judge, Limits, Noise, NotSeen, Oracle, Prepare, Refusal, Repeat, Seen, Which,
};
use howcome_run::{Because, Ending as RunEnding, Entry, Observation, Purpose, Tally};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What is known when a search may start.
pub(crate) struct Ready {
    /// How often a test has to be run before it is believed.
    pub(crate) repeat: Repeat,
    /// What nothing at all does.
    pub(crate) nothing: Outcome,
    /// The last lines that nothing at all prints.
    pub(crate) nothing_prints: Vec<String>,
    /// How long the slower side took, in seconds.
    pub(crate) seconds: f64,
}

/// Why it may not: the answer to give instead, or an error.
pub(crate) enum NotReady {
    Answered(Box<Answered>),
    Failed(Failure),
}

impl From<Failure> for NotReady {
    fn from(failure: Failure) -> Self {
        NotReady::Failed(failure)
    }
}

/// Runs both sides, decides who judges, and sets the workers up. `two_sided` says whether the passing side is more than
/// a check.
pub(crate) fn prepare(
    session: &mut Session,
    name: &str,
    subject: &Arc<dyn Prepare>,
    failure: &FailureOptions,
    two_sided: bool,
) -> Result<Ready, NotReady> {
    let mut terms = failure.terms()?;
    terms.zero_is_pass = false;
    let timeout = failure.timeout.unwrap_or(howcome_lab::PATIENCE);
    session.local.set_limits(Limits { timeout, memory: failure.memory, ..Limits::default() });
    let looks = if failure.flaky { LOOKS_IF_FLAKY } else { 1 };
    session.talk.now("baseline: the test with everything");
    let everything = Configuration::all(subject.deltas());
    let failing = look(session, subject, &everything, looks)?;
    session.talk.now("baseline: the test with nothing");
    let nothing = Configuration::empty();
    let passing = look(session, subject, &nothing, looks)?;
    let baseline = match Baseline::of(&terms, &failing.typical, two_sided.then_some(&passing.typical)) {
        Ok(baseline) => baseline,
        Err(refusal) => return Err(refuse(session, &refusal, &failing.typical, &passing.typical)?),
    };
    let judge: Arc<dyn Oracle> = Arc::new(baseline.judge.clone());
    session.local.set_limits(Limits {
        timeout: baseline.timeout,
        memory: failure.memory,
        ..Limits::default()
    });
    let (repeat, measured) = match failure.flaky {
        false => (Repeat::Times(failure.repeat), [Tally::default(); 2]),
        true => measure(session, subject, &judge)?,
    };
    let nothing_prints = passing.typical.last_lines(3);
    let sides = [
        (Purpose::BaselineFailing, everything, failing, measured[0]),
        (Purpose::BaselinePassing, nothing, passing, measured[1]),
    ];
    let mut nothing_does = Outcome::Pass;
    let mut seconds: f64 = 0.0;
    for (purpose, configuration, looked, measured) in sides {
        let observation = looked.observation(&baseline.judge, measured);
        if purpose == Purpose::BaselinePassing {
            nothing_does = observation.outcome;
        }
        seconds = seconds.max(looked.typical.took.as_secs_f64());
        compare_with_recorded(session, purpose, &observation)?;
        let content = subject.content(&configuration);
        session
            .driver
            .baseline(name, purpose, &configuration, content, observation)
            .map_err(Failure::from)?;
    }
    session.local.set_experiment(Arc::clone(subject), judge, repeat);
    Ok(Ready { repeat, nothing: nothing_does, nothing_prints, seconds })
}

/// A single look at a noisy test may lie; the ending that most of these show does not.
const LOOKS_IF_FLAKY: u32 = 11;

/// What was seen of one side.
struct Looked {
    /// A run that ended as most of them did.
    typical: Seen,
    all: Vec<Seen>,
}

impl Looked {
    /// What it comes to, with the runs that measured how noisy it is.
    fn observation(&self, judge: &Judge, mut tally: Tally) -> Observation {
        let verdict = judge.judge(&self.typical);
        let mut observation = Observation::new(verdict.outcome, verdict.because, self.typical.took);
        observation.alone = true;
        self.all.iter().for_each(|seen| tally.add(judge.judge(seen).outcome));
        observation.tally = tally;
        observation
    }
}

fn look(
    session: &mut Session,
    subject: &Arc<dyn Prepare>,
    configuration: &Configuration,
    times: u32,
) -> Result<Looked, NotReady> {
    let mut all = Vec::new();
    for _ in 0..times {
        match session.local.look(subject, configuration) {
            Ok(seen) => all.push(seen),
            Err(not_seen) => return Err(not_seen_at_all(not_seen)),
        }
    }
    let mut counts: HashMap<Ending, usize> = HashMap::new();
    all.iter().for_each(|seen| *counts.entry(seen.ending).or_default() += 1);
    let typical = all.iter().max_by_key(|seen| counts.get(&seen.ending)).cloned();
    match typical {
        Some(typical) => Ok(Looked { typical, all }),
        None => Err(NotReady::Failed(Failure::wrong_use("the baseline was not run").exit(Exit::Bug))),
    }
}

fn not_seen_at_all(not_seen: NotSeen) -> NotReady {
    match not_seen {
        NotSeen::Interrupted => NotReady::Answered(Box::new(Answered {
            ending: RunEnding::Stopped,
            conclusion: None,
            failure: None,
            why: Some("interrupted before the search began".to_owned()),
        })),
        NotSeen::Because(because) => NotReady::Failed(no_verdict(&because)),
    }
}

/// The error for a test that said nothing about its candidate.
pub(crate) fn no_verdict(because: &Because) -> Failure {
    match because {
        Because::CouldNotStart(why) => Failure::wrong_use(format!("the test cannot be started: {why}"))
            .hint("give the path of a program, or of a script that is executable and begins with #!"),
        Because::DiskFull(why) => Failure::wrong_use(format!("the disk is full: {why}"))
            .hint("make room, or set TMPDIR to a larger disk, then resume the run")
            .exit(Exit::Stopped),
        Because::DidNotApply(why) | Because::DidNotBuild(why) => {
            Failure::wrong_use(format!("one side of the baseline cannot be made: {why}"))
                .exit(Exit::NothingToExplain)
        }
        other => Failure::wrong_use(format!("the test {other}")).exit(Exit::Stopped),
    }
}

/// Runs both sides many times, in order to learn how noisy the test is.
fn measure(
    session: &mut Session,
    subject: &Arc<dyn Prepare>,
    judge: &Arc<dyn Oracle>,
) -> Result<(Repeat, [Tally; 2]), NotReady> {
    let sides = [Configuration::all(subject.deltas()), Configuration::empty()];
    let mut tallies = [Tally::default(); 2];
    loop {
        for (tally, configuration) in tallies.iter_mut().zip(&sides) {
            session.talk.now("baseline: measuring how noisy the test is");
            let runs = Noise::RUNS_TO_MEASURE;
            let more = session.local.measure(subject, judge, configuration, runs).map_err(not_seen_at_all)?;
            tally.pass += more.pass;
            tally.fail += more.fail;
            tally.unresolved += more.unresolved;
        }
        let [failing, passing] = tallies;
        match Noise::measure(failing, passing) {
            Ok(noise) => {
                session.talk.note(&format!(
                    "the test fails in {} of {} runs with everything and in {} of {} with nothing; each question takes about {:.0} runs",
                    failing.fail,
                    failing.runs(),
                    passing.fail,
                    passing.runs(),
                    noise.expected_runs().ceil(),
                ));
                return Ok((Repeat::Flaky(noise), tallies));
            }
            Err(indistinct) if failing.runs() >= Noise::MOST_RUNS_TO_MEASURE => {
                let failure = Failure::wrong_use(indistinct.to_string()).exit(Exit::NothingToExplain);
                let failure = match indistinct.hint() {
                    Some(hint) => failure.hint(hint),
                    None => failure,
                };
                return Err(NotReady::Answered(Box::new(Answered::refused(failure, indistinct.to_string()))));
            }
            Err(_) => {}
        }
    }
}

/// Says why there is nothing to search for, and keeps what both sides left behind for a look.
fn refuse(session: &Session, refusal: &Refusal, failing: &Seen, passing: &Seen) -> Result<NotReady, Failure> {
    let mut message = refusal.to_string();
    let lines = refusal.lines();
    if !lines.is_empty() {
        message += &format!("\nit printed:\n    {}", lines.join("\n    "));
    }
    let mut failure = Failure::wrong_use(message).exit(Exit::NothingToExplain);
    let mut hints: Vec<String> = refusal.hint().map(str::to_owned).into_iter().collect();
    if let Some(run) = session.dir() {
        let kept = run.join("baseline");
        for (which, seen) in [(Which::Failing, failing), (Which::Passing, passing)] {
            let name = match which {
                Which::Failing => "everything",
                Which::Passing => "nothing",
            };
            copy_folder(&seen.workspace, &kept.join(name)).map_err(|error| Failure::file(&kept, &error))?;
        }
        hints.push(format!("the folders in which it ran are kept in {}", kept.display()));
    }
    failure = failure.hint(hints.join("\nhint: "));
    let why = refusal.to_string();
    let why = why.strip_suffix(", so there is nothing to explain").unwrap_or(&why).to_owned();
    Ok(NotReady::Answered(Box::new(Answered::refused(failure, why))))
}

/// A test that does not do any more what it did would make nonsense of what is recorded.
fn compare_with_recorded(session: &Session, purpose: Purpose, now: &Observation) -> Result<(), Failure> {
    let recorded = session.recorded.entries.iter().find_map(|entry| match entry {
        Entry::Observed { purpose: recorded, observation, .. } if *recorded == purpose => Some(observation),
        _ => None,
    });
    match recorded {
        Some(then) if then.because != now.because => {
            let with = if purpose == Purpose::BaselineFailing { "everything" } else { "nothing" };
            let (then, now) = (&then.because, &now.because);
            Err(Failure::wrong_use(format!(
                "the test has changed since the run began: with {with} it ended with {then}, now with {now}"
            ))
            .hint("restore what has changed, or start a new run")
            .exit(Exit::Flaky))
        }
        _ => Ok(()),
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push((entry.path(), target)),
                kind if kind.is_file() => drop(fs::copy(entry.path(), target)?),
                // Links and devices of a test are nothing to look at.
                _ => {}
            }
        }
    }
    Ok(())
}
