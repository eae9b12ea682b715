//! make, ninja and CMake.

use super::ComplaintSort::NoFile;
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern { sort: NoFile, text: r"^make(?:\[\d+\])?: \*\*\* No rule to make target '(?P<path>[^']+)'" },
    Pattern {
        sort: NoFile,
        text: r"^ninja: error: '(?P<path>[^']+)', needed by .*, missing and no known rule",
    },
    Pattern {
        sort: NoFile,
        text: r"^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cc1|cc1plus): (?:fatal )?error: (?:no such file or directory: )?'?(?P<path>[^\s':]+)'?(?:: No such file or directory)?$",
    },
];
