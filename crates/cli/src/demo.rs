//! `howcome demo`: small failing projects, and howcome's answers about them.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::streams::answer;
use clap::Args;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Make small failing projects in a temporary folder and answer the questions on them, explaining each step
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {}

const INVOICE: &str = include_str!("../demo/invoice.sh");
const CHECK: &str = include_str!("../demo/check.sh");
const SETTINGS: &str = include_str!("../demo/settings.txt");

pub(crate) fn run(_args: &DemoArgs) -> Result<Exit, Failure> {
    let folder = tempfile::Builder::new()
        .prefix("howcome-demo-")
        .tempdir()
        .map_err(|error| Failure::wrong_use(format!("no temporary folder can be made: {error}")))?;
    for (name, text) in [("invoice.sh", INVOICE), ("check.sh", CHECK), ("settings.txt", SETTINGS)] {
        write(&folder.path().join(name), text)?;
    }
    let settings = SETTINGS.lines().count();
    say(&format!(
        "A shop writes invoices with invoice.sh. It has {settings} settings, and since last night one customer's total is wrong.\n\
         check.sh writes that invoice with the settings it is given, and exits with 1 if the total is wrong.\n\
         All settings together fail, none at all pass. Which of them do it?\n"
    ));
    ask(folder.path(), &["items", "settings.txt", "--", "./check.sh"])?;
    say("That is the smallest part of the settings that still fails: neither does harm without the other.\n\
         Often a smaller question is enough: with what else as it is, which one setting decides?\n");
    ask(folder.path(), &["items", "settings.txt", "--isolate", "--", "./check.sh"])?;
    say(
        "Both runs were recorded, and can be looked at again, continued, or turned into a page to pass on:\n",
    );
    ask(folder.path(), &["runs"])?;
    say("Try it on your own failure: howcome items --help tells how. (The demo's folder is gone now.)");
    Ok(Exit::Found)
}

fn say(text: &str) {
    answer!("{text}\n");
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let made = fs::File::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.set_permissions(fs::Permissions::from_mode(0o755))
    });
    made.map_err(|error| Failure::file(path, &error))
}

/// Runs howcome as a user would, and shows how.
fn ask(folder: &Path, words: &[&str]) -> Result<(), Failure> {
    answer!("    $ howcome {}\n\n", words.join(" "));
    let howcome = std::env::current_exe().map_err(|error| Failure::wrong_use(error.to_string()))?;
    let output = Command::new(howcome)
        .args(words)
        .current_dir(folder)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|error| Failure::wrong_use(format!("howcome could not start itself: {error}")))?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        answer!("{}\n", format!("    {line}").trim_end());
    }
    answer!("\n");
    match output.status.success() {
        true => Ok(()),
        false => Err(Failure::wrong_use(format!("the demo did not work: {}", output.status)).exit(Exit::Bug)),
    }
}
