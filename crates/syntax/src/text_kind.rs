//! Kinds of texts, for reading names out of a file without a parser.

/// Kinds of texts that differ in their comments and in how they define names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// C, C++ and everything that is unknown.
    CLike,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Java and languages like it.
    Java,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Python.
    Python,
    /// Shell scripts and other scripts whose comments start with `#`.
    Script,
    /// Build files: most of their words are names of files.
    Build,
    /// Texts for people and data: nothing needs the names in them.
    Prose,
}

impl TextKind {
    /// Whether `//` and `/*` start comments.
    #[must_use]
    pub fn has_slash_comments(self) -> bool {
        matches!(self, Self::CLike | Self::Rust | Self::Go | Self::Java | Self::JavaScript)
    }

    /// Whether `#` starts a comment.
    #[must_use]
    pub fn has_hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Script | Self::Build)
    }
}
