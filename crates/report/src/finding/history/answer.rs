//! What the way back through history has shown, in one or two sentences, and why one may believe it.

use crate::account::{Claim, Standing};
use crate::finding::history::{HistoryReport, name};
use howcome_run::words::{count, printable, thousands};
use howcome_run::{Ending, NeverWorked};

impl HistoryReport {
    /// `It worked until 4f5e6d7 (with a patch of 4 lines back-ported); 8a9b0c1 "Round to cents" broke it`
    pub(crate) fn found(&self) -> String {
        let broke = self.failing_in_full().map(|failing| self.broke(&failing));
        match (self.passing(), broke) {
            (Some(passing), Some(broke)) => {
                format!("It worked until {passing}{}; {broke}", self.in_brackets())
            }
            (Some(passing), None) => format!("It worked until {passing}{}", self.in_brackets()),
            (None, Some(broke)) => broke,
            (None, None) => "Found".to_owned(),
        }
    }

    fn broke(&self, failing: &str) -> String {
        match self.untested_between().unwrap_or(0) {
            0 => format!("{failing} broke it"),
            1 => format!("{failing}, or the revision before it, which had to be skipped, broke it"),
            more => format!(
                "{failing}, or one of the {} revisions before it, which had to be skipped, broke it",
                thousands(more)
            ),
        }
    }

    /// `It never worked, as far back as a1b2c3d: there it fails in the same way (exit code 1), with this patch`
    pub(crate) fn never(&self) -> Option<String> {
        let NeverWorked { revision, because, .. } = self.never_worked.as_ref()?;
        let revision = match name(revision) {
            revision if revision.is_empty() => self.oldest()?,
            revision => revision,
        };
        let because = match because.as_str() {
            "" => String::new(),
            because => format!(" ({})", printable(because)),
        };
        let how = match self.patch_in_words() {
            Some(_) if self.shows_patch_first() => "with this patch".to_owned(),
            Some(patch) => format!("with {patch}"),
            None => "as it is".to_owned(),
        };
        Some(format!(
            "It never worked, as far back as {revision}: there it fails in the same way{because}, {how}"
        ))
    }

    /// What is known when the way did not come to its end.
    pub(crate) fn known(&self, ending: Ending) -> Option<String> {
        let failing = self.failing()?;
        let patched = self.in_brackets();
        let Some(passing) = self.passing() else {
            let older = match ending {
                Ending::Undecided => "nothing older can be built or judged",
                _ => "whether it ever worked is not known yet",
            };
            return Some(format!("it fails as far back as {failing}{patched}; {older}"));
        };
        let cause = self.cause.as_ref().and_then(|cause| cause.known(ending));
        let cause = cause.unwrap_or_else(|| "what broke it lies between them".to_owned());
        Some(format!("it passes in {passing} and fails in {failing}{patched}; {cause}"))
    }

    fn in_brackets(&self) -> String {
        self.patch_in_words().map(|patch| format!(" (with {patch})")).unwrap_or_default()
    }

    /// What there is to claim beside the confirmations of a cause.
    pub(crate) fn claims(&self, ending: Option<Ending>) -> Vec<Claim> {
        match (ending, &self.never_worked) {
            (Some(Ending::NeverWorked), Some(never)) => self.evidence(never),
            (Some(Ending::Found), _) => vec![self.reverse_direction()],
            _ => Vec::new(),
        }
    }

    /// A patch that took the meaning out of the test would show here: then undoing the cause would mend nothing.
    fn reverse_direction(&self) -> Claim {
        let newest = self.newest();
        match self.forward() {
            Some(_) if self.forward_steps.is_empty() => {
                claim(Standing::Shown, "forward", format!("undone in {newest}, it passes there, too"))
            }
            Some(_) => claim(
                Standing::Shown,
                "forward",
                format!("mended by the fewest changes that were found to do so, {newest} passes"),
            ),
            None => {
                claim(Standing::Open, "forward", format!("that undoing it mends {newest} could not be shown"))
            }
        }
    }

    fn evidence(&self, never: &NeverWorked) -> Vec<Claim> {
        let commits = "all of the commits that the patch comes from";
        let whole = match (never.whole, self.patch()) {
            (_, None) => None,
            (Some(true), _) => Some((Standing::Shown, format!("it fails so with {commits}, too"))),
            (Some(false), _) => Some((
                Standing::Doubtful,
                format!("not so with {commits}: the patch may have taken the meaning out of the test"),
            )),
            (None, _) if never.lines.is_some() && never.lines_of.is_some() => {
                let (lines, of) = (never.lines.unwrap_or(0), never.lines_of.unwrap_or(0));
                let of = count(of, "changed line");
                Some((
                    Standing::Open,
                    format!("{} of their {of} fit there, the patch among them", thousands(lines)),
                ))
            }
            (None, _) => Some((
                Standing::Open,
                "whether the patch took the meaning out of the test could not be checked".to_owned(),
            )),
        };
        let whole = whole.map(|(standing, seen)| claim(standing, "whole commits", seen));
        let along = self.patch().map(|_| {
            let seen = "a cause that is among the changes that were carried along would look the same";
            claim(Standing::Open, "carried along", seen.to_owned())
        });
        whole.into_iter().chain(along).chain(self.limit()).collect()
    }

    /// That the oldest one fails says nothing about those that were not tried.
    fn limit(&self) -> Option<Claim> {
        let untried = self.revisions.checked_sub(self.revisions_tried).filter(|untried| *untried > 0)?;
        let of = count(self.revisions, "revision");
        let not = if untried == 1 { "was not" } else { "were not" };
        let seen = format!("{} of {of} {not} tried: it may have worked for a while", thousands(untried));
        Some(claim(Standing::Open, "in between", seen))
    }
}

fn claim(standing: Standing, about: &str, seen: String) -> Claim {
    Claim { standing, about: about.to_owned(), seen }
}
