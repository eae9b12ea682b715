//! Seeded regressions in generated histories: how many tests it takes to find the exact lines.

mod answer;
mod case;
mod cause;
mod fast_import;
mod history;
mod program;
mod program_editor;
mod variant;

pub(crate) use answer::{ChangesAnswer, ask};
pub(crate) use case::ChangesCase;
pub(crate) use fast_import::git;
pub(crate) use variant::CauseVariant;

use crate::table::{MarkdownTable, holds};
use anyhow::{Context, bail};
use std::path::Path;
use std::process::ExitCode;

/// The argument that writes a case to a folder, for inspection.
pub(crate) const CASE: &str = "changes-case";

/// The number of commits in a history.
pub(crate) const COMMITS: u32 = 1000;
const SEEDS: u64 = 5;

/// Measures each variant and seed.
pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (seeds, variants) = wanted(arguments)?;
    let table = MarkdownTable::new(
        &format!("Changes: a regression seeded in {COMMITS} commits, {seeds} of each kind"),
        [
            "the cause",
            "told, least",
            "median",
            "most",
            "unresolved, most",
            "bound, least",
            "told beyond it, at most",
            "beyond the wider bound",
            "exact",
            "seconds, median",
            "holds",
        ],
    );
    let mut all_hold = true;
    for variant in variants {
        let mut rows = Vec::new();
        for seed in 1..=seeds {
            let folder = tempfile::tempdir()?;
            let case = ChangesCase::new(variant, seed, COMMITS, folder.path())?;
            let answer = ask(&case, &folder.path().join("run"), &[]);
            let answer = answer.with_context(|| format!("{}, seed {seed}", variant.name()))?;
            rows.push(ChangesRow::new(&case, answer, seed));
        }
        all_hold &= print(&table, variant, rows);
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The number of seeds and the variants in the arguments.
pub(crate) fn wanted(arguments: &[String]) -> anyhow::Result<(u64, Vec<CauseVariant>)> {
    let (seeds, names) = match arguments.split_first() {
        Some((first, rest)) if first.parse::<u64>().is_ok() => (first.parse()?, rest),
        _ => (SEEDS, arguments),
    };
    let by_name =
        |name: &String| CauseVariant::by_name(name).with_context(|| format!("there is no variant `{name}`"));
    let variants = names.iter().map(by_name).collect::<anyhow::Result<Vec<_>>>()?;
    Ok((seeds, if variants.is_empty() { CauseVariant::ALL.to_vec() } else { variants }))
}

/// Writes a case to a folder and prints the right answer.
pub(crate) fn write(arguments: &[String]) -> anyhow::Result<()> {
    let [variant, seed, folder] = arguments else { bail!("usage: changes-case VARIANT SEED FOLDER") };
    let variant = CauseVariant::by_name(variant).context("there is no such variant")?;
    let case = ChangesCase::new(variant, seed.parse()?, COMMITS, Path::new(folder))?;
    println!("good {}\nbad {}\ntest sh {}", case.good, case.bad, case.test.display());
    println!("culprits {:?} with {:?} hunks, {} around", case.culprits, case.hunks, case.hunks_around);
    println!("bound {:.1}\n{:#?}", bound(&case), case.cause.truth);
    Ok(())
}

/// The strict bound: with the hunks of the last culprit.
fn bound(case: &ChangesCase) -> f64 {
    case.bound(case.hunks.last().copied())
}

/// The answer to a case, and its bounds.
struct ChangesRow {
    answer: ChangesAnswer,
    seed: u64,
    bound: f64,
    /// With the hunks of all culprits, or of all commits that cannot be told apart by tests.
    wider: f64,
}

impl ChangesRow {
    fn new(case: &ChangesCase, answer: ChangesAnswer, seed: u64) -> Self {
        let all = case.bound(case.hunks.iter().copied());
        Self { answer, seed, bound: bound(case), wider: all.max(case.bound([case.hunks_around])) }
    }

    fn beyond(&self, bound: f64) -> f64 {
        f64::from(self.answer.told) - bound
    }
}

/// Prints the row of a variant. Returns whether its bars hold.
fn print(table: &MarkdownTable, variant: CauseVariant, mut rows: Vec<ChangesRow>) -> bool {
    for row in &rows {
        if let Some(wrong) = &row.answer.wrong {
            eprintln!("{}, seed {}: {wrong}", variant.name(), row.seed);
        }
    }
    let most =
        |figure: &dyn Fn(&ChangesRow) -> f64| rows.iter().map(figure).fold(f64::NEG_INFINITY, f64::max);
    let beyond = most(&|row| row.beyond(row.bound));
    let beyond_wider = most(&|row| row.beyond(row.wider));
    let unresolved = most(&|row| f64::from(row.answer.unresolved));
    let least_bound = -most(&|row| -row.bound);
    let exact = rows.iter().filter(|row| row.answer.wrong.is_none()).count();
    let does_hold = beyond <= 0.0 && exact == rows.len();
    rows.sort_by_key(|row| row.answer.took);
    let seconds = rows[rows.len() / 2].answer.took.as_secs_f64();
    rows.sort_by_key(|row| row.answer.told);
    let told = |place: usize| rows[place].answer.told.to_string();
    table.row([
        variant.name().to_owned(),
        told(0),
        told(rows.len() / 2),
        told(rows.len() - 1),
        format!("{unresolved:.0}"),
        format!("{least_bound:.1}"),
        format!("{beyond:+.1}"),
        format!("{beyond_wider:+.1}"),
        format!("{exact} of {}", rows.len()),
        format!("{seconds:.1}"),
        holds(does_hold).to_owned(),
    ]);
    does_hold
}
