//! The output of a test without what differs from run to run. `--same output` compares it.

use crate::message::lasting;
use crate::{Captured, Execution};

/// The output of a test, line by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    streams: [StreamLines; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct StreamLines {
    head: Vec<String>,
    /// The lines after the dropped part.
    tail: Option<Vec<String>>,
}

impl Printed {
    pub(crate) fn of(execution: &Execution) -> Self {
        Self { streams: [lines(&execution.stdout), lines(&execution.stderr)] }
    }

    /// The first difference of another run, in words.
    pub(crate) fn differs(&self, other: &Self) -> Option<String> {
        self.streams.iter().zip(&other.streams).find_map(|(mine, theirs)| mine.differs(theirs))
    }
}

impl StreamLines {
    fn differs(&self, other: &Self) -> Option<String> {
        match (&self.tail, &other.tail) {
            (None, None) => first_difference(self.head.iter(), other.head.iter(), true),
            // The number of lines before and after the dropped part depends on the length of numbers.
            (Some(mine), Some(theirs)) => {
                let tails = || first_difference(mine.iter().rev(), theirs.iter().rev(), false);
                first_difference(self.head.iter(), other.head.iter(), false).or_else(tails)
            }
            (None, Some(_)) => Some("it printed much more".to_owned()),
            (Some(_), None) => Some("it printed much less".to_owned()),
        }
    }
}

fn first_difference<'a>(
    mut mine: impl Iterator<Item = &'a String>,
    mut theirs: impl Iterator<Item = &'a String>,
    to_the_end: bool,
) -> Option<String> {
    loop {
        return match (mine.next(), theirs.next()) {
            (Some(mine), Some(theirs)) if mine == theirs => continue,
            (Some(mine), Some(theirs)) => {
                Some(format!("it printed `{}` instead of `{}`", short(theirs), short(mine)))
            }
            (None, Some(theirs)) if to_the_end => Some(format!("it printed `{}`, too", short(theirs))),
            (Some(mine), None) if to_the_end => Some(format!("it did not print `{}`", short(mine))),
            _ => None,
        };
    }
}

/// A line, shortened for a message.
fn short(line: &str) -> String {
    const LONGEST: usize = 60;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The lines of a stream: first the parts that are the same in every run, then the whole line.
pub(crate) fn lasting_lines(stream: &Captured) -> Vec<(String, String)> {
    let texts = stream.pieces().map(String::from_utf8_lossy);
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines
        .map(|line| (lasting(&line), line.trim().to_owned()))
        .filter(|(lasting, _)| !lasting.is_empty())
        .collect()
}

fn lines(stream: &Captured) -> StreamLines {
    let mut pieces = stream.pieces().map(|piece| {
        let text = String::from_utf8_lossy(piece);
        text.lines().map(lasting).filter(|line| !line.is_empty()).collect::<Vec<_>>()
    });
    let (mut head, mut tail) = (pieces.next().unwrap_or_default(), pieces.next());
    if let Some(tail) = &mut tail {
        // Both pieces are cut in the middle of a line.
        head.pop();
        tail.drain(..1.min(tail.len()));
    }
    StreamLines { head, tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captured::Capture;
    use crate::workspace::WORK;
    use crate::{CaptureLimits, TestEnding};

    fn printed(stdout: &str, stderr: &str) -> Printed {
        let (stdout, stderr) = (Captured::whole(stdout), Captured::whole(stderr));
        Printed::of(&Execution { stdout, stderr, ..Execution::new(TestEnding::Exit(1)) })
    }

    fn difference(one: &str, other: &str) -> Option<String> {
        printed("", one).differs(&printed("", other))
    }

    #[test]
    fn numbers_addresses_and_temporary_paths_make_no_difference() {
        let ran_in = |root: &str, worker: u32, path: &str| format!("{root}-0/{worker}/{WORK}/{path}");
        let [one, other] =
            [ran_in("/tmp/howcome-7", 1, "src/a.c:3: no"), ran_in("/var/x/howcome-81", 0, "src/a.c:4: no")];
        let alike = [
            (one.as_str(), other.as_str()),
            ("took 0.31 s, pid 77", "took 12.5 s, pid 8"),
            ("at 0x7ffe12 in f", "at 0x55 in f"),
            ("commit 8f3e21ab", "commit 0123456"),
            ("cannot open '/tmp/tmp.aBcDeF/x'", "cannot open '/tmp/tmp.XyZ/x'"),
            ("cannot open /tmp/howcome-7-0/1/temp/abc", "cannot open /tmp/howcome-7-0/0/temp/xyz"),
            ("in ./tmp.Xa/y", "in ./tmp.bK/y"),
            ("one\n\n  two", "one\ntwo\n"),
        ];
        for (one, other) in alike {
            assert_eq!(difference(one, other), None, "{one}");
        }
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(difference("a 1\nb\nc", "a 2\nx\ny").as_deref(), Some("it printed `x` instead of `b`"));
        assert_eq!(difference("a\nb", "a").as_deref(), Some("it did not print `b`"));
        assert_eq!(difference("a", "a\nb").as_deref(), Some("it printed `b`, too"));
        assert!(printed("a", "").differs(&printed("", "a")).is_some(), "each stream is compared separately");
        assert!(difference("no é", "no e").is_some());
        assert!(difference("./src/a.c: no", "./src/b.c: no").is_some());
        let long = difference(&"é".repeat(100), "").unwrap();
        assert_eq!(long, format!("it did not print `{}…`", "é".repeat(60)));
    }

    #[test]
    fn the_beginning_and_the_end_of_a_long_output_are_compared() {
        let long = |first: &str, last: &str, lines: usize| {
            let mut capture = Capture::new(CaptureLimits { head: 40, tail: 40 });
            capture.append(format!("{first}\n").as_bytes());
            (0..lines).for_each(|line| capture.append(format!("line {line}\n").as_bytes()));
            capture.append(last.as_bytes());
            Printed::of(&Execution { stdout: capture.finish(), ..Execution::new(TestEnding::Exit(1)) })
        };
        assert_eq!(long("a", "b", 50).differs(&long("a", "b", 5000)), None);
        assert!(long("a", "b", 50).differs(&long("x", "b", 50)).is_some());
        assert!(long("a", "b", 50).differs(&long("a", "x", 50)).is_some());
        assert_eq!(long("a", "b", 50).differs(&long("a", "b", 2)).as_deref(), Some("it printed much less"));
    }
}
