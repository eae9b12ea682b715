//! Removes line markers, pragmas and includes of the C preprocessor. In preprocessed text, a third of the bytes can be line
//! markers, and one test removes all of them.

use super::extensions::is_c;
use crate::text::directives;
use crate::{Delta, Document, Pass, PassInfo, Proposals, Tier};
use howcome_run::Unit;

/// Removes line markers, pragmas and includes.
pub(super) struct DirectivesPass;

impl Pass for DirectivesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "directives",
            about: "remove line markers, pragmas and includes of C and C++",
            unit: Unit::Directive,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        // Includes are often needed and the others seldom, so they are in different groups.
        let (mut notes, mut includes) = (Vec::new(), Vec::new());
        for (piece, part) in document.parts().filter(|(_, part)| is_c(part)) {
            for directive in directives(part.bytes()) {
                let cut = Delta::cut(piece, directive.lines.clone());
                match directive.name {
                    b"include" | b"include_next" | b"import" => includes.push(cut),
                    name if is_note(name) => notes.push(cut),
                    _ => {}
                }
            }
        }
        let (first, count) = (notes.len() as u32, (notes.len() + includes.len()) as u32);
        let level = |deltas: std::ops::Range<u32>| deltas.map(|delta| delta..delta + 1).collect::<Vec<_>>();
        let mut levels = vec![level(0..first), level(first..count)];
        levels.retain(|level| !level.is_empty());
        notes.extend(includes);
        Proposals { deltas: notes, levels, complete_in: None }
    }
}

/// Whether a directive is only a note to the compiler. A lone `#` does nothing.
fn is_note(name: &[u8]) -> bool {
    let words: [&[u8]; 7] = [b"line", b"pragma", b"ident", b"sccs", b"warning", b"assert", b"unassert"];
    name.iter().all(u8::is_ascii_digit) || words.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(DirectivesPass)];
        let found = simplify(&Document::of_file("f.c", text), passes, |document| fails(&document.text()));
        (found.document.text(), found.tests)
    }

    #[test]
    fn one_test_removes_all_line_markers() {
        let text =
            "# 1 \"a.h\" 1 3\nint x =\n# 7 \"b.c\"\n1;\n#line 3\n#pragma once\n#define X\n#\n".repeat(500);
        let (text, tests) = simplified(&text, |_| true);
        assert_eq!((text, tests), ("int x =\n1;\n#define X\n".repeat(500), 1));
    }

    #[test]
    fn an_include_that_is_needed_stays() {
        let text = "# 1 \"x\"\n#include <a.h>\n#include <b.h>\n# include <c.h>\nint x;\n";
        assert_eq!(simplified(text, |text| text.contains("b.h")).0, "#include <b.h>\nint x;\n");
    }
}
