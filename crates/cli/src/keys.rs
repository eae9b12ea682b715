//! Keys in the terminal while a run goes on: `q` stops it, as Ctrl-C does.

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::{getpgrp, read, tcgetpgrp};
use std::io::{IsTerminal, Stdin, stdin};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};

/// How the terminal was before a run. `None` while no run reads keys.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// How long the thread that reads keys sleeps at most before it looks whether it is still needed, in milliseconds.
const PATIENCE: u16 = 200;

/// Reads keys until [`stop_reading`] is called. Calls `stop` when the user presses `q`.
pub(crate) fn stop_by_key(stop: impl Fn() + Send + 'static) {
    let input = stdin();
    if !input.is_terminal() || !std::io::stderr().is_terminal() || !is_in_foreground(&input) {
        return;
    }
    let Ok(before) = tcgetattr(&input) else { return };
    // Keys come one by one, and are not shown. Ctrl-C and Ctrl-Z do what they always do.
    let mut while_running = before.clone();
    while_running.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO);
    if tcsetattr(&input, SetArg::TCSANOW, &while_running).is_err() {
        return;
    }
    lock().get_or_insert(before);
    std::thread::spawn(move || wait_for_key(&stop));
}

/// Whether `q` stops the run.
pub(crate) fn are_read() -> bool {
    lock().is_some()
}

/// Leaves the terminal as it was.
pub(crate) fn stop_reading() {
    if let Some(before) = lock().take() {
        let _ = tcsetattr(stdin(), SetArg::TCSANOW, &before);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<Termios>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process in the background that reads from its terminal, or changes it, would be stopped.
fn is_in_foreground(input: &Stdin) -> bool {
    tcgetpgrp(input).is_ok_and(|group| group == getpgrp())
}

fn wait_for_key(stop: &dyn Fn()) {
    let input = stdin();
    loop {
        let mut ready = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        let is_ready = poll(&mut ready, PollTimeout::from(PATIENCE));
        if lock().is_none() {
            return;
        }
        if !matches!(is_ready, Ok(1..)) || !is_in_foreground(&input) {
            continue;
        }
        let mut key = [0];
        match read(&input, &mut key) {
            Ok(1) if key == *b"q" => return stop(),
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
