//! The two versions as they are, which the baseline tests.

use super::request::ChangesRequest;
use crate::candidates::space::Space;
use crate::candidates::version_space::VersionSpace;
use crate::versions::compared::ComparedVersions;
use crate::versions::origin::VersionOrigin;
use howcome_run::{Algorithm, StageLabel, StageName, Unit};
use std::sync::Arc;

/// The stage in which the two versions are tested as they are.
pub(super) fn baseline_stage() -> StageLabel {
    StageLabel { name: StageName::Versions, search: Algorithm::Baseline, unit: Unit::Version }
}

/// The two versions as they are.
pub(super) fn both_versions(request: &ChangesRequest, versions: &ComparedVersions) -> Arc<dyn Space> {
    let name = |origin: Option<&VersionOrigin>| origin.map(VersionOrigin::name).unwrap_or_default();
    Arc::new(VersionSpace::of(vec![
        (name(request.origins.good.first()), versions.good.clone(), versions.good_commit.clone()),
        (name(Some(&request.origins.bad)), versions.bad.clone(), versions.bad_commit.clone()),
    ]))
}
