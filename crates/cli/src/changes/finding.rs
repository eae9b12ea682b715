//! The answer as it is recorded: the lines, where they come from, and the patch that undoes them.

use super::below::Narrowed;
use super::hunt::{Cause, Part};
use super::origin::{Origin, Origins};
use super::past::Pair;
use super::sources::Sources;
use howcome_changes::git::{ObjectId, Range};
use howcome_changes::{Candidate, Change, ChangeKind, ChangeSet, Trees, patch_of_bad, patch_of_good};
use howcome_dd::Configuration;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

/// Makes findings of what a hunt has found.
pub(crate) struct Scribe<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) origins: &'a Origins,
    /// Where the user stands.
    pub(crate) stands: &'a Path,
    pub(crate) fix: bool,
    /// Where the patch goes.
    pub(crate) patch_file: Option<&'a Path>,
}

/// The file for the patch of a further cause.
pub(crate) fn numbered(patch_file: &Path, cause: usize) -> PathBuf {
    if cause == 0 {
        return patch_file.to_owned();
    }
    let stem = patch_file.file_stem().unwrap_or_default().to_string_lossy();
    let extension =
        patch_file.extension().map_or_else(String::new, |end| format!(".{}", end.to_string_lossy()));
    patch_file.with_file_name(format!("{stem}-{}{extension}", cause + 1))
}

/// A finding, and the patches that go with it, one for each cause.
pub(crate) struct Written {
    pub(crate) json: Value,
    pub(crate) patches: Vec<Vec<u8>>,
}

impl Scribe<'_> {
    /// All causes: the first is the answer, the others are further ones.
    pub(crate) fn causes(&self, causes: &[Cause]) -> Option<Written> {
        let mut written = Vec::new();
        let mut bad = self.sources.bad.clone();
        for (number, cause) in causes.iter().enumerate() {
            let mut own = self.cause(cause, &bad);
            own.json["patch_file"] = json!(self.patch_file.map(|path| self.shown(&numbered(path, number))));
            written.push(own);
            if let Some(mended) = &cause.proof.mended {
                bad = mended.clone();
            }
        }
        let mut written = written.into_iter();
        let mut first = written.next()?;
        let mut further = Vec::new();
        for written in written {
            first.patches.extend(written.patches);
            further.push(written.json);
        }
        if !further.is_empty() {
            first.json["further"] = json!(further);
        }
        Some(first)
    }

    fn cause(&self, cause: &Cause, bad: &Candidate) -> Written {
        let (parts, needed): (Vec<&Part>, Vec<&Part>) =
            cause.parts.iter().partition(|part| !part.is_needed_only);
        // As they stand in the bad version, where people will look for them; else where they came from.
        let mended = cause
            .proof
            .mended
            .as_ref()
            .and_then(|mended| ChangeSet::between(&mended.tree(), &bad.tree()).ok());
        let (mut changes, mut commits) = (Vec::new(), BTreeSet::new());
        let patch = match &mended {
            Some(set) => {
                for change in described(set, &set.all()) {
                    let commit = commit_of(&change, &parts).or_else(|| self.blamed(&change));
                    commits.extend(commit);
                    changes.push(change_json(&change, commit));
                }
                patch_of_good(set, &set.all())
            }
            None => {
                for part in &parts {
                    commits.extend(part.commit);
                    changes.extend(
                        described(&part.changes, &part.chosen)
                            .map(|change| change_json(&change, part.commit)),
                    );
                }
                parts.iter().flat_map(|part| patch_of_bad(&part.changes, &part.chosen)).collect()
            }
        };
        let mut needs = Vec::new();
        for part in needed {
            commits.extend(part.commit);
            needs.extend(
                described(&part.changes, &part.chosen).map(|change| change_json(&change, part.commit)),
            );
        }
        let mut json = self.finding(changes, &patch);
        json["needs"] = json!(needs);
        json["commit"] =
            json!(parts.first().and_then(|part| part.commit).or(one(&commits)).map(|id| id.to_string()));
        json["patch_for"] = json!(if mended.is_some() { "bad" } else { "commit" });
        // Where the lines tell which commit it was, it does not matter that it could not be tested.
        let is_told = json["changes"]
            .as_array()
            .is_some_and(|changes| changes.iter().all(|change| !change["commit"].is_null()));
        if cause.suspects.len() > 1 && !is_told {
            json["suspects"] = self.commits(&cause.suspects);
        }
        json["commits"] = self.commits(&commits.into_iter().collect::<Vec<_>>());
        Written { json, patches: vec![patch] }
    }

    /// What is known of a search that did not come to its end.
    pub(crate) fn best(&self, pair: &Pair, narrowed: Option<&Narrowed>) -> Written {
        let whole = || ChangeSet::between(&pair.low.tree(), &pair.high.tree()).ok();
        let (changes, patch) = match narrowed {
            Some(narrowed) => (
                described(&narrowed.changes, &narrowed.chosen)
                    .map(|change| change_json(&change, pair.commit.filter(|_| pair.suspects.len() < 2)))
                    .collect(),
                patch_of_good(&narrowed.changes, &narrowed.chosen),
            ),
            None => match whole() {
                Some(set) => (
                    described(&set, &set.all()).map(|change| change_json(&change, None)).collect(),
                    patch_of_good(&set, &set.all()),
                ),
                None => (Vec::new(), Vec::new()),
            },
        };
        let mut json = self.finding(changes, &patch);
        json["patch_for"] = json!("commit");
        let commit = pair.commit.filter(|_| pair.suspects.len() == 1);
        json["commit"] = json!(commit.map(|id| id.to_string()));
        json["commits"] = self.commits(&commit.into_iter().collect::<Vec<_>>());
        if pair.suspects.len() > 1 {
            json["suspects"] = self.commits(&pair.suspects);
        }
        Written { json, patches: vec![patch] }
    }

    fn finding(&self, changes: Vec<Value>, patch: &[u8]) -> Value {
        let lines = |side: &str| -> usize {
            changes.iter().map(|change| change[side].as_array().map_or(0, Vec::len)).sum()
        };
        let files: BTreeSet<&str> = changes.iter().filter_map(|change| change["path"].as_str()).collect();
        json!({
            "commit": null,
            "files": files.len(),
            "hunks": changes.len(),
            "lines_removed": lines("removed"),
            "lines_added": lines("added"),
            "needs": [],
            "patch": String::from_utf8_lossy(patch),
            "patch_file": self.patch_file.map(|path| self.shown(path)),
            "of": self.of(),
            "good": self.origins.good.first().map(Origin::name),
            "bad": self.origins.bad.name(),
            "top": self.top(),
            "bad_folder": match &self.origins.bad {
                Origin::Folder(folder) => Some(folder.display().to_string()),
                _ => None,
            },
            "fix": self.fix,
            "changes": changes,
        })
    }

    /// A path as the command for it needs it.
    fn shown(&self, path: &Path) -> String {
        let path = if self.top().is_some() { self.stands.join(path) } else { path.to_owned() };
        path.display().to_string()
    }

    /// The top of the repository, from which git takes the paths of a patch, if the user does not stand there.
    fn top(&self) -> Option<String> {
        let top = self.origins.repository.as_ref()?.canonicalize().ok()?;
        let is_elsewhere = self.stands.canonicalize().ok().as_ref() != Some(&top);
        is_elsewhere.then(|| top.display().to_string())
    }

    /// How much there was between the two versions.
    fn of(&self) -> Value {
        let mut of = json!({});
        if let Ok(all) = ChangeSet::between(&self.sources.good.tree(), &self.sources.bad.tree()) {
            of["hunks"] = json!(all.len());
            of["files"] = json!(all.paths_of(&all.all()).len());
        }
        if let Some(past) = &self.sources.past {
            of["commits"] = json!(past.range.revisions().len());
        }
        of
    }

    fn commits(&self, ids: &[ObjectId]) -> Value {
        let Some(trees) = &self.sources.trees else { return json!([]) };
        json!(ids.iter().filter_map(|id| commit_json(trees, id)).collect::<Vec<Value>>())
    }

    /// The commit that a change of the bad version comes from, as the history of its lines says.
    fn blamed(&self, change: &Change<'_>) -> Option<ObjectId> {
        let range: &Range = &self.sources.past.as_ref().filter(|past| !past.ends_uncommitted)?.range;
        let repository = self.sources.trees.as_ref()?.repository();
        let path = change.path.as_bytes();
        // Where lines were removed is known in a version that no commit holds.
        if change.added.is_empty() {
            return None;
        }
        let lines = change.new_line..=change.new_line + change.added.len() as u32 - 1;
        let blamed = repository.blame(range, path, &[lines]).ok()?;
        blamed.into_iter().find_map(|line| line.commit)
    }
}

/// What people want to know of a commit.
pub(crate) fn commit_json(trees: &Trees, id: &ObjectId) -> Option<Value> {
    let commit = trees.objects().lock().unwrap_or_else(PoisonError::into_inner).commit(*id).ok()?;
    Some(json!({
        "id": id.to_string(),
        "short": id.short(),
        "author": commit.author,
        "email": commit.email,
        "date": commit.date.to_string().split(' ').next(),
        "subject": commit.subject,
    }))
}

fn one(commits: &BTreeSet<ObjectId>) -> Option<ObjectId> {
    commits.first().copied().filter(|_| commits.len() == 1)
}

fn described<'a>(changes: &'a ChangeSet, chosen: &'a Configuration) -> impl Iterator<Item = Change<'a>> {
    chosen.iter().filter_map(|delta| changes.describe(delta))
}

/// The commit of the part that a change belongs to.
fn commit_of(change: &Change<'_>, parts: &[&Part]) -> Option<ObjectId> {
    let share = |one: &[&[u8]], other: &[&[u8]]| one.iter().any(|line| other.contains(line));
    let belongs = |part: &&&Part| {
        described(&part.changes, &part.chosen).any(|own| {
            let same_lines = share(&own.added, &change.added) || share(&own.removed, &change.removed);
            same_lines
                || (own.path == change.path
                    && own.what == change.what
                    && own.added.len() + own.removed.len() == 0)
        })
    };
    match parts {
        [only] => only.commit,
        _ => parts.iter().find(belongs)?.commit,
    }
}

fn change_json(change: &Change<'_>, commit: Option<ObjectId>) -> Value {
    let mut ends = change.removed.iter().chain(&change.added).map(|line| line.ends_with(b"\n"));
    let first = ends.next();
    let ends_differ = change.what == ChangeKind::Lines && ends.any(|end| Some(end) != first);
    let lines = |lines: &[&[u8]]| -> Vec<String> {
        // The ends of lines are told where they differ, and left out elsewhere.
        let without_end = |line: &[u8]| readable(line.strip_suffix(b"\n").unwrap_or(line));
        lines.iter().map(|line| if ends_differ { readable(line) } else { without_end(line) }).collect()
    };
    json!({
        "path": readable(change.path.as_bytes()),
        "old_line": change.old_line,
        "new_line": change.new_line,
        "removed": lines(&change.removed),
        "added": lines(&change.added),
        "what": change.to_string().replace(&change.path.to_string(), &readable(change.path.as_bytes())),
        "commit": commit.map(|id| id.to_string()),
    })
}

/// Bytes as text; those that are none as `\xff`, so that what differs looks different.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02x}"));
    }
    text
}
