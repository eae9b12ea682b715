//! The warnings of versions that authors wrote. Only a mix that has others is suspect.

use crate::knowledge::KnownWarnings;
use howcome_lab::Execution;
use howcome_run::Content;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The warnings of versions.
#[derive(Debug, Default)]
pub struct VersionWarnings {
    /// Those of the versions that the user named: every mix may have them.
    of_all: KnownWarnings,
    /// Those of other versions; `None` if a version could not be built. The answer about one mix must not depend on which others were
    /// tested before, so only the versions that a mix is made of count for it.
    by_version: Mutex<HashMap<Content, Option<KnownWarnings>>>,
}

impl VersionWarnings {
    /// The warnings of the versions that the user named. `None` if some output was dropped, because then nobody knows which warnings
    /// are new.
    pub(crate) fn of<'a>(versions: impl IntoIterator<Item = (Content, &'a Execution)>) -> Option<Self> {
        let mut warnings = Self::default();
        for (content, seen) in versions {
            if [&seen.build_said, &seen.stderr, &seen.stdout].iter().any(|said| said.skipped() > 0) {
                return None;
            }
            warnings.of_all.learn(&printed(seen));
            warnings.learn(content, Some(b""));
        }
        Some(warnings)
    }

    /// Keeps the warnings in the output of a version, or that it cannot be built.
    pub(super) fn learn(&self, version: Content, printed: Option<&[u8]>) {
        let learn = |printed: &[u8]| {
            let mut known = KnownWarnings::default();
            known.learn(printed);
            known
        };
        self.by_version().insert(version, printed.map(learn));
    }

    /// Whether an output has warnings that not every mix may have.
    pub(super) fn are_in(&self, printed: &[u8]) -> bool {
        self.of_all.first_new(printed).is_some()
    }

    pub(super) fn are_known(&self, version: &Content) -> bool {
        self.by_version().contains_key(version)
    }

    /// The warnings that a mix of versions may have. `None` if nobody knows, because one of them does not build.
    pub(super) fn allowed(
        &self,
        versions: impl IntoIterator<Item = Option<Content>>,
        must_build: bool,
    ) -> Option<KnownWarnings> {
        let mut allowed = self.of_all.clone();
        let by_version = self.by_version();
        for version in versions {
            match version.and_then(|version| by_version.get(&version)) {
                Some(Some(known)) => allowed.join(known),
                Some(None) if must_build => return None,
                // It is asked about when a warning seems to be new.
                Some(None) | None => {}
            }
        }
        Some(allowed)
    }

    fn by_version(&self) -> MutexGuard<'_, HashMap<Content, Option<KnownWarnings>>> {
        self.by_version.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Everything that a build and its test have printed.
pub(super) fn printed(seen: &Execution) -> Vec<u8> {
    let said = [&seen.build_said, &seen.stderr, &seen.stdout];
    said.iter().flat_map(|said| said.pieces()).collect::<Vec<&[u8]>>().join(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const WARNING: &[u8] = b"a.c:1:2: warning: 'x' is used uninitialized [-Wuninitialized]\n";

    fn version(name: &str) -> Content {
        Content::of([name.as_bytes()])
    }

    #[test]
    fn a_mix_may_have_the_warnings_of_its_own_versions_only() {
        let warnings = VersionWarnings::default();
        warnings.learn(version("one"), Some(WARNING));
        warnings.learn(version("other"), Some(b""));
        let is_new = |versions: &[&str]| {
            let versions = versions.iter().map(|name| Some(version(name)));
            warnings.allowed(versions, true).unwrap().first_new(WARNING).is_some()
        };
        assert!(!is_new(&["one", "other"]) && is_new(&["other"]));
    }

    #[test]
    fn nothing_is_new_if_a_version_that_must_build_does_not() {
        let warnings = VersionWarnings::default();
        warnings.learn(version("broken"), None);
        let versions = || [Some(version("broken"))];
        assert!(warnings.allowed(versions(), true).is_none());
        assert!(warnings.allowed(versions(), false).unwrap().first_new(WARNING).is_some());
    }
}
