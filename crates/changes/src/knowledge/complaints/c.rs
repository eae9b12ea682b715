//! gcc and clang.

use super::ComplaintSort::{Duplicate, Mismatch, Missing, NoFile};
use super::Pattern;

macro_rules! error {
    ($sort:expr, $message:literal) => {
        Pattern {
            sort: $sort,
            text: concat!(r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: ", $message),
        }
    };
}

/// The first that fits is taken, so the last one is for all others.
pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        sort: NoFile,
        text: r"^[^\s:][^:]*:\d+:(?:\d+:)? (?:fatal )?error: '?(?P<path>[^':]+?)'?(?:: No such file or directory| file not found)",
    },
    // The one warning that counts: what is declared implicitly is missing when it comes to linking.
    Pattern {
        sort: Missing,
        text: r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? warning: implicit declaration of function '(?P<name>\w+)'",
    },
    Pattern {
        sort: Mismatch,
        text: r"^(?:[^\s:]+: )?(?P<path>[^\s:]+):(?P<line>\d+): (?:\w+: )?Assertion '.*' failed",
    },
    error!(Missing, r"'(?P<name>\w+)' undeclared"),
    error!(
        Missing,
        r"(?:use of undeclared (?:identifier|label)|call to undeclared (?:library )?function|unknown type name|implicit declaration of function|must use '\w+' tag to refer to type|no type named) '(?P<name>\w+)'"
    ),
    error!(
        Missing,
        r"'(?P<name>\w+)' (?:was not declared in this scope|has not been declared|does not name a type)"
    ),
    error!(Missing, r"label '(?P<name>\w+)' used but not defined"),
    error!(
        Missing,
        r".*(?:incomplete|undefined) type '(?:const )?(?:(?:struct|union|enum|class) )?(?P<name>\w+)"
    ),
    error!(Mismatch, r"'.*' has no member named '(?P<name>\w+)'"),
    error!(Mismatch, r"no member named '(?P<name>\w+)' in"),
    error!(
        Duplicate,
        r"(?:redefinition of|redeclaration of(?: enumerator)?|duplicate member|duplicate label|redefinition of enumerator|duplicate case value) '(?:(?:struct|union|enum|class) )?(?P<name>\w+)"
    ),
    error!(
        Mismatch,
        r"(?:conflicting types for|too (?:few|many) arguments to function|(?:static|non-static) declaration of) '(?P<name>\w+)'"
    ),
    error!(Mismatch, r".*argument \d+ (?:of|to) '(?P<name>\w+)'"),
    error!(Mismatch, r"macro '(?P<name>\w+)'"),
    error!(Mismatch, r"'(?P<name>\w+)' (?:redeclared|used as|macro redefined|is a static data member)"),
    error!(Mismatch, r"no matching (?:member )?function for call to '(?P<name>\w+)'"),
    error!(Mismatch, r"called object '(?P<name>\w+)' is not a function"),
    error!(Mismatch, r".*field '(?P<name>\w+)'"),
    error!(Mismatch, r"'[^']*?(?P<name>\w+)' is a pointer; did you mean"),
    error!(Mismatch, r"member reference type .* is (?:not )?a pointer"),
    error!(
        Missing,
        r"expected (?:declaration specifiers|specifier-qualifier-list|identifier|'\)'|'=', ',', ';').* before '(?P<name>[A-Za-z_]\w+)'$"
    ),
    error!(Mismatch, r"request for member '(?P<name>\w+)' in something not a structure"),
    error!(Mismatch, r""),
];
