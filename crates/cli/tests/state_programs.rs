//! The programs with seeded faults, as a user examines them: `howcome state` names the wrong variable and the lines of the
//! fault.

#![allow(clippy::unwrap_used)]

mod howcome;
#[path = "../../state/tests/programs/mod.rs"]
mod seeded;

use howcome::Place;
use regex::Regex;
use seeded::{Arguments, Built, Language, Seeded, ensure, for_each, programs, some_programs};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Stdio;

/// A transition is near a fault if it is within this number of lines.
const NEAR: u32 = 5;

/// A program that is built, and a folder in which to ask.
struct Asked<'a> {
    seeded: &'a Seeded,
    built: Built,
    here: Place,
}

impl<'a> Asked<'a> {
    /// `None`, recorded as skipped, if the compiler is not installed.
    fn of(seeded: &'a Seeded) -> Option<Self> {
        Some(Self { seeded, built: Built::of(seeded)?, here: Place::empty() })
    }

    fn named(name: &str) -> Option<(Seeded, Built)> {
        let seeded = programs().into_iter().find(|seeded| seeded.name == name).unwrap();
        Built::of(&seeded).map(|built| (seeded, built))
    }

    /// What the user types after `howcome`.
    fn words(&self, more: &[&str]) -> Vec<String> {
        let command = |run: &str, arguments: &Arguments| {
            let input = self.here.write(&format!("{run}.in"), arguments.input.as_bytes());
            let program = self.built.program.to_str().unwrap();
            let words = [program].into_iter().chain(arguments.words.iter().map(String::as_str));
            format!("{} < {}", shlex::try_join(words).unwrap(), input.display())
        };
        let (fail, pass) = (command("fail", &self.seeded.fail), command("pass", &self.seeded.pass));
        let words = ["state", "-q", "--json", "--fail", &fail, "--pass", &pass, "--at", &self.seeded.place];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    }

    fn json(&self, more: &[&str]) -> Value {
        let words = self.words(more);
        self.here.json(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The processes that run the program.
    fn alive(&self) -> Vec<PathBuf> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let is_alive = |process: &PathBuf| {
            fs::read_link(process.join("exe")).is_ok_and(|exe| exe.starts_with(self.built.folder()))
        };
        processes.map(|process| process.path()).filter(is_alive).collect()
    }
}

/// The last step names only the seeded variable, confirmed in both directions, and the last transition is near the fault.
fn check(seeded: &Seeded) -> Result<(), String> {
    let Some(asked) = Asked::of(seeded) else { return Ok(()) };
    let json = asked.json(&[]);
    ensure(asked.alive().is_empty(), || format!("left behind: {:?}", asked.alive()))?;
    let finding = &json["finding"];
    let last = finding["chain"].as_array().and_then(|chain| chain.last());
    let causes = last.and_then(|step| step["causes"].as_array()).ok_or_else(|| format!("{json:#}"))?;
    let expected = Regex::new(&seeded.variable).unwrap();
    let [cause] = causes.as_slice() else { return Err(format!("{causes:#?}")) };
    let name = cause["variable"].as_str().unwrap_or_default();
    ensure(expected.is_match(name), || format!("{name}, not {expected}"))?;
    ensure(cause["alone_fails"] == true, || format!("{name} does not fail alone"))?;
    ensure(cause["without_passes"] == true, || format!("{name} set back does not pass"))?;
    if seeded.no_transition.is_some() {
        return Ok(());
    }
    let transitions = finding["transitions"].as_array().ok_or("no transitions")?;
    let likely = transitions.iter().find(|transition| transition["likely"] == true);
    let between = likely.map(|transition| &transition["between"]).ok_or("no likely transition")?;
    let line = |moment: usize| between[moment]["line"].as_u64().unwrap_or_default() as u32;
    let is_here = |moment: usize| Some(&between[moment]["file"]) == Some(&Value::from(file_name(seeded)));
    let distance = seeded.distance([line(0), line(1)]);
    ensure(is_here(0) && is_here(1) && distance <= NEAR, || {
        format!("the fault is in line {}, {distance} lines from {between:#}", seeded.fault_line)
    })
}

fn file_name(seeded: &Seeded) -> String {
    seeded.path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Checks programs of a language.
fn check_programs(language: Language) {
    let programs: Vec<Seeded> =
        some_programs().into_iter().filter(|seeded| seeded.language == language).collect();
    for_each(&programs, check);
}

#[test]
fn the_faults_of_the_c_programs_are_found() {
    check_programs(Language::C);
}

#[test]
fn the_faults_of_the_cpp_programs_are_found() {
    check_programs(Language::Cpp);
}

#[test]
fn the_faults_of_the_rust_programs_are_found() {
    check_programs(Language::Rust);
}

#[test]
fn faults_of_all_kinds_are_claimed_and_few_are_left_out() {
    let programs = programs();
    let kinds =
        |programs: &[&Seeded]| programs.iter().map(|seeded| seeded.fault.clone()).collect::<BTreeSet<_>>();
    let claimed: Vec<&Seeded> = programs.iter().filter(|seeded| seeded.no_transition.is_none()).collect();
    assert_eq!(kinds(&claimed), kinds(&programs.iter().collect::<Vec<_>>()));
    assert!(claimed.len() >= 20 && claimed.len() + 2 >= programs.len(), "{}", claimed.len());
}

#[test]
fn the_finding_does_not_depend_on_how_many_tests_run_at_a_time() {
    for name in ["ledger", "outline", "colony"] {
        let Some((seeded, built)) = Asked::named(name) else { continue };
        let asked = Asked { seeded: &seeded, built, here: Place::empty() };
        let [one, four] = ["1", "4"].map(|jobs| asked.json(&["--jobs", jobs])["finding"].clone());
        assert!(one["chain"].is_array(), "{name}: {one:#}");
        assert_eq!(one, four, "{name}");
    }
}

#[test]
fn a_run_that_is_killed_and_resumed_comes_to_the_same_finding_and_leaves_nothing_alive() {
    for name in ["bst", "rle"] {
        let Some((seeded, built)) = Asked::named(name) else { continue };
        let asked = Asked { seeded: &seeded, built, here: Place::empty() };
        let fresh = asked.json(&["--transitions", "--run-dir", "fresh"]);
        let words = asked.words(&["--transitions", "--run-dir", "run"]);
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "-q").collect();
        let mut howcome =
            asked.here.howcome(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // It prints a line for each step.
        let told = BufReader::new(howcome.stderr.take().unwrap()).lines().take(2).count();
        assert_eq!(told, 2, "{name} says too little to be killed in the middle");
        howcome.kill().unwrap();
        assert_eq!(howcome.wait().unwrap().signal(), Some(9), "{name} was over before it was killed");
        // The kernel kills traced processes when the tracer is gone.
        let is_over = (0..10_000).any(|_| asked.alive().is_empty());
        assert!(is_over, "{name}: left behind: {:?}", asked.alive());
        let output = asked.here.howcome(&["resume", "run", "-q", "--json"]).output().unwrap();
        let resumed: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
        assert_eq!(resumed["finding"], fresh["finding"], "{name}");
        assert!(asked.alive().is_empty(), "{name}: left behind: {:?}", asked.alive());
    }
}
