//! Contents by their ids, from one `git cat-file` process that keeps running.

use super::command::GitFailed;
use super::{CommitRecord, ObjectId, Repository};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout};

/// This many requests fit into the smallest pipe, so that writing them never waits for their answers to be read.
const AHEAD: usize = 4096 / 65;

/// Requests are written together: git reads them at once, and is woken less often.
const AT_ONCE: usize = AHEAD / 2;

/// Reads objects one by one. A request is cheap, but starting the reader is not: keep it.
#[derive(Debug)]
pub struct Objects {
    repository: Repository,
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// Why a content is not available.
#[derive(Debug, thiserror::Error)]
pub enum NoObject {
    /// It is not in the repository.
    #[error("the object {0} is not in the repository")]
    Missing(ObjectId),
    /// It is something else.
    #[error("the object {id} is a {kind}, not a {wanted}")]
    OtherKind {
        /// Its name.
        id: ObjectId,
        /// What it is.
        kind: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// Git stopped answering.
    #[error("git stopped while it read the object {0}")]
    Stopped(ObjectId, #[source] io::Error),
}

impl NoObject {
    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            NoObject::Missing(_) => {
                "a partial clone gets what it lacks with git fetch --refetch --no-filter; otherwise see git fsck"
            }
            NoObject::OtherKind { .. } => return None,
            NoObject::Stopped(..) => "check with git fsck that the repository is sound",
        };
        Some(hint.to_owned())
    }
}

impl Repository {
    /// A reader of contents.
    ///
    /// # Errors
    /// If git cannot be started.
    pub fn objects(&self) -> Result<Objects, GitFailed> {
        let mut child = self.git.start("cat-file", ["--batch"])?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => {
                let answers = BufReader::with_capacity(1 << 16, answers);
                Ok(Objects { repository: self.clone(), child, questions, answers })
            }
            _ => Err(GitFailed::NotRun(io::ErrorKind::BrokenPipe.into())),
        }
    }
}

impl Objects {
    /// The repository whose objects it reads.
    pub(super) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The content of a file, or the target of a symlink.
    ///
    /// # Errors
    /// If there is no such blob.
    pub fn blob(&mut self, id: ObjectId) -> Result<Vec<u8>, NoObject> {
        self.read(id, "blob")
    }

    /// The contents of many files, each passed on as it arrives, in the order of the ids. Asking for several at a time avoids waiting
    /// for each.
    ///
    /// # Errors
    /// If git stops answering. Missing contents are passed on as errors.
    pub fn blobs(
        &mut self,
        ids: &[ObjectId],
        mut tell: impl FnMut(ObjectId, Result<Vec<u8>, NoObject>),
    ) -> Result<(), NoObject> {
        let mut to_ask = ids.chunks(AT_ONCE);
        self.ask(to_ask.next().unwrap_or_default())?;
        for (number, id) in ids.iter().enumerate() {
            if number % AT_ONCE == 0 {
                self.ask(to_ask.next().unwrap_or_default())?;
            }
            let answer = self.answer(*id, "blob");
            if let Err(stopped @ NoObject::Stopped(..)) = answer {
                return Err(stopped);
            }
            tell(*id, answer);
        }
        Ok(())
    }

    /// Who made a commit, when and why.
    ///
    /// # Errors
    /// If there is no such commit.
    pub fn commit(&mut self, id: ObjectId) -> Result<CommitRecord, NoObject> {
        self.read(id, "commit").map(|content| CommitRecord::parse(id, &content))
    }

    fn read(&mut self, id: ObjectId, wanted: &'static str) -> Result<Vec<u8>, NoObject> {
        self.ask(&[id])?;
        self.answer(id, wanted)
    }

    fn ask(&mut self, ids: &[ObjectId]) -> Result<(), NoObject> {
        let Some(first) = ids.first() else { return Ok(()) };
        // In one write: an unbuffered pipe would get it digit by digit.
        let questions: String = ids.iter().map(|id| format!("{id}\n")).collect();
        self.questions.write_all(questions.as_bytes()).map_err(|error| NoObject::Stopped(*first, error))
    }

    fn answer(&mut self, id: ObjectId, wanted: &'static str) -> Result<Vec<u8>, NoObject> {
        let answer = self.next_answer(id).map_err(|error| NoObject::Stopped(id, error))?;
        let (kind, content) = answer.ok_or(NoObject::Missing(id))?;
        if kind == wanted { Ok(content) } else { Err(NoObject::OtherKind { id, kind, wanted }) }
    }

    /// The kind and the content; none if the object is missing.
    fn next_answer(&mut self, id: ObjectId) -> io::Result<Option<(String, Vec<u8>)>> {
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let mut words = head.split_whitespace();
        if words.next().is_some_and(|answered| answered != id.to_string()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, head));
        }
        let (kind, size) = (words.next(), words.next().and_then(|size| size.parse::<usize>().ok()));
        let (kind, size) = match (kind, size) {
            (Some("missing"), None) => return Ok(None),
            (Some(kind), Some(size)) => (kind.to_owned(), size),
            (_, _) if head.is_empty() => return Err(io::ErrorKind::UnexpectedEof.into()),
            (_, _) => return Err(io::Error::new(io::ErrorKind::InvalidData, head)),
        };
        let mut content = Vec::new();
        content.try_reserve_exact(size + 1)?;
        if (&mut self.answers).take(size as u64 + 1).read_to_end(&mut content)? <= size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // A newline ends the answer.
        content.pop();
        Ok(Some((kind, content)))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It can be in the middle of an answer that nobody reads any more, so it would not end by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
