//! `howcome show`: look at a run, while it goes on or afterwards.

use crate::exit::Exit;
use crate::last_run::named_or_last;
use crate::question::TestOfRun;
use crate::questions::question;
use crate::streams::{answer, print_json, talk};
use crate::terminal::form_of_answer;
use clap::Args;
use howcome_dd::{Configuration, Outcome};
use howcome_report::{
    SCHEMA, Summary, TrailStep, annotations, html, json, markdown, sarif, size_history, size_history_json,
    text_with_output, trail, trail_json,
};
use howcome_run::words::printable_lines;
use howcome_run::{
    Entry, FileReplacement, JournalError, Problem, QuestionName, RunFile, check_inputs, journal_path,
    read_journal, read_run_file,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Look at a run: its answer, its trail, any of its tests
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The folder of the run (the last run in howcome.out or in the current folder)
    run: Option<PathBuf>,
    /// Print the finding as one JSON object; with --trail, --history, --test or --before, print that as JSON
    #[arg(long, conflicts_with_all = ["markdown", "sarif", "github", "html"])]
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
    let run = named_or_last(args.run)?;
    let file = read_run_file(&run)?;
    let entries = read_entries(&run)?;
    let summary = Summary::of(&file, &run, &entries);
    if let Some(number) = args.test {
        check_inputs(&run, &file)?;
        let shown = shown_test(&run, &file, &entries, &summary, number, args.into.as_deref())?;
        if args.json { print_json(&shown.json(&summary)) } else { shown.print() }
    } else if let Some(path) = args.html {
        FileReplacement::at_users_path(&path)
            .write_bytes(html(&summary).as_bytes())
            .map_err(|error| Problem::with_file(&path, &error))?;
        talk!("written to {}", path.display());
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
        match args.json {
            true => print_json(&size_history_json(&summary)),
            false => answer!("{}", size_history(&summary)),
        }
    } else if let Some(step) = args.before {
        let before = question(file.question)?.before.ok_or_else(|| {
            Problem::new(format!("a run of `{}` has no chain of causes", file.question))
                .hint("--trail shows what was tested")
        })?;
        return before(&file, &summary, step, args.json);
    } else if args.trail {
        match args.json {
            true => print_json(&trail_json(&summary)),
            false => answer!("{}", trail(&summary, form_of_answer())),
        }
    } else if args.json {
        answer!("{}\n", json(&summary).map_err(|error| Problem::bug(error.to_string()))?);
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

/// One test of a run, ready to be shown.
struct ShownTest {
    number: u64,
    outcome: Outcome,
    because: String,
    configuration: Configuration,
    /// What was tested, for people.
    with: String,
    /// What it printed, if that is recorded.
    printed: Option<String>,
    /// What altered runs of `state` print is compared and thrown away.
    is_printed_recorded: bool,
    /// How to try it by hand, if it was rebuilt.
    by_hand: Option<String>,
}

impl ShownTest {
    fn print(&self) {
        let outcome = form_of_answer().paint.outcome(self.outcome, &self.outcome.to_string());
        answer!("test {}: {outcome} ({})\n", self.number, self.because);
        answer!("with {}", self.with);
        match &self.printed {
            Some(printed) => answer!("it printed:\n{}\n", printable_lines(printed).join("\n")),
            None if self.is_printed_recorded => answer!("it printed nothing\n"),
            None => {}
        }
        if let Some(by_hand) = &self.by_hand {
            answer!("try it by hand:\n  {by_hand}\n");
        }
    }

    fn json(&self, summary: &Summary) -> serde_json::Value {
        serde_json::json!({
            "howcome": summary.howcome,
            "schema": SCHEMA,
            "run": summary.run,
            "test": self.number,
            "outcome": self.outcome,
            "because": self.because,
            "configuration": self.configuration.to_string(),
            "with": self.with,
            "printed": self.printed,
            "by_hand": self.by_hand,
        })
    }
}

fn shown_test(
    run: &Path,
    file: &RunFile,
    entries: &[Entry],
    summary: &Summary,
    number: u64,
    into: Option<&Path>,
) -> Result<ShownTest, Problem> {
    let step = summary.trail.iter().find(|step| step.number == Some(number)).ok_or_else(|| {
        let last = summary.trail.iter().filter_map(|step| step.number).max().unwrap_or(0);
        Problem::new(format!("the trail has no test {number}")).hint(match last {
            0 => "no question was asked in this run".to_owned(),
            _ => format!("its tests are numbered from 1 to {last}; `howcome show RUN --trail` lists them"),
        })
    })?;
    let TrailStep { outcome, because, configuration, test, stage, .. } = step;
    let configuration = configuration.clone().unwrap_or_else(Configuration::empty);
    let because = because.as_ref().map_or_else(|| "predicted".to_owned(), ToString::to_string);
    let question = question(file.question)?;
    let shown = TestOfRun { run, file, summary, stage: *stage, configuration: &configuration };
    let with = (question.describe)(&shown)?;
    let log = entries.iter().find_map(|entry| match entry {
        Entry::Observed { test: id, observation, .. } if Some(id) == test.as_ref() => observation.log.clone(),
        _ => None,
    });
    let printed = match log.map(|log| run.join("log").join(log)) {
        Some(path) => {
            let printed = fs::read(&path).map_err(|error| Problem::with_file(&path, &error))?;
            Some(String::from_utf8_lossy(&printed).into_owned())
        }
        None => None,
    };
    let by_hand = into.map(|into| (question.rebuild)(&shown, into)).transpose()?;
    let is_printed_recorded = file.question != QuestionName::State;
    let outcome = *outcome;
    Ok(ShownTest {
        number,
        outcome,
        because,
        configuration: configuration.clone(),
        with,
        printed,
        is_printed_recorded,
        by_hand,
    })
}
