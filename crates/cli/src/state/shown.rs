//! A test of a run, for people: what was put into the run, and a script for gdb to try it by hand.

use super::chain;
use super::request::{Places, Request};
use crate::failure::Failure;
use crate::run_folder::empty_folder;
use crate::talk::Talk;
use howcome_dd::Configuration;
use howcome_report::{Summary, count, cut, printable, shell_word};
use howcome_run::RunFile;
use howcome_state::matching::StateDelta;
use howcome_state::tracee::Invocation;
use howcome_state::{ComparedPlace, Examiner, StopFlag, TransferDirection};
use std::fs;
use std::path::Path;

/// More variables are not listed.
const SHOWN: usize = 12;
const WIDTH: usize = 100;

/// What a test put into which run, where.
struct Tried {
    place: ComparedPlace,
    direction: TransferDirection,
    /// The run that is altered.
    run: Invocation,
    /// What was altered.
    deltas: Vec<StateDelta>,
    all: usize,
}

impl Tried {
    /// Lets the program run to the place again, where its variables can be named.
    fn again(
        file: &RunFile,
        summary: &Summary,
        stage: u32,
        configuration: &Configuration,
    ) -> Result<Self, Failure> {
        let request = Request::of(file)?;
        let name = summary.stage(stage).map(|stage| stage.subject.clone()).unwrap_or_default();
        let runs = chain::runs(&request, &Talk::new(true, false))?;
        let mut places: Vec<ComparedPlace> = match request.places()? {
            Places::Named(locations) => locations.iter().flat_map(|location| location.find(&runs)).collect(),
            Places::Between(passing, failing) => vec![passing.pair(&failing, &runs)?],
            Places::Usual | Places::EveryFunction => Vec::new(),
        };
        let course = chain::followed(&runs, &[])?;
        places.extend(course.common.iter().map(|common| ComparedPlace::of(&runs.settings.program, common)));
        let found = places.into_iter().find_map(|place| {
            let directions = [TransferDirection::Forward, TransferDirection::Reverse];
            directions.into_iter().find(|way| way.stage(&place) == name).map(|way| (place, way))
        });
        let (place, direction) = found.ok_or_else(|| {
            Failure::wrong_use(format!(
                "this test was made between two lines of the run ({name}) and can't be made again by itself"
            ))
            .hint("ask for the line: howcome state --at FILE:LINE:HIT")
        })?;
        let examiner = Examiner {
            runs: &runs,
            terms: request.terms()?,
            workers: 1,
            interrupter: StopFlag::default(),
            mark: None,
        };
        let differences = examiner
            .differences(&place, direction)
            .map_err(|error| Failure::from(howcome_state::RunsNotComparable::Run("failing", error)))?;
        let chosen = configuration.iter().filter_map(|delta| differences.deltas.get(delta.index()).cloned());
        let run = match direction {
            TransferDirection::Forward => runs.passing.invocation.clone(),
            TransferDirection::Reverse => runs.failing.invocation.clone(),
        };
        Ok(Self { deltas: chosen.collect(), all: differences.deltas.len(), place, direction, run })
    }
}

/// What was put into the run in a test.
pub(crate) fn describe(
    file: &RunFile,
    summary: &Summary,
    stage: u32,
    configuration: &Configuration,
) -> Result<String, Failure> {
    let Tried { place, direction, deltas, all, .. } = Tried::again(file, summary, stage, configuration)?;
    let (base, other) = match direction {
        TransferDirection::Forward => ("passing", "failing"),
        TransferDirection::Reverse => ("failing", "passing"),
    };
    let variables = count(all as u64, "variable");
    let mut text =
        format!("{} of {variables} of the {other} run in the {base} run, at {place}:\n", deltas.len());
    for delta in deltas.iter().take(SHOWN) {
        let line = format!("{} = {} (instead of {})", delta.variable, delta.other, delta.base);
        text += &format!("    {}\n", cut(&printable(&line), WIDTH));
    }
    if let Some(more) = deltas.len().checked_sub(SHOWN + 1) {
        text += &format!("    … and {} more\n", more + 1);
    }
    Ok(text)
}

/// Writes a script for gdb that does the same, as far as gdb can. Gives the command that runs it.
pub(crate) fn rebuild(
    file: &RunFile,
    summary: &Summary,
    stage: u32,
    configuration: &Configuration,
    into: &Path,
) -> Result<String, Failure> {
    let Tried { place, deltas, run, .. } = Tried::again(file, summary, stage, configuration)?;
    let folder = empty_folder(into)?;
    let path = folder.join("try.gdb");
    let words: Vec<String> = run.arguments.iter().map(|word| shell_word(&word.to_string_lossy())).collect();
    let input = run.standard_input.as_ref().map(|file| format!(" < {}", shell_word(&file.to_string_lossy())));
    let stop_point = match place.passing.hit {
        1 => String::new(),
        hit => format!("ignore 1 {}\n", hit - 1),
    };
    let mut script = format!(
        "# What howcome has tried, as far as gdb can: pointers to what only the other run has are left out.\n\
         cd {}\nset args {}{}\nbreak {}:{}\n{stop_point}run\n",
        run.directory.display(),
        words.join(" "),
        input.unwrap_or_default(),
        place.file.display(),
        place.line,
    );
    for delta in &deltas {
        // A name of an outer frame is said as `main::x`, which gdb understands as a static of main.
        let is_plain = delta.other.parse::<f64>().is_ok() || delta.other == "0x0";
        let mark = if is_plain { "" } else { "# " };
        script += &format!("{mark}set var {} = {}\n", delta.variable, printable(&delta.other));
    }
    script += "continue\n";
    fs::write(&path, script).map_err(|error| Failure::file(&path, &error))?;
    let program = run.program.to_string_lossy().into_owned();
    Ok(format!("gdb -x {} {}", shell_word(&path.to_string_lossy()), shell_word(&program)))
}
