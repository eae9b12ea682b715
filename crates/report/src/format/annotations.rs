//! The finding as annotations of GitHub: workflow commands, a line each, which show it beside the code.

use crate::Summary;
use crate::account::Account;
use crate::places::message::{Message, Severity};
use crate::places::messages::messages;
use howcome_run::words::{count, printable};
use howcome_run::{Ending, QuestionName};
use std::fmt::Write;

/// GitHub shows ten annotations of a kind for each step and drops the others silently.
const MOST: usize = 10;
/// Lines of the source below the message.
const LINES: usize = 12;

/// A line for each place, or one about the whole run if there is none.
#[must_use]
pub fn annotations(summary: &Summary) -> String {
    let messages = messages(summary);
    let mut text = String::new();
    let shown = if messages.len() > MOST { MOST - 1 } else { messages.len() };
    for message in messages.iter().take(shown) {
        write_message(&mut text, message);
    }
    match messages.get(shown..).unwrap_or_default() {
        [] if messages.is_empty() => {
            let level =
                if summary.ending == Some(Ending::Found) { Severity::Error } else { Severity::Warning };
            write_general(&mut text, level, summary, &whole(summary));
        }
        [] => {}
        [first, ..] => {
            let noun = if summary.question == QuestionName::State { "more place" } else { "more change" };
            let more = count((messages.len() - shown) as u64, noun);
            write_general(&mut text, first.severity, summary, &format!("{more} are not shown."));
        }
    }
    text
}

/// The headline, with the lines of the answer.
fn whole(summary: &Summary) -> String {
    let account = Account::of(summary);
    let mut lines = vec![account.headline];
    let named =
        account.exhibits.iter().filter(|exhibit| exhibit.is_answer).flat_map(|exhibit| &exhibit.lines);
    lines.extend(named.take(LINES).cloned());
    lines.extend(account.remarks);
    lines.join("\n")
}

fn write_general(to: &mut String, severity: Severity, summary: &Summary, message: &str) {
    let title = property(&format!("howcome {}", summary.question));
    // Writing to a string cannot fail.
    let _ = writeln!(to, "::{} title={title}::{}", level(severity), data(message));
}

fn write_message(to: &mut String, message: &Message) {
    let mut properties = vec![format!("file={}", property(&printable(&message.span.path)))];
    if let Some((first, last)) = message.span.lines {
        properties.push(format!("line={first}"));
        properties.push(format!("endLine={last}"));
    }
    properties.push(format!("title={}", property(&format!("howcome: {}", message.title))));
    let lines = &message.lines;
    let mut said = vec![message.text.clone()];
    said.extend(lines.iter().take(LINES).cloned());
    if lines.len() > LINES {
        said.push(format!("… and {}", count((lines.len() - LINES) as u64, "more line")));
    }
    // Writing to a string cannot fail.
    let _ =
        writeln!(to, "::{} {}::{}", level(message.severity), properties.join(","), data(&said.join("\n")));
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// What follows the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands before it, between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_on_its_line_and_a_property_between_its_commas() {
        assert_eq!(data("50%\r\na: b, c"), "50%25%0D%0Aa: b, c");
        assert_eq!(property("a,b:c%2C\n"), "a%2Cb%3Ac%252C%0A");
    }
}
