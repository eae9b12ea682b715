//! The report for a bug tracker, in Markdown as GitHub and GitLab understand it.

use crate::account::{Account, DiffMark, Exhibit, NumberedLine};
use crate::finding::FindingReport;
use crate::finding::chain::ChainReport;
use crate::format::form::TextForm;
use crate::format::markdown::chain::write_chain;
use crate::format::markdown::markup::{code, escape, write_fenced};
use crate::format::trail::trail_of;
use crate::{Summary, TrailStep};
use howcome_run::words::{count, printable, seconds, thousands};
use std::fmt::{self, Write};

// Trackers refuse texts of more than some 65,000 characters.
const EXHIBIT_LINES: usize = 300;
const TRAIL_LINES: usize = 200;
const TRAIL_WIDTH: usize = 100;

/// The finding, its proof, the counts, and the trail folded away.
#[must_use]
pub fn markdown(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_markdown(&mut text, summary);
    text
}

fn write_markdown(to: &mut String, summary: &Summary) -> fmt::Result {
    let account = Account::of(summary);
    writeln!(to, "**{}**", escape(&account.headline))?;
    let finding = FindingReport::of_run(summary);
    match finding.as_ref().and_then(FindingReport::chain) {
        Some(chain) => write_chain(to, chain)?,
        None => account.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit))?,
    }
    // The remarks about a chain are on other places of the report.
    let said = finding.as_ref().and_then(FindingReport::chain).map(ChainReport::remarks).unwrap_or_default();
    for remark in account.remarks.iter().filter(|remark| !said.contains(remark)) {
        writeln!(to, "\n{}", escape(remark))?;
    }
    if !account.proof.is_empty() {
        writeln!(to, "\n**{}**\n", account.proof_title(summary.ending))?;
    }
    for claim in &account.proof {
        let seen = if claim.seen.is_empty() { String::new() } else { format!(": {}", escape(&claim.seen)) };
        writeln!(to, "- {}{seen}", escape(&claim.about))?;
    }
    for section in &account.sections {
        writeln!(to, "\n**{}**", escape(section.title))?;
        section.sentences.iter().try_for_each(|sentence| writeln!(to, "\n{}", escape(sentence)))?;
        section.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit))?;
    }
    write_test(to, &account)?;
    for warning in &summary.warnings {
        writeln!(to, "\n> **Warning:** {}", escape(&printable(warning)))?;
    }
    write_counts(to, summary)?;
    if let Some(unresolved) = &account.unresolved {
        writeln!(to, "\n{}", escape(unresolved))?;
    }
    write_trail(to, summary)?;
    let command = format!("howcome {} · {}", printable(&summary.howcome), summary.question);
    writeln!(to, "\n{}, recorded in {}", escape(&command), code(&summary.run))
}

fn write_test(to: &mut String, account: &Account) -> fmt::Result {
    if !account.test.is_empty() {
        writeln!(to, "\n**The test**\n")?;
    }
    for fact in account.test.iter().filter(|fact| fact.is_command) {
        write_fenced(to, "sh", &fact.text)?;
        writeln!(to)?;
    }
    for fact in account.test.iter().filter(|fact| !fact.is_command) {
        writeln!(to, "- {}: {}", fact.label, escape(&fact.text))?;
    }
    let Some(output) = &account.failing_output else { return Ok(()) };
    let caption = output.caption.as_deref().unwrap_or_default();
    writeln!(to, "\n<details><summary>{}</summary>\n", escape(caption))?;
    write_fenced(to, "text", &output.lines.join("\n"))?;
    writeln!(to, "\n</details>")
}

fn write_exhibit(to: &mut String, exhibit: &Exhibit) -> fmt::Result {
    if let Some(heading) = exhibit.heading() {
        writeln!(to, "\n{}:", escape(&heading))?;
    }
    let lines = exhibit
        .numbered()
        .map_or_else(|| exhibit.lines.clone(), |lines| lines.iter().map(numbered).collect());
    let shown = lines.get(..EXHIBIT_LINES).unwrap_or(&lines);
    writeln!(to)?;
    write_fenced(to, exhibit.language.unwrap_or("text"), &shown.join("\n"))?;
    match exhibit.lines.len() - shown.len() {
        0 => {}
        more => writeln!(to, "\n… and {}.", count(more as u64, "more line"))?,
    }
    match exhibit.source() {
        Some(source) => writeln!(to, "\n{}", escape(&source)),
        None => Ok(()),
    }
}

/// A line of a hunk: `- 27 >     return 1;`. The sign comes first, because it decides about the colour.
fn numbered(NumberedLine { number, margin, line, mark }: &NumberedLine<'_>) -> String {
    let mut characters = line.chars();
    match (mark, characters.next()) {
        (DiffMark::Place, _) | (_, None) => (*line).to_owned(),
        (DiffMark::Context(_), Some(sign)) => {
            format!("{sign} {number} {margin}{}", characters.as_str()).trim_end().to_owned()
        }
        (_, Some(sign)) => format!("{sign} {number} {margin}{}", characters.as_str()),
    }
}

fn write_counts(to: &mut String, summary: &Summary) -> fmt::Result {
    let counts = &summary.counts;
    writeln!(
        to,
        "\n| tests | pass | fail | unresolved | predicted | remembered | runs | cancelled | time |"
    )?;
    writeln!(to, "|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    let numbers = [
        counts.told,
        counts.pass,
        counts.fail,
        counts.unresolved,
        counts.predicted,
        counts.remembered,
        counts.executed,
        counts.cancelled,
    ];
    let cells: Vec<String> = numbers.into_iter().map(thousands).collect();
    writeln!(to, "| {} | {} |", cells.join(" | "), seconds(summary.seconds))
}

fn write_trail(to: &mut String, summary: &Summary) -> fmt::Result {
    if summary.trail.is_empty() {
        return Ok(());
    }
    let asked = count(summary.counts.asked, "question");
    writeln!(to, "\n<details><summary>The trail: {asked}</summary>\n")?;
    let form = TextForm { columns: TRAIL_WIDTH, ..TextForm::PLAIN };
    let lines = |steps: &[TrailStep]| trail_of(summary, &steps.iter().collect::<Vec<_>>(), form);
    let shown = match summary.trail.len() {
        all if all <= TRAIL_LINES => lines(&summary.trail),
        all => {
            let (first, rest) = summary.trail.split_at(TRAIL_LINES / 2);
            let last = &rest[rest.len() - TRAIL_LINES / 2..];
            let left_out = thousands((all - TRAIL_LINES) as u64);
            format!("{}… {left_out} more …\n{}", lines(first), lines(last))
        }
    };
    write_fenced(to, "text", shown.trim_end())?;
    writeln!(to, "\n</details>")
}
