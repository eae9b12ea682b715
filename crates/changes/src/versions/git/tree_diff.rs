//! Which files differ between two commits.

use super::command::GitFailed;
use super::tree::{leaves, path_buf};
use super::{GitTreeEntry, Mode, NoTree, ObjectId, Repository};

/// A file that is not the same in both. With both sides at different paths it was renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedPath {
    /// The file before; none if it was added.
    pub before: Option<GitTreeEntry>,
    /// The file after; none if it was removed.
    pub after: Option<GitTreeEntry>,
    /// How much of a renamed file stayed the same, in percent.
    pub similarity: Option<u8>,
}

impl ChangedPath {
    /// Whether the file moved.
    #[must_use]
    pub fn is_rename(&self) -> bool {
        self.similarity.is_some()
    }

    /// Where the file is, or was if it is gone.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        self.after.as_ref().or(self.before.as_ref()).map_or(&[], |entry| &entry.path)
    }
}

impl Repository {
    /// The files that differ between two commits, by path.
    ///
    /// # Errors
    /// If one is not there, or if a path would leave the workspace.
    pub fn diff(&self, before: ObjectId, after: ObjectId) -> Result<Vec<ChangedPath>, NoTree> {
        // The limit is git's default, given explicitly so that no setting of the user changes the deltas.
        self.changed_paths(&["-M50%", "-l1000"], before, after)
    }

    /// The same, with a renamed file as a file that was removed and one that was added. Faster, because no file is read.
    pub(super) fn diff_without_renames(
        &self,
        before: ObjectId,
        after: ObjectId,
    ) -> Result<Vec<ChangedPath>, NoTree> {
        self.changed_paths(&["--no-renames"], before, after)
    }

    fn changed_paths(
        &self,
        renames: &[&str],
        before: ObjectId,
        after: ObjectId,
    ) -> Result<Vec<ChangedPath>, NoTree> {
        let options = ["-r", "-z", "--raw", "--no-abbrev"].into_iter().chain(renames.iter().copied());
        let safe = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--no-relative"];
        let commits = [before.to_string(), after.to_string()];
        let arguments = options.chain(safe).chain(commits.iter().map(String::as_str));
        let listed = self.git.read("diff-tree", arguments)?;
        let mut fields = listed.split(|byte| *byte == 0);
        let mut changes = Vec::new();
        while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
            let change = change(head, &mut fields).ok_or_else(|| GitFailed::unexpected("diff-tree", head))?;
            if let Some(entry) =
                [&change.before, &change.after].into_iter().flatten().find(|entry| leaves(&entry.path))
            {
                return Err(NoTree::Leaves(path_buf(entry.path.clone())));
            }
            changes.push(change);
        }
        changes.sort_by(|one, other| one.path().cmp(other.path()));
        Ok(changes)
    }
}

/// `:mode mode id id status`, and then a path, or two if it was renamed.
fn change<'a>(head: &[u8], paths: &mut impl Iterator<Item = &'a [u8]>) -> Option<ChangedPath> {
    let words: Vec<&[u8]> = head.strip_prefix(b":")?.split(|byte| *byte == b' ').collect();
    let [mode_before, mode_after, id_before, id_after, [status, score @ ..]] = words[..] else { return None };
    let similarity = match status {
        b'R' => Some(std::str::from_utf8(score).ok()?.parse().ok()?),
        _ => None,
    };
    let path_before = paths.next()?;
    let path_after = if similarity.is_some() { paths.next()? } else { path_before };
    Some(ChangedPath {
        before: side(path_before, mode_before, id_before)?,
        after: side(path_after, mode_after, id_after)?,
        similarity,
    })
}

/// One side, if the file is there. The outer `None` is for what cannot be read.
fn side(path: &[u8], mode: &[u8], id: &[u8]) -> Option<Option<GitTreeEntry>> {
    if mode == b"000000" {
        return Some(None);
    }
    let (mode, id) = (Mode::from_octal(mode)?, ObjectId::from_hex(id).ok()?);
    Some(Some(GitTreeEntry { path: path.to_vec(), mode, id }))
}
