//! Predicting test outcomes (Zeller 1999, section 6): relations between deltas that are known in advance save tests.

use crate::{Configuration, DeltaId, Hints, Outcome, Relation};

/// Relations between deltas. A configuration that violates a relation is predicted to be unresolved and not tested.
///
/// ```
/// use howcome_dd::{Configuration, Knowledge, Outcome};
/// let order = Knowledge::total_order();
/// assert_eq!(order.predict(&"5-8".parse()?), Some(Outcome::Unresolved));
/// assert_eq!(order.predict(&"1-4".parse()?), None);
/// # Ok::<(), howcome_dd::NotAConfiguration>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    each_needs_all_earlier: bool,
    relations: Vec<Relation>,
}

impl Knowledge {
    /// No relations: every configuration has to be tested.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Each delta needs all earlier deltas.
    #[must_use]
    pub fn total_order() -> Self {
        Self { each_needs_all_earlier: true, relations: Vec::new() }
    }

    /// Adds deltas that can only be applied together.
    #[must_use]
    pub fn together(mut self, deltas: &Configuration) -> Self {
        let members: Vec<DeltaId> = deltas.iter().collect();
        for (i, delta) in members.iter().enumerate() {
            self.relations.push(Relation::Needs(*delta, members[(i + 1) % members.len()]));
        }
        self
    }

    /// Adds a relation.
    #[must_use]
    pub fn and(mut self, relation: Relation) -> Self {
        self.relations.push(relation);
        self
    }

    /// Adds the relations that a test has shown.
    pub fn learn(&mut self, hints: &Hints) {
        for relation in &hints.relations {
            if !self.relations.contains(relation) {
                self.relations.push(*relation);
            }
        }
    }

    /// The outcome, if it is known without a test.
    #[must_use]
    pub fn predict(&self, configuration: &Configuration) -> Option<Outcome> {
        (self.breaks_order(configuration)
            || self.relations.iter().any(|relation| violates(relation, configuration)))
        .then_some(Outcome::Unresolved)
    }

    fn breaks_order(&self, configuration: &Configuration) -> bool {
        let is_prefix = || configuration.last().is_none_or(|last| last.index() + 1 == configuration.len());
        self.each_needs_all_earlier && !is_prefix()
    }
}

fn violates(relation: &Relation, configuration: &Configuration) -> bool {
    match *relation {
        Relation::Needs(a, b) => configuration.contains(a) && !configuration.contains(b),
        Relation::Excludes(a, b) => configuration.contains(a) && configuration.contains(b),
    }
}
