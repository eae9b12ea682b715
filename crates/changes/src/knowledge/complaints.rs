//! What compilers, linkers and interpreters complain about, read from their output.
//!
//! A file for each program that complains: `c`, `go`, `interpreter`, `java`, `linker`, `make`, `node`, `python`, `rust`.

mod c;
mod go;
mod interpreter;
mod java;
mod linker;
mod make;
mod node;
mod python;
mod rust;

use super::relatedness::names_in;
use regex::bytes::{Captures, Regex, RegexSet};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// The file that it is about, as printed; for a missing file, its name.
    pub path: Option<Vec<u8>>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The identifier it is about.
    pub name: Option<Vec<u8>>,
    /// What is wrong.
    pub sort: ComplaintSort,
    /// The names in the lines of source that the complaint shows.
    pub shown: BTreeSet<Vec<u8>>,
    /// The name that is marked in the first of these lines.
    pub marked: Option<Vec<u8>>,
}

/// The kinds of complaints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ComplaintSort {
    /// A name that nothing defines.
    Missing,
    /// A name that is defined twice.
    Duplicate,
    /// Things that do not match: arguments, types, members, syntax.
    Mismatch,
    /// A file that does not exist.
    NoFile,
}

/// A complaint as a regular expression over a line with plain quotes and no colours.
///
/// Its groups `path`, `line` and `name` are used if they exist.
struct Pattern {
    sort: ComplaintSort,
    text: &'static str,
}

/// The location of a complaint, if it is in another line.
const PLACE_BEFORE: &str =
    r"^\s*File '(?P<path>[^']+)', line (?P<line>\d+)|^(?:file://)?(?P<path2>\S+?):(?P<line2>\d+)$";
const PLACE_AFTER: &str =
    r"^\s*--> (?P<path>\S+?):(?P<line>\d+):\d+|^>>> referenced by (?P<path2>\S+?):(?P<line2>\d+)";
/// The use of the macro in which the complaint is. The last one is the line of the program.
const USED_AT: &str =
    r"^(?P<path>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? note: in expansion of macro '(?P<name>\w+)'";
/// A line of source.
const SHOWN: &str = r"^\s*\d+ \| (.*)";
/// A name that follows the complaint.
const NAME_AFTER: &str = r"^\s*symbol:\s+(?:\w+ )?(?P<name>\w+)|^\S+: note: '(?P<name2>\w+)' declared here";

/// More complaints than this are consequences of the first ones.
const MOST: usize = 50;
/// How many lines can be between a complaint and the rest of it.
const NEAR: usize = 8;
const NEAR_BEHIND: usize = 40;

/// Words at which compilers give up, and which no change defines.
const KEYWORDS: [&[u8]; 16] = [
    b"if", b"else", b"for", b"while", b"return", b"static", b"int", b"char", b"void", b"const", b"struct",
    b"union", b"enum", b"case", b"do", b"break",
];

struct MessagePatterns {
    any: RegexSet,
    patterns: Vec<(Regex, ComplaintSort)>,
    place_before: Regex,
    place_after: Regex,
    name_after: Regex,
    used_at: Regex,
    shown: Regex,
    colours: Regex,
}

// All expressions are constants, and a test uses each of them. An invalid one is left out.
static READER: LazyLock<Option<MessagePatterns>> = LazyLock::new(|| {
    // The first match counts, so general patterns come after specific ones.
    let tables = [
        java::PATTERNS,
        c::PATTERNS,
        linker::PATTERNS,
        rust::PATTERNS,
        node::PATTERNS,
        python::PATTERNS,
        go::PATTERNS,
        make::PATTERNS,
        interpreter::PATTERNS,
    ];
    let all: Vec<&Pattern> = tables.into_iter().flatten().collect();
    let compiled = all.iter().map(|pattern| Some((Regex::new(pattern.text).ok()?, pattern.sort)));
    Some(MessagePatterns {
        any: RegexSet::new(all.iter().map(|pattern| pattern.text)).ok()?,
        patterns: compiled.collect::<Option<_>>()?,
        place_before: Regex::new(PLACE_BEFORE).ok()?,
        place_after: Regex::new(PLACE_AFTER).ok()?,
        name_after: Regex::new(NAME_AFTER).ok()?,
        used_at: Regex::new(USED_AT).ok()?,
        shown: Regex::new(SHOWN).ok()?,
        colours: Regex::new(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|‘|’|“|”|`|\x22")
            .ok()?,
    })
});

/// The first complaints of an output, in order and each once. Warnings do not count.
#[must_use]
pub fn complaints(output: &[u8]) -> Vec<Complaint> {
    let Some(reader) = &*READER else { return Vec::new() };
    let plain = reader.plain(output);
    let lines: Vec<&[u8]> = plain.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for (at, line) in lines.iter().enumerate() {
        let Some(first) = reader.any.matches(line).iter().next() else { continue };
        let (pattern, sort) = &reader.patterns[first];
        let Some(captures) = pattern.captures(line) else { continue };
        let mut complaint = Complaint {
            path: group(&captures, "path"),
            line: number(group(&captures, "line")),
            name: group(&captures, "name"),
            sort: *sort,
            shown: BTreeSet::new(),
            marked: None,
        };
        complaint.name = complaint.name.filter(|name| !KEYWORDS.contains(&&name[..]));
        reader.look_around(&lines, at, &mut complaint);
        // A name that is missing on one line is missing on the others too.
        let line = complaint.line.filter(|_| complaint.name.is_none());
        if seen.insert(Complaint { line, shown: BTreeSet::new(), marked: None, ..complaint.clone() }) {
            found.push(complaint);
        }
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Where a complaint is: the line of the program first, then the lines of the macros that it uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ComplaintPlaces {
    /// Files as printed, and lines.
    pub(crate) places: Vec<(Vec<u8>, u32)>,
    /// The macros.
    pub(crate) macros: Vec<Vec<u8>>,
}

/// Where an output complains, each place once.
#[must_use]
pub(crate) fn complaint_places(output: &[u8]) -> BTreeSet<ComplaintPlaces> {
    let Some(reader) = &*READER else { return BTreeSet::new() };
    let plain = reader.plain(output);
    let lines: Vec<&[u8]> = plain.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    let mut found = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(first) = reader.any.matches(line).iter().next() else { continue };
        let Some(captures) = reader.patterns[first].0.captures(line) else { continue };
        let mut places: Vec<_> =
            group(&captures, "path").zip(number(group(&captures, "line"))).into_iter().collect();
        let mut macros = Vec::new();
        let own = lines[at + 1..].iter().take(NEAR_BEHIND).take_while(|line| !reader.any.is_match(line));
        for captures in own.filter_map(|line| reader.used_at.captures(line)) {
            places.extend(group(&captures, "path").zip(number(group(&captures, "line"))));
            macros.extend(group(&captures, "name"));
        }
        places.reverse();
        if !places.is_empty() {
            found.insert(ComplaintPlaces { places, macros });
        }
    }
    found
}

impl MessagePatterns {
    /// The output without colours, and with plain quotes.
    fn plain<'a>(&self, output: &'a [u8]) -> Cow<'a, [u8]> {
        self.colours.replace_all(
            output,
            |found: &Captures<'_>| {
                if found[0][0] == 0x1b { &b""[..] } else { &b"'"[..] }
            },
        )
    }

    /// Completes a complaint with the lines before and after it.
    fn look_around(&self, lines: &[&[u8]], at: usize, complaint: &mut Complaint) {
        let after = &lines[at + 1..(at + 1 + NEAR_BEHIND).min(lines.len())];
        // The location of the next complaint does not belong to this one.
        let own = after.iter().take_while(|line| !self.any.is_match(line));
        if let Some((path, line)) = own.clone().filter_map(|line| place(&self.used_at, line)).last() {
            (complaint.path, complaint.line) = (Some(path), line);
        }
        complaint.shown = own
            .clone()
            .filter_map(|line| self.shown.captures(line))
            .flat_map(|found| names_in([found.get(1).map_or(&b""[..], |text| text.as_bytes())]))
            .collect();
        let pairs = after.iter().zip(after.iter().skip(1)).take(NEAR);
        complaint.marked = pairs
            .take_while(|(line, _)| !self.any.is_match(line))
            .find_map(|(line, marks)| self.shown.is_match(line).then(|| marked(line, marks)))
            .flatten();
        let own = own.take(NEAR);
        if complaint.path.is_none() {
            let place_after = own.clone().find_map(|line| place(&self.place_after, line));
            let before = lines[at.saturating_sub(NEAR)..at].iter().rev();
            let place =
                place_after.or_else(|| before.into_iter().find_map(|line| place(&self.place_before, line)));
            if let Some((path, line)) = place {
                (complaint.path, complaint.line) = (Some(path), line);
            }
        }
        if complaint.name.is_none() {
            let captures = own.clone().find_map(|line| self.name_after.captures(line));
            complaint.name =
                captures.and_then(|found| group(&found, "name").or_else(|| group(&found, "name2")));
        }
    }
}

/// The name in a line above the first mark.
fn marked(line: &[u8], marks: &[u8]) -> Option<Vec<u8>> {
    let at = marks.iter().position(|byte| *byte == b'^')?;
    let rest = line.get(at..)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty() && !name[0].is_ascii_digit() && !KEYWORDS.contains(&name)).then(|| name.to_vec())
}

/// Groups that a pattern lacks are `None`.
fn place(pattern: &Regex, line: &[u8]) -> Option<(Vec<u8>, Option<u32>)> {
    let captures = pattern.captures(line)?;
    let either = |one, other| group(&captures, one).or_else(|| group(&captures, other));
    Some((either("path", "path2")?, number(either("line", "line2"))))
}

fn group(captures: &Captures<'_>, name: &str) -> Option<Vec<u8>> {
    captures.name(name).map(|found| found.as_bytes().to_vec())
}

fn number(digits: Option<Vec<u8>>) -> Option<u32> {
    std::str::from_utf8(&digits?).ok()?.parse().ok()
}
