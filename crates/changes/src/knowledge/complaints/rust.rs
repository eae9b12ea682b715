//! rustc.

use super::ComplaintSort::{Duplicate, Mismatch, Missing, NoFile};
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern { sort: NoFile, text: r"^error\[E0583\]: file not found for module '(?P<name>\w+)'" },
    Pattern {
        sort: Missing,
        text: r"^error(?:\[E\d+\])?: (?:failed to resolve: .*|cannot find .*|unresolved .*|use of undeclared .*|use of unresolved .*|cannot determine resolution .*)'(?:\w+::)*(?P<name>\w+)'",
    },
    Pattern {
        sort: Missing,
        text: r"^error\[E04(?:07|37|38)\]: .* '(?P<name>\w+)' is not a member of trait",
    },
    Pattern {
        sort: Duplicate,
        text: r"^error\[E(?:0428|0124|0201|0592|0415|0416|0119)\]: .*?'(?P<name>\w+)'",
    },
    Pattern {
        sort: Mismatch,
        text: r"^error\[E0(?:599|609|610|560|026|027)\]: .*(?:named|field|method|variant|function)s? '(?:\w+::)*(?P<name>\w+)'",
    },
    Pattern { sort: Mismatch, text: r"^error\[E0063\]: missing fields? '(?P<name>\w+)'" },
    Pattern { sort: Mismatch, text: r"^error\[E0(?:046|050|053|186|195)\]: .*?'(?P<name>\w+)'" },
    Pattern { sort: Mismatch, text: r"^error\[E\d+\]: " },
    Pattern {
        sort: Mismatch,
        text: r"^error: (?:expected|unexpected|this file contains|mismatched|missing|unclosed)",
    },
];
