//! The lecture's example: simplify `<SELECT NAME="priority" MULTIPLE SIZE=7>` to `<SELECT>` by characters.

use crate::conversation::converse;
use crate::paper::read;
use howcome_dd::{Balanced, Configuration, Ddmin, Difference, Outcome, RemovalOrder, Search};
use std::collections::HashSet;

/// The lecture's data, read from its file.
struct Select {
    input: String,
    result: String,
    outcomes: String,
}

impl Select {
    fn read() -> Self {
        let text = read("lecture/select.txt");
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.expect("a field of the file").trim_start().to_owned()
        };
        Self { input: field("input"), result: field("result"), outcomes: field("outcomes") }
    }

    fn all(&self) -> Configuration {
        Configuration::all(self.input.len() as u32)
    }

    fn text(&self, configuration: &Configuration) -> String {
        configuration.iter().map(|delta| char::from(self.input.as_bytes()[delta.index()])).collect()
    }

    /// Simplifies the input and returns the tested texts.
    fn simplify(&self, search: impl Search<Finding = Difference>, fails: Judge) -> Vec<String> {
        let conversation = converse(search, &self.all(), |asked| {
            if fails(&self.text(asked)) { Outcome::Fail } else { Outcome::Pass }
        });
        assert_eq!(self.text(&conversation.finding.failing), self.result);
        conversation.told.iter().map(|(asked, _)| self.text(asked)).collect()
    }
}

/// `^<SELECT[^>]*>$`
fn one_tag(text: &str) -> bool {
    text.starts_with("<SELECT") && text.find('>') == Some(text.len() - 1)
}

/// `<SELECT[^>]*>` anywhere. For this input, this is the same as `<SELECT.*>`.
fn a_tag_somewhere(text: &str) -> bool {
    text.find("<SELECT").is_some_and(|start| text[start..].contains('>'))
}

/// `^<SELECT( [^>]*)?>$`: nothing can follow the tag's name directly.
fn a_well_formed_tag(text: &str) -> bool {
    one_tag(text) && (text == "<SELECT>" || text.starts_with("<SELECT "))
}

type Judge = fn(&str) -> bool;

const JUDGES: [(&str, Judge); 3] =
    [("one tag", one_tag), ("a tag somewhere", a_tag_somewhere), ("a well-formed tag", a_well_formed_tag)];

#[test]
fn select_takes_balanced_at_most_26_tests() {
    let select = Select::read();
    assert_eq!(select.outcomes.chars().count(), 26);
    for (name, fails) in JUDGES {
        let backward = select.simplify(Balanced::new(select.all()), fails).len();
        let forward = select.simplify(Balanced::walking(select.all(), RemovalOrder::Forward), fails).len();
        println!("{name}: {backward} tests backward, {forward} forward");
        assert!(backward <= 26, "{name} took {backward} tests");
    }
}

#[test]
fn select_takes_ddmin_78_tests_and_77_if_texts_are_remembered() {
    let select = Select::read();
    for (name, fails) in JUDGES {
        let texts = select.simplify(Ddmin::new(select.all()), fails);
        let different: HashSet<&String> = texts.iter().collect();
        println!("{name}: {} tests by ddmin, {} different texts", texts.len(), different.len());
    }
    let texts = select.simplify(Ddmin::new(select.all()), one_tag);
    assert_eq!(texts.len(), 78);
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), 77);
}
