//! Where in history a run is that is still going on.

use crate::Summary;
use crate::words::{count, thousands};
use howcome_dd::{DeltaId, Outcome};

/// `walking back: it fails as far back as revision 54 of 200`. `None` where the run is not about history, or has just begun.
pub(crate) fn place(summary: &Summary) -> Option<String> {
    if summary.question != "history" {
        return None;
    }
    let stage = summary.stages.last()?;
    let doing = match stage.subject.split([':', ',', ' ']).next()? {
        "walk" => "walking back",
        "patch" => "looking for the least patch",
        "back-port" => "making the patch smaller",
        "forward" => "carrying the remedy forward",
        "bad" => return None,
        _ => "looking for the cause",
    };
    let walks = summary.stages.iter().filter(|stage| stage.subject.starts_with("walk"));
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
