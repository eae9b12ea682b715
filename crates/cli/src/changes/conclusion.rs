//! How a hunt ends, and what is written down of it.

use super::finding::{self, Scribe, Written};
use super::hunt::{self, Cause, Hunted};
use crate::failure::Failure;
use crate::investigate::why_stopped;
use crate::session::{Answered, Session};
use howcome_dd::Outcome;
use howcome_run::{Conclusion, Ending, Minimal, Verified};
use std::fs;
use std::path::Path;

/// An answer that cannot be carried to one of the two versions is still right where it was found.
pub(super) fn say_what_could_not_be_tried(session: &mut Session, causes: &[Cause]) -> Result<(), Failure> {
    let proofs = causes.iter().map(|cause| &cause.proof);
    for (seen, what) in proofs
        .flat_map(|proof| [(&proof.alone, "applied to the good"), (&proof.without, "taken from the bad")])
    {
        if let Some(hunt::Seen::DidNotApply(why)) = seen {
            session.warn(&format!("the change could not be {what} version to confirm it there: {why}"))?;
        }
    }
    Ok(())
}

/// How it ended, and what is to be written down.
pub(crate) fn conclude(scribe: &Scribe<'_>, hunted: Hunted) -> (Answered, Option<Written>) {
    let answered =
        |ending, conclusion, failure, why| Answered { ending, conclusion, answer: None, failure, why };
    match hunted {
        Hunted::Found(causes) => {
            let (written, Some(first)) = (scribe.causes(&causes), causes.first()) else {
                return (answered(Ending::Undecided, None, None, None), None);
            };
            let verified = Verified {
                alone_fails: first.proof.alone.as_ref().and_then(|seen| seen.is(Outcome::Fail)),
                without_passes: first.proof.without.as_ref().and_then(|seen| seen.is(Outcome::Pass)),
            };
            let minimal = Minimal { of: howcome_report::plural(first.unit), checked: first.is_minimal };
            let conclusion = written.as_ref().map(|written| Conclusion {
                finding: written.recorded(),
                minimal,
                verified,
                confidence: None,
            });
            // Neither proof holds: what the search saw in folders that others had used is not so in fresh ones.
            let is_refuted = verified == (Verified { alone_fails: Some(false), without_passes: Some(false) });
            let (ending, why) = match is_refuted {
                true => (Ending::Flaky, Some(REFUTED.to_owned())),
                false => (Ending::Found, None),
            };
            (answered(ending, conclusion, None, why), written)
        }
        Hunted::Undecided(pair) => {
            let written = scribe.best(&pair, None);
            let conclusion = partial(&written, "commits");
            let why = "nothing between the last version that passes and the first that fails could be judged"
                .to_owned();
            (answered(Ending::Undecided, Some(conclusion), None, Some(why)), Some(written))
        }
        Hunted::Stopped { why, found, best } => {
            let written =
                scribe.causes(&found).or_else(|| best.map(|best| scribe.best(&best.0, best.1.as_ref())));
            let (ending, why, failure) = why_stopped(why);
            let conclusion = written.as_ref().map(|written| partial(written, "hunks"));
            (answered(ending, conclusion, failure, Some(why)), written)
        }
    }
}

pub(super) fn partial(written: &Written, of: &str) -> Conclusion {
    Conclusion {
        finding: written.recorded(),
        minimal: Minimal { of: of.to_owned(), checked: false },
        verified: Verified::default(),
        confidence: None,
    }
}

pub(super) fn write_patches(
    session: &mut Session,
    path: Option<&Path>,
    patches: &[Vec<u8>],
) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    for (cause, patch) in patches.iter().enumerate() {
        let path = finding::numbered(path, cause);
        if let Err(error) = fs::write(&path, patch) {
            session.warn(&format!(
                "{} could not be written: {}",
                path.display(),
                crate::failure::plain(&error)
            ))?;
        }
    }
    Ok(())
}

/// Why an answer is none that neither proof confirms.
const REFUTED: &str = "tested from nothing, neither the good version with it fails nor the bad version without it passes; \
    does the test or the build leave something behind that the next one finds? --clean CMD would remove it";
