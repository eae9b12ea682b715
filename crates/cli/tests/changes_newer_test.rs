//! A test that was written later than the failure, and uses what the good version does not have.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::cart::{CART, CAUSE, UNITTEST, finds, has_python};
use howcome::{Repo, lines_of};
use serde_json::{Value, json};

fn test_of(import: &str, what: &str) -> String {
    format!(
        "import unittest\n\n{import}\n\n\nclass Cart(unittest.TestCase):\n    def test_total(self):\n        \
         self.assertEqual({what}, 3)\n"
    )
}

/// A tag `good`, whose own test does not run either.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("cart.py", CART.as_bytes());
    repo.write("tests/test_cart.py", b"import missing\n");
    repo.write("other.py", b"x = 1\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("other.py", "x = 2\n");
    repo
}

/// The lines of the cause that `history` found instead of `changes`.
fn cause_of(found: &Value) -> Vec<String> {
    assert_eq!(found["question"], "history", "{found:#}");
    assert_eq!(found["asked_as"], "changes", "{found:#}");
    assert_eq!(found["ending"], "found", "{found:#}");
    assert_eq!(found["verified"], json!({ "alone_fails": true, "without_passes": true }), "{found:#}");
    lines_of(&json!({ "finding": found["finding"]["cause"] }))
}

#[test]
fn what_the_test_needs_came_after_the_cause() {
    if !has_python() {
        return;
    }
    let repo = repo();
    let good = repo.git(&["rev-parse", "good"]);
    let culprit = repo.change("cart.py", &CART.replace("result += price", "result = price"));
    repo.change("other.py", "x = 3\n");
    repo.write("basket.py", b"import cart\n\n\ndef cost(items):\n    return cart.total(items)\n");
    repo.commit("baskets");
    repo.change("other.py", "x = 4\n");
    let test = test_of("import basket", "basket.cost([('a', 1), ('b', 2)])");
    repo.write("tests/test_cart.py", test.as_bytes());
    repo.commit("test");
    let found = finds(&repo, &["-j1", "--run-dir", "run"], &UNITTEST);
    assert_eq!(cause_of(&found), CAUSE);
    assert_eq!(finds(&repo, &["-j2"], &UNITTEST)["tests"]["told"], found["tests"]["told"]);
    let again = repo.json(&["resume", "run", "-q", "--json"]);
    assert_eq!(again["finding"], found["finding"]);
    // The revisions between the good version and the one that fails were not tested, so the lines tell which one it was.
    let told = repo.seen(&["show", "run"]);
    let culprit = format!("Revision {} \"change cart.py\" broke it; {} passes ", &culprit[..12], &good[..12]);
    assert!(told.contains(&culprit), "{told}");
    for test in 1..=found["tests"]["told"].as_u64().unwrap() {
        let shown = repo.run(&["show", "run", "--test", &test.to_string()]);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
}

#[test]
fn what_the_test_needs_came_before_and_after_the_cause() {
    if !has_python() {
        return;
    }
    let repo = repo();
    repo.change("tax.py", "def tax(sum):\n    return sum\n");
    repo.change("other.py", "x = 3\n");
    repo.change("cart.py", &CART.replace("result += price", "result = price"));
    repo.change("basket.py", "import cart\n\n\ndef cost(items):\n    return cart.total(items)\n");
    let test = test_of("import basket\nimport tax", "tax.tax(basket.cost([('a', 1), ('b', 2)]))");
    repo.write("tests/test_cart.py", test.as_bytes());
    repo.commit("test");
    assert_eq!(cause_of(&finds(&repo, &[], &UNITTEST)), CAUSE);
}

#[test]
fn what_the_test_needs_came_with_the_cause() {
    if !has_python() {
        return;
    }
    let repo = repo();
    let broken = CART.replace("result += price", "result = price");
    let culprit = repo.change("cart.py", &format!("{broken}\n\ndef cost(items):\n    return total(items)\n"));
    repo.change("other.py", "x = 3\n");
    let test = test_of("import cart", "cart.cost([('a', 1), ('b', 2)])");
    repo.write("tests/test_cart.py", test.as_bytes());
    repo.commit("test");
    let found = finds(&repo, &[], &UNITTEST);
    assert_eq!(cause_of(&found), CAUSE);
    assert_eq!(found["finding"]["cause"]["commit"], json!(culprit));
}

const LIST: &str = "\
int largest(const int *v, int n)
{
	int max = v[0];

	for (int i = 1; i < n; i++)
		if (v[i] > max)
			max = v[i];
	return max;
}
";

const CHECK: &str = "\
#include <stdio.h>

int largest(const int *v, int n);
int smallest(const int *v, int n);

static int is(int got, int want, const char *what)
{
	if (got != want)
		printf(\"FAIL: %s: %d\\n\", what, got);
	return got != want;
}

int main(void)
{
	int v[] = {-3, -1, -2};

	return is(smallest(v, 3), -3, \"smallest\") | is(largest(v, 3), -1, \"largest\");
}
";

/// A program in C. The test is linked with a function that came after the cause, so older versions do not build.
fn in_c() -> Repo {
    let repo = Repo::new();
    repo.write("list.c", LIST.as_bytes());
    repo.write("Makefile", b"check: list.c tests/check.c\n\t$(CC) -o check list.c tests/check.c\n");
    repo.write("tests/check.c", b"int main(void) { return missing(); }\n");
    repo.write(".gitignore", b"check\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("README", "A list.\n");
    let broken = LIST.replace("max = v[0]", "max = 0");
    repo.change("list.c", &broken);
    repo.change("README", "Lists.\n");
    let smallest = LIST.replace("largest", "smallest").replace('>', "<");
    repo.change("list.c", &format!("{broken}\n{smallest}"));
    repo.change("tests/check.c", CHECK);
    repo
}

#[test]
fn versions_that_do_not_build_with_the_test_are_not_said_to_fail() {
    if !howcome_testing::need_program("make") || !howcome_testing::need_program("cc") {
        return;
    }
    let repo = in_c();
    let cause = ["list.c: -\tint max = v[0];", "list.c: +\tint max = 0;"];
    assert_eq!(cause_of(&finds(&repo, &["--build", "make"], &["./check"])), cause);
    let found = repo.json(&["history", "-q", "--json", "--build", "make", "--", "./check"]);
    assert_eq!(lines_of(&json!({ "finding": found["finding"]["cause"] })), cause, "{found:#}");
}

#[test]
fn a_test_file_that_has_nothing_to_do_with_the_failure_is_left_out() {
    if !howcome_testing::need_program("pytest") {
        return;
    }
    let repo = Repo::new();
    repo.write("cart.py", CART.as_bytes());
    let test = "import cart\n\n\ndef test_total():\n    assert cart.total([('a', 1), ('b', 2)]) == 3\n";
    repo.write("test_cart.py", test.as_bytes());
    repo.commit("first");
    repo.git(&["tag", "good"]);
    let broken = CART.replace("result += price", "result = price");
    let more = format!("{broken}\n\ndef names(items):\n    return [item[0] for item in items]\n");
    repo.write(
        "test_names.py",
        b"from cart import names\n\n\ndef test_names():\n    assert names([]) == []\n",
    );
    repo.change("cart.py", &more);
    repo.change("README", "A cart.\n");
    let found = finds(&repo, &["--run-dir", "run"], &["pytest"]);
    assert_eq!(
        (&found["question"], lines_of(&found)),
        (&json!("changes"), CAUSE.map(str::to_owned).to_vec())
    );
    assert!(found["warnings"].to_string().contains("without test_names.py"), "{found:#}");
    assert!(repo.run(&["show", "run", "--test", "1"]).status.success());
}

#[test]
fn if_no_mix_of_the_versions_can_be_judged_the_search_ends_undecided_within_forty_tests() {
    if !has_python() {
        return;
    }
    let repo = Repo::new();
    let numbers = |value: u32| -> String {
        (0..40).map(|number| format!("v{number} = {value}\n# {number}.\n#\n#\n#\n#\n#\n")).collect()
    };
    repo.write("numbers_of.py", numbers(1).as_bytes());
    repo.write("tests/test_cart.py", b"import missing\n");
    repo.commit("first");
    repo.git(&["tag", "good"]);
    repo.change("numbers_of.py", &format!("{}\n\ndef total():\n    return v1\n", numbers(2)));
    // Each mix of the two versions fails differently, so none can be judged.
    let test = test_of("import numbers_of", "numbers_of.total()");
    let mixed = "        values = {getattr(numbers_of, f'v{number}') for number in range(40)}\n        \
                 if len(values) > 1:\n            raise RuntimeError('mixed')\n        self.assertEqual";
    let test = test.replace("        self.assertEqual", mixed);
    repo.write("tests/test_cart.py", test.as_bytes());
    repo.commit("test");
    let output = repo.run(
        &[&["changes", "-q", "--json", "--good", "good", "--bad", "HEAD", "--"], &UNITTEST[..]].concat(),
    );
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &found["ending"]), (Some(5), &json!("undecided")), "{found:#}");
    assert!(found["tests"]["told"].as_u64().unwrap() <= 40, "{found:#}");
}
