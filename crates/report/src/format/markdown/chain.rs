//! A cause-effect chain in Markdown: a table, the transitions, and the skipped places.

use crate::finding::chain::{ChainReport, PlaceWords, StepWords, TransitionWords, VariableWords};
use crate::format::markdown::markup::{code, escape, write_fenced};
use howcome_run::words::{count, printable, printable_lines, thousands};
use howcome_run::{ChainStep, TransitionFound};
use std::fmt::{self, Write};

/// Bug trackers reject long texts.
const ROWS: usize = 200;
const SOURCE_LINES: usize = 60;

/// More places are only counted.
const PLACES: usize = 12;

/// The chain, the transitions, and the skipped places.
pub(crate) fn write_chain(to: &mut String, chain: &ChainReport) -> fmt::Result {
    match chain.both_outcomes().filter(|_| chain.steps.is_empty()) {
        Some(both) => writeln!(to, "\n{}", escape(&both))?,
        None => write_table(to, chain)?,
    }
    write_transitions(to, chain)?;
    write_candidates(to, chain)?;
    write_skipped(to, chain)
}

/// A row for each cause, the outcome last.
fn write_table(to: &mut String, chain: &ChainReport) -> fmt::Result {
    if chain.steps.is_empty() {
        return Ok(());
    }
    writeln!(to, "\n| | at | cause | instead of | confirmed | tests |")?;
    writeln!(to, "|--:|---|---|---|---|--:|")?;
    let groups = chain.groups();
    for group in groups.iter().take(ROWS) {
        write_step(to, group.number, group.first)?;
        if let Some(folded) = group.folded() {
            let (first, last) = (group.number + 1, group.number + group.rest.len());
            let confirmed = group.otherwise_confirmed().unwrap_or_default();
            let (folded, tests) = (escape(&folded), tests(group.tests()));
            writeln!(to, "| {first}–{last} | {folded} | | | {confirmed} | {tests} |")?;
        }
    }
    if let Some(next) = groups.get(ROWS) {
        let more = chain.steps.len().saturating_sub(next.number - 1);
        writeln!(to, "| | … and {} more places | | | | |", thousands(more as u64))?;
    }
    if !chain.outcome.failing.is_empty() {
        let (failing, passing) = (escape(&printable(&chain.outcome.failing)), escape(&chain.other_outcome()));
        writeln!(to, "| | therefore | **{failing}** | {passing} | | |")?;
    }
    Ok(())
}

/// Empty if only the two sides were run.
fn tests(tests: u64) -> String {
    if tests > 0 { thousands(tests) } else { String::new() }
}

fn write_transitions(to: &mut String, chain: &ChainReport) -> fmt::Result {
    if let [only] = chain.transitions.as_slice() {
        if let Some(sentence) = only.sentence() {
            writeln!(to, "\n{}", escape(&sentence))?;
        }
        return write_source(to, only);
    }
    let known = chain.transitions.iter().filter_map(|transition| Some((transition, transition.interval()?)));
    for (number, (transition, interval)) in known.clone().enumerate() {
        if number == 0 {
            writeln!(to, "\nThe cause changes, in the order of time:\n")?;
        }
        writeln!(to, "{}. {} {}", number + 1, code(&transition.hands()), escape(&interval))?;
    }
    known.filter(|(known, _)| chain.is_likely(known)).try_for_each(|(known, _)| write_source(to, known))
}

/// The lines between which it happens, with their numbers.
fn write_source(to: &mut String, transition: &TransitionFound) -> fmt::Result {
    let lines: Vec<String> = transition
        .source
        .iter()
        .take(SOURCE_LINES)
        .map(|line| {
            let mark = if transition.means(line) { '>' } else { ' ' };
            let number = line.line.map(|line| line.to_string()).unwrap_or_default();
            format!("{mark} {number:>5}  {}", printable_lines(&line.text).join(" ")).trim_end().to_owned()
        })
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(to)?;
    write_fenced(to, "text", &lines.join("\n"))
}

/// Where the defect can be, besides a transition that is marked.
fn write_candidates(to: &mut String, chain: &ChainReport) -> fmt::Result {
    let lines = chain.candidate_lines();
    for (number, line) in lines.iter().enumerate() {
        match number {
            0 => writeln!(to, "\n{}\n", escape(line))?,
            _ => writeln!(to, "- {}", escape(line.trim_start()))?,
        }
    }
    Ok(())
}

fn write_skipped(to: &mut String, chain: &ChainReport) -> fmt::Result {
    let reasons = chain.reasons();
    if !reasons.is_empty() {
        writeln!(to, "\nSkipped:\n")?;
    }
    for reason in reasons.iter().take(ROWS) {
        let places: Vec<String> =
            reason.places.iter().take(PLACES).map(|place| escape(&place.in_full())).collect();
        let more = match reason.places.len().saturating_sub(PLACES) {
            0 => String::new(),
            more => format!(" and {} more", thousands(more as u64)),
        };
        let places = places.join(", ");
        match reason.places.len() as u64 {
            1 => writeln!(to, "- at {places}: {}", escape(&reason.why))?,
            all => writeln!(to, "- at {} ({places}{more}): {}", count(all, "place"), escape(&reason.why))?,
        }
    }
    Ok(())
}

fn write_step(to: &mut String, number: usize, step: &ChainStep) -> fmt::Result {
    let tests = tests(step.tests);
    let place = match step.location.place() {
        Some(place) if !step.location.function.is_empty() => {
            format!("{} {}", escape(&step.location.moment()), cell(&place))
        }
        _ => escape(&step.location.moment()),
    };
    if step.causes.is_empty() {
        writeln!(to, "| {number} | {place} | not narrowed down | | | {tests} |")?;
    }
    let of_all = step.doubts_of_all();
    for (row, cause) in step.causes.iter().enumerate() {
        let confirmed = match &of_all {
            Some(_) if row > 0 => String::new(),
            Some(doubts) => confirmed(doubts, step.aside()),
            None => confirmed(&cause.doubts(), step.aside().filter(|_| row == 0)),
        };
        let (number, place, tests) = if row == 0 {
            (number.to_string(), place.as_str(), tests.as_str())
        } else {
            (String::new(), "and", "")
        };
        writeln!(
            to,
            "| {number} | {place} | {} | {} | {confirmed} | {tests} |",
            cell(&cause.statement()),
            cell(&cause.passing_value())
        )?;
    }
    Ok(())
}

fn confirmed(doubts: &[&str], aside: Option<&str>) -> String {
    let confirmed = if doubts.is_empty() { &["yes"] } else { doubts };
    confirmed.iter().copied().chain(aside).collect::<Vec<_>>().join("; ")
}

/// Code within a table, where a bar would end the cell even so.
fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}
