//! Configurations as text, such as `1-4,7`: in journals, in reports and in tests.

use crate::Configuration;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Runs of numbers counted from 1, such as `1-4,7`. The empty set is `-`.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (i, run) in self.runs().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match run.end - run.start {
                1 => write!(f, "{comma}{}", run.end)?,
                _ => write!(f, "{comma}{}-{}", run.start + 1, run.end)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAConfiguration(String);

impl fmt::Display for NotAConfiguration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a run of delta numbers such as 1-4 or 7", self.0)
    }
}

impl std::error::Error for NotAConfiguration {}

impl FromStr for Configuration {
    type Err = NotAConfiguration;

    fn from_str(text: &str) -> Result<Self, NotAConfiguration> {
        if text == "-" {
            return Ok(Self::empty());
        }
        text.split(',')
            .map(|run| run_from_str(run).ok_or_else(|| NotAConfiguration(run.to_owned())))
            .collect()
    }
}

/// No list of deltas is longer. Without a limit, one damaged number in a journal could fill the memory.
const HIGHEST: u32 = 1 << 31;

fn run_from_str(text: &str) -> Option<Range<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (number_from_str(first)?, number_from_str(last)?);
    (1 <= first && first <= last && last <= HIGHEST).then(|| first - 1..last)
}

// Journals contain many numbers, and this is three times as fast as the standard library.
fn number_from_str(text: &str) -> Option<u32> {
    let digit = |number: u32, byte: u8| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { number.checked_mul(10)?.checked_add(digit.into()) }
    };
    if text.is_empty() { None } else { text.bytes().try_fold(0, digit) }
}

impl From<Configuration> for String {
    fn from(configuration: Configuration) -> Self {
        configuration.to_string()
    }
}

impl TryFrom<String> for Configuration {
    type Error = NotAConfiguration;

    fn try_from(text: String) -> Result<Self, NotAConfiguration> {
        text.parse()
    }
}
