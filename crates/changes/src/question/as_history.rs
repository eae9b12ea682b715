//! The same question for `howcome history`, which brings to old versions what a test needs.

use super::request::ChangesRequest;
use crate::history::{HistoryRequest, NamedCommit, RevisionSource, SameRequest};
use crate::trees::tree_path::TreePath;
use crate::versions::git::Repository;
use crate::versions::origin::VersionOrigin;
use howcome_run::QuestionName;
use std::path::Path;

/// The question for `howcome history` that leads from the bad version back to the good one. There is none if one of the versions is
/// not a commit, or if something is asked for that `history` does not do.
#[must_use]
pub fn as_history(request: &ChangesRequest) -> Option<HistoryRequest> {
    let is_more = request.fix || request.all || !request.only.is_empty() || !request.except.is_empty();
    if is_more || request.failure.flaky || request.output.is_some() {
        return None;
    }
    let repository = request.origins.repository.clone()?;
    let changed_tests = match request.origins.bad {
        VersionOrigin::WorkingTree => changed_tests(request, &repository),
        _ => Some(Vec::new()),
    };
    let named = |origin: &VersionOrigin| match origin {
        VersionOrigin::Commit { name, id } => Some(NamedCommit { name: name.clone(), id: id.clone() }),
        // What is not committed is no part of a history, except for tests, which are copied.
        VersionOrigin::WorkingTree if changed_tests.is_some() => {
            Some(NamedCommit { name: "HEAD".to_owned(), id: request.origins.head.clone()? })
        }
        _ => None,
    };
    let revisions = RevisionSource::Git {
        bad: named(&request.origins.bad)?,
        back_to: Some(named(request.origins.good.first()?)?),
        repository: repository.clone(),
    };
    Some(HistoryRequest {
        revisions,
        test: request.test.clone(),
        test_in_tree: None,
        same: Vec::new(),
        hold: request.hold.clone(),
        vary_tests: request.vary_tests,
        held: None,
        changed_tests: changed_tests.clone().unwrap_or_default(),
        build: request.build.clone(),
        clean: request.clean.clone(),
        copy: request.copy.clone(),
        failure: request.failure.clone(),
        alike: SameRequest::default(),
        asked_as: Some(QuestionName::Changes),
        thorough: request.thorough,
        every_revision: false,
        test_names: Vec::new(),
    })
}

/// The tracked files of the working tree that are not as they were committed, if all of them are tests.
pub(super) fn changed_tests(request: &ChangesRequest, repository: &Path) -> Option<Vec<String>> {
    let changed = Repository::discover(repository).ok()?.changed_files().ok()?;
    let rule = request.held_tests().rule().ok()?;
    let held = |path: &Vec<u8>| {
        let path = TreePath::new(path).ok().filter(|path| rule.holds(path))?;
        std::str::from_utf8(path.as_bytes()).ok().map(str::to_owned)
    };
    changed.iter().map(held).collect()
}
