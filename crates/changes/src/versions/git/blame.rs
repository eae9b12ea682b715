//! Which commit a line comes from.

use super::command::GitFailed;
use super::{NotAnObjectId, ObjectId, Repository};
use crate::patches::quoted::unquoted;
use crate::versions::revision_range::RevisionRange;
use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;

/// A line of the bad revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedLine {
    /// Its number in the bad revision, from 1.
    pub line: u32,
    /// The commit that it comes from; none if the good revision has it already.
    pub commit: Option<ObjectId>,
    /// Its number in that commit.
    pub line_then: u32,
    /// The path of the file in that commit.
    pub path_then: Vec<u8>,
}

/// Why lines cannot be traced.
#[derive(Debug, thiserror::Error)]
pub enum NoBlame {
    /// The revision has no such file.
    #[error("{path}: no such file in revision {}", .revision.short())]
    NoFile {
        /// The path.
        path: String,
        /// The revision whose lines were asked for.
        revision: ObjectId,
    },
    /// The file ends before that line.
    #[error("`{path}` has no line {line}")]
    NoLine {
        /// The path.
        path: String,
        /// The first line that was asked for.
        line: u32,
    },
    /// The revision is not from git.
    #[error(transparent)]
    NotACommit(#[from] NotAnObjectId),
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
            NoBlame::NoLine { .. } | NoBlame::NotACommit(_) => None,
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
        range: &RevisionRange,
        path: &[u8],
        lines: &[RangeInclusive<u32>],
    ) -> Result<Vec<BlamedLine>, NoBlame> {
        let bad = ObjectId::of(&range.bad)?;
        let good = range.good.iter().map(|good| format!("^{good}"));
        let revisions: Vec<String> = std::iter::once(bad.to_string()).chain(good).collect();
        let traced = self.trace(&revisions, bad, path, lines)?;
        let blamed = traced.into_iter().map(|traced| BlamedLine {
            line: traced.line,
            commit: (!traced.is_boundary).then_some(traced.commit),
            line_then: traced.line_there,
            path_then: traced.path_there,
        });
        Ok(blamed.collect())
    }

    /// Asks git to trace lines of a file in a revision through the history that the arguments describe.
    pub(super) fn trace(
        &self,
        revisions: &[String],
        revision: ObjectId,
        path: &[u8],
        lines: &[RangeInclusive<u32>],
    ) -> Result<Vec<Traced>, NoBlame> {
        // An empty range means no lines, but git would read it backwards.
        let wanted: Vec<_> = lines.iter().filter(|lines| !lines.is_empty()).collect();
        if wanted.is_empty() && !lines.is_empty() {
            return Ok(Vec::new());
        }
        // Each line in full: otherwise git prints the path only if it did not print it before.
        let options = ["--line-porcelain", "--no-textconv", "--no-progress", "--root", "--encoding=none"];
        let mut arguments: Vec<OsString> = options.map(OsString::from).to_vec();
        arguments.extend(wanted.iter().map(|lines| format!("-L{},{}", lines.start(), lines.end()).into()));
        arguments.extend(revisions.iter().map(OsString::from));
        arguments.push("--".into());
        arguments.push(OsStr::from_bytes(path).to_owned());
        let output = self.git.ask("blame", arguments)?;
        if output.status.success() {
            return traced(&output.stdout)
                .ok_or_else(|| GitFailed::unexpected("blame", &output.stdout).into());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let no_path = said.contains("no such path");
        let is_absent = no_path && self.is_absent(revision, path)?;
        let path = String::from_utf8_lossy(path).into_owned();
        Err(if is_absent {
            NoBlame::NoFile { path, revision }
        } else if no_path {
            let said = format!("the content of `{path}` is missing");
            GitFailed::Refused { command: "blame".to_owned(), said }.into()
        } else if said.contains("has only") {
            let line = wanted.iter().map(|lines| *lines.start()).max().unwrap_or_default();
            NoBlame::NoLine { path, line }
        } else {
            GitFailed::refused("blame", &output).into()
        })
    }

    /// Whether a revision has no file of that name. Blame says so too if the content was never fetched.
    fn is_absent(&self, revision: ObjectId, path: &[u8]) -> Result<bool, GitFailed> {
        let revision = revision.to_string();
        let options = ["-z", "--full-tree", &revision, "--"].map(OsStr::new);
        let listed = self.git.read("ls-tree", options.into_iter().chain([OsStr::from_bytes(path)]))?;
        Ok(!listed.starts_with(b"100"))
    }
}

/// A line as git traces it.
pub(super) struct Traced {
    pub(super) line: u32,
    /// The commit that it was traced to.
    pub(super) commit: ObjectId,
    pub(super) line_there: u32,
    pub(super) path_there: Vec<u8>,
    /// Whether git was told not to look further.
    pub(super) is_boundary: bool,
    /// The next commit on the path, which does not have the line.
    pub(super) next: Option<ObjectId>,
}

/// For each line `id line-there line`, headers, and the line itself after a tab.
fn traced(output: &[u8]) -> Option<Vec<Traced>> {
    let mut lines = output.split(|byte| *byte == b'\n');
    let mut all = Vec::new();
    while let Some(head) = lines.next().filter(|head| !head.is_empty()) {
        let mut words = std::str::from_utf8(head).ok()?.split(' ');
        let commit = words.next()?.parse().ok()?;
        let line_there = words.next()?.parse().ok()?;
        let line = words.next()?.parse().ok()?;
        let mut traced =
            Traced { line, commit, line_there, path_there: Vec::new(), is_boundary: false, next: None };
        for header in lines.by_ref().take_while(|line| !line.starts_with(b"\t")) {
            traced.is_boundary |= header == b"boundary";
            if let Some(path) = header.strip_prefix(b"filename ") {
                traced.path_there = unquoted(path);
            } else if let Some(next) = header.strip_prefix(b"previous ") {
                traced.next =
                    next.split(|byte| *byte == b' ').next().and_then(|id| ObjectId::from_hex(id).ok());
            }
        }
        all.push(traced);
    }
    Some(all)
}
