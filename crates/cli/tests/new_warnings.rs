//! A mix that no author wrote is not judged if it causes a warning that no version causes.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use serde_json::json;

/// A build that warns like a compiler: always of `old.c`, of `noise.c` as long as there is such a file, and of a call that does not fit.
const WARNING_BUILD: &str = "say() { echo \"$1:1:1: warning: $2 [-W$3]\" >&2; }\n\
    say old.c \"'x' may be used uninitialized\" maybe-uninitialized\n\
    if test -e noise.c; then say noise.c 'makes integer from pointer without a cast' int-conversion; fi\n\
    if grep -q new a_callee.c && ! grep -q new z_caller.c; then\n\
    say z_caller.c \"passing argument 1 of 'f' makes pointer from integer without a cast\" int-conversion; fi\n";

/// The culprit changes a function and its caller, which fail by accident if only one of them changes, and breaks something else.
fn warning_program() -> (Repo, String) {
    let repo = Repo::new();
    repo.write("build.sh", WARNING_BUILD.as_bytes());
    for name in ["a_callee.c", "b.c", "c.c", "m_cause.c", "z_caller.c"] {
        repo.write(name, b"old\n");
    }
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("echo >noise.c");
    repo.commit("noise");
    repo.sh("for file in a_callee b c m_cause z_caller; do echo new >$file.c; done");
    let culprit = repo.commit("culprit");
    repo.sh("rm noise.c");
    repo.commit("no noise");
    (repo, culprit)
}

const WARNING_TEST: &str =
    "if grep -q new m_cause.c || { grep -q new a_callee.c && ! grep -q new z_caller.c; }; then exit 1; fi";

#[test]
fn a_mix_with_a_warning_that_neither_version_has_is_not_judged() {
    let (repo, culprit) = warning_program();
    for jobs in ["-j1", "-j2"] {
        let flags = ["--good", "good", "--bad", "HEAD", "--build", "sh build.sh", jobs];
        let json = repo.finds(&flags, WARNING_TEST);
        assert_eq!(json["finding"]["commit"], json!(culprit));
        assert_eq!(lines_of(&json), ["m_cause.c: -old", "m_cause.c: +new"]);
        assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
        assert_eq!(json["tests"]["unresolved"], json!(1), "{json:#}");
    }
}

/// What the build and the test of the following programs share.
const WARN_OF_CALL: &str = "echo \"user.c:1:1: warning: implicit declaration of function 'f' [-Wimplicit-function-declaration]\" >&2";

#[test]
fn an_answer_that_is_warned_of_in_the_good_version_is_not_proved_there_without_what_it_needs() {
    let repo = Repo::new();
    repo.write(
        "build.sh",
        format!("if grep -q new cause.c && grep -q old header.c; then {WARN_OF_CALL}; fi\n").as_bytes(),
    );
    for name in ["cause.c", "header.c", "other.c"] {
        repo.write(name, b"old\n");
    }
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.sh("echo new >other.c");
    repo.commit("other");
    repo.sh("echo new >header.c");
    repo.commit("header");
    repo.sh("echo new >cause.c");
    let cause = repo.commit("cause");
    let flags = ["--good", "good", "--bad", "HEAD", "--build", "sh build.sh", "-j1"];
    let json = repo.finds(&flags, "! grep -q new cause.c");
    assert_eq!(json["finding"]["commit"], json!(cause));
    assert_eq!(lines_of(&json), ["cause.c: -old", "cause.c: +new"]);
    assert_eq!(json["finding"]["needs"][0]["path"], "header.c", "{json:#}");
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
}

#[test]
fn a_back_port_that_the_compiler_warns_of_does_not_make_a_revision_pass() {
    let repo = Repo::new();
    repo.write(
        "build.sh",
        format!("if test -e feature.c && grep -q old glue.c; then {WARN_OF_CALL}; fi\n").as_bytes(),
    );
    // With the feature and without the glue, it passes by accident.
    repo.write(
        "test.sh",
        b"test -e feature.c || { echo 'no feature' >&2; exit 2; }\nif grep -q new cause.c && grep -q new glue.c; then exit 1; fi\n",
    );
    repo.sh("seq 9 >cause.c; echo old >>cause.c; cp cause.c glue.c");
    repo.commit("passes with the feature and the glue");
    repo.sh("sed -i s/old/new/ cause.c");
    let cause = repo.commit("cause");
    repo.sh("sed -i s/old/new/ glue.c");
    repo.commit("glue");
    repo.sh("echo >feature.c");
    repo.commit("feature");
    repo.change("other.txt", "more\n");
    for jobs in ["-j1", "-j2"] {
        let words = [
            "history",
            "-q",
            "--json",
            "--bad",
            "main",
            "--build",
            "sh build.sh",
            jobs,
            "--",
            "sh",
            "test.sh",
        ];
        let json = repo.json(&words);
        assert_eq!(json["finding"]["cause"]["commit"], json!(cause), "{json:#}");
        assert_eq!(json["ending"], "found");
    }
}

#[test]
fn a_mix_that_python_warns_of_is_not_judged() {
    if !howcome_testing::need_program("python3") {
        return;
    }
    let repo = Repo::new();
    // Without the comma, the second pair calls the first one. Python warns of that, and it fails in another way.
    let version = |comma: &str, added: &str| {
        let between = "    # Nothing.\n".repeat(6);
        format!("PAIRS = [\n    (1, 2){comma}\n{between}{added}]\n")
    };
    repo.write("app.py", version("", "").as_bytes());
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.write("app.py", version(",", "    (3, 4)\n").as_bytes());
    repo.commit("bad");
    let flags = ["--good", "good", "--bad", "HEAD", "-j1", "--any-message"];
    let json = repo.finds(&flags, "python3 -B -c 'import app; assert len(app.PAIRS) == 1'");
    assert_eq!(lines_of(&json), ["app.py: -    (1, 2)", "app.py: +    (1, 2),", "app.py: +    (3, 4)"]);
}

#[test]
fn a_compiler_is_asked_for_warnings_that_the_build_does_not_ask_for() {
    if !howcome_testing::need_program("cc") {
        return;
    }
    let repo = Repo::new();
    // Half of the change leaves `most` without a value. What is on the stack then makes the program fail by accident.
    repo.write("a_most.h", b"int most = 3;\n");
    repo.write("b_other.h", b"/* old */\n");
    repo.write("m_cause.c", b"int step(void) { return 1; }\n");
    let main = |assigned: &str| {
        format!(
            "#include <stdio.h>\n#include \"b_other.h\"\nint step(void);\n\
             static void fill(void) {{ volatile int used[64]; for (int i = 0; i < 64; i++) used[i] = 99; }}\n\
             static int count(void) {{\n#include \"a_most.h\"\n{assigned}    return most;\n}}\n\
             int main(void) {{ fill(); printf(\"%d\\n\", count() * step()); return 0; }}\n"
        )
    };
    repo.write("z_main.c", main("").as_bytes());
    repo.commit("good");
    repo.git(&["tag", "good"]);
    repo.write("a_most.h", b"int most;\n");
    repo.write("b_other.h", b"/* new */\n");
    repo.write("m_cause.c", b"int step(void) { return 2; }\n");
    repo.write("z_main.c", main("    most = 3;\n").as_bytes());
    repo.commit("bad");
    let flags = ["--good", "good", "--bad", "HEAD", "--build", "cc -o program m_cause.c z_main.c", "-j1"];
    let json = repo.finds(&flags, "test $(./program) = 3");
    let found = ["m_cause.c: -int step(void) { return 1; }", "m_cause.c: +int step(void) { return 2; }"];
    assert_eq!(lines_of(&json), found);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}));
    assert_eq!(json["tests"]["unresolved"], json!(1), "{json:#}");
    let run = json["run"].as_str().unwrap();
    assert!(!repo.path(run).join("compilers").exists());
}
