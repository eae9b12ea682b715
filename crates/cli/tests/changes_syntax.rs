//! `howcome changes` never leaves out lines without which the rest is no longer a program.
//!
//! In these repositories a version that does not parse or does not compile ends like one that fails the test, and prints
//! nothing, so the outcome of a test does not tell the two apart.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Repo, lines_of};
use serde_json::{Value, json};

const FLAGS: [&str; 5] = ["--good", "good", "--bad", "main", "-j2"];

/// What makes a file go wrong between two versions of it.
fn cause(name: &str, [good, bad]: [&str; 2], others: &[(&str, &str)], flags: &[&str], test: &str) -> Value {
    let repo = Repo::new();
    others.iter().for_each(|(name, text)| {
        repo.write(name, text.as_bytes());
    });
    repo.change(name, good);
    repo.git(&["tag", "good"]);
    repo.change(name, bad);
    repo.finds(&[&FLAGS[..], flags].concat(), test)
}

/// The finding is proved in both directions, and no line of it is superfluous.
fn assert_proved(json: &Value) {
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{json:#}");
    assert_eq!(json["minimal"], json!({"of": "lines", "checked": true}), "{json:#}");
}

#[test]
fn a_branch_of_python_is_named_with_its_body() {
    let good = "\
def total(prices):
    result = 0
    for price in prices:
        result += price
    return result
";
    let bad = "\
def total(prices):
    result = 0
    for price in prices:
        if price > 10:
            price -= 1
        result += max(
            price,
            0,
        )
    return result
";
    let check = "from cart import total\nassert total([20]) == 20\n";
    let json = cause("cart.py", [good, bad], &[("check.py", check)], &[], "python3 -B check.py 2> /dev/null");
    assert_eq!(lines_of(&json), ["cart.py: +        if price > 10:", "cart.py: +            price -= 1"]);
    assert_proved(&json);
}

#[test]
fn a_new_function_of_c_is_named_with_its_body() {
    let good = "\
int count(const char *text)
{
    int count = 0;
    for (; *text; text++)
        if (*text != ' ')
            count++;
    return count;
}
int main(void)
{
    return count(\"a 1\") == 2 ? 0 : 1;
}
";
    let bad = "\
int is_digit(int c)
{
    /* Only those of ASCII. */
    return c >= '0' && c <= '9';
}
int count(const char *text)
{
    int count = 0;
    for (; *text; text++)
        if (*text != ' ' && !is_digit(*text))
            count++;
    return count;
}
int main(void)
{
    return count(\"a 1\") == 2 ? 0 : 1;
}
";
    let json = cause("main.c", [good, bad], &[], &["--build", "cc -w -o main main.c"], "./main");
    let expected = [
        "main.c: +int is_digit(int c)",
        "main.c: +{",
        "main.c: +    return c >= '0' && c <= '9';",
        "main.c: +}",
        "main.c: -        if (*text != ' ')",
        "main.c: +        if (*text != ' ' && !is_digit(*text))",
    ];
    assert_eq!(lines_of(&json), expected);
    assert_proved(&json);
}

#[test]
fn a_statement_of_c_stays_under_its_condition() {
    let head = "int is_blank(int c)\n{\n";
    let tail = "    return c == ' ';\n}\nint main(void)\n{\n    return is_blank('b') || !is_blank(' ');\n}\n";
    let good = [head, tail].concat();
    let added = "    if (c == '\\t')\n        return 1;\n    if (c == 'b')\n        return 2;\n";
    let bad = [head, added, tail].concat();
    let json = cause("main.c", [&good, &bad], &[], &[], "cc -w -o main main.c 2> /dev/null && ./main");
    assert_eq!(lines_of(&json), ["main.c: +    if (c == 'b')", "main.c: +        return 2;"]);
    assert_proved(&json);
}

#[test]
fn mixes_that_do_not_parse_are_predicted_and_say_why() {
    let repo = Repo::new();
    repo.write("check.py", b"from cart import total\nassert total() == 1\n");
    repo.change("cart.py", "def total():\n    return 1\n");
    repo.git(&["tag", "good"]);
    repo.change("cart.py", "def total():\n    if True:\n        return 2\n    return 1\n");
    let flags = [&FLAGS[..], &["--run-dir", "run"]].concat();
    let json = repo.finds(&flags, "python3 -B check.py 2> /dev/null");
    assert_eq!(lines_of(&json), ["cart.py: +    if True:", "cart.py: +        return 2"]);
    let predicted = json["tests"]["predicted"].as_u64().unwrap();
    assert!(predicted > 0, "{json:#}");
    let html = repo.run(&["show", "run", "--html", "page.html"]);
    assert!(html.status.success(), "{html:?}");
    let page = String::from_utf8(repo.read("page.html")).unwrap();
    assert!(page.contains("predicted: cart.py would have an empty body: line 2"), "{page}");
}

/// Two lines of the three are enough to fail. Without these two, the branch would have the next statement as its body, and the test
/// would pass by accident. The grammar does not know how the file goes on after `#if`, so that the search does not notice it.
#[test]
fn a_branch_of_c_is_undone_with_its_body() {
    let good = "\
#include <stdio.h>
#include <string.h>
#define TRIMS 1
int main(int argc, char **argv) {
    char *text = argv[argc - 1], *end = text + strlen(text);
    if (argc > 2) {
        puts(\"too many\");
    }
#if TRIMS
    else if (*text && end > text) {
        puts(text);
    }
#endif
    else {
        puts(\"none\");
    }
    return 0;
}
";
    let bad = good.replace(
        "        puts(text);\n",
        "        end = strchr(text, ';');\n        if (end)\n            *end = 0;\n        puts(text);\n",
    );
    let flags = ["--build", "cc -o main main.c"];
    let json = cause("main.c", [good, &bad], &[], &flags, "test \"$(./main 'a;b')\" = 'a;b'");
    let added = [
        "main.c: +        end = strchr(text, ';');",
        "main.c: +        if (end)",
        "main.c: +            *end = 0;",
    ];
    assert_eq!(lines_of(&json), added);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{json:#}");
}

#[test]
fn lines_of_several_statements_that_cannot_be_undone_are_not_the_answer() {
    let good = "\
def upgraded(items):
    result = list(items)
    return result
";
    let bad = "\
def upgraded(items):
    result = list(items)

    # Is it a mix?
    has_single = False
    has_multiple = False
    for item in result:
        if isinstance(item, int):
            has_single = True
        elif isinstance(item, list):
            has_multiple = True

    # Upgrade all single ones.
    if has_single and has_multiple:
        for i, item in enumerate(result):
            if isinstance(item, int):
                result[i] = [0]

    return result
";
    let repo = Repo::new();
    repo.write("check.py", b"from mix import upgraded\nassert upgraded([1, [2]]) == [1, [2]]\n");
    repo.change("mix.py", good);
    repo.git(&["tag", "good"]);
    repo.change("mix.py", bad);
    // The lines of the cause cannot be undone there.
    repo.change("mix.py", &bad.replace("result[i] = [0]", "result[i] = list((0,))"));
    let json = repo.finds(&[&FLAGS[..], &["--thorough"]].concat(), "python3 -B check.py 2> /dev/null");
    let lines = lines_of(&json);
    let (loops, branch) =
        (|line: &String| line.contains("for item in result"), "if has_single and has_multiple:");
    let is_accident = lines.iter().any(loops) && !lines.iter().any(|line| line.contains(branch));
    assert!(!is_accident, "{json:#}");
    assert!(json.to_string().contains(r#""at_commit":"holds""#), "{json:#}");
}

#[test]
fn the_body_of_a_branch_that_cannot_be_undone_is_not_the_answer() {
    let good = "\
import re

def translated(pattern):
    out = []
    for char in pattern:
        if char == '*':
            out.append('[^/]*')
        elif char == '?':
            out.append('[^/]')
        else:
            out.append(re.escape(char))
    return ''.join(out)
";
    let bad = "\
import re

def translated(pattern):
    out = []
    for part in re.split(r'(\\*\\*/|\\*\\*|\\*|\\?)', pattern):
        if part == '**/':
            out.append('(?:.+/)?')
        elif part == '**':
            out.append('.+')
        elif part == '*':
            out.append('[^/]+')
        elif part == '?':
            out.append('[^/]')
        else:
            out.append(re.escape(part))
    return ''.join(out)
";
    let later = bad.replace("out.append(", "regex += (").replace("out = []", "regex = ''");
    let later = later.replace("''.join(out)", "regex");
    let repo = Repo::new();
    let check = "import re, mix\nif not re.fullmatch(mix.translated('*.o*'), 'main.o'): raise SystemExit('*.o* misses main.o')\n";
    repo.write("check.py", check.as_bytes());
    repo.change("mix.py", good);
    repo.git(&["tag", "good"]);
    repo.change("mix.py", bad);
    // The lines of the cause cannot be undone there.
    repo.change("mix.py", &later);
    let json = repo.finds(&FLAGS, "python3 -B check.py");
    let cause = |line: &String| line.contains("[^/]+");
    assert!(lines_of(&json).iter().any(cause), "{json:#}");
    assert!(json.to_string().contains(r#""at_commit":"holds""#), "{json:#}");
}
