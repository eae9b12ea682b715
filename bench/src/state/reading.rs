//! Reading a state of 50,000 vertices.

use super::figures::{MeasuredTime, TURNS, TurnFigures};
use super::programs::CompiledProgram;
use crate::machine;
use crate::table::{MarkdownTable, holds};

const SHAPES: &str = include_str!("../../state/shapes.c");
const WALK: &str = include_str!("../../state/walk.py");
/// How many times faster than gdb it must be.
const RATIO: f64 = 30.0;
/// Milliseconds.
const BAR: f64 = 100.0;

/// The columns of one reader.
#[derive(Default)]
struct ReaderColumns {
    vertices: usize,
    clock: TurnFigures,
    work: TurnFigures,
}

impl ReaderColumns {
    fn push(&mut self, vertices: usize, took: MeasuredTime) {
        self.vertices = vertices;
        self.clock.push(1000.0 * took.clock);
        self.work.push(1000.0 * took.work);
    }
}

/// Prints how long both readers take for the same state.
pub(super) fn measure() -> anyhow::Result<()> {
    let built = CompiledProgram::of("shapes", SHAPES)?;
    let mut readers: [ReaderColumns; 4] = Default::default();
    for _ in 0..TURNS {
        // In turns, because the machine can be busy with other work for a while.
        for (reader, (count, took)) in readers.iter_mut().zip(built.gdb(WALK, &[])?) {
            reader.push(count, took);
        }
        let (tracee, program, _output) = built.stopped_at("look")?;
        for reader in &mut readers[2..] {
            let (state, took) = MeasuredTime::by(|| tracee.state(&program))?;
            reader.push(state?.graph.vertices.len(), took);
        }
    }
    let title = format!("Reading a state: snapshot and graph, medians of {TURNS} turns, least and most");
    let columns = [
        "reader",
        "vertices",
        "ms",
        "ms of work",
        "gdb's graph is slower by",
        "of work",
        "≥ 30",
        "< 100 ms",
        "load",
    ];
    let table = MarkdownTable::new(&title, columns);
    let names = [
        "gdb, pointers only, nothing is kept",
        "gdb, a graph",
        "howcome, the first state",
        "howcome, the second",
    ];
    let gdb = (readers[1].clock.median(), readers[1].work.median());
    for (index, (name, reader)) in names.into_iter().zip(&readers).enumerate() {
        let mut row =
            vec![name.to_owned(), reader.vertices.to_string(), reader.clock.text(1), reader.work.text(1)];
        if index >= 2 {
            let (clock, work) = (gdb.0 / reader.clock.median(), gdb.1 / reader.work.median());
            row.extend([format!("{clock:.1}"), format!("{work:.1}")]);
            row.extend([holds(clock >= RATIO), holds(reader.clock.median() < BAR)].map(str::to_owned));
            row.push(machine::load());
        }
        table.row(row);
    }
    Ok(())
}
