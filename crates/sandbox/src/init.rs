//! The first process of a namespace. Bubblewrap's own one is not waited for, so nobody would learn how much time the programs inside have
//! used. This one is waited for, and the kernel adds to it the time of all that it waits for.

use nix::errno::Errno;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::process::{Command, exit};

/// Runs a program as a child, waits for all processes that lose their parents, and ends as the program ends. With it, the kernel ends all
/// that is left.
pub(crate) fn run_as_init(mut words: impl Iterator<Item = OsString>) -> String {
    let Some(program) = words.next() else { return "the command is empty".to_owned() };
    let child = match Command::new(program).args(words).spawn() {
        Ok(child) => Pid::from_raw(child.id().cast_signed()),
        Err(error) => return format!("the sandbox cannot be entered: {error}"),
    };
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == child => exit(code),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == child => exit(128 + signal as i32),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return format!("the sandbox lost its program: {errno}"),
        }
    }
}
