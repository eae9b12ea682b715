//! The figures of a run, from its list of tests.

use std::collections::HashSet;

/// A step: a candidate that was interesting and smaller than all before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SizeReached {
    pub(crate) bytes: u64,
    /// How many tests had begun by then.
    pub(crate) tests: usize,
    /// Seconds since the tool was started.
    pub(crate) seconds: f64,
}

/// The figures of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolFigures {
    /// Tests that were begun.
    pub(crate) tests: usize,
    /// Tests that the tool ended early.
    pub(crate) cut_short: usize,
    /// The number of different contents.
    pub(crate) different: usize,
    pub(crate) steps: Vec<SizeReached>,
}

impl ToolFigures {
    /// The figures of a list of tests, of those that began before the cap.
    pub(crate) fn of(list: &str, began: f64, cap: f64) -> Self {
        let mut figures = Self::default();
        let mut contents = HashSet::new();
        let mut ended = 0;
        for line in list.lines() {
            let mut words = line.split(' ');
            let (Some(what), Some(at), Some(bytes), Some(content)) =
                (words.next(), words.next(), words.next(), words.next())
            else {
                continue;
            };
            let (Ok(at), Ok(bytes)) = (at.parse::<f64>(), bytes.parse::<u64>()) else { continue };
            let seconds = at - began;
            if seconds > cap {
                continue;
            }
            if what == "began" {
                figures.tests += 1;
                contents.insert(content.to_owned());
                continue;
            }
            ended += 1;
            if what == "interesting" && figures.steps.last().is_none_or(|step| bytes < step.bytes) {
                figures.steps.push(SizeReached { bytes, tests: figures.tests, seconds });
            }
        }
        figures.cut_short = figures.tests.saturating_sub(ended);
        figures.different = contents.len();
        figures
    }

    /// When a candidate of at most this many bytes was found.
    pub(crate) fn until(&self, bytes: u64) -> Option<SizeReached> {
        self.steps.iter().find(|step| step.bytes <= bytes).copied()
    }
}

/// The geometric mean; `None` for an empty list.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.is_empty() {
        return None;
    }
    Some((ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_the_tool_ended_early_count_as_tests() {
        let list = "began 10.0 100 a\nbegan 10.1 50 b\ninteresting 10.5 100 a\nbegan 11.0 20 c\n\
                    interesting 12.0 20 c\nbegan 99.0 1 d\n";
        let figures = ToolFigures::of(list, 10.0, 60.0);
        assert_eq!((figures.tests, figures.cut_short, figures.different), (3, 1, 3));
        assert_eq!(figures.until(50), Some(SizeReached { bytes: 20, tests: 3, seconds: 2.0 }));
        assert_eq!(figures.until(10), None);
    }

    #[test]
    fn the_geometric_mean_of_a_half_and_a_double_is_one() {
        let mean = geometric_mean(&[0.5, 2.0]);
        assert!(mean.is_some_and(|mean| (mean - 1.0).abs() < 1e-9));
    }
}
