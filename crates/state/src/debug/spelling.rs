//! How languages spell types.

use super::unit::UnitLanguage;
use gimli::DwTag;
use gimli::constants as dw;
use std::sync::Arc;

/// Longer names are cut.
const LONGEST: usize = 4096;

/// A pointer or reference to a type: `struct node *`, `int (*)(char)`, `char **`.
pub(super) fn pointer(to: &str, sign: &str) -> String {
    let name = match declarator(to) {
        Some(at) => {
            let (before, behind) = to.split_at(at);
            format!("{before}({sign}){behind}")
        }
        None => match to.find("(*") {
            // A pointer to a pointer to a function or an array.
            Some(at) if to.ends_with([')', ']']) => {
                let (before, behind) = to.split_at(at + 1);
                format!("{before}{sign}{behind}")
            }
            _ if to.ends_with('*') => format!("{to}{sign}"),
            _ => format!("{to} {sign}"),
        },
    };
    cut(name)
}

/// An array of a type: `int [4]`, `int [3][4]`, `char *[2]`.
pub(super) fn array(of: &str, count: Option<u64>) -> String {
    let count = count.map(|count| count.to_string()).unwrap_or_default();
    let name = match declarator(of) {
        Some(at) if of.ends_with(']') => {
            let (before, behind) = of.split_at(at);
            format!("{before}[{count}]{behind}")
        }
        _ => match of.find("(*") {
            Some(at) if of.ends_with([')', ']']) => {
                let (before, behind) = of.split_at(at + 2);
                format!("{before}[{count}]{behind}")
            }
            _ if of.ends_with('*') => format!("{of}[{count}]"),
            _ => format!("{of} [{count}]"),
        },
    };
    cut(name)
}

/// An array in Rust: `[u8; 4]`.
pub(super) fn rust_array(of: &str, count: Option<u64>) -> String {
    cut(match count {
        Some(count) => format!("[{of}; {count}]"),
        None => format!("[{of}]"),
    })
}

/// A function: `int (char, double)`. The first part is the result.
pub(super) fn function(parts: &[Arc<str>], is_open: bool) -> String {
    let returns = parts.first().map_or("void", |name| name);
    let mut parameters: Vec<&str> = parts.iter().skip(1).map(|name| &**name).collect();
    if is_open {
        parameters.push("...");
    } else if parameters.is_empty() {
        parameters.push("void");
    }
    cut(format!("{returns} ({})", parameters.join(", ")))
}

/// A record or an enumeration; in C with its keyword, unless only a typedef names it.
pub(super) fn record(language: UnitLanguage, tag: DwTag, name: Option<&str>, has_own_name: bool) -> String {
    let keyword = match tag {
        dw::DW_TAG_union_type => "union",
        dw::DW_TAG_enumeration_type => "enum",
        _ => "struct",
    };
    cut(match name {
        Some(name) if language == UnitLanguage::C && has_own_name => format!("{keyword} {name}"),
        Some(name) => name.to_owned(),
        None => format!("{keyword} {{...}}"),
    })
}

/// Where the sign of a pointer to an array or a function goes: before the brackets at the end.
fn declarator(name: &str) -> Option<usize> {
    if name.contains("(*") {
        return None;
    }
    match name.as_bytes().last()? {
        b']' if !name.starts_with('[') => name.find(" [").map(|at| at + 1).or_else(|| name.find('[')),
        b')' => name.find(" (").map(|at| at + 1),
        _ => None,
    }
}

fn cut(mut name: String) -> String {
    if name.len() > LONGEST {
        let mut end = LONGEST;
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        name.truncate(end);
        name.push('…');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_arrays_and_functions_are_written_as_in_c() {
        let int: Arc<str> = "int".into();
        let text: Arc<str> = pointer("char", "*").into();
        let function = function(&[Arc::clone(&int), Arc::clone(&text)], false);
        assert_eq!(function, "int (char *)");
        assert_eq!(pointer(&function, "*"), "int (*)(char *)");
        assert_eq!(pointer(&pointer(&function, "*"), "*"), "int (**)(char *)");
        assert_eq!(array(&pointer(&function, "*"), Some(3)), "int (*[3])(char *)");
        assert_eq!(array(&array(&int, Some(4)), Some(3)), "int [3][4]");
        assert_eq!(pointer(&array(&int, Some(4)), "*"), "int (*)[4]");
        assert_eq!(array(&text, None), "char *[]");
        assert_eq!(pointer(&text, "*"), "char **");
        assert_eq!(pointer("shop::Cart", "&"), "shop::Cart &");
    }

    #[test]
    fn long_names_are_cut() {
        assert!(pointer(&"é".repeat(10_000), "*").len() < LONGEST + 8);
    }
}
