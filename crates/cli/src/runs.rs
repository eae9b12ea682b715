//! `howcome runs`: which runs there are.

use crate::exit::Exit;
use crate::show::read_entries;
use crate::streams::{answer, print_json, talk};
use crate::terminal::form_of_answer;
use clap::Args;
use howcome_report::{Account, Paint, SCHEMA, Summary};
use howcome_run::words::{cut, moment, pad, width};
use howcome_run::{Ending, Problem, QuestionName, RunDir, is_locked, read_run_file};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the runs below a folder
#[derive(Args, Debug)]
pub(crate) struct RunsArgs {
    /// The folder that holds them
    #[arg(default_value = RunDir::RUNS)]
    folder: PathBuf,
    /// Print the list as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: RunsArgs) -> Result<Exit, Problem> {
    let runs = RunDir::all_in(&args.folder);
    if !args.folder.is_dir() && args.folder != Path::new(RunDir::RUNS) {
        return Err(Problem::new(format!("{}: no such folder", args.folder.display())));
    }
    if runs.is_empty() && !args.json {
        talk!("no runs in {}", args.folder.display());
    }
    // One run that cannot be read is no reason not to list the others.
    let lines: Vec<RunLine> =
        runs.iter().map(|run| describe(run).unwrap_or_else(|problem| unreadable(run, &problem))).collect();
    if args.json {
        let howcome = env!("CARGO_PKG_VERSION");
        print_json(&serde_json::json!({"howcome": howcome, "schema": SCHEMA, "runs": lines}));
        return Ok(Exit::Found);
    }
    let columns = lines.iter().map(|line| width(&line.run)).max().unwrap_or(0);
    let form = form_of_answer();
    for line in lines {
        let begun = line.started.map(moment).unwrap_or_default();
        let before = format!("{}  {begun}  ", pad(&line.run, columns));
        // In a terminal each run has one line.
        let room = form.columns.saturating_sub(width(&before)).max(40);
        let state = if form.wraps { cut(&line.state, room) } else { line.state.clone() };
        answer!("{before}{}\n", line.painted(form.paint, &state));
    }
    Ok(Exit::Found)
}

/// What is known about a run.
#[derive(Serialize)]
struct RunLine {
    run: String,
    question: Option<QuestionName>,
    /// Seconds since 1970.
    started: Option<u64>,
    ending: Option<Ending>,
    is_running: bool,
    /// The answer in one sentence, or why there is none.
    #[serde(rename = "answer")]
    state: String,
}

impl RunLine {
    fn painted(&self, paint: Paint, state: &str) -> String {
        match (self.is_running, self.ending) {
            (true, _) => paint.cyan(state),
            (false, Some(Ending::Found | Ending::NeverWorked)) => state.to_owned(),
            (false, _) => paint.yellow(state),
        }
    }
}

fn unreadable(run: &Path, problem: &Problem) -> RunLine {
    RunLine {
        run: run.display().to_string(),
        question: None,
        started: None,
        ending: None,
        is_running: false,
        state: problem.to_string(),
    }
}

fn describe(run: &Path) -> Result<RunLine, Problem> {
    let file = read_run_file(run)?;
    let summary = Summary::of(&file, run, &read_entries(run)?);
    let is_running = summary.ending.is_none() && is_locked(run);
    let state = if is_running { "running".to_owned() } else { Account::of(&summary).headline };
    Ok(RunLine {
        run: run.display().to_string(),
        question: Some(file.question),
        started: Some(file.started),
        ending: summary.ending,
        is_running,
        state,
    })
}
