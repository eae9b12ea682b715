//! A cause-effect chain on the page: both runs, the steps one below the other, where the cause changes hands, the
//! numbers, and what was skipped.

use crate::Summary;
use crate::chain::{Chain, Location, SourceLine, Transition};
use crate::html::escape;
use crate::html_step::{Shown, write_source, write_step};
use crate::printable::shell_word;
use crate::quantity::thousands;
use std::fmt::{self, Write};

/// Of a longer chain the graphs are folded away at first.
const OPEN_GRAPHS: usize = 8;
/// A longer chain does not make a page.
const STEPS: usize = 500;
const OPEN_SKIPPED: usize = 12;
const SKIPPED: usize = 1_000;

/// What the style of a page lacks for a chain.
pub(crate) const STYLE: &str = include_str!("chain.css");

/// The whole of a chain, from the two runs to the places that were skipped.
pub(crate) fn write_chain(to: &mut String, summary: &Summary, chain: &Chain) -> fmt::Result {
    write_runs(to, chain)?;
    write_hint(to, chain)?;
    write_steps(to, summary, chain)?;
    write_transitions(to, chain)?;
    write_numbers(to, chain)?;
    write_skipped(to, chain)
}

fn write_runs(to: &mut String, chain: &Chain) -> fmt::Result {
    writeln!(to, r#"<dl class="runs">"#)?;
    let runs = [
        ("fail", "✗ failing run", &chain.failing_run, &chain.outcome.failing),
        ("pass", "✓ passing run", &chain.passing_run, &chain.outcome.passing),
    ];
    for (class, name, command, outcome) in runs {
        if !command.is_empty() || !outcome.is_empty() {
            let (command, outcome) = (escape(command), escape(outcome));
            writeln!(
                to,
                r#"<div class="{class}"><dt>{name}</dt><dd><code>{command}</code> <span>{outcome}</span></dd></div>"#
            )?;
        }
    }
    writeln!(to, "</dl>")
}

/// Where to look first.
fn write_hint(to: &mut String, chain: &Chain) -> fmt::Result {
    let is_only = chain.transitions.len() == 1;
    for (number, transition) in (1..).zip(&chain.transitions) {
        if let Some(sentence) = transition.sentence(is_only) {
            writeln!(to, r##"<p><a href="#hands-{number}">{}</a></p>"##, escape(&sentence))?;
        }
    }
    Ok(())
}

fn write_steps(to: &mut String, summary: &Summary, chain: &Chain) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    let run = shell_word(&summary.run);
    let is_folded = chain.steps.len() > OPEN_GRAPHS;
    writeln!(to, "<section>\n<h2>The chain</h2>\n<ol class=\"chain\">")?;
    for (number, step) in (1..).zip(chain.steps.iter().take(STEPS)) {
        write_step(to, step, &Shown { number, run: &run, is_folded })?;
    }
    if let Some(more) = chain.steps.len().checked_sub(STEPS).filter(|more| *more > 0) {
        writeln!(to, "<li><p>{} more places are left out here.</p></li>", thousands(more as u64))?;
    }
    if !chain.outcome.failing.is_empty() {
        let instead = match chain.other_outcome() {
            other if other.is_empty() => String::new(),
            other => format!(r#" <span class="instead">instead of {}</span>"#, escape(&other)),
        };
        writeln!(
            to,
            r#"<li class="outcome"><h3><span>Therefore</span> <span class="failing">{}</span>{instead}</h3></li>"#,
            escape(&chain.outcome.failing)
        )?;
    }
    writeln!(to, "</ol>\n</section>")
}

fn write_transitions(to: &mut String, chain: &Chain) -> fmt::Result {
    if chain.transitions.is_empty() {
        return Ok(());
    }
    writeln!(to, "<section>\n<h2>Where the cause changes hands</h2>")?;
    for (number, transition) in (1..).zip(&chain.transitions) {
        write_transition(to, number, transition)?;
    }
    writeln!(to, "</section>")
}

fn write_transition(to: &mut String, number: usize, transition: &Transition) -> fmt::Result {
    let hands = match (transition.from.as_str(), transition.to.as_str()) {
        ("", "") => format!("{number}"),
        (from, "") => format!("From <code>{}</code>", escape(from)),
        ("", to) => format!("To <code>{}</code>", escape(to)),
        (from, to) => format!("From <code>{}</code> to <code>{}</code>", escape(from), escape(to)),
    };
    writeln!(to, "<div class=\"hands\" id=\"hands-{number}\">\n<h3>{hands}</h3>")?;
    let places: Vec<String> = transition.between.iter().map(exactly).collect();
    match places.as_slice() {
        [] => writeln!(to, "<p>It is not known where.</p>")?,
        [only] => writeln!(to, "<p><b>Most probably the defect is here</b>, at {only}.</p>")?,
        [first, .., last] => {
            writeln!(to, "<p><b>Most probably the defect is here</b>, between {first} and {last}.</p>")?;
        }
    }
    write_source(to, &transition.source, |line| is_meant(transition, line))?;
    writeln!(to, "</div>")
}

/// `main (src/sample.c:35)`, as HTML.
fn exactly(location: &Location) -> String {
    let place = format!("<code>{}</code>", escape(&location.place_as(&location.file)));
    match (location.function.is_empty(), location.file.is_empty()) {
        (false, false) => format!("{} ({place})", escape(&location.moment())),
        (true, false) => place,
        (_, true) => escape(&location.moment()),
    }
}

/// Whether a line is between the two moments, or is said to be meant.
fn is_meant(transition: &Transition, line: &SourceLine) -> bool {
    let (Some(from), Some(to), Some(number)) =
        (transition.between.first(), transition.between.last(), line.line)
    else {
        return line.is_here;
    };
    let is_within = from.file == to.file && from.function == to.function;
    let is_between = match (from.line, to.line) {
        (Some(first), Some(last)) if is_within && first <= last => (first..=last).contains(&number),
        _ => from.line == Some(number),
    };
    let is_said = transition.source.iter().any(|line| line.is_here);
    if is_said { line.is_here } else { is_between }
}

/// The numbers of Table IV of "Isolating Cause-Effect Chains from Computer Programs".
fn write_numbers(to: &mut String, chain: &Chain) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    let has_dropped = chain.steps.iter().any(|step| step.dropped > 0);
    let dropped = if has_dropped { r#"<th class="n" scope="col">not transferable</th>"# } else { "" };
    writeln!(
        to,
        "<section>\n<h2>The states in numbers</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th class=\"n\" scope=\"col\">step</th>\
         <th scope=\"col\">place</th><th class=\"n\" scope=\"col\">vertices</th><th class=\"n\" scope=\"col\">edges</th>\
         <th class=\"n\" scope=\"col\">deltas</th>{dropped}<th class=\"n\" scope=\"col\">tests</th>\
         <th class=\"n\" scope=\"col\">relevant</th></tr></thead>\n<tbody>"
    )?;
    for (number, step) in (1..).zip(chain.steps.iter().take(STEPS)) {
        let dropped = has_dropped.then_some(step.dropped);
        let numbers = [
            Some(step.vertices),
            Some(step.edges),
            Some(step.deltas),
            dropped,
            Some(step.tests),
            Some(step.relevant()),
        ];
        let cells: Vec<String> = numbers
            .into_iter()
            .flatten()
            .map(|number| format!(r#"<td class="n">{}</td>"#, thousands(number)))
            .collect();
        writeln!(
            to,
            r##"<tr><td class="n"><a href="#step-{number}">{number}</a></td><td>{}</td>{}</tr>"##,
            exactly(&step.location),
            cells.concat()
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</section>")
}

fn write_skipped(to: &mut String, chain: &Chain) -> fmt::Result {
    let all = chain.skipped.len();
    if all == 0 {
        return Ok(());
    }
    let open = if all <= OPEN_SKIPPED { " open" } else { "" };
    let places = if all == 1 { "1 place".to_owned() } else { format!("{} places", thousands(all as u64)) };
    writeln!(
        to,
        "<section>\n<h2>Skipped</h2>\n<details{open}>\n<summary>{places} at which nothing was found</summary>\n\
         <div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">place</th><th scope=\"col\">reason</th></tr></thead>\n<tbody>"
    )?;
    for skipped in chain.skipped.iter().take(SKIPPED) {
        writeln!(
            to,
            "<tr><td>{}</td><td>{}</td></tr>",
            exactly(&skipped.location),
            escape(&skipped.reason())
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</details>\n</section>")
}
