//! The messages between a worker and its warden: frames of a length and that many bytes.

use crate::{Command, Confinement};
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A request to a warden.
#[derive(Debug, PartialEq)]
pub(super) enum WardenRequest {
    /// The first request: how to confine tests, and the folder of the worker. The warden creates the folder, and removes it
    /// if howcome dies.
    Begin(Confinement, WorkerFolder),
    /// The first request to a process that runs no tests: the folders to remove if howcome dies, the first one with
    /// everything in it, the others if they are empty.
    Guard(Vec<PathBuf>),
    /// Run a command, each of its processes with at most this many bytes of memory.
    Run(Command, Option<u64>),
    /// End the running test, if there is one.
    Kill,
    /// Ask the running test to end. A launcher then also ends what it has started elsewhere.
    Terminate,
}

/// The folder of a worker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorkerFolder {
    pub(crate) path: PathBuf,
    /// The folder in which it is does not exist yet, and the warden creates that, too.
    pub(crate) is_first: bool,
}

/// A reply of a warden.
#[derive(Debug, PartialEq)]
pub(super) enum WardenReply {
    /// It can confine tests as requested.
    Ready,
    /// It cannot confine tests as requested, for this reason.
    Unable(String),
    /// It cannot create the folder of the worker: the error number of the operating system.
    NoFolder(i32),
    /// The test has ended and none of its processes is left.
    Ended {
        /// The status of `waitpid`.
        status: i32,
        /// The test was still running when the request to end it arrived.
        killed: bool,
        /// The processor time of the test.
        cpu: Duration,
        /// The peak memory of its largest process, in bytes.
        memory: u64,
    },
    /// The test could not be started: the error number of the operating system.
    NotStarted(i32),
}

impl WardenRequest {
    /// Encodes `Run` without copying the command.
    pub(super) fn run(command: &Command, memory: Option<u64>) -> Vec<u8> {
        let mut frame = Frame::new(1);
        frame.number(memory.map_or(0, |bytes| bytes.max(1)));
        frame.bytes(command.program.as_os_str());
        frame.bytes(command.directory.as_os_str());
        frame.number(command.arguments.len() as u64);
        command.arguments.iter().for_each(|argument| frame.bytes(argument));
        frame.number(command.environment.len() as u64);
        for (name, value) in &command.environment {
            frame.bytes(name);
            frame.bytes(value);
        }
        frame.bytes(command.standard_input.as_deref().unwrap_or(Path::new("")).as_os_str());
        frame.finish()
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        match self {
            WardenRequest::Begin(confinement, folder) => {
                let mut frame = Frame::new(0);
                frame.number(u64::from(*confinement == Confinement::Namespace));
                frame.number(u64::from(folder.is_first));
                frame.bytes(folder.path.as_os_str());
                frame.finish()
            }
            WardenRequest::Run(command, memory) => WardenRequest::run(command, *memory),
            WardenRequest::Kill => Frame::new(2).finish(),
            WardenRequest::Terminate => Frame::new(4).finish(),
            WardenRequest::Guard(folders) => {
                let mut frame = Frame::new(3);
                frame.number(folders.len() as u64);
                folders.iter().for_each(|folder| frame.bytes(folder.as_os_str()));
                frame.finish()
            }
        }
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (tag, mut fields) = FrameFields::of(bytes)?;
        Some(match tag {
            0 => {
                let namespace = fields.number()? == 1;
                let confinement = if namespace { Confinement::Namespace } else { Confinement::Subreaper };
                let is_first = fields.number()? == 1;
                WardenRequest::Begin(confinement, WorkerFolder { path: fields.bytes()?.into(), is_first })
            }
            1 => {
                let memory = Some(fields.number()?).filter(|bytes| *bytes > 0);
                let mut command = Command::new(fields.bytes()?, fields.bytes()?);
                for _ in 0..fields.number()? {
                    command.arguments.push(fields.bytes()?);
                }
                for _ in 0..fields.number()? {
                    command.environment.push((fields.bytes()?, fields.bytes()?));
                }
                let standard_input = PathBuf::from(fields.bytes()?);
                command.standard_input = Some(standard_input).filter(|path| !path.as_os_str().is_empty());
                WardenRequest::Run(command, memory)
            }
            2 => WardenRequest::Kill,
            4 => WardenRequest::Terminate,
            3 => {
                let number = fields.number()?;
                let folders =
                    (0..number).map(|_| fields.bytes().map(PathBuf::from)).collect::<Option<_>>()?;
                WardenRequest::Guard(folders)
            }
            _ => return None,
        })
    }
}

impl WardenReply {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut frame = Frame::new(match self {
            WardenReply::Ready => 0,
            WardenReply::Unable(_) => 1,
            WardenReply::Ended { .. } => 2,
            WardenReply::NotStarted(_) => 3,
            WardenReply::NoFolder(_) => 4,
        });
        match self {
            WardenReply::Ready => {}
            WardenReply::Unable(why) => frame.bytes(OsStr::new(why)),
            WardenReply::Ended { status, killed, cpu, memory } => {
                frame.number(u64::from(status.cast_unsigned()));
                frame.number(u64::from(*killed));
                frame.number(u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX));
                frame.number(*memory);
            }
            WardenReply::NotStarted(error) | WardenReply::NoFolder(error) => {
                frame.number(u64::from(error.cast_unsigned()));
            }
        }
        frame.finish()
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (tag, mut fields) = FrameFields::of(bytes)?;
        Some(match tag {
            0 => WardenReply::Ready,
            1 => WardenReply::Unable(fields.bytes()?.to_string_lossy().into_owned()),
            2 => WardenReply::Ended {
                status: fields.small()?,
                killed: fields.number()? == 1,
                cpu: Duration::from_micros(fields.number()?),
                memory: fields.number()?,
            },
            3 => WardenReply::NotStarted(fields.small()?),
            4 => WardenReply::NoFolder(fields.small()?),
            _ => return None,
        })
    }
}

/// Sends one frame, in a single call if the socket accepts all of it.
pub(super) fn send(mut to: impl Write, frame: &[u8]) -> io::Result<()> {
    to.write_all(frame)
}

/// Reads frames from a stream.
#[derive(Debug, Default)]
pub(super) struct FrameReader {
    buffer: Vec<u8>,
}

impl FrameReader {
    /// Whether a frame, or a part of it, was read together with the previous one.
    pub(super) fn has_begun(&self) -> bool {
        !self.buffer.is_empty()
    }

    /// The next frame; `None` if the other side is gone.
    pub(super) fn next(&mut self, mut from: impl Read) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some((length, rest)) = self.buffer.split_first_chunk::<4>() {
                let length = u32::from_le_bytes(*length) as usize;
                if rest.len() >= length {
                    let frame = rest[..length].to_vec();
                    self.buffer.drain(..4 + length);
                    return Ok(Some(frame));
                }
            }
            let before = self.buffer.len();
            self.buffer.resize(before + 4096, 0);
            let read = from.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => return Ok(None),
                // The connection is reset if the other side died before it had read everything.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => drop(other?),
            }
        }
    }
}

struct Frame(Vec<u8>);

impl Frame {
    fn new(tag: u8) -> Self {
        Self(vec![0, 0, 0, 0, tag])
    }

    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &OsStr) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes.as_bytes());
    }

    fn finish(mut self) -> Vec<u8> {
        // The kernel limits argument lists to a few mebibytes, so four gibibytes are out of reach.
        let length = u32::try_from(self.0.len() - 4).unwrap_or(u32::MAX);
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

struct FrameFields<'a>(&'a [u8]);

impl<'a> FrameFields<'a> {
    fn of(bytes: &'a [u8]) -> Option<(u8, Self)> {
        let (tag, rest) = bytes.split_first()?;
        Some((*tag, Self(rest)))
    }

    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn small(&mut self) -> Option<i32> {
        Some(u32::try_from(self.number()?).ok()?.cast_signed())
    }

    fn bytes(&mut self) -> Option<OsString> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(OsString::from_vec(bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one byte at a time.
    struct Dribble<'a>(&'a [u8]);

    impl Read for Dribble<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(1);
            self.0.read(&mut to[..length])
        }
    }

    #[test]
    fn requests_arrive_unchanged_even_byte_by_byte() {
        let command = Command::new("sh", "/work")
            .arguments(["-c", "true"])
            .argument(OsString::from_vec(vec![0xff, 0xfe]))
            .variable("NAME", "a value");
        let said = [
            WardenRequest::Begin(
                Confinement::Subreaper,
                WorkerFolder { path: "/tmp/x".into(), is_first: true },
            ),
            WardenRequest::Run(command, Some(1 << 30)),
            WardenRequest::Kill,
            WardenRequest::Terminate,
            WardenRequest::Guard(vec!["/tmp/run".into(), "/tmp".into()]),
        ];
        let stream: Vec<u8> = said.iter().flat_map(WardenRequest::encode).collect();
        let mut stream = Dribble(&stream);
        let mut frames = FrameReader::default();
        for request in &said {
            let frame = frames.next(&mut stream).unwrap().unwrap();
            assert_eq!(WardenRequest::decode(&frame).as_ref(), Some(request));
            assert!(!frames.has_begun());
        }
        assert_eq!(frames.next(&mut stream).unwrap(), None);
    }

    #[test]
    fn a_frame_that_arrives_together_with_another_is_not_lost() {
        let stream = [WardenRequest::Kill.encode(), WardenRequest::Kill.encode()].concat();
        let mut frames = FrameReader::default();
        assert!(frames.next(stream.as_slice()).unwrap().is_some());
        assert!(frames.has_begun());
    }

    #[test]
    fn replies_arrive_unchanged() {
        let said = [
            WardenReply::Ready,
            WardenReply::Unable("why".to_owned()),
            WardenReply::Ended { status: 0x0900, killed: true, cpu: Duration::from_micros(7), memory: 8192 },
            WardenReply::NotStarted(2),
            WardenReply::NoFolder(17),
        ];
        for reply in said {
            assert_eq!(WardenReply::decode(&reply.encode()[4..]), Some(reply));
        }
    }

    #[test]
    fn a_damaged_frame_is_refused() {
        let folder = WorkerFolder { path: "/tmp".into(), is_first: false };
        let frame = WardenRequest::Begin(Confinement::Namespace, folder).encode();
        assert_eq!(WardenRequest::decode(&frame[4..frame.len() - 1]), None);
        assert_eq!(WardenRequest::decode(&[]), None);
        assert_eq!(WardenRequest::decode(&[9]), None);
    }
}
