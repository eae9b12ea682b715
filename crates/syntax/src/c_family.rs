//! What C and C++ have in common.

pub(crate) const DEFINITIONS: &[&str] = &[
    "function_definition",
    "preproc_def",
    "preproc_function_def",
    "class_specifier",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
];

/// A type that is only mentioned has no body.
pub(crate) const TYPES: &[&str] =
    &["struct_specifier", "union_specifier", "enum_specifier", "class_specifier"];

pub(crate) const DEFINITION_GROUPS: &[&str] =
    &["linkage_specification", "namespace_definition", "declaration_list"];

pub(crate) const DEFINITION_WRAPPERS: &[&str] = &["template_declaration", "type_definition"];

pub(crate) const SMALLEST_NODES: &[(&str, &str)] = &[
    ("number_literal", "0"),
    ("primitive_type", "int"),
    ("expression_statement", ";"),
    ("compound_statement", "{}"),
];

pub(crate) const BODIES: &[&str] = &["compound_statement"];

pub(crate) const TAKES_SINGLE_STATEMENT: &[&str] =
    &["if_statement", "else_clause", "for_statement", "for_range_loop", "while_statement", "do_statement"];

/// A function needs its parameters.
pub(crate) const IRREPLACEABLE: &[&str] = &["function_declarator"];

/// Whether a text has a line that starts as only C++ does.
pub(crate) fn looks_like_cpp(bytes: &[u8]) -> bool {
    let starts = [
        &b"class "[..],
        b"namespace ",
        b"template<",
        b"template <",
        b"public:",
        b"private:",
        b"using ",
        b"extern \"C++\"",
        b"constexpr ",
    ];
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| starts.iter().any(|start| line.starts_with(start)))
}

/// Whether a text starts with `#include`, `#pragma once` or the line marker of a preprocessor.
pub(crate) fn starts_with_directive(text: &[u8]) -> bool {
    let line = first_line(after_comments(text));
    let Some(line) = line.strip_prefix(b"#") else { return false };
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let mut words = line.trim_ascii_start().splitn(2, u8::is_ascii_whitespace);
    let directive = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default().trim_ascii();
    let is_include = directive == b"include" && (rest.starts_with(b"<") || rest.starts_with(b"\""));
    let is_marker = is_number(directive) && rest.starts_with(b"\"");
    is_include || is_marker || directive == b"pragma" && rest == b"once"
}

/// The text after the comments at its start.
fn after_comments(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii_start();
    loop {
        let length = match text {
            [b'/', b'/', ..] => text.iter().position(|byte| *byte == b'\n'),
            [b'/', b'*', ..] => text.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4),
            _ => None,
        };
        let Some(length) = length else { return text };
        text = text[length..].trim_ascii_start();
    }
}

fn first_line(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == b'\n').next().unwrap_or_default()
}
