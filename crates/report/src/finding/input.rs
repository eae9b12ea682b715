//! A smaller input: what is left of it, and what else was seen during the search.

use crate::account::Exhibit;
use howcome_run::words::{count, cut, printable, printable_lines, size};
use howcome_run::{FilePreview, InputFinding, OtherFailure, ReducedFile};
use std::ops::Deref;

/// What `howcome input` found. Its fields are those of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputReport(pub(crate) InputFinding);

impl Deref for InputReport {
    type Target = InputFinding;

    fn deref(&self) -> &InputFinding {
        &self.0
    }
}

/// A longer line is cut.
const WIDEST: usize = 2_000;
/// A longer ending is recognised by its beginning.
const LONGEST_NAME: usize = 160;

/// Of a longer text the beginning is shown; the file has all of it.
const MOST_LINES: usize = 30;

/// More kinds of other failures are not listed: most of them come from cutting the input.
const OTHERS_SHOWN: usize = 3;

impl InputReport {
    /// Whether nothing of the input is left.
    pub(crate) fn is_nothing(&self) -> bool {
        self.bytes_after == 0 && self.files_in_all.unwrap_or(0) == 0
    }

    /// The answer.
    pub(crate) fn found(&self) -> String {
        match self.bytes_after {
            _ if self.is_nothing() => {
                format!("The test fails even with an empty input (at first {})", size(self.bytes_before))
            }
            1 => format!("1 byte of {} is enough to make the test fail", size(self.bytes_before)),
            after => {
                format!("{} of {} are enough to make the test fail", size(after), size(self.bytes_before))
            }
        }
    }

    /// The answer of a test that later passed.
    pub(crate) fn once(&self) -> String {
        format!("The {} in {} made the test fail", size(self.bytes_after), printable(&self.output))
    }

    /// Where the answer is.
    pub(crate) fn written_files(&self) -> String {
        format!("The smaller input is written to {}.", printable(&self.output))
    }

    /// Sentences after the answer.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![self.written_files()];
        if !self.other_failures.is_empty() {
            let candidates = self.other_failures.iter().map(|other| other.tests).sum();
            remarks.push(match candidates {
                1 => "1 candidate failed differently, perhaps because of a second bug:".to_owned(),
                more => format!(
                    "{} failed differently, perhaps because of a second bug:",
                    count(more, "candidate")
                ),
            });
            remarks.extend(self.other_failures.iter().take(OTHERS_SHOWN).map(line));
            if let Some(more) = self.other_failures.len().checked_sub(OTHERS_SHOWN).filter(|more| *more > 0) {
                remarks.push(format!("    … and {more} other kinds, in the folder `other` of the run"));
            }
        }
        match self.also.as_deref() {
            Some([]) => remarks.push("No candidate met a condition of --also.".to_owned()),
            Some(also) => {
                remarks.push("Candidates met these conditions of --also:".to_owned());
                remarks.extend(also.iter().map(line));
            }
            None => {}
        }
        remarks
    }

    /// The reduced text.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let files = self.files.as_deref().unwrap_or_default();
        if files.is_empty() {
            return exhibit(&self.preview, None).into_iter().collect();
        }
        let of_file = |file: &ReducedFile| {
            let caption = format!("{}, {}", printable(&file.path), size(file.bytes));
            exhibit(&file.preview, Some(caption.clone())).or_else(|| {
                Some(Exhibit {
                    caption: Some(caption),
                    lines: vec!["(empty)".to_owned()],
                    ..Exhibit::default()
                })
            })
        };
        files.iter().filter_map(of_file).collect()
    }
}

fn exhibit(preview: &FilePreview, caption: Option<String>) -> Option<Exhibit> {
    let (text, is_cut) = match (&preview.text, &preview.beginning, &preview.dump) {
        (Some(text), ..) => (text, false),
        (None, Some(beginning), _) => (beginning, true),
        (None, None, dump) => (dump.as_ref()?, false),
    };
    let mut lines: Vec<String> = printable_lines(text).iter().map(|line| cut(line, WIDEST)).collect();
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if is_cut || more > 0 {
        lines.push("…".to_owned());
    }
    (!lines.is_empty()).then(|| Exhibit { is_answer: true, caption, lines, ..Exhibit::default() })
}

fn line(other: &OtherFailure) -> String {
    let smallest = match (other.bytes, &other.kept_in) {
        (Some(bytes), Some(path)) => {
            format!("; the smallest has {} and is in {}", size(bytes), printable(path))
        }
        (Some(bytes), None) => format!("; the smallest has {}", size(bytes)),
        _ => String::new(),
    };
    let what = cut(&printable(&other.what), LONGEST_NAME);
    format!("  {what} ({}{smallest})", count(other.tests, "test"))
}
