//! What one delta is.

use crate::words::plural;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! units {
    ($($(#[$about:meta])* $unit:ident = $spelling:literal,)*) => {
        /// What one delta is: an item, a line, a commit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "String", from = "String")]
        pub enum Unit {
            $($(#[$about])* $unit,)*
        }

        impl Unit {
            /// Every unit.
            pub const ALL: &[Self] = &[$(Self::$unit,)*];

            /// Its spelling, in the singular.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$unit => $spelling,)* }
            }
        }
    };
}

units! {
    /// A block of code.
    Block = "block",
    /// The body of a function.
    Body = "body",
    /// A branch of a program.
    Branch = "branch",
    /// A byte.
    Byte = "byte",
    /// A change of any size.
    Change = "change",
    /// A character.
    Character = "character",
    /// A chunk of bytes.
    Chunk = "chunk",
    /// A comment.
    Comment = "comment",
    /// A commit.
    Commit = "commit",
    /// A conditional of a preprocessor.
    Conditional = "conditional",
    /// The content of an element.
    Content = "content",
    /// A declaration.
    Declaration = "declaration",
    /// A definition.
    Definition = "definition",
    /// A delta without a better name. Units that only a newer howcome knows are read as this one.
    Delta = "delta",
    /// A pair of delimiters.
    Delimiters = "pair of delimiters",
    /// A directive of a preprocessor.
    Directive = "directive",
    /// An extension of a file.
    Extension = "extension",
    /// A file.
    File = "file",
    /// A gap between tokens.
    Gap = "gap",
    /// A hunk.
    Hunk = "hunk",
    /// An image.
    Image = "image",
    /// An item of a list.
    Item = "item",
    /// A line.
    Line = "line",
    /// The end of a line.
    LineEnd = "line end",
    /// A name.
    Name = "name",
    /// A node of a syntax tree.
    Node = "node",
    /// A part of a number.
    NumberPart = "part of a number",
    /// A file that contains other files.
    PackedFile = "packed file",
    /// The packing around a file.
    Packing = "packing",
    /// A paragraph.
    Paragraph = "paragraph",
    /// A parameter.
    Parameter = "parameter",
    /// A phrase.
    Phrase = "phrase",
    /// A revision.
    Revision = "revision",
    /// A section.
    Section = "section",
    /// A part of a string.
    StringPart = "part of a string",
    /// A token.
    Token = "token",
    /// A variable of a running program.
    Variable = "variable",
    /// A version of a source tree.
    Version = "version",
}

impl Unit {
    /// Its spelling in the plural.
    #[must_use]
    pub fn plural(self) -> String {
        plural(self.as_str())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<Unit> for String {
    fn from(unit: Unit) -> Self {
        unit.as_str().to_owned()
    }
}

impl From<String> for Unit {
    fn from(name: String) -> Self {
        Self::ALL.iter().copied().find(|unit| unit.as_str() == name).unwrap_or(Self::Delta)
    }
}

/// For fields that name a unit in the plural: `"of": "lines"`.
pub(crate) mod in_plural {
    use super::Unit;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(unit: &Unit, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&unit.plural())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Unit, D::Error> {
        let name = String::deserialize(from)?;
        Ok(Unit::ALL.iter().copied().find(|unit| unit.plural() == name).unwrap_or(Unit::Delta))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_written_and_read_by_the_same_name() {
        for unit in Unit::ALL {
            let written = serde_json::to_string(unit).unwrap();
            assert_eq!(written, format!("\"{unit}\""));
            assert_eq!(serde_json::from_str::<Unit>(&written).unwrap(), *unit);
        }
    }

    #[test]
    fn an_unknown_unit_is_read_as_delta() {
        assert_eq!(serde_json::from_str::<Unit>("\"galaxy\"").unwrap(), Unit::Delta);
    }

    #[test]
    fn units_can_be_named_in_the_plural() {
        #[derive(Serialize, Deserialize)]
        struct PluralField {
            #[serde(with = "in_plural")]
            of: Unit,
        }
        for unit in Unit::ALL {
            let written = serde_json::to_string(&PluralField { of: *unit }).unwrap();
            assert_eq!(serde_json::from_str::<PluralField>(&written).unwrap().of, *unit, "{written}");
        }
        let lines = serde_json::to_string(&PluralField { of: Unit::Line }).unwrap();
        assert_eq!(lines, r#"{"of":"lines"}"#);
    }
}
