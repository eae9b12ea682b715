//! The names in a list of revisions: read, checked, and cut to the range of a walk.

use super::name_order::{NameOrder, order_of};
use crate::versions::git::similar;
use howcome_run::Problem;
use howcome_run::words::{printable, shell_word};
use std::collections::HashMap;
use std::ffi::OsStr;

/// Reads the names that a command printed, one a line.
pub(super) fn read_names(printed: &[u8]) -> Result<Vec<String>, Problem> {
    let mut names: Vec<String> = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (line, bytes) in (1_usize..).zip(printed.split(|byte| *byte == b'\n')) {
        let wrong = |what: &str| Problem::new(format!("line {line} of the list of revisions {what}"));
        let name = std::str::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?.trim();
        if name.is_empty() {
            continue;
        }
        if name.contains('\0') {
            return Err(wrong("holds a NUL byte").hint("print each name on a line of its own"));
        }
        if let Some(before) = lines.insert(name.to_owned(), line) {
            return Err(wrong(&format!("repeats {}, which is on line {before}", printable(name)))
                .hint("--revisions-from has to print each revision once"));
        }
        names.push(name.to_owned());
    }
    if names.is_empty() {
        return Err(Problem::new("the list of revisions is empty").hint(
            "--revisions-from CMD has to print one revision per line, the oldest first; run CMD in this folder to see what it prints",
        ));
    }
    Ok(names)
}

/// Refuses names whose numbers say that the oldest revision is not the first.
pub(super) fn check_order(names: &[String], command: &str) -> Result<(), Problem> {
    let piped = |filter: &str| {
        format!("--revisions-from {}, or add --in-this-order if the order is right", piped(command, filter))
    };
    match order_of(names) {
        NameOrder::OldestFirst => Ok(()),
        NameOrder::NewestFirst => {
            Err(Problem::new("the list of revisions begins with the newest one; the oldest must be first")
                .hint(piped("tac")))
        }
        NameOrder::Mixed(before, name) => Err(Problem::new(format!(
            "the list of revisions is out of order: {} comes before {}",
            printable(before),
            printable(name)
        ))
        .hint(piped("sort -V"))),
    }
}

/// A command whose output goes through a filter, for a command line.
fn piped(command: &str, filter: &str) -> String {
    let words = shlex::split(command).unwrap_or_default();
    let script = match words.as_slice() {
        [shell, flag, script] if shell == "sh" && flag == "-c" => script.as_str(),
        _ => command,
    };
    let words = format!("sh -c {}", shell_word(&format!("{script} | {filter}")));
    // Quotes within quotes of the same kind can hardly be read.
    match words.contains(['"', '$', '`', '\\', '!']) {
        true => shell_word(&words),
        false => format!("\"{words}\""),
    }
}

/// The names from `back_to` to `bad`.
pub(super) fn names_between(
    mut names: Vec<String>,
    bad: Option<&OsStr>,
    back_to: Option<&OsStr>,
) -> Result<Vec<String>, Problem> {
    let place = |flag: &str, wanted: Option<&OsStr>| {
        let Some(wanted) = wanted.map(OsStr::to_string_lossy) else { return Ok(None) };
        match names.iter().position(|name| *name == wanted) {
            Some(place) => Ok(Some(place)),
            None => {
                let problem =
                    Problem::new(format!("{flag} {}: no such revision in the list", printable(&wanted)));
                let near = similar(&wanted, names.iter().map(String::as_str));
                Err(match near.is_empty() {
                    true => problem,
                    false => problem.hint(format!("did you mean {}?", near.join(", "))),
                })
            }
        }
    };
    let last = place("--bad", bad)?.unwrap_or(names.len().saturating_sub(1));
    let first = place("--back-to", back_to)?.unwrap_or(0);
    if first > last {
        return Err(Problem::new(format!(
            "--back-to {} comes after --bad {}",
            printable(&names[first]),
            printable(&names[last])
        ))
        .hint("--bad is the newest revision of the walk, --back-to the oldest"));
    }
    names.truncate(last + 1);
    Ok(names.split_off(first))
}

/// How a list has changed, in words. New names before the first or after the last one do not matter.
pub(super) fn describe_change(before: &[String], now: &[String]) -> Option<String> {
    let places: HashMap<&str, usize> = now.iter().map(String::as_str).zip(0..).collect();
    let mut last: Option<(usize, &str)> = None;
    for name in before {
        match (places.get(name.as_str()).copied(), last) {
            (None, _) => return Some(format!("{} is gone", printable(name))),
            (Some(place), Some((before, one))) if place < before => {
                return Some(format!("{} now comes before {}", printable(name), printable(one)));
            }
            (Some(place), Some((before, one))) if place > before + 1 => {
                let new = printable(&now[before + 1]);
                return Some(format!("{new} is new between {} and {}", printable(one), printable(name)));
            }
            (Some(place), _) => last = Some((place, name)),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Problem>) -> String {
        result.unwrap_err().to_string()
    }

    fn list(names: &str) -> Vec<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn blank_lines_and_blanks_around_names_do_not_matter() {
        assert_eq!(read_names(b"\n 1.0\r\n\n1.1 beta\n\t\n1.2").unwrap(), ["1.0", "1.1 beta", "1.2"]);
    }

    #[test]
    fn a_list_that_cannot_be_one_is_refused_with_the_line() {
        assert!(message(read_names(b" \n\n")).contains("is empty"));
        assert!(
            message(read_names(b"1\n2\n\n1\n"))
                .contains("line 4 of the list of revisions repeats 1, which is on line 1")
        );
        assert!(message(read_names(b"1\n\xff\n")).contains("line 2 of the list of revisions is not UTF-8"));
        assert!(message(read_names(b"a\0b\0")).contains("NUL"));
    }

    #[test]
    fn a_list_in_another_order_is_refused_with_a_command_that_sorts_it() {
        let newest = message(check_order(&list("1.10 1.9"), "ls"));
        assert!(newest.contains("begins with the newest") && newest.contains("ls | tac"), "{newest}");
        let mixed = message(check_order(&list("1.1 1.10 1.9"), "ls"));
        assert!(mixed.contains("1.10 comes before 1.9") && mixed.contains("ls | sort -V"), "{mixed}");
        assert_eq!(piped("ls -1", "tac"), r#""sh -c 'ls -1 | tac'""#);
        assert_eq!(piped("sh -c 'ls | cut -c2-'", "tac"), r#""sh -c 'ls | cut -c2- | tac'""#);
        check_order(&list("1.1 1.9 1.10"), "ls").unwrap();
    }

    #[test]
    fn the_walk_is_between_two_names_of_the_list() {
        let all = list("1.0 1.1 1.2 1.3");
        let some =
            |bad: &str, back: &str| names_between(all.clone(), Some(OsStr::new(bad)), Some(OsStr::new(back)));
        assert_eq!(names_between(all.clone(), None, None).unwrap(), all);
        assert_eq!(some("1.2", "1.1").unwrap(), ["1.1", "1.2"]);
        assert_eq!(some("1.2", "1.2").unwrap(), ["1.2"]);
        assert!(message(some("1.1", "1.2")).contains("--back-to 1.2 comes after --bad 1.1"));
        assert!(message(some("1.33", "1.2")).contains("did you mean 1.3"));
    }

    #[test]
    fn only_what_happens_to_names_that_are_in_question_is_a_change() {
        let before = list("1.1 1.2 1.3");
        let what = |now: &str| describe_change(&before, &list(now)).unwrap_or_default();
        assert_eq!(what("1.0 1.1 1.2 1.3 1.4"), "");
        assert_eq!(what("1.1 1.3"), "1.2 is gone");
        assert_eq!(what("1.2 1.1 1.3"), "1.2 now comes before 1.1");
        assert_eq!(what("1.1 1.1.1 1.2 1.3"), "1.1.1 is new between 1.1 and 1.2");
    }
}
