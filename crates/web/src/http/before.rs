//! "How did this come to be?" at each step of a chain: a button, or the answer.

use super::api_types::StepOrigin;
use crate::job::folder::{FILES, JobFolder};
use crate::job::guarded_file::read_guarded;
use crate::pages::{BeforePart, BeforeView, FoundBefore};
use crate::refusal::WebRefusal;
use crate::service::Service;
use crate::store::JobRow;
use askama::Template;
use howcome_run::words::printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const LONGEST_ANSWER: u64 = 1 << 20;
const LONGEST_SOURCE: u64 = 4 << 20;
const MOST_LINES: u64 = 14;

/// The questions about a chain that were asked.
pub(crate) struct AnswersBefore {
    address: String,
    is_owner: bool,
    folder: JobFolder,
    /// By step: the job that asks, and its folder.
    asked: HashMap<usize, (JobRow, JobFolder)>,
}

pub(crate) async fn answers_before(
    service: &Service,
    job: &JobRow,
    address: &str,
    is_owner: bool,
) -> Result<AnswersBefore, WebRefusal> {
    let asked = service.store.asked_further(&job.id).await?;
    let by_step = asked.into_iter().filter_map(|further| {
        let folder = service.folder(&further.id);
        Some((usize::try_from(further.step?).ok()?, (further, folder)))
    });
    let folder = service.folder(&job.id);
    Ok(AnswersBefore { address: address.to_owned(), is_owner, folder, asked: by_step.collect() })
}

impl AnswersBefore {
    /// What stands at a step.
    pub(crate) fn at(&self, step: usize) -> String {
        let answer = match self.asked.get(&step) {
            None if self.is_owner => BeforeView::Button,
            None => BeforeView::Nothing,
            Some((job, _)) if !job.status.is_over() => BeforeView::Waiting,
            Some((job, folder)) => match self.read(folder) {
                Some(found) if job.ending.as_deref() == Some("found") => BeforeView::Found(found),
                _ => BeforeView::Problem(job.problem.clone().unwrap_or_default()),
            },
        };
        BeforePart { address: self.address.clone(), step, answer }.render().unwrap_or_default()
    }

    /// The same for a program; `None` if nobody has asked.
    pub(crate) fn for_program(&self, step: usize) -> Option<StepOrigin> {
        let (job, folder) = self.asked.get(&step)?;
        let origin = |state: &str, sentence: String| StepOrigin {
            state: state.to_owned(),
            sentence,
            lines: Vec::new(),
        };
        if !job.status.is_over() {
            return Some(origin("waiting", String::new()));
        }
        Some(match self.read(folder).filter(|_| job.ending.as_deref() == Some("found")) {
            Some(found) => StepOrigin { lines: found.lines, ..origin("found", found.sentence) },
            None => origin("failed", job.problem.clone().unwrap_or_default()),
        })
    }

    fn read(&self, folder: &JobFolder) -> Option<FoundBefore> {
        let (bytes, _) = read_guarded(folder.path(), Path::new("answer.json"), LONGEST_ANSWER).ok()?;
        let answer: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let names = |value: &serde_json::Value| {
            let texts = value.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
            texts.map(printable).collect::<Vec<_>>().join(", ")
        };
        let transition = &answer["transition"];
        if transition.is_null() {
            let variables = names(&answer["variables"]);
            let sentence = format!(
                "{variables} decides as far back as the two runs can be compared: no other variable was found to decide before."
            );
            return Some(FoundBefore { sentence, lines: Vec::new() });
        }
        let place = |number: usize| {
            let place = &transition["between"][number];
            Some((place["file"].as_str()?.to_owned(), place["line"].as_u64()?))
        };
        let ((first_file, first), (last_file, last)) = (place(0)?, place(1)?);
        let short = |file: &str| printable(file.rsplit('/').next().unwrap_or(file));
        let (from, to) = (names(&transition["from"]), names(&transition["to"]));
        let sentence = format!(
            "Before {}:{first}, {from} decides. At {}:{last}, it is {to}. The code in between hands the cause on.",
            short(&first_file),
            short(&last_file)
        );
        let last =
            if first_file == last_file && first <= last { last.min(first + MOST_LINES) } else { first };
        Some(FoundBefore { sentence, lines: self.source(&first_file, first, last).unwrap_or_default() })
    }

    /// Lines of a file of the job. The debug information says where the source was when it was compiled.
    fn source(&self, file: &str, first: u64, last: u64) -> Option<Vec<(u64, String)>> {
        let files = self.folder.work().join(FILES);
        let parts: Vec<&std::ffi::OsStr> = Path::new(file).iter().collect();
        let tails = (0..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
        let (bytes, _) = tails
            .filter(|tail| tail.is_relative())
            .find_map(|tail| read_guarded(&files, &tail, LONGEST_SOURCE).ok())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines = (1..).zip(text.lines()).filter(|(number, _)| (first..=last).contains(number));
        Some(lines.map(|(number, line)| (number, printable(&line.replace('\t', "    ")))).collect())
    }
}
