//! The example of the paper (Zeller 2002, section IV) on a compiler of our own: pools, unions with a tag, trailing arrays, and
//! a cycle that comes from wrong sharing.

#![allow(clippy::unwrap_used)]

mod second_reader;

use howcome_run::{Budget, Driver, Journal, NoWatcher, Recorded};
use howcome_state::tracee::{Invocation, RunLimits};
use howcome_state::{
    Examination, Examined, Examiner, FailureTerms, PlaceName, RunPair, StopFlag, TraceOptions,
};
use second_reader::{Built, build};

const COMPILER: &str = include_str!("compiler/compiler.c");

/// The program that the paper compiles. The sum makes the compiler fail.
fn source(factor: &str) -> String {
    format!(
        "double mult(double z[], int n)\n{{\n    int i, j;\n    i = 0;\n    for (j = 0; j < n; j++) {{\n        \
         i = i + j + 1;\n        z[i] = z[i] * ({factor});\n    }}\n    return z[n];\n}}\n"
    )
}

fn invocation(built: &Built, name: &str, factor: &str) -> Invocation {
    std::fs::write(built.folder.path().join(name), source(factor)).unwrap();
    Invocation {
        program: built.program.clone(),
        called: "./compiler".into(),
        arguments: vec![name.into()],
        environment: Vec::new(),
        standard_input: None,
        directory: built.folder.path().to_owned(),
        temp_folder: std::env::temp_dir(),
    }
}

/// What decides at a place, in how many tests.
fn examine(runs: &RunPair, place: &str) -> Examined {
    let place = place.parse::<PlaceName>().unwrap().find(runs).unwrap();
    let examiner = Examiner::new(runs, FailureTerms::default(), 1, StopFlag::default());
    let journal = Journal::in_memory(&[], Box::new(NoWatcher));
    let mut driver = Driver::new(journal, Budget::default(), &Recorded::default());
    match examiner.examine(&mut driver, &place).unwrap() {
        Examination::Found(examined) => *examined,
        Examination::Nothing(nothing) => panic!("{nothing:?}"),
    }
}

#[test]
fn the_cycle_in_a_compiler_has_the_three_steps_of_the_paper() {
    let Some(built) = build("compiler.c", COMPILER, &["-O0"]) else { return };
    let options = TraceOptions {
        limits: RunLimits::default(),
        timeout: None,
        debug_folders: Vec::new(),
        goal: howcome_state::RunGoal::End,
    };
    let (passing, failing) =
        (invocation(&built, "pass.c", "z[0]"), invocation(&built, "fail.c", "z[0] + 1.0"));
    let runs = RunPair::of(passing, failing, &options).unwrap();
    // The input, then the sum in the expression of the store, then the cycle in it. The paper needs 44 and 15 tests.
    let steps = [
        ("main", r#"argv[1] = "fail.c""#, 1),
        (
            "combine_instructions",
            "first_loop_store_insn->fld[3].rtx->fld[1].rtx->fld[1].rtx = &{code = 5,",
            44,
        ),
        ("estimate_costs", "first_loop_store_insn->fld[3].rtx->fld[1].rtx = &{code = 5,", 15),
    ];
    for (place, expected, most_tests) in steps {
        let examined = examine(&runs, place);
        let causes: Vec<String> =
            examined.causes.iter().map(|cause| format!("{} = {}", cause.variable, cause.failing)).collect();
        assert!(causes.len() == 1 && causes[0].starts_with(expected), "at {place}: {causes:?}");
        let cause = &examined.causes[0];
        assert_eq!((cause.alone_fails, cause.without_passes), (Some(true), Some(true)), "at {place}");
        assert!(examined.tests <= most_tests, "{} tests at {place}", examined.tests);
        assert_eq!(examined.left_out, [""; 0], "at {place}");
        let common = (examined.vertices / 2)..examined.vertices;
        assert!(common.contains(&examined.common), "{} of {} at {place}", examined.common, examined.vertices);
    }
}
