//! What belongs to the answer about a history: the back-ported patch, the fix, the revisions.

use crate::account::Exhibit;
use crate::account::Section;
use crate::account::{NextStep, sentence};
use crate::finding::changes::patch;
use crate::finding::history::patches::{in_words, why};
use crate::finding::history::{HistoryReport, name};
use howcome_run::Ending;
use howcome_run::words::{count, printable, shell_word, thousands};

/// A longer patch is read from its file.
const SHORT: usize = 40;
/// More revisions for which a patch was made are only counted.
const PLACES: usize = 10;

impl HistoryReport {
    /// What comes after the answer and its proof.
    pub(crate) fn sections(&self, ending: Option<Ending>) -> Vec<Section> {
        let forward = (ending == Some(Ending::Found) || self.forward().is_some()).then(|| self.way_forward());
        let sections = [
            self.carried_back(ending),
            self.reasons_for_patches(),
            self.sizes_of_patches(),
            forward,
            self.revisions_in_words(),
        ];
        sections.into_iter().flatten().collect()
    }

    /// Whether the patch is part of the answer itself.
    pub(crate) fn shows_patch_first(&self) -> bool {
        self.never_worked.is_some() && self.patch_lines().is_some_and(|lines| is_short(&lines))
    }

    /// The lines of the answer: the cause, or the patch with which it never worked.
    pub(crate) fn exhibits(&self) -> Vec<Exhibit> {
        match (&self.cause, self.patch_lines()) {
            (Some(cause), _) => cause.exhibits(),
            (None, Some(lines)) if self.shows_patch_first() => vec![Exhibit { is_answer: true, ..lines }],
            _ => Vec::new(),
        }
    }

    fn patch_lines(&self) -> Option<Exhibit> {
        self.patch().map(|patch| Exhibit::diff(patch::marked(patch)))
    }

    fn carried_back(&self, ending: Option<Ending>) -> Option<Section> {
        let lines = self.patch_lines()?;
        let (exhibits, folded) = match is_short(&lines) {
            true if self.shows_patch_first() => (Vec::new(), None),
            true => (vec![lines], None),
            false => (Vec::new(), Some(titled(lines, "the back-ported patch"))),
        };
        // What a test shows that contradicts itself was not checked.
        let is_checked = ending != Some(Ending::Flaky);
        let minimal = is_checked.then(|| self.patch_is_minimal());
        let sentences = std::iter::once(self.patch_as_sentence()).chain(minimal).collect();
        Some(Section { title: "The back-ported patch", sentences, exhibits, folded })
    }

    fn patch_as_sentence(&self) -> String {
        let parts = [(self.backported_lines, "line"), (self.backported_hunks, "hunk")];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, noun)| count(number, noun))
            .collect();
        let size = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(" in ")) };
        let onto = self
            .patched()
            .map(|onto| format!(" applies to {onto}"))
            .unwrap_or_else(|| " was needed".to_owned());
        let file = self.backported_file.as_ref().map(|file| format!(" and is in {}", printable(file)));
        format!("The back-ported patch{size}{onto}{}.", file.unwrap_or_default())
    }

    fn patch_is_minimal(&self) -> String {
        let then = match (self.passing(), self.failing()) {
            _ if !self.backported_minimal => {
                return "Not every single removal was tested: fewer lines might be enough.".to_owned();
            }
            (Some(passing), Some(failing)) => {
                format!("{failing} no longer fails or {passing} no longer passes")
            }
            _ => "it no longer fails in the same way".to_owned(),
        };
        format!("Every line of it is needed: if any single line is removed, {then}.")
    }

    fn reasons_for_patches(&self) -> Option<Section> {
        let told = self.patches.iter().take(PLACES).map(why).enumerate();
        let mut sentences: Vec<String> =
            told.map(|(i, why)| {
                if i == 0 { format!("A patch was needed because {why}.") } else { format!("Then {why}.") }
            })
            .collect();
        if self.patches.len() > PLACES {
            let more = (self.patches.len() - PLACES) as u64;
            sentences.push(format!("The same holds for {}.", count(more, "older revision")));
        }
        let why = Section { title: "Why a patch was needed", sentences, exhibits: Vec::new(), folded: None };
        (!self.patches.is_empty()).then_some(why)
    }

    fn way_forward(&self) -> Section {
        let newest = self.newest();
        let mut sentences = Vec::new();
        match (self.forward(), &self.forward_at, &self.forward_why) {
            (Some(_), ..) => {
                let file =
                    self.forward_file.as_ref().map_or_else(|| "The patch".to_owned(), |file| printable(file));
                sentences.push(format!("{file} fixes {newest}: with it, the test passes there."));
            }
            (None, None, None) => sentences.push(format!("No patch for {newest} was searched for.")),
            (None, at, why) => {
                let at = at.as_ref().map(|at| format!(": the search ended at {}", name(at)));
                sentences.push(format!("No patch was found that fixes {newest}{}.", at.unwrap_or_default()));
                sentences.extend(why.as_ref().map(|why| sentence(why)));
            }
        }
        match self.forward_other_lines {
            0 => {}
            1 => sentences.push(
                "It also undoes 1 other line of the same hunks: the cause alone is not a whole statement."
                    .to_owned(),
            ),
            lines => sentences.push(format!(
                "It also undoes {} other lines of the same hunks: the cause alone is not a whole statement.",
                thousands(lines)
            )),
        }
        let steps: Vec<String> = self.forward_steps.iter().take(PLACES).map(in_words).collect();
        if !steps.is_empty() {
            let more = if self.forward_steps.len() > PLACES { " and at other revisions" } else { "" };
            sentences.push(format!(
                "The cause could not be undone as it is in later revisions; the fix was adapted at {}{more}.",
                steps.join(", at ")
            ));
        }
        let folded = self.forward().map(|patch| Exhibit::diff(patch::marked(patch)));
        let folded = folded.map(|lines| titled(lines, &format!("the patch for {newest}")));
        Section { title: "The fix", sentences, exhibits: Vec::new(), folded }
    }

    fn revisions_in_words(&self) -> Option<Section> {
        let skipped = self.skipped.max(self.skipped_revisions.len() as u64);
        if self.revisions_tried == 0 && skipped == 0 {
            return None;
        }
        let tried = match self.revisions {
            0 => format!("{} tried", count(self.revisions_tried, "revision")),
            all => format!("{} of {} tried", thousands(self.revisions_tried), count(all, "revision")),
        };
        let tried = match self.oldest() {
            Some(oldest) => format!("{tried}, from {oldest} to {}", self.newest()),
            None => tried,
        };
        let skipped = match skipped {
            0 => "none skipped".to_owned(),
            skipped => format!("{} skipped", thousands(skipped)),
        };
        let exhibits: Vec<Exhibit> = self.skipped_by_reason().into_iter().collect();
        let end = if exhibits.is_empty() { "." } else { ":" };
        Some(Section {
            title: "Revisions",
            sentences: vec![format!("{tried}; {skipped}{end}")],
            exhibits,
            folded: None,
        })
    }

    /// What to do with the patches.
    pub(crate) fn next(&self) -> Vec<NextStep> {
        let fix = self.forward().and(self.forward_file.as_ref());
        let fix = fix.map(|file| self.apply(file, format!("fix {}", self.newest())));
        let carried = self.patch().and(self.backported_file.as_ref()).zip(self.patched());
        let see = if self.passing().is_some() { "pass" } else { "fail" };
        let carried =
            carried.map(|(file, onto)| self.apply(file, format!("in {onto}, to see the test {see} there")));
        fix.into_iter().chain(carried).collect()
    }

    fn apply(&self, file: &str, purpose: String) -> NextStep {
        let file = shell_word(file);
        let command = match (&self.patch_top, self.is_in_git()) {
            (Some(top), _) => format!("git -C {} apply {file}", shell_word(top)),
            (None, true) => format!("git apply {file}"),
            (None, false) => format!("patch -p1 < {file}"),
        };
        NextStep { purpose, command: Some(command) }
    }
}

fn is_short(exhibit: &Exhibit) -> bool {
    exhibit.lines.len() <= SHORT
}

fn titled(exhibit: Exhibit, caption: &str) -> Exhibit {
    Exhibit { caption: Some(caption.to_owned()), ..exhibit }
}
