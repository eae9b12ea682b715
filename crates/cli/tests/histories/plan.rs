//! What a history should be like.

/// Where in a history something happens; revisions are counted from 0, the oldest.
#[derive(Clone, Debug)]
pub struct Plan {
    pub language: Language,
    pub revisions: usize,
    pub seed: u64,
    /// The revision that brings what the test needs; 0 if it was always there.
    pub feature: usize,
    /// The revision that brings a second thing that the test needs.
    pub second_feature: Option<usize>,
    /// The revision that breaks it; `None` if it never worked.
    pub cause: Option<usize>,
    /// Whether the cause comes with a merged branch.
    pub merged: bool,
    /// A later revision that breaks it once more, in another place.
    pub second_cause: Option<usize>,
    /// The later revision in which the line of the cause is written anew.
    pub cause_rewritten: Option<usize>,
    /// The revision in which lines around the feature's are written anew.
    pub region: Option<(usize, Region)>,
    /// The revisions that do not build.
    pub broken: Vec<usize>,
    /// Whether the feature is a check in the project's own driver: of its two parts, one makes the call that fails.
    pub driver: bool,
}

/// What the program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Shell,
    C,
}

/// How lines around those of the feature are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The line before: a patch still has its place.
    Near,
    /// The lines before and after it, so that a patch has no context.
    Around,
}

impl Plan {
    /// A program in shell that got its feature and, before that, its cause.
    pub fn new(revisions: usize, feature: usize, cause: usize) -> Self {
        Self {
            language: Language::Shell,
            revisions,
            seed: 1,
            feature,
            second_feature: None,
            cause: Some(cause),
            merged: false,
            second_cause: None,
            cause_rewritten: None,
            region: None,
            broken: Vec::new(),
            driver: false,
        }
    }

    /// The same, but that it never worked.
    pub fn never_worked(revisions: usize, feature: usize) -> Self {
        Self { cause: None, ..Self::new(revisions, feature, 0) }
    }

    /// The newest revision.
    pub fn newest(&self) -> usize {
        self.revisions.saturating_sub(1)
    }

    /// The nearest revision from here on that builds, towards newer ones.
    pub fn builds_from(&self, revision: usize) -> usize {
        (revision..self.revisions).find(|index| !self.broken.contains(index)).unwrap_or(self.newest())
    }

    /// The nearest revision before this one that builds.
    pub fn builds_before(&self, revision: usize) -> Option<usize> {
        (0..revision).rev().find(|index| !self.broken.contains(index))
    }
}
