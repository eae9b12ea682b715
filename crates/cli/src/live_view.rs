//! What a terminal shows while an input becomes smaller: how far it is, the size over time, the first lines of the best candidate.

use howcome_lab::inquiry::SeenCandidate;
use howcome_run::words::{cut, printable};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bars of the size over time, from the smallest to the largest.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// How many bars there are at most.
const WIDEST: usize = 40;

/// The best candidate so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownCandidate(Arc<Mutex<SeenCandidate>>);

impl ShownCandidate {
    pub(crate) fn show(&self, candidate: SeenCandidate) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = candidate;
    }

    /// About how many tests are left if nothing more can be removed.
    pub(crate) fn tests_left(&self) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).tests_left
    }

    /// Each line as it fits into a terminal.
    fn lines(&self, columns: usize) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner).lines.clone();
        lines
            .iter()
            .map(|line| {
                format!("  │ {}", cut(&printable(&line.replace('\t', "    ")), columns.saturating_sub(4)))
            })
            .collect()
    }
}

/// The sizes that an input had, each with the time at which it was reached.
#[derive(Debug, Default)]
pub(crate) struct SizeHistory(Vec<(Duration, u64)>);

impl SizeHistory {
    pub(crate) fn add(&mut self, at: Duration, bytes: u64) {
        self.0.push((at, bytes));
    }

    /// A bar for each part of the time, as high as the logarithm of the size at its end.
    fn bars(&self, now: Duration, columns: usize) -> String {
        let Some((_, first)) = self.0.first() else { return String::new() };
        let columns = columns.min(WIDEST);
        let size_at = |time: Duration| {
            let reached = self.0.partition_point(|(at, _)| *at <= time);
            self.0.get(reached.saturating_sub(1)).map_or(*first, |(_, bytes)| *bytes)
        };
        let log = |bytes: u64| (bytes.max(1) as f64).ln();
        let highest = log(*first).max(1.0);
        let bar = |column: usize| {
            let time = now.mul_f64((column + 1) as f64 / columns.max(1) as f64);
            let height = (log(size_at(time)) / highest * (BARS.len() - 1) as f64).round();
            BARS[(height as usize).min(BARS.len() - 1)]
        };
        (0..columns).map(bar).collect()
    }
}

/// The whole view: the text, and below it the sizes and the candidate if there is room.
pub(crate) fn view(
    text: &str,
    sizes: &SizeHistory,
    candidate: &ShownCandidate,
    now: Duration,
    [columns, rows]: [usize; 2],
) -> String {
    // The spinner takes two columns.
    let mut lines = vec![cut(text, columns.saturating_sub(3))];
    let below = candidate.lines(columns.saturating_sub(1));
    if rows >= below.len() + 6 && !below.is_empty() {
        lines.push(cut(
            &format!("  size over time {}", sizes.bars(now, columns.saturating_sub(18))),
            columns.saturating_sub(1),
        ));
        lines.extend(below);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bars_fall_with_the_size() {
        let mut sizes = SizeHistory::default();
        for (second, bytes) in [(0, 1_000_000), (5, 1_000), (9, 1)] {
            sizes.add(Duration::from_secs(second), bytes);
        }
        assert_eq!(sizes.bars(Duration::from_secs(10), 10), "████▅▅▅▅▁▁");
        assert_eq!(SizeHistory::default().bars(Duration::from_secs(1), 10), "");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_none_controls_it() {
        let candidate = ShownCandidate::default();
        candidate
            .show(SeenCandidate { lines: vec!["\u{1b}[2J".to_owned(), "x".repeat(500)], tests_left: None });
        let mut sizes = SizeHistory::default();
        sizes.add(Duration::ZERO, 1000);
        let view = |rows| view("text", &sizes, &candidate, Duration::from_secs(1), [60, rows]);
        assert_eq!(view(30).lines().count(), 4);
        assert!(
            view(30).lines().all(|line| howcome_run::words::width(line) < 60 && !line.contains('\u{1b}'))
        );
        assert_eq!(view(5), "text", "a low terminal has one line");
    }
}
