//! ld, gold, lld and Apple's linker.

use super::ComplaintSort::{Duplicate, Missing};
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        sort: Missing,
        text: r"(?:^|[ /])(?P<path>[^\s:/]+\.\w+):(?:(?P<line>\d+): |\([^)]*\): |.*)undefined reference to '_?(?P<name>\w+)",
    },
    Pattern { sort: Missing, text: r"undefined reference to '(?P<name>\w+)" },
    Pattern { sort: Missing, text: r"undefined symbol: (?P<name>\w+)" },
    Pattern { sort: Missing, text: r"^\s+'_(?P<name>\w+)', referenced from:" },
    Pattern { sort: Duplicate, text: r"multiple definition of '(?P<name>\w+)" },
    Pattern { sort: Duplicate, text: r"duplicate symbol:? '?_?(?P<name>\w+)" },
];
