//! A small Python project with a test, and what broke it.

use super::Repo;
use serde_json::Value;

pub const CART: &str = "\
def price(item):
    return item[1]


def total(items):
    result = 0
    for item in items:
        result += price(item)
    return result


def count(items):
    return len(items)
";

pub const CAUSE: [&str; 2] =
    ["cart.py: -        result += price(item)", "cart.py: +        result = price(item)"];

pub const UNITTEST: [&str; 4] = ["python3", "-m", "unittest", "tests.test_cart"];

pub fn has_python() -> bool {
    howcome_testing::need_program("python3")
}

/// What `howcome changes` finds from the tag `good` to HEAD, with a command that is started as it is.
pub fn finds(repo: &Repo, flags: &[&str], test: &[&str]) -> Value {
    let between = ["changes", "-q", "--json", "--good", "good", "--bad", "HEAD"];
    repo.json(&[&between, flags, &["--"], test].concat())
}
