//! Figures of several turns: their median and their range.

use nix::sys::resource::{UsageWho, getrusage};
use std::time::{Duration, Instant};

/// How often everything is measured.
pub(super) const TURNS: usize = 5;

/// Elapsed time and processor time.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredTime {
    /// Elapsed time, in seconds.
    pub(super) clock: f64,
    /// Processor time, in seconds.
    pub(super) work: f64,
}

impl MeasuredTime {
    /// Measures a function in this process.
    pub(super) fn by<T>(does: impl FnOnce() -> T) -> anyhow::Result<(T, Self)> {
        let (begun, worked) = (Instant::now(), work(UsageWho::RUSAGE_SELF)?);
        let result = does();
        let clock = begun.elapsed().as_secs_f64();
        let work = (work(UsageWho::RUSAGE_SELF)?.saturating_sub(worked)).as_secs_f64();
        Ok((result, Self { clock, work }))
    }
}

/// The processor time of this process, or of its children that have ended.
pub(super) fn work(who: UsageWho) -> anyhow::Result<Duration> {
    let usage = getrusage(who)?;
    let of = |time: nix::sys::time::TimeVal| {
        Duration::from_micros(u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec()).unwrap_or(0))
    };
    Ok(of(usage.user_time()) + of(usage.system_time()))
}

/// The same figure of several turns.
#[derive(Clone, Debug, Default)]
pub(super) struct TurnFigures(Vec<f64>);

impl TurnFigures {
    /// Adds a turn.
    pub(super) fn push(&mut self, figure: f64) {
        self.0.push(figure);
        self.0.sort_by(f64::total_cmp);
    }

    /// The median.
    pub(super) fn median(&self) -> f64 {
        self.0.get(self.0.len() / 2).copied().unwrap_or(f64::NAN)
    }

    /// `median (least–most)`, with this many decimals.
    pub(super) fn text(&self, decimals: usize) -> String {
        let (least, most) = (self.0.first(), self.0.last());
        let (least, most) = (least.copied().unwrap_or(f64::NAN), most.copied().unwrap_or(f64::NAN));
        format!("{:.decimals$} ({least:.decimals$}–{most:.decimals$})", self.median())
    }
}
