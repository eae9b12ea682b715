//! What must be the same in a failure, beside its ending, as the user asked for it.

use howcome_lab::SameAspect;
use howcome_lab::inquiry::find_in_path;
use howcome_run::Problem;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

/// What must be the same in a failure. The answer depends on it, so it is recorded.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SameRequest {
    /// As texts: `output`, `memory=1.5`.
    #[serde(default)]
    pub same: Vec<String>,
}

impl SameRequest {
    /// What must be the same, as the lab understands it.
    ///
    /// # Errors
    /// If a text cannot be understood, or needs a program that is not installed.
    pub fn parse(&self) -> Result<Vec<SameAspect>, Problem> {
        self.same.iter().map(|text| parse(text)).collect()
    }
}

fn parse(text: &str) -> Result<SameAspect, Problem> {
    let same = text.parse::<SameAspect>().map_err(|error| Problem::hinted(&error, error.hint()))?;
    match same.needs().filter(|program| find_in_path(OsStr::new(program)).is_none()) {
        Some(program) => Err(Problem::new(format!("--same {same} needs {program}, which is not in PATH"))
            .hint(format!(
                "install {program} (Debian: apt-get install {program}), or leave out --same {same}"
            ))),
        None => Ok(same),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_the_same_is_read_as_it_was_written() {
        let request = |words: &[&str]| SameRequest { same: words.iter().map(ToString::to_string).collect() };
        let same = request(&["output", "memory=1.5"]).parse().unwrap();
        assert_eq!(same, [SameAspect::Output, SameAspect::Memory(1.5)]);
        let said = request(&["stack"]).parse().unwrap_err().to_string();
        assert!(said.starts_with("error: `stack` cannot be compared\nhint: "), "{said}");
    }
}
