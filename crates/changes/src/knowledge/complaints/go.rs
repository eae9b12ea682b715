//! go build and go vet.

use super::ComplaintSort::{Duplicate, Mismatch, Missing, NoFile};
use super::Pattern;

macro_rules! error {
    ($sort:expr, $message:literal) => {
        Pattern {
            sort: $sort,
            text: concat!(r"^(?:vet: )?(?P<path>[^\s:][^:]*\.go):(?P<line>\d+):(?:\d+:)? ", $message),
        }
    };
}

pub(super) const PATTERNS: &[Pattern] = &[
    error!(
        NoFile,
        r"(?:no required module provides package|cannot find package|package) '?(?:[^\s';]*/)?(?P<name>[\w.-]+)'?(?:[;:]| in any of| is not in)"
    ),
    error!(Mismatch, r".*undefined \(type .* has no field or method (?P<name>\w+)"),
    error!(Missing, r"undefined: (?:\w+\.)?(?P<name>\w+)"),
    error!(Missing, r"(?:undeclared name|.* not declared by package \w+): ?(?:\w+\.)?(?P<name>\w+)?"),
    error!(Duplicate, r"(?:method )?(?:\w+\.)?(?P<name>\w+) (?:redeclared|already declared)"),
    error!(Mismatch, r"(?:not enough|too many) arguments in call to (?:\w+\.)*(?P<name>\w+)"),
    error!(Mismatch, r"unknown field '?(?P<name>\w+)"),
    error!(Mismatch, r".*missing method (?P<name>\w+)"),
    error!(Mismatch, r""),
];
