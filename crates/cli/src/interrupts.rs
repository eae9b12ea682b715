//! What Ctrl-C does.

use crate::exit::Exit;
use crate::keys::stop_reading;
use howcome_run::Problem;
use std::sync::{Mutex, OnceLock, PoisonError};

/// What is done about the first Ctrl-C, and how many there were.
#[derive(Default)]
struct Interrupts {
    run: Option<Box<dyn Fn() + Send>>,
    /// What runs beside tests.
    helpers: Vec<Box<dyn Fn() + Send>>,
    times: u32,
}

static INTERRUPTS: OnceLock<Mutex<Interrupts>> = OnceLock::new();

/// Ctrl-C asks the run to stop; a second one does not wait for it. The wardens clean up in any case.
pub(crate) fn interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Problem> {
    on_interrupt(|interrupts| {
        interrupts.run = Some(Box::new(interrupt));
        interrupts.times = 0;
    })
}

/// Ctrl-C stops this, too, whatever becomes of the run.
pub(crate) fn also_interrupt_by(interrupt: impl Fn() + Send + 'static) -> Result<(), Problem> {
    on_interrupt(|interrupts| interrupts.helpers.push(Box::new(interrupt)))
}

fn on_interrupt(change: impl FnOnce(&mut Interrupts)) -> Result<(), Problem> {
    let is_new = INTERRUPTS.get().is_none();
    let interrupts = INTERRUPTS.get_or_init(Mutex::default);
    change(&mut interrupts.lock().unwrap_or_else(PoisonError::into_inner));
    if !is_new {
        return Ok(());
    }
    let handler = || {
        let interrupts = INTERRUPTS.get_or_init(Mutex::default);
        let mut interrupts = interrupts.lock().unwrap_or_else(PoisonError::into_inner);
        interrupts.times += 1;
        match interrupts.times {
            1 => interrupts.run.iter().chain(&interrupts.helpers).for_each(|interrupt| interrupt()),
            _ => {
                stop_reading();
                std::process::exit(Exit::Stopped as i32)
            }
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Problem::new(format!("cannot handle signals: {error}")))
}
