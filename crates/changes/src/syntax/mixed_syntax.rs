//! Mixes of two versions of a file that have the syntax of neither: they are not worth a test.

use super::functions::language_of;
use super::line_needs::LineNeeds;
use super::shape_reader::read_shape;
use super::source_shape::{FoundFlaw, SourceShape, SyntaxFlaw};
use crate::deltas::change_set::ChangeSet;
use crate::deltas::file_change::{Edited, EditedBody, EditedSides, FileChange, FileChangeKind};
use crate::deltas::splice::state;
use howcome_dd::{Configuration, DeltaId};
use howcome_run::Content;
use howcome_syntax::Language;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Larger files take too long to parse for each mix.
pub(super) const LARGEST_TO_CHECK: usize = 300_000;

/// Checks the mixes of one set of changes, and remembers what it has parsed.
#[derive(Debug, Default)]
pub(crate) struct MixedSyntax {
    /// The two versions of each file, by the first delta of the file. `None` if they cannot be compared.
    versions: Mutex<HashMap<DeltaId, Option<Arc<ShapedVersions>>>>,
    mixes: Mutex<HashMap<(DeltaId, Content), Option<String>>>,
    needs: OnceLock<LineNeeds>,
}

/// The two versions of a file.
#[derive(Debug)]
struct ShapedVersions {
    language: Language,
    good: Option<SourceShape>,
    bad: Option<SourceShape>,
}

impl MixedSyntax {
    /// Why no version has the syntax of a mix, if that is so.
    ///
    /// Only files that are in part from either version are parsed. Nothing is known about a file in another language, or
    /// one that the parser does not accept.
    pub(crate) fn objection(&self, changes: &ChangeSet, configuration: &Configuration) -> Option<String> {
        changes.files_of(configuration).find_map(|(file, first)| self.in_file(file, first, configuration))
    }

    /// What to try instead of a mix that has the syntax of no version.
    pub(crate) fn repairs(&self, changes: &ChangeSet, configuration: &Configuration) -> Vec<Configuration> {
        self.needs.get_or_init(|| LineNeeds::of(changes)).repairs(configuration, &changes.all())
    }

    fn in_file(&self, file: &FileChange, first: DeltaId, configuration: &Configuration) -> Option<String> {
        let FileChangeKind::Edited(edited) = &file.what else { return None };
        let EditedBody::Text { good, bad, hunks } = &edited.body else { return None };
        let applies = |nth: u32| configuration.contains(DeltaId(first.0 + nth));
        let of_body = |nth: usize| applies(edited.before_body() + nth as u32);
        let chosen = (0..hunks.len()).filter(|nth| of_body(*nth)).count();
        let is_mix = 0 < chosen && chosen < hunks.len();
        if !is_mix || good.bytes().len().max(bad.bytes().len()) > LARGEST_TO_CHECK {
            return None;
        }
        let versions = self.versions_of(file, edited, first)?;
        let (path, mixed) = state(file, edited, applies)?;
        let key = (first, Content::of([&mixed.bytes[..]]));
        let mut mixes = self.mixes.lock().unwrap_or_else(PoisonError::into_inner);
        let objection = mixes.entry(key).or_insert_with(|| {
            let (flaw, line) = versions.flaw(&mixed.bytes)?;
            Some(flaw.in_words(&path.to_string(), line))
        });
        objection.clone()
    }

    fn versions_of(&self, file: &FileChange, edited: &Edited, first: DeltaId) -> Option<Arc<ShapedVersions>> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.entry(first).or_insert_with(|| ShapedVersions::of(file, edited).map(Arc::new)).clone()
    }
}

impl ShapedVersions {
    fn of(file: &FileChange, edited: &Edited) -> Option<Self> {
        let exists = |absent: EditedSides| edited.sides != absent;
        let good = exists(EditedSides::OnlyBad).then_some(&edited.good.bytes);
        let bad = exists(EditedSides::OnlyGood).then_some(&edited.bad.bytes);
        let mut languages = good.into_iter().chain(bad).map(|bytes| language_of(&file.path, bytes));
        let language = languages.next()??;
        if languages.any(|other| other != Some(language)) {
            return None;
        }
        let shape = |bytes: Option<&Arc<[u8]>>| match bytes.map(|bytes| read_shape(language, bytes)) {
            Some(None) => None,
            shape => Some(shape.flatten()),
        };
        Some(Self { language, good: shape(good)?, bad: shape(bad)? })
    }

    fn flaw(&self, mixed: &[u8]) -> Option<FoundFlaw> {
        let versions: Vec<&SourceShape> = self.good.iter().chain(&self.bad).collect();
        read_shape(self.language, mixed)?.flaw(&versions)
    }
}

impl SyntaxFlaw {
    fn in_words(self, path: &str, line: Option<u32>) -> String {
        let what = match self {
            SyntaxFlaw::DoesNotParse => "would not parse",
            SyntaxFlaw::HasEmptyBody => "would have an empty body",
            SyntaxFlaw::IsMisplaced => "would be indented wrongly",
            SyntaxFlaw::IsStray => "would have a statement outside of its function or loop",
            SyntaxFlaw::HasNoResult => "would have a function that no longer returns a value",
            SyntaxFlaw::IsTornApart => "would have only a part of a statement",
            SyntaxFlaw::HasOtherBody => "would have a statement as the body of another",
        };
        match line {
            Some(line) => format!("{path} {what}: line {line}"),
            None => format!("{path} {what}"),
        }
    }
}
