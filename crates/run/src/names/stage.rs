//! The stages of a run.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A stage, named after what it varies. Stages with the same name share their deltas, so outcomes carry over.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum StageName {
    /// `items`: the list.
    Items,
    /// `input`: the whole input, or nothing.
    WholeInput,
    /// `input`: one turn of a pass.
    Pass {
        /// The number of the turn, counted from 1 over all passes.
        turn: u32,
        /// The name of the pass.
        pass: String,
    },
    /// `input`: the reduced input.
    FoundInput,
    /// `input`: the reduced input, formatted.
    FormattedInput,
    /// `input`: the differences between two inputs.
    Isolation,
    /// `changes`: the good and the bad version, unchanged.
    Versions,
    /// `changes` and `history`: a step from two versions to lines.
    Round(Round, RoundStep),
    /// `history`: the bad revision, unchanged.
    BadRevision,
    /// `history`: the n-th walk back, counted from 1.
    Walk(u32),
    /// `history`: the n-th test of a single version, counted from 1.
    Trial(u32),
    /// `history`: back from a revision that passed with too large a patch.
    Return,
    /// `history`: a patch is made smaller.
    Backport(BackportStep),
    /// `history`: the n-th walk forward with the fix, counted from 1.
    Forward(u32),
    /// `state`: a place at which both runs are stopped, or a stage of a question that is not part of howcome.
    Other(String),
}

impl StageName {
    /// The name without the number of the turn: the pass of a turn, or the whole name.
    #[must_use]
    pub fn without_turn(&self) -> String {
        match self {
            StageName::Pass { pass, .. } => pass.clone(),
            other => other.to_string(),
        }
    }
}

/// The cause that is searched for, and the part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Round {
    /// Counted from 0.
    pub cause: u32,
    /// Counted from 0.
    pub part: u32,
    /// The section of a walk through history, if this is not about a cause.
    pub leg: Option<Leg>,
}

/// A section of a walk through history: `patch 2`, `forward 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leg {
    /// Its goal.
    pub way: Way,
    /// Counted from 1.
    pub number: u32,
}

/// The goal of a section of a walk through history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// A patch with which an older revision fails.
    Patch,
    /// A smaller patch.
    Backport,
    /// A fix for a newer revision.
    Forward,
    /// A cause that is a single edit. The number is that of the cause, also for the other ways to a better answer.
    Edit,
    /// A cause without the changes that it needs only in order to build.
    Deciding,
    /// A cause of whole hunks.
    Hunks,
    /// A cause that fails with the same details as the bad version.
    Exact,
    /// The changes without which the commit passes.
    Undone,
    /// The changes that those need in order to fail.
    Needed,
    /// What a cause that was found in a mix needs in order to fail in the good version.
    Company,
}

/// A step from two versions to lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RoundStep {
    /// The commits between the versions.
    Commits,
    /// The commits of a branch, by the short name of the merge.
    Branch(String),
    /// The changes that must not be varied.
    Others,
    /// The good version in the names of the bad one.
    NewNames,
    /// The files that differ.
    Files,
    /// The functions, types and declarations that differ.
    Items,
    /// The hunks between the versions.
    Hunks,
    /// The blocks of changed lines of the hunks.
    Blocks,
    /// The lines of the hunks.
    Lines,
    /// The failing version of the two.
    Whole,
    /// Single edits amid lines that moved or were renamed.
    Edits,
    /// The good version with only the answer applied.
    Alone,
    /// The bad version without the answer.
    Without,
    /// The version before the answer, which passes.
    Before,
    /// The commit that the answer comes from, without the answer.
    Reverted,
    /// The version before that commit, with the answer.
    Reapplied,
    /// A revision between the answer and the bad version, at which the failure was perhaps fixed.
    Later,
}

/// A step that makes a patch for an older revision smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackportStep {
    /// Without comments and documentation.
    Comments,
    /// The same in the newer revision.
    CommentsInNewer,
    /// By hunks, in the newer revision.
    HunksInNewer,
    /// By lines.
    Lines,
    /// The same in the newer revision.
    LinesInNewer,
    /// By lines, with both revisions tested.
    Both,
}

impl BackportStep {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Comments, "remarks"),
        (Self::CommentsInNewer, "remarks, newer"),
        (Self::HunksInNewer, "hunks, newer"),
        (Self::Lines, "lines"),
        (Self::LinesInNewer, "lines, newer"),
        (Self::Both, "both"),
    ];
}

impl Way {
    const ALL: [(Self, &'static str); 10] = [
        (Self::Patch, "patch"),
        (Self::Backport, "back-port"),
        (Self::Forward, "forward"),
        (Self::Edit, "edit"),
        (Self::Deciding, "deciding"),
        (Self::Hunks, "hunks"),
        (Self::Exact, "exact"),
        (Self::Undone, "undone"),
        (Self::Needed, "needed"),
        (Self::Company, "completed"),
    ];
}

const PLAIN_STEPS: [(RoundStep, &str); 16] = [
    (RoundStep::Commits, "commits"),
    (RoundStep::NewNames, "new names"),
    (RoundStep::Files, "files"),
    (RoundStep::Items, "definitions"),
    (RoundStep::Others, "others"),
    (RoundStep::Hunks, "hunks"),
    (RoundStep::Blocks, "blocks"),
    (RoundStep::Lines, "lines"),
    (RoundStep::Whole, "failing version"),
    (RoundStep::Edits, "edits"),
    (RoundStep::Alone, "alone"),
    (RoundStep::Without, "without"),
    (RoundStep::Before, "before"),
    (RoundStep::Reverted, "reverted"),
    (RoundStep::Reapplied, "reapplied"),
    (RoundStep::Later, "later"),
];

const BRANCH: &str = "branch merged by ";

const PLAIN_STAGES: [(StageName, &str); 8] = [
    (StageName::Items, "items"),
    (StageName::WholeInput, "whole"),
    (StageName::FoundInput, "answer"),
    (StageName::FormattedInput, "laid out"),
    (StageName::Isolation, "isolation"),
    (StageName::Versions, "versions"),
    (StageName::BadRevision, "bad revision"),
    (StageName::Return, "return"),
];

fn spelling<'a, T: PartialEq>(table: &'a [(T, &'a str)], name: &T) -> &'a str {
    table.iter().find(|(known, _)| known == name).map_or("", |(_, spelling)| spelling)
}

fn named<T: Clone>(table: &[(T, &str)], text: &str) -> Option<T> {
    table.iter().find(|(_, spelling)| *spelling == text).map(|(name, _)| name.clone())
}

impl fmt::Display for RoundStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RoundStep::Branch(merge) => write!(f, "{BRANCH}{merge}"),
            plain => f.write_str(spelling(&PLAIN_STEPS, plain)),
        }
    }
}

impl FromStr for RoundStep {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let branch = || text.strip_prefix(BRANCH).map(|merge| RoundStep::Branch(merge.to_owned()));
        named(&PLAIN_STEPS, text).or_else(branch).ok_or(())
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StageName::Pass { turn, pass } => write!(f, "{turn} {pass}"),
            StageName::Round(Round { leg: Some(Leg { way, number }), .. }, step) => {
                write!(f, "{} {number}: {step}", spelling(&Way::ALL, way))
            }
            StageName::Round(Round { cause, part, leg: None }, step) => {
                write!(f, "{step}")?;
                if *cause > 0 {
                    write!(f, ", cause {}", cause + 1)?;
                }
                if *part > 0 {
                    write!(f, ", part {}", part + 1)?;
                }
                Ok(())
            }
            StageName::Walk(1) => f.write_str("walk"),
            StageName::Walk(number) => write!(f, "walk {number}"),
            StageName::Trial(number) => write!(f, "patch, try {number}"),
            StageName::Backport(step) => write!(f, "back-port: {}", spelling(&BackportStep::ALL, step)),
            StageName::Forward(number) => write!(f, "forward {number}"),
            StageName::Other(name) => f.write_str(name),
            plain => f.write_str(spelling(&PLAIN_STAGES, plain)),
        }
    }
}

impl From<StageName> for String {
    fn from(name: StageName) -> Self {
        name.to_string()
    }
}

impl From<String> for StageName {
    fn from(text: String) -> Self {
        let number = |prefix: &str| text.strip_prefix(prefix)?.parse::<u32>().ok();
        let name = named(&PLAIN_STAGES, &text)
            .or_else(|| (text == "walk").then_some(StageName::Walk(1)))
            .or_else(|| number("walk ").map(StageName::Walk))
            .or_else(|| number("patch, try ").map(StageName::Trial))
            .or_else(|| number("forward ").map(StageName::Forward))
            .or_else(|| backport(&text))
            .or_else(|| round_on_a_leg(&text))
            .or_else(|| round(&text))
            .or_else(|| pass(&text));
        name.unwrap_or(StageName::Other(text))
    }
}

fn backport(text: &str) -> Option<StageName> {
    named(&BackportStep::ALL, text.strip_prefix("back-port: ")?).map(StageName::Backport)
}

fn round_on_a_leg(text: &str) -> Option<StageName> {
    let (leg, step) = text.split_once(": ")?;
    let (way, number) = leg.split_once(' ')?;
    let leg = Leg { way: named(&Way::ALL, way)?, number: number.parse().ok()? };
    Some(StageName::Round(Round { leg: Some(leg), ..Round::default() }, step.parse().ok()?))
}

fn round(text: &str) -> Option<StageName> {
    let mut words = text.split(", ");
    let step: RoundStep = words.next()?.parse().ok()?;
    let mut round = Round::default();
    for word in words {
        let (which, number) = word.split_once(' ')?;
        let number = number.parse::<u32>().ok()?.checked_sub(1)?;
        match which {
            "cause" => round.cause = number,
            "part" => round.part = number,
            _ => return None,
        }
    }
    Some(StageName::Round(round, step))
}

fn pass(text: &str) -> Option<StageName> {
    let (turn, pass) = text.split_once(' ')?;
    Some(StageName::Pass { turn: turn.parse().ok()?, pass: pass.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<StageName> {
        let rounds = [
            Round::default(),
            Round { part: 2, ..Round::default() },
            Round { cause: 1, ..Round::default() },
            Round { cause: 3, part: 1, leg: None },
        ];
        let legs = Way::ALL.map(|(way, _)| Round { leg: Some(Leg { way, number: 4 }), ..Round::default() });
        let steps =
            || PLAIN_STEPS.map(|(step, _)| step).into_iter().chain([RoundStep::Branch("1a2b".into())]);
        let mut all: Vec<StageName> = PLAIN_STAGES.map(|(stage, _)| stage).into();
        all.extend(BackportStep::ALL.map(|(step, _)| StageName::Backport(step)));
        for round in rounds.into_iter().chain(legs) {
            all.extend(steps().map(|step| StageName::Round(round, step)));
        }
        all.extend([
            StageName::Pass { turn: 12, pass: "unused names".to_owned() },
            StageName::Walk(1),
            StageName::Walk(3),
            StageName::Trial(2),
            StageName::Forward(1),
            StageName::Other("main:sample.c:31:1, reversed".to_owned()),
        ]);
        all
    }

    #[test]
    fn a_stage_is_written_and_read_by_the_same_name() {
        for name in all() {
            assert_eq!(StageName::from(name.to_string()), name, "{name}");
        }
    }

    #[test]
    fn no_two_stages_have_the_same_spelling() {
        let mut spellings: Vec<String> = all().iter().map(ToString::to_string).collect();
        let count = spellings.len();
        spellings.sort();
        spellings.dedup();
        assert_eq!(spellings.len(), count);
    }

    #[test]
    fn rounds_are_counted_from_one_for_people() {
        let round = Round { cause: 1, part: 2, leg: None };
        assert_eq!(StageName::Round(round, RoundStep::Lines).to_string(), "lines, cause 2, part 3");
        let leg = Some(Leg { way: Way::Patch, number: 2 });
        let name = StageName::Round(Round { leg, ..Round::default() }, RoundStep::Hunks);
        assert_eq!(name.to_string(), "patch 2: hunks");
    }
}
