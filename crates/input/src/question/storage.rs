//! Documents on disk: the original, the best so far, the answer.

use super::answer_mark::mark;
use crate::{Document, DocumentFile};
use howcome_run::FileReplacement;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The folder of a run that holds the input as it was when the run began.
pub(crate) const ORIGINAL: &str = "original";
/// The same of the passing input.
pub(crate) const ORIGINAL_PASSING: &str = "original.pass";
/// The folder of a run that holds the best candidate so far.
pub(crate) const BEST: &str = "best";
/// The same of the passing side.
pub(crate) const BEST_PASSING: &str = "best.pass";

/// Writes all files of a document into a folder. At any moment the folder holds a whole document, the old one or the new one.
pub(crate) fn replace_folder(document: &Document, folder: &Path) -> io::Result<()> {
    // A single file is replaced in one step.
    if let [(name, DocumentFile::Bytes(bytes, mode))] = document.files().as_slice()
        && folder.join(name).is_file()
        && fs::read_dir(folder)?.count() == 1
    {
        // The best so far is replaced often, and the journal leads to it again.
        let file = FileReplacement::at(&folder.join(name)).without_flush();
        return file.with_mode(*mode | 0o600).write_bytes(bytes);
    }
    let new = folder_beside(folder)?;
    document.write(new.path()).map_err(|(_, error)| error)?;
    exchange(new.path(), folder)
}

/// Writes the answer to a path: of one file, the file; of one folder, the folder; of several things, a folder of them.
pub(crate) fn write_answer(document: &Document, path: &Path) -> io::Result<()> {
    let files = document.files();
    if let [(_, DocumentFile::Bytes(bytes, mode))] = files.as_slice() {
        FileReplacement::at_users_path(path).with_mode(*mode | 0o600).write_bytes(bytes)?;
        mark(&path.canonicalize()?);
        return Ok(());
    }
    let new = folder_beside(path)?;
    document.write(new.path()).map_err(|(_, error)| error)?;
    // A single folder gets the name of the answer.
    let tops: Vec<&PathBuf> =
        files.iter().map(|(path, _)| path).filter(|path| path.components().count() == 1).collect();
    match (tops.as_slice(), files.first()) {
        ([only], Some((_, DocumentFile::Folder))) => exchange(&new.path().join(only), path),
        _ => exchange(new.path(), path),
    }
}

/// The best so far of a run, on disk. Writing thousands of files takes longer than testing them. So if many better folders are
/// found in a short time, not all of them are written; the last one is, as the answer.
pub(crate) struct BestOnDisk {
    folder: Option<PathBuf>,
    bytes: u64,
    took: Duration,
    written: Instant,
}

/// Writing takes at most one tenth of the time.
const SHARE_OF_TIME: u32 = 10;

impl BestOnDisk {
    /// The folder, if there is one, and how many bytes the document in it has.
    pub(crate) fn new(folder: Option<PathBuf>, bytes: u64) -> Self {
        Self { folder, bytes, took: Duration::ZERO, written: Instant::now() }
    }

    pub(crate) fn keep(&mut self, document: &Document) {
        let Some(folder) = &self.folder else { return };
        let is_folder = !matches!(document.files().as_slice(), [(_, DocumentFile::Bytes(..))]);
        let is_too_soon = is_folder && self.written.elapsed() < self.took * SHARE_OF_TIME;
        if document.size() > self.bytes || is_too_soon {
            return;
        }
        let began = Instant::now();
        // The answer is written in any case, and the user is told if it cannot be.
        if replace_folder(document, folder).is_ok() {
            self.bytes = document.size();
        }
        (self.took, self.written) = (began.elapsed(), Instant::now());
    }
}

/// A new folder beside a path, for a moment.
fn folder_beside(path: &Path) -> io::Result<TempDir> {
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Like any other new folder, it can be read by those whom the user lets read new folders.
    let everyone = Permissions::from_mode(0o777);
    tempfile::Builder::new().prefix(".howcome-").permissions(everyone).tempdir_in(parent)
}

/// Puts the folder at `new` in the place of whatever is at `old`.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    if fs::symlink_metadata(old).is_err() {
        return fs::rename(new, old);
    }
    if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
        return remove(new);
    }
    // Some file systems cannot exchange two folders in one step.
    let aside = folder_beside(old)?;
    let kept = aside.path().join("old");
    fs::rename(old, &kept)?;
    fs::rename(new, old).inspect_err(|_| {
        if fs::rename(&kept, old).is_err() {
            let _ = aside.keep();
        }
    })
}

/// Removes a file or a folder, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentPart, Piece, PieceKind};
    use howcome_testing::folder::names_in;
    use std::sync::Arc;

    fn folder_of(names: &[&str]) -> Document {
        let file = |name: &&str| {
            let kind = PieceKind::Part(Arc::new(DocumentPart::of(name.as_ref(), name.as_bytes().to_vec())));
            Piece { name: name.into(), inside: 0, mode: 0o644, kind }
        };
        let inside = names.len() as u32;
        let folder = Piece { name: "folder".into(), inside, mode: 0o755, kind: PieceKind::Folder };
        Document::new(std::iter::once(folder).chain(names.iter().map(file)).collect())
    }

    #[test]
    fn a_folder_takes_the_place_of_another_and_leaves_nothing_beside_it() {
        let here = tempfile::tempdir().unwrap();
        let answer = here.path().join("answer");
        for names in [&["a", "b"][..], &["b"], &["c", "d", "e"]] {
            write_answer(&folder_of(names), &answer).unwrap();
            assert_eq!(names_in(&answer), names);
            assert_eq!(names_in(here.path()), ["answer"]);
        }
        // A file that is in the way is replaced, too.
        fs::remove_dir_all(&answer).unwrap();
        fs::write(&answer, "").unwrap();
        write_answer(&folder_of(&["a"]), &answer).unwrap();
        assert_eq!(
            (names_in(&answer), names_in(here.path())),
            (vec!["a".to_owned()], vec!["answer".to_owned()])
        );
    }

    #[test]
    fn a_new_folder_can_be_read_by_whom_the_user_lets_read_new_folders() {
        let here = tempfile::tempdir().unwrap();
        let usual = here.path().join("usual");
        fs::create_dir(&usual).unwrap();
        let best = here.path().join("best");
        replace_folder(&folder_of(&["a"]), &best).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&best), mode(&usual));
    }

    #[test]
    fn a_file_keeps_the_permission_to_be_executed() {
        let here = tempfile::tempdir().unwrap();
        let best = here.path().join("best");
        let script = |text: &str| {
            let kind = PieceKind::Part(Arc::new(DocumentPart::of("run.sh".as_ref(), text.into())));
            Document::new(vec![Piece { name: "run.sh".into(), inside: 0, mode: 0o755, kind }])
        };
        for text in ["exit 1", "exit 2"] {
            replace_folder(&script(text), &best).unwrap();
            let path = best.join("run.sh");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
        }
        assert_eq!(names_in(&best), ["run.sh"]);
    }
}
