//! Panics of Go, and what the compiler of Go complains about.

use super::TestError;
use std::collections::BTreeMap;

/// The first panic that is told in these lines, with the innermost function that is not in the standard library.
pub(super) fn read_go_panic(lines: &[&str]) -> Option<TestError> {
    let start =
        lines.iter().position(|line| line.starts_with("panic: ") || line.starts_with("fatal error: "))?;
    let (_, message) = lines[start].split_once(": ")?;
    let message = message.trim_end_matches(" [recovered]").to_owned();
    let mut error = TestError { kind: "panic".to_owned(), message, ..TestError::default() };
    let frames = lines[start..].windows(2).filter_map(|pair| {
        let place = pair[1].strip_prefix('\t')?.split(' ').next()?;
        let (file, number) = place.rsplit_once(':')?;
        let (function, _) = pair[0].rsplit_once('(')?;
        Some((function, (file.to_owned(), number.parse::<u32>().ok()?)))
    });
    let is_foreign = |function: &str| {
        let foreign = ["testing.", "runtime.", "created by ", "time.", "main.main"];
        function == "panic" || foreign.iter().any(|start| function.starts_with(start))
    };
    if let Some((function, place)) = frames.into_iter().find(|(function, _)| !is_foreign(function)) {
        (error.function, error.place) = (Some(function.to_owned()), Some(place));
    }
    Some(error)
}

/// The first error of each package that does not compile: `# example.com/shop` and below it `cart.go:3:25: undefined: x`.
pub(super) fn read_build_errors<'a>(lines: &[&'a str]) -> BTreeMap<&'a str, TestError> {
    let mut errors = BTreeMap::new();
    let mut package = None;
    for line in lines {
        if let Some(head) = line.strip_prefix("# ") {
            package = head.split(' ').next();
        } else if let (Some(name), Some(error)) = (package, read_complaint(line)) {
            errors.entry(name).or_insert(error);
        }
    }
    errors
}

/// `cart.go:3:25: undefined: x`; `go vet` prints no column.
fn read_complaint(line: &str) -> Option<TestError> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let (file, rest) = line.split_once(".go:")?;
    let (place, message) = rest.split_once(": ")?;
    let number = place.split(':').next()?.parse().ok()?;
    let file = file.strip_prefix("./").unwrap_or(file);
    Some(TestError {
        kind: "compile error".to_owned(),
        message: message.to_owned(),
        place: Some((format!("{file}.go"), number)),
        ..TestError::default()
    })
}
