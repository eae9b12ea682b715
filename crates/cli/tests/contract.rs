//! The promised commands, flags and exit codes (`contract.txt`) are in the help, and in the manual that is made of it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use std::collections::{BTreeMap, BTreeSet};

/// What is promised, or what a help says: for each command its flags, such as `-j, --jobs <N>`.
type Flags = BTreeMap<String, BTreeSet<String>>;

#[derive(Default)]
struct Contract {
    flags: Flags,
    exit_codes: Vec<u8>,
}

fn contract() -> Contract {
    let mut contract = Contract::default();
    let mut commands: Option<Vec<&str>> = None;
    for line in include_str!("contract.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match (line.strip_prefix("command "), line.strip_prefix("  ")) {
            (Some(names), _) => {
                commands = Some(names.split(' ').collect());
                for name in names.split(' ') {
                    contract.flags.entry(name.to_owned()).or_default();
                }
            }
            (_, Some(entry)) => match &commands {
                Some(names) => {
                    for name in names {
                        contract.flags.entry((*name).to_owned()).or_default().insert(entry.to_owned());
                    }
                }
                None => contract.exit_codes.push(entry.parse().unwrap()),
            },
            _ => {
                assert_eq!(line, "exit codes");
                commands = None;
            }
        }
    }
    contract
}

fn printed(words: &[&str]) -> String {
    let output = Place::new().howcome(words).env("COLUMNS", "400").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of a help that begin with a flag: the flag and its value, without the text.
fn flags_of(help: &str) -> BTreeSet<String> {
    let lines = help.lines().filter_map(|line| {
        let entry = line.trim_start();
        let is_flag = line.starts_with("  ") && entry.starts_with('-');
        is_flag.then(|| entry.split("  ").next().unwrap_or_default().trim().to_owned())
    });
    lines.collect()
}

#[test]
fn every_promised_flag_is_in_the_help_of_its_command() {
    for (command, promised) in contract().flags {
        let offered = flags_of(&printed(&[&command, "-h"]));
        let missing: Vec<_> = promised.difference(&offered).collect();
        assert!(missing.is_empty(), "`howcome {command} -h` lacks {missing:?}; it has {offered:#?}");
    }
}

#[test]
fn every_promised_command_is_in_the_help_and_every_offered_command_is_promised() {
    let help = printed(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Further lines of a text are indented more.
    let names = listed.filter(|line| !line.starts_with("   "));
    let offered: BTreeSet<String> =
        names.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    let mut promised: BTreeSet<String> = contract().flags.into_keys().collect();
    promised.insert("help".to_owned());
    assert_eq!(offered, promised);
}

#[test]
fn the_exit_codes_in_the_help_are_the_promised_ones() {
    let contract = contract();
    let exit_codes = |help: &str| -> Vec<u8> {
        let listed = help.lines().skip_while(|line| *line != "Exit codes:").skip(1);
        listed.map_while(|line| line.split_whitespace().next()?.parse().ok()).collect()
    };
    assert_eq!(exit_codes(&printed(&["--help"])), contract.exit_codes);
}

#[test]
fn the_manual_has_every_promised_flag_and_exit_code() {
    let contract = contract();
    for (command, promised) in &contract.flags {
        let manual = printed(&["man", command]).replace("\\-", "-").replace("\\fB", "").replace("\\fR", "");
        for flag in promised {
            let long = flag.split(' ').find(|word| word.starts_with("--")).unwrap();
            assert!(manual.contains(long), "the manual of {command} lacks {flag}");
        }
        if ["changes", "history", "items"].contains(&command.as_str()) {
            assert!(manual.contains("\n.SH SYNOPSIS\nhowcome "), "{command}: {manual}");
            assert!(manual.contains(" -- <TEST>...\n"), "{command}: {manual}");
        }
        let after = manual.split("EXIT STATUS").nth(1).unwrap();
        for code in &contract.exit_codes {
            assert!(
                after.contains(&format!(".TP\n{code}\n")),
                "the manual of {command} lacks the exit code {code}"
            );
        }
    }
}
