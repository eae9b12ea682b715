//! A table: cases with a title, lines that describe a world, and lines that say what is asked and found in it.
//!
//! ```text
//! # a title
//! 1: a
//! 2: a b!
//! fails: b!
//! asks: hunks 1✗
//! finds: 2 +b!
//! ```

/// One case.
struct TableCase {
    title: String,
    /// The lines that describe the world, as they are written.
    given: Vec<String>,
    /// The lines that say what is asked and found.
    expected: Vec<String>,
}

impl TableCase {
    fn parse(text: &str, results: &[&str]) -> Self {
        let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let title = lines.next().unwrap().trim_start_matches("# ").to_owned();
        let is_result = |line: &&str| results.iter().any(|result| line.starts_with(result));
        let (expected, given): (Vec<&str>, Vec<&str>) = lines.partition(is_result);
        let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect();
        Self { title, given: owned(given), expected: owned(expected) }
    }

    /// The case as it should be written, if it is not as it says.
    fn difference(&self, search: fn(&[String]) -> Vec<String>) -> Option<String> {
        let result = search(&self.given);
        (result != self.expected).then(|| {
            let lines = [self.given.clone(), result].concat();
            format!("# {}\n{}\n", self.title, lines.join("\n"))
        })
    }
}

/// Searches in each world of a table, which has so many cases at least. `results` are the first words of lines that say what is asked
/// and found.
pub(crate) fn check(table: &str, at_least: usize, results: &[&str], search: fn(&[String]) -> Vec<String>) {
    let cases = table.split("\n# ").skip(usize::from(!table.starts_with("# ")));
    let cases: Vec<TableCase> = cases.map(|text| TableCase::parse(text, results)).collect();
    assert!(cases.len() >= at_least, "only {} cases", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(|case| case.difference(search)).collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
