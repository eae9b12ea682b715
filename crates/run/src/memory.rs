//! The memory of a run: no configuration is tested twice, and no content either.

use crate::{Because, Content, Observation, StageName, TestId};
use howcome_dd::Configuration;
use std::collections::{HashMap, HashSet};

/// The observations of a run, for all its stages.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    subjects: HashMap<StageName, u32>,
    by_configuration: HashMap<ConfigurationKey, TestId>,
    by_content: HashMap<Content, TestId>,
    observations: HashMap<TestId, (ConfigurationKey, Observation)>,
    /// Tests on the trail or of the baseline: telling them again counts as remembered.
    told: HashSet<TestId>,
}

/// Identifies a configuration of a subject. Configurations of a million deltas are too large to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConfigurationKey {
    subject: u32,
    fingerprint: u128,
    /// The number of the run, if each run is a question of its own.
    repeat: Option<u32>,
}

impl ConfigurationKey {
    /// One run of this configuration, if each run is a question of its own.
    pub(crate) fn of_run(self, repeat: Option<u32>) -> Self {
        Self { repeat, ..self }
    }
}

impl Memory {
    /// The number of a subject. Stages with the same name share their deltas, so they share what is known.
    pub(crate) fn subject(&mut self, name: &StageName) -> u32 {
        let next = self.subjects.len() as u32;
        *self.subjects.entry(name.clone()).or_insert(next)
    }

    /// The number of a subject that has occurred already.
    pub(crate) fn known_subject(&self, name: &StageName) -> Option<u32> {
        self.subjects.get(name).copied()
    }

    pub(crate) fn key(subject: u32, configuration: &Configuration) -> ConfigurationKey {
        ConfigurationKey { subject, fingerprint: configuration.fingerprint(), repeat: None }
    }

    /// The test that answers a configuration.
    pub(crate) fn look_up(&self, key: ConfigurationKey) -> Option<RememberedTest<'_>> {
        let test = *self.by_configuration.get(&key)?;
        let (tested, observation) = self.observations.get(&test)?;
        Some(RememberedTest {
            test,
            is_of_another: *tested != key,
            is_told: self.told.contains(&test),
            observation,
        })
    }

    /// What a test of this content showed.
    pub(crate) fn seen_of(&self, content: Content) -> Option<&Observation> {
        let (_, seen) = self.observations.get(self.by_content.get(&content)?)?;
        Some(seen)
    }

    /// Lets a test with the same content answer this configuration from now on. Returns whether that is new.
    pub(crate) fn recognise(&mut self, key: ConfigurationKey, content: Option<Content>) -> bool {
        let known = content.and_then(|content| self.by_content.get(&content)).copied();
        known.is_some_and(|test| self.by_configuration.insert(key, test) != Some(test))
    }

    pub(crate) fn remember(
        &mut self,
        test: TestId,
        keys: &[ConfigurationKey],
        content: Option<Content>,
        seen: Observation,
    ) {
        // A repeated test also answers all configurations that its first run answered.
        if let Some(first) = keys.iter().find_map(|key| self.by_configuration.get(key)).copied() {
            self.by_configuration
                .values_mut()
                .filter(|known| **known == first)
                .for_each(|known| *known = test);
            self.observations.remove(&first);
        }
        self.by_configuration.extend(keys.iter().map(|key| (*key, test)));
        self.by_content.extend(content.map(|content| (content, test)));
        self.observations.extend(keys.first().map(|key| (test, (*key, seen))));
    }

    /// Notes that a test is on the trail.
    pub(crate) fn tell(&mut self, test: impl Into<Option<TestId>>) {
        self.told.extend(test.into());
    }
}

/// A remembered test.
pub(crate) struct RememberedTest<'a> {
    pub(crate) test: TestId,
    /// It tested another configuration with the same content.
    pub(crate) is_of_another: bool,
    /// It is already on the trail.
    pub(crate) is_told: bool,
    pub(crate) observation: &'a Observation,
}

impl RememberedTest<'_> {
    /// Whether its outcome can be told. If other tests ran at the same time, they might have caused a timeout, have
    /// used so much memory that the kernel killed a process, or have used the same port.
    pub(crate) fn is_believable(&self) -> bool {
        let Observation { because, alone, was_disturbed, .. } = self.observation;
        *alone || (*because != Because::TimedOut && !was_disturbed)
    }
}
