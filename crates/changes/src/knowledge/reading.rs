//! One version of one file as names, definitions, calls and scopes, line by line.

use super::calls::{Call, calls};
use super::definitions::{DefinedName, definitions};
use super::scan::{CodeLine, TokenKind, scan};
use howcome_syntax::TextKind;
use std::ops::Range;

pub(crate) struct CodeReading<'a> {
    pub(crate) language: TextKind,
    pub(crate) lines: Vec<CodeLine<'a>>,
    pub(crate) calls: Vec<Call<'a>>,
    /// The scope of each line: roughly the function that contains it, counted from 0.
    scopes: Vec<u32>,
    /// Whether each line is directly inside of a structure.
    in_structure: Vec<bool>,
}

impl<'a> CodeReading<'a> {
    pub(crate) fn of(text: &'a [u8], language: TextKind) -> Self {
        let lines = scan(text, language);
        let calls = calls(&lines);
        let mut scope = 0;
        let scopes = lines.iter().map(|line| {
            let first = line.tokens.first().filter(|_| line.at_margin).map(|token| token.what);
            match first {
                Some(TokenKind::Word(b"def" | b"class" | b"async") | TokenKind::Mark(b'@')) => {
                    scope += 1;
                    scope
                }
                Some(TokenKind::Mark(b'}')) => {
                    scope += 1;
                    scope - 1
                }
                _ => scope,
            }
        });
        let scopes = scopes.collect();
        let in_structure = in_structure(&lines);
        Self { language, lines, calls, scopes, in_structure }
    }

    /// The words of some lines.
    pub(crate) fn words(&self, lines: Range<u32>) -> impl Iterator<Item = &'a [u8]> + '_ {
        words(self.part(lines))
    }

    /// The words of some lines that are not for the preprocessor.
    pub(crate) fn words_of_code(&self, lines: Range<u32>) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.part(lines)
            .iter()
            .filter(|line| !line.directive)
            .flat_map(|line| words(std::slice::from_ref(line)))
    }

    /// Members that some lines access: the word before the mark, and the mark with the word after it.
    pub(crate) fn members(&self, lines: Range<u32>) -> Vec<(&'a [u8], Vec<u8>)> {
        let mut found = Vec::new();
        for line in self.part(lines) {
            for (at, token) in line.tokens.iter().enumerate() {
                let TokenKind::Word(word) = token.what else { continue };
                match [1, 2, 3].map(|more| line.tokens.get(at + more).map(|token| token.what)) {
                    [Some(TokenKind::Mark(b'.')), Some(TokenKind::Word(member)), _] => {
                        found.push((word, [&b"."[..], member].concat()));
                    }
                    [
                        Some(TokenKind::Mark(b'-')),
                        Some(TokenKind::Mark(b'>')),
                        Some(TokenKind::Word(member)),
                    ] => {
                        found.push((word, [&b"->"[..], member].concat()));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Words of some lines that name members: those after a dot or an arrow.
    pub(crate) fn taken_members(&self, lines: Range<u32>) -> Vec<&'a [u8]> {
        let mut found = Vec::new();
        for line in self.part(lines) {
            for (at, token) in line.tokens.iter().enumerate().skip(1) {
                let before = [at.checked_sub(2), Some(at - 1)].map(|at| Some(line.tokens.get(at?)?.what));
                let is_member = match before {
                    [_, Some(TokenKind::Mark(b'.'))] => true,
                    arrow => arrow == [Some(TokenKind::Mark(b'-')), Some(TokenKind::Mark(b'>'))],
                };
                if let (true, TokenKind::Word(word)) = (is_member, token.what) {
                    found.push(word);
                }
            }
        }
        found
    }

    /// Members of structures that some lines seem to define.
    pub(crate) fn defined_members(&self, lines: Range<u32>) -> Vec<&'a [u8]> {
        let inside = lines.filter(|&line| self.in_structure.get(line as usize) == Some(&true));
        inside.flat_map(|line| self.definitions(line..line + 1)).map(|definition| definition.name).collect()
    }

    /// What some lines seem to define.
    pub(crate) fn definitions(&self, lines: Range<u32>) -> impl Iterator<Item = DefinedName<'a>> + '_ {
        self.part(lines).iter().flat_map(|line| definitions(line, self.language))
    }

    /// The scopes of some lines; if there are no lines, the scope of the line before which they would be.
    pub(crate) fn scopes(&self, lines: Range<u32>) -> Range<u32> {
        let scope =
            |line: u32| self.scopes.get(line as usize).or(self.scopes.last()).map_or(0, |scope| *scope);
        scope(lines.start)..scope(lines.end.saturating_sub(1).max(lines.start)) + 1
    }

    /// How many scopes there are.
    pub(crate) fn scope_count(&self) -> u32 {
        self.scopes.last().map_or(0, |scope| *scope) + 2
    }

    pub(crate) fn scope_of(&self, line: usize) -> u32 {
        self.scopes[line]
    }

    fn part(&self, lines: Range<u32>) -> &[CodeLine<'a>] {
        let end = (lines.end as usize).min(self.lines.len());
        &self.lines[(lines.start as usize).min(end)..end]
    }
}

fn words<'a>(lines: &[CodeLine<'a>]) -> impl Iterator<Item = &'a [u8]> {
    let tokens = lines.iter().flat_map(|line| line.tokens.iter());
    tokens.filter_map(|token| match token.what {
        TokenKind::Word(word) => Some(word),
        _ => None,
    })
}

fn in_structure(lines: &[CodeLine<'_>]) -> Vec<bool> {
    let mut open: Vec<bool> = Vec::new();
    let mut announced = false;
    let mut found = Vec::new();
    for line in lines.iter() {
        if line.at_margin && line.tokens.first().is_some_and(|token| token.what == TokenKind::Mark(b'}')) {
            // Braces that were miscounted before do not matter after the end of the function.
            open.truncate(1);
        }
        found.push(open.last() == Some(&true) && !line.directive);
        for token in line.tokens.iter().filter(|_| !line.directive) {
            match token.what {
                TokenKind::Word(b"struct" | b"union" | b"class" | b"interface") => announced = true,
                TokenKind::Mark(b'(' | b')' | b'=' | b';') => announced = false,
                TokenKind::Mark(b'{') => {
                    open.push(announced);
                    announced = false;
                }
                TokenKind::Mark(b'}') => {
                    open.pop();
                }
                _ => {}
            }
        }
    }
    found
}
