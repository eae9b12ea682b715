//! A cause-effect chain on the page: both runs, the steps, the transitions, the numbers, and the skipped places.

use crate::Summary;
use crate::finding::chain::{ChainReport, PlaceWords, StepWords, TransitionWords, VariableWords};
use crate::format::escape::escape;
use crate::format::html::step::{StepView, write_source, write_step};
use crate::format::html::way_back::WayBackLink;
use howcome_run::words::{count, thousands};
use howcome_run::{ChainStep, RunPlace, TransitionFound};
use std::fmt::{self, Write};

/// In a longer chain the graphs are folded.
const OPEN_GRAPHS: usize = 8;
/// More steps do not fit on a page.
const STEPS: usize = 500;
const OPEN_NUMBERS: usize = 20;
const OPEN_SKIPPED: usize = 12;
const SKIPPED: usize = 1_000;

/// The style of a chain, in addition to that of the page.
pub(crate) const STYLE: &str = include_str!("chain.css");

/// The whole of a chain, from the two runs to the places that were skipped.
pub(crate) fn write_chain(
    to: &mut String,
    summary: &Summary,
    chain: &ChainReport,
    way_back: &WayBackLink<'_>,
) -> fmt::Result {
    write_runs(to, chain)?;
    write_hint(to, chain)?;
    write_steps(to, summary, chain, way_back)?;
    write_transitions(to, chain)?;
    write_numbers(to, chain)?;
    write_candidates(to, chain)?;
    write_skipped(to, chain)
}

fn write_runs(to: &mut String, chain: &ChainReport) -> fmt::Result {
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
fn write_hint(to: &mut String, chain: &ChainReport) -> fmt::Result {
    for (number, transition) in (1..).zip(&chain.transitions) {
        let Some(interval) = transition.interval().filter(|_| chain.is_likely(transition)) else { continue };
        writeln!(
            to,
            r##"<p class="hint"><b>The first place to look at:</b> the cause changes <a href="#hands-{number}">{}</a>.</p>"##,
            escape(&interval)
        )?;
    }
    Ok(())
}

fn write_steps(
    to: &mut String,
    summary: &Summary,
    chain: &ChainReport,
    way_back: &WayBackLink<'_>,
) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    let run = summary.run.as_str();
    let groups = chain.groups();
    let is_folded = groups.len() > OPEN_GRAPHS;
    writeln!(to, "<section>\n<h2>The chain</h2>\n<ol class=\"chain\">")?;
    for group in groups.iter().take(STEPS) {
        write_step(to, group.first, &StepView { number: group.number, run, way_back, is_folded })?;
        if let Some((last, between)) = group.rest.split_last() {
            write_same(to, between, group.number + 1)?;
            write_step(
                to,
                last,
                &StepView { number: group.number + group.rest.len(), run, way_back, is_folded: true },
            )?;
        }
    }
    if let Some(next) = groups.get(STEPS) {
        let more = chain.steps.len().saturating_sub(next.number - 1);
        writeln!(to, "<li><p>{} more places are not shown.</p></li>", thousands(more as u64))?;
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

/// Places between two others that have the same causes.
fn write_same(to: &mut String, steps: &[ChainStep], first: usize) -> fmt::Result {
    let places = count(steps.len() as u64, "place");
    writeln!(to, "<li class=\"same\"><details>\n<summary>the same at {places} in between</summary>\n<ul>")?;
    for (number, step) in (first..).zip(steps) {
        let mut doubts = step.causes.iter().flat_map(VariableWords::doubts).collect::<Vec<_>>();
        doubts.dedup();
        let doubts = match doubts.is_empty() {
            true => String::new(),
            false => format!(r#" <span class="doubts">{}</span>"#, escape(&doubts.join("; "))),
        };
        writeln!(to, r#"<li id="step-{number}"><b>{number}</b> {}{doubts}</li>"#, exactly(&step.location))?;
    }
    writeln!(to, "</ul>\n</details></li>")
}

fn write_transitions(to: &mut String, chain: &ChainReport) -> fmt::Result {
    if chain.transitions.is_empty() {
        return Ok(());
    }
    writeln!(to, "<section>\n<h2>Cause transitions</h2>")?;
    if chain.transitions.len() > 1 {
        writeln!(to, "<p class=\"caption\">In the order of time.</p>")?;
    }
    for (number, transition) in (1..).zip(&chain.transitions) {
        write_transition(to, number, transition, chain.is_likely(transition))?;
    }
    writeln!(to, "</section>")
}

fn write_transition(
    to: &mut String,
    number: usize,
    transition: &TransitionFound,
    is_likely: bool,
) -> fmt::Result {
    let hands = match (transition.from.as_str(), transition.to.as_str()) {
        ("", "") => format!("{number}"),
        (from, "") => format!("From <code>{}</code>", escape(from)),
        ("", to) => format!("To <code>{}</code>", escape(to)),
        (from, to) => format!("<code>{}</code> → <code>{}</code>", escape(from), escape(to)),
    };
    let class = if is_likely { "hands likely" } else { "hands" };
    writeln!(to, "<div class=\"{class}\" id=\"hands-{number}\">\n<h3>{hands}</h3>")?;
    match transition.interval().map(|interval| escape(&interval)) {
        None => writeln!(to, "<p>The place is unknown.</p>")?,
        Some(interval) if is_likely => {
            writeln!(to, "<p><b>The first place to look at</b>, {interval}.</p>")?;
        }
        Some(interval) => writeln!(to, "<p>{interval}</p>")?,
    }
    if is_likely || transition.source.is_empty() {
        write_source(to, &transition.source, |line| transition.means(line))?;
    } else {
        writeln!(to, "<details>\n<summary>the source</summary>")?;
        write_source(to, &transition.source, |line| transition.means(line))?;
        writeln!(to, "</details>")?;
    }
    writeln!(to, "</div>")
}

/// `main (src/sample.c:35)`, as HTML.
fn exactly(location: &RunPlace) -> String {
    let place = format!("<code>{}</code>", escape(&location.place_as(&location.file)));
    match (location.function.is_empty(), location.file.is_empty()) {
        (false, false) => format!("{} ({place})", escape(&location.moment())),
        (true, false) => place,
        (_, true) => escape(&location.moment()),
    }
}

/// The numbers of Table IV of "Isolating Cause-Effect Chains from Computer Programs".
fn write_numbers(to: &mut String, chain: &ChainReport) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    let open = if chain.steps.len() <= OPEN_NUMBERS { " open" } else { "" };
    let places = count(chain.steps.len() as u64, "place");
    let has_dropped = chain.steps.iter().any(|step| step.dropped > 0);
    let dropped = if has_dropped { r#"<th class="n" scope="col">not transferable</th>"# } else { "" };
    let has_common = chain.steps.iter().any(|step| step.common.is_some());
    let common = if has_common { r#"<th class="n" scope="col">common</th>"# } else { "" };
    writeln!(
        to,
        "<section>\n<h2>The memory graphs in numbers</h2>\n<details{open}>\n<summary>{places}</summary>\n<div class=\"scroll\"><table>\n<thead><tr><th class=\"n\" scope=\"col\">step</th>\
         <th scope=\"col\">place</th><th class=\"n\" scope=\"col\">vertices</th><th class=\"n\" scope=\"col\">edges</th>\
         {common}<th class=\"n\" scope=\"col\">deltas</th>{dropped}<th class=\"n\" scope=\"col\">tests</th>\
         <th class=\"n\" scope=\"col\">relevant</th></tr></thead>\n<tbody>"
    )?;
    let shown = chain.groups().get(STEPS).map_or(chain.steps.len(), |left_out| left_out.number - 1);
    for (number, step) in (1..).zip(chain.steps.iter().take(shown)) {
        let dropped = has_dropped.then(|| thousands(step.dropped));
        // If only the two sides were run, nothing was searched.
        let tests = if step.tests > 0 { thousands(step.tests) } else { "–".to_owned() };
        let common = has_common.then(|| step.common.map_or("–".to_owned(), thousands));
        let graph = [step.vertices, step.edges].map(thousands).into_iter().chain(common);
        let numbers = graph.chain([thousands(step.deltas)]).chain(dropped);
        let numbers = numbers.chain([tests, thousands(step.deciding())]);
        let cells: Vec<String> = numbers.map(|number| format!(r#"<td class="n">{number}</td>"#)).collect();
        writeln!(
            to,
            r##"<tr><td class="n"><a href="#step-{number}">{number}</a></td><td>{}</td>{}</tr>"##,
            exactly(&step.location),
            cells.concat()
        )?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</details>\n</section>")
}

/// Where the defect can be, besides a transition that is marked.
fn write_candidates(to: &mut String, chain: &ChainReport) -> fmt::Result {
    let lines = chain.candidate_lines();
    let Some((head, places)) = lines.split_first() else { return Ok(()) };
    writeln!(to, "<section>\n<h2>{}</h2>\n<ol>", escape(head.trim_end_matches(':')))?;
    for place in places {
        writeln!(to, "<li>{}</li>", escape(place.trim_start()))?;
    }
    writeln!(to, "</ol>\n</section>")
}

fn write_skipped(to: &mut String, chain: &ChainReport) -> fmt::Result {
    let all = chain.skipped.len();
    if all == 0 {
        return Ok(());
    }
    let open = if all <= OPEN_SKIPPED { " open" } else { "" };
    let places = if all == 1 { "1 place".to_owned() } else { format!("{} places", thousands(all as u64)) };
    writeln!(
        to,
        "<section>\n<h2>Skipped</h2>\n<details{open}>\n<summary>{places} at which nothing was found</summary>\n\
         <div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">reason</th><th scope=\"col\">places</th></tr></thead>\n<tbody>"
    )?;
    for reason in chain.reasons().iter().take(SKIPPED) {
        let places: Vec<String> = reason.places.iter().take(SKIPPED).map(|place| exactly(place)).collect();
        writeln!(to, "<tr><td>{}</td><td>{}</td></tr>", escape(&reason.why), places.join(",<br>"))?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</details>\n</section>")
}
