//! The line of an output that probably says why a test failed.

/// The first line that reports an error, or else the last line. Errors that follow are often consequences of the first one, and indented
/// lines quote source code.
pub(crate) fn first_error(printed: &str) -> Option<&str> {
    let lines = || printed.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("--- "));
    let has_any = |line: &str, words: &[&str]| {
        let line = line.to_ascii_lowercase();
        words.iter().any(|word| line.contains(word))
    };
    // A linker says what is missing before the compiler says that the linker has failed.
    let reports = |line: &&str| {
        has_any(line, &["error:", "fatal:", "exception:", "panicked at", "undefined reference to"])
    };
    let mentions = |line: &&str| {
        has_any(line, &["error", "unknown", "undefined", "not defined", "not found", "no such"])
    };
    let is_message = |line: &&str| !line.starts_with([' ', '\t']);
    let first = lines().filter(is_message).find(reports);
    first
        .or_else(|| lines().filter(is_message).find(mentions))
        .or_else(|| lines().find(mentions))
        .or_else(|| lines().next_back())
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn the_first_error_is_quoted_and_not_what_follows_from_it() {
        let make = "cc -c a.c\na.c:3:1: error: unknown type name 'foo'\na.c:9:2: error: expected ';'\nmake: *** [a.o] Error 1\n";
        assert_eq!(first_error(make), Some("a.c:3:1: error: unknown type name 'foo'"));
        let python = "Traceback (most recent call last):\n  File \"t.py\", line 1\n    raise Error: oops\nImportError: no module\n";
        assert_eq!(first_error(python), Some("ImportError: no module"));
        let ld = "/usr/bin/ld: /tmp/a.o: in function `main':\na.c:(.text+0x1): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status\n";
        assert_eq!(first_error(ld), Some("a.c:(.text+0x1): undefined reference to `foo'"));
        assert_eq!(first_error("usage: stats sum\n"), Some("usage: stats sum"));
        assert_eq!(
            first_error("start\n./stats: 5: numbers: not found\nend\n"),
            Some("./stats: 5: numbers: not found")
        );
        assert_eq!(first_error("\n"), None);
    }
}
