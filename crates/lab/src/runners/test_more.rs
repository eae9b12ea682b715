//! The diagnostics of Perl tests: the assertions of Test::More that failed, and why a test program died.

use super::TestError;
use super::line_pattern::LinePattern;

/// How many lines of details are read after a failed assertion.
const DETAILS: usize = 6;

/// What test programs said about their failures, in the order of the output.
#[derive(Default)]
pub(super) struct PerlDiagnostics {
    /// The assertions that failed.
    pub assertions: Vec<TestError>,
    pub deaths: Vec<PerlDeath>,
}

/// The end of a test program that died.
pub(super) struct PerlDeath {
    /// The last error before its end.
    pub error: TestError,
    pub exit_code: u32,
    /// How many of its tests had run.
    pub tests: u64,
}

/// Reads the diagnostics among the lines of an output.
pub(super) fn read_diagnostics<'a>(lines: impl Iterator<Item = &'a str>) -> PerlDiagnostics {
    static DEATH: LinePattern = LinePattern::new(
        "# Looks like your test exited",
        r"^# Looks like your test exited with (\d+) (?:just after (\d+)|before it could output anything)\.$",
    );
    let mut diagnostics = PerlDiagnostics::default();
    let mut inner = None;
    let mut died = None;
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        if let Some(mut failure) = read_assertion(line, lines.peek().copied()) {
            if lines.peek().is_some_and(|line| line.trim_start().starts_with("#   at ")) {
                lines.next();
            }
            let indent = line.len() - line.trim_start().len();
            for _ in 0..DETAILS {
                let Some(more) = lines.next_if(|line| is_detail(line, indent)) else { break };
                failure.message.push(' ');
                failure.message.push_str(more.trim_start().trim_start_matches('#').trim());
            }
            if indent > 0 {
                // A subtest: what failed in it is the failure of the test around it.
                inner.get_or_insert(failure);
            } else {
                let inner = inner.take().filter(|inner: &TestError| same_file(inner, &failure));
                diagnostics.assertions.push(inner.unwrap_or(failure));
            }
            died = None;
        } else if let Some(death) = DEATH.captures(line) {
            diagnostics.deaths.push(PerlDeath {
                error: died.take().unwrap_or_default(),
                exit_code: death[1].parse().unwrap_or_default(),
                tests: death.get(2).map_or(Some(0), |tests| tests.as_str().parse().ok()).unwrap_or_default(),
            });
        } else if line.starts_with("# Looks like ") {
            died = None;
        } else if let Some(error) = read_death(line) {
            died = Some(error);
        }
    }
    diagnostics
}

fn same_file(one: &TestError, other: &TestError) -> bool {
    matches!((&one.place, &other.place), (Some((one, _)), Some((other, _))) if one == other)
}

/// `#   Failed test 'the total is right'`, and the place on the same line or on the next.
fn read_assertion(line: &str, next: Option<&str>) -> Option<TestError> {
    static PLACE: LinePattern = LinePattern::new("#", r"^\s*#\s+(?:Failed test.* )?at (\S+) line (\d+)\.$");
    let said = line.trim_start().strip_prefix("#   Failed test")?;
    let name = said.rfind(" at ").map_or(said, |at| &said[..at]).trim();
    let place = PLACE.captures(line).or_else(|| PLACE.captures(next?));
    let place = place.and_then(|place| Some((place[1].to_owned(), place[2].parse().ok()?)));
    let message = format!("Failed test {name}").trim_end().to_owned();
    Some(TestError { kind: "assertion".to_owned(), message, place, ..TestError::default() })
}

/// Whether a line tells more about the assertion before it.
fn is_detail(line: &str, indent: usize) -> bool {
    let text = line.trim_start();
    line.len() - text.len() == indent
        && text.starts_with("#  ")
        && !text.starts_with("#   Failed test")
        && !text.starts_with("# Looks like ")
}

/// `negative amount at lib/Cart.pm line 2.`
fn read_death(line: &str) -> Option<TestError> {
    static DIED: LinePattern = LinePattern::new(" line ", r"^([^\s#].*?) at (\S+) line (\d+)(?:\.|, .*)$");
    const CONSEQUENCES: [&str; 3] = ["BEGIN failed--", "Execution of ", "Compilation failed in require"];
    if !line.contains(" line ") || CONSEQUENCES.iter().any(|begin| line.starts_with(begin)) {
        return None;
    }
    let died = DIED.captures(line)?;
    // The rest of `Can't locate Cart.pm in @INC` lists the folders of this machine.
    let end = died[1].find(" (you may need to install").or(died[1].find(" (@INC ")).unwrap_or(died[1].len());
    Some(TestError {
        kind: "die".to_owned(),
        message: died[1][..end].to_owned(),
        place: Some((died[2].to_owned(), died[3].parse().ok()?)),
        ..TestError::default()
    })
}
