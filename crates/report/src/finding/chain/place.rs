//! A place of a run in words.

use howcome_run::RunPlace;
use howcome_run::words::{cut_middle, ordinal, printable};

/// Names of functions in C++ and Rust can be very long.
const FUNCTION: usize = 36;

/// A place of a run, in words.
pub(crate) trait PlaceWords {
    /// `shell_sort`, `shell_sort, 3rd time`
    fn moment(&self) -> String;

    /// The function, or the line if the function is unknown.
    fn name(&self) -> String;

    /// `, 3rd time`, unless it is the first.
    fn times(&self) -> Option<String>;

    /// `sample.c:9`, with the name of the file only.
    fn place(&self) -> Option<String>;

    /// The line in a file of this name.
    fn place_as(&self, file: &str) -> String;

    /// `shell_sort (sample.c:9)`
    fn in_full(&self) -> String;

    /// The name of the file.
    fn file_name(&self) -> &str;

    /// The line, if the function is known too.
    fn line_of(&self) -> Option<u64>;
}

impl PlaceWords for RunPlace {
    fn moment(&self) -> String {
        format!("{}{}", self.name(), self.times().unwrap_or_default())
    }

    fn name(&self) -> String {
        match self.function.is_empty() {
            true => self.place().unwrap_or_else(|| "an unknown place".to_owned()),
            false => cut_middle(&printable(&self.function), FUNCTION),
        }
    }

    fn times(&self) -> Option<String> {
        self.hit.filter(|hit| *hit > 1).map(|hit| format!(", {} time", ordinal(hit)))
    }

    fn place(&self) -> Option<String> {
        let name = printable(self.file_name());
        (!name.is_empty()).then(|| self.place_as(&name))
    }

    fn place_as(&self, file: &str) -> String {
        self.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
    }

    fn in_full(&self) -> String {
        match self.place() {
            Some(place) if !self.function.is_empty() => format!("{} ({place})", self.moment()),
            _ => self.moment(),
        }
    }

    fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or_default()
    }

    fn line_of(&self) -> Option<u64> {
        self.line.filter(|_| !self.function.is_empty())
    }
}
