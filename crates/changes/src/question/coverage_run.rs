//! Which lines the failing run executes, if that can be measured.

use super::coverage_source::CoverageSource;
use crate::candidates::asked_compilers::{AskedCompilers, AskedFor};
use crate::candidates::space::Space;
use crate::candidates::tree_test::{Recipe, TreeTest};
use crate::coverage::{Coverage, parse_gcov_json, parse_lcov};
use howcome_dd::Configuration;
use howcome_lab::inquiry::Session;
use howcome_lab::{Lab, LookError, Prepare};
use howcome_run::{FileReplacement, Problem, ProblemKind};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file in the folder of the run that the report is kept in.
const COVERAGE: &str = "coverage";

/// The file in a workspace that the report is written to.
const REPORT: &str = ".howcome-coverage";

/// Builds the bad version with coverage, runs the test, and reads the report.
pub(super) fn measure_coverage(
    session: &mut Session,
    lab: &mut dyn Lab,
    source: CoverageSource<'_>,
    recipe: &Recipe,
    versions: &Arc<dyn Space>,
) -> Result<Option<Coverage>, Problem> {
    session.listener.now("measuring what the failing run executes");
    let mut recipe = measuring(recipe, source)?;
    if source == CoverageSource::Gcov {
        // Without what is asked for otherwise: of two search paths, that of the build counts.
        recipe.build_variables.retain(|(name, _)| name != "PATH");
    }
    let bad = versions.candidate(&Configuration::all(1)).ok();
    let bad = bad.as_ref().filter(|_| source == CoverageSource::Gcov).map(|bad| bad.base.tree());
    let _asked = bad.map(|bad| AskedCompilers::ask(AskedFor::Coverage, session.dir(), bad, &mut recipe));
    let recipe = Arc::new(recipe);
    let subject: Arc<dyn Prepare> = Arc::new(TreeTest::new(versions, &recipe));
    let seen = match lab.look(&subject, &Configuration::all(1)) {
        Ok(seen) => seen,
        Err(LookError::Interrupted) => {
            return Err(Problem::new("interrupted before the search began").of_kind(ProblemKind::Stopped));
        }
        Err(LookError::Because(because)) => {
            if source.is_asked_for() {
                session
                    .warn(&format!("the lines that the failing run executes are not known: it {because}"))?;
            }
            keep(session, b"");
            return Ok(None);
        }
    };
    let report = fs::read(seen.workspace.join(REPORT)).unwrap_or_default();
    keep(session, &report);
    let coverage = parse(&report);
    if coverage.files.is_empty() && source.is_asked_for() {
        session.warn(
            "the failing run reported no executed lines (a program that crashes reports none, and neither does one whose \
             build does not find its compiler in PATH), so --coverage saves no tests",
        )?;
    }
    Ok(Some(coverage))
}

/// Keeps the report, so that a resumed run asks the same questions.
fn keep(session: &Session, report: &[u8]) {
    if let Some(dir) = session.dir() {
        let _ = FileReplacement::at(&dir.join(COVERAGE)).write_bytes(report);
    }
}

/// The coverage that an earlier session has measured.
pub(super) fn recall_coverage(run: &Path) -> Option<Coverage> {
    let report = fs::read(run.join(COVERAGE)).ok()?;
    Some(parse(&report))
}

fn parse(report: &[u8]) -> Coverage {
    let (root, report) = match report.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&report[..end], &report[end + 1..]),
        None => (&b""[..], report),
    };
    let mut coverage = match report.trim_ascii_start().first() {
        Some(b'{') => parse_gcov_json(report),
        _ => parse_lcov(report),
    };
    let relative = |path: Vec<u8>| match path.strip_prefix(root).and_then(|rest| rest.strip_prefix(b"/")) {
        Some(rest) => rest.to_vec(),
        None => path,
    };
    coverage.files = coverage.files.into_iter().map(|(path, lines)| (relative(path), lines)).collect();
    coverage
}

/// The same build and test, followed by a report.
fn measuring(recipe: &Recipe, source: CoverageSource<'_>) -> Result<Recipe, Problem> {
    let (before, report) = source.commands()?;
    // The folder comes first, because reports name files by absolute paths.
    let script = format!("{before}\"$@\" >/dev/null 2>&1\n{{ pwd; {report}; }} >{REPORT}\nexit 0");
    let mut arguments: Vec<OsString> = vec!["-c".into(), script.into(), "sh".into()];
    arguments.push(recipe.program.clone().into_os_string());
    arguments.extend(recipe.arguments.iter().cloned());
    let mut recipe = Recipe { program: PathBuf::from("sh"), arguments, ..recipe.clone() };
    recipe.environment.extend(source.variable().map(|(name, value)| (name.into(), value.into())));
    Ok(recipe)
}
