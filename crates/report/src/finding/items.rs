//! Some of a list of items: those that are enough to make the test fail, or those that decide whether it fails.

use crate::account::Exhibit;
use howcome_run::ItemsFinding;
use howcome_run::words::{count, cut, printable, thousands};

/// A longer item is cut; the file of the answer has all of it.
const LONGEST: usize = 2_000;

/// What `howcome items` found, printable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ItemsReport {
    pub(crate) items: Vec<String>,
    of: Option<u64>,
    /// If these items decide beside others that have to be there, the others.
    pub(crate) beside: Option<Vec<String>>,
}

impl ItemsReport {
    pub(crate) fn new(found: &ItemsFinding) -> Self {
        let lines = |items: &Vec<String>| items.iter().map(|item| cut(&printable(item), LONGEST)).collect();
        let beside = found.passing.as_ref().filter(|_| found.failing.is_some()).map(lines);
        Self { items: lines(&found.items), of: found.of, beside }
    }

    /// The answer.
    pub(crate) fn found(&self, is_minimal: bool) -> String {
        let Self { items, of, beside } = self;
        if beside.is_some() {
            let verb = if items.len() == 1 { "decides" } else { "decide" };
            return format!("{} {verb} whether the test fails", self.part());
        }
        if items.is_empty() {
            return format!("The test fails even without any of {}", self.all());
        }
        if is_minimal && *of == Some(items.len() as u64) && items.len() > 1 {
            let all = match items.len() as u64 {
                2 => "Both items".to_owned(),
                more => format!("All {}", count(more, "item")),
            };
            return format!("{all} are needed to make the test fail");
        }
        let verb = if items.len() == 1 { "is" } else { "are" };
        format!("{} {verb} enough to make the test fail", self.part())
    }

    /// The answer of a test that later passed.
    pub(crate) fn once(&self) -> String {
        format!("{} made the test fail", self.part())
    }

    /// What is known if the search did not finish.
    pub(crate) fn so_far(&self) -> String {
        match &self.beside {
            Some(_) => format!("the deciding items are among {}", self.part()),
            None if self.items.is_empty() => format!("the test fails even without any of {}", self.all()),
            None => self.found(false),
        }
    }

    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        let answer = Exhibit { is_answer: true, lines: self.items.clone(), ..Exhibit::default() };
        let Some(beside) = self.beside.as_ref().filter(|beside| !beside.is_empty()) else {
            return vec![answer];
        };
        let it = if self.items.len() == 1 { "it is" } else { "they are" };
        let caption = match beside.len() as u64 {
            1 => format!("the test passes with this item and fails if {it} added"),
            more => format!("the test passes with these {} and fails if {it} added", count(more, "item")),
        };
        let beside = Exhibit { caption: Some(caption), lines: beside.clone(), ..Exhibit::default() };
        vec![answer, beside]
    }

    fn part(&self) -> String {
        match self.of {
            Some(of) => format!("{} of {}", thousands(self.items.len() as u64), count(of, "item")),
            None => count(self.items.len() as u64, "item"),
        }
    }

    fn all(&self) -> String {
        self.of.map_or_else(|| "the items".to_owned(), |of| format!("the {}", count(of, "item")))
    }
}
