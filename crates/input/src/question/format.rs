//! What the user says the input is.

use super::unknown_name::unknown_name;
use crate::{DocumentPart, Language};
use howcome_run::Problem;

/// Formats that are not opened, whatever is in them.
const PLAIN: [&str; 2] = ["text", "bytes"];
/// Formats that are opened if the file really has them.
const CONTAINERS: [&str; 7] = ["der", "gzip", "pem", "png", "tar", "zip", "zlib"];

/// What the user says the input is.
#[derive(Clone, Copy, Debug)]
pub enum InputFormat {
    /// Text in a language.
    Language(Language),
    /// Text in no known language, bytes, or a container.
    Plain,
}

impl InputFormat {
    /// The format of a name.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn of(name: &str) -> Result<Self, Problem> {
        if PLAIN.contains(&name) || CONTAINERS.contains(&name) {
            return Ok(InputFormat::Plain);
        }
        Language::by_name(name).map(InputFormat::Language).ok_or_else(|| {
            let all = Language::ALL.map(Language::name);
            let names: Vec<&str> = PLAIN.into_iter().chain(all).chain(CONTAINERS).collect();
            unknown_name("format", name, &names)
        })
    }

    /// Whether files of a format are not opened, whatever is in them.
    pub(crate) fn is_never_opened(name: &str) -> bool {
        PLAIN.contains(&name)
    }

    /// The bytes of a file in this format.
    pub(crate) fn part(self, bytes: Vec<u8>) -> DocumentPart {
        match self {
            InputFormat::Language(language) => DocumentPart::new(bytes, Some(language)),
            InputFormat::Plain => DocumentPart::new(bytes, None),
        }
    }
}
