//! The test is not the subject: every version is judged by the test of the bad one, wherever the test is.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::cart::{CART, CAUSE, UNITTEST, finds, has_python};
use howcome::{Repo, lines_of};
use serde_json::json;

fn test_of(expected: &str) -> String {
    format!(
        "import unittest\n\nimport cart\n\n\nclass Cart(unittest.TestCase):\n    def test_total(self):\n        \
         self.assertEqual(cart.total([('a', 1), ('b', 2)]), {expected})\n\n    def test_count(self):\n        \
         self.assertEqual(cart.count([1, 2, 3]), 3)\n"
    )
}

/// Six commits that change something else, then the tag `good`.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("cart.py", CART.as_bytes());
    repo.write("other.py", b"x = 1\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    for number in 2..=4 {
        repo.change("other.py", &format!("x = {number}\n"));
    }
    repo
}

fn break_it(repo: &Repo) {
    repo.sh(
        "sed -i 's/result += price/result = price/; s/return len(items)/return len(list(items))/' cart.py",
    );
}

fn go_on(repo: &Repo) {
    for number in 5..=8 {
        repo.change("other.py", &format!("x = {number}\n"));
    }
}

#[test]
fn a_test_that_comes_with_the_failure_is_run_on_the_good_version_too() {
    if !has_python() {
        return;
    }
    let repo = repo();
    break_it(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    let culprit = repo.commit("culprit");
    go_on(&repo);
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(lines_of(&found), CAUSE);
    assert_eq!(found["finding"]["commit"], json!(culprit));
    assert_eq!(found["verified"], json!({ "alone_fails": true, "without_passes": true }));
}

#[test]
fn a_test_that_is_newer_than_the_failure_finds_its_commit() {
    if !has_python() {
        return;
    }
    let repo = repo();
    break_it(&repo);
    let culprit = repo.commit("culprit");
    go_on(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    repo.commit("test");
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(lines_of(&found), CAUSE);
    assert_eq!(found["finding"]["commit"], json!(culprit));
}

#[test]
fn a_test_that_has_changed_since_is_not_the_cause() {
    if !has_python() {
        return;
    }
    let repo = Repo::new();
    repo.write("cart.py", CART.as_bytes());
    repo.write("tests/test_cart.py", test_of("len('abc')").as_bytes());
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.sh("sed -i 's/cart.count(\\[1, 2, 3\\]), 3/cart.count([1, 2]), 2/' tests/test_cart.py");
    repo.commit("another test");
    break_it(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    repo.write("tests/data.txt", b"1\n");
    let culprit = repo.commit("culprit");
    repo.sh("echo 'class More(unittest.TestCase): pass' >>tests/test_cart.py");
    repo.commit("more tests");
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(lines_of(&found), CAUSE);
    assert_eq!(found["finding"]["commit"], json!(culprit));
}

#[test]
fn a_test_that_is_not_committed_is_run_on_every_version() {
    if !has_python() {
        return;
    }
    let repo = repo();
    break_it(&repo);
    repo.commit("culprit");
    go_on(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    assert_eq!(lines_of(&finds(&repo, &[], &UNITTEST)), CAUSE);
    repo.write("why.py", b"import cart\nassert cart.total([('a', 1), ('b', 2)]) == 3\n");
    assert_eq!(lines_of(&finds(&repo, &[], &["python3", "why.py"])), CAUSE);
    // The same if the working tree is the bad version.
    let words = ["changes", "-q", "--json", "--good", "good", "--", "python3", "why.py"];
    assert_eq!(lines_of(&repo.json(&words)), CAUSE);
}

#[test]
fn a_file_that_git_ignores_is_not_copied_because_a_build_makes_it() {
    let repo = repo();
    repo.sh("echo out.sh >.gitignore; echo 'cp cart.py out.sh' >build.sh");
    repo.commit("build");
    repo.sh("echo 'exit 3' >out.sh");
    break_it(&repo);
    repo.commit("culprit");
    let test = ["sh", "-c", "grep -q 'result += price' out.sh"];
    assert_eq!(lines_of(&finds(&repo, &["--build", "cp cart.py out.sh"], &test)), CAUSE);
}

#[test]
fn a_script_that_checks_is_held_with_what_it_expects() {
    let repo = Repo::new();
    repo.write("cart.sh", b"echo total 3\necho items 2\n");
    repo.write("check.sh", b"sh cart.sh >out; diff expected.txt out\n");
    repo.write("expected.txt", b"total 3\nitems 2\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.write("cart.sh", b"echo total 3\necho items 2\necho end\n");
    repo.write("expected.txt", b"total 3\nitems 2\nend\n");
    repo.write("check.sh", b"sh cart.sh | tail -n +1 >out; diff expected.txt out\n");
    repo.commit("the end");
    repo.write("cart.sh", b"echo total 4\necho items 2\necho end\n");
    repo.commit("culprit");
    // Without the last line the good version does not print what is expected, so its own files are used there.
    let found = finds(&repo, &[], &["sh", "check.sh"]);
    assert_eq!(lines_of(&found), ["cart.sh: -echo total 3", "cart.sh: +echo total 4"]);
    let warnings = found["warnings"].as_array().unwrap();
    assert!(
        warnings.iter().any(|text| text.as_str().unwrap().contains("the tests are varied too")),
        "{warnings:?}"
    );
}

#[test]
fn tests_inside_a_source_file_are_held_and_the_program_around_them_is_not() {
    if !howcome_testing::need_program("rustc") {
        return;
    }
    let repo = Repo::new();
    let program = |sum: &str| {
        format!(
            "pub fn total(items: &[u32]) -> u32 {{\n    items.iter(){sum}\n}}\n\npub fn one() -> u32 {{\n    1\n}}\n"
        )
    };
    let tests = |text: &str| format!("\n#[cfg(test)]\nmod tests {{\n    use super::*;\n{text}}}\n");
    repo.write(
        "lib.rs",
        (program(".sum()") + &tests("    #[test]\n    fn ones() {\n        assert_eq!(one(), 1);\n    }\n"))
            .as_bytes(),
    );
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("notes.txt", "1\n");
    let new = "    #[test]\n    fn totals() {\n        assert_eq!(total(&[1, 2]), 3);\n    }\n";
    repo.write("lib.rs", (program(".skip(1).sum()") + &tests(new)).as_bytes());
    let culprit = repo.commit("culprit");
    repo.change("notes.txt", "2\n");
    let test = [
        "sh",
        "-c",
        "rustc -A warnings --edition 2021 --crate-type lib --test lib.rs -o t 2>/dev/null || exit 125; ./t totals",
    ];
    let found = finds(&repo, &[], &test);
    assert_eq!(
        lines_of(&found),
        ["lib.rs: -    items.iter().sum()", "lib.rs: +    items.iter().skip(1).sum()"]
    );
    assert_eq!(found["finding"]["commit"], json!(culprit));
}

/// The failing commit brings a parameter, and a test that uses it.
fn new_api() -> Repo {
    let repo = repo();
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    repo.commit("test");
    repo.git(&["tag", "-f", "good"]);
    repo.sh("sed -i -e 's/def total(items)/def total(items, tax=0)/' -e 's/result += price/result = price/' cart.py");
    repo.sh("sed -i \"s/2)\\]), 3/2)], tax=0), 3/\" tests/test_cart.py");
    repo.commit("culprit");
    go_on(&repo);
    repo
}

#[test]
fn if_the_good_version_cannot_pass_the_new_test_every_version_has_its_own() {
    if !has_python() {
        return;
    }
    let repo = new_api();
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(found["ending"], "found");
    let warnings = found["warnings"].to_string();
    assert!(
        warnings.contains("tests/test_cart.py") && warnings.contains("the tests are varied too"),
        "{warnings}"
    );
}

#[test]
fn a_resumed_run_holds_what_the_first_session_held() {
    if !has_python() {
        return;
    }
    let later = || {
        let repo = repo();
        break_it(&repo);
        repo.commit("culprit");
        go_on(&repo);
        repo.write("tests/test_cart.py", test_of("3").as_bytes());
        repo.commit("test");
        repo
    };
    for repo in [new_api(), later()] {
        let fresh = finds(&repo, &["-j1"], &UNITTEST);
        let stopped = finds(&repo, &["-j1", "--max-tests", "2", "--run-dir", "run"], &UNITTEST);
        assert_eq!(stopped["ending"], "stopped");
        let resumed = repo.json(&["resume", "run", "-q", "-j1", "--json"]);
        assert_eq!(resumed["finding"]["changes"], fresh["finding"]["changes"]);
        assert_eq!(resumed["tests"]["told"], fresh["tests"]["told"]);
        assert_eq!(resumed["warnings"], fresh["warnings"]);
        let shown = repo.run(&["show", "run", "--test", "3"]);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
}

/// The good version has no module `cart`; the one that came later worked for some commits.
fn new_module() -> Repo {
    let repo = Repo::new();
    repo.write("other.py", b"x = 1\n");
    repo.write("tests/test_cart.py", b"import missing\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.write("cart.py", CART.replace("+=", "=").as_bytes());
    repo.commit("cart");
    go_on(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    repo.commit("test");
    repo
}

#[test]
fn a_good_version_that_cannot_run_the_test_is_a_question_for_history() {
    if !has_python() {
        return;
    }
    let repo = new_module();
    let found = finds(&repo, &["--run-dir", "run"], &UNITTEST);
    assert_eq!((&found["question"], &found["asked_as"]), (&json!("history"), &json!("changes")), "{found:#}");
    assert!(found["warnings"].to_string().contains("as `howcome history` does"), "{found:#}");
    let again = repo.json(&["resume", "run", "-q", "--json"]);
    assert_eq!(again["finding"], found["finding"]);
    assert_eq!(again["asked_as"], "changes");
    assert!(repo.run(&["show", "run", "--test", "1"]).status.success());
    // The test runs at the top of each version, wherever the user is.
    repo.sh("mkdir docs");
    let words = ["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--"];
    let mut below = repo.howcome(&[&words[..], &UNITTEST].concat());
    let output = below.current_dir(repo.path("docs")).output().unwrap();
    let same: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&same["question"], &same["ending"]), (&found["question"], &found["ending"]), "{same:#}");
}

#[test]
fn what_the_test_needs_is_brought_to_the_good_version() {
    if !has_python() {
        return;
    }
    let repo = repo();
    repo.sh("sed -i -e 's/def total(items)/def total(items, tax)/' -e 's/result += price/result = price/' cart.py");
    repo.write("tests/test_cart.py", test_of("3").replace("2)]", "2)], 0").as_bytes());
    repo.commit("culprit");
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(found["question"], "history", "{found:#}");
    let cause = json!({ "finding": found["finding"]["cause"] });
    assert_eq!(lines_of(&cause), CAUSE);
    // `history` does not look for all causes, so the question is refused, with the one to ask.
    let words = ["changes", "-q", "--all", "--fails-when", "exit=1", "--good", "good", "--bad", "HEAD", "--"];
    let output = repo.run(&[&words, &UNITTEST[..]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    let command = "howcome history --bad HEAD --back-to good --fails-when exit=1 -- python3 -m unittest tests.test_cart";
    assert!(told.contains(command), "{told}");
}

#[test]
fn the_program_under_test_is_never_held() {
    if !has_python() {
        return;
    }
    let repo = Repo::new();
    repo.write("main.py", b"import lib\nprint(lib.f())\n");
    repo.write("lib.py", b"def f():\n    return 1\n");
    repo.write("src/Makefile", b"check:\n\t@grep -q 1 data.txt\n");
    repo.write("src/data.txt", b"1\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.write("main.py", b"import lib\nprint(lib.f())\nassert lib.f() == 2\n");
    repo.write("lib.py", b"def f():\n    return 1  # one\n");
    repo.write("src/data.txt", b"2\n");
    repo.write("src/Makefile", b"check:\n\t@grep -q 1 data.txt\n\t@true\n");
    repo.commit("culprit");
    assert_eq!(lines_of(&finds(&repo, &[], &["python3", "main.py"])), ["main.py: +assert lib.f() == 2"]);
    let made = finds(&repo, &[], &["make", "-s", "-C", "src", "check"]);
    assert_eq!(lines_of(&made), ["src/data.txt: -1", "src/data.txt: +2"]);
}

#[test]
fn a_new_test_is_never_the_cause() {
    if !has_python() {
        return;
    }
    let repo = repo();
    // This test passes whether the first price counts or not.
    repo.write("tests/test_cart.py", test_of("2").replace("('a', 1)", "('a', 0)").as_bytes());
    repo.commit("test");
    break_it(&repo);
    let culprit = repo.commit("culprit");
    go_on(&repo);
    repo.write("tests/test_cart.py", test_of("3").as_bytes());
    let words = ["changes", "-q", "-j1", "--run-dir", "run"];
    let test = ["--", "python3", "-m", "unittest", "tests.test_cart.Cart.test_total"];
    let seen = repo.seen(&[&words[..], &["--good", "HEAD"], &test].concat());
    insta::assert_snapshot!(seen);
    repo.sh("rm -rf run");
    let found = repo.json(&[&words[..], &["--json"], &test].concat());
    assert_eq!(lines_of(&found), CAUSE);
    assert_eq!(found["finding"]["commit"], json!(culprit));
    // The user can look for the change of the test.
    let varied =
        repo.json(&[&words[..4], &["run2", "--json", "--vary-tests", "--good", "HEAD"], &test].concat());
    assert_eq!(varied["finding"]["files"], json!(1), "{varied:#}");
}

#[test]
fn a_new_example_in_the_documentation_is_never_the_cause() {
    if !has_python() {
        return;
    }
    let repo = Repo::new();
    let broken = CART.replace("result +=", "result =");
    repo.change("cart.py", &broken);
    repo.git(&["tag", "good"]);
    let example = "    \"\"\"\n    >>> total([('a', 1), ('b', 2)])\n    3\n    \"\"\"\n    result = 0\n";
    repo.change("cart.py", &broken.replace("    result = 0\n", example));
    let words = ["changes", "-q", "--good", "good", "--bad", "HEAD", "--"];
    let seen = repo.seen(&[&words[..], &["python3", "-m", "doctest", "cart.py"]].concat());
    assert!(seen.contains("add the example that fails (a doctest)"), "{seen}");
    assert!(seen.ends_with("exit 5\n"), "{seen}");
}

#[test]
fn a_new_module_whose_documentation_has_an_example_can_be_the_cause() {
    if !has_python() {
        return;
    }
    let repo = Repo::new();
    let cart = "try:\n    from rates import rate\nexcept ImportError:\n    rate = 1\n\n\n\
                def total(items):\n    return rate * sum(price for _, price in items)\n";
    repo.write("cart.py", cart.as_bytes());
    repo.change("tests/test_cart.py", &test_of("3"));
    repo.git(&["tag", "good"]);
    repo.change("rates.py", "\"\"\"Rates.\n\n>>> rate\n2\n\"\"\"\n\nrate = 2\n");
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!((&found["ending"], &found["finding"]["files"]), (&json!("found"), &json!(1)), "{found:#}");
}

#[test]
fn a_changed_test_that_is_not_committed_can_be_a_question_for_history() {
    if !has_python() {
        return;
    }
    let repo = new_module();
    repo.write(".gitignore", b"run\n__pycache__\n");
    repo.git(&["reset", "-q", "HEAD~1"]);
    let words = ["changes", "-q", "--json", "--run-dir", "run", "--good", "good", "--"];
    let found = repo.json(&[&words, &UNITTEST[..]].concat());
    assert_eq!((&found["question"], &found["asked_as"]), (&json!("history"), &json!("changes")), "{found:#}");
    assert_eq!(found["test"]["held"], json!(["tests/test_cart.py"]), "{found:#}");
    assert_eq!(repo.json(&["resume", "run", "-q", "--json"])["finding"], found["finding"]);
}

#[test]
fn a_question_for_history_says_to_commit_the_changes_first() {
    if !has_python() {
        return;
    }
    let repo = new_module();
    let good = repo.git(&["rev-parse", "--short=12", "HEAD~2"]);
    repo.write("other.py", b"x = 9\n");
    let words = ["changes", "-q", "--good", "HEAD~2", "--"];
    let seen = repo.seen(&[&words[..], &UNITTEST].concat());
    let hint = format!(
        "commit your changes first, because `howcome history` looks at commits only, then: \
         howcome history --bad HEAD --back-to {good} -- python3 -m unittest tests.test_cart\n"
    );
    assert!(seen.contains(&hint), "{seen}");
}

#[test]
fn if_only_what_tests_share_differs_it_is_varied() {
    let repo = Repo::new();
    repo.write("tests/run.sh", b"grep -q 1 tests/data.txt\n");
    repo.write("tests/data.txt", b"1\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("tests/data.txt", "2\n");
    let found = finds(&repo, &[], &["sh", "tests/run.sh"]);
    assert_eq!(lines_of(&found), ["tests/data.txt: -1", "tests/data.txt: +2"]);
}

#[test]
fn the_user_decides_what_is_held() {
    let repo = Repo::new();
    repo.write("limits.txt", b"9\n");
    repo.write("value.txt", b"5\n");
    repo.write("tests/run.sh", b"[ $(cat value.txt) -lt $(cat limits.txt) ]\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.write("limits.txt", b"4\n");
    repo.commit("limits");
    repo.write("value.txt", b"3\n");
    repo.commit("value");
    repo.write("value.txt", b"7\n");
    repo.write("tests/run.sh", b"[ $(cat value.txt) -lt $(cat limits.txt) ] || exit 1\n");
    repo.commit("culprit");
    let test = ["sh", "tests/run.sh"];
    let limits = ["limits.txt: -9", "limits.txt: +4"];
    assert_eq!(lines_of(&finds(&repo, &["--hold", "value.txt"], &test)), limits);
    assert_eq!(lines_of(&finds(&repo, &["--vary-tests", "--hold", "val*"], &test)), limits);
}

#[test]
fn what_is_excluded_is_that_of_the_bad_version_among_commits_too() {
    let repo = Repo::new();
    repo.write("code.txt", b"1\n2\n3\n");
    repo.write("lib/check", b"! grep -q bad code.txt\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("code.txt", "1\nbroken\n3\n");
    let culprit = repo.git(&["rev-parse", "HEAD"]);
    repo.change("other.txt", "1\n");
    repo.change("lib/check", "! grep -q broken code.txt\n");
    repo.change("other.txt", "2\n");
    let found = finds(&repo, &["--except", "lib"], &["sh", "-c", "sh lib/check"]);
    assert_eq!(lines_of(&found), ["code.txt: -2", "code.txt: +broken"]);
    assert_eq!(found["finding"]["commit"], json!(culprit));
}
