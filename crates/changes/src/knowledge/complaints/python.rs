//! Python.

use super::ComplaintSort::{Mismatch, Missing, NoFile};
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern { sort: Missing, text: r"^\s*(?:NameError|UnboundLocalError): .*?'(?P<name>\w+)'" },
    Pattern { sort: Missing, text: r"^\s*ImportError: cannot import name '(?P<name>\w+)'" },
    Pattern {
        sort: NoFile,
        text: r"^\s*(?:ModuleNotFoundError|ImportError): No module named '?(?:\w+\.)*(?P<name>\w+)'?",
    },
    Pattern { sort: Missing, text: r"^\s*AttributeError: .*attribute '(?P<name>\w+)'" },
    Pattern { sort: Mismatch, text: r"^\s*TypeError: .*keyword argument '(?P<name>\w+)'" },
    Pattern { sort: Mismatch, text: r"^\s*TypeError: (?:\w+\.)*(?P<name>\w+)\(\) (?:missing|takes|got)" },
    Pattern { sort: Mismatch, text: r"^\s*(?:SyntaxError|IndentationError|TabError): " },
];
