//! What became of one path: a change of a whole file, or changes within it.

use crate::hunk::{CONTEXT, Hunk, hunks};
use crate::lines::single_lines;
use crate::text::{Text, is_binary};
use crate::{Kind, TreePath, Version};

/// How small the deltas of a text are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    Hunks,
    Lines,
}

/// The deltas of one path, or of several that only change together.
#[derive(Clone, Debug)]
pub(crate) struct FileChange {
    /// Where it stands in the order of all: of several paths the one that people would look at.
    pub(crate) path: TreePath,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// One delta: some files go, others come.
    Swapped { how: How, good: Vec<(TreePath, Version)>, bad: Vec<(TreePath, Version)> },
    /// The same kind of entry on both sides: deltas for its place, for its mode, and those of its content, in this order.
    Edited(Edited),
}

/// The ways in which whole files change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Added,
    Removed,
    KindChanged,
    /// A directory stands where a file was, or the other way round. There can't be both, so it is one delta.
    Replaced,
}

#[derive(Clone, Debug)]
pub(crate) struct Edited {
    /// Its path in the good version, if that is another one.
    pub(crate) from: Option<TreePath>,
    pub(crate) sides: Sides,
    /// Where the file is not there, what it would grow from: no bytes at all.
    pub(crate) good: Version,
    pub(crate) bad: Version,
    pub(crate) body: Body,
}

/// Where an edited file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    Both,
    /// It is gone if all of its lines are.
    OnlyGood,
    /// It is there if any of its lines is.
    OnlyBad,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// No byte changed.
    Same,
    /// One delta: a binary file, the target of a symbolic link, the commit of a submodule.
    Whole,
    /// A delta a hunk, or a line.
    Text { good: Text, bad: Text, hunks: Vec<Hunk> },
}

/// What the nth delta of an edited file changes.
pub(crate) enum Part {
    Place,
    Mode,
    Body(usize),
}

impl FileChange {
    /// The change of a path that is in both trees.
    pub(crate) fn of_path(path: TreePath, good: Version, bad: Version, grain: Grain) -> Self {
        let same_kind = match (good.kind, bad.kind) {
            (Kind::File { .. }, Kind::File { .. }) => true,
            (good, bad) => good == bad,
        };
        let what = if same_kind {
            What::Edited(Edited::new(None, good, bad, grain))
        } else {
            let [good, bad] = [good, bad].map(|version| vec![(path.clone(), version)]);
            What::Swapped { how: How::KindChanged, good, bad }
        };
        Self { path, what }
    }

    /// A file that moved, both versions of the same kind.
    pub(crate) fn moved(from: TreePath, good: Version, to: TreePath, bad: Version, grain: Grain) -> Self {
        Self { path: to, what: What::Edited(Edited::new(Some(from), good, bad, grain)) }
    }

    /// A file that is on one side only.
    pub(crate) fn whole(how: How, path: TreePath, version: Version, grain: Grain) -> Self {
        let is_text = matches!(version.kind, Kind::File { .. }) && !is_binary(&version.bytes);
        let nothing = Version { kind: version.kind, bytes: [].into() };
        let what = match how {
            How::Added if is_text && grain == Grain::Lines && !version.bytes.is_empty() => {
                let edited = Edited::new(None, nothing, version, grain);
                What::Edited(Edited { sides: Sides::OnlyBad, ..edited })
            }
            How::Removed if is_text && grain == Grain::Lines && !version.bytes.is_empty() => {
                let edited = Edited::new(None, version, nothing, grain);
                What::Edited(Edited { sides: Sides::OnlyGood, ..edited })
            }
            How::Removed => What::Swapped { how, good: vec![(path.clone(), version)], bad: Vec::new() },
            _ => What::Swapped { how, good: Vec::new(), bad: vec![(path.clone(), version)] },
        };
        Self { path, what }
    }

    /// How many deltas it is.
    pub(crate) fn deltas(&self) -> u32 {
        self.groups().iter().sum()
    }

    /// How many deltas each of its hunks is; its place, its mode and its content as a whole count like hunks.
    pub(crate) fn groups(&self) -> Vec<u32> {
        let What::Edited(edited) = &self.what else { return vec![1] };
        let mut groups = vec![1; edited.before_body() as usize];
        match &edited.body {
            Body::Same => {}
            Body::Whole => groups.push(1),
            Body::Text { hunks, .. } => {
                let is_near =
                    |one: &Hunk, next: &Hunk| next.span().good.start - one.span().good.end < CONTEXT;
                groups.extend(hunks.chunk_by(is_near).map(|lines| lines.len() as u32));
            }
        }
        groups
    }
}

impl Edited {
    fn new(from: Option<TreePath>, good: Version, bad: Version, grain: Grain) -> Self {
        let body = body(&good, &bad, grain);
        Self { from, sides: Sides::Both, good, bad, body }
    }

    pub(crate) fn part(&self, nth: u32) -> Part {
        match (&self.from, nth) {
            (Some(_), 0) => Part::Place,
            _ if nth < self.before_body() => Part::Mode,
            _ => Part::Body((nth - self.before_body()) as usize),
        }
    }

    /// How many deltas it has beside those of its content.
    pub(crate) fn before_body(&self) -> u32 {
        u32::from(self.from.is_some()) + u32::from(self.good.kind != self.bad.kind)
    }
}

fn body(good: &Version, bad: &Version, grain: Grain) -> Body {
    if good.bytes == bad.bytes {
        return Body::Same;
    }
    let is_text = matches!(good.kind, Kind::File { .. }) && !is_binary(&good.bytes) && !is_binary(&bad.bytes);
    if !is_text {
        return Body::Whole;
    }
    let [good, bad] = [good, bad].map(|version| Text::new(version.bytes.clone()));
    let hunks = match grain {
        Grain::Hunks => hunks(&good, &bad),
        Grain::Lines => single_lines(&good, &bad),
    };
    Body::Text { good, bad, hunks }
}
