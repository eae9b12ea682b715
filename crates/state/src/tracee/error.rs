//! What can go wrong with a traced process, and which programs can't be treated so.

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
        /// Which program.
        program: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The system does not let us trace.
    #[error("this system does not allow programs to be traced: {0}")]
    Forbidden(String),
    /// The program does what a copy of it could not do without being seen outside.
    #[error(transparent)]
    Refused(#[from] Unsupported),
    /// An address that nothing can be written to.
    #[error("nothing can be written at {0}")]
    NotWritable(Address),
    /// A function called inside the program did not return.
    #[error("{0} did not return when it was called inside the stopped program")]
    DidNotReturn(String),
    /// The process ended before it came to the place.
    #[error("the run ends before it comes there")]
    Ended,
    /// The user wants to stop.
    #[error("stopped by the user")]
    Cancelled,
    /// Something that should not happen.
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

/// What a program does that rules it out: copies of it would share it, or it would be seen outside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It starts a thread.
    #[error("the program starts a thread")]
    Thread,
    /// It starts another process.
    #[error("the program starts another process")]
    Process,
    /// It replaces itself.
    #[error("the program replaces itself by another one")]
    Exec,
    /// It speaks to the network.
    #[error("the program opens a socket")]
    Socket,
    /// It waits for a person.
    #[error("the program asks for a terminal")]
    Terminal,
    /// It holds something that copies of it would share.
    #[error("the program holds {0}, which copies of it would share")]
    Shared(Descriptor),
    /// It runs with the rights of somebody else.
    #[error("the program runs with the rights of another user (setuid or setgid)")]
    OtherUser,
    /// A file that it writes to is too large to be copied for each test.
    #[error("the program writes to {}, which is too large to be copied for each test", .0.display())]
    TooLarge(PathBuf),
    /// It has gone without a word.
    #[error("the process has vanished")]
    Vanished,
}

/// Something open that is shared by copies of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// Two ends.
    Pipe,
    /// Two sockets.
    SocketPair,
    /// eventfd, epoll, timerfd, signalfd, inotify.
    Events,
    /// Memory that is mapped as shared, of a file.
    Memory,
    /// Something of a kind that we do not know.
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
