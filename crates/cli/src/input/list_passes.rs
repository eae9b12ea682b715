//! Which passes there are.

use super::unknown;
use crate::failure::Failure;
use crate::streams::answer;
use howcome_input::Tier;

/// Prints a line for each pass: its name, when its turn comes, what it does.
pub(crate) fn list() {
    let mut passes = howcome_input::passes();
    passes.sort_by_key(|pass| pass.tier());
    let width = passes.iter().map(|pass| pass.name().len()).max().unwrap_or(0);
    for pass in passes {
        answer!("{:width$}  {:9}  {}\n", pass.name(), tier(pass.tier()), pass.card().about);
    }
}

/// Refuses names that no pass has.
pub(crate) fn check(names: &[String]) -> Result<(), Failure> {
    let passes = howcome_input::passes();
    let known: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(unknown("pass", name, &known)),
        None => Ok(()),
    }
}

fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Coarse => "coarse",
        Tier::Structure => "structure",
        Tier::Fine => "fine",
        Tier::Finest => "finest",
        Tier::Last => "last",
        Tier::Names => "names",
    }
}
