//! The path of a file in a tree: bytes, relative, never outside of the tree.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// A path relative to the root of a tree. Names are bytes, because not all of them are UTF-8.
///
/// Paths are ordered by their bytes, so everything in one directory is together.
///
/// ```
/// use howcome_changes::TreePath;
/// assert_eq!(TreePath::new(b"src/main.c")?.to_string(), "src/main.c");
/// assert!(TreePath::new(b"../elsewhere").is_err());
/// # Ok::<(), howcome_changes::BadPath>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreePath(Arc<[u8]>);

impl TreePath {
    /// Whether the name is that of a file for people, such as a README, which no build uses.
    #[must_use]
    pub fn is_for_people(&self) -> bool {
        let name = self.0.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let ends = [".md", ".rst", ".txt", ".adoc", ".html", ".png", ".svg", ".jpg", ".gif", ".pdf"];
        let names = ["README", "NEWS", "CHANGES", "CHANGELOG", "ChangeLog", "AUTHORS", "COPYING", "LICENSE"];
        ends.iter().any(|end| name.ends_with(end.as_bytes()))
            || names.iter().any(|known| name == known.as_bytes())
    }

    /// Reads a path whose components are separated by slashes.
    pub fn new(path: &[u8]) -> Result<Self, BadPath> {
        let bad = |why| Err(BadPath { path: String::from_utf8_lossy(path).into_owned(), why });
        if path.contains(&0) {
            return bad(Why::Nul);
        }
        for component in path.split(|&byte| byte == b'/') {
            match component {
                b"" if path.first() == Some(&b'/') => return bad(Why::Absolute),
                b"" | b"." => return bad(Why::NoName),
                b".." => return bad(Why::Leaves),
                b".git" => return bad(Why::Repository),
                _ => {}
            }
        }
        Ok(Self(path.into()))
    }

    /// As bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As a path of the file system, still relative.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// The directories that contain it, the outermost first, each without a slash at its end.
    pub fn directories(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(end, _)| &self.0[..end])
    }

    /// Whether it is in a directory with the name of the other path.
    #[must_use]
    pub fn is_below(&self, directory: &Self) -> bool {
        self.0.strip_prefix(&*directory.0).is_some_and(|rest| rest.first() == Some(&b'/'))
    }
}

/// A range of paths can begin with any bytes. Paths and bytes have the same order.
impl Borrow<[u8]> for TreePath {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

/// For people. Bytes that are not UTF-8 are replaced.
impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A path that cannot be in a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path `{path}` {why}")]
pub struct BadPath {
    path: String,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Why {
    #[error("is absolute")]
    Absolute,
    #[error("has a component without a name")]
    NoName,
    #[error("leaves the tree")]
    Leaves,
    // Whoever may write there can have git run a program.
    #[error("leads into a git repository's own folder")]
    Repository,
    #[error("holds a NUL byte")]
    Nul,
}

impl BadPath {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self.why {
            Why::Absolute | Why::Leaves => "give paths relative to the root of the tree",
            Why::NoName | Why::Nul => "write it as names with single slashes between them",
            Why::Repository => "leave it out; only the files of a version are compared, not its history",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_never_leaves_its_tree() {
        for path in
            ["", "/etc/passwd", "a/../../b", "..", "a//b", "a/", "./a", "a/./b", "a\0b", "sub/.git/hooks/x"]
        {
            let error = TreePath::new(path.as_bytes()).unwrap_err();
            assert!(!error.hint().is_empty(), "{error}");
        }
        for path in ["a", "a/b", "..a", "a..", ".gitignore", "a b", "é"] {
            assert_eq!(TreePath::new(path.as_bytes()).unwrap().to_string(), path);
        }
    }

    #[test]
    fn a_name_that_only_begins_alike_is_not_below() {
        let path = |text: &str| TreePath::new(text.as_bytes()).unwrap();
        assert!(path("a/b").is_below(&path("a")));
        assert!(!path("ab/c").is_below(&path("a")));
        assert!(!path("a").is_below(&path("a")));
        assert_eq!(path("a/b/c").directories().collect::<Vec<_>>(), [&b"a"[..], b"a/b"]);
    }
}
