//! Files that are tests by their names, as test runners collect them.

use crate::trees::tree_path::TreePath;

/// Folders of tests, wherever they are.
const FOLDERS: [&str; 8] =
    ["test", "tests", "Test", "Tests", "__tests__", "__snapshots__", "__mocks__", "testdata"];

/// Folders of tests at the top. Deeper ones are often something else.
const TOP_FOLDERS: [&str; 3] = ["t", "spec", "specs"];

/// Names of test files by their extensions: how the name without the extension starts, and how it ends.
const NAMES: [(&[&str], &[&str], &[&str]); 12] = [
    (&["py"], &["test_"], &["_test"]),
    (&["go", "dart", "exs", "zig"], &[], &["_test"]),
    (&["js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts", "vue"], &[], &[".test", ".spec"]),
    (&["java"], &["Test"], &["Test", "Tests", "TestCase", "IT"]),
    (&["kt", "scala", "groovy"], &[], &["Test", "Tests", "Spec"]),
    (&["rb"], &["test_"], &["_spec", "_test"]),
    (&["lua", "cr"], &[], &["_spec", "_test"]),
    (&["php", "cs", "swift", "fs"], &[], &["Test", "Tests"]),
    (&["c", "cc", "cpp", "cxx", "m", "mm"], &["test_"], &["_test", "_tests", "_unittest"]),
    (&["rs"], &["test_"], &["_test", "_tests"]),
    (&["hs"], &[], &["Spec"]),
    (&["sh", "bash", "pl"], &["test_", "test-"], &["_test", "-test"]),
];

/// Whole names of files that only tests use.
const WHOLE_NAMES: [&str; 3] = ["conftest.py", "tests.py", "tests.rs"];

/// Extensions of files that only test runners use.
const EXTENSIONS: [&str; 3] = ["bats", "snap", "t"];

/// Whether the path is that of a test, or of test data or configuration beside it.
pub(super) fn is_test_by_name(path: &TreePath) -> bool {
    let Ok(text) = std::str::from_utf8(path.as_bytes()) else { return false };
    let (folders, name) = text.rsplit_once('/').unwrap_or(("", text));
    is_test_name(name) || is_in_test_folder(folders, name)
}

/// Whether the name alone says that the file is a test.
pub(super) fn is_test_name(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_named = NAMES.iter().any(|(extensions, starts, ends)| {
        // `test_.py` and `_test.go` are not names of tests.
        let is_longer = |part: &&&str| stem.len() > part.len();
        extensions.contains(&extension)
            && (starts.iter().filter(is_longer).any(|start| stem.starts_with(start))
                || ends.iter().filter(is_longer).any(|end| stem.ends_with(end)))
    });
    is_named || WHOLE_NAMES.contains(&name) || EXTENSIONS.contains(&extension) && !stem.is_empty()
}

/// Extensions of files that are code, and not data.
const CODE: [&str; 36] = [
    "py", "go", "js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "cts", "vue", "java", "kt", "scala", "groovy",
    "rb", "lua", "cr", "php", "cs", "swift", "fs", "c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "rs",
    "hs", "sh", "bash", "pl", "exs",
];

/// Words in the names of code that tests share.
const SHARED: [&str; 16] = [
    "conftest", "helper", "helpers", "util", "utils", "support", "common", "shared", "fixture", "fixtures",
    "setup", "mock", "mocks", "fake", "init", "mod",
];

/// Of the files that are tests by name: whether this one says what is tested or expected. Data, configuration and code that tests share
/// do not.
pub(super) fn says_what_is_tested(path: &TreePath) -> bool {
    let name = path.as_path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_shared = stem.split(|letter: char| !letter.is_alphanumeric()).any(|word| SHARED.contains(&word));
    !is_shared && (is_test_name(name) || CODE.contains(&extension)) && is_test_by_name(path)
}

fn is_in_test_folder(folders: &str, name: &str) -> bool {
    let mut all = folders.split('/').filter(|folder| !folder.is_empty());
    let Some(first) = all.next() else { return false };
    if FOLDERS.contains(&first) || TOP_FOLDERS.contains(&first) {
        return true;
    }
    // Go compiles everything in a package but `_test.go` into the program, whatever the folder is called.
    let is_program = name.ends_with(".go") && !folders.contains("testdata");
    all.any(|folder| FOLDERS.contains(&folder)) && !is_program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runners_collect_is_a_test_and_so_is_everything_in_its_folder() {
        for path in [
            "test_cart.py",
            "src/cart_test.py",
            "conftest.py",
            "shop/tests.py",
            "tests/data/input.json",
            "tests/__init__.py",
            "pkg/cart_test.go",
            "pkg/testdata/golden.txt",
            "src/cart.test.js",
            "src/Cart.spec.tsx",
            "src/__tests__/cart.js",
            "src/__snapshots__/cart.js.snap",
            "t/basic.t",
            "t/lib/Helper.pm",
            "lib/Foo/t.t",
            "spec/cart_spec.rb",
            "spec/spec_helper.rb",
            "src/test/java/Data.txt",
            "src/main/java/CartTest.java",
            "CartTests.java",
            "TestCart.java",
            "lib/cart_test.rb",
            "src/CartTest.php",
            "cart_test.c",
            "test_cart.cc",
            "src/cart/tests.rs",
            "src/cart/tests/total.rs",
            "crates/cart/tests/total.rs",
            "cart_test.exs",
            "Tests/CartTests.swift",
            "total.bats",
            "test-cart.sh",
            "test/Makefile",
            "tests/tox.ini",
        ] {
            assert!(is_test_by_name(&TreePath::new(path.as_bytes()).unwrap()), "{path}");
        }
    }

    #[test]
    fn a_test_says_what_is_tested_and_what_tests_share_does_not() {
        let says = |path: &str| says_what_is_tested(&TreePath::new(path.as_bytes()).unwrap());
        for path in [
            "tests/test_cart.py",
            "tests/cart.rs",
            "test/cart.js",
            "a.test.ts",
            "t/1.t",
            "tests/run.sh",
            "x.snap",
        ] {
            assert!(says(path), "{path}");
        }
        for path in [
            "conftest.py",
            "tests/__init__.py",
            "spec/spec_helper.rb",
            "tests/common/mod.rs",
            "tests/data.json",
            "main.py",
        ] {
            assert!(!says(path), "{path}");
        }
    }

    #[test]
    fn the_program_and_its_configuration_are_no_tests() {
        for path in [
            "main.py",
            "latest.py",
            "contest.py",
            "test_.py",
            "_test.go",
            "pytest.ini",
            "tox.ini",
            "Makefile",
            "src/attest.c",
            "src/t/table.c",
            "lib/spec/schema.json",
            "Cargo.toml",
            "package.json",
            "testing/run.py",
            "cmd/test/main.go",
            "internal/tests/run.go",
            "src/Latest.java",
            "src/Contest.java",
            "check.sh",
            "src/test.c",
            "protest/sign.py",
            "test",
            "t",
            "spec.md",
            ".t",
        ] {
            assert!(!is_test_by_name(&TreePath::new(path.as_bytes()).unwrap()), "{path}");
        }
    }
}
