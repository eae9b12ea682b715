//! Revisions that a command prints and another one checks out: from anywhere but git.

use super::checkout::{Checkouts, LINES, in_lines};
use super::errand::{Errand, Errands, words};
use super::order::{Order, order};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::talk::Talk;
use clap::Args;
use howcome_changes::git::similar;
use howcome_changes::{Entry, Listed, Pool, TreePath};
use howcome_lab::{Ending, NotSeen};
use howcome_report::{printable, shell_word};
use howcome_run::Because;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Where revisions come from, if not from git.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ListedArgs {
    /// The revisions are those that CMD prints, one a line, the oldest first; for whatever is not in git. Words as in a shell,
    /// without one
    #[arg(long, value_name = "CMD", requires = "checkout")]
    revisions_from: Option<String>,
    /// What writes a revision into the empty folder that it runs in. {} in its words is the revision, as HOWCOME_REVISION is; where
    /// you stand is HOWCOME_DIR. Exit code 125: this one cannot be had and is skipped
    #[arg(long, value_name = "CMD", requires = "revisions_from")]
    checkout: Option<String>,
    /// Take the revisions in the order in which they are printed, whatever their numbers say
    #[arg(long, requires = "revisions_from")]
    in_this_order: bool,
}

/// What `run.json` keeps of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedRevisions {
    /// The words of the command that prints them.
    from: Vec<String>,
    /// The words of the command that checks one out.
    checkout: Vec<String>,
    /// Where the user stands.
    directory: PathBuf,
    /// Their names, the oldest first, as far as they are in question.
    pub(crate) names: Vec<String>,
}

/// The revisions, ready to be had: where they are kept, and who checks them out.
pub(crate) struct Opened {
    names: Vec<String>,
    pool: Pool,
    checkouts: Arc<Checkouts>,
}

impl Opened {
    /// The revisions as a line, with what every one of them has.
    pub(crate) fn line(&self, pinned: Vec<(TreePath, Entry)>) -> Arc<Listed> {
        Arc::new(Listed::new(self.names.clone(), self.pool.clone(), self.checkouts.fetch(), pinned))
    }

    /// Keeps them in the folder of a run from now on, so that it can be resumed.
    pub(crate) fn keep_in(&self, run: &Path) -> Result<(), Failure> {
        let place = place(run);
        self.pool.move_to(&place).map_err(|error| Failure::file(&place, &error))
    }

    /// The error, if what ended the run is that a revision could not be checked out.
    pub(crate) fn failure(&self, because: &Because) -> Option<Failure> {
        self.checkouts.failure(because)
    }
}

fn place(run: &Path) -> PathBuf {
    run.join("revisions")
}

impl ListedArgs {
    /// The revisions from `--back-to` to `--bad`; `None` where they come from git.
    pub(crate) fn read(
        &self,
        bad: Option<&OsStr>,
        back_to: Option<&OsStr>,
        stands: &Path,
    ) -> Result<Option<ListedRevisions>, Failure> {
        let (Some(command), Some(checkout)) = (&self.revisions_from, &self.checkout) else { return Ok(None) };
        let from = words(command, "--revisions-from", stands)?;
        let checkout = words(checkout, "--checkout", stands)?;
        let names = names(&printed_by(&from, stands)?)?;
        if !self.in_this_order {
            in_order(&names, command)?;
        }
        let names = between(names, bad, back_to)?;
        Ok(Some(ListedRevisions { from, checkout, directory: stands.to_owned(), names }))
    }
}

impl ListedRevisions {
    /// Looks, before a run goes on, whether the revisions are still what they were. New ones behind them do not matter.
    ///
    /// Where they cannot be listed any more, which may not matter either, for they may all be at hand, that is said.
    pub(crate) fn look_again(&self, talk: &Talk) -> Result<(), Failure> {
        let now = match printed_by(&self.from, &self.directory) {
            Err(failure) if failure.code() == Exit::Stopped => return Err(failure),
            Err(_) => {
                talk.warn(
                    "the revisions cannot be listed any more; the run goes on with those that it began with",
                );
                return Ok(());
            }
            Ok(printed) => names(&printed)?,
        };
        let places: HashMap<&str, usize> =
            now.iter().enumerate().map(|(place, name)| (&**name, place)).collect();
        let changed = |what: String| {
            Err(Failure::wrong_use(format!("the revisions have changed since the run began: {what}"))
                .hint("start a new run"))
        };
        let mut before: Option<(usize, &str)> = None;
        for name in &self.names {
            match (places.get(&**name), before) {
                (None, _) => return changed(format!("{} is gone", printable(name))),
                (Some(place), Some((last, one))) if *place < last => {
                    return changed(format!("{} now comes before {}", printable(name), printable(one)));
                }
                (Some(place), Some((last, one))) if *place > last + 1 => {
                    let between = printable(&now[last + 1]);
                    return changed(format!(
                        "{between} has come between {} and {}",
                        printable(one),
                        printable(name)
                    ));
                }
                (Some(place), _) => before = Some((*place, name)),
            }
        }
        Ok(())
    }

    /// Makes them ready. They are kept in the folder of the run, or for the time being elsewhere.
    pub(crate) fn open(&self, run: Option<&Path>) -> Result<Opened, Failure> {
        let checkouts = Checkouts::new(&self.checkout, &self.directory)?;
        let folder = match run {
            Some(run) => place(run),
            None => checkouts.temporary_folder()?,
        };
        Ok(Opened { names: self.names.clone(), pool: Pool::new(&folder), checkouts })
    }
}

/// A command that lists revisions for longer hangs.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// What a command prints where the user stands.
fn printed_by(words: &[String], stands: &Path) -> Result<Vec<u8>, Failure> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(Failure::wrong_use("run.json names no command that lists revisions"));
    };
    let errand = Errand {
        program: program.into(),
        arguments: arguments.iter().map(Into::into).collect(),
        environment: vec![("HOWCOME_DIR".into(), stands.into())],
        directory: Some(stands.to_owned()),
    };
    let failed = |why: String| {
        Failure::wrong_use(format!("the revisions cannot be listed: {} {why}", words.join(" ")))
    };
    let seen = match Errands::new(PATIENCE)?.run(errand) {
        Ok(seen) => seen,
        Err(NotSeen::Interrupted) => {
            return Err(Failure::wrong_use("interrupted while the revisions were listed").exit(Exit::Stopped));
        }
        Err(NotSeen::Because(because)) => return Err(failed(because.to_string())),
    };
    match seen.ending.plain() {
        Ending::Exit(0) if seen.stdout.skipped() > 0 => Err(failed("prints without end".to_owned())),
        Ending::Exit(0) => Ok(seen.stdout.pieces().collect::<Vec<_>>().concat()),
        ending => Err(failed(format!("ended with {ending}{}", in_lines(&seen.last_lines(LINES))))
            .hint("try it where you stand; it is --revisions-from")),
    }
}

/// The names in what was printed.
fn names(printed: &[u8]) -> Result<Vec<String>, Failure> {
    let mut names: Vec<String> = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (line, bytes) in (1_usize..).zip(printed.split(|byte| *byte == b'\n')) {
        let wrong = |what: &str| Failure::wrong_use(format!("line {line} of the list of revisions {what}"));
        let name = std::str::from_utf8(bytes).map_err(|_| wrong("is no UTF-8"))?.trim();
        if name.is_empty() {
            continue;
        }
        if name.contains('\0') {
            return Err(wrong("holds a NUL byte").hint("print names with a newline behind each of them"));
        }
        if let Some(before) = lines.insert(name.to_owned(), line) {
            return Err(wrong(&format!("is {} again, as line {before} was", printable(name)))
                .hint("print each revision once: --revisions-from"));
        }
        names.push(name.to_owned());
    }
    if names.is_empty() {
        return Err(Failure::wrong_use("the list of revisions is empty").hint(
            "--revisions-from CMD prints them, one a line, the oldest first; try CMD where you stand",
        ));
    }
    Ok(names)
}

/// Names whose numbers say that they are in another order are probably not meant so.
fn in_order(names: &[String], command: &str) -> Result<(), Failure> {
    let piped = |filter: &str| {
        format!("--revisions-from {}, or add --in-this-order if it is meant so", piped(command, filter))
    };
    match order(names) {
        Order::OldestFirst => Ok(()),
        Order::NewestFirst => Err(Failure::wrong_use(
            "the list of revisions begins with the newest one; the oldest must be first",
        )
        .hint(piped("tac"))),
        Order::Mixed(before, name) => Err(Failure::wrong_use(format!(
            "the list of revisions is out of order: {} comes before {}",
            printable(before),
            printable(name)
        ))
        .hint(piped("sort -V"))),
    }
}

/// The same command with its output through a filter, for a command line.
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

/// The names from one to another.
fn between(
    mut names: Vec<String>,
    bad: Option<&OsStr>,
    back_to: Option<&OsStr>,
) -> Result<Vec<String>, Failure> {
    let place = |flag: &str, wanted: Option<&OsStr>| {
        let Some(wanted) = wanted.map(OsStr::to_string_lossy) else { return Ok(None) };
        match names.iter().position(|name| *name == wanted) {
            Some(place) => Ok(Some(place)),
            None => {
                let failure = Failure::wrong_use(format!(
                    "{flag} {}: there is no such revision in the list",
                    printable(&wanted)
                ));
                let near = similar(&wanted, names.iter().map(String::as_str));
                Err(match near.is_empty() {
                    true => failure,
                    false => failure.hint(format!("did you mean {}?", near.join(", "))),
                })
            }
        }
    };
    let last = place("--bad", bad)?.unwrap_or(names.len().saturating_sub(1));
    let first = place("--back-to", back_to)?.unwrap_or(0);
    if first > last {
        return Err(Failure::wrong_use(format!(
            "--back-to {} comes after --bad {}",
            printable(&names[first]),
            printable(&names[last])
        ))
        .hint("the walk goes from --bad back to an older revision"));
    }
    names.truncate(last + 1);
    Ok(names.split_off(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
        result.unwrap_err().to_string()
    }

    fn list(names: &str) -> Vec<String> {
        names.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn blank_lines_and_blanks_around_names_do_not_matter() {
        assert_eq!(names(b"\n 1.0\r\n\n1.1 beta\n\t\n1.2").unwrap(), ["1.0", "1.1 beta", "1.2"]);
    }

    #[test]
    fn a_list_that_cannot_be_one_is_refused_with_the_line() {
        assert!(message(names(b" \n\n")).contains("is empty"));
        assert!(
            message(names(b"1\n2\n\n1\n"))
                .contains("line 4 of the list of revisions is 1 again, as line 1 was")
        );
        assert!(message(names(b"1\n\xff\n")).contains("line 2 of the list of revisions is no UTF-8"));
        assert!(message(names(b"1\02\0")).contains("NUL"));
    }

    #[test]
    fn a_list_in_another_order_is_refused_with_the_command_that_mends_it() {
        let newest = message(in_order(&list("1.10 1.9"), "ls"));
        assert!(newest.contains("begins with the newest") && newest.contains("ls | tac"), "{newest}");
        let mixed = message(in_order(&list("1.1 1.10 1.9"), "ls"));
        assert!(mixed.contains("1.10 comes before 1.9") && mixed.contains("ls | sort -V"), "{mixed}");
        assert_eq!(piped("ls -1", "tac"), r#""sh -c 'ls -1 | tac'""#);
        assert_eq!(piped("sh -c 'ls | cut -c2-'", "tac"), r#""sh -c 'ls | cut -c2- | tac'""#);
        in_order(&list("1.1 1.9 1.10"), "ls").unwrap();
    }

    #[test]
    fn the_walk_is_between_two_names_of_the_list() {
        let all = list("1.0 1.1 1.2 1.3");
        let some =
            |bad: &str, back: &str| between(all.clone(), Some(OsStr::new(bad)), Some(OsStr::new(back)));
        assert_eq!(between(all.clone(), None, None).unwrap(), all);
        assert_eq!(some("1.2", "1.1").unwrap(), ["1.1", "1.2"]);
        assert_eq!(some("1.2", "1.2").unwrap(), ["1.2"]);
        assert!(message(some("1.1", "1.2")).contains("--back-to 1.2 comes after --bad 1.1"));
        assert!(message(some("1.33", "1.2")).contains("did you mean 1.3"));
    }
}
