//! What must be alike, beside the ending, for a run to show the same failure: `output`, `memory=1.5`, `backtrace`.

use std::fmt;
use std::str::FromStr;

/// What is compared with the failing side, where the ending alone is not enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SameAspect {
    /// What is printed, without what differs from run to run: numbers, addresses, temporary paths.
    Output,
    /// The memory that is used, at most this factor more or less.
    Memory(f64),
    /// The time that processors are busy, at most this factor more or less.
    Time(f64),
    /// The innermost functions where it crashes.
    Backtrace,
    /// The functions that use data which was never set. There may be fewer, but no others.
    Uninitialised,
}

/// More or less memory than this factor is another failure, where the user gives none.
const MEMORY_FACTOR: f64 = 2.0;
/// The same for time, which varies more.
const TIME_FACTOR: f64 = 3.0;

impl SameAspect {
    /// The program that must be installed to see it, if there is one.
    ///
    /// For a backtrace that is a debugger, since nobody knows before whether the test will print one itself.
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

/// Why a text names nothing that can be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotComparable {
    /// It begins with no known word.
    #[error("`{0}` is nothing that can be compared")]
    Unknown(String),
    /// What comes after the word is no factor.
    #[error("`{0}` gives no factor that is greater than 1")]
    NoFactor(String),
}

impl NotComparable {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NotComparable::Unknown(_) => {
                "what can be compared is output, memory, memory=FACTOR, time, time=FACTOR, backtrace, uninitialised"
            }
            NotComparable::NoFactor(_) => {
                "memory=1.5 allows for half as much again, and for two thirds of it; time=3 for three times as much"
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
    fn what_is_compared_is_written_as_it_is_read() {
        for text in ["output", "memory=1.5", "time=3", "backtrace", "uninitialised"] {
            assert_eq!(text.parse::<SameAspect>().map(|same| same.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("memory".parse(), Ok(SameAspect::Memory(2.0)));
        assert_eq!("time".parse(), Ok(SameAspect::Time(3.0)));
    }

    #[test]
    fn what_is_wrong_with_it_is_said() {
        let said = |text: &str| {
            let error = text.parse::<SameAspect>().unwrap_err();
            assert!(error.hint().is_some());
            error.to_string()
        };
        assert_eq!(said("outptu"), "`outptu` is nothing that can be compared");
        assert_eq!(said("output=2"), "`output=2` is nothing that can be compared");
        for text in ["memory=1", "memory=", "memory=x", "time=NaN", "time=inf", "time=-3"] {
            assert_eq!(said(text), format!("`{text}` gives no factor that is greater than 1"));
        }
    }
}
