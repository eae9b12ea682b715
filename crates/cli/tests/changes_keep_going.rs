//! A build that does not work shows all of its errors, not only the first ones: `howcome changes` tells it to keep going.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use std::fs;

/// A function with one more argument in the bad version, and two callers of it in files of their own.
fn program() -> Repo {
    let repo = Repo::new();
    let rules: String =
        ["a", "b", "main"].map(|name| format!("build {name}.o: cc {name}.c | f.h\n")).concat();
    let ninja = format!(
        "rule cc\n  command = cc -c -o $out $in\nrule link\n  command = cc -o $out $in\n{rules}build prog: link a.o b.o main.o\n"
    );
    repo.write("build.ninja", ninja.as_bytes());
    repo.write(
        "CMakeLists.txt",
        b"cmake_minimum_required(VERSION 3.10)\nproject(prog C)\nadd_executable(prog a.c b.c main.c)\n",
    );
    repo.write("main.c", b"#include \"f.h\"\nint a(void), b(void);\nint main(void) { return a() + b(); }\n");
    for (argument, parameter, result) in [("", "", 0), (", 1", ", int more", 1)] {
        repo.write("f.h", format!("static inline int f(int n{parameter}) {{ return n; }}\n").as_bytes());
        for name in ["a", "b"] {
            let text = format!("#include \"f.h\"\nint {name}(void) {{ return f(0{argument}); }}\n");
            repo.write(&format!("{name}.c"), text.as_bytes());
        }
        if result == 1 {
            repo.sh("sed -i 's/return a/return 1 + a/' main.c");
        }
        repo.commit("version");
    }
    repo
}

/// Some mix does not build, and what its build printed names both callers.
fn names_both(build: &str, test: &str) {
    let repo = program();
    let words = ["changes", "-q", "--json", "-j1", "--run-dir", "run", "--good", "HEAD~", "--bad", "HEAD"];
    // Without what is known, the header is tested without its users.
    let without =
        ["files", "functions", "words", "needs", "repairs", "evidence"].map(|clue| ["--without", clue]);
    let json = repo
        .json(&[&words[..], without.as_flattened(), &["--build", build, "--", "sh", "-c", test]].concat());
    assert_eq!(
        lines_of(&json).last().unwrap(),
        "main.c: +int main(void) { return 1 + a() + b(); }",
        "{json:#}"
    );
    let logs = fs::read_dir(repo.path("run/log")).unwrap();
    let logs = logs.map(|log| fs::read(log.unwrap().path()).unwrap());
    let logs: Vec<String> = logs.map(|log| String::from_utf8_lossy(&log).into_owned()).collect();
    let both = |log: &String| ["a.c", "b.c"].iter().all(|name| log.contains(&format!("{name}:2:")));
    assert!(logs.iter().any(both), "{}", logs.join("\n"));
}

#[test]
fn ninja_shows_the_errors_of_all_files() {
    if howcome_testing::need_program("ninja") {
        names_both("ninja -j1", "./prog");
    }
}

#[test]
fn cmake_with_ninja_shows_the_errors_of_all_files() {
    if howcome_testing::need_program("ninja") && howcome_testing::need_program("cmake") {
        names_both("cmake -G Ninja -S . -B out >/dev/null && cmake --build out -j1", "out/prog");
    }
}

#[test]
fn cmake_with_make_shows_the_errors_of_all_files() {
    if howcome_testing::need_program("cmake") {
        names_both("cmake -G 'Unix Makefiles' -S . -B out >/dev/null && cmake --build out -j1", "out/prog");
    }
}
