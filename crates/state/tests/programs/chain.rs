//! Asks which variables decide at the last common place of a program.

use super::build::Built;
use super::header::{Arguments, Seeded};
use howcome_run::{Budget, Driver, Journal, NoWatcher, Recorded};
use howcome_state::tracee::{Invocation, RunLimits};
use howcome_state::{
    Examination, Examiner, FailureTerms, PlaceName, RunPair, StateCause, StopFlag, TraceOptions,
};

/// The variables that decide at the last common place, or why that is not known.
pub(crate) fn causes(seeded: &Seeded, built: &Built) -> Result<Vec<StateCause>, String> {
    let options = TraceOptions {
        limits: RunLimits::default(),
        timeout: None,
        debug_folders: Vec::new(),
        goal: howcome_state::RunGoal::End,
    };
    let passing = invocation(built, &seeded.pass, "passing");
    let failing = invocation(built, &seeded.fail, "failing");
    let runs = RunPair::of(passing, failing, &options).map_err(|error| error.to_string())?;
    let location: PlaceName = seeded.place.parse().map_err(|error| format!("{error}"))?;
    let place = location.find(&runs).map_err(|error| error.to_string())?;
    let mut examiner = Examiner::new(&runs, FailureTerms::default(), 1, StopFlag::default());
    examiner.mark = Some(place.clone());
    let journal = Journal::in_memory(&[], Box::new(NoWatcher));
    let mut driver = Driver::new(journal, Budget::default(), &Recorded::default());
    match examiner.examine(&mut driver, &place).map_err(|halt| format!("{halt:?}"))? {
        Examination::Found(examined) => Ok(examined.causes),
        Examination::Nothing(nothing) => Err(format!("{nothing:?}")),
    }
}

fn invocation(built: &Built, arguments: &Arguments, run: &str) -> Invocation {
    let input = built.folder().join(run);
    std::fs::write(&input, &arguments.input).unwrap();
    Invocation {
        program: built.program.clone(),
        called: built.program.clone().into(),
        arguments: arguments.words.iter().map(Into::into).collect(),
        environment: Vec::new(),
        standard_input: Some(input),
        directory: built.folder().to_path_buf(),
        temp_folder: std::env::temp_dir(),
    }
}
