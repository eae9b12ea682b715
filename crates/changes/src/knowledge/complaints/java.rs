//! javac.

use super::ComplaintSort::{Duplicate, Mismatch, Missing};
use super::Pattern;

macro_rules! error {
    ($sort:expr, $message:literal) => {
        Pattern {
            sort: $sort,
            text: concat!(r"^(?P<path>[^\s:][^:]*\.java):(?P<line>\d+): error: ", $message),
        }
    };
}

pub(super) const PATTERNS: &[Pattern] = &[
    // Its name follows in a line of its own.
    error!(Missing, r"cannot find symbol"),
    error!(Missing, r"package (?:\w+\.)*(?P<name>\w+) does not exist"),
    error!(
        Duplicate,
        r"(?:variable|method|class|constructor|duplicate class:) (?:\w+\.)*(?P<name>\w+)(?:\([^)]*\))? (?:is )?already defined"
    ),
    error!(Mismatch, r"(?:method|constructor) (?P<name>\w+) in \w+ \S+ cannot be applied"),
    error!(Mismatch, r"no suitable (?:method|constructor) found for (?P<name>\w+)"),
    error!(Mismatch, r".* does not override abstract method (?P<name>\w+)"),
    error!(Mismatch, r""),
];
