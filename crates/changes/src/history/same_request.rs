//! What the user wants to be the same, beside the ending, in a failure.

use crate::failure::Failure;
use crate::test_command::in_path;
use clap::Args;
use howcome_lab::Same;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// What must be the same. Part of what a run is, so it is recorded.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "The failure")]
pub(crate) struct SameOptions {
    /// It is the same failure only if WHAT is the same, too (repeatable, all must be): output (what it prints, without numbers,
    /// addresses and temporary paths), memory or memory=FACTOR (the largest process, within a factor of 2), time or time=FACTOR
    /// (of processors, within a factor of 3), backtrace (the innermost functions of a crash, as printed, or by gdb), uninitialised
    /// (no function uses uninitialised data that did not before, by valgrind)
    #[arg(long, value_name = "WHAT")]
    #[serde(default)]
    pub(crate) same: Vec<String>,
}

impl SameOptions {
    /// What must be the same, as the lab understands it; the programs that this takes are there.
    pub(crate) fn same(&self) -> Result<Vec<Same>, Failure> {
        self.same.iter().map(|text| parse(text)).collect()
    }
}

fn parse(text: &str) -> Result<Same, Failure> {
    let same = text.parse::<Same>().map_err(|error| {
        let failure = Failure::wrong_use(error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    })?;
    match same.needs().filter(|program| in_path(OsStr::new(program)).is_none()) {
        Some(program) => Err(Failure::wrong_use(format!(
            "--same {same} needs {program}, which is not in PATH"
        ))
        .hint(format!("install {program} (Debian: apt-get install {program}), or leave out --same {same}"))),
        None => Ok(same),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_the_same_is_read_as_it_was_written() {
        let options = |words: &[&str]| SameOptions { same: words.iter().map(ToString::to_string).collect() };
        let same = options(&["output", "memory=1.5"]).same().unwrap();
        assert_eq!(same, [Same::Output, Same::Memory(1.5)]);
        let said = options(&["stack"]).same().unwrap_err().to_string();
        assert!(said.starts_with("error: `stack` is nothing that can be compared\nhint: "), "{said}");
    }
}
