//! How long the reading of outputs takes. It is measured, not asserted:
//! `cargo test --release -p howcome-lab --test runners speed -- --ignored --nocapture`

use crate::recordings::recordings;
use howcome_lab::{Baseline, Captured, Execution, JudgingTerms, Oracle, TestEnding};
use std::time::{Duration, Instant};

const TIMES: u32 = 100;

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout, reason = "it shows what it measured")]
fn how_long_a_judgement_takes() {
    for program_varies in [false, true] {
        let mut all: Vec<(Duration, String)> = Vec::new();
        for recording in recordings() {
            let text = |lines: &[String]| Captured::whole(lines.join("\n"));
            let execution = Execution {
                stdout: text(&recording.printed.stdout),
                stderr: text(&recording.printed.stderr),
                ..Execution::new(TestEnding::Exit(1))
            };
            let terms =
                JudgingTerms { program_varies, quoted: true, last_line: true, ..JudgingTerms::default() };
            let Ok(baseline) = Baseline::of(&terms, &execution, None) else { continue };
            let began = Instant::now();
            (0..TIMES).for_each(|_| drop(std::hint::black_box(baseline.judge.judge(&execution))));
            all.push((began.elapsed() / TIMES, recording.name));
        }
        all.sort();
        let sum: Duration = all.iter().map(|(took, _)| *took).sum();
        println!(
            "program varies: {program_varies}: {} outputs, mean {:?}, median {:?}, longest {:?}",
            all.len(),
            sum / all.len() as u32,
            all[all.len() / 2],
            &all[all.len().saturating_sub(3)..]
        );
    }
}
