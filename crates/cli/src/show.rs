//! `howcome show`: look at a run, while it goes on or afterwards.

use crate::exit::Exit;
use crate::question::TestOfRun;
use crate::questions::question;
use crate::streams::{answer, talk};
use crate::terminal::form_of_answer;
use clap::Args;
use howcome_report::{
    Summary, TrailStep, annotations, html, json, markdown, sarif, size_history, text_with_output, trail,
};
use howcome_run::words::printable_lines;
use howcome_run::{
    Entry, JournalError, Problem, QuestionName, RunFile, journal_path, read_journal, read_run_file,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Look at a run: its answer, its trail, any of its tests
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The folder of the run
    run: PathBuf,
    /// Print the finding as one JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// Print it as Markdown, for a bug tracker
    #[arg(long, group = "form")]
    markdown: bool,
    /// Print it as SARIF, for tools that show what analysers find
    #[arg(long, group = "form")]
    sarif: bool,
    /// Print it as annotations for GitHub's workflows
    #[arg(long, group = "form")]
    github: bool,
    /// Print the questions that were asked, in order
    #[arg(long, group = "form")]
    trail: bool,
    /// Print all steps that made the input smaller; --test N --into DIR restores any of them
    #[arg(long, group = "form")]
    history: bool,
    /// Write one self-contained page with the finding, the trail and its picture
    #[arg(long, value_name = "FILE", group = "form")]
    html: Option<PathBuf>,
    /// Of a cause-effect chain: find out how step STEP came about, by running the program again
    #[arg(long, value_name = "STEP", group = "form")]
    before: Option<usize>,
    /// Show test N of the trail: what was tested, and what it printed
    #[arg(long, value_name = "N", group = "form")]
    test: Option<u64>,
    /// With --test: write the candidate of that test to DIR, to try it by hand
    #[arg(long, value_name = "DIR", requires = "test")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: ShowArgs) -> Result<Exit, Problem> {
    let file = read_run_file(&args.run)?;
    let entries = read_entries(&args.run)?;
    let summary = Summary::of(&file, &args.run, &entries);
    if let Some(number) = args.test {
        show_test(&args.run, &file, &entries, &summary, number, args.into.as_deref())?;
    } else if let Some(path) = args.html {
        fs::write(&path, html(&summary)).map_err(|error| Problem::with_file(&path, &error))?;
        talk!("written to {}", path.display());
    } else if args.json {
        answer!("{}\n", json(&summary).map_err(|error| Problem::bug(error.to_string()))?);
    } else if args.markdown {
        answer!("{}", markdown(&summary));
    } else if args.sarif {
        answer!("{}\n", sarif(&summary));
    } else if args.github {
        answer!("{}", annotations(&summary));
    } else if args.history {
        if file.question != QuestionName::Input {
            return Err(Problem::new(format!("a run of `{}` has no history of sizes", file.question))
                .hint("--trail shows what was tested"));
        }
        answer!("{}", size_history(&summary));
    } else if let Some(step) = args.before {
        let before = question(file.question)?.before.ok_or_else(|| {
            Problem::new(format!("a run of `{}` has no chain of causes", file.question))
                .hint("--trail shows what was tested")
        })?;
        return before(&file, &summary, step);
    } else if args.trail {
        answer!("{}", trail(&summary, form_of_answer()));
    } else {
        answer!("{}", text_with_output(&summary, form_of_answer()));
    }
    Ok(Exit::Found)
}

/// A run that was killed before its first entry has no journal yet.
pub(crate) fn read_entries(run: &Path) -> Result<Vec<Entry>, Problem> {
    match read_journal(&journal_path(run)) {
        Ok(recorded) => Ok(recorded.entries),
        Err(JournalError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

fn show_test(
    run: &Path,
    file: &RunFile,
    entries: &[Entry],
    summary: &Summary,
    number: u64,
    into: Option<&Path>,
) -> Result<(), Problem> {
    let step = summary.trail.iter().find(|step| step.number == Some(number)).ok_or_else(|| {
        let last = summary.trail.iter().filter_map(|step| step.number).max().unwrap_or(0);
        Problem::new(format!("the trail has no test {number}")).hint(match last {
            0 => "no question was asked in this run".to_owned(),
            _ => format!("its tests are numbered from 1 to {last}; `howcome show RUN --trail` lists them"),
        })
    })?;
    let TrailStep { outcome, because, configuration, test, stage, .. } = step;
    let configuration = configuration.clone().unwrap_or_else(howcome_dd::Configuration::empty);
    let because = because.as_ref().map_or_else(|| "predicted".to_owned(), ToString::to_string);
    let outcome = form_of_answer().paint.outcome(*outcome, &outcome.to_string());
    answer!("test {number}: {outcome} ({because})\n");
    let question = question(file.question)?;
    let shown = TestOfRun { run, file, summary, stage: *stage, configuration: &configuration };
    let with = (question.describe)(&shown)?;
    answer!("with {with}");
    let log = entries.iter().find_map(|entry| match entry {
        Entry::Observed { test: id, observation, .. } if Some(id) == test.as_ref() => observation.log.clone(),
        _ => None,
    });
    match log.map(|log| run.join("log").join(log)) {
        Some(path) => match fs::read(&path) {
            Ok(printed) => {
                answer!("it printed:\n{}\n", printable_lines(&String::from_utf8_lossy(&printed)).join("\n"))
            }
            Err(error) => return Err(Problem::with_file(&path, &error)),
        },
        // What altered runs print is compared and thrown away.
        None if file.question == QuestionName::State => {}
        None => answer!("it printed nothing\n"),
    }
    if let Some(into) = into {
        let by_hand = (question.rebuild)(&shown, into)?;
        answer!("try it by hand:\n  {by_hand}\n");
    }
    Ok(())
}
