//! The smallest difference between a passing and a failing input.

use howcome_dd::{Configuration, Conversation, Difference, Knowledge, Outcome, drive};
use howcome_input::{Document, DocumentPart, InputTest, Mixture, Piece, PieceId, PieceKind};
use howcome_run::Subject;
use howcome_syntax::Language;
use proptest::prelude::*;
use std::sync::Arc;

/// Figure 1 of the cause-effect paper.
const FAIL_C: &str = "\
double mult(double z[], int n)
{
    int i, j;
    i = 0;
    for (j = 0; j < n; j++) {
        i = i + j + 1;
        z[i] = z[i] * (z[0] + 1.0);
    }
    return z[n];
}
";

fn mixture(passing: &Document, failing: &Document) -> Mixture {
    Mixture::new(passing, failing, Arc::new(InputTest::default()))
}

fn isolate(mixture: &Mixture, test: impl Fn(&Document) -> Outcome) -> Conversation<Difference> {
    let all = Configuration::all(mixture.deltas());
    drive(mixture.search(), &all, &Knowledge::none(), |applied| test(&mixture.document(applied)))
}

/// A compiler that crashes on an addition of 1.0 in a loop, and rejects everything that is not C.
fn compiler(document: &Document) -> Outcome {
    let text = document.text();
    let Some(tree) = Language::C.parse(text.as_bytes()) else { return Outcome::Unresolved };
    if tree.nodes().iter().any(|node| node.is_error) {
        return Outcome::Unresolved;
    }
    let squeezed: String = text.split_whitespace().collect();
    match squeezed.contains("for(") && squeezed.contains("+1.0") {
        true => Outcome::Fail,
        false => Outcome::Pass,
    }
}

#[test]
fn table_1_of_the_cause_effect_paper() {
    let mixture = mixture(&Document::of_file("fail.c", ""), &Document::of_file("fail.c", FAIL_C));
    let conversation = isolate(&mixture, compiler);
    let Difference { passing, failing } = conversation.finding;
    let (passing, failing) = (mixture.document(&passing).text(), mixture.document(&failing).text());
    assert_eq!(passing, failing.replace(" + 1.0", ""));
    assert!(
        conversation.told.len() <= 8,
        "the paper took 21 tests, and 8 are possible: {}",
        conversation.told.len()
    );
}

#[test]
fn the_deciding_text_is_marked_in_its_line() {
    let mixture = mixture(&Document::of_file("fail.c", ""), &Document::of_file("fail.c", FAIL_C));
    let decisive = mixture.decisive(&isolate(&mixture, compiler).finding);
    let [decisive] = decisive.as_slice() else { panic!("{decisive:?}") };
    assert_eq!((decisive.line, &decisive.added[..]), (Some(7), &["+ 1.0".to_owned()][..]));
    assert!(decisive.removed.is_empty());
    assert_eq!(decisive.passing, ["        z[i] = z[i] * (z[0]);"]);
    assert_eq!(decisive.failing, ["        z[i] = z[i] * (z[0] + 1.0);"]);
    assert_eq!(decisive.before.last().unwrap(), "        i = i + j + 1;");
    assert_eq!(decisive.after, ["    }", "}"]);
    let [mark] = decisive.marked.as_slice() else { panic!("{:?}", decisive.marked) };
    assert_eq!(&decisive.failing[0][mark.start..mark.end], "+ 1.0");
}

fn folder(files: &[(&str, &str)]) -> Document {
    let piece = |name: &str, kind: PieceKind| Piece { name: name.into(), inside: 0, mode: 0o644, kind };
    let file = |(name, text): &(&str, &str)| {
        piece(name, PieceKind::Part(Arc::new(DocumentPart::of(name.as_ref(), text.as_bytes().to_vec()))))
    };
    let mut pieces = vec![piece("in", PieceKind::Folder)];
    pieces.extend(files.iter().map(file));
    pieces[0].inside = files.len() as u32;
    Document::new(pieces)
}

#[test]
fn a_file_that_only_one_side_has_can_decide() {
    let passing = folder(&[("a.txt", "one two\n"), ("c.txt", "x\n")]);
    let failing = folder(&[("a.txt", "one three\n"), ("b.txt", "y z\n"), ("c.txt", "x\n")]);
    let mixture = mixture(&passing, &failing);
    assert_eq!(mixture.document(&Configuration::empty()).files(), passing.files());
    assert_eq!(mixture.document(&Configuration::all(mixture.deltas())).files(), failing.files());
    let has_b = |document: &Document| document.files().iter().any(|(path, _)| path.ends_with("b.txt"));
    let found = isolate(&mixture, |document| if has_b(document) { Outcome::Fail } else { Outcome::Pass });
    let decisive = mixture.decisive(&found.finding);
    assert_eq!(decisive.len(), 1);
    assert_eq!(decisive[0].what.as_deref(), Some("only the failing side has the file"));
}

#[test]
fn a_token_in_the_place_of_another_decides_together_with_it() {
    let text = |number: &str| format!("{{\"a\": [1, 2], \"b\": {{\"c\": {number}, \"d\": null}}}}");
    let passing = Document::of_file("x.json", text("17"));
    let failing = Document::of_file("x.json", text("18").replace("null", "true").replace("1, 2", "1, 2, 3"));
    let mixture = mixture(&passing, &failing);
    let found = isolate(&mixture, |document| {
        let text = document.text();
        match Language::Json.parse(text.as_bytes()) {
            Some(tree) if tree.nodes().iter().any(|node| node.is_error) => Outcome::Unresolved,
            _ if text.contains("\"c\": 18") => Outcome::Fail,
            _ => Outcome::Pass,
        }
    });
    let decisive = mixture.decisive(&found.finding);
    assert_eq!(
        (&decisive[0].removed[..], &decisive[0].added[..]),
        (&["17".to_owned()][..], &["18".to_owned()][..])
    );
    assert!(found.told.len() <= 5, "{}", found.told.len());
}

#[test]
fn a_name_that_changes_everywhere_changes_at_once() {
    let passing = "def f(a):\n    b = a\n    for c in a:\n        b = c\n    return max(b, 1)\n";
    let failing = passing.replace('a', "x").replace('b', "y").replace("mxx", "max").replace("mx(", "max(");
    let failing = failing.replace("for c", "for z").replace("= c", "= z").replace(", 1", "");
    let mixture = mixture(&Document::of_file("f.py", passing), &Document::of_file("f.py", failing));
    let found = isolate(&mixture, |document| {
        let text = document.text();
        let is_half = |old: &str, new: &str| {
            let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            words.contains(&old) && words.contains(&new)
        };
        match () {
            () if is_half("a", "x") || is_half("b", "y") || is_half("c", "z") => Outcome::Unresolved,
            () if text.contains(", 1") => Outcome::Pass,
            () => Outcome::Fail,
        }
    });
    assert!(found.told.len() <= 6, "{}", found.told.len());
}

#[test]
fn single_bytes_decide_in_binary_data() {
    let passing: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let mut failing = passing.clone();
    (0..4096).step_by(64).for_each(|at| failing[at] ^= 0x80);
    let mixture = mixture(&Document::of_file("x.bin", passing), &Document::of_file("x.bin", failing.clone()));
    let found = isolate(&mixture, |document| {
        let bytes = document.bytes_of(PieceId(0));
        if bytes.get(640) == Some(&failing[640]) { Outcome::Fail } else { Outcome::Pass }
    });
    let decisive = mixture.decisive(&found.finding);
    assert_eq!(decisive[0].offset, 640);
    assert!(found.told.len() <= 10, "{}", found.told.len());
}

#[test]
fn nesting_can_have_any_depth() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mixture = mixture(&Document::of_file("x.json", "[]"), &Document::of_file("x.json", deep));
    let found =
        isolate(&mixture, |document| if document.size() > 1000 { Outcome::Fail } else { Outcome::Pass });
    assert!(found.told.len() <= 24, "{}", found.told.len());
}

proptest! {
    #[test]
    fn no_deltas_make_the_passing_text_and_all_deltas_the_failing_one(
        passing in "([a-c]|[ \n]|[(){};,]|\u{e9}){0,40}",
        failing in "([a-c]|[ \n]|[(){};,]|\u{e9}){0,40}",
        name in "f|f[.]c|f[.]json",
    ) {
        let (passing, failing) = (Document::of_file(&name, passing), Document::of_file(&name, failing));
        let mixture = mixture(&passing, &failing);
        prop_assert_eq!(mixture.document(&Configuration::empty()).files(), passing.files());
        let all = Configuration::all(mixture.deltas());
        prop_assert_eq!(mixture.document(&all).files(), failing.files());
        let decisive = mixture.decisive(&Difference { passing: Configuration::empty(), failing: all });
        prop_assert_eq!(decisive.is_empty(), passing.files() == failing.files());
    }
}
