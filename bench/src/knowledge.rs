//! What each piece of knowledge saves: the same regressions with one of them turned off at a time.

use crate::changes::{COMMITS, Case, ask, wanted};
use crate::table::Table;
use anyhow::Context;

/// The pieces, as the command calls them.
const PIECES: [&str; 9] =
    ["commits", "words", "files", "functions", "needs", "repairs", "evidence", "unread", "coverage"];

pub(crate) fn measure(arguments: &[String]) -> anyhow::Result<()> {
    let (seeds, variants) = wanted(arguments)?;
    let columns = ["the cause", "with all"].into_iter().chain(PIECES);
    let title = format!("Knowledge: tests told without each piece, sums of {seeds} seeds");
    let table = Table::new(&title, columns);
    for variant in variants {
        let mut sums = [Sum::default(); 1 + PIECES.len()];
        for seed in 1..=seeds {
            let folder = tempfile::tempdir()?;
            let case = Case::new(variant, seed, COMMITS, folder.path())?;
            for (which, sum) in sums.iter_mut().enumerate() {
                let without = which.checked_sub(1).map(|piece| ["--without", PIECES[piece]]);
                let further = without.as_ref().map_or(&[][..], |without| &without[..]);
                let answer = ask(&case, &folder.path().join(format!("run-{which}")), further);
                let answer =
                    answer.with_context(|| format!("{}, seed {seed}, {further:?}", variant.name()))?;
                sum.told += answer.told;
                sum.wrong += u32::from(answer.wrong.is_some());
            }
        }
        let cells = sums.iter().map(Sum::to_string);
        table.row([variant.name().to_owned()].into_iter().chain(cells));
    }
    Ok(())
}

/// Tests told, and answers that are not exact.
#[derive(Clone, Copy, Default)]
struct Sum {
    told: u32,
    wrong: u32,
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.told)?;
        if self.wrong > 0 {
            write!(f, " ({} not exact)", self.wrong)?;
        }
        Ok(())
    }
}
