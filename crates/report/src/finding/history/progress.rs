//! How far a run through history that has not ended has come.

use crate::Summary;
use howcome_dd::{DeltaId, Outcome};
use howcome_run::words::{count, thousands};
use howcome_run::{QuestionName, StageName, Way};

/// `walking back: it fails as far back as revision 54 of 200`. `None` if the run is not about history, or has just begun.
pub(crate) fn place(summary: &Summary) -> Option<String> {
    if summary.question != QuestionName::History {
        return None;
    }
    let stage = summary.stages.last()?;
    let way = match &stage.subject {
        StageName::Round(round, _) => round.leg.map(|leg| leg.way),
        StageName::Trial(_) => Some(Way::Patch),
        StageName::Backport(_) => Some(Way::Backport),
        StageName::Forward(_) => Some(Way::Forward),
        _ => None,
    };
    let doing = match (way, &stage.subject) {
        (_, StageName::BadRevision) => return None,
        (_, StageName::Walk(_)) => "walking back",
        (Some(Way::Patch), _) => "searching for the smallest patch",
        (Some(Way::Backport), _) => "making the patch smaller",
        (Some(Way::Forward), _) => "carrying the fix forward",
        (
            Some(
                Way::Edit
                | Way::Deciding
                | Way::Hunks
                | Way::Exact
                | Way::Undone
                | Way::Needed
                | Way::Company,
            )
            | None,
            _,
        ) => "searching for the cause",
    };
    let walks = summary.stages.iter().filter(|stage| matches!(stage.subject, StageName::Walk(_)));
    let revisions = walks.clone().map(|stage| stage.deltas).max()?;
    let walks: Vec<u32> = walks.map(|stage| stage.number).collect();
    let told = summary.trail.iter().filter(|step| walks.contains(&step.stage));
    let seen = |outcome: Outcome| {
        let steps = told.clone().filter(move |step| step.outcome == outcome);
        steps.filter_map(|step| step.configuration.as_ref()?.get(0)).map(DeltaId::index)
    };
    let shown = |index: usize| thousands(index as u64 + 1);
    let fails = seen(Outcome::Fail).min().unwrap_or(revisions.saturating_sub(1) as usize);
    let passes = match seen(Outcome::Pass).filter(|passing| *passing < fails).max() {
        Some(passing) => format!(", and number {} passes", shown(passing)),
        None => String::new(),
    };
    let (fails, of) = (shown(fails), count(revisions.into(), "revision"));
    Some(format!("{doing}: of {of}, it fails as far back as number {fails}{passes}"))
}
