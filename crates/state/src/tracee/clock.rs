//! The time and the process number are the same in all runs, so that two runs differ only by what the user gave them.
//!
//! A program sees a clock that starts at the same moment in all runs and goes on by a little with each call. If the program
//! sleeps, the clock goes on by that time, and the program continues at once.

use super::process::{RawRegisters, TracedProcess};
use crate::{Address, ReadMemory};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// The process number that a program sees.
pub(super) const PID: i32 = 4242;
/// The number of its parent.
const PARENT: i64 = 1;
/// By how much the clock goes on with each call.
const TICK: Duration = Duration::from_micros(100);
/// By how much the counter of the processor goes on each time that it is read.
const COUNTED: u64 = 1 << 18;
/// How long the machine has been running, to a program.
const UPTIME: Duration = Duration::from_secs(100_000);
/// The length of what `getrusage` and `times` fill in.
const USAGE: usize = 144;
const TIMES: usize = 32;

/// The clock of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FixedClock {
    passed: Duration,
    /// The counter of the processor.
    counter: u64,
}

impl FixedClock {
    /// What the counter of the processor shows. It goes on each time that it is read.
    pub(super) fn counter(&mut self) -> u64 {
        self.counter += COUNTED;
        self.counter
    }

    /// Answers a call that has to do with time or with process numbers; `None` if the call is not one of them, or must be made.
    pub(super) fn answer(&mut self, process: &TracedProcess, call: &RawRegisters) -> Option<i64> {
        let pair = |time: Duration, part: u64| [time.as_secs().to_le_bytes(), part.to_le_bytes()].concat();
        let timespec = |time: Duration| pair(time, time.subsec_nanos().into());
        let timeval = |time: Duration| pair(time, time.subsec_micros().into());
        let fill = |at: u64, bytes: &[u8]| match process.write(Address(at), bytes) {
            _ if at == 0 => 0,
            Ok(()) => 0,
            Err(_) => -i64::from(libc::EFAULT),
        };
        Some(match call.orig_rax as i64 {
            // The C library keeps what `set_tid_address` returns, and musl sends signals to that number.
            libc::SYS_getpid | libc::SYS_gettid | libc::SYS_getpgrp | libc::SYS_set_tid_address => PID.into(),
            libc::SYS_getppid => PARENT,
            libc::SYS_clock_gettime => {
                let time = match call.rdi as i32 {
                    libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => self.date(),
                    libc::CLOCK_MONOTONIC
                    | libc::CLOCK_MONOTONIC_RAW
                    | libc::CLOCK_MONOTONIC_COARSE
                    | libc::CLOCK_BOOTTIME => UPTIME + self.tick(),
                    libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => self.tick(),
                    _ => return None,
                };
                fill(call.rsi, &timespec(time))
            }
            libc::SYS_gettimeofday => {
                let date = self.date();
                fill(call.rdi, &timeval(date));
                fill(call.rsi, &[0; 8])
            }
            libc::SYS_time => {
                let seconds = self.date().as_secs();
                match fill(call.rdi, &seconds.to_le_bytes()) {
                    0 => seconds as i64,
                    error => error,
                }
            }
            libc::SYS_times => {
                fill(call.rdi, &[0; TIMES]);
                // In hundredths of a second.
                ((UPTIME + self.tick()).as_millis() / 10) as i64
            }
            libc::SYS_getrusage => fill(call.rsi, &[0; USAGE]),
            libc::SYS_sysinfo => fill(call.rdi, &machine_state()),
            libc::SYS_nanosleep => self.sleep(read_timespec(process, call.rdi)?),
            libc::SYS_clock_nanosleep => {
                let wanted = read_timespec(process, call.rdx)?;
                let is_absolute = call.rsi as i32 & libc::TIMER_ABSTIME != 0;
                let now = match call.rdi as i32 {
                    libc::CLOCK_REALTIME => start() + self.passed,
                    _ => UPTIME + self.passed,
                };
                self.sleep(if is_absolute { wanted.saturating_sub(now) } else { wanted })
            }
            // What these wait for is there already, or never comes: there is nobody else.
            libc::SYS_poll => {
                self.pass(u64::try_from(call.rdx as i32).map(Duration::from_millis).ok()?);
                return None;
            }
            libc::SYS_ppoll => {
                self.pass(read_timespec(process, call.rdx)?);
                return None;
            }
            libc::SYS_pselect6 => {
                self.pass(read_timespec(process, call.r8)?);
                return None;
            }
            libc::SYS_select => {
                let seconds = process.word(Address(call.r8))?;
                let micros = process.word(Address(call.r8) + 8)?;
                self.pass(Duration::from_secs(seconds).saturating_add(Duration::from_micros(micros)));
                return None;
            }
            _ => return None,
        })
    }

    fn tick(&mut self) -> Duration {
        self.pass(TICK);
        self.passed
    }

    fn date(&mut self) -> Duration {
        start() + self.tick()
    }

    fn pass(&mut self, time: Duration) {
        /// No program needs a later time, and it can be added to any other.
        const LATEST: Duration = Duration::from_secs(1 << 33);
        self.passed = self.passed.saturating_add(time).min(LATEST);
    }

    fn sleep(&mut self, time: Duration) -> i64 {
        self.pass(time);
        0
    }
}

/// What `sysinfo` fills in: a machine with 16 GB, half of them free, that runs one process and does nothing.
fn machine_state() -> Vec<u8> {
    const LOADS: [u64; 3] = [0; 3];
    const MEMORY: [u64; 2] = [16 << 30, 8 << 30];
    const SHARED_BUFFERED_SWAPPED: [u64; 4] = [0; 4];
    const PROCESSES: u64 = 1;
    const HIGH_MEMORY: [u64; 2] = [0; 2];
    const UNIT: u64 = 1;
    let uptime = [UPTIME.as_secs()];
    [&uptime[..], &LOADS, &MEMORY, &SHARED_BUFFERED_SWAPPED, &[PROCESSES], &HIGH_MEMORY, &[UNIT]]
        .concat()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

/// When all runs start, to a program: when the first of them really did.
fn start() -> Duration {
    static START: OnceLock<Duration> = OnceLock::new();
    *START.get_or_init(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Duration::from_secs(now.as_secs())
    })
}

fn read_timespec(process: &TracedProcess, at: u64) -> Option<Duration> {
    let seconds = process.word(Address(at))?;
    let nanos = process.word(Address(at) + 8)?;
    Some(Duration::from_secs(seconds).saturating_add(Duration::from_nanos(nanos)))
}
