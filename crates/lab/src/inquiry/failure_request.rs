//! What counts as the failure and how a test is run, as the user requested it.

use crate::{Condition, ExitCodeMeaning, JudgingTerms, Noise, SideWords};
use howcome_run::Problem;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What counts as the failure and how a test is run. The answer depends on it, so it is part of the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailureRequest {
    /// Conditions that must all hold in a failure. If there are none, a failure is what the failing side does.
    pub fails_when: Vec<String>,
    /// Conditions that must all hold in a pass.
    pub passes_when: Vec<String>,
    /// What exit codes mean.
    #[serde(default)]
    pub codes: ExitCodeMeaning,
    /// Whether runs that end in the same way are the same failure, whatever they print.
    #[serde(default)]
    pub any_message: bool,
    /// The timeout of a test. If it is not given, it follows from the baseline.
    pub timeout: Option<Duration>,
    /// How many bytes of memory each process of a test can use.
    pub memory: Option<u64>,
    /// How often an outcome must be seen before it is believed.
    pub repeat: u32,
    /// Whether to measure how noisy the test is, and to repeat it as often as necessary.
    pub flaky: bool,
    /// If the test is flaky: how sure the answer must be, from 0 to 1.
    #[serde(default = "usual_confidence")]
    pub confidence: f64,
}

fn usual_confidence() -> f64 {
    Noise::CONFIDENCE
}

impl Default for FailureRequest {
    fn default() -> Self {
        Self {
            fails_when: Vec::new(),
            passes_when: Vec::new(),
            codes: ExitCodeMeaning::default(),
            any_message: false,
            timeout: None,
            memory: None,
            repeat: 1,
            flaky: false,
            confidence: usual_confidence(),
        }
    }
}

impl FailureRequest {
    /// Whether the user says what the failure is, or that its message does not matter.
    #[must_use]
    pub fn is_described(&self) -> bool {
        !self.fails_when.is_empty() || self.any_message
    }

    /// Whether a comparison of the two sides alone decides what the failure is.
    #[must_use]
    pub fn is_by_comparison(&self) -> bool {
        self.fails_when.is_empty() && self.passes_when.is_empty() && self.codes == ExitCodeMeaning::Compared
    }

    /// Whether the user describes the failure.
    #[must_use]
    pub fn names_the_failure(&self) -> bool {
        !self.fails_when.is_empty() || self.codes == ExitCodeMeaning::Bisect
    }

    /// The terms for the judge.
    ///
    /// # Errors
    /// If a condition cannot be understood.
    pub fn terms(&self) -> Result<JudgingTerms, Problem> {
        Ok(JudgingTerms {
            fails_when: conditions(&self.fails_when)?,
            passes_when: conditions(&self.passes_when)?,
            codes: self.codes,
            any_message: self.any_message,
            timeout: self.timeout,
            zero_is_pass: false,
            program_varies: false,
            quoted: true,
            last_line: true,
            same: Vec::new(),
            sides: SideWords::default(),
        })
    }
}

/// Parses conditions.
///
/// # Errors
/// If a condition cannot be understood.
pub fn conditions(texts: &[String]) -> Result<Vec<Condition>, Problem> {
    let condition =
        |text: &String| text.parse::<Condition>().map_err(|error| Problem::hinted(&error, error.hint()));
    texts.iter().map(condition).collect()
}
