//! The aspects that a run must share with the failure, in addition to the way it ends: `output`, `memory=1.5`,
//! `backtrace`.

use std::fmt;
use std::str::FromStr;

/// An aspect that is compared with the failing side if the ending alone is not enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SameAspect {
    /// The output, without what differs from run to run: numbers, addresses, temporary paths.
    Output,
    /// The memory in use, up to this factor more or less.
    Memory(f64),
    /// The processor time, up to this factor more or less.
    Time(f64),
    /// The innermost functions of the crash.
    Backtrace,
    /// The functions that use uninitialised data. A run can have fewer of them, but no others.
    Uninitialised,
}

/// The factor for memory if the user gives none.
const MEMORY_FACTOR: f64 = 2.0;
/// The factor for time if the user gives none. Time varies more than memory.
const TIME_FACTOR: f64 = 3.0;

impl SameAspect {
    /// The program that must be installed to find out, if there is one.
    ///
    /// A backtrace needs a debugger, because nobody knows in advance whether the test prints a backtrace itself.
    #[must_use]
    pub fn needs(self) -> Option<&'static str> {
        match self {
            SameAspect::Backtrace => Some("gdb"),
            SameAspect::Uninitialised => Some("valgrind"),
            SameAspect::Output | SameAspect::Memory(_) | SameAspect::Time(_) => None,
        }
    }
}

impl fmt::Display for SameAspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SameAspect::Output => f.write_str("output"),
            SameAspect::Memory(factor) => write!(f, "memory={factor}"),
            SameAspect::Time(factor) => write!(f, "time={factor}"),
            SameAspect::Backtrace => f.write_str("backtrace"),
            SameAspect::Uninitialised => f.write_str("uninitialised"),
        }
    }
}

/// Why a text is not an aspect that can be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotComparable {
    /// It does not start with a known word.
    #[error("`{0}` cannot be compared")]
    Unknown(String),
    /// It needs a factor greater than 1.
    #[error("`{0}` needs a factor greater than 1")]
    NoFactor(String),
}

impl NotComparable {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NotComparable::Unknown(_) => {
                "use output, memory, memory=FACTOR, time, time=FACTOR, backtrace, uninitialised"
            }
            NotComparable::NoFactor(_) => {
                "memory=1.5 accepts up to 1.5 times as much memory and as little as two thirds; time=3 accepts up to three times as long"
            }
        };
        Some(hint.to_owned())
    }
}

impl FromStr for SameAspect {
    type Err = NotComparable;

    fn from_str(text: &str) -> Result<Self, NotComparable> {
        let factor = |factor: &str| {
            let factor = factor.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 1.0);
            factor.ok_or_else(|| NotComparable::NoFactor(text.to_owned()))
        };
        match text.split_once('=') {
            None => match text {
                "output" => Ok(SameAspect::Output),
                "memory" => Ok(SameAspect::Memory(MEMORY_FACTOR)),
                "time" => Ok(SameAspect::Time(TIME_FACTOR)),
                "backtrace" => Ok(SameAspect::Backtrace),
                "uninitialised" | "uninitialized" => Ok(SameAspect::Uninitialised),
                _ => Err(NotComparable::Unknown(text.to_owned())),
            },
            Some(("memory", given)) => factor(given).map(SameAspect::Memory),
            Some(("time", given)) => factor(given).map(SameAspect::Time),
            Some(_) => Err(NotComparable::Unknown(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_is_written_the_way_it_is_read() {
        for text in ["output", "memory=1.5", "time=3", "backtrace", "uninitialised"] {
            assert_eq!(text.parse::<SameAspect>().map(|same| same.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("memory".parse(), Ok(SameAspect::Memory(2.0)));
        assert_eq!("time".parse(), Ok(SameAspect::Time(3.0)));
    }

    #[test]
    fn an_error_says_what_is_wrong_with_an_aspect() {
        let said = |text: &str| {
            let error = text.parse::<SameAspect>().unwrap_err();
            assert!(error.hint().is_some());
            error.to_string()
        };
        assert_eq!(said("outptu"), "`outptu` cannot be compared");
        assert_eq!(said("output=2"), "`output=2` cannot be compared");
        for text in ["memory=1", "memory=", "memory=x", "time=NaN", "time=inf", "time=-3"] {
            assert_eq!(said(text), format!("`{text}` needs a factor greater than 1"));
        }
    }
}
