//! Candidates in a copy of the user's folder, for tests that need its files.

use super::output::passing_output;
use super::request::InputRequest;
use crate::InputTest;
use howcome_lab::FolderCopy;
use howcome_lab::inquiry::TestFolder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a candidate is given to the test in a copy of the user's folder, in which it takes the place of the input.
pub(crate) fn test_in_copy(request: &InputRequest, copy: Arc<FolderCopy>) -> InputTest {
    let files: Vec<PathBuf> = request.files().iter().map(|path| located(path)).collect();
    InputTest::new(TestFolder::with_copy(&request.test, copy), &files, request.stdin)
}

/// The copy of the user's folder in which tests can run, but for the input, the answer and the record of the run. `None` if there
/// is nothing to copy or too much, or if the input contains that folder.
pub(crate) fn folder_copy(request: &InputRequest, run: Option<&Path>) -> Option<Arc<FolderCopy>> {
    let directory = request.test.directory.canonicalize().ok()?;
    let mut left_out: Vec<PathBuf> = request.files().iter().map(|path| located(path)).collect();
    if left_out.iter().any(|input| directory.starts_with(input)) {
        return None;
    }
    let answers = [request.output().to_owned(), passing_output(request.output())];
    left_out.extend(answers.iter().map(|path| located(path)));
    left_out.extend(run.and_then(|run| run.canonicalize().ok()));
    FolderCopy::plan(&directory, &left_out).map(Arc::new)
}

/// The path without links and `..` on the way to it. The last part can be a link that the test is to see.
fn located(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
