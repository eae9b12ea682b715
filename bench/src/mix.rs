//! How long it takes to turn the folder of one test into that of the next, if few of many files differ.

use crate::machine;
use crate::table::{MarkdownTable, holds};
use crate::throughput::median;
use anyhow::Context;
use howcome_changes::{Base, Candidate, ChangeSet, Checkout, EntryKind, Tree, TreeEntry, TreePath, mix};
use howcome_dd::{Configuration, DeltaId};
use std::time::Instant;

const FILES: usize = 10_000;
/// The distance between changed files, so that no two are in the same directory.
const APART: usize = 997;
/// The number of files that change from one test to the next.
const CHANGED: u32 = 3;
const TURNS: u32 = 501;
/// In milliseconds.
const BAR: f64 = 5.0;

pub(crate) fn measure() -> anyhow::Result<()> {
    let [good, bad] = [tree(false)?, tree(true)?];
    let changes = ChangeSet::between(&good, &bad)?;
    let base = Base::new(good, b"good");
    let folder = tempfile::tempdir()?;

    let began = Instant::now();
    let mut checkout = Checkout::fresh(folder.path(), Candidate::of(base.clone()))?;
    let fresh = milliseconds(began);
    let mut took = Vec::new();
    for turn in 0..TURNS {
        let configuration = if turn % 2 == 0 { some(turn, changes.len()) } else { Configuration::empty() };
        let began = Instant::now();
        let mix = mix(&changes, &configuration);
        checkout.switch(folder.path(), Candidate { base: base.clone(), mix })?;
        took.push(milliseconds(began));
    }
    // The first change also checks whether the build has changed any file.
    let first = took.remove(0);
    let median = median(&mut took);
    let slowest = took.last().copied().context("no turns")?;
    let table = MarkdownTable::new(
        &format!("Mix: {FILES} files, {CHANGED} of them changed, {TURNS} turns; milliseconds"),
        ["written to an empty folder", "first change", "median", "slowest", "median < 5 ms", "load"],
    );
    let times = [fresh, first, median, slowest].map(|time| format!("{time:.2}"));
    table.row(times.into_iter().chain([holds(median < BAR).to_owned(), machine::load()]));
    Ok(())
}

/// Ten thousand files of some kilobytes in a hundred directories.
fn tree(is_bad: bool) -> anyhow::Result<Tree> {
    let mut tree = Tree::empty();
    for number in 0..FILES {
        let path = TreePath::new(format!("part{:02}/file{number}.c", number % 100).as_bytes())?;
        let mut lines: Vec<String> =
            (0..100).map(|line| format!("int value_{number}_{line} = {line};")).collect();
        if is_bad && number.is_multiple_of(APART) {
            lines[number % 100] = "// Nothing any more.".to_owned();
        }
        tree.insert(path, TreeEntry::of_bytes(EntryKind::PLAIN, lines.join("\n").as_bytes()))?;
    }
    Ok(tree)
}

/// The changes of one turn.
fn some(turn: u32, all: u32) -> Configuration {
    let add = |some: Configuration, nth: u32| some.with_delta(DeltaId((turn + nth) % all));
    (0..CHANGED).fold(Configuration::empty(), add)
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}
