//! Which lines need which others, because they are parts of the same statement.

use super::functions::language_of;
use super::shape_reader::{LineOwner, line_owners};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{EditedBody, FileChange, FileChangeKind};
use crate::deltas::hunk::LineEdit;
use howcome_dd::{Configuration, DeltaId};
use std::collections::{BTreeMap, BTreeSet};

/// How many bytes are parsed for this at most: a few lines are in few files.
const MOST_BYTES: usize = 2_000_000;

/// The needs of the line deltas of a set of changes. They only propose other mixes, so they need not be complete.
#[derive(Debug, Default)]
pub(super) struct LineNeeds {
    needs: BTreeMap<u32, BTreeSet<u32>>,
    /// Added headers, each with the statements of its body, all of which are added too.
    bodies: BTreeMap<u32, BTreeSet<u32>>,
}

impl LineNeeds {
    pub(super) fn of(changes: &ChangeSet) -> Self {
        let mut needs = Self::default();
        let mut bytes_left = MOST_BYTES;
        for (file, first) in changes.files_of(&changes.all()) {
            let size = match &file.what {
                FileChangeKind::Edited(edited) => edited.good.bytes.len() + edited.bad.bytes.len(),
                FileChangeKind::Swapped { .. } => 0,
            };
            if size <= bytes_left {
                bytes_left -= size;
                needs.read(file, first);
            }
        }
        needs
    }

    fn read(&mut self, file: &FileChange, first: DeltaId) {
        let FileChangeKind::Edited(edited) = &file.what else { return };
        let EditedBody::Text { good, bad, hunks } = &edited.body else { return };
        let deltas = || (first.0 + edited.before_body()..).zip(hunks.iter().map(|hunk| hunk.span()));
        let owners =
            |bytes: &[u8]| language_of(&file.path, bytes).and_then(|language| line_owners(language, bytes));
        if let Some(owners) = owners(bad.bytes()) {
            let side = ChangedSide::new(
                deltas().map(|(delta, LineEdit { good, bad })| (delta, bad, good.is_empty())),
            );
            self.read_added(&side, &owners);
        }
        if let Some(owners) = owners(good.bytes()) {
            let side = ChangedSide::new(
                deltas().map(|(delta, LineEdit { good, bad })| (delta, good, bad.is_empty())),
            );
            self.read_removed(&side, &owners);
        }
    }

    /// An added line needs the start of its statement, and the start needs the end.
    fn read_added(&mut self, side: &ChangedSide, owners: &[LineOwner]) {
        for (&line, &delta) in &side.lines {
            let Some(LineOwner { owner: Some(owner), .. }) = owners.get(line as usize) else { continue };
            self.needs.entry(delta).or_default().extend(side.pure.get(owner));
        }
        for (&line, &start) in &side.pure {
            let Some(own) = owners.get(line as usize).filter(|own| own.is_start) else { continue };
            self.needs
                .entry(start)
                .or_default()
                .extend(side.pure.get(&own.end).filter(|_| own.ends_itself(line, owners)));
            let body = (line + 1..=own.end).filter(|inner| {
                owners.get(*inner as usize).is_some_and(|inner| inner.is_start && inner.owner == Some(line))
            });
            let body: Option<BTreeSet<u32>> = body.map(|inner| side.pure.get(&inner).copied()).collect();
            self.bodies.extend(body.filter(|body| !body.is_empty()).map(|body| (start, body)));
        }
    }

    /// To remove the start of a statement, all of its lines have to be removed, and the end goes only with the start.
    fn read_removed(&mut self, side: &ChangedSide, owners: &[LineOwner]) {
        for (&line, &delta) in &side.lines {
            let Some(LineOwner { owner: Some(owner), .. }) = owners.get(line as usize) else { continue };
            if let Some(start) = side.pure.get(owner) {
                self.needs.entry(*start).or_default().insert(delta);
                let own = owners[*owner as usize];
                if own.end == line && own.ends_itself(*owner, owners) {
                    self.needs.entry(delta).or_default().insert(*start);
                }
            }
        }
    }

    /// Similar mixes without incomplete statements: with fewer lines, and with more.
    pub(super) fn repairs(&self, configuration: &Configuration, all: &Configuration) -> Vec<Configuration> {
        let mut repairs = vec![self.pruned(configuration), self.completed(configuration)];
        repairs.retain(|repair| repair != configuration && repair != all && !repair.is_empty());
        repairs.dedup();
        repairs
    }

    fn pruned(&self, configuration: &Configuration) -> Configuration {
        let mut kept = configuration.clone();
        loop {
            let has = |delta: &u32| kept.contains(DeltaId(*delta));
            let lacks = |delta: &DeltaId| {
                self.needs.get(&delta.0).is_some_and(|needed| !needed.iter().all(has))
                    || self.bodies.get(&delta.0).is_some_and(|body| !body.iter().any(has))
            };
            let lacking: Configuration = kept.iter().filter(lacks).collect();
            if lacking.is_empty() {
                return kept;
            }
            kept = kept.without(&lacking);
        }
    }

    fn completed(&self, configuration: &Configuration) -> Configuration {
        let mut completed = configuration.clone();
        let mut open: Vec<DeltaId> = configuration.iter().collect();
        while let Some(delta) = open.pop() {
            let needed = self.needs.get(&delta.0).into_iter().flatten().copied();
            let body = self.bodies.get(&delta.0);
            let is_empty =
                |body: &&BTreeSet<u32>| !body.iter().any(|inner| completed.contains(DeltaId(*inner)));
            let body = body.filter(is_empty).into_iter().flatten().copied();
            let lacking: Vec<DeltaId> =
                needed.chain(body).map(DeltaId).filter(|needed| !completed.contains(*needed)).collect();
            for needed in lacking {
                completed = completed.with_delta(needed);
                open.push(needed);
            }
        }
        completed
    }
}

impl LineOwner {
    /// Whether the last line of a statement is no statement of its own.
    fn ends_itself(&self, line: u32, owners: &[LineOwner]) -> bool {
        let is_part = |end: &LineOwner| !end.is_start && end.owner == Some(line);
        self.end > line && owners.get(self.end as usize).is_some_and(is_part)
    }
}

/// The changed lines of one version.
struct ChangedSide {
    /// The delta of each line.
    lines: BTreeMap<u32, u32>,
    /// Those that have no counterpart in the other version.
    pure: BTreeMap<u32, u32>,
}

impl ChangedSide {
    fn new(deltas: impl Iterator<Item = (u32, std::ops::Range<u32>, bool)>) -> Self {
        let mut side = Self { lines: BTreeMap::new(), pure: BTreeMap::new() };
        for (delta, lines, is_pure) in deltas {
            side.lines.extend(lines.clone().map(|line| (line, delta)));
            side.pure.extend(lines.filter(|_| is_pure).map(|line| (line, delta)));
        }
        side
    }
}
