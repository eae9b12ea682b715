//! The limit on the size of files (`ulimit -f`): a file that would be too large is an error, not the end of howcome.

use nix::libc::{SIGXFSZ, c_int};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// Lets writing fail with an error if a file would exceed the limit. Without this, a signal ends the process.
///
/// Tests still get the signal: they inherit ignored signals, but not handlers.
#[allow(unsafe_code)]
pub fn fail_at_file_limit() {
    extern "C" fn do_nothing(_: c_int) {}
    let handler = SigAction::new(SigHandler::Handler(do_nothing), SaFlags::SA_RESTART, SigSet::empty());
    if let Ok(signal) = Signal::try_from(SIGXFSZ) {
        // SAFETY: the handler does nothing, which is safe at any moment.
        let _ = unsafe { sigaction(signal, &handler) };
    }
}
