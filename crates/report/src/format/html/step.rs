//! One step of a cause-effect chain on the page: the place, the causes and their confirmations, the source, the graph, and
//! the command that goes further back.

use crate::finding::chain::{PlaceWords, StepWords, VariableWords};
use crate::format::escape::escape;
use crate::format::html::way_back::WayBackLink;
use crate::graph::part::stands_out;
use crate::graph::picture::graph_picture;
use howcome_run::words::{count, cut, cut_to_difference, printable_lines, thousands};
use howcome_run::{ChainStep, DecidingVariable, DifferenceKind, GraphPart, QuotedLine};
use std::fmt::{self, Write};

/// A longer value is cut; the JSON has all of it.
const LONGEST: usize = 400;
const SOURCE_LINES: usize = 60;
const TABLE_ROWS: usize = 200;

/// How a step is shown.
pub(crate) struct StepView<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// The folder of the run.
    pub(crate) run: &'a str,
    /// How to ask where the step comes from.
    pub(crate) way_back: &'a WayBackLink<'a>,
    /// Whether the graph is folded.
    pub(crate) is_folded: bool,
}

/// The step as a member of a list.
pub(crate) fn write_step(to: &mut String, step: &ChainStep, shown: &StepView<'_>) -> fmt::Result {
    let therefore = if shown.number == 1 { "At" } else { "Therefore at" };
    writeln!(to, r#"<li id="step-{0}" data-step="{0}">"#, shown.number)?;
    write!(to, "<h3><span>{therefore}</span> {}", escape(&step.location.moment()))?;
    match step.location.place().filter(|_| !step.location.function.is_empty()) {
        Some(_) => {
            writeln!(to, " <code>{}</code></h3>", escape(&step.location.place_as(&step.location.file)))?
        }
        None => writeln!(to, "</h3>")?,
    }
    if step.causes.is_empty() {
        writeln!(to, "<p>The cause could not be narrowed down here.</p>")?;
    }
    // Variables that decide together were confirmed together.
    let (is_once, is_single) = (step.doubts_of_all().is_some(), step.causes.len() == 1);
    for (number, cause) in (1..).zip(&step.causes) {
        let is_last = number == step.causes.len();
        writeln!(to, "<div class=\"cause\">")?;
        write_cause(to, cause)?;
        if !is_once || is_last {
            write_confirmation(to, cause, is_single || !is_once)?;
        }
        writeln!(to, "</div>")?;
    }
    if let Some(aside) = step.aside() {
        writeln!(to, r#"<p class="caption">This was {aside}.</p>"#)?;
    }
    write_source(to, &step.source, |line| line.is_here)?;
    write_graph(to, step, shown)?;
    if !step.has_no_way_back {
        shown.way_back.write(to, shown.run, shown.number)?;
    }
    writeln!(to, "</li>")
}

fn write_cause(to: &mut String, cause: &DecidingVariable) -> fmt::Result {
    let value = |value: &Option<String>, other: &Option<String>| match value {
        Some(value) => {
            let other = other.as_deref().unwrap_or_default();
            format!("<b>{}</b>", escape(&cut_to_difference(value, other, LONGEST)))
        }
        None => "<i>nothing</i>".to_owned(),
    };
    let another = if cause.reads_the_same() { "another " } else { "" };
    let kind = match cause.kind {
        DifferenceKind::Redirected => "points to another object",
        DifferenceKind::Created => "only in the failing run",
        DifferenceKind::Deleted => "only in the passing run",
        DifferenceKind::Unread => "unread input",
        DifferenceKind::Changed | DifferenceKind::Unknown => "",
    };
    let kind = if kind.is_empty() { String::new() } else { format!(r#" <span class="kind">{kind}</span>"#) };
    writeln!(
        to,
        r#"<p><code>{}</code> = <span class="failing">{}</span> <span class="instead">instead of {another}{}</span>{kind}</p>"#,
        escape(&cut(&cause.name, LONGEST)),
        value(&cause.failing, &cause.passing),
        value(&cause.passing, &cause.failing),
    )
}

/// What was tested with it, or with all variables that decide together.
fn write_confirmation(to: &mut String, cause: &DecidingVariable, is_single: bool) -> fmt::Result {
    let it = if is_single { "it" } else { "all of them" };
    let (class, alone) = match cause.alone_fails {
        Some(true) => ("shown", format!("the passing run fails with {it} alone")),
        Some(false) => ("open", format!("the passing run does not fail with {it} alone")),
        None => ("open", format!("not tested: the passing run with {it} alone")),
    };
    writeln!(to, r#"<ul><li class="{class}">{alone}</li>"#)?;
    let (class, without) = match cause.without_passes {
        Some(true) => ("shown", format!("the failing run passes without {it}")),
        Some(false) => ("open", format!("the failing run does not pass without {it}")),
        None => ("open", format!("not tested: the failing run without {it}")),
    };
    writeln!(to, r#"<li class="{class}">{without}</li></ul>"#)
}

/// Lines of source with their numbers. The marked ones can be told without colours.
pub(crate) fn write_source(
    to: &mut String,
    source: &[QuotedLine],
    is_meant: impl Fn(&QuotedLine) -> bool,
) -> fmt::Result {
    if source.is_empty() {
        return Ok(());
    }
    writeln!(to, r#"<pre class="source" tabindex="0">"#)?;
    for line in source.iter().take(SOURCE_LINES) {
        let number = line.line.map(|line| line.to_string()).unwrap_or_default();
        let text = printable_lines(&line.text).join(" ");
        let element = if is_meant(line) { "mark" } else { "span" };
        writeln!(to, r#"<{element} data-line="{number}">{}</{element}>"#, escape(&cut(&text, LONGEST)))?;
    }
    writeln!(to, "</pre>")
}

fn write_graph(to: &mut String, step: &ChainStep, shown: &StepView<'_>) -> fmt::Result {
    let Some(svg) = graph_picture(&step.graph, shown.number) else { return Ok(()) };
    let open = if shown.is_folded { "" } else { " open" };
    let all = match step.vertices {
        0 => String::new(),
        all => format!(", of {} in all", count(all, "vertex")),
    };
    writeln!(
        to,
        "<details{open}>\n<summary>The memory graph around it{all}</summary>\n\
         <div class=\"picture\" tabindex=\"0\" role=\"region\" aria-label=\"memory graph of step {}\">\n{svg}</div>",
        shown.number
    )?;
    write_differences(to, &step.graph)?;
    writeln!(to, "</details>")
}

/// What the picture shows by its colours, for those who cannot see it.
fn write_differences(to: &mut String, graph: &GraphPart) -> fmt::Result {
    let different: Vec<_> = graph.vertices.iter().filter(|vertex| stands_out(vertex)).collect();
    if different.is_empty() {
        return Ok(());
    }
    writeln!(
        to,
        "<details class=\"table\">\n<summary>What differs, as a table</summary>\n<div class=\"scroll\"><table>\n\
         <thead><tr><th>variable</th><th>failing run</th><th>passing run</th><th></th></tr></thead>\n<tbody>"
    )?;
    for vertex in different.iter().take(TABLE_ROWS) {
        let cell = |text: &str| escape(&cut(text, LONGEST));
        writeln!(
            to,
            r#"<tr><td class="c">{}</td><td class="c">{}</td><td class="c">{}</td><td>{}</td></tr>"#,
            cell(&vertex.name),
            cell(&vertex.value),
            cell(vertex.passing.as_deref().unwrap_or_default()),
            if vertex.is_cause { "cause" } else { "" }
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>")?;
    if let Some(more) = different.len().checked_sub(TABLE_ROWS).filter(|more| *more > 0) {
        writeln!(to, "<p>… and {} more.</p>", thousands(more as u64))?;
    }
    writeln!(to, "</details>")
}
