//! A document of the Test Anything Protocol: results, their nesting, and their diagnostics.

use super::TestError;
use super::js_error::{add_stack, join_message, read_js_error};

/// The name of a test inside others is their names with this between them.
pub(super) const NESTING: &str = " > ";

/// One result: `not ok 3 - adds items # TODO later`.
pub(super) struct TapResult<'a> {
    pub is_ok: bool,
    /// Its name, after the names of the tests that it is in.
    pub name: String,
    /// How many tests it is in.
    pub depth: usize,
    pub directive: Option<TapDirective>,
    /// The lines of the comments since the result before it.
    pub comments: Vec<&'a str>,
    /// The diagnostics: fields with their texts, a line or several.
    pub fields: Vec<(&'a str, Vec<&'a str>)>,
}

/// What makes a result not count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TapDirective {
    Skip,
    Todo,
}

/// The results of a document, and what it says about itself.
#[derive(Default)]
pub(super) struct TapDocument<'a> {
    pub results: Vec<TapResult<'a>>,
    /// The plans at depth 0: how many tests there are.
    pub plans: Vec<u64>,
    /// `# pass 3`.
    pub counts: Vec<(&'a str, u64)>,
    pub bail_out: Option<&'a str>,
    pub has_version: bool,
}

impl TapDocument<'_> {
    /// How many, by the counts at the end.
    pub(super) fn count(&self, what: &str) -> Option<u64> {
        self.counts.iter().rev().find(|(name, _)| *name == what).map(|(_, count)| *count)
    }

    /// How many results there are at depth 0.
    pub(super) fn outer_results(&self) -> u64 {
        self.results.iter().filter(|result| result.depth == 0).count() as u64
    }
}

impl TapResult<'_> {
    /// A field of the diagnostics, as one line.
    pub(super) fn field(&self, name: &str) -> Option<String> {
        let (_, lines) = self.fields.iter().find(|(field, _)| *field == name)?;
        Some(join_message(lines.iter().copied()))
    }

    /// The error that the diagnostics tell about.
    pub(super) fn error(&self) -> TestError {
        let field =
            |names: &[&str]| names.iter().find_map(|name| self.field(name)).filter(|text| text != "~");
        let plain = self.fields.iter().find(|(name, _)| *name == PLAIN_MESSAGE);
        if let Some(error) = plain.and_then(|(_, lines)| read_js_error(lines)) {
            return error;
        }
        let has_stack = self.fields.iter().any(|(name, _)| *name == "stack");
        let kind = field(&["name"]).or_else(|| has_stack.then(|| "Error".to_owned()));
        let mut error = TestError {
            kind: kind.unwrap_or_default(),
            message: field(&["error", "message", "operator", PLAIN_MESSAGE]).unwrap_or_default(),
            ..TestError::default()
        };
        for name in ["stack", "at", "location"] {
            if let Some((_, lines)) = self.fields.iter().find(|(field, _)| *field == name)
                && error.place.is_none()
            {
                add_stack(&mut error, lines.iter().copied());
            }
        }
        error
    }
}

/// Reads the lines of a document. Lines that are not part of the protocol are left out, as the protocol wants it.
pub(super) fn read_document<'a>(lines: &[&'a str]) -> TapDocument<'a> {
    let mut document = TapDocument::default();
    let mut names: Vec<&str> = Vec::new();
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let text = line.trim_start();
        let (indentation, depth) = (line.len() - text.len(), (line.len() - text.len()) / 4);
        if let Some(name) = text.strip_prefix("# Subtest: ") {
            // Perl's older versions indent this line as the tests below it.
            names.truncate(depth.min(names.len()));
            names.push(name);
        } else if let Some(comment) = text.strip_prefix('#') {
            let comment = comment.strip_prefix(' ').unwrap_or(comment);
            document.counts.extend(split_count(comment));
            comments.push(comment);
        } else if let Some((is_ok, name, directive)) = split_result(text).filter(|_| indentation % 4 == 0) {
            let outer = names.iter().take(depth).map(|name| unescape(name)).chain([unescape(name)]);
            let name = outer.collect::<Vec<_>>().join(NESTING);
            let fields = read_fields(lines, &mut at, indentation);
            let comments = std::mem::take(&mut comments);
            document.results.push(TapResult { is_ok, name, depth, directive, comments, fields });
        } else if let Some(plan) = split_plan(line) {
            document.plans.push(plan);
        } else if let Some(reason) = line.strip_prefix("Bail out!") {
            document.bail_out = Some(reason.trim());
        } else if line.starts_with("TAP version ") {
            document.has_version = true;
        }
    }
    document
}

fn split_count(comment: &str) -> Option<(&str, u64)> {
    let (name, count) = comment.split_once(' ')?;
    Some((name, count.trim().parse().ok()?))
}

/// `1..3`, also with a reason: `1..0 # skip no database`.
fn split_plan(line: &str) -> Option<u64> {
    line.strip_prefix("1..")?.split(' ').next()?.parse().ok()
}

/// `not ok 3 - adds items # TODO later`.
fn split_result(text: &str) -> Option<(bool, &str, Option<TapDirective>)> {
    let (is_ok, rest) = match text.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("ok")?),
    };
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
    let numbered = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if !numbered.is_empty() && !numbered.starts_with(' ') {
        return None;
    }
    let described = numbered.trim_start();
    let described = described.strip_prefix("- ").unwrap_or(described);
    let directive = described.match_indices('#').find_map(|(at, _)| {
        let word = described[at + 1..].trim_start().get(..4)?.to_ascii_lowercase();
        let is_escaped = described[..at].ends_with('\\');
        let directive = match word.as_str() {
            "skip" => TapDirective::Skip,
            "todo" => TapDirective::Todo,
            _ => return None,
        };
        (!is_escaped).then_some((at, directive))
    });
    let name = directive.map_or(described, |(at, _)| &described[..at]).trim();
    // A test without a description goes by its number.
    let name = if name.is_empty() { &rest[..rest.len() - numbered.len()] } else { name };
    Some((is_ok, name, directive.map(|(_, directive)| directive)))
}

fn unescape(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

/// The YAML block after a result, as far as it is needed: fields on the first level.
fn read_fields<'a>(lines: &[&'a str], at: &mut usize, indentation: usize) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    let own = |line: &'a str| {
        Some(line).filter(|line| line.len() >= indentation + 2 && line.is_char_boundary(indentation + 2))
    };
    let is_marker = |line: &&'a str, marker: &str| {
        own(line).is_some_and(|line| {
            line[..indentation + 2].trim().is_empty() && line[indentation + 2..] == *marker
        })
    };
    if !lines.get(*at).is_some_and(|line| is_marker(line, "---")) {
        return read_plain_message(lines, at, indentation);
    }
    let Some(end) = lines[*at..].iter().take(MOST_LINES).position(|line| is_marker(line, "...")) else {
        return fields;
    };
    for line in &lines[*at + 1..*at + end] {
        let text = own(line).map_or("", |line| &line[indentation + 2..]);
        match text.split_once(':').filter(|_| !text.starts_with(' ')) {
            Some((name, value)) => {
                let value = value.trim();
                let is_block = value.is_empty() || value.starts_with(['|', '>']);
                fields.push((name, if is_block { Vec::new() } else { vec![unquote(value)] }));
            }
            None => fields.last_mut().into_iter().for_each(|(_, lines)| lines.push(text)),
        }
    }
    *at += end + 1;
    fields
}

/// The name under which a message that is not part of a block is kept.
const PLAIN_MESSAGE: &str = "";

/// Some runners print the message without the form of a block, only indented.
fn read_plain_message<'a>(
    lines: &[&'a str],
    at: &mut usize,
    indentation: usize,
) -> Vec<(&'a str, Vec<&'a str>)> {
    let is_message = |line: &&&str| {
        let text = line.trim_start();
        let is_protocol = split_result(text).is_some() || text.starts_with('#') || text.starts_with("1..");
        line.len() - text.len() > indentation && !is_protocol
    };
    let message: Vec<&str> = lines[*at..].iter().take_while(is_message).copied().collect();
    *at += message.len();
    if message.is_empty() { Vec::new() } else { vec![(PLAIN_MESSAGE, message)] }
}

/// A block is not longer, so that a marker that is missing does not cost much.
const MOST_LINES: usize = 5000;

fn unquote(value: &str) -> &str {
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    quoted('\'').or_else(|| quoted('"')).unwrap_or(value)
}
