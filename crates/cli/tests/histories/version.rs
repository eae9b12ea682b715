//! What each revision of the program has.

use super::noise::Noise;
use super::plan::{Language, Plan, Region};
use super::source::{Files, Share};
use super::{c_program, shell_program};

/// How many of the latest changes the list of changes names.
const LISTED: usize = 12;

/// One version of the program.
#[derive(Clone, Debug)]
pub struct Version {
    pub language: Language,
    /// The option `--sum`, or the check of it in the driver.
    pub feature: Share,
    /// The option `--quiet`; `None` where the test does not use it.
    pub second_feature: Option<Share>,
    pub cause: bool,
    pub cause_rewritten: bool,
    pub second_cause: bool,
    pub region: Option<Region>,
    pub broken: bool,
    pub driver: bool,
    pub notes: [u32; 16],
    /// The list of changes, the latest first.
    pub changes: Vec<String>,
}

impl Version {
    /// The versions of a history, the oldest first.
    pub fn all(plan: &Plan) -> Vec<Self> {
        let mut noise = Noise::new(plan.seed);
        let mut versions: Vec<Self> = Vec::new();
        let mut notes = [0; 16];
        (1..16).step_by(2).for_each(|place| notes[place] = place as u32);
        for index in 0..plan.revisions {
            if index > 0 {
                noise.change(&mut notes, plan.cause == Some(index));
            }
            let mut changes = versions.last().map_or_else(Vec::new, |version| version.changes.clone());
            changes.insert(0, subject(plan, index));
            changes.truncate(LISTED);
            versions.push(Self::at(plan, index, notes, changes));
        }
        versions
    }

    fn at(plan: &Plan, index: usize, notes: [u32; 16], changes: Vec<String>) -> Self {
        let share = |since: usize| if index >= since { Share::Whole } else { Share::Nothing };
        let since = |revision: Option<usize>| revision.is_some_and(|revision| index >= revision);
        Self {
            language: plan.language,
            feature: share(plan.feature),
            second_feature: plan.second_feature.map(share),
            cause: plan.cause.is_none_or(|cause| index >= cause),
            cause_rewritten: since(plan.cause_rewritten),
            second_cause: since(plan.second_cause),
            region: plan.region.filter(|(revision, _)| index >= *revision).map(|(_, region)| region),
            broken: plan.broken.contains(&index),
            driver: plan.driver,
            notes,
            changes,
        }
    }

    /// The same with what the test needs, as far as it is not there.
    pub fn with_what_is_needed(&self) -> Self {
        let second_feature = self.second_feature.map(|share| share.max(Share::Needed));
        Self { feature: self.feature.max(Share::Needed), second_feature, ..self.clone() }
    }

    /// Its files.
    pub fn files(&self) -> Files {
        let mut files = match self.language {
            Language::Shell => shell_program::files(self),
            Language::C => c_program::files(self),
        };
        files.insert("CHANGES.md".to_owned(), self.changes.join("\n") + "\n");
        files
    }
}

/// What the commit of a revision is called.
pub fn subject(plan: &Plan, index: usize) -> String {
    let what = match index {
        0 => "begin",
        _ if index == plan.feature => "add up numbers",
        _ if Some(index) == plan.second_feature => "be quiet if wanted",
        _ if Some(index) == plan.cause => "tidy up the units",
        _ if Some(index) == plan.second_cause => "tidy up the bias",
        _ if Some(index) == plan.cause_rewritten => "write units as sums",
        _ if plan.region.is_some_and(|(revision, _)| revision == index) => "short options",
        _ if plan.broken.contains(&index) => "half of a change",
        _ => "remarks",
    };
    format!("{index}: {what}")
}
