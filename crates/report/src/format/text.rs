//! The report for a terminal. It can be read without colours.

use crate::Summary;
use crate::account::{Account, DiffMark, Exhibit, NumberedLine, Section, Standing};
use crate::format::form::TextForm;
use crate::format::paint::Paint;
use howcome_run::words::{pad, printable, thousands, width};
use std::fmt::{self, Write};

/// A longer answer is read from a file.
const EXHIBIT_LINES: usize = 200;
/// Exhibits besides the answer get less room.
const ASIDE_LINES: usize = 12;

/// The finding, its proof, what it took and what to do next.
#[must_use]
pub fn text(summary: &Summary, form: TextForm) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut text, summary, form, false);
    text
}

/// The same with the first and the last lines that the failing side printed.
#[must_use]
pub fn text_with_output(summary: &Summary, form: TextForm) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_text(&mut text, summary, form, true);
    text
}

fn write_text(to: &mut String, summary: &Summary, form: TextForm, with_output: bool) -> fmt::Result {
    let account = Account::within(summary, form.columns);
    let paint = form.paint;
    writeln!(to, "{}", paint.bold(&form.wrapped(&account.headline, 0)))?;
    for exhibit in &account.exhibits {
        let most = if exhibit.is_answer { EXHIBIT_LINES } else { ASIDE_LINES };
        write_exhibit(to, exhibit, most, summary, form)?;
    }
    let is_close = account.exhibits.last().is_some_and(|exhibit| exhibit.is_close);
    if !account.remarks.is_empty() && !is_close {
        writeln!(to)?;
    }
    for remark in &account.remarks {
        writeln!(to, "{}", form.wrapped(remark, 0))?;
    }
    write_proof(to, &account, summary, form)?;
    account.sections.iter().try_for_each(|section| write_section(to, section, summary, form))?;
    write_test(to, &account, summary, form, with_output)?;
    writeln!(to, "\n{}", tests(&account, form))?;
    if let Some(unresolved) = &account.unresolved {
        writeln!(to, "{}", form.wrapped(unresolved, 0))?;
    }
    for warning in &summary.warnings {
        writeln!(to, "{} {}", paint.yellow("warning:"), printable(warning))?;
    }
    if summary.run.is_empty() {
        return Ok(());
    }
    writeln!(to, "\nRecorded in {}", printable(&summary.run))?;
    let commands = account.next.iter().filter_map(|next| next.command.as_ref());
    let columns = commands.map(|command| width(command)).max().unwrap_or(0);
    let widest =
        account.next.iter().filter(|next| next.command.is_some()).map(|next| width(&next.purpose)).max();
    let is_too_wide = form.wraps && widest.is_some_and(|widest| columns + 4 + widest > form.columns);
    for next in &account.next {
        match &next.command {
            Some(command) if is_too_wide => {
                writeln!(to, "  {command}\n    {}", form.wrapped(&next.purpose, 4))?;
            }
            Some(command) => writeln!(to, "  {}  {}", pad(command, columns), next.purpose)?,
            None => writeln!(to, "  {}", form.wrapped(&next.purpose, 2))?,
        }
    }
    Ok(())
}

/// The line about the tests, each number by its outcome.
fn tests(account: &Account, form: TextForm) -> String {
    let mut line = form.wrapped(&account.tests, 0);
    for (outcome, words) in &account.outcomes {
        line = line.replacen(words, &form.paint.outcome(*outcome, words), 1);
    }
    line
}

fn write_test(
    to: &mut String,
    account: &Account,
    summary: &Summary,
    form: TextForm,
    with_output: bool,
) -> fmt::Result {
    if !account.test.is_empty() {
        writeln!(to)?;
    }
    let columns = account.test.iter().map(|fact| width(fact.label)).max().unwrap_or(0);
    for fact in &account.test {
        // A command is pasted as it is.
        let text = if fact.is_command { fact.text.clone() } else { form.wrapped(&fact.text, columns + 2) };
        writeln!(to, "{}  {text}", pad(fact.label, columns))?;
    }
    match &account.failing_output {
        Some(output) if with_output => write_exhibit(to, output, EXHIBIT_LINES, summary, form),
        _ => Ok(()),
    }
}

fn write_section(to: &mut String, section: &Section, summary: &Summary, form: TextForm) -> fmt::Result {
    writeln!(to)?;
    for sentence in &section.sentences {
        writeln!(to, "{}", form.wrapped(sentence, 0))?;
    }
    section.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit, EXHIBIT_LINES, summary, form))
}

fn write_exhibit(
    to: &mut String,
    exhibit: &Exhibit,
    most: usize,
    summary: &Summary,
    form: TextForm,
) -> fmt::Result {
    let paint = form.paint;
    if !exhibit.is_close {
        writeln!(to)?;
    }
    if let Some(heading) = exhibit.heading() {
        writeln!(to, "{heading}:\n")?;
    }
    let indent = if exhibit.is_close { "  " } else { "    " };
    let unnumbered = |(at, line): (usize, &String)| match exhibit.marks.get(at) {
        Some(mark) => painted(*mark, line, paint),
        None => line.clone(),
    };
    let lines: Vec<String> = match exhibit.numbered() {
        Some(lines) => lines.iter().map(|line| numbered(line, paint)).collect(),
        None => exhibit.lines.iter().enumerate().map(unnumbered).collect(),
    };
    for line in lines.iter().take(most) {
        writeln!(to, "{indent}{line}")?;
    }
    if exhibit.lines.len() > most {
        let more = thousands((exhibit.lines.len() - most) as u64);
        let run = howcome_run::words::shell_word(&summary.run);
        writeln!(to, "{indent}… and {more} more lines; `howcome show {run} --json` prints them all")?;
    }
    match exhibit.source() {
        Some(source) => writeln!(to, "\n{}", form.wrapped(&source, 0)),
        None => Ok(()),
    }
}

/// A line of a hunk: `> 27 -    return 1;`.
fn numbered(NumberedLine { number, margin, line, mark }: &NumberedLine<'_>, paint: Paint) -> String {
    match mark {
        DiffMark::Place => painted(*mark, line, paint),
        // An empty line has nothing after its number.
        DiffMark::Context(_) => format!("{margin}{number} {line}").trim_end().to_owned(),
        _ => format!("{}{number} {}", paint.bold(margin), painted(*mark, line, paint)),
    }
}

/// A line of a diff in its colour.
fn painted(mark: DiffMark, line: &str, paint: Paint) -> String {
    match mark {
        DiffMark::Place => paint.cyan(line),
        DiffMark::Context(_) => line.to_owned(),
        DiffMark::Removed(_) => paint.red(line),
        DiffMark::Added(_) => paint.green(line),
    }
}

fn write_proof(to: &mut String, account: &Account, summary: &Summary, form: TextForm) -> fmt::Result {
    let paint = form.paint;
    if account.proof.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n{}", paint.bold(account.proof_title(summary.ending)))?;
    let columns = account.proof.iter().map(|claim| width(&claim.about)).max().unwrap_or(0);
    for claim in &account.proof {
        let seen = form.wrapped(&claim.seen, 2 + columns + 2);
        let line = format!("{}  {seen}", pad(&claim.about, columns));
        let line = line.trim_end();
        let line = match claim.standing {
            Standing::Shown => line.to_owned(),
            Standing::Open => paint.yellow(line),
            Standing::Doubtful => paint.red(line),
        };
        writeln!(to, "  {line}")?;
    }
    Ok(())
}
