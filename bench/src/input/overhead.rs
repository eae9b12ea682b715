//! The cost of a candidate of 1 MB in addition to its test: making it, checking whether it is known, writing it, and
//! the overhead of every test.

use crate::machine;
use crate::table::{MarkdownTable, holds};
use crate::throughput::{EmptyTest, bare_a_second, local, median};
use crate::trial::SearchTrial;
use crate::world::World;
use howcome_dd::{Answer, Ask, Configuration, DeltaId, Question, Search, Step};
use howcome_input::{Candidates, Delta, Document, InputTest, PieceId};
use howcome_lab::inquiry::{TestCommand, TestFolder};
use howcome_run::Subject;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const NAME: &str = "lines.txt";
const LINES: u32 = 20_000;
const LINE: usize = 50;
const TESTS: u32 = 250;
const TURNS: usize = 15;
/// Milliseconds.
const BAR: f64 = 1.0;

/// Prints the cost of a candidate, in parts and in total.
pub(crate) fn measure() -> anyhow::Result<()> {
    parts()?;
    let title =
        format!("Overhead of a candidate of 1 MB: {TESTS} tests that do nothing, medians of {TURNS} turns");
    let columns = ["workers", "a bare process, ms", "a test told, ms", "overhead, ms", "< 1 ms", "load"];
    let table = MarkdownTable::new(&title, columns);
    for workers in [1, 2] {
        let candidates = Arc::new(candidates(LINE));
        let mut local = local(workers, candidates.clone(), Arc::new(EmptyTest))?;
        told_a_second(&candidates, &mut local)?;
        let (mut bare, mut told, mut over) = (Vec::new(), Vec::new(), Vec::new());
        // In turns, because the machine can be busy with other work for a while.
        for _ in 0..TURNS {
            let milliseconds = |a_second: f64| 1000.0 * workers as f64 / a_second;
            bare.push(milliseconds(bare_a_second(workers)?));
            told.push(milliseconds(told_a_second(&candidates, &mut local)?));
            over.push(told[told.len() - 1] - bare[bare.len() - 1]);
        }
        let (bare, told, over) = (median(&mut bare), median(&mut told), median(&mut over));
        table.row([
            workers.to_string(),
            format!("{bare:.2}"),
            format!("{told:.2}"),
            format!("{over:.2}"),
            holds(over < BAR).to_owned(),
            machine::load(),
        ]);
    }
    Ok(())
}

/// A file of many lines, each of which could be removed.
fn candidates(line: usize) -> Candidates {
    let text: Vec<u8> =
        (0..LINES).flat_map(|number| format!("{number:0width$}\n", width = line - 1).into_bytes()).collect();
    let document = Document::of_file(NAME, text);
    let cut = |number: u32| {
        let start = number as usize * line;
        Delta::cut(PieceId(0), start..start + line)
    };
    let deltas: Vec<Delta> = (0..LINES).map(cut).collect();
    let test = TestCommand {
        arguments: Vec::new(),
        program: PathBuf::from("/bin/true"),
        directory: std::env::temp_dir(),
        is_path: true,
    };
    let given = InputTest {
        folder: TestFolder::with_candidate_only(&test, |_| false),
        places: vec![(OsString::from(NAME), PathBuf::from(NAME))],
        stdin: false,
    };
    Candidates::new(document, &deltas, Arc::new(given))
}

/// Measures the parts separately.
fn parts() -> anyhow::Result<()> {
    let columns = ["what", "ms", "load"];
    let table = MarkdownTable::new("A candidate of 1 MB by its parts, medians", columns);
    let candidates = candidates(LINE);
    let folder = tempfile::tempdir()?;
    let (mut made, mut known, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..TESTS {
        let kept = Configuration::all(LINES).without_delta(DeltaId(number * (LINES / TESTS)));
        let began = Instant::now();
        let document = candidates.document(&kept);
        made.push(1000.0 * began.elapsed().as_secs_f64());
        let began = Instant::now();
        candidates.content(&kept);
        known.push(1000.0 * began.elapsed().as_secs_f64());
        let began = Instant::now();
        document.write(folder.path()).map_err(|(_, error)| error)?;
        written.push(1000.0 * began.elapsed().as_secs_f64());
        // As between two tests. Overwriting an existing file would take much longer, because ext4 writes it to the disk
        // at once.
        std::fs::remove_file(folder.path().join(NAME))?;
    }
    for (what, mut times) in [("making it", made), ("making it and its hash", known), ("writing it", written)]
    {
        table.row([what.to_owned(), format!("{:.2}", median(&mut times)), machine::load()]);
    }
    Ok(())
}

fn told_a_second(candidates: &Candidates, local: &mut howcome_lab::Local) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let world = World::new("nothing fails", LINES, []);
    let journal = folder.path().join("journal.jsonl");
    let trial =
        SearchTrial { journal: Some(&journal), subject: Some(candidates), ..SearchTrial::new(&world) };
    let (figures, _) = trial.run(AllButOne::new(), local)?;
    anyhow::ensure!(figures.told == u64::from(TESTS) && figures.wasted() == 0, "tests were wasted");
    Ok(f64::from(TESTS) / figures.took.as_secs_f64())
}

/// Asks for each line whether it can be removed, and expects that none can, so look-ahead is always right.
#[derive(Clone, Debug)]
struct AllButOne {
    next: u32,
    all: Configuration,
}

impl AllButOne {
    fn new() -> Self {
        Self { next: 0, all: Configuration::all(LINES) }
    }
}

impl Search for AllButOne {
    type Finding = ();
    const SEES_UNRESOLVED: bool = false;

    fn ask(&self) -> Ask<()> {
        if self.next == TESTS {
            return Ask::Done(());
        }
        let configuration = self.all.without_delta(DeltaId(self.next * (LINES / TESTS)));
        Ask::Test(Question { chance: Some(0.0), ..Question::new(configuration, Step::Complement) })
    }

    fn tell(&mut self, _: Answer) {
        self.next += 1;
    }

    fn best_so_far(&self) -> &Configuration {
        &self.all
    }
}
