//! Predicting test outcomes (Zeller 1999, section 6): relations between deltas that are known in advance save tests.

use crate::{Configuration, DeltaId, Hints, Outcome, Relation};
use std::sync::Arc;

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
    order: KnownOrder,
    relations: Vec<Relation>,
}

/// Which deltas need all earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum KnownOrder {
    #[default]
    None,
    /// Each delta needs all deltas with smaller numbers.
    Total,
    /// Each delta of a group needs all deltas of the groups before.
    Groups(Arc<[OrderedGroup]>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OrderedGroup {
    deltas: Configuration,
    /// The deltas of all groups before.
    earlier: Configuration,
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
        Self { order: KnownOrder::Total, relations: Vec::new() }
    }

    /// Each delta of a group needs all deltas of the groups before. Deltas of the same group need nothing from each other, and
    /// deltas in no group need nothing at all.
    #[must_use]
    pub fn in_order(groups: impl IntoIterator<Item = Configuration>) -> Self {
        let mut earlier = Configuration::empty();
        let group = |deltas: Configuration| {
            let later = earlier.with(&deltas);
            OrderedGroup { deltas, earlier: std::mem::replace(&mut earlier, later) }
        };
        Self { order: KnownOrder::Groups(groups.into_iter().map(group).collect()), relations: Vec::new() }
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

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order == KnownOrder::None && self.relations.is_empty()
    }

    /// The outcome, if it is known without a test.
    #[must_use]
    pub fn predict(&self, configuration: &Configuration) -> Option<Outcome> {
        self.violated(configuration).map(|_| Outcome::Unresolved)
    }

    /// A relation that a configuration violates.
    #[must_use]
    pub fn violated(&self, configuration: &Configuration) -> Option<Relation> {
        let needs = |later: Option<DeltaId>, lacking: &Configuration| {
            Some(Relation::Needs(later?, lacking.first_from(DeltaId(0))?))
        };
        let out_of_order = match &self.order {
            KnownOrder::None => None,
            // Only a beginning has as many deltas as its last one says.
            KnownOrder::Total => configuration
                .last()
                .filter(|last| last.index() + 1 != configuration.len())
                .and_then(|last| needs(Some(last), &Configuration::all(last.0).without(configuration))),
            KnownOrder::Groups(groups) => {
                let last = groups.iter().rev().find(|group| !group.deltas.within(configuration).is_empty());
                last.and_then(|group| {
                    let present = group.deltas.within(configuration);
                    needs(present.first_from(DeltaId(0)), &group.earlier.without(configuration))
                })
            }
        };
        out_of_order
            .or_else(|| self.relations.iter().copied().find(|relation| violates(relation, configuration)))
    }

    /// A configuration with everything that its deltas need.
    #[must_use]
    pub fn with_needed(&self, configuration: &Configuration) -> Configuration {
        let mut complete = configuration.clone();
        while let Some(Relation::Needs(delta, needed)) = self.lacking(&complete) {
            complete = complete.with_delta(needed).with(&self.earlier_than(delta));
        }
        complete
    }

    /// A configuration without the deltas that lack something that they need.
    #[must_use]
    pub fn without_unmet(&self, configuration: &Configuration) -> Configuration {
        let mut met = configuration.clone();
        while let Some(Relation::Needs(delta, _)) = self.lacking(&met) {
            met = met.without_delta(delta);
        }
        met
    }

    /// A need that a configuration does not meet.
    fn lacking(&self, configuration: &Configuration) -> Option<Relation> {
        let is_need = |relation: &Relation| matches!(relation, Relation::Needs(..));
        self.violated(configuration).filter(is_need).or_else(|| {
            let mut needs = self.relations.iter().copied().filter(is_need);
            needs.find(|relation| violates(relation, configuration))
        })
    }

    fn earlier_than(&self, delta: DeltaId) -> Configuration {
        match &self.order {
            KnownOrder::None => Configuration::empty(),
            KnownOrder::Total => Configuration::all(delta.0),
            KnownOrder::Groups(groups) => groups
                .iter()
                .find(|group| group.deltas.contains(delta))
                .map_or_else(Configuration::empty, |group| group.earlier.clone()),
        }
    }
}

fn violates(relation: &Relation, configuration: &Configuration) -> bool {
    match *relation {
        Relation::Needs(a, b) => configuration.contains(a) && !configuration.contains(b),
        Relation::Excludes(a, b) => configuration.contains(a) && configuration.contains(b),
    }
}
