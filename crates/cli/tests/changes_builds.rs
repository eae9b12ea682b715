//! Builds that stay warm between tests of `howcome changes` never mislead it.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use serde_json::{Value, json};

const MAKEFILE: &str = "OBJECTS = main.o part.o\n\
    prog: $(OBJECTS)\n\t$(CC) -o $@ $(OBJECTS)\n\
    %.o: %.c common.h\n\t$(CC) -c $<\n";

/// A program of two C files and a header, built by make.
fn program() -> Repo {
    let repo = Repo::new();
    repo.write("Makefile", MAKEFILE.as_bytes());
    repo.write("common.h", b"#define SIZE 3\n#define NAME \"x\"\nint part(int n);\n");
    repo.write(
        "main.c",
        b"#include \"common.h\"\n#include <stdio.h>\n\nint main(void)\n{\n    printf(\"%d\\n\", part(SIZE));\n    return 0;\n}\n",
    );
    repo.write("part.c", b"#include \"common.h\"\n\nint part(int n)\n{\n    return n + SIZE;\n}\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo
}

fn built(repo: &Repo, flags: &[&str], test: &str) -> Value {
    let between = ["--good", "good", "--bad", "HEAD", "--build", "make -s"];
    repo.finds(&[&between[..], flags].concat(), test)
}

#[test]
fn a_header_that_changes_is_built_into_all_that_include_it() {
    let repo = program();
    repo.sh("sed -i s/main\\(void\\)/main\\(void\\)/ main.c; echo '/* 1 */' >>part.c");
    repo.commit("one");
    repo.sh("sed -i -e 's/SIZE 3/SIZE 4/' -e 's/\"x\"/\"y\"/' common.h; echo '/* 2 */' >>main.c");
    let culprit = repo.commit("two");
    for number in 3..6 {
        repo.sh(&format!("echo '/* {number} */' >>part.c"));
        repo.commit("more");
    }
    for jobs in ["-j1", "-j2"] {
        let json = built(&repo, &[jobs], "test \"$(./prog)\" = 6");
        assert_eq!(json["finding"]["commit"], json!(culprit));
        assert_eq!(lines_of(&json), ["common.h: -#define SIZE 3", "common.h: +#define SIZE 4"]);
    }
}

#[test]
fn a_shell_runs_a_build_and_a_test_that_need_one() {
    let repo = program();
    for number in 1..=6 {
        repo.sh(&format!("echo '/* {number} */' >>part.c"));
        if number == 4 {
            repo.sh("sed -i 's/n + SIZE/n - SIZE/' part.c");
        }
        repo.commit("more");
    }
    let build = "make -s main.o && CFLAGS=-O1 make -s";
    let words = ["changes", "--json", "--good", "good", "--bad", "HEAD", "--build", build, "--"];
    let json = repo.json(&[&words[..], &["test \"$(./prog)\" = 6 || exit 3"]].concat());
    assert_eq!(lines_of(&json), ["part.c: -    return n + SIZE;", "part.c: +    return n - SIZE;"]);
    assert_eq!(json["test"]["command"], json!(["sh", "-c", "test \"$(./prog)\" = 6 || exit 3"]));
}

#[test]
fn what_does_not_build_is_neither_good_nor_bad() {
    let repo = program();
    repo.sh("sed -i 's/int part(int n)/int part(int n, int m)/' part.c common.h; echo '/* 1 */' >>main.c");
    repo.commit("does not build");
    repo.sh("sed -i 's/return n + SIZE/return n - SIZE/' part.c");
    repo.commit("does not build and is broken");
    repo.sh("sed -i 's/part(SIZE)/part(SIZE, 1)/' main.c");
    repo.commit("builds again");
    repo.sh("echo '/* 2 */' >>main.c");
    repo.commit("more");
    let json = built(&repo, &["-j2"], "test \"$(./prog)\" = 6");
    assert_eq!(lines_of(&json), ["part.c: -    return n + SIZE;", "part.c: +    return n - SIZE;"]);
    assert!(json["tests"]["unresolved"].as_u64().unwrap() > 0, "{json:#}");
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn a_change_of_the_build_file_is_found() {
    let repo = program();
    repo.sh("sed -i 's/n + SIZE;/n + SIZE + EXTRA;/' part.c; printf '#ifndef EXTRA\\n#define EXTRA 0\\n#endif\\n' >>common.h");
    repo.commit("extra");
    repo.git(&["tag", "-f", "good"]);
    repo.sh("echo '/* 1 */' >>part.c");
    repo.commit("one");
    repo.sh("sed -i 's/-c \\$</-DEXTRA=1 -c $</; s/OBJECTS = main/OBJECTS := main/' Makefile; echo '/* 2 */' >>part.c");
    let culprit = repo.commit("two");
    repo.sh("echo '/* 3 */' >>part.c");
    repo.commit("three");
    let json = built(&repo, &["-j2"], "test \"$(./prog)\" = 6");
    assert_eq!(json["finding"]["commit"], json!(culprit));
    assert_eq!(lines_of(&json), ["Makefile: -\t$(CC) -c $<", "Makefile: +\t$(CC) -DEXTRA=1 -c $<"]);
}

#[test]
fn baseline_and_confirmation_are_built_from_nothing() {
    let repo = program();
    for number in 1..=6 {
        repo.sh(&format!("echo '/* {number} */' >>part.c"));
        if number == 4 {
            repo.sh("sed -i -e 's/SIZE 3/SIZE 4/' -e 's/\"x\"/\"y\"/' common.h");
        }
        repo.commit("more");
    }
    // Notes for each build whether the folder was empty of what builds make, and what is built.
    repo.script(
        "build.sh",
        "#!/bin/sh\nif ls *.o >/dev/null 2>&1; then how=warm; else how=fresh; fi\n\
         echo $how $(cat part.c common.h | cksum) >>\"$HOWCOME_DIR/howcome.out/builds\"\nexec make -s\n",
    );
    repo.sh("mkdir howcome.out; echo '*' >howcome.out/.gitignore");
    let build = repo.path("build.sh");
    let flags = ["--good", "good", "--bad", "HEAD", "-j1", "--build", build.to_str().unwrap()];
    let json = repo.finds(&flags, "test \"$(./prog)\" = 6");
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    let builds = String::from_utf8(repo.read("howcome.out/builds")).unwrap();
    let builds: Vec<&str> = builds.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(builds[..2], ["fresh", "fresh"], "the baseline");
    assert_eq!(builds[builds.len() - 2..], ["fresh", "fresh"], "the confirmation");
    assert!(builds.contains(&"warm"), "{builds:?}");
}

#[test]
fn a_build_that_writes_into_the_source_tree_is_told_of_and_does_not_mislead() {
    let repo = program();
    repo.write("version.txt", b"0\n");
    repo.commit("version");
    repo.git(&["tag", "-f", "good"]);
    for number in 1..=6 {
        repo.sh(&format!("echo '/* {number} */' >>part.c"));
        if number == 4 {
            repo.sh("sed -i 's/SIZE 3/SIZE 4/' common.h");
        }
        repo.commit("more");
    }
    // Counts its builds in a file that is part of the tree, and fails if that is not as it was.
    repo.script(
        "build.sh",
        "#!/bin/sh\ngrep -qx 0 version.txt || exit 9\necho 1 >version.txt\necho '/* built */' >>main.c\nexec make -s\n",
    );
    let build = repo.path("build.sh");
    let words = ["--good", "good", "--bad", "HEAD", "-j1", "--build", build.to_str().unwrap()];
    let test = "test \"$(./prog)\" = 6";
    let json = repo.finds(&words, test);
    assert_eq!(lines_of(&json), ["common.h: -#define SIZE 3", "common.h: +#define SIZE 4"]);
    assert_eq!(json["tests"]["unresolved"], json!(0));
    let words = [&["changes", "--run-dir", "run"][..], &words, &["--", "sh", "-c", test]].concat();
    let told = String::from_utf8(repo.run(&words).stderr).unwrap();
    assert!(told.contains("writes into the source tree (main.c and 1 more)"), "{told}");
}

#[test]
fn a_clean_command_runs_before_each_build() {
    let repo = program();
    for number in 1..=5 {
        repo.sh(&format!("echo '/* {number} */' >>part.c"));
        if number == 3 {
            repo.sh("sed -i 's/SIZE 3/SIZE 4/' common.h");
        }
        repo.commit("more");
    }
    // A build that must not find anything of an earlier one.
    let flags = ["--clean", "sh -c 'rm -f *.o prog'", "-j1"];
    let flags = [
        &flags[..],
        &["--good", "good", "--bad", "HEAD", "--build", "sh -c '! ls *.o 2>/dev/null && make -s'"],
    ]
    .concat();
    let json = repo.finds(&flags, "test \"$(./prog)\" = 6");
    assert_eq!(lines_of(&json), ["common.h: -#define SIZE 3", "common.h: +#define SIZE 4"]);
    assert_eq!(json["tests"]["unresolved"], json!(0));
}

#[test]
fn a_tree_in_which_a_test_timed_out_is_not_used_again() {
    let repo = Repo::new();
    repo.sh("seq 30 >code.txt");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    for number in 1..=8 {
        repo.sh(&format!("sed -i s/^{number}$/x{number}/ code.txt"));
        if number == 6 {
            repo.sh("sed -i s/^20$/broken/ code.txt");
        }
        repo.commit("more");
    }
    // In the commit in the middle it hangs and leaves rubbish that would spoil every later test.
    let test = "test ! -e rubbish || exit 9\n\
                if grep -qx x4 code.txt && ! grep -q x5 code.txt; then touch rubbish; exec sleep 1000; fi\n\
                ! grep -q broken code.txt";
    let json = repo.finds(&["--good", "good", "--bad", "HEAD", "-j1", "--timeout", "300ms"], test);
    assert_eq!(lines_of(&json), ["code.txt: -20", "code.txt: +broken"]);
    let run = json["run"].as_str().unwrap();
    let trail = String::from_utf8(repo.run(&["show", run, "--trail"]).stdout).unwrap();
    assert!(trail.contains("timed out") && !trail.contains("exit code 9"), "{trail}");
}
#[test]
fn the_object_of_a_file_that_went_is_not_used_any_more() {
    let repo = program();
    // The Makefile takes whatever object is there, so a stale one would be linked and hide that the file is gone.
    repo.write("build.sh", b"set -e\nfor file in *.c; do cc -c $file; done\ncc -o prog *.o\n");
    repo.write("extra.c", b"int extra = 1;\n");
    repo.sh("sed -i 's/^int main/int extra __attribute__((weak));\\nint main/; s/part(SIZE)/part(SIZE) + extra/' main.c");
    repo.commit("extra");
    repo.git(&["tag", "-f", "good"]);
    repo.sh("echo '/* 1 */' >>part.c");
    repo.commit("one");
    repo.sh("git rm -q extra.c; echo '/* 2 */' >>part.c");
    let culprit = repo.commit("without extra");
    repo.sh("echo '/* 3 */' >>part.c");
    repo.commit("three");
    let flags = ["--good", "good", "--bad", "HEAD", "--build", "sh build.sh"];
    for jobs in ["-j1", "-j2"] {
        let json = repo.finds(&[&flags[..], &[jobs]].concat(), "test \"$(./prog)\" = 7");
        assert_eq!(json["finding"]["commit"], json!(culprit), "{jobs}");
        assert_eq!(json["finding"]["changes"][0]["what"], json!("extra.c: file removed"));
        assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    }
}
#[test]
fn a_file_that_a_test_spoils_only_when_it_fails_is_restored() {
    let repo = Repo::new();
    repo.sh("seq 40 >code.txt; echo fine >state.txt");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    for number in 1..=16 {
        repo.sh(&format!("echo {number} >other.txt"));
        if number == 11 {
            repo.sh("sed -i -e s/^17$/broken/ -e s/^2$/x/ code.txt");
        }
        repo.commit("more");
    }
    let test = "grep -q broken code.txt && echo spoilt >state.txt; grep -q fine state.txt";
    for jobs in ["-j1", "-j4"] {
        let json = repo.finds(&["--good", "good", "--bad", "HEAD", jobs], test);
        assert_eq!(lines_of(&json), ["code.txt: -17", "code.txt: +broken"], "{jobs}");
    }
}

#[test]
fn what_the_failing_run_never_executes_is_left_out_first() {
    if std::process::Command::new("gcov").arg("--version").output().is_err() {
        return;
    }
    let repo = Repo::new();
    let text = |bad: bool| {
        let body = |n: usize| {
            let value = if bad && n != 20 {
                "n + 0 * n"
            } else if bad {
                "n - 1"
            } else {
                "n"
            };
            format!("int f{n}(int n)\n{{\n    n++;\n    n--;\n    return {value};\n}}\n\n")
        };
        let functions: String = (0..40).map(body).collect();
        format!(
            "#include <stdio.h>\n{functions}int main(int c, char **v)\n{{\n    printf(\"%d\\n\", c > 9 ? f3(1) : f20(1));\n    return 0;\n}}\n"
        )
    };
    repo.write("Makefile", b"prog: prog.c\n\t$(CC) -o $@ prog.c\n");
    repo.write("prog.c", text(false).as_bytes());
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.write("prog.c", text(true).as_bytes());
    repo.commit("bad");
    let test = "test \"$(./prog)\" = 1";
    let told = |json: &Value| json["tests"]["told"].as_u64().unwrap();
    let with = built(&repo, &["--coverage", "gcov"], test);
    let without = built(&repo, &["--coverage", "gcov", "--without", "coverage"], test);
    assert_eq!(lines_of(&with), ["prog.c: -    return n;", "prog.c: +    return n - 1;"]);
    assert_eq!(lines_of(&with), lines_of(&without));
    assert!(told(&with) < told(&without), "{} and {}", told(&with), told(&without));
}

#[test]
fn the_test_may_be_what_the_build_makes() {
    let repo = Repo::new();
    repo.write("Makefile", b"prog: prog.c\n\t$(CC) -o $@ prog.c\n");
    repo.write("prog.c", b"int f(int n)\n{\n    return n;\n}\n\nint main(void)\n{\n    return f(0);\n}\n");
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i -e 's/return n;/return n + 1;/' prog.c; echo >>prog.c");
    repo.commit("bad");
    let run = repo.run(&[
        "changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--build", "make -s", "--", "./prog",
    ]);
    let json: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(lines_of(&json), ["prog.c: -    return n;", "prog.c: +    return n + 1;"]);
}

/// A repository with a grammar, and the parser that was generated from it.
fn with_generated_parser(makefile: &str) -> Repo {
    let repo = Repo::new();
    repo.write("Makefile", makefile.as_bytes());
    let generate = "(echo '// A Bison parser, made by hand.'; sed 's/^/say /' grammar.y) >grammar.sh";
    repo.sh(&format!("seq 40 >grammar.y; {generate}"));
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh(&format!(
        "sed -i -e s/^7$/seven/ -e s/^20$/twenty/ -e s/^33$/thirty-three/ grammar.y; {generate}"
    ));
    repo.commit("bad");
    repo
}

#[test]
fn a_generated_file_that_the_build_makes_is_left_out() {
    let makefile = "all: grammar.sh\n\ngrammar.sh: grammar.y\n\t(echo '// A Bison parser, made by make.'; sed 's/^/say /' grammar.y) >$@\n";
    let repo = with_generated_parser(makefile);
    for jobs in ["-j1", "-j2"] {
        let json = built(&repo, &[jobs], "! grep -q 'say twenty' grammar.sh");
        assert_eq!(lines_of(&json), ["grammar.y: -20", "grammar.y: +twenty"]);
        assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
        let warnings = json["warnings"].to_string();
        assert!(
            warnings.contains("the build makes grammar.sh itself, so howcome leaves it out of every version"),
            "{warnings}"
        );
    }
}

#[test]
fn a_generated_file_that_the_build_does_not_make_stays() {
    let repo = with_generated_parser("all:\n\ttest -e grammar.sh\n");
    let json = built(&repo, &["-j1"], "! grep -q 'say twenty' grammar.sh");
    assert_eq!(lines_of(&json), ["grammar.sh: -say 20", "grammar.sh: +say twenty"]);
    assert_eq!(json["warnings"], json!([]));
}

#[test]
fn of_generated_files_those_that_the_build_makes_are_left_out() {
    let makefile = "all: grammar.sh\n\ttest -e configure\n\n\
        grammar.sh: grammar.y\n\t(echo '// A Bison parser, made by make.'; sed 's/^/say /' grammar.y) >$@\n";
    let repo = with_generated_parser(makefile);
    repo.git(&["checkout", "-q", "good"]);
    repo.sh("echo AC_INIT >configure.ac; echo '# Generated by GNU Autoconf' >configure");
    repo.commit("good with a script");
    repo.git(&["tag", "-f", "good"]);
    repo.sh(
        "sed -i -e s/^7$/seven/ -e s/^20$/twenty/ grammar.y; echo '# new' | tee -a configure >>configure.ac\n\
         (echo '// A Bison parser, made by hand.'; sed 's/^/say /' grammar.y) >grammar.sh",
    );
    repo.commit("bad");
    let json = built(&repo, &["-j1"], "! grep -q 'say twenty' grammar.sh");
    assert_eq!(lines_of(&json), ["grammar.y: -20", "grammar.y: +twenty"]);
}
