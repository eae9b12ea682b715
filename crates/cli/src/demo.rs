//! `howcome demo`: small failing projects, and howcome's answers about them. The projects for `history` and `state` have files
//! of their own.

pub(crate) mod history;
pub(crate) mod state;

use crate::exit::Exit;
use crate::streams::answer;
use clap::Args;
use howcome_run::Problem;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Make small failing projects in a temporary folder and answer the questions on them, explaining each step
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {}

pub(crate) const TILL_CHECK: &str = include_str!("../demo/till/check.sh");
pub(crate) const COUNT_CHECK: &str = include_str!("../demo/till/check-count.sh");
pub(crate) const INVOICE: &str = include_str!("../demo/invoice.sh");
pub(crate) const CHECK: &str = include_str!("../demo/check.sh");
pub(crate) const SETTINGS: &str = include_str!("../demo/settings.txt");
pub(crate) const PRICES: &str = include_str!("../demo/order/prices.sh");
pub(crate) const ORDER: &str = include_str!("../demo/order/order.json");

pub(crate) fn run(_args: &DemoArgs) -> Result<Exit, Problem> {
    let folder = tempfile::Builder::new()
        .prefix("howcome-demo-")
        .tempdir()
        .map_err(|error| Problem::new(format!("cannot make a temporary folder: {error}")))?;
    if which_change(&folder.path().join("till"))? {
        if_none_passes(&folder.path().join("till"))?;
    }
    which_input(&folder.path().join("order"))?;
    state::how_it_came_to_fail(&folder.path().join("list"))?;
    which_items(&folder.path().join("invoice"))?;
    say(
        "Try it on your own failure: howcome changes --help, history --help, input --help, state --help and\n\
         items --help tell how.\n\
         (The demo's folder is gone now.)",
    );
    Ok(Exit::Found)
}

/// Which change broke it? Whether there is a repository to ask more of.
fn which_change(folder: &Path) -> Result<bool, Problem> {
    say("WHICH CHANGE BROKE IT?\n");
    make_folder(folder)?;
    if let Err(why) = make_repository(folder) {
        say(&format!("For this question the demo makes a git repository, which it cannot do here: {why}\n"));
        return Ok(false);
    }
    write(&folder.join("check.sh"), TILL_CHECK)?;
    say(&format!(
        "A shop has a till, till.awk, and a git repository with {} commits since v1.0. Since some day, ten pens cost 10.00\n\
         and not 9.00: the discount is gone. check.sh exits with 1 where that is so, with 0 where it is not, and with 125\n\
         where the till does not work at all. v1.0 passes, HEAD fails. Which line did it?\n",
        history::COMMITS
    ));
    ask(folder, &["changes", "--good", "v1.0", "--bad", "HEAD", "--run-dir", "run", "--", "./check.sh"])?;
    say(
        "`git bisect` would have stopped at that commit, which changes a dozen lines and says that it only tidies up.\n\
         How it was found: first the commit, then the lines in it. ✗ fails, ✓ passes, ? cannot be judged.\n",
    );
    ask(folder, &["show", "run", "--trail"])?;
    say("The lines are also there as a patch: `git apply -R run/culprit.patch` takes them back.\n");
    Ok(true)
}

/// And if no old revision passes as it is?
fn if_none_passes(folder: &Path) -> Result<(), Problem> {
    say("AND IF NO OLD VERSION PASSES?\n");
    write(&folder.join("check-count.sh"), COUNT_CHECK)?;
    say(
        "Somebody else has seen it, too, and has written check-count.sh: it says `10x pen`, as one may since last month, and exits with 1\n\
         where that costs 10.00. But v1.0 has never heard of `10x`: there it costs 0.00, and the test exits with 2. No old version\n\
         passes it, so there is nothing to begin a bisection with. What can be done?\n",
    );
    ask(folder, &["history", "--run-dir", "past", "--", "./check-count.sh"])?;
    say("Step by step. ✗ fails as today, ✓ passes, ? ends differently:\n");
    ask(folder, &["show", "past", "--trail"])?;
    say(
        "`walk`: the oldest revision ends differently; so back from HEAD in strides, the longer the better, to the oldest one that fails as\n\
         today. The one before it does not know `10x`; what it takes to make it fail as today is carried along from there, as a\n\
         patch. `walk 2`: with the patch the oldest revision passes; the rest is bisection (21 does not work at all, and is passed over).\n\
         `back-port`: no line of the patch can be left out. `hunks`, `lines`: the cause, as above. `forward`: HEAD passes without\n\
         it, with `git apply past/forward.patch`.\n",
    );
    Ok(())
}

/// Which part of the input?
fn which_input(folder: &Path) -> Result<(), Problem> {
    say("WHICH PART OF THE INPUT?\n");
    make_folder(folder)?;
    for (name, text) in [("prices.sh", PRICES), ("order.json", ORDER)] {
        write(&folder.join(name), text)?;
    }
    say(&format!(
        "The shop's prices.sh prints what one piece of each article in an order costs. It dies of one order, of {} lines.\n\
         What in it does that? No script is needed: whatever prices.sh does with the whole order is the failure.\n",
        ORDER.lines().count()
    ));
    ask(folder, &["input", "order.json", "--run-dir", "run", "--", "./prices.sh", "{}"])?;
    say(
        "Somebody has ordered none of something. The order itself is as it was; what is left of it is in order.min.json.\n\
         Each step on the way is kept: the number of its test, what was left, and the pass that took the rest away.\n",
    );
    ask(folder, &["show", "run", "--history"])
}

/// Which items of a list?
fn which_items(folder: &Path) -> Result<(), Problem> {
    say("WHICH OF THESE THINGS?\n");
    make_folder(folder)?;
    for (name, text) in [("invoice.sh", INVOICE), ("check.sh", CHECK), ("settings.txt", SETTINGS)] {
        write(&folder.join(name), text)?;
    }
    let settings = SETTINGS.lines().count();
    say(&format!(
        "The shop writes invoices with invoice.sh. It has {settings} settings, and since last night one customer's total is wrong.\n\
         check.sh writes that invoice with the settings it is given, and exits with 1 if the total is wrong.\n\
         All settings together fail, none at all pass. Which of them do it?\n"
    ));
    ask(folder, &["items", "settings.txt", "--", "./check.sh"])?;
    say("That is the smallest part of the settings that still fails: neither does harm without the other.\n\
         Often a smaller question is enough: with what else as it is, which one setting decides?\n");
    ask(folder, &["items", "settings.txt", "--isolate", "--", "./check.sh"])?;
    say(
        "Both runs were recorded, and can be looked at again, continued, or turned into a page to pass on:\n",
    );
    ask(folder, &["runs"])
}

fn say(text: &str) {
    answer!("{text}\n");
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    let made = fs::File::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::Permissions::from_mode(0o755))
    });
    made.map_err(|error| Problem::with_file(path, &error))
}

fn make_folder(path: &Path) -> Result<(), Problem> {
    fs::create_dir(path).map_err(|error| Problem::with_file(path, &error))
}

/// Makes the repository of the till, or says why that cannot be.
fn make_repository(folder: &Path) -> Result<(), String> {
    // Without a template, so without hooks.
    git(folder, &["init", "-q", "--template="], "")?;
    git(folder, &["fast-import", "--quiet"], &history::as_stream())?;
    git(folder, &["symbolic-ref", "HEAD", "refs/heads/main"], "")?;
    git(folder, &["reset", "-q", "--hard"], "")
}

/// Runs git with nothing of the user's settings, and of a repository that the demo may have been started from.
fn git(folder: &Path, words: &[&str], input: &str) -> Result<(), String> {
    let mut git = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"] {
        git.env_remove(variable);
    }
    let mut git = git
        .args(words)
        .current_dir(folder)
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "git is not installed.".to_owned(),
            _ => format!("cannot start git: {error}"),
        })?;
    // If git does not read it all, it says why.
    let _ = git.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    let output = git.wait_with_output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// Runs howcome as a user would, and shows how.
fn ask(folder: &Path, words: &[&str]) -> Result<(), Problem> {
    match may_ask(folder, words)? {
        true => Ok(()),
        false => Err(Problem::new("the demo did not work").of_kind(howcome_run::ProblemKind::Bug)),
    }
}

/// The same for a question that not every machine can answer: whether it was answered.
fn may_ask(folder: &Path, words: &[&str]) -> Result<bool, Problem> {
    let quoted = |word: &&str| if word.contains(' ') { format!("'{word}'") } else { (*word).to_owned() };
    answer!("    $ howcome {}\n\n", words.iter().map(quoted).collect::<Vec<_>>().join(" "));
    let howcome = std::env::current_exe().map_err(|error| Problem::new(error.to_string()))?;
    let output = Command::new(howcome)
        .args(words)
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Problem::new(format!("howcome cannot start itself: {error}")))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        answer!("{}\n", format!("    {line}").trim_end());
    }
    answer!("\n");
    Ok(output.status.success())
}
