//! The report as one page that needs no other file: to read, to attach to a bug report, to print.

use crate::Summary;
use crate::account::Section;
use crate::account::{Account, NextStep, Standing};
use crate::finding::FindingReport;
use crate::finding::chain::ChainReport;
use crate::format::escape::escape;
use crate::format::html::chain;
use crate::format::html::exhibit::{write_exhibit, write_folded};
use crate::format::html::trail::write_trail;
use crate::format::html::way_back::WayBackLink;
use crate::graph::style;
use crate::picture::history::history_picture;
use crate::picture::patch_sizes::patch_sizes_picture;
use crate::picture::search::picture;
use crate::picture::sizes::size_curve;
use crate::trail::sizes::pass_yields;
use howcome_run::words::{count, moment, seconds, size, thousands};
use howcome_run::{Ending, PassYield, QuestionName};
use std::fmt::{self, Write};

/// The style that every page shares: colours, type, tables, cards.
pub const PAGE_STYLE: &str = include_str!("page.css");

/// A page in parts, for a service that puts them on a page of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlParts {
    /// The title, escaped.
    pub title: String,
    /// The style that this page needs in addition to [`PAGE_STYLE`].
    pub style: String,
    /// The sentence that answers the question, and what it is about: a chain, a diff, an input.
    pub answer: String,
    /// Proof, test, search and trail.
    pub evidence: String,
    /// Commands for a terminal, and where the run is recorded.
    pub ending: String,
}

/// The page.
#[must_use]
pub fn html(summary: &Summary) -> String {
    let HtmlParts { title, style, answer, evidence, ending } = html_parts(summary, &WayBackLink::Command);
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{PAGE_STYLE}{style}</style>
</head>
<body>
<main>
{answer}{evidence}{ending}</main>
</body>
</html>
"#
    )
}

/// The page in parts. `way_back` says how a reader asks where a step of a chain comes from.
#[must_use]
pub fn html_parts(summary: &Summary, way_back: &WayBackLink<'_>) -> HtmlParts {
    let account = Account::of(summary);
    let finding = FindingReport::of_run(summary);
    let chain = finding.as_ref().and_then(FindingReport::chain);
    let style = if chain.is_some() { [chain::STYLE, style::OF_PAGE].concat() } else { String::new() };
    let title = format!("howcome {}: {}", summary.question, escape(&account.headline));
    let [mut answer, mut evidence, mut ending] = [const { String::new() }; 3];
    // Writing to a string cannot fail.
    let _ = write_answer(&mut answer, summary, &account, finding.as_ref(), way_back);
    let _ = write_evidence(&mut evidence, summary, &account, finding.as_ref(), way_back);
    let _ = write_ending(&mut ending, summary, &account);
    HtmlParts { title, style, answer, evidence, ending }
}

fn write_answer(
    to: &mut String,
    summary: &Summary,
    account: &Account,
    finding: Option<&FindingReport>,
    way_back: &WayBackLink<'_>,
) -> fmt::Result {
    let chain = finding.and_then(FindingReport::chain);
    // A chain without a step is not an answer.
    let is_empty = chain.is_some_and(|chain| chain.steps.is_empty());
    let (class, ending) = ending(match summary.ending {
        Some(Ending::Found) if is_empty => Some(Ending::Undecided),
        ending => ending,
    });
    write!(
        to,
        r#"<header>
<p class="kicker">howcome {question}<span class="ending {class}">{ending}</span></p>
<h1>{headline}</h1>
</header>
"#,
        question = summary.question,
        headline = escape(&account.headline),
    )?;
    match chain {
        Some(chain) => chain::write_chain(to, summary, chain, way_back)?,
        None => account.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit))?,
    }
    if let Some(patch) = &account.patch {
        write_folded(to, patch)?;
    }
    Ok(())
}

fn write_evidence(
    to: &mut String,
    summary: &Summary,
    account: &Account,
    finding: Option<&FindingReport>,
    way_back: &WayBackLink<'_>,
) -> fmt::Result {
    // The remarks about a chain are on other places of the page.
    let mut said = finding.and_then(FindingReport::chain).map(ChainReport::remarks).unwrap_or_default();
    if matches!(way_back, WayBackLink::Html(_)) {
        // Files of the machine on which the run was, which a reader of another page cannot open.
        said.extend(finding.and_then(FindingReport::written_files));
    }
    for remark in account.remarks.iter().filter(|remark| !said.contains(remark)) {
        writeln!(to, "<p>{}</p>", escape(remark))?;
    }
    for warning in &summary.warnings {
        writeln!(to, r#"<p class="warning"><strong>Warning</strong> {}</p>"#, escape(warning))?;
    }
    write_proof(to, summary, account)?;
    let line = finding.and_then(FindingReport::history).and_then(history_picture);
    write_picture(to, "The revisions", line)?;
    let sizes = finding.and_then(FindingReport::history).and_then(patch_sizes_picture);
    write_picture(to, "The size of the patch", sizes)?;
    account.sections.iter().try_for_each(|section| write_section(to, section))?;
    write_test(to, account)?;
    write_picture(to, "The search", size_curve(summary).or_else(|| picture(summary)))?;
    write_counts(to, summary, account)?;
    write_stages(to, summary)?;
    write_trail(to, summary)
}

fn write_ending(to: &mut String, summary: &Summary, account: &Account) -> fmt::Result {
    write_next(to, &account.next)?;
    writeln!(
        to,
        "<footer>Started {}, recorded in <code>{}</code>, written by howcome {}.</footer>",
        moment(summary.started),
        escape(&summary.run),
        escape(&summary.howcome)
    )
}

fn ending(ending: Option<Ending>) -> (&'static str, &'static str) {
    match ending {
        Some(Ending::Found) => ("good", "found"),
        Some(Ending::NeverWorked) => ("good", "never worked"),
        Some(Ending::Undecided) => ("open", "undecided"),
        Some(Ending::Stopped) => ("open", "stopped early"),
        Some(Ending::Refused) => ("bad", "nothing to explain"),
        Some(Ending::Flaky) => ("bad", "flaky"),
        None => ("open", "not finished"),
    }
}

fn write_proof(to: &mut String, summary: &Summary, account: &Account) -> fmt::Result {
    if account.proof.is_empty() {
        return Ok(());
    }
    let heading = account.proof_title(summary.ending);
    writeln!(to, "<section>\n<h2>{heading}</h2>\n<dl class=\"proof\">")?;
    for claim in &account.proof {
        let class = match claim.standing {
            Standing::Shown => "shown",
            Standing::Open => "open",
            Standing::Doubtful => "doubtful",
        };
        writeln!(
            to,
            r#"<div class="{class}"><dt>{}</dt><dd>{}</dd></div>"#,
            escape(&claim.about),
            escape(&claim.seen)
        )?;
    }
    writeln!(to, "</dl>\n</section>")
}

fn write_test(to: &mut String, account: &Account) -> fmt::Result {
    if account.test.is_empty() {
        return Ok(());
    }
    writeln!(to, "<section>\n<h2>The test</h2>\n<dl class=\"facts\">")?;
    for fact in &account.test {
        let text = escape(&fact.text);
        let text = if fact.is_command { format!("<code>{text}</code>") } else { text };
        writeln!(to, "<div><dt>{}</dt><dd>{text}</dd></div>", fact.label)?;
    }
    writeln!(to, "</dl>")?;
    account.failing_output.iter().try_for_each(|output| write_folded(to, output))?;
    writeln!(to, "</section>")
}

fn write_section(to: &mut String, section: &Section) -> fmt::Result {
    writeln!(to, "<section>\n<h2>{}</h2>", escape(section.title))?;
    section.sentences.iter().try_for_each(|sentence| writeln!(to, "<p>{}</p>", escape(sentence)))?;
    section.exhibits.iter().try_for_each(|exhibit| write_exhibit(to, exhibit))?;
    section.folded.iter().try_for_each(|exhibit| write_folded(to, exhibit))?;
    writeln!(to, "</section>")
}

fn write_picture(to: &mut String, heading: &str, svg: Option<String>) -> fmt::Result {
    match svg {
        Some(svg) => {
            writeln!(to, "<section>\n<h2>{heading}</h2>\n<div class=\"picture\">\n{svg}</div>\n</section>")
        }
        None => Ok(()),
    }
}

fn write_counts(to: &mut String, summary: &Summary, account: &Account) -> fmt::Result {
    let counts = &summary.counts;
    writeln!(to, "<section>\n<h2>Tests</h2>\n<ul class=\"counts\">")?;
    let at_a_time = format!("in all, {} at a time", summary.jobs);
    let cards = [
        (
            thousands(counts.told),
            if counts.told == 1 { "test" } else { "tests" },
            "questions answered by a test",
        ),
        (thousands(counts.pass), "✓ pass", ""),
        (thousands(counts.fail), "✗ fail", ""),
        (thousands(counts.unresolved), "? unresolved", ""),
        (thousands(counts.predicted), "predicted", "answered without a test"),
        (thousands(counts.remembered), "remembered", "asked again"),
        (
            thousands(counts.executed),
            if counts.executed == 1 { "run" } else { "runs" },
            "with the baseline and repeats",
        ),
        (thousands(counts.cancelled), "cancelled", "no longer needed"),
        (seconds(summary.seconds), at_a_time.as_str(), ""),
        (escape(&summary.algorithm), "algorithm", ""),
    ];
    for (number, what, more) in &cards {
        let title = if more.is_empty() { String::new() } else { format!(" title=\"{more}\"") };
        writeln!(to, "<li{title}><b>{number}</b> {what}</li>")?;
    }
    writeln!(to, "</ul>")?;
    if let Some(unresolved) = &account.unresolved {
        writeln!(to, r#"<p class="caption">{}</p>"#, escape(unresolved))?;
    }
    writeln!(to, "</section>")
}

/// What each pass removed. The number of stages does not matter then.
fn write_passes(to: &mut String, yields: &[PassYield]) -> fmt::Result {
    writeln!(
        to,
        "<section>\n<h2>Passes</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>pass</th>\
         <th class=\"n\">removed</th><th class=\"n\">tests</th></tr></thead>\n<tbody>"
    )?;
    for PassYield { name, tests, bytes } in yields {
        writeln!(
            to,
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(name),
            size(*bytes),
            thousands(*tests)
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</section>")
}

fn write_stages(to: &mut String, summary: &Summary) -> fmt::Result {
    let yields = pass_yields(summary);
    if !yields.is_empty() {
        return write_passes(to, &yields);
    }
    // At each place of a chain, the baseline and the confirmation are stages that ask nothing.
    let stages: Vec<_> = summary
        .stages
        .iter()
        .filter(|stage| stage.asked > 0 || summary.question != QuestionName::State)
        .collect();
    if stages.is_empty() {
        return Ok(());
    }
    writeln!(
        to,
        "<section>\n<h2>Stages</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>varied</th><th>search</th>\
         <th class=\"n\">of</th><th class=\"n\">left</th><th class=\"n\">questions</th></tr></thead>\n<tbody>"
    )?;
    for stage in stages {
        writeln!(
            to,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&stage.subject.to_string()),
            stage.search,
            escape(&count(stage.deltas.into(), stage.unit.as_str())),
            thousands(stage.left.into()),
            thousands(stage.asked)
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</section>")
}

fn write_next(to: &mut String, next: &[NextStep]) -> fmt::Result {
    writeln!(to, "<section>\n<h2>Next</h2>\n<ul class=\"next\">")?;
    for next in next {
        match &next.command {
            Some(command) => {
                writeln!(to, "<li>{}:<br><code>{}</code></li>", escape(&next.purpose), escape(command))?;
            }
            None => writeln!(to, "<li>{}</li>", escape(&next.purpose))?,
        }
    }
    writeln!(to, "</ul>\n</section>")
}
