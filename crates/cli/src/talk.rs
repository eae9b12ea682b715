//! What goes to standard error: warnings, and live progress while a run goes on.

use crate::keys;
use crate::live_view::{ShownCandidate, SizeHistory, view};
use crate::streams::talk;
use crate::terminal::{paint_of_talk, size_of_talk};
use howcome_dd::{Outcome, Step};
use howcome_lab::inquiry::{CandidateView, Listener};
use howcome_run::words::{compact, count, cut, duration, percent, size, thousands};
use howcome_run::{Algorithm, AnswerSource, Entry, Purpose, Unit, Waiting, Watcher};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How much is printed to standard error.
#[derive(Clone, Debug)]
pub(crate) struct Talk {
    quiet: bool,
    verbose: bool,
    /// The line at the bottom, if standard error is a terminal.
    line: Option<ProgressBar>,
    candidate: ShownCandidate,
}

impl Talk {
    pub(crate) fn new(quiet: bool, verbose: bool) -> Self {
        let live = !quiet && std::io::stderr().is_terminal();
        Self {
            quiet,
            verbose,
            line: live.then(ProgressBar::new_spinner),
            candidate: ShownCandidate::default(),
        }
    }

    fn print(&self, text: &str) {
        match &self.line {
            Some(line) => line.suspend(|| talk!("{text}")),
            None => talk!("{text}"),
        }
    }

    /// Shows the progress of a run from its journal.
    fn progress(&self) -> Progress {
        if let Some(line) = &self.line {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                line.set_style(style);
            }
            line.enable_steady_tick(Duration::from_millis(120));
        }
        Progress {
            talk: self.clone(),
            began: Instant::now(),
            search: Algorithm::Baseline,
            unit: Unit::Delta,
            deltas: 0,
            left: 0,
            said: 0,
            told: 0,
            told_now: 0,
            bytes: None,
            said_bytes: 0,
            pass: String::new(),
            sizes: SizeHistory::default(),
        }
    }
}

impl Listener for Talk {
    /// Not even `-q` keeps a warning back.
    fn warn(&self, text: &str) {
        self.print(&format!("warning: {text}"));
    }

    fn note(&self, text: &str) {
        if !self.quiet {
            self.print(text);
        }
    }

    fn now(&self, text: &str) {
        match &self.line {
            Some(line) => line.set_message(cut(text, size_of_talk()[0].saturating_sub(3))),
            None if self.verbose => self.note(text),
            None => {}
        }
    }

    fn milestone(&self, text: &str) {
        match &self.line {
            Some(line) => line.set_message(cut(text, size_of_talk()[0].saturating_sub(3))),
            None => self.note(text),
        }
    }

    fn finish(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }

    fn watcher(&self) -> Box<dyn Watcher> {
        Box::new(self.progress())
    }

    fn candidate_view(&self) -> Option<CandidateView> {
        self.line.as_ref()?;
        let candidate = self.candidate.clone();
        Some(Box::new(move |seen| candidate.show(seen)))
    }
}

/// Reads the journal as it is written, and says how far the run is.
pub(crate) struct Progress {
    talk: Talk,
    began: Instant,
    /// What the stage does, and with how many deltas of which kind.
    search: Algorithm,
    unit: Unit,
    deltas: u32,
    left: u32,
    /// What was left when a line was printed last.
    said: u32,
    told: u64,
    /// Without those of earlier sessions, which take no time to be told again.
    told_now: u64,
    /// How large everything is, and the best candidate, if that is measured in bytes.
    bytes: Option<(u64, u64)>,
    said_bytes: u64,
    /// What is varied now.
    pass: String,
    sizes: SizeHistory,
}

impl Progress {
    fn told(&mut self, how: AnswerSource, step: Step, outcome: Outcome, left: u32, bytes: Option<u64>) {
        if how == AnswerSource::Tested {
            self.told += 1;
        }
        if let (Some((_, now)), Some(bytes)) = (&mut self.bytes, bytes) {
            *now = bytes;
            self.sizes.add(self.began.elapsed(), bytes);
        }
        self.left = left;
        if self.told_now == 0 {
            // An earlier session has printed all this.
            self.said = left;
            self.said_bytes = self.bytes.map_or(0, |(_, now)| now);
        } else if self.talk.verbose && how != AnswerSource::Remembered {
            let told = self.told;
            let what = if self.bytes.is_some() { self.pass.as_str() } else { step.name() };
            let sign = paint_of_talk().outcome(outcome, &outcome.sign().to_string());
            self.talk.note(&format!("{told:>5} {sign} {what:<10} {}", self.remaining()));
        // Without a terminal a line now and then is enough: whenever half of the bytes or a tenth of the deltas is gone.
        } else if let Some((_, now)) = self.bytes {
            if self.talk.line.is_none() && now * 2 <= self.said_bytes {
                self.said_bytes = now;
                let tests = count(self.told, "test");
                self.talk.note(&format!("{} after {tests}, by {}", self.remaining(), self.pass));
            }
        } else if self.talk.line.is_none() && self.narrows() && self.is_news(left) {
            self.said = left;
            self.talk.note(&format!("{} after {}", self.remaining(), count(self.told, "test")));
        }
    }

    /// Whether the stage makes the number of deltas smaller. The others run single tests.
    fn narrows(&self) -> bool {
        !matches!(
            self.search,
            Algorithm::Baseline | Algorithm::BothWays | Algorithm::Probe | Algorithm::Confirm
        )
    }

    /// Whether much less is left than was printed last. If nothing is left, the answer is printed next.
    fn is_news(&self, left: u32) -> bool {
        left > 0 && left < self.said && (self.said - left) * 10 >= self.said
    }

    fn remaining(&self) -> String {
        if let Some((whole, now)) = self.bytes {
            let part = percent(now as f64 / whole.max(1) as f64);
            return format!("{} of {} left ({part})", size(now), size(whole));
        }
        match self.search {
            Algorithm::Baseline => "baseline".to_owned(),
            Algorithm::BothWays => format!("trying single {}", self.unit.plural()),
            Algorithm::Probe => format!("testing one {}", self.unit),
            Algorithm::Confirm => "checking the answer".to_owned(),
            _ => {
                let deltas = count(self.deltas.into(), self.unit.as_str());
                format!("{} of {deltas} left", thousands(self.left.into()))
            }
        }
    }

    /// How long it will take, by what the tests of this session took.
    fn time_left(&self, questions_left: Option<f64>) -> Option<Duration> {
        let each = self.began.elapsed().as_secs_f64() / self.told_now as f64;
        let left = Duration::try_from_secs_f64(each * questions_left?).ok()?;
        (self.told_now >= 3).then_some(left)
    }
}

impl Watcher for Progress {
    fn entry(&mut self, entry: &Entry) {
        match entry {
            Entry::Stage { search, deltas, unit, bytes, subject, .. } => {
                if let Some(bytes) = bytes {
                    let whole = self.bytes.map_or(*bytes, |(whole, _)| whole);
                    if self.bytes.is_none() {
                        self.said_bytes = whole;
                    }
                    self.bytes = Some((whole, *bytes));
                    self.sizes.add(self.began.elapsed(), *bytes);
                    self.pass = subject.without_turn();
                }
                self.search = *search;
                self.unit = *unit;
                self.deltas = *deltas;
                (self.left, self.said) = (*deltas, *deltas);
            }
            Entry::Told { how, step, outcome, left, bytes, .. } => {
                self.told(*how, *step, *outcome, *left, *bytes);
            }
            Entry::Observed { purpose: Purpose::Question, .. } => self.told_now += 1,
            Entry::Observed { .. }
            | Entry::Opened { .. }
            | Entry::Cancelled { .. }
            | Entry::Named { .. }
            | Entry::Test(_)
            | Entry::Warning { .. }
            | Entry::Ended { .. } => {}
        }
    }

    fn waiting(&mut self, waiting: Waiting<'_>) {
        let Some(line) = &self.talk.line else { return };
        let time = self
            .time_left(waiting.questions_left)
            .map_or_else(String::new, |left| format!(" · about {} left", duration(left)));
        let size = size_of_talk();
        let keys = if keys::are_read() { " · q stops" } else { "" };
        if self.bytes.is_some() {
            let tests = count(self.told, "test");
            // The search knows only how much is left of this pass; the rest follows from the size of the candidate.
            let time = if time.is_empty() { time } else { format!("{time} in this pass") };
            let whole = self.talk.candidate.tests_left().and_then(|tests| self.time_left(Some(tests as f64)));
            let time = match whole {
                Some(whole) if time.is_empty() => format!(" · about {} left in all", duration(whole)),
                Some(whole) => format!("{time}, {} in all", duration(whole)),
                None => time,
            };
            let text = format!(
                "{} · {} · {tests}, {} running{time}{keys}",
                self.remaining(),
                self.pass,
                waiting.running
            );
            let now = self.began.elapsed();
            line.set_message(view(&text, &self.sizes, &self.talk.candidate, now, size));
            return;
        }
        let asked = compact(&waiting.question.configuration, 24);
        let text = format!(
            "{} · {}, {} running{time}{keys} · asking: {} {asked}",
            self.remaining(),
            count(self.told, "test"),
            waiting.running,
            waiting.question.step.name(),
        );
        line.set_message(cut(&text, size[0].saturating_sub(3)));
    }
}
