//! Which paths are of interest.

use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{FileChange, FileChangeKind};
use crate::trees::tree_path::{BadPath, TreePath};
use globset::{GlobBuilder, GlobSet};
use howcome_dd::{Configuration, DeltaId};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Paths by patterns, as in git: a path stands for itself and everything below, `*` and `?` match anything, slashes included,
/// and `[a-z]` matches one of these characters.
///
/// ```
/// use howcome_changes::{PathFilter, TreePath};
/// let filter = PathFilter::new(&["src".into(), "*.md".into()], &["src/vendor/".into()])?;
/// assert!(filter.keeps(&TreePath::new(b"src/main.c")?));
/// assert!(filter.keeps(&TreePath::new(b"book/start.md")?));
/// assert!(!filter.keeps(&TreePath::new(b"src/vendor/zlib.c")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathFilter {
    /// `None` is everything.
    only: Option<Patterns>,
    except: Patterns,
}

impl PathFilter {
    /// Keeps the paths that `only` names, or all paths if it is empty, without those that `except` names.
    pub fn new(only: &[OsString], except: &[OsString]) -> Result<Self, BadPattern> {
        let except = Patterns::new(except)?;
        let only = if only.is_empty() { None } else { Some(Patterns::new(only)?) };
        Ok(Self { only, except })
    }

    /// Whether a path is of interest.
    #[must_use]
    pub fn keeps(&self, path: &TreePath) -> bool {
        self.only.as_ref().is_none_or(|only| only.name(path)) && !self.except.name(path)
    }
}

#[derive(Clone, Debug, Default)]
struct Patterns {
    is_everything: bool,
    /// Names as they are: a file can have a star in its name.
    literal: BTreeSet<Vec<u8>>,
    globs: GlobSet,
}

impl Patterns {
    fn new(patterns: &[OsString]) -> Result<Self, BadPattern> {
        let mut all = Self { is_everything: false, literal: BTreeSet::new(), globs: GlobSet::empty() };
        let mut globs = GlobSet::builder();
        for pattern in patterns {
            let mut meant = pattern.as_bytes();
            while let Some(rest) = meant.strip_prefix(b"./") {
                meant = rest;
            }
            while let Some(rest) = meant.strip_suffix(b"/").filter(|rest| !rest.is_empty()) {
                meant = rest;
            }
            if matches!(meant, b"" | b".") && !pattern.is_empty() {
                all.is_everything = true;
                continue;
            }
            let shown = || pattern.to_string_lossy().into_owned();
            TreePath::new(meant).map_err(|why| BadPattern::Path { pattern: shown(), why })?;
            all.literal.insert(meant.to_vec());
            if meant.iter().any(|byte| b"*?[\\".contains(byte)) {
                let bad =
                    |why: globset::Error| BadPattern::Glob { pattern: shown(), why: why.kind().to_string() };
                let text =
                    std::str::from_utf8(meant).map_err(|_| BadPattern::NotText { pattern: shown() })?;
                globs.add(
                    GlobBuilder::new(&without_braces(text)).backslash_escape(true).build().map_err(bad)?,
                );
            }
        }
        all.globs = globs
            .build()
            .map_err(|why| BadPattern::Glob { pattern: String::new(), why: why.kind().to_string() })?;
        Ok(all)
    }

    fn name(&self, path: &TreePath) -> bool {
        let is_named = |name: &[u8]| {
            self.literal.contains(name) || self.globs.is_match(Path::new(OsStr::from_bytes(name)))
        };
        self.is_everything || is_named(path.as_bytes()) || path.directories().any(is_named)
    }
}

/// Braces are alternatives in other tools, but git treats them as ordinary characters.
fn without_braces(pattern: &str) -> String {
    let (mut meant, mut is_escaped, mut is_in_class) = (String::new(), false, false);
    for character in pattern.chars() {
        match character {
            '{' | '}' if is_escaped || is_in_class => meant.push(character),
            '{' | '}' => meant.extend(['[', character, ']']),
            _ => meant.push(character),
        }
        is_in_class = !is_escaped && (character == '[' || (is_in_class && character != ']'));
        is_escaped = !is_escaped && character == '\\';
    }
    meant
}

/// A pattern that cannot match a path.
#[derive(Debug, thiserror::Error)]
pub enum BadPattern {
    /// It leads out of the tree, or is not a path.
    #[error("`{pattern}` names nothing in a tree: {why}")]
    Path {
        /// The pattern.
        pattern: String,
        /// Why it does not.
        why: BadPath,
    },
    /// Its brackets are wrong.
    #[error("the pattern `{pattern}` can't be read: {why}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A pattern that is not UTF-8. Names without `*`, `?` and `[` do not have to be.
    #[error("the pattern `{pattern}` is not UTF-8")]
    NotText {
        /// The pattern, as far as it can be shown.
        pattern: String,
    },
}

impl BadPattern {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Path { why, .. } => why.hint(),
            Self::Glob { .. } => "close every `[`, or put a backslash before it if it is part of a name",
            Self::NotText { .. } => "give the directory that the files are in, without `*`, `?` and `[`",
        }
    }
}

impl ChangeSet {
    /// The deltas of files that a filter keeps, and all others.
    ///
    /// A delta that changes several files at once, such as a rename, is kept if one of the files is.
    #[must_use]
    pub fn split_by(&self, filter: &PathFilter) -> (Configuration, Configuration) {
        let is_kept = |file: &FileChange| paths(file).any(|path| filter.keeps(path));
        let kept = self.files.iter().zip(self.firsts.windows(2)).filter(|(file, _)| is_kept(file));
        let kept: Configuration = kept.flat_map(|(_, firsts)| firsts[0]..firsts[1]).map(DeltaId).collect();
        let others = self.all().without(&kept);
        (kept, others)
    }

    /// The paths of all files that a configuration changes, in both versions, in order.
    #[must_use]
    pub fn paths_of(&self, configuration: &Configuration) -> BTreeSet<&TreePath> {
        self.files_of(configuration).flat_map(|(file, _)| paths(file)).collect()
    }
}

fn paths(file: &FileChange) -> impl Iterator<Item = &TreePath> {
    let (swapped, from) = match &file.what {
        FileChangeKind::Swapped { good, bad, .. } => ([&good[..], &bad[..]], None),
        FileChangeKind::Edited(edited) => ([&[][..], &[]], edited.from.as_ref()),
    };
    let swapped = swapped.into_iter().flatten().map(|(path, _)| path);
    swapped.chain([&file.path]).chain(from)
}
