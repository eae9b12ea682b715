//! The history of a small program with a defect in it, as `howcome demo` asks about.

use std::collections::BTreeMap;

/// A commit: who made it, why, and which text it replaced by which in which file. An empty text is the end of the file.
pub(crate) struct DemoCommit(&'static str, &'static str, &'static [Edit]);

type Edit = (&'static str, &'static str, &'static str);

const TILL: &str = "till.awk";
const PRICES: &str = "prices.txt";
const README: &str = "README";

/// What the first commit holds.
const FIRST: [(&str, &str); 3] = [
    (TILL, include_str!("../../demo/till/till.awk")),
    (PRICES, include_str!("../../demo/till/prices.txt")),
    (README, "The till of a shop for pens.\n"),
];

#[rustfmt::skip]
const STEPS: [DemoCommit; 41] = [
    DemoCommit("Ada", "Sell paper", &[(PRICES, "", "paper 320\n")]),
    DemoCommit("Ben", "Say how to use it", &[(README, "", "\n    awk -f till.awk prices.txt basket.txt\n")]),
    DemoCommit("Ada", "Sell blotters", &[(PRICES, "", "blotter 180\n")]),
    DemoCommit("Cleo", "Count the articles", &[
        (TILL, "    total += cost($1, $2)\n", "    total += cost($1, $2)\n    articles += $2\n"),
        (TILL, "END {\n", "END {\n    printf \"articles: %d\\n\", articles\n"),
    ]),
    DemoCommit("Ada", "Ink is dearer", &[(PRICES, "ink 450", "ink 480")]),
    DemoCommit("Ben", "Empty lines are no articles", &[(TILL, "{\n    total", "NF {\n    total")]),
    DemoCommit("Ada", "Sell wax", &[(PRICES, "", "wax 260\n")]),
    DemoCommit("Cleo", "Say what has no price", &[
        (TILL, "    return prices[article]\n", "    if (!(article in prices))\n        print \"no price: \" article\n    return prices[article]\n"),
    ]),
    DemoCommit("Ben", "Readme: the unit of prices", &[(README, "", "\nPrices are in cents.\n")]),
    DemoCommit("Ada", "Sell seals", &[(PRICES, "", "seal 990\n")]),
    DemoCommit("Ben", "One of an article need not be counted", &[(TILL, "NF {\n", "NF == 1 {\n    $2 = 1\n}\n\nNF {\n")]),
    DemoCommit("Ada", "Nibs are cheaper", &[(PRICES, "nib 75", "nib 70")]),
    DemoCommit("Cleo", "Sell gift cards", &[(PRICES, "", "giftcard 1000\n")]),
    DemoCommit("Ada", "Sell string", &[(PRICES, "", "string 60\n")]),
    DemoCommit("Ben", "Readme: who to ask", &[(README, "", "\nQuestions: ben@example.org\n")]),
    DemoCommit("Ada", "Sell rulers", &[(PRICES, "", "ruler 210\n")]),
    DemoCommit("Ada", "Sell chalk", &[(PRICES, "", "chalk 40\n")]),
    DemoCommit("Ada", "Paper is dearer", &[(PRICES, "paper 320", "paper 350")]),
    DemoCommit("Ada", "Sell slates", &[(PRICES, "", "slate 720\n")]),
    DemoCommit("Cleo", "Begin to take returns", &[(TILL, "NF {\n", "$1 == \"return\" {\n    total -= cost($2, $3\n    next\n}\n\nNF {\n")]),
    DemoCommit("Cleo", "Take returns: the parenthesis", &[(TILL, "cost($2, $3\n", "cost($2, $3)\n")]),
    DemoCommit("Ben", "Readme: returns", &[(README, "", "\nA line `return pen 1` takes one back.\n")]),
    DemoCommit("Cleo", "Say thank you", &[(TILL, "total % 100\n", "total % 100\n    print \"thank you\"\n")]),
    DemoCommit("Cleo", "Tidy up: comments and a title", &[
        (TILL, "# Adds up a basket: lines of an article and how many of it. The prices, in cents, come first.", "# The till. Adds up a basket: lines of an article and its count. First come the prices, in cents."),
        (TILL, "function off(sum) {\n", "function off(sum) {  # a tenth\n"),
        (TILL, "    if (n >= 10)\n        sum -= off(sum)\n", "    if (n > 10)  # for many\n        sum -= off(sum)  # less\n"),
        (TILL, "    prices[$1] = $2\n", "    prices[$1] = $2  # in cents\n"),
        (TILL, "    $2 = 1\n", "    $2 = 1  # only one\n"),
        (TILL, "    printf \"articles: %d", "    printf \"pieces: %d"),
        (TILL, "\"thank you\"", "\"Thank you!\""),
        (README, "The till of a shop for pens.\n", "THE TILL\n\nThe till of a shop for pens and paper.\n"),
        (README, "Questions: ben@example.org", "Questions? Ask ben@example.org."),
    ]),
    DemoCommit("Ada", "Sell maps", &[(PRICES, "", "map 1250\n")]),
    DemoCommit("Ben", "Readme: gift cards", &[(README, "", "\nGift cards are good for a year.\n")]),
    DemoCommit("Ada", "Sell globes", &[(PRICES, "", "globe 5900\n")]),
    DemoCommit("Cleo", "A line above the total", &[(TILL, "    printf \"total", "    print \"------\"\n    printf \"total")]),
    DemoCommit("Ada", "Wax is dearer", &[(PRICES, "wax 260", "wax 290")]),
    DemoCommit("Ben", "Comments in baskets", &[(TILL, "NF == 1 {", "/^#/ {\n    next\n}\n\nNF == 1 {")]),
    DemoCommit("Ada", "Sell lamps", &[(PRICES, "", "lamp 3400\n")]),
    DemoCommit("Cleo", "10x pen is ten pens", &[
        (TILL, "    sum = price(article) * n\n", "    if (article ~ /^[0-9]+x$/)\n        return cost(n, article + 0)\n    sum = price(article) * n\n"),
    ]),
    DemoCommit("Ada", "Sell wicks", &[(PRICES, "", "wick 35\n")]),
    DemoCommit("Ben", "Readme: comments", &[(README, "", "\nLines that begin with # do not count.\n")]),
    DemoCommit("Cleo", "What has no price is not paid for", &[(TILL, "\"no price: \" article\n", "\"no price: \" article \", so it is free\"\n")]),
    DemoCommit("Ada", "Sell oil", &[(PRICES, "", "oil 610\n")]),
    DemoCommit("Ada", "Maps are cheaper", &[(PRICES, "map 1250", "map 1100")]),
    DemoCommit("Ben", "Readme: opening hours", &[(README, "", "\nOpen from 9 to 5.\n")]),
    DemoCommit("Ada", "Sell bags", &[(PRICES, "", "bag 20\n")]),
    DemoCommit("Cleo", "The name of the shop on every bill", &[(TILL, "END {\n", "END {\n    print \"Pen & Paper\"\n")]),
    DemoCommit("Ada", "Bags are free", &[(PRICES, "bag 20", "bag 0")]),
];

/// How many commits there are after the first one.
pub(crate) const COMMITS: usize = STEPS.len();

/// The history as `git fast-import` reads it: a branch `main`, and a tag `v1.0` at its first commit.
pub(crate) fn as_stream() -> String {
    let mut files = Files::from(FIRST.map(|(name, text)| (name, text.to_owned())));
    let mut stream = String::new();
    commit(&mut stream, 0, "Ada", "The till", &files);
    stream += "reset refs/tags/v1.0\nfrom refs/heads/main\n\n";
    for (number, DemoCommit(author, subject, edits)) in STEPS.iter().enumerate() {
        edits.iter().for_each(|edit| make(edit, &mut files));
        commit(&mut stream, number + 1, author, subject, &files);
    }
    stream
}

type Files = BTreeMap<&'static str, String>;

fn make((name, old, new): &Edit, files: &mut Files) {
    let file = files.entry(name).or_default();
    match old.is_empty() {
        true => *file += new,
        false => *file = file.replacen(old, new, 1),
    }
}

/// One commit a day, on top of the one before.
fn commit(stream: &mut String, number: usize, author: &str, subject: &str, files: &Files) {
    let mail = author.to_lowercase();
    let when = 1_767_258_000 + 86_400 * number;
    *stream += &format!("commit refs/heads/main\ncommitter {author} <{mail}@example.org> {when} +0000\n");
    *stream += &data(subject);
    for (name, text) in files {
        *stream += &format!("M 100644 inline {name}\n{}", data(text));
    }
    stream.push('\n');
}

fn data(text: &str) -> String {
    format!("data {}\n{text}\n", text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_of_the_history_finds_its_text_once() {
        let mut files = Files::from(FIRST.map(|(name, text)| (name, text.to_owned())));
        for DemoCommit(_, subject, edits) in &STEPS {
            for edit @ (name, old, _) in *edits {
                assert!(old.is_empty() || files[name].matches(old).count() == 1, "{subject}: {old:?}");
                make(edit, &mut files);
            }
        }
    }
}
