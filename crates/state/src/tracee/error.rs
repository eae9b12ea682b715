//! What can go wrong with a traced process, and which programs cannot be traced.

use crate::Address;
use nix::errno::Errno;
use std::fmt;
use std::path::PathBuf;

/// Why a process could not be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The program could not be started.
    #[error("{} could not be started: {why}", program.display())]
    CouldNotStart {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        why: String,
    },
    /// The system does not allow tracing.
    #[error("this system does not allow programs to be traced: {0}")]
    Forbidden(String),
    /// The program does something that a copy of it cannot do unnoticed.
    #[error(transparent)]
    Refused(#[from] Unsupported),
    /// Nothing can be written at this address.
    #[error("nothing can be written at {0}")]
    NotWritable(Address),
    /// A function called inside the program did not return.
    #[error("{0} did not return when it was called inside the stopped program")]
    DidNotReturn(String),
    /// The process ended before it reached the place.
    #[error("the run ends before it reaches the place")]
    Ended,
    /// The user wants to stop.
    #[error("stopped by the user")]
    Cancelled,
    /// A bug, or a failing system call.
    #[error("tracing went wrong: {0}")]
    Broken(String),
}

impl TraceError {
    /// A failed system call.
    pub(super) fn system(call: &str, error: Errno) -> Self {
        match error {
            Errno::EPERM => Self::Forbidden(format!("{call}: {error}")),
            Errno::ESRCH | Errno::ECHILD => Self::Refused(Unsupported::Vanished),
            error => Self::Broken(format!("{call}: {error}")),
        }
    }
}

/// What a program does that cannot be traced: copies would share it, or it would be visible outside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It starts a thread.
    #[error("the program starts a thread")]
    Thread,
    /// It starts another process.
    #[error("the program starts another process")]
    Process,
    /// It executes another program.
    #[error("the program executes another program")]
    Exec,
    /// It uses the network.
    #[error("the program opens a socket")]
    Socket,
    /// It waits for a person at a terminal.
    #[error("the program asks for a terminal")]
    Terminal,
    /// It has something open that copies would share.
    #[error("the program has {0}, which copies of it would share")]
    Shared(Descriptor),
    /// It runs with the rights of another user.
    #[error("the program runs with the rights of another user (setuid or setgid)")]
    OtherUser,
    /// A file that it writes to is too large to be copied for each test.
    #[error("the program writes to {}, which is too large to be copied for each test", .0.display())]
    TooLarge(PathBuf),
    /// The process disappeared.
    #[error("the process disappeared")]
    Vanished,
}

/// An open descriptor that copies of a process would share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// A pipe.
    Pipe,
    /// A pair of sockets.
    SocketPair,
    /// eventfd, epoll, timerfd, signalfd, inotify.
    Events,
    /// A file that is mapped as shared memory.
    Memory,
    /// A descriptor of an unknown kind.
    Unknown,
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Descriptor::Pipe => "a pipe",
            Descriptor::SocketPair => "a pair of sockets",
            Descriptor::Events => "a descriptor for events",
            Descriptor::Memory => "a file mapped as shared memory",
            Descriptor::Unknown => "a descriptor of an unknown kind",
        })
    }
}
