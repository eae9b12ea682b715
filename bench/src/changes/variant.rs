//! The kinds of regressions that are seeded.

/// Where the cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CauseVariant {
    /// A line in one commit of a straight history.
    Plain,
    /// Two lines in two commits, which only fail together.
    Split,
    /// A fifth of the commits do not build.
    Untestable,
    /// A commit of a branch that was merged.
    Branch,
    /// The resolution of a merge.
    EvilMerge,
    /// Removed lines.
    Deletion,
    /// A renamed file that the program reads at run time.
    Rename,
    /// A definition in the build file.
    BuildFile,
}

impl CauseVariant {
    pub(crate) const ALL: [Self; 8] = [
        Self::Plain,
        Self::Split,
        Self::Untestable,
        Self::Branch,
        Self::EvilMerge,
        Self::Deletion,
        Self::Rename,
        Self::BuildFile,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Split => "split",
            Self::Untestable => "untestable",
            Self::Branch => "branch",
            Self::EvilMerge => "evil-merge",
            Self::Deletion => "deletion",
            Self::Rename => "rename",
            Self::BuildFile => "build-file",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// Whether its history has merges.
    pub(crate) fn merges(self) -> bool {
        matches!(self, Self::Branch | Self::EvilMerge)
    }
}
