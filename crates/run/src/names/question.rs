//! The questions that howcome answers.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A question, by the name of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionName {
    /// Which change broke it?
    Changes,
    /// Which change broke it, if no old revision passes unchanged?
    History,
    /// Which part of the input triggers it?
    Input,
    /// Which items of a list?
    Items,
    /// How did the failure arise inside the program?
    State,
}

impl QuestionName {
    /// Every question, in alphabetical order.
    pub const ALL: [Self; 5] = [Self::Changes, Self::History, Self::Input, Self::Items, Self::State];

    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changes => "changes",
            Self::History => "history",
            Self::Input => "input",
            Self::Items => "items",
            Self::State => "state",
        }
    }
}

impl fmt::Display for QuestionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_written_and_read_by_the_same_name() {
        for question in QuestionName::ALL {
            let written = serde_json::to_string(&question).unwrap();
            assert_eq!(written, format!("\"{question}\""));
            assert_eq!(serde_json::from_str::<QuestionName>(&written).unwrap(), question);
        }
    }
}
