//! One tool on one case, on a copy, until it ends or the cap is reached.

use super::case::InputCase;
use super::figures::ToolFigures;
use super::tool::{ReductionTool, ToolTask};
use super::wrapper::{TestWrapper, now};
use anyhow::Context;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The settings of a trial.
pub(crate) struct TrialTerms {
    pub(crate) cap: Duration,
    pub(crate) jobs: usize,
    /// The folder with the installed peers.
    pub(crate) peers: Option<PathBuf>,
    /// The folder for the results.
    pub(crate) keep: PathBuf,
}

/// The result of a tool.
pub(crate) struct ToolTrial {
    pub(crate) tool: ReductionTool,
    /// The size of its answer, or of its best candidate if it was stopped.
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
    pub(crate) was_stopped: bool,
    pub(crate) figures: ToolFigures,
}

/// Runs a tool on a case; `None` if the tool is not installed.
pub(crate) fn run(
    tool: ReductionTool,
    case: &InputCase,
    terms: &TrialTerms,
) -> anyhow::Result<Option<ToolTrial>> {
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("work");
    fs::create_dir(&place)?;
    let name = case.input.file_name().and_then(|name| name.to_str()).context("a name in UTF-8")?;
    let copy = place.join(name);
    fs::write(&copy, fs::read(&case.input)?)?;
    let wrapper = TestWrapper { gives: tool.gives(), name, test: &case.test, folder: folder.path() };
    let test = wrapper.write()?;
    let task = ToolTask { name, folder: &place, test: &test, jobs: terms.jobs };
    let Some(start) = tool.start(&task, terms.peers.as_deref())? else { return Ok(None) };
    fs::create_dir_all(&terms.keep)?;
    let kept = terms.keep.join(format!("{}.{}", case.name, tool.name()));
    let said = File::create(kept.with_added_extension("log"))?;
    let (began, clock) = (now(), Instant::now());
    let mut child = Command::new(&start.words[0])
        .args(&start.words[1..])
        .current_dir(&place)
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(said)
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", tool.name()))?;
    let was_stopped = !ended_within(&mut child, terms.cap)?;
    let seconds = clock.elapsed().as_secs_f64().min(terms.cap.as_secs_f64());
    if was_stopped {
        stop(&mut child)?;
    }
    let figures = ToolFigures::of(
        &fs::read_to_string(wrapper.log()).unwrap_or_default(),
        began,
        terms.cap.as_secs_f64(),
    );
    if figures.tests == 0 {
        eprintln!("{} ran no test: see {}", tool.name(), kept.with_added_extension("log").display());
        return Ok(None);
    }
    let answer = answer(&start.answer, &wrapper.best(), &copy, was_stopped)?;
    fs::write(&kept, &answer)?;
    let _ = fs::copy(wrapper.log(), kept.with_added_extension("tests"));
    // Candidates that were found while the tool was being stopped came too late.
    let bytes = match figures.steps.last() {
        _ if !was_stopped => answer.len() as u64,
        Some(step) => step.bytes,
        None => case.bytes,
    };
    Ok(Some(ToolTrial { tool, bytes, seconds, was_stopped, figures }))
}

/// The answer of the tool, or its best candidate.
fn answer(answer: &Path, best: &Path, copy: &Path, was_stopped: bool) -> anyhow::Result<Vec<u8>> {
    let order = if was_stopped { [best, answer, copy] } else { [answer, best, copy] };
    let found = order.into_iter().find(|path| path.is_file()).context("the copy of the input is gone")?;
    Ok(fs::read(found)?)
}

fn ended_within(child: &mut Child, limit: Duration) -> anyhow::Result<bool> {
    let began = Instant::now();
    while began.elapsed() < limit {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(false)
}

/// Ends a tool and all its processes: first as a user would, then with SIGKILL.
fn stop(child: &mut Child) -> anyhow::Result<()> {
    let group = Pid::from_raw(child.id().cast_signed());
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let _ = killpg(group, signal);
        if ended_within(child, Duration::from_secs(3))? {
            break;
        }
    }
    let _ = killpg(group, Signal::SIGKILL);
    child.wait()?;
    Ok(())
}
