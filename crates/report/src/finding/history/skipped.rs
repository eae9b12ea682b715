//! The revisions that could not be tested, by the reason.

use crate::account::Exhibit;
use crate::finding::history::{HistoryReport, name};
use howcome_run::SkippedRevision;
use howcome_run::words::{cut, printable, thousands};

/// More reasons, and more revisions for a reason, are only counted.
const REASONS: usize = 8;
const REVISIONS: usize = 6;
const REASON_WIDTH: usize = 100;

struct RevisionSkipReason<'a> {
    /// The reason without details, which differ from revision to revision.
    kind: &'a str,
    skipped: Vec<&'a SkippedRevision>,
}

impl RevisionSkipReason<'_> {
    /// If the details are not the same for all, those of the first revision are shown.
    fn line(&self) -> String {
        let first = self.skipped.first().map_or("", |skipped| &skipped.why);
        let is_one = self.skipped.iter().all(|skipped| skipped.why == first);
        let details = first.strip_prefix(self.kind).map(|rest| rest.trim_start_matches(": ").trim());
        let why = match (is_one, self.kind, details.unwrap_or_default()) {
            (_, "", _) => "unknown reason".to_owned(),
            (true, ..) => first.trim().to_owned(),
            (false, kind, "") => kind.to_owned(),
            (false, kind, details) => format!("{kind}, the first because of: {details}"),
        };
        let why = cut(&printable(&why), REASON_WIDTH);
        let names = self.skipped.iter().filter(|skipped| !skipped.revision.is_empty());
        let mut names: Vec<String> = names.map(|skipped| name(&skipped.revision)).collect();
        let more = names.len().saturating_sub(REVISIONS) as u64;
        names.truncate(REVISIONS);
        if more > 0 {
            names.push(format!("and {} more", thousands(more)));
        }
        let times = thousands(self.skipped.len() as u64);
        match names.is_empty() {
            true => format!("{times}: {why}"),
            false => format!("{times}: {why} ({})", names.join(", ")),
        }
    }
}

impl HistoryReport {
    /// How many were skipped for each reason, the most frequent first.
    pub(crate) fn skipped_by_reason(&self) -> Option<Exhibit> {
        let mut reasons: Vec<RevisionSkipReason<'_>> = Vec::new();
        for skipped in &self.skipped_revisions {
            let kind = skipped.why.split(": ").next().unwrap_or_default().trim();
            match reasons.iter_mut().find(|reason| reason.kind == kind) {
                Some(reason) => reason.skipped.push(skipped),
                None => reasons.push(RevisionSkipReason { kind, skipped: vec![skipped] }),
            }
        }
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.skipped.len()));
        let mut lines: Vec<String> = reasons.iter().take(REASONS).map(RevisionSkipReason::line).collect();
        if let Some(others) = reasons.get(REASONS..).filter(|others| !others.is_empty()) {
            let others: usize = others.iter().map(|reason| reason.skipped.len()).sum();
            lines.push(format!("{}: other reasons", thousands(others as u64)));
        }
        (!lines.is_empty()).then(|| Exhibit { lines, ..Exhibit::default() })
    }
}
