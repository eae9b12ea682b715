//! One version of one file as names, definitions, calls and scopes, line by line.

use super::calls::{Call, calls};
use super::definitions::{Definition, definitions};
use super::language::Language;
use super::scan::{Line, What, scan};
use std::ops::Range;

pub(crate) struct Reading<'a> {
    pub(crate) language: Language,
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) calls: Vec<Call<'a>>,
    /// The scope of each line: roughly the function it lies in, counted from 0.
    scopes: Vec<u32>,
}

impl<'a> Reading<'a> {
    pub(crate) fn of(text: &'a [u8], language: Language) -> Self {
        let lines = scan(text, language);
        let calls = calls(&lines);
        let mut scope = 0;
        let scopes = lines.iter().map(|line| {
            let first = line.tokens.first().filter(|_| line.at_margin).map(|token| token.what);
            match first {
                Some(What::Word(b"def" | b"class" | b"async") | What::Mark(b'@')) => {
                    scope += 1;
                    scope
                }
                Some(What::Mark(b'}')) => {
                    scope += 1;
                    scope - 1
                }
                _ => scope,
            }
        });
        let scopes = scopes.collect();
        Self { language, lines, calls, scopes }
    }

    /// The words of some lines.
    pub(crate) fn words(&self, lines: Range<u32>) -> impl Iterator<Item = &'a [u8]> + '_ {
        words(self.part(lines))
    }

    /// The words of some lines that no preprocessor reads.
    pub(crate) fn words_of_code(&self, lines: Range<u32>) -> impl Iterator<Item = &'a [u8]> + '_ {
        self.part(lines)
            .iter()
            .filter(|line| !line.directive)
            .flat_map(|line| words(std::slice::from_ref(line)))
    }

    /// What some lines seem to define.
    pub(crate) fn definitions(&self, lines: Range<u32>) -> impl Iterator<Item = Definition<'a>> + '_ {
        self.part(lines).iter().flat_map(|line| definitions(line, self.language))
    }

    /// The scopes that some lines lie in; if there are none, that of the line they would stand before.
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

    fn part(&self, lines: Range<u32>) -> &[Line<'a>] {
        let end = (lines.end as usize).min(self.lines.len());
        &self.lines[(lines.start as usize).min(end)..end]
    }
}

fn words<'a>(lines: &[Line<'a>]) -> impl Iterator<Item = &'a [u8]> {
    let tokens = lines.iter().flat_map(|line| line.tokens.iter());
    tokens.filter_map(|token| match token.what {
        What::Word(word) if word.len() >= 2 => Some(word),
        _ => None,
    })
}
