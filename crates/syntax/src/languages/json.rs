//! JSON and its dialects.

#[cfg(feature = "common-grammars")]
use crate::language_info::GrammarSource;
use crate::{LanguageInfo, TextKind};

pub(crate) const INFO: LanguageInfo = LanguageInfo {
    name: "json",
    extensions: &[
        "json",
        "jsonc",
        "json5",
        "jsonl",
        "ndjson",
        "geojson",
        "har",
        "ipynb",
        "webmanifest",
        "sarif",
        "topojson",
    ],
    file_names: &[
        ".babelrc",
        ".eslintrc",
        ".jshintrc",
        ".prettierrc",
        ".swcrc",
        "composer.lock",
        "flake.lock",
        "Pipfile.lock",
    ],
    recognizes: is_json,
    #[cfg(feature = "common-grammars")]
    grammar: Some(GrammarSource {
        language: tree_sitter_json::LANGUAGE,
        node_types: tree_sitter_json::NODE_TYPES,
    }),
    text_kind: TextKind::Prose,
    text_kind_extensions: &["json"],
    smallest_nodes: &[("number", "0")],
    is_data: true,
    ..LanguageInfo::UNKNOWN
};

/// Whether a text starts like JSON: with an object or an array, and with tokens in a valid order. The text can be
/// incomplete, because inputs that make a program fail are often broken.
fn is_json(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii();
    if !text.starts_with(b"{") && !text.starts_with(b"[") {
        return false;
    }
    let checked = &text[..text.len().min(MOST_CHECKED)];
    let mut open: Vec<u8> = Vec::new();
    let mut after_value = false;
    let mut tokens = 0;
    let mut at = 0;
    while let Some(&byte) = checked.get(at) {
        let rest = &checked[at..];
        // An object is empty or starts with a name.
        let starts_object = byte == b'{' && rest.len() > 1;
        if starts_object && !matches!(rest[1..].trim_ascii_start().first(), None | Some(b'"' | b'}')) {
            return false;
        }
        // A file can contain several values if they are objects or arrays.
        let can_start = !after_value || open.is_empty() && b"{[".contains(&byte);
        let length = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => 1,
            b'{' | b'[' if can_start => {
                open.push(byte + 2);
                after_value = false;
                1
            }
            b'}' | b']' if open.pop() == Some(byte) => {
                after_value = true;
                1
            }
            b',' if after_value && !open.is_empty() => {
                after_value = false;
                1
            }
            b':' if after_value && open.last() == Some(&b'}') => {
                after_value = false;
                1
            }
            _ if can_start && !open.is_empty() => {
                after_value = true;
                scalar(rest)
            }
            _ => 0,
        };
        if length == 0 {
            // The last word can be cut off.
            return text.len() > MOST_CHECKED && rest.len() < 16;
        }
        tokens += 1;
        at += length;
    }
    tokens > 1
}

/// How much of a text is checked.
const MOST_CHECKED: usize = 4_096;

/// The length of the string, number or word at the start of a text, or 0. A string need not end.
fn scalar(text: &[u8]) -> usize {
    if text.starts_with(b"\"") {
        let mut at = 1;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'"' => return at + 1,
                b'\n' => return 0,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        return text.len();
    }
    let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
    match &text[..word] {
        b"true" | b"false" | b"null" => word,
        [b'-' | b'0'..=b'9', ..] => word,
        _ => 0,
    }
}
