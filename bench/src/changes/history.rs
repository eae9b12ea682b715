//! A thousand commits, of which one or two introduce the cause.

use super::cause::SeededCause;
use super::fast_import::{CommitMark, ImportStream};
use super::program::{CProgram, PARTS, ProgramFiles};
use super::program_editor::{EditScope, ProgramEditor};
use super::variant::CauseVariant;
use std::collections::BTreeSet;

/// The number of parts that only branches change, if there are branches.
const OF_BRANCHES: usize = 10;
const MOST_HUNKS: u32 = 30;

/// A history, and the right answer.
#[derive(Clone, Debug)]
pub(crate) struct SeededHistory {
    pub(crate) stream: ImportStream,
    pub(crate) good: CommitMark,
    pub(crate) bad: CommitMark,
    /// The commits that introduce the cause, in order.
    pub(crate) culprits: Vec<CommitMark>,
    /// The last commit before the last culprit that builds, and the first one from the culprit on that builds.
    pub(crate) around: (CommitMark, CommitMark),
    pub(crate) cause: SeededCause,
}

impl SeededHistory {
    /// A history with this many commits after the good one.
    pub(crate) fn new(variant: CauseVariant, seed: u64, commits: u32) -> Self {
        let mut noise = ProgramEditor::new(seed.wrapping_mul(1000) + variant as u64);
        let program = noise.program();
        let mut stream = ImportStream::default();
        let files = program.files();
        let good = stream.commit(&[], &ProgramFiles::new(), &files, "the program");
        let part = noise.below(OF_BRANCHES as u32) as usize;
        let cause = SeededCause::new(variant, seed, part);
        let line = DevelopmentLine { program, files, tip: good };
        let mut growing =
            HistoryBuilder { noise, stream, cause, culprits: Vec::new(), steps: Vec::new(), end: commits };
        let (line, untestable) = match variant.merges() {
            true => (growing.with_merges(line, variant == CauseVariant::EvilMerge), BTreeSet::new()),
            false => growing.straight(line, variant == CauseVariant::Untestable, seed),
        };
        let last = growing.culprits.last().map_or(1, |mark| mark.0);
        let before = (1..last).rev().find(|mark| !untestable.contains(mark)).unwrap_or(1);
        let after = (last..).find(|mark| !untestable.contains(mark)).unwrap_or(last);
        Self {
            stream: growing.stream,
            good,
            bad: line.tip,
            culprits: growing.culprits,
            around: (CommitMark(before), CommitMark(after)),
            cause: growing.cause,
        }
    }
}

/// The current state of a line of development.
#[derive(Clone, Debug)]
struct DevelopmentLine {
    program: CProgram,
    files: ProgramFiles,
    tip: CommitMark,
}

/// Builds a history.
struct HistoryBuilder {
    noise: ProgramEditor,
    stream: ImportStream,
    cause: SeededCause,
    culprits: Vec<CommitMark>,
    /// The numbers of the commits that apply a step of the cause.
    steps: Vec<u32>,
    end: u32,
}

impl HistoryBuilder {
    fn straight(
        &mut self,
        mut line: DevelopmentLine,
        breaks: bool,
        seed: u64,
    ) -> (DevelopmentLine, BTreeSet<u32>) {
        let (untestable, within) = if breaks { self.untestable() } else { Default::default() };
        // In every other history the culprit itself does not build; in the others, the commits on both sides of it
        // build.
        let wanted = |number: u32| match breaks {
            true if seed % 2 == 1 => within.contains(&number),
            _ => !untestable.contains(&number) && !untestable.contains(&(number - 1)),
        };
        while self.steps.len() < self.cause.steps() {
            let number = 3 + self.noise.below(self.end - 3);
            if wanted(number) && !self.steps.contains(&number) {
                self.steps.push(number);
            }
        }
        self.steps.sort_unstable();
        let scope = EditScope { parts: 0..PARTS, shared: true };
        for number in 2..=self.end + 1 {
            for part in &mut line.program.parts {
                part.broken &= untestable.contains(&number);
            }
            if untestable.contains(&number) && !untestable.contains(&(number - 1)) {
                let part = self.noise.below(PARTS as u32) as usize;
                line.program.parts[part].broken = true;
            }
            let step = self.steps.iter().position(|step| *step == number);
            self.commit(&mut line, &scope, step);
        }
        (line, untestable)
    }

    /// The commits that do not build: a tenth of them single, another tenth in blocks of 5 to 20. Also returns the
    /// inner commits of the blocks.
    fn untestable(&mut self) -> (BTreeSet<u32>, Vec<u32>) {
        let (mut all, mut within) = (BTreeSet::new(), Vec::new());
        let fifth = self.end as usize / 5;
        while all.len() < fifth / 2 {
            let length = 5 + self.noise.below(16);
            let start = 3 + self.noise.below(self.end - length - 3);
            all.extend(start..start + length);
            within.extend(start + 1..start + length);
        }
        while all.len() < fifth {
            all.insert(3 + self.noise.below(self.end - 3));
        }
        // The bad version builds.
        all.remove(&(self.end + 1));
        (all, within)
    }

    fn with_merges(&mut self, mut main: DevelopmentLine, evil: bool) -> DevelopmentLine {
        let wanted = self.end / 4 + self.noise.below(self.end / 2);
        let of_main = EditScope { parts: OF_BRANCHES..PARTS, shared: true };
        let of_branch = EditScope { parts: 0..OF_BRANCHES, shared: false };
        while main.tip.0 <= self.end {
            for _ in 0..3 + self.noise.below(8) {
                self.commit(&mut main, &of_main, None);
            }
            let mut branch = main.clone();
            let length = 3 + self.noise.below(10);
            let is_here = self.culprits.is_empty() && main.tip.0 >= wanted;
            let nth = self.noise.below(length);
            for number in 0..length {
                let step = (is_here && !evil && number == nth).then_some(0);
                self.commit(&mut branch, &of_branch, step);
            }
            for _ in 0..1 + self.noise.below(6) {
                self.commit(&mut main, &of_main, None);
            }
            self.merge(&mut main, &branch, is_here && evil);
        }
        main
    }

    fn merge(&mut self, main: &mut DevelopmentLine, branch: &DevelopmentLine, is_evil: bool) {
        main.program.parts[..OF_BRANCHES].clone_from_slice(&branch.program.parts[..OF_BRANCHES]);
        if is_evil {
            let hunks = 1 + self.noise.below(MOST_HUNKS);
            self.noise.change(&mut main.program, &EditScope { parts: 0..PARTS, shared: true }, hunks);
            self.cause.apply(&mut main.program, 0, &mut self.noise);
        }
        let files = main.program.files();
        let subject = format!("merge what was begun after {}", main.tip.0);
        main.tip = self.stream.commit(&[main.tip, branch.tip], &main.files, &files, &subject);
        main.files = files;
        if is_evil {
            self.culprits.push(main.tip);
        }
    }

    fn commit(&mut self, line: &mut DevelopmentLine, scope: &EditScope, step: Option<usize>) {
        let hunks = 1 + self.noise.below(MOST_HUNKS);
        self.noise.change(&mut line.program, scope, hunks);
        if let Some(step) = step {
            self.cause.apply(&mut line.program, step, &mut self.noise);
        }
        let files = line.program.files();
        let subject = format!("change this and that after {}", line.tip.0);
        line.tip = self.stream.commit(&[line.tip], &line.files, &files, &subject);
        line.files = files;
        if step.is_some() {
            self.culprits.push(line.tip);
        }
    }
}
