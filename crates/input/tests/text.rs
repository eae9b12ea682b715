//! All passes together on texts that no grammar knows.

use howcome_input::{Document, passes, simplify};

fn simplified(text: &str, fails: impl Fn(&str) -> bool) -> (String, u64) {
    let simplified =
        simplify(&Document::of_file("input", text), passes(), |document| fails(&document.text()));
    (simplified.document.text(), simplified.tests)
}

#[test]
fn the_select_tag_takes_no_more_than_26_tests() {
    let is_select = |text: &str| {
        text.lines().any(|line| line.starts_with("<SELECT") && line.find('>') == Some(line.len() - 1))
    };
    for end in ["", "\n"] {
        let page = format!("<SELECT NAME=\"priority\" MULTIPLE SIZE=7>{end}");
        let (text, tests) = simplified(&page, is_select);
        assert_eq!(text, "<SELECT>");
        assert!(tests <= 26, "{tests} tests");
    }
}
