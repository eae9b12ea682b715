//! What is known of changes before they are tested, brought together for one search.

use super::change_groups::{keeping_together, location_levels};
use super::known_changes::KnownChanges;
use super::plan::{Clue, SearchPlan};
use crate::candidates::change_space::ComplaintReader;
use crate::deltas::change::ChangeKind;
use crate::deltas::change_set::ChangeSet;
use crate::deltas::item_changes::ItemChanges;
use crate::knowledge::{Dependencies, Repairs, Words, by_words, complaint_places, complaints, evidence};
use crate::syntax::{by_function, by_statement};
use howcome_dd::{Configuration, DeltaId, Hints, Knowledge, Relation, Split};
use howcome_lab::inquiry::{KnownRelations, SearchChoice};
use howcome_run::RoundStep;
use std::sync::Arc;

/// What is known of the changes of one search.
pub(crate) struct SearchKnowledge {
    levels: Vec<Vec<Configuration>>,
    /// The levels of searches that follow the 1999 paper.
    location_levels: Vec<Vec<Configuration>>,
    known: KnownRelations,
    /// The changes in the order of time, if that is known.
    in_order: Option<Vec<Configuration>>,
    suggestions: Vec<Configuration>,
    needs: Vec<Relation>,
    reader: Option<Arc<dyn ComplaintReader>>,
    by_items: bool,
}

/// With fewer changes, groups cost more tests than they save.
const TOO_FEW_FOR_GROUPS: u32 = 9;

/// With fewer changes, suggestions cost more tests than they save.
const TOO_FEW_FOR_SUGGESTIONS: u32 = 32;

/// This many changes are tried first because of what the two versions print.
const MOST_SUGGESTED: usize = 3;

/// A compiler reports one problem after the other, so a mix can need several repairs before it builds.
const MOST_REPAIRS: u32 = 12;

/// A mix of whole items has more problems, and each repair solves more of them.
const MOST_REPAIRS_OF_ITEMS: u32 = 20;

impl SearchKnowledge {
    pub(crate) fn of(
        changes: &Arc<ChangeSet>,
        plan: &SearchPlan,
        by_commit: Vec<Configuration>,
        step: &RoundStep,
        known: KnownChanges,
    ) -> Self {
        let KnownChanges { relations: known, in_order } = known;
        let count = changes.len();
        let is_finest = *step == RoundStep::Lines;
        let items = (*step == RoundStep::Items).then(|| Arc::new(ItemChanges::of(changes)));
        let words = Words::of(changes);
        let mut dependencies = Dependencies::of(changes, &words);
        if plan.uses(Clue::Files) {
            dependencies = dependencies.with_generated_files(changes, items.is_some());
        }
        let location_levels = match plan.algorithm {
            Some(SearchChoice::DdPlus) => location_levels(changes, &words, plan, by_commit.clone()),
            _ => Vec::new(),
        };
        let mut levels = Vec::new();
        if count >= TOO_FEW_FOR_GROUPS && !is_finest {
            levels.push(by_commit);
            if plan.uses(Clue::Words) {
                levels.extend(by_words(changes, &words));
            }
            if plan.uses(Clue::Files) && levels.iter().all(Vec::is_empty) {
                levels.extend(changes.level_groups());
            }
            if plan.uses(Clue::Functions) {
                // Before the finest of the others: changes in one function belong together more closely than changes that share a name.
                levels.insert(levels.len().saturating_sub(1), by_function(changes));
            }
        }
        if count >= TOO_FEW_FOR_GROUPS && is_finest && plan.uses(Clue::Functions) {
            levels.extend([by_function(changes), by_statement(changes)]);
        }
        // A level without groups would consist of single changes, before all others.
        levels.retain(|level| !level.is_empty());
        let [levels, location_levels] =
            [levels, location_levels].map(|levels| keeping_together(levels, &known.groups));
        let mut needs = if plan.uses(Clue::Needs) { dependencies.relations() } else { Vec::new() };
        needs.extend(&known.needs);
        let suggestions = suggestions(changes, &dependencies, plan).into_iter();
        let of_items = items.iter().flat_map(|items| items.suggestions());
        let suggestions = suggestions.chain(of_items).collect();
        let reader = plan.uses(Clue::Repairs).then(|| {
            let changes = Arc::clone(changes);
            let outputs =
                plan.outputs.as_ref().map(|outputs| [outputs.good.clone(), outputs.bad.clone()].concat());
            let outputs = outputs.unwrap_or_default();
            Arc::new(Complaints { changes, words, dependencies, items: items.clone(), outputs })
                as Arc<dyn ComplaintReader>
        });
        Self {
            levels,
            location_levels,
            known,
            in_order,
            suggestions,
            needs,
            reader,
            by_items: items.is_some(),
        }
    }

    /// Adds something to try before everything else.
    pub(crate) fn suggest(&mut self, suggestion: Option<Configuration>) {
        self.suggestions.splice(0..0, suggestion);
    }

    pub(crate) fn levels(&self) -> Vec<Vec<Configuration>> {
        self.levels.clone()
    }

    /// The changes that the user puts together.
    pub(crate) fn groups(&self) -> &[Configuration] {
        &self.known.groups
    }

    /// How a search cuts the changes that follows the 1999 paper: in the order of time, or by directory, file, function and names.
    pub(crate) fn location_split(&self) -> Split {
        match &self.in_order {
            Some(groups) => Split::in_order(groups.clone()),
            None => Split::along_levels(self.location_levels.clone()),
        }
    }

    /// From what outcomes are predicted.
    pub(crate) fn known(&self) -> Knowledge {
        self.known.knowledge()
    }

    pub(crate) fn suggestions(&self) -> Vec<Configuration> {
        self.suggestions.clone()
    }

    pub(crate) fn needs(&self) -> &[Relation] {
        &self.needs
    }

    pub(crate) fn most_repairs(&self) -> u32 {
        match &self.reader {
            None => 0,
            Some(_) if self.by_items => MOST_REPAIRS_OF_ITEMS,
            Some(_) => MOST_REPAIRS,
        }
    }

    pub(crate) fn reader(&self) -> Option<Arc<dyn ComplaintReader>> {
        self.reader.clone()
    }
}

/// What is tried before everything else. A suggestion never decides; it is tested like any other configuration.
fn suggestions(changes: &ChangeSet, dependencies: &Dependencies, plan: &SearchPlan) -> Vec<Configuration> {
    let all = changes.all();
    let mut suggestions = Vec::new();
    if changes.len() < TOO_FEW_FOR_SUGGESTIONS {
        return suggestions;
    }
    let unread = unread(changes, plan);
    if !unread.is_empty() {
        suggestions.push(all.without(&unread));
    }
    if let Some(outputs) = plan.outputs.as_ref().filter(|_| plan.uses(Clue::Evidence)) {
        for (delta, _) in evidence(changes, &outputs.good, &outputs.bad).into_iter().take(MOST_SUGGESTED) {
            let alone = dependencies.closure(&Configuration::empty().with_delta(delta), &all);
            suggestions.extend([alone.clone(), all.without(&alone)]);
        }
    }
    suggestions
}

/// The changes of files that neither version reads.
pub(super) fn unread(changes: &ChangeSet, plan: &SearchPlan) -> Configuration {
    if !plan.uses(Clue::Unread) || plan.unread.is_empty() {
        return Configuration::empty();
    }
    let is_unread = |delta: &DeltaId| {
        let change = changes.describe(*delta);
        change.is_some_and(|change| {
            change.what == ChangeKind::Lines && plan.unread.binary_search(change.path).is_ok()
        })
    };
    changes.all().iter().filter(is_unread).collect()
}

/// Reads what compilers, interpreters and the program itself complain of.
struct Complaints {
    changes: Arc<ChangeSet>,
    words: Words,
    dependencies: Dependencies,
    /// If each change is a whole function, type or declaration: what is known of them.
    items: Option<Arc<ItemChanges>>,
    /// The output of the two versions, which does not count as a complaint.
    outputs: Vec<u8>,
}

impl ComplaintReader for Complaints {
    fn read(&self, configuration: &Configuration, printed: &[u8]) -> Hints {
        let Self { changes, words, dependencies, .. } = self;
        let repair_finder = Repairs::new(changes, words, dependencies);
        let mut repairs = match &self.items {
            Some(items) => repair_finder.of_items(items, configuration, printed),
            None => repair_finder.repairs(configuration, printed),
        };
        if repairs.is_empty() {
            repairs = self.by_text(configuration, printed);
        }
        let hints = Hints::repairs(repairs).suspecting(repair_finder.suspected(configuration, printed));
        // Of whole items, each repair is meant to solve all problems.
        if self.items.is_some() { hints.counting(problems(printed)) } else { hints }
    }
}

/// How far a mix is from building. One that only cannot be linked is nearer than any that cannot be compiled.
fn problems(printed: &[u8]) -> u32 {
    const MOST_OF_A_LINKER: usize = 1_000;
    match complaint_places(printed).len() {
        0 => complaints(printed).len().min(MOST_OF_A_LINKER) as u32,
        places => (MOST_OF_A_LINKER + places) as u32,
    }
}

impl Complaints {
    /// A program that goes wrong often prints the text that confused it: text of changes that are made, or of lines that other changes
    /// would have removed.
    fn by_text(&self, configuration: &Configuration, printed: &[u8]) -> Vec<Configuration> {
        let clearest = |ranked: Vec<(DeltaId, u64)>| -> Configuration {
            let most = ranked.first().map_or(0, |(_, weight)| *weight);
            ranked.into_iter().take_while(|(_, weight)| *weight * 4 >= most).map(|(delta, _)| delta).collect()
        };
        let shown = clearest(evidence(&self.changes, &self.outputs, printed)).within(configuration);
        let lost = clearest(evidence(&self.changes, printed, &self.outputs)).without(configuration);
        let all = self.changes.all();
        let mut repairs = Vec::new();
        if !lost.is_empty() {
            repairs.push(self.dependencies.closure(&configuration.with(&lost), &all));
        }
        if !shown.is_empty() {
            repairs.push(self.dependencies.pruned(&configuration.without(&shown)));
        }
        repairs.retain(|repair| repair != configuration);
        repairs
    }
}
