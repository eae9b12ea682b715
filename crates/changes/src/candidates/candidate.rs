//! A version of the tree to be tested: a whole tree, and what differs from it.

use crate::trees::contents::same_unread;
use crate::trees::entry::{EntryKind, LoadedEntry, TreeEntry};
use crate::trees::mix::Mix;
use crate::trees::tree::Tree;
use crate::trees::tree_path::TreePath;
use howcome_run::Content;
use std::cmp::Ordering;
use std::io;
use std::sync::Arc;

/// A tree that candidates are made from.
#[derive(Debug)]
pub struct Base {
    tree: Tree,
    content: Content,
}

impl Base {
    /// A tree, and a name for it that no other tree of the run has.
    #[must_use]
    pub fn new(tree: Tree, name: &[u8]) -> Arc<Self> {
        // Trees with the same files are the same, whatever their names, if that is known without reading the files.
        let content = content_of(&tree).unwrap_or_else(|| Content::of([b"named".as_slice(), name]));
        Arc::new(Self { tree, content })
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What identifies it.
    #[must_use]
    pub fn content(&self) -> Content {
        self.content
    }
}

fn content_of(tree: &Tree) -> Option<Content> {
    let mut heads = Vec::with_capacity(tree.len());
    for (path, entry) in tree.iter() {
        let identity = entry.contents.identity()?;
        let mode = entry.kind.git_mode().as_bytes();
        heads.push([path.as_bytes(), b"\0", mode, b"\0", &[identity.len() as u8], identity].concat());
    }
    Some(Content::of(std::iter::once(b"files".as_slice()).chain(heads.iter().map(Vec::as_slice))))
}

/// A version of the tree.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it starts from.
    pub base: Arc<Base>,
    /// What differs.
    pub mix: Mix,
}

/// The entry of a candidate at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At<'a> {
    Base(&'a TreeEntry),
    Mix(&'a LoadedEntry),
}

impl At<'_> {
    pub(crate) fn kind(&self) -> EntryKind {
        match self {
            At::Base(entry) => entry.kind,
            At::Mix(version) => version.kind,
        }
    }

    pub(crate) fn bytes(&self) -> io::Result<Arc<[u8]>> {
        match self {
            At::Base(entry) => entry.contents.read(),
            At::Mix(version) => Ok(version.bytes.clone()),
        }
    }

    fn is_same(&self, other: &At<'_>) -> io::Result<bool> {
        if self.kind() != other.kind() {
            return Ok(false);
        }
        if let (At::Base(one), At::Base(other)) = (self, other)
            && let Some(same) = same_unread(&*one.contents, &*other.contents)
        {
            return Ok(same);
        }
        Ok(self.bytes()? == other.bytes()?)
    }
}

impl Candidate {
    /// A tree as it is.
    #[must_use]
    pub fn of(base: Arc<Base>) -> Self {
        Self { base, mix: Mix::default() }
    }

    /// What identifies it.
    #[must_use]
    pub fn content(&self) -> Content {
        if self.mix.is_empty() {
            return self.base.content();
        }
        let texts = [self.base.content().to_string(), self.mix.content().to_string()];
        Content::of(texts.iter().map(String::as_bytes))
    }

    /// All of it as one tree.
    #[must_use]
    pub fn tree(&self) -> Tree {
        self.base.tree().with(&self.mix)
    }

    pub(crate) fn at(&self, path: &TreePath) -> Option<At<'_>> {
        match self.mix.get(path) {
            Some(version) => version.map(At::Mix),
            None => self.base.tree().get(path).map(At::Base),
        }
    }

    /// All of its files.
    pub(crate) fn files(&self) -> Vec<(&TreePath, At<'_>)> {
        let tree = self.base.tree();
        let added = self.mix.iter().map(|(path, _)| path).filter(|path| tree.get(path).is_none());
        let paths = tree.iter().map(|(path, _)| path).chain(added);
        paths.filter_map(|path| Some((path, self.at(path)?))).collect()
    }

    /// Whether two candidates have the same files. If a file cannot be read, they are taken for different.
    pub(crate) fn is_same(&self, other: &Candidate) -> bool {
        self.differences(other).is_ok_and(|differing| differing.is_empty())
    }

    /// Where two candidates differ.
    pub(crate) fn differences(&self, other: &Candidate) -> io::Result<Vec<TreePath>> {
        let mut paths: Vec<&TreePath> =
            self.mix.iter().chain(other.mix.iter()).map(|(path, _)| path).collect();
        if !Arc::ptr_eq(&self.base, &other.base) {
            paths.extend(possibly_differing(self.base.tree(), other.base.tree()));
        }
        paths.sort_unstable();
        paths.dedup();
        let mut differing = Vec::new();
        for path in paths {
            let same = match (self.at(path), other.at(path)) {
                (None, None) => true,
                (Some(one), Some(other)) => one.is_same(&other)?,
                _ => false,
            };
            if !same {
                differing.push(path.clone());
            }
        }
        Ok(differing)
    }
}

/// The paths at which two trees are not known to be the same without reading a file. Both are in order, so they are walked through
/// together: there can be many thousands of them.
fn possibly_differing<'a>(one: &'a Tree, other: &'a Tree) -> Vec<&'a TreePath> {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut differing = Vec::new();
    loop {
        let order = match (one.peek(), other.peek()) {
            (None, None) => return differing,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((one, _)), Some((other, _))) => one.cmp(other),
        };
        let left = if order == Ordering::Greater { None } else { one.next() };
        let right = if order == Ordering::Less { None } else { other.next() };
        match (left, right) {
            (Some((path, one)), Some((_, other))) => {
                let is_same =
                    one.kind == other.kind && same_unread(&*one.contents, &*other.contents) == Some(true);
                if !is_same {
                    differing.push(path);
                }
            }
            (Some((path, _)), None) | (None, Some((path, _))) => differing.push(path),
            (None, None) => {}
        }
    }
}
