//! Interpreters of other languages: jq, Lua, Perl, PHP, Ruby, shells, Tcl.

use super::ComplaintSort::Missing;
use super::Pattern;

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern { sort: Missing, text: r"\berror: \$?(?P<name>\w+)(?:/\d+)? is not defined" },
    Pattern {
        sort: Missing,
        text: r"attempt to (?:call|index|perform arithmetic on|concatenate|compare) (?:a nil value \()?(?:global|field|method|local|upvalue) '(?P<name>\w+)'",
    },
    Pattern { sort: Missing, text: r"^Undefined subroutine &(?:\w+::)*(?P<name>\w+) called" },
    Pattern { sort: Missing, text: r"Call to undefined (?:function|method) (?:[\w\\]+::)?(?P<name>\w+)\(" },
    Pattern { sort: Missing, text: r"\bundefined (?:local variable or method|method) '(?P<name>\w+[?!]?)'" },
    Pattern { sort: Missing, text: r"\buninitialized constant (?:\w+::)*(?P<name>\w+)" },
    Pattern { sort: Missing, text: r"^invalid command name '(?P<name>[\w:]+)'" },
    Pattern { sort: Missing, text: r"^\S+: (?:line )?\d+: (?P<name>[\w-]+): (?:command )?not found$" },
];
