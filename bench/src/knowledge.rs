//! How many tests each piece of knowledge saves: a regression for each of them, with the piece and without it.

mod case;
mod programs;
mod texts;

use crate::random::Random;
use crate::table::{MarkdownTable, holds};
use anyhow::{Context, bail};
use case::KnowledgeCase;
use std::process::{Command, Stdio};

/// The number of regressions of each kind.
const SEEDS: u64 = 3;

/// A piece of knowledge, by its name on the command line, and a regression for which it is useful.
struct KnowledgePiece {
    clue: &'static str,
    what: &'static str,
    case: fn(&mut Random) -> KnowledgeCase,
    /// The programs that it needs.
    takes: &'static [&'static str],
}

const PIECES: [KnowledgePiece; 9] = [
    KnowledgePiece {
        clue: "commits",
        what: "24 commits change a setting in several files each, one of which must be the same everywhere; --within hunk",
        case: texts::commits,
        takes: &["git", "awk"],
    },
    KnowledgePiece {
        clue: "files",
        what: "8 generated tables with checksums, all regenerated",
        case: texts::files,
        takes: &["awk"],
    },
    KnowledgePiece {
        clue: "functions",
        what: "16 C functions changed in several places each, one of which takes and gives back another lock",
        case: programs::functions,
        takes: &["make", "cc"],
    },
    KnowledgePiece {
        clue: "words",
        what: "a field of templates renamed in several files, 100 other lines changed",
        case: texts::words,
        takes: &["awk"],
    },
    KnowledgePiece {
        clue: "needs",
        what: "16 new C functions, each with a prototype and a call",
        case: programs::needs,
        takes: &["make", "cc"],
    },
    KnowledgePiece {
        clue: "repairs",
        what: "20 new C functions that are called by way of a macro that pastes their names",
        case: programs::repairs,
        takes: &["make", "cc"],
    },
    KnowledgePiece {
        clue: "evidence",
        what: "300 messages reworded, one of which the test prints",
        case: texts::evidence,
        takes: &["awk"],
    },
    KnowledgePiece {
        clue: "unread",
        what: "40 settings and 200 pages of documentation changed",
        case: texts::unread,
        takes: &["awk"],
    },
    KnowledgePiece {
        clue: "coverage",
        what: "40 C functions changed, 4 of which run; --coverage gcov",
        case: programs::coverage,
        takes: &["make", "cc", "gcov"],
    },
];

pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let (seeds, clues) = match arguments.split_first() {
        Some((first, rest)) if first.parse::<u64>().is_ok() => (first.parse()?, rest),
        _ => (SEEDS, arguments),
    };
    if let Some(unknown) = clues.iter().find(|clue| PIECES.iter().all(|piece| piece.clue != **clue)) {
        bail!("there is no clue `{unknown}`");
    }
    let title = format!("Knowledge: tests told with all of it and without one piece, {seeds} seeds");
    let columns = ["without", "the case", "told with all", "told without", "sums", "all answers right"];
    let table = MarkdownTable::new(&title, columns);
    let mut wrong = 0;
    for piece in PIECES.iter().filter(|piece| clues.is_empty() || clues.iter().any(|clue| clue == piece.clue))
    {
        if let Some(missing) = piece.takes.iter().find(|program| !is_there(program)) {
            table.row([piece.clue, piece.what, &format!("skipped: {missing} is not installed")]);
            continue;
        }
        let mut sums = [TestSum::default(), TestSum::default()];
        for seed in 1..=seeds {
            piece.ask(seed, &mut sums).with_context(|| format!("{}, seed {seed}", piece.clue))?;
        }
        let [with, without] = &sums;
        wrong += with.wrong + without.wrong;
        table.row([
            piece.clue,
            piece.what,
            &with.each(),
            &without.each(),
            &format!("{} → {}", with.told(), without.told()),
            holds(with.wrong + without.wrong == 0),
        ]);
    }
    if wrong > 0 {
        bail!("{wrong} answers are wrong");
    }
    Ok(())
}

impl KnowledgePiece {
    fn ask(&self, seed: u64, sums: &mut [TestSum; 2]) -> anyhow::Result<()> {
        let case = (self.case)(&mut Random::new(seed));
        let folder = tempfile::tempdir()?;
        let versions = case.write(folder.path())?;
        for (sum, further) in sums.iter_mut().zip([&[][..], &["--without", self.clue]]) {
            let answer = case.ask(folder.path(), &versions, further)?;
            if !case.is_answered_by(&answer) {
                eprintln!("{}, seed {seed}, {further:?}: {:#?}", self.clue, answer.lines);
                eprintln!("instead of {:#?}", case.cause);
                sum.wrong += 1;
            }
            sum.tests.push(answer.told);
        }
        Ok(())
    }
}

/// The number of tests for each seed, and the number of wrong answers.
#[derive(Default)]
struct TestSum {
    tests: Vec<u32>,
    wrong: u32,
}

impl TestSum {
    fn told(&self) -> u32 {
        self.tests.iter().sum()
    }

    fn each(&self) -> String {
        self.tests.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    }
}

fn is_there(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok()
}
