//! `--remote` with a real cluster whose workers are killed at random: every finding is that of a run on this machine.

#![allow(clippy::unwrap_used)]

#[path = "../../remote/tests/build_grid/mod.rs"]
mod build_grid;
mod howcome;
mod journals;

use build_grid::{BotStep, BuildGrid};
use howcome::{Place, finding_of};
use journals::trail;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::thread;

/// How often something happens to a worker: after one of so many of its steps.
const KILLS_AFTER: u64 = 6;

#[test]
fn workers_that_are_killed_at_random_change_no_answer() {
    let Some(grid) = BuildGrid::start() else { return };
    let place = Place::new();
    let here =
        place.json(&["items", "list.txt", "-q", "--json", "-j1", "--run-dir", "here", "--", "./test.sh"]);
    let mut kills = 0;
    for number in 0..howcome_testing::repeats(1, 20) {
        let mut bots = grid.bots(2);
        let waker = bots.waker();
        let run = format!("there-{number}");
        let (there, killed) = thread::scope(|scope| {
            let ask = scope.spawn(|| {
                // Each run has actions of its own, so that nothing comes from the cache.
                let variable = format!("RUN={number}");
                let words = ["items", "list.txt", "-q", "--json", "-j2", "--run-dir", &run, "--remote"];
                let flags = [&grid.url(), "--remote-env", &variable, "--", "./test.sh"];
                let there = place.json(&[&words[..], &flags].concat());
                let _ = waker.send(BotStep { bot: usize::MAX, generation: 0, step: None });
                there
            });
            let mut killed = 0;
            for moment in 0_u64.. {
                let step = bots.next();
                if step.bot == usize::MAX {
                    break;
                }
                assert!(
                    step.step.is_some() || !bots.is_current(&step),
                    "a worker has ended by itself:\n{}",
                    grid.said()
                );
                // The worker that has done something, or the other one, whatever it does just now.
                let chance = chance(number, moment);
                if bots.is_current(&step)
                    && step.step.as_deref() != Some("ready")
                    && chance.is_multiple_of(KILLS_AFTER)
                {
                    let victim = if chance & 64 == 0 { step.bot } else { 1 - step.bot };
                    bots.replace(victim, chance & 128 == 0);
                    killed += 1;
                }
            }
            (ask.join().unwrap(), killed)
        });
        assert_eq!(finding_of(&there), finding_of(&here), "run {number}, {killed} workers killed");
        assert_eq!(trail(&place, &run), trail(&place, "here"), "run {number}, {killed} workers killed");
        println!("run {number}: {killed} workers killed");
        kills += killed;
    }
    assert!(kills > 0, "no worker was killed");
}

fn chance(run: usize, moment: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (run, moment).hash(&mut hasher);
    hasher.finish()
}
