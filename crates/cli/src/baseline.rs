//! The two tests without which nothing starts, as the command line runs them.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::FailureOptions;
use crate::session::{Answered, Session};
use howcome_dd::{Configuration, Outcome};
use howcome_lab::{
    Baseline, Condition, Ending, Judge, Limits, NotSeen, Oracle, Prepare, Refusal, Repeat, Seen,
};
use howcome_run::{Because, Ending as RunEnding, Entry, Observation, Purpose, Tally};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What is known when a search may start.
pub(crate) struct Ready {
    /// Who judges.
    pub(crate) judge: Arc<dyn Oracle>,
    /// How often a test has to be run before it is believed.
    pub(crate) repeat: Repeat,
    /// What nothing at all does, and why.
    pub(crate) nothing: Outcome,
    pub(crate) nothing_ends: Because,
    /// How everything ends.
    pub(crate) everything_ends: Because,
    /// The last lines that nothing at all prints.
    pub(crate) nothing_prints: Vec<String>,
    /// How long the slower side took, in seconds.
    pub(crate) seconds: f64,
    /// What was seen of everything and of nothing.
    pub(crate) seen: [Seen; 2],
}

/// What the two sides are called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sides {
    /// Everything, and nothing.
    Parts,
    /// The bad version, and the good one.
    Versions,
    /// The failing input, and the passing one.
    Inputs,
    /// The bad revision; none is known to pass.
    Revision,
}

impl Sides {
    fn name(self, purpose: Purpose) -> &'static str {
        match (self, purpose) {
            (Sides::Parts, Purpose::BaselineFailing) => "everything",
            (Sides::Parts, _) => "nothing",
            (Sides::Versions, Purpose::BaselineFailing) => "the bad version",
            (Sides::Versions, _) => "the good version",
            (Sides::Inputs, Purpose::BaselineFailing) => "the failing input",
            (Sides::Inputs, _) => "the passing input",
            (Sides::Revision, _) => "the bad revision",
        }
    }

    /// What a file of it is called.
    fn file(self, purpose: Purpose) -> &'static str {
        let name = self.name(purpose);
        let name = name.strip_prefix("the ").unwrap_or(name);
        name.rsplit_once(' ').map_or(name, |(which, _)| which)
    }
}

/// How a baseline is run.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    /// What counts as the failure.
    pub(crate) lab: howcome_lab::Terms,
    /// Whether the passing side is more than a check.
    pub(crate) two_sided: bool,
    pub(crate) sides: Sides,
    /// What to try next where there is nothing to explain.
    pub(crate) if_refused: Option<String>,
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

/// Runs both sides, decides who judges, and sets the workers up.
pub(crate) fn prepare(
    session: &mut Session,
    name: &str,
    subject: &Arc<dyn Prepare>,
    failure: &FailureOptions,
    terms: &Terms,
) -> Result<Ready, NotReady> {
    let sides = terms.sides;
    let timeout = failure.timeout.unwrap_or(howcome_lab::PATIENCE);
    session.local.set_limits(Limits { timeout, memory: failure.memory, ..Limits::default() });
    let looks = match failure.repeat {
        _ if failure.flaky => LOOKS_IF_FLAKY,
        repeat => (2 * repeat - 1).min(LOOKS_IF_FLAKY),
    };
    session.talk.now(&format!("baseline: the test with {}", sides.name(Purpose::BaselineFailing)));
    let everything = Configuration::all(subject.deltas());
    let failing = look(session, subject, &everything, looks, sides)?;
    session.talk.now(&format!("baseline: the test with {}", sides.name(Purpose::BaselinePassing)));
    let nothing = Configuration::empty();
    let passing = look(session, subject, &nothing, looks, sides)?;
    let [failing, passing] = tell_apart(&terms.lab, failing, passing, failure.flaky)?;
    let passing_side = terms.two_sided.then_some(&passing.typical);
    let baseline = match Baseline::of(&terms.lab, &failing.typical, passing_side) {
        Ok(baseline) => baseline,
        Err(refusal) => {
            let sides = [
                (Purpose::BaselineFailing, &failing, everything.clone()),
                (Purpose::BaselinePassing, &passing, Configuration::empty()),
            ];
            return Err(refuse(session, name, terms, &refusal, &sides)?);
        }
    };
    let judge: Arc<dyn Oracle> = Arc::new(baseline.judge.clone());
    session.local.set_limits(Limits {
        timeout: baseline.timeout,
        build_timeout: baseline.build_timeout,
        memory: failure.memory,
        ..Limits::default()
    });
    let (repeat, measured) = match failure.flaky {
        false => (Repeat::Times(failure.repeat), [Tally::default(); 2]),
        true => measure(session, subject, &judge)?,
    };
    let everything_ends = failing.typical.ending.plain().into();
    let nothing_prints = passing.typical.last_lines(3);
    let seen = [failing.typical.clone(), passing.typical.clone()];
    let both = [
        (Purpose::BaselineFailing, everything, failing, measured[0]),
        (Purpose::BaselinePassing, nothing, passing, measured[1]),
    ];
    let (mut nothing_does, mut nothing_ends) = (Outcome::Pass, Because::Exit(0));
    let mut seconds: f64 = 0.0;
    for (purpose, configuration, looked, measured) in both {
        let mut observation = looked.observation(&baseline.judge, measured);
        observation.log = keep_log(session, sides.file(purpose), &looked.typical);
        if purpose == Purpose::BaselinePassing {
            (nothing_does, nothing_ends) = (observation.outcome, observation.because.clone());
        }
        seconds = seconds.max((looked.typical.took + looked.typical.built).as_secs_f64());
        compare_with_recorded(session, purpose, sides.name(purpose), &observation)?;
        let content = subject.content(&configuration);
        session
            .driver
            .baseline(name, purpose, &configuration, content, observation)
            .map_err(Failure::from)?;
    }
    session.local.set_experiment(Arc::clone(subject), Arc::clone(&judge), repeat);
    Ok(Ready {
        judge,
        seen,
        repeat,
        nothing: nothing_does,
        nothing_ends,
        everything_ends,
        nothing_prints,
        seconds,
    })
}

/// What is known where only the failing side was run.
pub(crate) struct Failing {
    pub(crate) judge: Arc<dyn Oracle>,
    pub(crate) repeat: Repeat,
    pub(crate) ends: Because,
    /// How long it took, in seconds.
    pub(crate) seconds: f64,
}

/// Runs the failing side alone, decides who judges, and sets the limits.
pub(crate) fn prepare_failing(
    session: &mut Session,
    name: &str,
    subject: &Arc<dyn Prepare>,
    configuration: &Configuration,
    failure: &FailureOptions,
    terms: &Terms,
) -> Result<Failing, NotReady> {
    let timeout = failure.timeout.unwrap_or(howcome_lab::PATIENCE);
    session.local.set_limits(Limits { timeout, memory: failure.memory, ..Limits::default() });
    session.talk.now(&format!("baseline: the test with {}", terms.sides.name(Purpose::BaselineFailing)));
    let looks = (2 * failure.repeat - 1).min(LOOKS_IF_FLAKY);
    let all = look(session, subject, configuration, looks, terms.sides)?;
    let share = |ending: Ending| all.iter().filter(|seen| seen.ending == ending).count();
    let Some(typical) = all.iter().max_by_key(|seen| share(seen.ending)).cloned() else {
        return Err(NotReady::Failed(Failure::wrong_use("the baseline was not run").exit(Exit::Bug)));
    };
    let looked = Looked { typical, all };
    let baseline = match Baseline::of_failing(&terms.lab, &looked.typical) {
        Ok(baseline) => baseline,
        Err(refusal) => {
            let sides = [(Purpose::BaselineFailing, &looked, configuration.clone())];
            return Err(refuse(session, name, terms, &refusal, &sides)?);
        }
    };
    session.local.set_limits(Limits {
        timeout: baseline.timeout,
        build_timeout: baseline.build_timeout,
        memory: failure.memory,
        ..Limits::default()
    });
    let mut observation = looked.observation(&baseline.judge, Tally::default());
    observation.log = keep_log(session, terms.sides.file(Purpose::BaselineFailing), &looked.typical);
    let purpose = Purpose::BaselineFailing;
    compare_with_recorded(session, purpose, terms.sides.name(purpose), &observation)?;
    let ends = observation.because.clone();
    let content = subject.content(configuration);
    session.driver.baseline(name, purpose, configuration, content, observation).map_err(Failure::from)?;
    Ok(Failing {
        judge: Arc::new(baseline.judge),
        repeat: Repeat::Times(failure.repeat),
        ends,
        seconds: (looked.typical.took + looked.typical.built).as_secs_f64(),
    })
}

/// A single look at a noisy test may lie, so there are many: one that fails in 3 of 10 runs does so in some of these.
const LOOKS_IF_FLAKY: u32 = 20;

/// What was seen of one side.
struct Looked {
    /// A run that shows what this side does and the other does not, or less often.
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
    sides: Sides,
) -> Result<Vec<Seen>, NotReady> {
    let is_new = session.is_new();
    let mut seen = Vec::new();
    for time in 1..=times {
        // The good version, or the only one, comes last; the search goes on from what it leaves.
        let is_last = configuration.is_empty() || matches!(sides, Sides::Revision);
        let looked = match is_last && time == times {
            true => session.local.look_and_go_on(subject, configuration),
            false => session.local.look(subject, configuration),
        };
        seen.push(looked.map_err(|not_seen| match not_seen {
            NotSeen::Because(Because::DidNotBuild(why)) => {
                let purpose = if configuration.is_empty() {
                    Purpose::BaselinePassing
                } else {
                    Purpose::BaselineFailing
                };
                NotReady::Failed(does_not_build(sides.name(purpose), &why))
            }
            other => not_seen_at_all(other, is_new),
        })?);
    }
    Ok(seen)
}

/// Chooses the run of each side that stands for it: the ending that is the most frequent there, in comparison with the
/// other side where the test is known to be noisy; or there what the user says it shows.
fn tell_apart(
    terms: &howcome_lab::Terms,
    failing: Vec<Seen>,
    passing: Vec<Seen>,
    flaky: bool,
) -> Result<[Looked; 2], NotReady> {
    let share = |all: &[Seen], ending: Ending| {
        all.iter().filter(|seen| seen.ending == ending).count() as f64 / all.len().max(1) as f64
    };
    let choose = |own: &[Seen], other: &[Seen], conditions: &[Condition]| {
        let is_said = |seen: &&Seen| {
            flaky && !conditions.is_empty() && conditions.iter().all(|condition| condition.holds(seen))
        };
        let elsewhere = |ending: Ending| if flaky { share(other, ending) } else { 0.0 };
        let by_share = |seen: &&Seen| share(own, seen.ending) - elsewhere(seen.ending);
        let most = own.iter().max_by(|a, b| by_share(a).total_cmp(&by_share(b)));
        own.iter().find(is_said).or(most).cloned()
    };
    let sides =
        (choose(&failing, &passing, &terms.fails_when), choose(&passing, &failing, &terms.passes_when));
    match sides {
        (Some(fails), Some(passes)) => {
            Ok([Looked { typical: fails, all: failing }, Looked { typical: passes, all: passing }])
        }
        _ => Err(NotReady::Failed(Failure::wrong_use("the baseline was not run").exit(Exit::Bug))),
    }
}

fn not_seen_at_all(not_seen: NotSeen, is_new: bool) -> NotReady {
    match not_seen {
        // What an earlier session has recorded stays the last word.
        NotSeen::Interrupted if !is_new => {
            NotReady::Failed(Failure::wrong_use("interrupted before the search went on").exit(Exit::Stopped))
        }
        NotSeen::Interrupted => NotReady::Answered(Box::new(Answered {
            ending: RunEnding::Stopped,
            conclusion: None,
            answer: None,
            failure: None,
            why: Some("interrupted before the search began".to_owned()),
        })),
        NotSeen::Because(because) => NotReady::Failed(no_verdict(&because)),
    }
}

/// Nothing can be compared with a version that cannot be built.
fn does_not_build(side: &str, why: &str) -> Failure {
    let mut lines = why.lines().map(howcome_report::printable);
    let mut message = format!("{side} does not build: {}", lines.next().unwrap_or_default());
    let printed: Vec<String> = lines.collect();
    if !printed.is_empty() {
        message += &format!("\nit printed:\n    {}", printed.join("\n    "));
    }
    Failure::wrong_use(message)
        .hint("the build runs at the top of a copy of the version, with nothing in it but what the version holds; try it there")
        .exit(Exit::NothingToExplain)
}

/// The error for a test that said nothing about its candidate.
pub(crate) fn no_verdict(because: &Because) -> Failure {
    match because {
        Because::CouldNotStart(why) => Failure::wrong_use(format!("the test cannot be started: {why}"))
            .hint("give the path of a program, or of a script that is executable and begins with #!"),
        Because::DiskFull(why) => Failure::wrong_use(format!("the disk is full: {why}"))
            .hint("make room, or set TMPDIR to a larger disk, then resume the run")
            .exit(Exit::Stopped),
        Because::AskedToStop(code) => {
            Failure::wrong_use(format!("the test asked for an end by exit code {code}")).exit(Exit::Stopped)
        }
        Because::DidNotApply(why) | Because::DidNotBuild(why) => {
            Failure::wrong_use(format!("one side of the baseline cannot be made: {why}"))
                .exit(Exit::NothingToExplain)
        }
        other => Failure::wrong_use(format!("the test {other}"))
            .hint("a test may do what it likes in the folder that it starts in, but not to that folder or those above")
            .exit(Exit::Stopped),
    }
}

/// Runs both sides many times, in order to learn how noisy the test is.
fn measure(
    session: &mut Session,
    subject: &Arc<dyn Prepare>,
    judge: &Arc<dyn Oracle>,
) -> Result<(Repeat, [Tally; 2]), NotReady> {
    session.talk.now("baseline: measuring how noisy the test is");
    let (everything, nothing) = (Configuration::all(subject.deltas()), Configuration::empty());
    let is_new = session.is_new();
    let learnt = session.local.learn_noise(subject, judge, &everything, &nothing);
    let learnt = learnt.map_err(|not_seen| not_seen_at_all(not_seen, is_new))?;
    match learnt {
        Ok((noise, [failing, passing])) => {
            session.talk.note(&format!(
                "the test fails in {} of {} runs with everything and in {} of {} with nothing; a question takes about {:.0} runs",
                failing.fail,
                failing.runs(),
                passing.fail,
                passing.runs(),
                noise.expected_runs().ceil(),
            ));
            Ok((Repeat::Flaky(noise), [failing, passing]))
        }
        Err(indistinct) => {
            let failure = Failure::wrong_use(indistinct.to_string()).exit(Exit::NothingToExplain);
            let failure = match indistinct.hint() {
                Some(hint) => failure.hint(hint),
                None => failure,
            };
            Err(NotReady::Answered(Box::new(Answered::refused(failure, indistinct.to_string()))))
        }
    }
}

/// Says why there is nothing to search for, and keeps what both sides left behind for a look.
fn refuse(
    session: &mut Session,
    name: &str,
    terms: &Terms,
    refusal: &Refusal,
    sides: &[(Purpose, &Looked, Configuration)],
) -> Result<NotReady, Failure> {
    let mut message = refusal.to_string();
    let lines: Vec<String> = refusal.lines().iter().map(|line| howcome_report::printable(line)).collect();
    if !lines.is_empty() {
        message += &format!("\nit printed:\n    {}", lines.join("\n    "));
    }
    let mut hints: Vec<String> = refusal.hint().map(str::to_owned).into_iter().collect();
    hints.extend(terms.if_refused.clone().filter(|_| !refusal.is_swapped()));
    let kept = session.dir().map(|run| run.join("baseline"));
    let mut is_kept = true;
    for (purpose, looked, configuration) in sides {
        let (purpose, seen) = (*purpose, &looked.typical);
        let mut observation = Observation::new(Outcome::Unresolved, seen.ending.plain().into(), seen.took);
        observation.tally = Tally { unresolved: looked.all.len() as u32, ..Tally::default() };
        observation.log = keep_log(session, terms.sides.file(purpose), seen);
        session.driver.baseline(name, purpose, configuration, None, observation)?;
        if let Some(kept) = &kept {
            // What cannot be copied is no reason to say less about the test.
            is_kept &= copy_folder(&seen.workspace, &kept.join(terms.sides.file(purpose))).is_ok();
        }
    }
    let kept = kept.filter(|_| is_kept);
    hints.extend(kept.map(|kept| format!("the folders in which it ran are kept in {}", kept.display())));
    let failure = Failure::wrong_use(message).exit(Exit::NothingToExplain).hint(hints.join("\nhint: "));
    let why = refusal.to_string();
    let why = why.strip_suffix(", so there is nothing to explain").unwrap_or(&why).to_owned();
    Ok(NotReady::Answered(Box::new(Answered::refused(failure, why))))
}

fn keep_log(session: &Session, name: &str, seen: &Seen) -> Option<String> {
    howcome_lab::write_log(&session.dir()?.join("log"), name, seen)
}

/// A test that does not do any more what it did would make nonsense of what is recorded.
fn compare_with_recorded(
    session: &Session,
    purpose: Purpose,
    with: &str,
    now: &Observation,
) -> Result<(), Failure> {
    let recorded = session.recorded.entries.iter().find_map(|entry| match entry {
        Entry::Observed { purpose: recorded, observation, .. } if *recorded == purpose => Some(observation),
        _ => None,
    });
    match recorded {
        Some(then) if then.because != now.because => {
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
