//! Branches that decide: the failing run passes if it goes on where the passing run goes on (predicate switching, Zhang, Gupta and
//! Gupta 2006). Nothing but the program counter is altered.

use crate::FailureTerms;
use crate::branch_executor::BranchExecutor;
use crate::copy_executor::StopFlag;
use crate::parting_branch::PartingBranch;
use crate::program_line::ProgramLine;
use crate::run_judge::RunJudge;
use crate::run_pair::RunPair;
use howcome_dd::{Answer, Ask, Configuration, DeltaId, Knowledge, Outcome, Question, Search, Step};
use howcome_run::{Algorithm, Content, Driver, Halt, Stage, StageName, Subject, Unit};
use std::sync::Arc;

/// At most this number of branches is switched: the first ones, and the last ones.
const MOST_SWITCHES: usize = 120;
/// The name of the stage in the journal.
pub(crate) const BRANCHES: &str = "branches";

/// Branches, each of which can be switched in the failing run.
struct BranchSubject<'a>(&'a [PartingBranch]);

impl Subject for BranchSubject<'_> {
    fn deltas(&self) -> u32 {
        self.0.len() as u32
    }

    fn describe(&self, delta: DeltaId) -> String {
        let PartingBranch { line, failing, .. } = &self.0[delta.index()];
        let file = line.file.file_name().unwrap_or_default().to_string_lossy();
        format!("{file}:{} in {}, time {}", line.line, line.function, failing.hit)
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

/// The branches that decide, in the order of time. Each switch is a test. If the two runs end alike, what they print tells them
/// apart: a switched run passes if it prints the first word that differs as the passing run does.
///
/// # Errors
/// If the run is stopped, or the journal of an earlier session does not fit.
pub(crate) fn find_deciding(
    driver: &mut Driver,
    runs: &RunPair,
    terms: &FailureTerms,
    branches: &[PartingBranch],
    (workers, stop): (usize, StopFlag),
) -> Result<Vec<ProgramLine>, Halt> {
    let (passing, failing) = (runs.passing.result.clone(), runs.failing.result.clone());
    let Some(judge) = RunJudge::new(passing, failing, terms.clone()) else { return Ok(Vec::new()) };
    let tried = few(branches);
    if tried.is_empty() {
        return Ok(Vec::new());
    }
    let mut executor = BranchExecutor::new(runs, &tried, Arc::new(judge), workers, stop);
    let (subject, name) = (BranchSubject(&tried), StageName::Other(BRANCHES.to_owned()));
    let stage = Stage {
        subject: &subject,
        name: &name,
        search: Algorithm::Probe,
        unit: Unit::Branch,
        knowledge: Knowledge::none(),
    };
    let found = driver.run(&mut executor, &stage, SwitchEach::new(tried.len() as u32), &mut |_| {})?;
    let mut deciding: Vec<ProgramLine> = Vec::new();
    for branch in found.iter().map(|delta| &tried[delta.index()]) {
        if !deciding.contains(&branch.line) {
            deciding.push(branch.line.clone());
        }
    }
    Ok(deciding)
}

/// The first and the last branches.
fn few(branches: &[PartingBranch]) -> Vec<PartingBranch> {
    let left_out = branches.len().saturating_sub(MOST_SWITCHES);
    let first = branches.len().min(MOST_SWITCHES / 2);
    branches[..first].iter().chain(&branches[first + left_out..]).cloned().collect()
}

/// Asks for each delta alone. Finds those that pass.
#[derive(Clone, Debug)]
struct SwitchEach {
    deltas: u32,
    next: u32,
    passing: Configuration,
}

impl SwitchEach {
    fn new(deltas: u32) -> Self {
        Self { deltas, next: 0, passing: Configuration::empty() }
    }
}

impl Search for SwitchEach {
    type Finding = Configuration;

    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<Configuration> {
        if self.next == self.deltas {
            return Ask::Done(self.passing.clone());
        }
        let configuration = Configuration::empty().with_delta(DeltaId(self.next));
        // Whatever the outcome, the next question is the same, so others can be tested at the same time.
        Ask::Test(Question { chance: Some(0.9), ..Question::new(configuration, Step::Single) })
    }

    fn tell(&mut self, answer: Answer) {
        if self.next == self.deltas {
            return;
        }
        if answer.outcome == Outcome::Pass {
            self.passing = self.passing.with_delta(DeltaId(self.next));
        }
        self.next += 1;
    }

    fn best_so_far(&self) -> &Configuration {
        &self.passing
    }

    fn questions_left(&self) -> Option<f64> {
        Some(f64::from(self.deltas - self.next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, StopPoint};
    use howcome_dd::drive;

    #[test]
    fn each_branch_is_switched_once_and_those_that_pass_decide() {
        let decides: Configuration = [DeltaId(1), DeltaId(4)].into_iter().collect();
        let all = Configuration::all(6);
        let conversation = drive(SwitchEach::new(6), &all, &Knowledge::none(), |tested| {
            if tested.iter().all(|delta| decides.contains(delta)) {
                Outcome::Pass
            } else {
                Outcome::Unresolved
            }
        });
        assert_eq!(conversation.finding, decides);
        assert_eq!(conversation.told.len(), 6);
    }

    #[test]
    fn of_many_branches_the_first_and_the_last_are_switched() {
        let branch = |number: u32| PartingBranch {
            line: ProgramLine { file: "a.c".into(), line: number, function: "f".into() },
            failing: StopPoint::new(Address(number.into()), 1),
            passing: Address(0),
        };
        let branches: Vec<PartingBranch> = (0..200).map(branch).collect();
        let lines: Vec<u32> = few(&branches).iter().map(|branch| branch.line.line).collect();
        assert_eq!(lines, (0..60).chain(140..200).collect::<Vec<u32>>());
        assert_eq!(few(&branches[..7]).len(), 7);
    }
}
