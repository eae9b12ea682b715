//! A mark on an answer: a howcome has written it, and nobody has changed it since. Its run can be anywhere, or gone.

use rustix::fs::{XattrFlags, getxattr, setxattr};
use std::fs;
use std::path::Path;

/// The extended attribute that holds the mark. A copy of the file does not have it.
const ATTRIBUTE: &str = "user.howcome.answer";

/// Marks a file that was written. Where the file system has no extended attributes, it stays unmarked.
pub(crate) fn mark(path: &Path) {
    if let Some(mark) = mark_for(path) {
        let _ = setxattr(path, ATTRIBUTE, mark.as_bytes(), XattrFlags::empty());
    }
}

/// Whether the file is an answer for this path, just as it was written.
pub(crate) fn is_marked(path: &Path) -> bool {
    let mut found = [0; blake3::OUT_LEN * 2];
    let length = getxattr(path, ATTRIBUTE, &mut found[..]).unwrap_or(0);
    mark_for(path).is_some_and(|mark| length == mark.len() && mark.as_bytes() == found)
}

/// Depends on the path, so that an answer that the user has given another name is the user's.
fn mark_for(path: &Path) -> Option<String> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let content = fs::read(path).ok().filter(|_| is_file)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(path.canonicalize().ok()?.as_os_str().as_encoded_bytes());
    hasher.update(&[0]);
    hasher.update(&content);
    Some(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_copied_or_renamed_answer_is_not_marked() {
        let folder = tempfile::tempdir().unwrap();
        let [answer, copy, renamed] = ["a.min", "copy", "renamed"].map(|name| folder.path().join(name));
        fs::write(&answer, "x").unwrap();
        assert!(!is_marked(&answer));
        mark(&answer);
        if !is_marked(&answer) {
            return howcome_testing::skip("marks of answers: no extended attributes here");
        }
        fs::copy(&answer, &copy).unwrap();
        assert!(!is_marked(&copy));
        fs::rename(&answer, &renamed).unwrap();
        assert!(!is_marked(&renamed));
        fs::rename(&renamed, &answer).unwrap();
        assert!(is_marked(&answer));
        fs::write(&answer, "y").unwrap();
        assert!(!is_marked(&answer));
    }
}
