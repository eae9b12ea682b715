//! One test for each target: see the page of the crate.

use bolero::check;

/// Enough to see a mistake that any input shows; `fuzz/run` looks for the others.
const RANDOM_INPUTS: usize = 200;

macro_rules! target {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check!().with_iterations(RANDOM_INPUTS).for_each(howcome_fuzz::$name);
            }
        )*
    };
}

target! {
    archive coverage document git_object item_list journal language patch program request run_file submission
    test_output words
}
