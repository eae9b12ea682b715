//! Runners that start other runners, whose output is then inside their own.

use super::PrintedText;

/// Whether a runner that starts other runners printed this. If its own report is missing, the reports inside it are only a part of
/// the truth.
pub(super) fn is_of_outer_runner(printed: &PrintedText) -> bool {
    printed.stdout.iter().any(|line| line.starts_with("Test project "))
}
