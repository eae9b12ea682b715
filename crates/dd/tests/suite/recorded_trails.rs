//! The trails of every search in a few worlds, compared with recorded ones.
//!
//! To resume a run is to replay its journal, so a search must ask the same questions in every version of howcome. If a change
//! of a search is intended, `RECORD_TRAILS=1 cargo test -p howcome-dd recorded_trails` records the trails again.

use crate::random::Random;
use howcome_dd::{
    Answer, Ask, Configuration, DeltaId, Difference, Hints, Outcome, Relation, Search, SearchVisitor,
    visit_every_search,
};
use std::any::type_name;
use std::fmt::Write;
use std::fs;
use std::path::Path;

struct RecordedWorld {
    name: &'static str,
    deltas: u32,
    /// Whether the whole trail is recorded and not only a digest.
    is_readable: bool,
    test: fn(&Configuration) -> Answer,
}

const WORLDS: [RecordedWorld; 7] = [
    RecordedWorld { name: "small", deltas: 8, is_readable: true, test: random },
    RecordedWorld { name: "random", deltas: 24, is_readable: false, test: random },
    RecordedWorld { name: "few needed", deltas: 60, is_readable: false, test: few_needed },
    RecordedWorld { name: "many needed", deltas: 150, is_readable: false, test: many_needed },
    RecordedWorld { name: "declarations", deltas: 40, is_readable: false, test: declarations },
    RecordedWorld { name: "broken range", deltas: 300, is_readable: false, test: broken_range },
    RecordedWorld { name: "late change", deltas: 90, is_readable: false, test: late_change },
];

fn resolved(fails: bool) -> Answer {
    Answer::from(if fails { Outcome::Fail } else { Outcome::Pass })
}

fn not_run() -> Answer {
    Answer { was_run: false, ..Answer::from(Outcome::Unresolved) }
}

/// All outcomes at random.
fn random(asked: &Configuration) -> Answer {
    match Random(asked.fingerprint() as u64).below(10) {
        0..=2 => resolved(true),
        3..=6 => resolved(false),
        7 => Answer::from(Outcome::Unresolved),
        _ => not_run(),
    }
}

fn few_needed(asked: &Configuration) -> Answer {
    resolved([6, 19, 20, 44].iter().all(|delta| asked.contains(DeltaId(*delta))))
}

fn many_needed(asked: &Configuration) -> Answer {
    resolved((20..90).chain([110, 130]).all(|delta| asked.contains(DeltaId(delta))))
}

/// Each delta needs the one before it, except every fourth. A compiler names what is missing.
fn declarations(asked: &Configuration) -> Answer {
    let needs = |user: &DeltaId| (!user.0.is_multiple_of(4)).then(|| (*user, DeltaId(user.0 - 1)));
    let missing: Vec<(DeltaId, DeltaId)> =
        asked.iter().filter_map(|user| needs(&user)).filter(|(_, needed)| !asked.contains(*needed)).collect();
    let Some((user, needed)) = missing.first() else {
        return resolved([14, 31].iter().all(|delta| asked.contains(DeltaId(*delta))));
    };
    let repairs = vec![asked.with_delta(*needed), asked.without_delta(*user)];
    let suspected = missing.iter().map(|(user, needed)| Relation::Needs(*user, *needed)).collect();
    Answer { hints: Hints::repairs(repairs).suspecting(suspected), ..not_run() }
}

/// One delta fails. Nothing that ends in the range around it can be run.
fn broken_range(asked: &Configuration) -> Answer {
    match asked.last() {
        Some(last) if (200..230).contains(&last.0) => not_run(),
        _ => resolved(asked.contains(DeltaId(211))),
    }
}

/// The versions after the change fail. A few versions before it fail differently, and some cannot be run.
fn late_change(asked: &Configuration) -> Answer {
    match asked.first_from(DeltaId(0)).map_or(0, |first| first.0) {
        17..=19 => Answer::from(Outcome::Unresolved),
        30..=36 => not_run(),
        version => resolved(version >= 20),
    }
}

/// Writes down everything that a driver can see of a search.
struct TrailRecorder<'a> {
    world: &'a RecordedWorld,
    number: usize,
    text: String,
}

impl SearchVisitor for TrailRecorder<'_> {
    fn visit<S: Search>(&mut self, search: S) {
        let trail = trail(search, self.world.test);
        self.number += 1;
        let (number, world) = (self.number, self.world.name);
        let name = type_name::<S>().split('<').map(last_name).collect::<Vec<_>>().join(" of ");
        let questions = trail.lines().count() - 1;
        let digest = trail.bytes().fold(0xcbf2_9ce4_8422_2325, digest);
        if self.world.is_readable {
            writeln!(self.text, "{world}: {number}. {name}\n{trail}").unwrap_or_default();
        } else {
            writeln!(self.text, "{world}: {number}. {name}: {questions} questions, {digest:016x}")
                .unwrap_or_default();
        }
    }
}

fn trail<S: Search>(mut search: S, test: fn(&Configuration) -> Answer) -> String {
    let mut trail = String::new();
    loop {
        let left = search.questions_left().map_or_else(|| "?".to_owned(), |left| format!("{left:.3}"));
        let Difference { passing, failing } = search.best_difference();
        let best = format!("best {} or {passing} to {failing}", search.best_so_far());
        let state = format!("{} left, {left} to ask, {best}", search.left());
        match search.ask() {
            Ask::Done(finding) => return trail + &format!("  {state}: {finding:?}\n"),
            Ask::Test(question) => {
                let answer = test(&question.configuration);
                let (step, sign) = (question.step.name(), answer.outcome.sign());
                let chance = question.chance.map_or_else(String::new, |chance| format!(" {chance:.3}"));
                trail += &format!("  {step} {}{chance} {sign} {state}\n", question.configuration);
                search.tell(answer);
            }
        }
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim_end_matches('>')
}

/// FNV-1a.
fn digest(digest: u64, byte: u8) -> u64 {
    (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

#[test]
fn every_search_asks_the_questions_that_were_recorded() {
    let mut text = String::new();
    for world in &WORLDS {
        let starts = (0..world.deltas).step_by(3);
        let groups: Vec<Configuration> =
            starts.map(|start| Configuration::from_run(start..(start + 2).min(world.deltas))).collect();
        let mut recorder = TrailRecorder { world, number: 0, text: String::new() };
        visit_every_search(world.deltas, &groups, &mut recorder);
        text += &recorder.text;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/recorded_trails.txt");
    if std::env::var_os("RECORD_TRAILS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap();
    for (now, recorded) in text.lines().zip(recorded.lines()) {
        assert_eq!(now, recorded);
    }
    assert_eq!(text.lines().count(), recorded.lines().count());
}
