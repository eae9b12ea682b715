//! Variants of the inputs of two runs: a few words of one of them are left out, doubled, exchanged or replaced by others. Such runs show
//! which lines go with the failure (Rößler, Fraser, Zeller and Orso 2012: isolating failure causes through test case generation).
//!
//! The numbers that select a variant do not depend on the time, so the variants of two inputs are always the same.

use crate::tracee::Invocation;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Larger inputs are not varied.
const LARGEST_INPUT: u64 = 64 << 10;
/// If this number of changes gives no new variant, no more are tried.
const MOST_IN_VAIN: u32 = 100;

/// What a part of the input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PartKind {
    Argument,
    /// The argument is the name of a file, and this is what is in it.
    FileOfArgument,
    StandardInput,
}

/// An argument or a file, in words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct InputPart {
    kind: PartKind,
    words: Vec<Vec<u8>>,
}

/// Makes variants of the inputs of two runs.
pub(crate) struct InputVariants<'a> {
    model: &'a Invocation,
    /// The input of the failing run, then that of the passing run.
    originals: [Vec<InputPart>; 2],
    /// All words of both.
    words: Vec<Vec<u8>>,
    known: HashSet<Vec<InputPart>>,
    numbers: PseudoRandom,
}

impl<'a> InputVariants<'a> {
    /// Of these two runs.
    pub(crate) fn of(failing: &'a Invocation, passing: &Invocation) -> Self {
        Self::of_parts(failing, [failing, passing].map(read_parts))
    }

    fn of_parts(model: &'a Invocation, originals: [Vec<InputPart>; 2]) -> Self {
        let words = originals.iter().flatten().flat_map(|part| part.words.iter().cloned()).collect();
        let known = originals.iter().cloned().collect();
        Self { model, originals, words, known, numbers: PseudoRandom(0x686f_7763_6f6d_6531) }
    }

    /// The next variant, as a run of the program; its files are written into this folder, over those of the variant before. `None` if there
    /// are no more.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(crate) fn next_in(&mut self, folder: &Path) -> io::Result<Option<Invocation>> {
        let Some(parts) = self.next_parts() else { return Ok(None) };
        let mut run = Invocation { arguments: Vec::new(), standard_input: None, ..self.model.clone() };
        for (number, part) in parts.iter().enumerate() {
            let text = part.words.concat();
            let file = folder.join(format!("input-{number}"));
            match part.kind {
                PartKind::Argument => {
                    // No argument has a null byte in it.
                    run.arguments
                        .push(OsString::from_vec(text.into_iter().filter(|byte| *byte != 0).collect()));
                }
                PartKind::FileOfArgument => {
                    fs::write(&file, text)?;
                    run.arguments.push(file.into_os_string());
                }
                PartKind::StandardInput => {
                    fs::write(&file, text)?;
                    run.standard_input = Some(file);
                }
            }
        }
        Ok(Some(run))
    }

    fn next_parts(&mut self) -> Option<Vec<InputPart>> {
        for _ in 0..MOST_IN_VAIN {
            let side = usize::from(self.numbers.below(5) >= 3);
            let mut parts = self.originals[side].clone();
            let changes = [1, 1, 1, 2, 3][self.numbers.below(5)];
            (0..changes).for_each(|_| self.change(&mut parts));
            if self.known.insert(parts.clone()) {
                return Some(parts);
            }
        }
        None
    }

    /// Changes a whole argument, or a few words.
    fn change(&mut self, parts: &mut Vec<InputPart>) {
        if self.numbers.below(4) == 0 {
            self.change_arguments(parts);
        } else {
            self.change_words(parts);
        }
    }

    fn change_arguments(&mut self, parts: &mut Vec<InputPart>) {
        // Standard input is the last part.
        let arguments = parts.iter().filter(|part| part.kind != PartKind::StandardInput).count();
        if arguments == 0 {
            return;
        }
        let at = self.numbers.below(arguments);
        match self.numbers.below(4) {
            0 | 1 if arguments > 1 => drop(parts.remove(at)),
            2 => {
                let to = self.numbers.below(arguments + 1);
                parts.insert(to, parts[at].clone());
            }
            _ => {
                let side = self.numbers.below(2);
                let others: Vec<&InputPart> =
                    self.originals[side].iter().filter(|part| part.kind == parts[at].kind).collect();
                if !others.is_empty() {
                    parts[at] = others[self.numbers.below(others.len())].clone();
                }
            }
        }
    }

    fn change_words(&mut self, parts: &mut [InputPart]) {
        if parts.is_empty() {
            return;
        }
        let part = self.numbers.below(parts.len());
        let words = &mut parts[part].words;
        if words.is_empty() {
            return;
        }
        let at = self.numbers.below(words.len());
        match self.numbers.below(20) {
            0..=6 => {
                let length = [1, 1, 2, 3, 5, 8][self.numbers.below(6)].min(words.len() - at);
                words.drain(at..at + length);
            }
            7..=9 => {
                let length = [1, 2, 4, 8][self.numbers.below(4)].min(words.len() - at);
                let doubled = words[at..at + length].to_vec();
                words.splice(at..at, doubled);
            }
            10..=14 => {
                let kind = InputWordKind::of(&words[at]);
                let alike: Vec<&Vec<u8>> =
                    self.words.iter().filter(|word| InputWordKind::of(word) == kind).collect();
                if !alike.is_empty() {
                    words[at] = alike[self.numbers.below(alike.len())].clone();
                }
            }
            _ => match number_of(&words[at]) {
                Some(number) => {
                    let step = [-1, 1, 1, 2, 10, -2][self.numbers.below(6)];
                    words[at] = number.saturating_add(step).max(0).to_string().into_bytes();
                }
                None if !self.words.is_empty() => {
                    words[at] = self.words[self.numbers.below(self.words.len())].clone();
                }
                None => {}
            },
        }
    }
}

/// The parts of the input of a run.
fn read_parts(run: &Invocation) -> Vec<InputPart> {
    let content = |path: &Path| {
        let path = run.directory.join(path);
        let is_small = fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST_INPUT);
        is_small.then(|| fs::read(path).ok()).flatten()
    };
    let argument = |text: &OsString| match content(Path::new(text)) {
        Some(content) => InputPart { kind: PartKind::FileOfArgument, words: split_words(&content) },
        None => InputPart { kind: PartKind::Argument, words: split_words(text.as_bytes()) },
    };
    let input = run.standard_input.as_deref().and_then(content);
    let input = input.map(|text| InputPart { kind: PartKind::StandardInput, words: split_words(&text) });
    run.arguments.iter().map(argument).chain(input).collect()
}

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputWordKind {
    Letters,
    Digits,
    Blank,
    Other,
}

impl InputWordKind {
    fn of(word: &[u8]) -> Self {
        match word.first() {
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' || !byte.is_ascii() => Self::Letters,
            Some(byte) if byte.is_ascii_digit() => Self::Digits,
            Some(byte) if byte.is_ascii_whitespace() => Self::Blank,
            _ => Self::Other,
        }
    }
}

/// The letters, digits and blanks that follow each other; any other character is a word of its own.
fn split_words(text: &[u8]) -> Vec<Vec<u8>> {
    let is_together = |one: &u8, other: &u8| {
        let kind = InputWordKind::of(&[*one]);
        kind == InputWordKind::of(&[*other]) && kind != InputWordKind::Other
    };
    text.chunk_by(is_together).map(<[u8]>::to_vec).collect()
}

fn number_of(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Numbers that look random and are always the same (SplitMix64; Steele, Lea and Flood 2014).
struct PseudoRandom(u64);

impl PseudoRandom {
    /// A number below another one, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn run(folder: &Path, arguments: &[&str], input: Option<&str>) -> Invocation {
        Invocation {
            program: "/bin/true".into(),
            called: "true".into(),
            arguments: arguments.iter().map(OsString::from).collect(),
            environment: Vec::new(),
            standard_input: input.map(|input| folder.join(input)),
            directory: folder.to_owned(),
            temp_folder: folder.to_owned(),
        }
    }

    #[test]
    fn words_are_letters_digits_blanks_and_single_signs() {
        let words = split_words(b"ab_1  {{-12}\n");
        let words: Vec<&str> = words.iter().map(|word| std::str::from_utf8(word).unwrap()).collect();
        assert_eq!(words, ["ab_", "1", "  ", "{", "{", "-", "12", "}", "\n"]);
    }

    #[test]
    fn variants_are_always_the_same_and_none_comes_twice() {
        let folder = tempfile::tempdir().unwrap();
        let (failing, passing) =
            (run(folder.path(), &["3", "a=1", "b"], None), run(folder.path(), &["3", "a=1", "c"], None));
        let variants = || -> Vec<Vec<OsString>> {
            let mut variants = InputVariants::of(&failing, &passing);
            let next = || variants.next_in(folder.path()).unwrap().map(|run| run.arguments);
            std::iter::from_fn(next).take(60).collect()
        };
        let made = variants();
        assert_eq!((made.len(), &made), (60, &variants()));
        let originals = [failing.arguments.clone(), passing.arguments.clone()];
        let different: HashSet<_> = made.iter().chain(&originals).collect();
        assert!(different.len() >= 60, "{} of 62", different.len());
    }

    #[test]
    fn files_are_varied_in_copies() {
        let folder = tempfile::tempdir().unwrap();
        let copies = tempfile::tempdir().unwrap();
        for name in ["bad", "good", "in"] {
            fs::write(folder.path().join(name), format!("{name} words 12")).unwrap();
        }
        let (failing, passing) =
            (run(folder.path(), &["bad"], Some("in")), run(folder.path(), &["good"], Some("in")));
        let mut variants = InputVariants::of(&failing, &passing);
        let mut texts = HashSet::new();
        for _ in 0..20 {
            let variant = variants.next_in(copies.path()).unwrap().unwrap();
            for file in variant.arguments.iter().map(Path::new).chain(variant.standard_input.as_deref()) {
                assert!(file.starts_with(copies.path()));
                texts.insert(fs::read(file).unwrap());
            }
        }
        assert!(texts.len() > 10);
        assert_eq!(
            fs::read(folder.path().join("bad")).unwrap(),
            b"bad words 12",
            "the user's file is as it was"
        );
    }

    #[test]
    fn inputs_without_words_have_few_variants() {
        let folder = tempfile::tempdir().unwrap();
        let (failing, passing) = (run(folder.path(), &[], None), run(folder.path(), &[], None));
        assert_eq!(InputVariants::of(&failing, &passing).next_in(folder.path()).unwrap(), None);
    }
}
