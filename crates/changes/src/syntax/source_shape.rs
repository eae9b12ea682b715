//! Signs that a text is incomplete: errors, bodies without statements, statements at the wrong place.

use crate::knowledge::Depth;
use std::collections::HashMap;

/// The signs in one version of a file. A version that people wrote can have some of them too, so they mean something
/// only in comparison with other versions.
#[derive(Debug, Default)]
pub(super) struct SourceShape {
    /// Where the text does not fit the grammar.
    pub(super) errors: Vec<ShapeSign>,
    /// Functions, loops and branches that do nothing, with the text before their bodies.
    pub(super) empty_bodies: Vec<ShapeSign>,
    /// Statements that are not indented like the others of their block.
    pub(super) misplaced: Vec<ShapeSign>,
    /// Statements that are the body of a loop or branch without braces.
    pub(super) single_statements: Vec<ShapeSign>,
    /// Statements outside of everything that they belong in, such as a `return` outside of a function.
    pub(super) stray: Vec<ShapeSign>,
    /// Functions that return a value, with the text before their bodies.
    pub(super) with_result: Vec<ShapeSign>,
    /// Functions of C that return no value.
    pub(super) without_result: Vec<ShapeSign>,
    /// Functions of C whose last statement returns a value.
    pub(super) ending_with_result: Vec<ShapeSign>,
    /// Functions of C whose last statement is another one.
    pub(super) ending_otherwise: Vec<ShapeSign>,
    /// What lines of code are, by their texts, each with the first such line.
    pub(super) roles: HashMap<Vec<u8>, Vec<(LineRole, u32)>>,
    /// Brackets of C that are not closed.
    pub(super) depth: Depth,
}

/// A sign, with the text that identifies it in other versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShapeSign {
    pub(super) text: Vec<u8>,
    /// Counted from 1.
    pub(super) line: u32,
}

/// What a line of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineRole {
    /// A statement starts, with this many bodies around it.
    Start(u32),
    /// A statement continues, with this many bodies around it.
    Continuation(u32),
    /// It is in the middle of a string or a comment.
    Inside,
}

/// Why no version has the syntax of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SyntaxFlaw {
    DoesNotParse,
    /// A statement has another indentation than its block.
    IsMisplaced,
    HasEmptyBody,
    /// A loop or branch has the next statement as its body.
    HasOtherBody,
    /// A statement is outside of its function or loop.
    IsStray,
    HasNoResult,
    /// A statement lacks its start, its end, or what is around it.
    IsTornApart,
}

/// A flaw, and its line if that is known.
pub(super) type FoundFlaw = (SyntaxFlaw, Option<u32>);

impl SourceShape {
    /// What none of the versions has.
    pub(super) fn flaw(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        self.incomplete(versions)
            .or_else(|| self.more_often(versions, |shape| &shape.empty_bodies, SyntaxFlaw::HasEmptyBody))
            .or_else(|| self.other_body(versions))
            .or_else(|| self.more_often(versions, |shape| &shape.stray, SyntaxFlaw::IsStray))
            .or_else(|| self.lost_result(versions))
            .or_else(|| self.torn_apart(versions))
    }

    /// An error, or a statement with an indentation, that none of the versions has.
    pub(super) fn incomplete(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        self.new_error(versions)
            .or_else(|| self.more_often(versions, |shape| &shape.misplaced, SyntaxFlaw::IsMisplaced))
    }

    /// Whether an edit has left something incomplete. Statements are other statements after an edit, so their places say nothing.
    pub(super) fn is_broken_by_edit(&self, before: &Self) -> bool {
        let before = &[before];
        let flaw = self
            .incomplete(before)
            .or_else(|| self.more_often(before, |shape| &shape.empty_bodies, SyntaxFlaw::HasEmptyBody))
            .or_else(|| self.more_often(before, |shape| &shape.stray, SyntaxFlaw::IsStray))
            .or_else(|| self.lost_result(before));
        flaw.is_some()
    }

    fn new_error(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        let most = versions.iter().map(|version| version.errors.len()).max().unwrap_or(0);
        if self.errors.len() > most {
            let is_new = |error: &&ShapeSign| !has(versions, |shape| &shape.errors, error);
            if let Some(error) = self.errors.iter().find(is_new) {
                return Some((SyntaxFlaw::DoesNotParse, Some(error.line)));
            }
        }
        // The grammars know no macros, so a good text in C can have errors, and these hide the errors of a mix.
        let is_between = |nth: usize| {
            let depths = || versions.iter().map(|version| version.depth[nth]);
            let (least, most) = (depths().min().unwrap_or(0), depths().max().unwrap_or(0));
            (least..=most).contains(&self.depth[nth])
        };
        let is_balanced = most == 0 || (0..self.depth.len()).all(is_between);
        (!is_balanced).then_some((SyntaxFlaw::DoesNotParse, None))
    }

    /// The first sign that is here more often than in any version.
    fn more_often(&self, versions: &[&Self], signs: SignsOf, flaw: SyntaxFlaw) -> Option<FoundFlaw> {
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        let sign = signs(self).iter().find(|sign| {
            let count = counts.entry(&sign.text).or_default();
            *count += 1;
            let same =
                |version: &&Self| signs(version).iter().filter(|known| known.text == sign.text).count();
            *count > versions.iter().map(same).max().unwrap_or(0)
        });
        sign.map(|sign| (flaw, Some(sign.line)))
    }

    /// A loop or branch whose body is its body in none of the versions.
    pub(super) fn other_body(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        let is_known = |sign: &&ShapeSign| !has(versions, |shape| &shape.single_statements, sign);
        let other = self.single_statements.iter().find(is_known);
        other.map(|sign| (SyntaxFlaw::HasOtherBody, Some(sign.line)))
    }

    fn lost_result(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        let lost_all = |sign: &&ShapeSign| {
            has(versions, |shape| &shape.with_result, sign)
                && !has(versions, |shape| &shape.without_result, sign)
        };
        // Without its last statement, it returns whatever happens to be there.
        let lost_last = |sign: &&ShapeSign| {
            has(versions, |shape| &shape.ending_with_result, sign)
                && !has(versions, |shape| &shape.ending_otherwise, sign)
        };
        let lost = self.without_result.iter().find(lost_all);
        let lost = lost.or_else(|| self.ending_otherwise.iter().find(lost_last));
        lost.map(|sign| (SyntaxFlaw::HasNoResult, Some(sign.line)))
    }

    fn torn_apart(&self, versions: &[&Self]) -> Option<FoundFlaw> {
        // Where there are errors, nobody knows where statements start.
        if versions.iter().any(|version| !version.errors.is_empty()) {
            return None;
        }
        let is_new = |text: &Vec<u8>, role: &LineRole| {
            let mut known =
                versions.iter().filter_map(|version| version.roles.get(text)).flatten().peekable();
            known.peek().is_some() && known.all(|(known, _)| known != role)
        };
        let new_roles = self.roles.iter().flat_map(|(text, roles)| {
            roles.iter().filter(move |(role, _)| is_new(text, role)).map(|(_, line)| *line)
        });
        new_roles.min().map(|line| (SyntaxFlaw::IsTornApart, Some(line)))
    }
}

/// One of the lists of signs.
type SignsOf = fn(&SourceShape) -> &Vec<ShapeSign>;

fn has(versions: &[&SourceShape], signs: SignsOf, sign: &ShapeSign) -> bool {
    versions.iter().any(|version| signs(version).iter().any(|known| known.text == sign.text))
}
