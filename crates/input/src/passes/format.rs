//! Handing what is left to a formatter, such as clang-format, rustfmt or black, so that people can read it.
//!
//! What a formatter writes is longer than what the other passes leave, and they would take it away again. So this pass
//! belongs to a plan of its own, after all others have ended.

use crate::{Delta, Document, Part, Pass, Proposals, Tier};
use std::ffi::OsStr;
use std::sync::Arc;

/// Something that lays out texts of some languages. It is a function: the same text, the same layout.
pub trait Formatter: Send + Sync {
    /// What this text looks like laid out; none where it cannot do it.
    fn format(&self, name: &OsStr, part: &Part) -> Option<Vec<u8>>;
}

/// Lays texts out. It is not among [`passes`](crate::passes): whoever has a formatter makes a plan of this pass alone.
pub struct Format {
    formatter: Arc<dyn Formatter>,
}

impl Format {
    /// With the given formatter.
    #[must_use]
    pub fn new(formatter: Arc<dyn Formatter>) -> Self {
        Self { formatter }
    }

    /// The layout of a text, where it is another one and stays as it is if it is laid out again. Otherwise there would be
    /// no end.
    fn layout(&self, name: &OsStr, part: &Part) -> Option<Vec<u8>> {
        let once = Part::new(self.formatter.format(name, part)?, part.language());
        let twice = self.formatter.format(name, &once)?;
        (twice == once.bytes() && twice != part.bytes()).then_some(twice)
    }
}

impl Pass for Format {
    fn name(&self) -> &'static str {
        "format"
    }

    fn about(&self) -> &'static str {
        "lay the text out with an installed formatter"
    }

    fn unit(&self) -> &'static str {
        "file"
    }

    fn tier(&self) -> Tier {
        Tier::Names
    }

    fn proposals(&self, document: &Document) -> Proposals {
        let layouts = document.parts().filter_map(|(piece, part)| {
            let layout = self.layout(&document.piece(piece).name, part)?;
            Some(Delta::replace(piece, 0..part.bytes().len(), layout))
        });
        Proposals::flat(layouts.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;

    /// Puts each statement on a line.
    struct Lines;

    impl Formatter for Lines {
        fn format(&self, name: &OsStr, part: &Part) -> Option<Vec<u8>> {
            let text = std::str::from_utf8(part.bytes()).ok().filter(|_| name == "f.c")?;
            Some(text.replace(";\n", ";").replace(';', ";\n").into_bytes())
        }
    }

    /// Is never content.
    struct Restless;

    impl Formatter for Restless {
        fn format(&self, _: &OsStr, part: &Part) -> Option<Vec<u8>> {
            Some([b" ", part.bytes()].concat())
        }
    }

    fn formatted(formatter: Arc<dyn Formatter>, name: &str, text: &str, fails: bool) -> String {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(Format::new(formatter))];
        simplify(&Document::of_file(name, text), passes, |_| fails).document.text()
    }

    #[test]
    fn a_layout_is_kept_if_the_test_still_fails() {
        assert_eq!(formatted(Arc::new(Lines), "f.c", "a;b;", true), "a;\nb;\n");
        assert_eq!(formatted(Arc::new(Lines), "f.c", "a;b;", false), "a;b;");
        assert_eq!(formatted(Arc::new(Lines), "f.txt", "a;b;", true), "a;b;");
    }

    #[test]
    fn a_formatter_that_never_ends_is_not_used() {
        assert_eq!(formatted(Arc::new(Restless), "f.c", "a;", true), "a;");
    }
}
