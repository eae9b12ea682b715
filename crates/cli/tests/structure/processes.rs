//! Commands of the user run under a warden: only a few files start processes in another way.

use crate::sources::crates;
use regex::Regex;

/// Who starts processes, in alphabetical order, and why that is not a command of the user without a warden.
const STARTERS: &[(&str, &str, &str)] = &[
    ("changes", "versions::git::command", "git, to read a repository"),
    ("cli", "demo", "git and howcome, for the demo"),
    ("cli", "demo::state", "a compiler, for the demo"),
    ("cli", "sandbox", "howcome itself, inside the sandbox"),
    ("cli", "serve::asking", "git, to bundle a repository for a service"),
    ("lab", "warden::confine", "a warden, inside its namespace"),
    ("lab", "warden::follow", "under a warden: a test, and gdb"),
    ("lab", "warden::handle", "wardens themselves"),
    ("lab", "warden::launch", "in a warden: tests"),
    ("sandbox", "init", "the walled-in program, as the first process of its namespace"),
    ("sandbox", "inside", "the sandbox becomes the program that it walls in"),
    ("sandbox", "probe", "a program that does nothing, to try the sandbox out"),
    ("state", "tracee::invocation", "a traced program, which the kernel ends with its tracer"),
    ("web", "supervised", "howcome itself, for a job"),
];

#[test]
fn every_command_of_the_user_runs_under_a_warden() {
    let starts = Regex::new(
        r"process::Command\b|process::\{[^}]*\bCommand\b|process::CommandExt|\bv?fork\(|\bposix_spawn|\bexecv|\bexecl|\blibc::(system|popen|clone)\b",
    )
    .unwrap();
    let mut found = Vec::new();
    for krate in crates().iter().filter(|krate| krate.name != "testing") {
        for (module, file) in &krate.files {
            let is_test = file.path.ends_with("tests.rs");
            let mut code = file.text.lines().filter(|line| !line.trim_start().starts_with("//"));
            if !is_test && code.any(|line| starts.is_match(line)) {
                found.push((krate.name.clone(), module.clone()));
            }
        }
    }
    found.sort();
    let allowed: Vec<_> =
        STARTERS.iter().map(|(krate, module, _)| ((*krate).to_owned(), (*module).to_owned())).collect();
    assert_eq!(found, allowed, "start commands of the user with `Lab` or `CommandRunner` of howcome-lab");
}
