//! Node.

use super::ComplaintSort::{Duplicate, Mismatch, Missing, NoFile};
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern { sort: Missing, text: r"ReferenceError: (?P<name>[\w$]+) is not defined" },
    Pattern {
        sort: Missing,
        text: r"ReferenceError: Cannot access '(?P<name>[\w$]+)' before initialization",
    },
    Pattern { sort: NoFile, text: r"Error(?: \[\w+\])?: Cannot find (?:module|package) '(?P<path>[^']+)'" },
    Pattern {
        sort: Missing,
        text: r"SyntaxError: The requested module '[^']*' does not provide an export named '?(?P<name>[\w$]+)",
    },
    Pattern { sort: Missing, text: r"SyntaxError: Named export '(?P<name>[\w$]+)' not found" },
    Pattern {
        sort: Duplicate,
        text: r"SyntaxError: Identifier '(?P<name>[\w$]+)' has already been declared",
    },
    Pattern {
        sort: Mismatch,
        text: r"TypeError: (?:.*\.)?(?P<name>[\w$]+) is not a (?:function|constructor)",
    },
    Pattern {
        sort: Mismatch,
        text: r"TypeError: Cannot (?:read|set) propert(?:y|ies) of .*\((?:reading|setting) '(?P<name>[\w$]+)'\)",
    },
];
