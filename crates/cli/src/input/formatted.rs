//! The answer laid out by a formatter, if it still fails then.

use super::request::Request;
use crate::failure::Failure;
use crate::session::Session;
use crate::test_command::split_words;
use howcome_dd::{Configuration, DeltaId};
use howcome_input::{Candidates, Delta, Document, PieceId, What};
use howcome_lab::{Command, Ending, Prepare, Seen, WorkFolder};
use howcome_run::{Because, Content, Subject};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// The flag that names it.
pub(crate) const FLAG: &str = "--formatter";

/// The document as the formatter of the request lays it out; `None` where there is none, or it cannot.
pub(crate) fn document(
    session: &mut Session,
    request: &Request,
    document: &Document,
) -> Result<Option<Document>, Failure> {
    let Some(command) = &request.formatter else { return Ok(None) };
    let mut words = split_words(command, FLAG)?;
    // A path starts where the user stands.
    if words[0].contains('/') {
        words[0] = request.test.directory.join(&words[0]).to_string_lossy().into_owned();
    }
    let mut laid_out = document.clone();
    for (number, piece) in document.pieces().iter().enumerate() {
        let What::Part(part) = &piece.what else { continue };
        let text =
            Text { words: words.clone(), bytes: part.bytes().to_vec(), name: piece.name.clone().into() };
        let subject: Arc<dyn Prepare> = Arc::new(text);
        let printed = match session.local.look(&subject, &Configuration::empty()) {
            Ok(Seen { ending: Ending::Exit(0), stdout, .. }) if stdout.skipped() == 0 => {
                stdout.pieces().flatten().copied().collect::<Vec<u8>>()
            }
            _ => Vec::new(),
        };
        if printed.is_empty() {
            session.warn(&format!("`{command}` could not lay the answer out, so it is as it was found"))?;
            return Ok(None);
        }
        let whole = Delta::replace(PieceId(number as u32), 0..part.bytes().len(), printed);
        let candidates = Candidates::new(laid_out, &[whole], Arc::new(request.given()));
        laid_out = candidates.document(&Configuration::empty());
    }
    Ok((laid_out.files() != document.files()).then_some(laid_out))
}

/// A text on its way through a formatter, which reads it from standard input and prints it.
struct Text {
    words: Vec<String>,
    bytes: Vec<u8>,
    name: PathBuf,
}

impl Subject for Text {
    fn deltas(&self) -> u32 {
        0
    }

    fn describe(&self, _: DeltaId) -> String {
        "a text that is laid out".to_owned()
    }

    fn content(&self, _: &Configuration) -> Option<Content> {
        None
    }
}

impl Prepare for Text {
    fn prepare(&self, _: &Configuration, folder: &mut WorkFolder<'_>) -> Result<Command, Because> {
        let path = folder.path().join(&self.name);
        fs::write(&path, &self.bytes)
            .map_err(|error| Because::Broken(format!("{}: {error}", path.display())))?;
        Ok(Command::new(&self.words[0], folder.path()).arguments(&self.words[1..]).standard_input(path))
    }
}
