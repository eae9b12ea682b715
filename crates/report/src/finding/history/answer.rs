//! The answer about a history in one sentence, and its proof.

use crate::account::{Claim, Standing};
use crate::finding::changes::CommitWords;
use crate::finding::history::{HistoryReport, name};
use howcome_run::words::{count, printable, thousands};
use howcome_run::{Ending, NeverWorked};

impl HistoryReport {
    /// `Revision 8a9b0c1 "Round to cents" broke it; 4f5e6d7 is the last revision that passes`
    pub(crate) fn found(&self) -> String {
        if self.leaves_out_revisions()
            && let (Some(passing), Some(failing)) = (self.passing(), self.failing())
        {
            let culprit = match self.cause.as_ref().map(|cause| cause.commits.as_slice()) {
                Some([commit]) => format!("Revision {}", CommitWords::name(commit)),
                _ => format!("A revision between {passing} and {failing}"),
            };
            return format!("{culprit} broke it; {passing} passes{}, {failing} fails", self.in_brackets());
        }
        let broke = self.failing_in_full().map(|failing| self.broke(&failing));
        let passing = self
            .passing()
            .map(|passing| format!("{passing} is the last revision that passes{}", self.in_brackets()));
        match (broke, passing) {
            (Some(broke), Some(passing)) => format!("{broke}; {passing}"),
            (Some(broke), None) => broke,
            (None, Some(passing)) => passing,
            (None, None) => "Something was found, but the record does not say what".to_owned(),
        }
    }

    fn broke(&self, failing: &str) -> String {
        match self.skipped_between() {
            0 => format!("Revision {failing} broke it"),
            1 => format!("Revision {failing} or the skipped revision before it broke it"),
            more => {
                format!(
                    "Revision {failing} or one of the {} skipped revisions before it broke it",
                    thousands(more)
                )
            }
        }
    }

    /// `It never worked as far back as a1b2c3d: that revision fails in the same way (exit code 1) with this patch`. A revision in
    /// which the test did not run says nothing about what worked there.
    pub(crate) fn never(&self) -> Option<String> {
        let NeverWorked { revision, because, runs_since, did_not_run, .. } = self.never_worked.as_ref()?;
        if let (Some(since), Some(why)) = (runs_since, did_not_run) {
            return Some(format!(
                "It fails in every tested revision since {}, and in older revisions the test cannot be run as it is ({})",
                name(since),
                printable(why)
            ));
        }
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
            None => "without any patch".to_owned(),
        };
        Some(format!(
            "It never worked as far back as {revision}: that revision fails in the same way{because} {how}"
        ))
    }

    /// What is known if the search did not finish.
    pub(crate) fn known(&self, ending: Ending) -> Option<String> {
        let failing = self.failing()?;
        let patched = self.in_brackets();
        let Some(passing) = self.passing() else {
            let older = match ending {
                Ending::Undecided if self.oldest().as_ref() == Some(&failing) => {
                    "that is the oldest revision"
                }
                Ending::Undecided if self.patches_ended_after.is_none() => {
                    "no older revision can be built or tested"
                }
                _ => "whether an older revision passes is not known yet",
            };
            if let Some(since) = self.fails_since.as_ref().filter(|_| ending == Ending::Undecided) {
                return Some(format!(
                    "it fails since what the test needs exists ({}, revision {} of {}); older revisions cannot be tested as they are",
                    name(&since.revision),
                    thousands(since.number),
                    thousands(self.revisions)
                ));
            }
            return Some(format!("it fails as far back as {failing}{patched}; {older}"));
        };
        let cause = self.cause.as_ref().and_then(|cause| cause.known(ending));
        // What lies between two patched revisions can be a line of the patch.
        let or_in_patch = if patched.is_empty() { "" } else { ", or in the patch" };
        let cause = cause.unwrap_or_else(|| format!("the cause is between them{or_in_patch}"));
        Some(format!("it passes in {passing} and fails in {failing}{patched}; {cause}"))
    }

    fn in_brackets(&self) -> String {
        self.patch_in_words().map(|patch| format!(" (with {patch})")).unwrap_or_default()
    }

    /// The claims besides the confirmations of the cause.
    pub(crate) fn claims(&self, ending: Option<Ending>) -> Vec<Claim> {
        match (ending, &self.never_worked) {
            (Some(Ending::NeverWorked), Some(never)) => self.evidence(never),
            (Some(Ending::Found), _) => vec![self.reverse_direction()],
            _ => Vec::new(),
        }
    }

    /// Undoing the cause in the newest revision. If the back-ported patch changed what the test checks, that fixes nothing.
    fn reverse_direction(&self) -> Claim {
        let newest = self.newest();
        match self.forward() {
            Some(_) if self.forward_steps.is_empty() => {
                let seen = "tested with forward.patch".to_owned();
                claim(Standing::Shown, &format!("undone in {newest}, the test passes"), seen)
            }
            Some(_) => claim(
                Standing::Shown,
                &format!("with the fix, {newest} passes"),
                "the fix had to be adapted to later revisions".to_owned(),
            ),
            None => claim(
                Standing::Open,
                &format!("undone in {newest}"),
                "no patch was found that makes it pass".to_owned(),
            ),
        }
    }

    fn evidence(&self, never: &NeverWorked) -> Vec<Claim> {
        let commits = "all changes of the commits that the patch comes from";
        let whole = match (never.whole, self.patch()) {
            (_, None) => None,
            (Some(true), _) => Some((Standing::Shown, format!("it also fails with {commits}"))),
            (Some(false), _) => Some((
                Standing::Doubtful,
                format!("it does not fail with {commits}: the patch might change what the test checks"),
            )),
            (None, _) if never.lines.is_some() && never.lines_of.is_some() => {
                let (lines, of) = (never.lines.unwrap_or(0), never.lines_of.unwrap_or(0));
                let of = count(of, "changed line");
                Some((
                    Standing::Open,
                    format!("{} of their {of} apply there, including the patch", thousands(lines)),
                ))
            }
            (None, _) => {
                Some((Standing::Open, "not tested: the patch might change what the test checks".to_owned()))
            }
        };
        let whole = whole.map(|(standing, seen)| claim(standing, "whole commits", seen));
        let along = self.patch().map(|_| {
            let seen = "if the cause is among the back-ported changes, the result is the same";
            claim(Standing::Open, "back-ported changes", seen.to_owned())
        });
        whole.into_iter().chain(along).chain(self.limit()).collect()
    }

    /// That the oldest revision fails says nothing about those that were not tested.
    fn limit(&self) -> Option<Claim> {
        let untried = self.revisions.checked_sub(self.revisions_tried).filter(|untried| *untried > 0)?;
        let of = count(self.revisions, "revision");
        let not = if untried == 1 { "was not" } else { "were not" };
        let seen = format!("{} of {of} {not} tested: one of them might pass", thousands(untried));
        Some(claim(Standing::Open, "other revisions", seen))
    }
}

fn claim(standing: Standing, about: &str, seen: String) -> Claim {
    Claim { standing, about: about.to_owned(), seen }
}
