//! A configuration that is asked for first.

use crate::Configuration;

/// A configuration to try before all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suggested {
    /// This one.
    This(Configuration),
    /// What fails by then, without these deltas.
    Without(Configuration),
    /// What passes by then, with these deltas.
    With(Configuration),
}

impl Suggested {
    /// The configuration, between what passes and what fails.
    pub(crate) fn between(&self, passing: &Configuration, failing: &Configuration) -> Configuration {
        match self {
            Suggested::This(configuration) => configuration.clone(),
            Suggested::Without(deltas) => failing.without(deltas),
            Suggested::With(deltas) => passing.with(deltas),
        }
    }
}

/// To which side a configuration moves that is unresolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RepairedTowards {
    /// The side that it is nearer to.
    #[default]
    Nearer,
    Failing,
    Passing,
}

impl From<&Suggested> for RepairedTowards {
    fn from(suggested: &Suggested) -> Self {
        match suggested {
            Suggested::This(_) => RepairedTowards::Nearer,
            Suggested::Without(_) => RepairedTowards::Failing,
            Suggested::With(_) => RepairedTowards::Passing,
        }
    }
}

impl From<Configuration> for Suggested {
    fn from(configuration: Configuration) -> Self {
        Suggested::This(configuration)
    }
}
