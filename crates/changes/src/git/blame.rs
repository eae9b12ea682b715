//! Which commit a line comes from.

use super::command::GitFailed;
use super::quoted::unquoted;
use super::{ObjectId, Range, Repository};
use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;

/// A line of the bad revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedLine {
    /// Its number in the bad revision, from 1.
    pub line: u32,
    /// The commit that it comes from; none if it is as old as what is good.
    pub commit: Option<ObjectId>,
    /// Its number in that commit.
    pub line_then: u32,
    /// The path of the file in that commit.
    pub path_then: Vec<u8>,
}

/// Why nobody can be blamed.
#[derive(Debug, thiserror::Error)]
pub enum NoBlame {
    /// The bad revision has no such file.
    #[error("there is no file `{path}` in the bad revision {}", .bad.short())]
    NoFile {
        /// The path.
        path: String,
        /// The bad revision.
        bad: ObjectId,
    },
    /// The file ends before.
    #[error("`{path}` has no line {line}")]
    NoLine {
        /// The path.
        path: String,
        /// The first line that was asked for.
        line: u32,
    },
    /// Git does not say.
    #[error(transparent)]
    Git(#[from] GitFailed),
}

impl NoBlame {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            NoBlame::NoFile { .. } => {
                Some("a file that was removed has no lines to blame anybody for".to_owned())
            }
            NoBlame::NoLine { .. } => None,
            NoBlame::Git(failed) => failed.hint(),
        }
    }
}

impl Repository {
    /// Which commit of a range each line of a file comes from. All lines if no ranges of them are given.
    ///
    /// # Errors
    /// If the bad revision has no such file or lines.
    pub fn blame(
        &self,
        range: &Range,
        path: &[u8],
        lines: &[RangeInclusive<u32>],
    ) -> Result<Vec<BlamedLine>, NoBlame> {
        // Each line in full: otherwise the path is told only where it was not told before.
        let options = ["--line-porcelain", "--no-textconv", "--no-progress", "--root", "--encoding=none"];
        let mut arguments: Vec<OsString> = options.map(OsString::from).to_vec();
        // An empty range means nothing, but git would read it the other way round.
        let wanted: Vec<_> = lines.iter().filter(|lines| !lines.is_empty()).collect();
        if wanted.is_empty() && !lines.is_empty() {
            return Ok(Vec::new());
        }
        arguments.extend(wanted.iter().map(|lines| format!("-L{},{}", lines.start(), lines.end()).into()));
        arguments.push(range.bad().to_string().into());
        arguments.extend(range.good().iter().map(|good| format!("^{good}").into()));
        arguments.push("--".into());
        arguments.push(OsStr::from_bytes(path).to_owned());
        let output = self.git.ask("blame", arguments)?;
        if output.status.success() {
            return blamed(&output.stdout)
                .ok_or_else(|| GitFailed::unexpected("blame", &output.stdout).into());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let path = String::from_utf8_lossy(path).into_owned();
        Err(if said.contains("no such path") {
            NoBlame::NoFile { path, bad: range.bad() }
        } else if said.contains("has only") {
            let line = wanted.iter().map(|lines| *lines.start()).max().unwrap_or_default();
            NoBlame::NoLine { path, line }
        } else {
            GitFailed::refused("blame", &output).into()
        })
    }
}

/// For each line `id line-then line`, headers, and the line itself after a tab.
fn blamed(output: &[u8]) -> Option<Vec<BlamedLine>> {
    let mut lines = output.split(|byte| *byte == b'\n');
    let mut blamed = Vec::new();
    while let Some(head) = lines.next().filter(|head| !head.is_empty()) {
        let mut words = std::str::from_utf8(head).ok()?.split(' ');
        let commit: ObjectId = words.next()?.parse().ok()?;
        let line_then = words.next()?.parse().ok()?;
        let line = words.next()?.parse().ok()?;
        let (mut is_older, mut path_then) = (false, Vec::new());
        for header in lines.by_ref().take_while(|line| !line.starts_with(b"\t")) {
            is_older |= header == b"boundary";
            if let Some(path) = header.strip_prefix(b"filename ") {
                path_then = unquoted(path);
            }
        }
        blamed.push(BlamedLine { line, commit: (!is_older).then_some(commit), line_then, path_then });
    }
    Some(blamed)
}
