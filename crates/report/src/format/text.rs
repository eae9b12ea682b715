//! The report for a terminal. It can be read without colours.

use crate::Summary;
use crate::account::{Account, DiffMark, Exhibit, NumberedLine, Section};
use howcome_run::words::{pad, printable, thousands, width};
use std::fmt::{self, Write};

/// A longer answer is read from a file.
const EXHIBIT_LINES: usize = 200;
/// Exhibits besides the answer get less room.
const ASIDE_LINES: usize = 12;

/// The finding, its proof, what it took and what to do next.
#[must_use]
pub fn text(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut text, summary, false);
    text
}

/// The same with the first and the last lines that the failing side printed.
#[must_use]
pub fn text_with_output(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut text, summary, true);
    text
}

fn write_text(to: &mut String, summary: &Summary, with_output: bool) -> fmt::Result {
    let account = Account::of(summary);
    writeln!(to, "{}", account.headline)?;
    for exhibit in &account.exhibits {
        let most = if exhibit.is_answer { EXHIBIT_LINES } else { ASIDE_LINES };
        write_exhibit(to, exhibit, most, summary)?;
    }
    let is_close = account.exhibits.last().is_some_and(|exhibit| exhibit.is_close);
    if !account.remarks.is_empty() && !is_close {
        writeln!(to)?;
    }
    for remark in &account.remarks {
        writeln!(to, "{remark}")?;
    }
    write_proof(to, &account, summary)?;
    account.sections.iter().try_for_each(|section| write_section(to, section, summary))?;
    write_test(to, &account, summary, with_output)?;
    writeln!(to, "\n{}", account.tests)?;
    if let Some(unresolved) = &account.unresolved {
        writeln!(to, "{unresolved}")?;
    }
    for warning in &summary.warnings {
        writeln!(to, "warning: {}", printable(warning))?;
    }
    if summary.run.is_empty() {
        return Ok(());
    }
    writeln!(to, "\nRecorded in {}", printable(&summary.run))?;
    let commands = account.next.iter().filter_map(|next| next.command.as_ref());
    let columns = commands.map(|command| width(command)).max().unwrap_or(0);
    for next in &account.next {
        match &next.command {
            Some(command) => writeln!(to, "  {}  {}", pad(command, columns), next.purpose)?,
            None => writeln!(to, "  {}", next.purpose)?,
        }
    }
    Ok(())
}

fn write_test(to: &mut String, account: &Account, summary: &Summary, with_output: bool) -> fmt::Result {
    if !account.test.is_empty() {
        writeln!(to)?;
    }
    let columns = account.test.iter().map(|fact| width(fact.label)).max().unwrap_or(0);
    for fact in &account.test {
        writeln!(to, "{}  {}", pad(fact.label, columns), fact.text)?;
    }
    let output = account.failing_output.iter().filter(|_| with_output);
    output.into_iter().try_for_each(|output| write_exhibit(to, output, EXHIBIT_LINES, summary))
}

fn write_section(to: &mut String, section: &Section, summary: &Summary) -> fmt::Result {
    writeln!(to)?;
    for sentence in &section.sentences {
        writeln!(to, "{sentence}")?;
    }
    section.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit, EXHIBIT_LINES, summary))
}

fn write_exhibit(to: &mut String, exhibit: &Exhibit, most: usize, summary: &Summary) -> fmt::Result {
    if !exhibit.is_close {
        writeln!(to)?;
    }
    if let Some(heading) = exhibit.heading() {
        writeln!(to, "{heading}:\n")?;
    }
    let indent = if exhibit.is_close { "  " } else { "    " };
    let lines = exhibit
        .numbered()
        .map_or_else(|| exhibit.lines.clone(), |lines| lines.iter().map(numbered).collect());
    for line in lines.iter().take(most) {
        writeln!(to, "{indent}{line}")?;
    }
    if exhibit.lines.len() > most {
        let more = thousands((exhibit.lines.len() - most) as u64);
        let run = howcome_run::words::shell_word(&summary.run);
        writeln!(to, "{indent}… and {more} more lines; `howcome show {run} --json` prints them all")?;
    }
    match exhibit.source() {
        Some(source) => writeln!(to, "\n{source}"),
        None => Ok(()),
    }
}

/// A line of a hunk: `> 27 -    return 1;`.
fn numbered(NumberedLine { number, margin, line, mark }: &NumberedLine<'_>) -> String {
    match mark {
        DiffMark::Place => (*line).to_owned(),
        // An empty line has nothing after its number.
        DiffMark::Context(_) => format!("{margin}{number} {line}").trim_end().to_owned(),
        _ => format!("{margin}{number} {line}"),
    }
}

fn write_proof(to: &mut String, account: &Account, summary: &Summary) -> fmt::Result {
    if account.proof.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n{}", account.proof_title(summary.ending))?;
    let columns = account.proof.iter().map(|claim| width(&claim.about)).max().unwrap_or(0);
    for claim in &account.proof {
        writeln!(to, "{}", format!("  {}  {}", pad(&claim.about, columns), claim.seen).trim_end())?;
    }
    Ok(())
}
