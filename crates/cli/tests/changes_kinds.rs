//! Whatever can happen to a file can be the cause: it is named, and its patch takes it back.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Repo;
use insta::assert_snapshot;

/// Makes a good version and a bad one by shell scripts, with other changes in the same commit. Checks that the patch of the
/// answer fixes the bad version, and returns what was printed.
fn told(good: &str, bad: &str, test: &str) -> String {
    let repo = Repo::new();
    repo.sh("seq 50 >noise.txt; seq 9 >gone.txt; mkdir dir; seq 3 >dir/x");
    repo.sh(good);
    repo.commit("good");
    repo.sh("sed -i -e 's/^7$/seven/' -e 's/^30$/thirty/' noise.txt; git rm -q gone.txt; echo unlike >dir/y");
    repo.sh(bad);
    repo.commit("bad");
    let told = repo.tells(&["--good", "HEAD~1", "--bad", "HEAD"], test);
    repo.is_fixed_by("run/culprit.patch", "HEAD", test);
    let (answer, _) = told.split_once("\n  the bad version fails").unwrap_or((&told, ""));
    answer.to_owned()
}

#[test]
fn a_line_that_went() {
    assert_snapshot!(told("seq 20 >f", "sed -i -e /13/d -e 's/^3$/three/' f", "grep -q 13 f"));
}

#[test]
fn a_file_that_came() {
    assert_snapshot!(told("true", "echo x >dir/new", "test ! -e dir/new"));
}

#[test]
fn an_empty_file_that_came() {
    assert_snapshot!(told("true", ": >new", "test ! -e new"));
}

#[test]
fn a_file_that_went() {
    assert_snapshot!(told("seq 5 >needed", "rm needed", "test -e needed"));
}

#[test]
fn a_file_that_moved() {
    assert_snapshot!(told(
        "seq 40 >old",
        "mkdir to; mv old to/new; sed -i s/^5$/five/ to/new",
        "test -e old"
    ));
}

#[test]
fn a_script_that_cannot_be_run_any_more() {
    assert_snapshot!(told(
        "echo exit >run.sh; chmod +x run.sh",
        "chmod -x run.sh; echo '# more' >>run.sh",
        "test -x run.sh"
    ));
}

#[test]
fn a_script_that_can_be_run() {
    assert_snapshot!(told("echo exit >run.sh", "chmod +x run.sh", "test ! -x run.sh"));
}

#[test]
fn a_symbolic_link_that_leads_elsewhere() {
    assert_snapshot!(told("ln -s dir/x link", "ln -sf dir/y link", "test \"$(readlink link)\" = dir/x"));
}

#[test]
fn a_file_that_became_a_directory() {
    assert_snapshot!(told(
        "echo 1 >thing",
        "rm thing; mkdir thing; echo 1 >thing/a; echo 2 >thing/b",
        "test ! -e thing/b"
    ));
}

#[test]
fn a_directory_that_became_a_file() {
    assert_snapshot!(told(
        "mkdir thing; echo 1 >thing/a; echo 2 >thing/b",
        "rm -r thing; echo 1 >thing",
        "test -d thing"
    ));
}

#[test]
fn a_binary_file() {
    assert_snapshot!(told(
        "printf 'a\\0b\\n\\377' >data.bin",
        "printf 'a\\0c\\n\\376' >data.bin",
        "printf \"a\\\\000b\\\\n\\\\377\" | cmp -s - data.bin"
    ));
}

#[test]
fn the_end_of_a_line_that_became_another() {
    assert_snapshot!(told(
        "printf 'a\\nb\\nc\\nd\\n' >dos.txt",
        "printf 'A\\nb\\nc\\r\\nd\\n' >dos.txt",
        "! grep -q \"$(printf \"c\\\\r\")\" dos.txt"
    ));
}

#[test]
fn a_line_of_a_file_whose_lines_end_in_two_characters() {
    assert_snapshot!(told(
        "seq 30 | sed 's/$/\\r/' >dos.txt",
        "sed -i s/22/xx/ dos.txt",
        "grep -q 22 dos.txt"
    ));
}

#[test]
fn names_with_quotes_newlines_and_dashes() {
    assert_snapshot!(told(
        "printf 'x\\n' >\"$(printf 'a\\nb')\"; printf 'x\\n' >-n; printf 'x\\n' >\"it's\"",
        "printf 'y\\n' >\"$(printf 'a\\nb')\"; printf 'y\\n' >-n; printf 'y\\n' >\"it's\"",
        "grep -q x ./-n"
    ));
}

#[test]
fn a_last_line_that_does_not_end_any_more() {
    assert_snapshot!(told("printf 'a\\nb\\n' >f", "printf 'a\\nb' >f", "test -z \"$(tail -c1 f)\""));
}

#[test]
fn a_last_line_that_ends_now() {
    assert_snapshot!(told("printf 'a\\nb' >f", "printf 'a\\nb\\n' >f", "test -n \"$(tail -c1 f)\""));
}
#[test]
fn a_file_that_became_a_symbolic_link() {
    assert_snapshot!(told("cp dir/x link", "ln -sf dir/x link", "test ! -L link"));
}

#[test]
fn names_and_contents_that_are_no_text() {
    assert_snapshot!(told(
        "n=$(printf 'caf\\351 \"x\\tx') && printf 'one\\n\\377\\376\\nthree\\n' >\"$n\"",
        "n=$(printf 'caf\\351 \"x\\tx') && printf 'ONE\\n\\377\\375\\nthree\\n' >\"$n\"",
        "LC_ALL=C grep -q \"$(printf \"\\\\376\")\" caf*"
    ));
}
