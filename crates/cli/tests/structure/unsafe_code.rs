//! Unsafe code is in few files, and each block says why it is sound.

use crate::sources::crates;

/// The files with unsafe code, in alphabetical order, and what for. Whoever adds one has read its blocks once more.
const FILES: &[(&str, &str, &str)] = &[
    ("cli", "interrupts", "signals are ignored, or as usual again"),
    ("lab", "file_limit", "a signal is handled by doing nothing"),
    ("lab", "placement", "a flag of a folder"),
    ("lab", "warden::confine", "a fork of a process with one thread"),
    ("lab", "warden::environment", "the environment of a process with one thread"),
    ("lab", "warden::follow", "ptrace, with signals that `nix` does not know"),
    ("lab", "warden::launch", "a process that shares memory until it becomes the test"),
    ("lab", "warden::reap", "wait4, with signals that `nix` does not know"),
    ("sandbox", "inside", "signals are ignored, or as usual again"),
    ("state", "debug::bytes", "files in memory, and slices of them that live as long"),
    ("state", "tracee::filter", "a filter of system calls"),
    ("state", "tracee::invocation", "what happens between fork and exec"),
    ("state", "tracee::process", "ptrace and waitpid, with signals that `nix` does not know"),
    ("state", "tracee::watchdog", "a handle of a process"),
    ("web", "supervised", "what happens between fork and exec"),
];

#[test]
fn unsafe_code_is_only_in_the_listed_files_and_explains_itself() {
    let mut found = Vec::new();
    for krate in crates() {
        for (module, file) in &krate.files {
            let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
            let is_unsafe = |line: &&str| line.contains("unsafe {") && !line.starts_with("//");
            if lines.iter().any(is_unsafe) {
                found.push((krate.name.clone(), module.clone()));
            }
            let blocks = lines.iter().filter(|line| is_unsafe(line)).count();
            let reasons = lines.iter().filter(|line| line.starts_with("// SAFETY: ")).count();
            assert!(reasons >= blocks, "{}: a block has no comment `// SAFETY: …`", file.path.display());
        }
    }
    found.sort();
    let listed: Vec<_> =
        FILES.iter().map(|(krate, module, _)| ((*krate).to_owned(), (*module).to_owned())).collect();
    assert_eq!(found, listed);
}
