//! The lines of an answer on the page, coloured if they are a diff, and their commit.

use crate::account::{DiffMark, Exhibit};
use crate::finding::changes::CommitWords;
use crate::format::escape::escape;
use howcome_run::CommitInfo;
use howcome_run::words::count;
use std::fmt::{self, Write};

const LINES: usize = 2_000;

/// An exhibit with its caption and its commit.
pub(crate) fn write_exhibit(to: &mut String, exhibit: &Exhibit) -> fmt::Result {
    if let Some(caption) = &exhibit.caption {
        writeln!(to, r#"<p class="caption">{}:</p>"#, escape(caption))?;
    }
    if let Some(commit) = &exhibit.commit {
        write_commit(to, commit)?;
    }
    write_lines(to, exhibit)
}

/// An exhibit that is folded.
pub(crate) fn write_folded(to: &mut String, exhibit: &Exhibit) -> fmt::Result {
    let caption = exhibit.caption.as_deref().unwrap_or("more");
    writeln!(to, "<details>\n<summary>{}</summary>", escape(caption))?;
    write_lines(to, exhibit)?;
    writeln!(to, "</details>")
}

fn write_commit(to: &mut String, commit: &CommitInfo) -> fmt::Result {
    let subject = commit.subject().unwrap_or_else(|| commit.short());
    let email = match commit.email.as_str() {
        "" => String::new(),
        email => format!("<{email}>"),
    };
    let details = [commit.author.as_str(), &email, &commit.date];
    let details: Vec<String> = details.into_iter().filter(|part| !part.is_empty()).map(escape).collect();
    writeln!(
        to,
        r#"<div class="commit"><b>{}</b><span>commit <code>{}</code> {}</span></div>"#,
        escape(&subject),
        escape(&commit.id),
        details.join(" · ")
    )
}

fn write_lines(to: &mut String, exhibit: &Exhibit) -> fmt::Result {
    let class = if exhibit.is_answer { "answer" } else { "aside" };
    let numbered = if exhibit.marks.iter().any(|mark| mark.number().is_some()) { " numbered" } else { "" };
    let marked = if exhibit.deciding.contains(&true) { " marked" } else { "" };
    // A line break right after <pre> is not part of it, so that an empty first line stays.
    writeln!(to, r#"<pre class="{class}{numbered}{marked}">"#)?;
    let marks = exhibit.marks.iter().copied().map(Some).chain(std::iter::repeat(None));
    let deciding = exhibit.deciding.iter().copied().chain(std::iter::repeat(false));
    for ((line, mark), decides) in exhibit.lines.iter().zip(marks).zip(deciding).take(LINES) {
        let kind = match (mark, decides) {
            (Some(DiffMark::Added(_)), false) => " class=\"added\"",
            (Some(DiffMark::Added(_)), true) => " class=\"added decides\"",
            (Some(DiffMark::Removed(_)), false) => " class=\"removed\"",
            (Some(DiffMark::Removed(_)), true) => " class=\"removed decides\"",
            (Some(DiffMark::Place), _) => " class=\"place\"",
            (Some(DiffMark::Context(_)) | None, _) => "",
        };
        let line_number = mark.and_then(DiffMark::number).map(|number| format!(" data-line=\"{number}\""));
        writeln!(to, "<span{kind}{}>{}</span>", line_number.unwrap_or_default(), escape(line))?;
    }
    writeln!(to, "</pre>")?;
    match exhibit.lines.len().saturating_sub(LINES) {
        0 => Ok(()),
        more => writeln!(to, "<p>… and {}.</p>", count(more as u64, "more line")),
    }
}
