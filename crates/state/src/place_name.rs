//! Places as the user names them: `FUNCTION`, `FUNCTION:HIT`, `FILE:LINE` or `FILE:LINE:HIT`.

use crate::Address;
use crate::compared_place::ComparedPlace;
use crate::debug::Program;
use crate::run_pair::{OriginalRun, RunPair};
use crate::trace::{CommonMoment, Stretch, Trace, align, trace};
use crate::tracee::TraceError;
use std::fmt;
use std::str::FromStr;

/// A place as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceName {
    what: PlaceTarget,
    /// Counted from 1; `None` for the first time that both runs have in common.
    hit: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PlaceTarget {
    Function(String),
    Line(String, u32),
}

/// The text does not name a place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a place; write FUNCTION, FUNCTION:HIT, FILE:LINE or FILE:LINE:HIT")]
pub struct InvalidPlaceName(String);

impl FromStr for PlaceName {
    type Err = InvalidPlaceName;

    fn from_str(text: &str) -> Result<Self, InvalidPlaceName> {
        let wrong = || InvalidPlaceName(text.to_owned());
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0);
        // Names in C++ and Rust contain `::`.
        let mut parts: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some((before, last)) = rest.rsplit_once(':') {
            if before.ends_with(':') || number(last).is_none() {
                break;
            }
            parts.insert(0, last);
            rest = before;
        }
        let numbers: Vec<u32> = parts.iter().filter_map(|part| number(part)).collect();
        let is_file = rest.contains('.') && !rest.contains("::") && !rest.contains('<');
        match (is_file, numbers.as_slice()) {
            _ if rest.is_empty() || rest.starts_with(':') => Err(wrong()),
            (true, [line]) => Ok(Self { what: PlaceTarget::Line(rest.to_owned(), *line), hit: None }),
            (true, [line, hit]) => {
                Ok(Self { what: PlaceTarget::Line(rest.to_owned(), *line), hit: Some(*hit) })
            }
            (false, []) => Ok(Self { what: PlaceTarget::Function(rest.to_owned()), hit: None }),
            (false, [hit]) => Ok(Self { what: PlaceTarget::Function(rest.to_owned()), hit: Some(*hit) }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for PlaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            PlaceTarget::Function(name) => f.write_str(name)?,
            PlaceTarget::Line(file, line) => write!(f, "{file}:{line}")?,
        }
        self.hit.map_or(Ok(()), |hit| write!(f, ":{hit}"))
    }
}

/// Why a named place cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceNotFound {
    /// The program has no such function or line.
    #[error("the program has no {0}")]
    Unknown(String),
    /// A run never reaches the place, or not often enough.
    #[error("{location} is not reached by the {run} run{}", if *hits > 0 { format!(" more than {hits} times") } else { String::new() })]
    NotReached {
        /// The place.
        location: String,
        /// The run.
        run: &'static str,
        /// How many times it reaches the place.
        hits: usize,
    },
    /// Both runs reach the place, but never with the same calls.
    #[error("both runs reach {0}, but never with the same backtrace")]
    NotComparable(String),
    /// The run could not be traced.
    #[error(transparent)]
    Tracee(#[from] TraceError),
}

impl PlaceName {
    /// Whether it names a line.
    pub(crate) fn is_line(&self) -> bool {
        matches!(self.what, PlaceTarget::Line(..))
    }

    /// The addresses of the named code.
    fn addresses(&self, program: &Program) -> Result<Vec<Address>, PlaceNotFound> {
        let addresses: Vec<Address> = match &self.what {
            PlaceTarget::Function(name) => {
                program.functions_named(name).into_iter().map(|id| program.function(id).body).collect()
            }
            PlaceTarget::Line(file, line) => program.addresses_of_line(file, *line),
        };
        let what = match &self.what {
            PlaceTarget::Function(name) => format!("function `{name}`"),
            PlaceTarget::Line(file, line) => format!("code at {file}:{line}"),
        };
        if addresses.is_empty() { Err(PlaceNotFound::Unknown(what)) } else { Ok(addresses) }
    }

    /// Finds the place in both runs.
    pub fn find(&self, runs: &RunPair) -> Result<ComparedPlace, PlaceNotFound> {
        let addresses = self.addresses(&runs.settings.program)?;
        let stretch = Stretch { hits: self.hit.unwrap_or(0), ..Stretch::default() };
        let follow = |run: &OriginalRun| trace(&runs.settings, &run.invocation, &addresses, stretch);
        let (passing, failing) = (follow(&runs.passing)?, follow(&runs.failing)?);
        for (run, trace) in [("passing", &passing), ("failing", &failing)] {
            let hits = trace.moments.len();
            let wanted = if run == "failing" { self.hit.unwrap_or(1) } else { 1 };
            if hits < wanted as usize {
                return Err(PlaceNotFound::NotReached { location: self.to_string(), run, hits });
            }
        }
        let common = align(&passing, &failing);
        let found = common.iter().find(|common| self.hit.is_none_or(|hit| ordinal(&failing, common) == hit));
        let found = found.ok_or_else(|| PlaceNotFound::NotComparable(self.to_string()))?;
        Ok(ComparedPlace {
            hit: ordinal(&failing, found),
            ..ComparedPlace::of(&runs.settings.program, found)
        })
    }

    /// Two moments of one run: the passing moment is this place, the failing one is `other`.
    pub fn pair(&self, other: &Self, runs: &RunPair) -> Result<ComparedPlace, PlaceNotFound> {
        let find = |location: &Self| {
            let addresses = location.addresses(&runs.settings.program)?;
            let stretch = Stretch { hits: location.hit.unwrap_or(0), ..Stretch::default() };
            let trace = trace(&runs.settings, &runs.failing.invocation, &addresses, stretch)?;
            let hit = location.hit.unwrap_or(1) as usize;
            let (hits, location) = (trace.moments.len(), location.to_string());
            let moment = trace.moments.get(hit - 1).copied();
            moment.ok_or(PlaceNotFound::NotReached { location, run: "failing", hits })
        };
        let (passing, failing) = (find(self)?, find(other)?);
        if passing.stop_point.at != failing.stop_point.at {
            return Err(PlaceNotFound::NotComparable(format!("{self} and {other}")));
        }
        Ok(ComparedPlace::of(&runs.settings.program, &CommonMoment { passing, failing }))
    }
}

/// The number of a moment in a trace, counted from 1.
fn ordinal(failing: &Trace, common: &CommonMoment) -> u32 {
    failing.moments.iter().position(|moment| *moment == common.failing).map_or(0, |at| at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<PlaceName>().map(|location| (location.what, location.hit));
        let function = |name: &str, hit| Ok((PlaceTarget::Function(name.to_owned()), hit));
        let line = |file: &str, line, hit| Ok((PlaceTarget::Line(file.to_owned(), line), hit));
        assert_eq!(read("shell_sort"), function("shell_sort", None));
        assert_eq!(read("shell_sort:3"), function("shell_sort", Some(3)));
        assert_eq!(read("shop::Cart::add:2"), function("shop::Cart::add", Some(2)));
        assert_eq!(read("src/sort.c:12"), line("src/sort.c", 12, None));
        assert_eq!(read("sort.c:12:4"), line("sort.c", 12, Some(4)));
        for wrong in ["", "sort.c", ":3", "f:1:2", "sort.c:0"] {
            assert_eq!(read(wrong), Err(InvalidPlaceName(wrong.to_owned())), "{wrong}");
        }
    }
}
