//! Where a number lies on an axis, and which numbers to write beside it.

/// An axis from 0 to a largest number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    largest: u64,
    from: f64,
    to: f64,
    log: bool,
}

/// More than this on a linear axis, and the interesting end of a search is a flat line.
const LARGEST_LINEAR: u64 = 50;
/// On a log axis 1 lies a little above the end, and 0 at it.
const LOG_START: f64 = 0.6;

impl Scale {
    pub(crate) fn linear(largest: u64, from: f64, to: f64) -> Self {
        Self { largest: largest.max(1), from, to, log: false }
    }

    pub(crate) fn linear_or_log(largest: u64, from: f64, to: f64) -> Self {
        Self { log: largest > LARGEST_LINEAR, ..Self::linear(largest, from, to) }
    }

    pub(crate) fn is_log(&self) -> bool {
        self.log
    }

    pub(crate) fn largest(&self) -> u64 {
        self.largest
    }

    pub(crate) fn at(&self, value: u64) -> f64 {
        let part = if self.log {
            let above_start = |value: f64| (value.max(LOG_START) / LOG_START).log10();
            above_start(value as f64) / above_start(self.largest as f64)
        } else {
            value as f64 / self.largest as f64
        };
        self.from + (self.to - self.from) * part
    }

    /// Round numbers, some four to eight of them.
    pub(crate) fn ticks(&self) -> Vec<u64> {
        if !self.log {
            let step = round_step(self.largest);
            return (0..=self.largest / step).map(|i| i * step).collect();
        }
        let within = |factors: &[u64]| -> Vec<u64> {
            (0..20)
                .flat_map(|power| factors.iter().map(move |factor| factor * 10_u64.saturating_pow(power)))
                .take_while(|tick| *tick <= self.largest)
                .collect()
        };
        if self.largest < 2_000 { within(&[1, 2, 5]) } else { within(&[1]) }
    }
}

fn round_step(largest: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if largest / step <= 8 {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_deltas_are_drawn_linear_and_many_on_a_log_scale() {
        assert!(!Scale::linear_or_log(50, 0.0, 1.0).is_log());
        let many = Scale::linear_or_log(8721, 100.0, 0.0);
        assert!(many.is_log());
        assert_eq!(many.ticks(), [1, 10, 100, 1000]);
        assert_eq!(many.at(0), 100.0);
        assert_eq!(many.at(8721), 0.0);
        assert!(many.at(1) < many.at(0) && many.at(10) < many.at(1));
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(Scale::linear(0, 0.0, 1.0).ticks(), [0, 1]);
        assert_eq!(Scale::linear(8, 0.0, 1.0).ticks(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(Scale::linear(31, 0.0, 1.0).ticks(), [0, 5, 10, 15, 20, 25, 30]);
        assert_eq!(Scale::linear_or_log(344, 0.0, 1.0).ticks(), [1, 2, 5, 10, 20, 50, 100, 200]);
        assert!(Scale::linear(u64::MAX, 0.0, 1.0).ticks().len() < 10);
        assert!(Scale::linear_or_log(u64::MAX, 0.0, 1.0).ticks().len() < 25);
    }
}
