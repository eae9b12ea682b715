//! How often each kind of question had which answer so far. Look-ahead uses it as probabilities.

use howcome_dd::{Outcome, Question, Step};

/// Counts of outcomes by step. Public for measurements: the driver has its own.
#[derive(Clone, Debug)]
pub struct Odds {
    seen: [[f64; 3]; Step::ALL.len()],
}

impl Default for Odds {
    fn default() -> Self {
        Self { seen: Step::ALL.map(prior) }
    }
}

/// The counts start as if two tests had been seen. Most questions of most searches do not fail; midpoints fail about
/// half of the time.
fn prior(step: Step) -> [f64; 3] {
    match step {
        Step::Midpoint => [0.9, 0.9, 0.2],
        Step::Alone => [0.1, 1.8, 0.1],
        _ => [1.2, 0.4, 0.4],
    }
}

fn row(step: Step) -> usize {
    Step::ALL.iter().position(|known| *known == step).unwrap_or(0)
}

fn column(outcome: Outcome) -> usize {
    Outcome::ALL.iter().position(|known| *known == outcome).unwrap_or(0)
}

impl Odds {
    /// Counts one answer of a test.
    pub fn learn(&mut self, step: Step, outcome: Outcome) {
        self.seen[row(step)][column(outcome)] += 1.0;
    }

    /// The probability of an outcome. If the search itself has an estimate, that one is used.
    #[must_use]
    pub fn of(&self, question: &Question, outcome: Outcome) -> f64 {
        let seen = &self.seen[row(question.step)];
        let share = |outcome: Outcome| seen[column(outcome)] / seen.iter().sum::<f64>();
        let Some(chance) = question.chance else { return share(outcome) };
        match outcome {
            Outcome::Fail => chance,
            other => (1.0 - chance) * share(other) / (1.0 - share(Outcome::Fail)),
        }
    }
}
