//! Decides conditionals of the C preprocessor: removes all of one, or all but one of its branches.

use super::extensions::is_c;
use crate::text::directives;
use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;

/// Decides conditionals.
pub(super) struct ConditionalsPass;

/// How many branches of a conditional are tried as the one that stays. Most conditionals with more branches are lists of
/// alternatives.
const MOST_BRANCHES: usize = 6;

impl Pass for ConditionalsPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "conditionals",
            about: "decide #if, #ifdef and #else of C and C++: keep one branch or none",
            unit: Unit::Conditional,
            tier: Tier::Coarse,
        }
    }

    fn proposals(&self, document: &Document) -> Proposals {
        // Two choices for the same conditional would remove all of it, so each is on a level of its own.
        let mut choices: [Vec<Delta>; MOST_BRANCHES + 1] = Default::default();
        for (piece, part) in document.parts().filter(|(_, part)| is_c(part)) {
            for conditional in conditionals(part.bytes()) {
                let whole = conditional.whole();
                choices[0].push(Delta::cut(piece, whole));
                let branches = 0..conditional.marks.len() - 1;
                for (branch, choice) in branches.zip(&mut choices[1..]) {
                    choice.push(conditional.only(piece, branch));
                }
            }
        }
        let mut proposals = Proposals::default();
        for choice in choices {
            let first = proposals.deltas.len() as u32;
            proposals.deltas.extend(choice);
            let level = first..proposals.deltas.len() as u32;
            proposals.levels.push(level.map(|delta| delta..delta + 1).collect());
        }
        proposals.levels.retain(|level: &Vec<_>| !level.is_empty());
        proposals
    }
}

/// An `#if` with all its branches.
struct Conditional {
    /// The lines of its directives, from the `#if` to the `#endif`.
    marks: Vec<Range<usize>>,
}

impl Conditional {
    fn whole(&self) -> Range<usize> {
        let start = self.marks.first().map_or(0, |mark| mark.start);
        start..self.marks.last().map_or(start, |mark| mark.end)
    }

    /// Keeps only one of its branches.
    fn only(&self, piece: PieceId, branch: usize) -> Delta {
        let whole = self.whole();
        let (before, after) = (&self.marks[branch], &self.marks[branch + 1]);
        Delta::cut(piece, whole.start..before.end).and(Delta::cut(piece, after.start..whole.end))
    }
}

/// All complete conditionals, in the order in which they start.
fn conditionals(bytes: &[u8]) -> Vec<Conditional> {
    let (mut open, mut found): (Vec<Conditional>, Vec<Conditional>) = (Vec::new(), Vec::new());
    for directive in directives(bytes) {
        match directive.name {
            b"if" | b"ifdef" | b"ifndef" => open.push(Conditional { marks: vec![directive.lines] }),
            b"elif" | b"else" | b"elifdef" | b"elifndef" => {
                open.last_mut().into_iter().for_each(|last| last.marks.push(directive.lines.clone()));
            }
            b"endif" => found.extend(open.pop().map(|mut conditional| {
                conditional.marks.push(directive.lines);
                conditional
            })),
            _ => {}
        }
    }
    found.sort_by_key(|conditional| conditional.whole().start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify;
    use std::sync::Arc;

    fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> String {
        let passes: Vec<Arc<dyn Pass>> = vec![Arc::new(ConditionalsPass)];
        let document = Document::of_file("f.c", text);
        simplify(&document, passes, |document| fails(&document.text())).document.text()
    }

    #[test]
    fn the_needed_branch_stays_and_the_others_are_removed() {
        let text = "int f() {\n#if A\n if (x) {\n#elif B\n if (y) {\n#else\n {\n#endif\n}}\n#ifdef C\nint c;\n#endif\n";
        assert_eq!(simplified(text, |text| text.contains("(x)")), "int f() {\n if (x) {\n}}\n");
        assert_eq!(simplified(text, |text| text.contains("(y)")), "int f() {\n if (y) {\n}}\n");
        assert_eq!(simplified(text, |text| text.contains("\n {")), "int f() {\n {\n}}\n");
    }

    #[test]
    fn a_guard_around_everything_is_removed_and_what_is_needed_inside_stays() {
        let text = "#ifndef F\n#define F\n#if 1\n#if 2\na;\n#else\nb;\n#endif\n#endif\n#endif\n";
        assert_eq!(simplified(text, |text| text.contains('b')), "#define F\nb;\n");
        let needed = simplified(text, |text| text.contains("if 2") && text.contains("a;"));
        assert_eq!(needed, "#define F\n#if 2\na;\n#else\nb;\n#endif\n");
    }

    #[test]
    fn an_endif_without_an_if_is_not_a_conditional() {
        assert!(conditionals(b"#endif\n#else\n#if 1\n").is_empty());
    }
}
