//! The answer, formatted by a program of the user.

use super::request::InputRequest;
use crate::{Candidates, Delta, Document, InputTest, PieceId, PieceKind};
use howcome_dd::{Configuration, DeltaId};
use howcome_lab::inquiry::{Session, split_words};
use howcome_lab::{Command, Execution, Lab, Prepare, TestEnding, WorkFolder};
use howcome_run::{Because, Content, Problem, Subject};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// Splits the command of a formatter into words.
///
/// # Errors
/// If it is empty, a quote is not closed, or it needs a shell.
pub fn split_formatter(command: &str) -> Result<Vec<String>, Problem> {
    split_words(command, "--formatter")
}

/// The document as the formatter of the request prints it; `None` if there is no formatter, or it cannot read the document.
pub(crate) fn format_document(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &InputRequest,
    document: &Document,
) -> Result<Option<Document>, Problem> {
    let Some(command) = &request.formatter else { return Ok(None) };
    let mut words = split_formatter(command)?;
    // A path starts in the folder in which the user asked.
    if words[0].contains('/') {
        words[0] = request.test.directory.join(&words[0]).to_string_lossy().into_owned();
    }
    let mut formatted = document.clone();
    for (number, piece) in document.pieces().iter().enumerate() {
        let PieceKind::Part(part) = &piece.kind else { continue };
        let text = TextToFormat {
            words: words.clone(),
            bytes: part.bytes().to_vec(),
            name: piece.name.clone().into(),
        };
        let subject: Arc<dyn Prepare> = Arc::new(text);
        let printed = match lab.look(&subject, &Configuration::empty()) {
            Ok(Execution { ending: TestEnding::Exit(0), stdout, .. }) if stdout.skipped() == 0 => {
                stdout.pieces().flatten().copied().collect::<Vec<u8>>()
            }
            _ => Vec::new(),
        };
        if printed.is_empty() {
            session
                .warn(&format!("`{command}` could not format the answer, so the answer is not formatted"))?;
            return Ok(None);
        }
        let whole = Delta::replace(PieceId(number as u32), 0..part.bytes().len(), printed);
        let candidates = Candidates::new(formatted, &[whole], Arc::new(InputTest::default()));
        formatted = candidates.document(&Configuration::empty());
    }
    Ok((formatted.files() != document.files()).then_some(formatted))
}

/// A text for a formatter, which reads it from standard input and prints it.
struct TextToFormat {
    words: Vec<String>,
    bytes: Vec<u8>,
    name: PathBuf,
}

impl Subject for TextToFormat {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, _: DeltaId) -> String {
        "a text to be formatted".to_owned()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for TextToFormat {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let path = folder.path().join(&self.name);
        fs::write(&path, &self.bytes)
            .map_err(|error| Because::Broken(format!("{}: {error}", path.display())))?;
        Ok(Command::new(&self.words[0], folder.path()).arguments(&self.words[1..]).standard_input(path))
    }
}
