//! Changes chosen by their paths.

use crate::world::{PLAIN, changes, files, path};
use howcome_changes::{BadPattern, PathFilter};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

fn filter(only: &[&[u8]], except: &[&[u8]]) -> Result<PathFilter, BadPattern> {
    let [only, except] = [only, except]
        .map(|side| side.iter().map(|pattern| OsString::from_vec(pattern.to_vec())).collect::<Vec<_>>());
    PathFilter::new(&only, &except)
}

fn kept<'a>(only: &[&[u8]], except: &[&[u8]], paths: &[&'a str]) -> Vec<&'a str> {
    let filter = filter(only, except).unwrap();
    paths.iter().copied().filter(|name| filter.keeps(&path(name.as_bytes()))).collect()
}

#[test]
fn a_path_stands_for_itself_and_all_below() {
    let paths = ["src", "src/a.c", "src-b", "lib/src/a.c"];
    for name in [&b"src"[..], b"src/", b"./src", b"././src//"] {
        assert_eq!(kept(&[name], &[], &paths), ["src", "src/a.c"]);
    }
    assert_eq!(kept(&[], &[b"src"], &paths), ["src-b", "lib/src/a.c"]);
    assert_eq!(kept(&[b"src", b"lib"], &[b"src/a.c"], &paths), ["src", "lib/src/a.c"]);
    assert_eq!(kept(&[b"."], &[b"./lib"], &paths), ["src", "src/a.c", "src-b"]);
    assert_eq!(kept(&[], &[b"./"], &paths), [""; 0]);
}

#[test]
fn wildcards_are_those_of_git() {
    let paths = ["a.c", "d/a.c", "d/e/b.c", "d/e/b.h", "x{1,2}.c", "[y]", "y"];
    assert_eq!(kept(&[b"*.c"], &[], &paths), ["a.c", "d/a.c", "d/e/b.c", "x{1,2}.c"]);
    assert_eq!(kept(&[b"d/*.c"], &[], &paths), ["d/a.c", "d/e/b.c"]);
    assert_eq!(kept(&[b"d/**/b.?"], &[], &paths), ["d/e/b.c", "d/e/b.h"]);
    assert_eq!(kept(&[b"?.[ch]"], &[], &paths), ["a.c"]);
    assert_eq!(kept(&[b"d/[!a]"], &[], &paths), ["d/e/b.c", "d/e/b.h"]);
    assert_eq!(kept(&[b"x{1,2}*"], &[], &paths), ["x{1,2}.c"]);
    assert_eq!(kept(&[b"[y]"], &[], &paths), ["[y]", "y"]);
    assert_eq!(kept(&[b"\\[y]"], &[], &paths), ["[y]"]);
}

#[test]
fn bytes_that_are_no_text_are_names_too() {
    let odd = path(b"d/\xff.c");
    assert!(filter(&[b"d/\xff.c"], &[]).unwrap().keeps(&odd));
    assert!(filter(&[b"d/*.c"], &[]).unwrap().keeps(&odd));
    assert!(matches!(filter(&[b"d/\xff*"], &[]), Err(BadPattern::NotText { .. })));
}

#[test]
fn a_pattern_that_names_nothing_in_a_tree_is_refused() {
    for pattern in [&b""[..], b"/etc", b"../x", b"a/../b", b"a//b", b"/", b"*/.git/x"] {
        assert!(matches!(filter(&[], &[pattern]), Err(BadPattern::Path { .. })), "{pattern:?}");
    }
    let error = filter(&[b"a[b"], &[]).unwrap_err();
    assert!(error.to_string().starts_with("the pattern `a[b` can't be read: "), "{error}");
    assert!(error.hint().contains("close"));
}

#[test]
fn changes_are_split_by_the_paths_of_both_sides() {
    let good = files(&[("d/old", PLAIN, b"moved\n"), ("src/a", PLAIN, b"1\n2\n3\n4\n"), ("x", PLAIN, b"")]);
    let bad = files(&[("src/a", PLAIN, b"0\n2\n3\n5\n"), ("src/new", PLAIN, b"moved\n"), ("y", PLAIN, b"")]);
    let changes = changes(&good, &bad);
    let split = |only: &[&[u8]]| {
        let (kept, others) = changes.split_by(&filter(only, &[]).unwrap());
        (kept.to_string(), others.to_string())
    };
    assert_eq!(split(&[b"src/a"]), ("1-2".to_owned(), "3-5".to_owned()));
    assert_eq!(split(&[b"d", b"y"]), ("3,5".to_owned(), "1-2,4".to_owned()));
    let paths = changes.paths_of(&"2-3".parse().unwrap());
    assert_eq!(paths.iter().map(ToString::to_string).collect::<Vec<_>>(), ["d/old", "src/a", "src/new"]);
}
