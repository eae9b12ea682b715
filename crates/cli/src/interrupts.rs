//! What Ctrl-C does.

use crate::exit::Exit;
use crate::keys::stop_reading;
use howcome_run::Problem;
use nix::sys::signal::{SigHandler, Signal, signal};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What is done about interrupts, and when they came.
#[derive(Default)]
struct Interrupts {
    run: Option<Box<dyn Fn() + Send>>,
    /// What runs beside tests.
    helpers: Vec<Box<dyn Fn() + Send>>,
    /// When the run was asked to stop.
    asked: Option<Instant>,
    /// There was nothing to stop yet.
    is_pending: bool,
}

/// `timeout` and some terminals send a signal to the process and then to its group, so it arrives twice. Only a signal that
/// comes later is from a user who does not want to wait.
const SAME_REQUEST: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq, Eq)]
enum Reaction {
    AskToStop,
    Nothing,
    Exit,
}

impl Interrupts {
    fn react(&mut self, now: Instant) -> Reaction {
        match self.asked {
            None => {
                self.asked = Some(now);
                self.is_pending = self.run.is_none();
                Reaction::AskToStop
            }
            Some(asked) if now.saturating_duration_since(asked) < SAME_REQUEST => Reaction::Nothing,
            Some(_) => Reaction::Exit,
        }
    }
}

static INTERRUPTS: OnceLock<Mutex<Interrupts>> = OnceLock::new();

fn interrupts() -> MutexGuard<'static, Interrupts> {
    INTERRUPTS.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// A Ctrl-C that comes from now on stops what [`interrupt_by`] is called with next. So nothing is left half made.
pub(crate) fn hold_interrupts() -> Result<(), Problem> {
    on_interrupt(|interrupts| interrupts.run = None)
}

/// Ctrl-C asks the run to stop; a later one does not wait for it. The wardens clean up in any case.
pub(crate) fn interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Problem> {
    on_interrupt(|interrupts| {
        if std::mem::take(&mut interrupts.is_pending) {
            interrupt();
        } else {
            interrupts.asked = None;
        }
        interrupts.run = Some(Box::new(interrupt));
    })
}

/// Ctrl-C stops this, too, whatever becomes of the run.
pub(crate) fn also_interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Problem> {
    on_interrupt(|interrupts| interrupts.helpers.push(Box::new(interrupt)))
}

fn on_interrupt(change: impl FnOnce(&mut Interrupts)) -> Result<(), Problem> {
    let is_new = INTERRUPTS.get().is_none();
    change(&mut interrupts());
    if !is_new {
        return Ok(());
    }
    let handler = || {
        let mut interrupts = interrupts();
        match interrupts.react(Instant::now()) {
            Reaction::AskToStop => {
                interrupts.run.iter().chain(&interrupts.helpers).for_each(|interrupt| interrupt());
            }
            Reaction::Nothing => {}
            Reaction::Exit => {
                stop_reading();
                std::process::exit(Exit::Stopped as i32)
            }
        }
    };
    let is_immune = ignores_hangup();
    ctrlc::set_handler(handler).map_err(|error| Problem::new(format!("cannot handle signals: {error}")))?;
    if is_immune {
        ignore_hangup();
    }
    Ok(())
}

/// Whether the end of the terminal must not stop this process, because it was started with `nohup`.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (Signal::SIGHUP as i32 - 1) & 1 == 1)
}

#[allow(unsafe_code)]
fn ignore_hangup() {
    // SAFETY: an ignored signal runs no code.
    let _ = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
}

/// Makes this process wait for its children as usual, even if it was started by a program that does not want to wait for its own.
#[allow(unsafe_code)]
pub(crate) fn expect_children() {
    // SAFETY: the default action runs no code of this process.
    let _ = unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_that_arrives_twice_is_one_request_and_a_later_one_does_not_wait() {
        let mut interrupts = Interrupts::default();
        let begun = Instant::now();
        let at = |milliseconds| begun + Duration::from_millis(milliseconds);
        assert_eq!(interrupts.react(at(0)), Reaction::AskToStop);
        assert_eq!(interrupts.react(at(0)), Reaction::Nothing);
        assert_eq!(interrupts.react(at(900)), Reaction::Nothing);
        assert_eq!(interrupts.react(at(1100)), Reaction::Exit);
    }
}
