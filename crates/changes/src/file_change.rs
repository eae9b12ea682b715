//! What became of one path: a change of a whole file, or changes within it.

use crate::hunk::{Hunk, hunks};
use crate::text::{Text, is_binary};
use crate::{Kind, TreePath, Version};

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
    /// The same path with the same kind of entry: one delta for its mode, and those of its content.
    Edited { good: Version, bad: Version, body: Body },
}

/// The ways in which whole files change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Added,
    Removed,
    Renamed,
    KindChanged,
    /// A directory stands where a file was, or the other way round. There can't be both, so it is one delta.
    Replaced,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Nothing but the mode changed.
    Same,
    /// One delta: a binary file, the target of a symbolic link, the commit of a submodule.
    Whole,
    /// A delta a hunk.
    Hunks { good: Text, bad: Text, hunks: Vec<Hunk> },
}

impl FileChange {
    /// The change of a path that is in both trees.
    pub(crate) fn of_path(path: TreePath, good: Version, bad: Version) -> Self {
        let same_kind = match (good.kind, bad.kind) {
            (Kind::File { .. }, Kind::File { .. }) => true,
            (good, bad) => good == bad,
        };
        let what = if same_kind {
            let body = body(&good, &bad);
            What::Edited { good, bad, body }
        } else {
            let [good, bad] = [good, bad].map(|version| vec![(path.clone(), version)]);
            What::Swapped { how: How::KindChanged, good, bad }
        };
        Self { path, what }
    }

    /// How many deltas it is.
    pub(crate) fn deltas(&self) -> u32 {
        match &self.what {
            What::Swapped { .. } => 1,
            What::Edited { good, bad, body } => {
                let of_body = match body {
                    Body::Same => 0,
                    Body::Whole => 1,
                    Body::Hunks { hunks, .. } => hunks.len() as u32,
                };
                of_body + u32::from(good.kind != bad.kind)
            }
        }
    }
}

fn body(good: &Version, bad: &Version) -> Body {
    if good.bytes == bad.bytes {
        return Body::Same;
    }
    let is_text = matches!(good.kind, Kind::File { .. }) && !is_binary(&good.bytes) && !is_binary(&bad.bytes);
    if !is_text {
        return Body::Whole;
    }
    let [good, bad] = [good, bad].map(|version| Text::new(version.bytes.clone()));
    let hunks = hunks(&good, &bad);
    Body::Hunks { good, bad, hunks }
}
