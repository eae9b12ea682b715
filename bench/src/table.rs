//! Tables in Markdown.

use std::fmt::Display;

/// A table that is printed row by row, as it is measured.
pub(crate) struct MarkdownTable(usize);

impl MarkdownTable {
    /// Prints the head.
    pub(crate) fn new<T: Display>(title: &str, columns: impl IntoIterator<Item = T>) -> Self {
        println!("\n### {title}\n");
        let columns: Vec<String> = columns.into_iter().map(|column| column.to_string()).collect();
        line(&columns);
        line(&vec!["---".to_owned(); columns.len()]);
        Self(columns.len())
    }

    /// Prints a row.
    pub(crate) fn row<T: Display>(&self, cells: impl IntoIterator<Item = T>) {
        let mut cells: Vec<String> = cells.into_iter().map(|cell| cell.to_string()).collect();
        cells.resize(self.0, String::new());
        line(&cells);
    }
}

fn line(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// Whether a bar holds, in one word.
pub(crate) fn holds(does: bool) -> &'static str {
    if does { "yes" } else { "**no**" }
}
