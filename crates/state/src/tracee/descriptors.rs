//! The open descriptors of a process, and how a copy of the process gets its own.

use super::mappings::Mapping;
use super::output::{Output, STDERR, STDOUT};
use super::overlay::Overlay;
use super::process::TracedProcess;
use super::random_device::path_of_link;
use super::{Descriptor, TraceError, Unsupported};
use crate::graph::OpenFile;
use crate::{Address, ReadMemory};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// One descriptor of a stopped process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenDescriptor {
    pub(super) number: i32,
    pub(super) what: DescriptorTarget,
}

/// What is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DescriptorTarget {
    Stdout,
    Stderr,
    /// A file or a folder that is read.
    Read {
        path: PathBuf,
        position: u64,
        flags: i32,
    },
    /// A copy that is written to.
    Written {
        path: PathBuf,
        position: u64,
        flags: i32,
    },
}

/// The open descriptors of a process, without devices.
pub(super) fn open_in(process: &TracedProcess, overlay: &Overlay) -> Result<Vec<OpenDescriptor>, TraceError> {
    let folder = format!("/proc/{}/fd", process.pid());
    let entries = fs::read_dir(&folder).map_err(|error| TraceError::Broken(format!("{folder}: {error}")))?;
    let mut open = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
        let path = fs::read_link(entry.path()).unwrap_or_default();
        if let Some(what) = what(process, overlay, number, path)? {
            open.push(OpenDescriptor { number, what });
        }
    }
    open.sort_by_key(|open| open.number);
    Ok(open)
}

fn what(
    process: &TracedProcess,
    overlay: &Overlay,
    number: i32,
    path: PathBuf,
) -> Result<Option<DescriptorTarget>, TraceError> {
    let is = |name: &std::ffi::CStr| {
        let known = [b"/memfd:", name.to_bytes()].concat();
        path.as_os_str().as_bytes().starts_with(&known)
    };
    if is(STDOUT) {
        return Ok(Some(DescriptorTarget::Stdout));
    }
    if is(STDERR) {
        return Ok(Some(DescriptorTarget::Stderr));
    }
    let text = path.to_string_lossy().into_owned();
    let shared = |kind| Err(Unsupported::Shared(kind).into());
    match text.split_once(':') {
        Some(("pipe", _)) => return shared(Descriptor::Pipe),
        Some(("socket", _)) => return Err(Unsupported::Socket.into()),
        Some(("anon_inode", _)) => return shared(Descriptor::Events),
        _ if text.starts_with("/dev/") || text.starts_with("/proc/") => return Ok(None),
        _ if !text.starts_with('/') => return shared(Descriptor::Unknown),
        _ => {}
    }
    let Some((position, flags)) = position(process, number) else { return Ok(None) };
    let is_written = flags & libc::O_ACCMODE != libc::O_RDONLY;
    if is_written && !overlay.holds(&path) {
        return shared(Descriptor::Unknown);
    }
    let path = path_of_link(&path).unwrap_or(path);
    Ok(Some(if is_written {
        DescriptorTarget::Written { path, position, flags }
    } else {
        DescriptorTarget::Read { path, position, flags }
    }))
}

fn position(process: &TracedProcess, number: i32) -> Option<(u64, i32)> {
    let text = fs::read_to_string(format!("/proc/{}/fdinfo/{number}", process.pid())).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    Some((field("pos:")?.parse().ok()?, i32::from_str_radix(field("flags:")?, 8).ok()?))
}

/// The files that a process reads.
pub(super) fn files(open: &[OpenDescriptor]) -> Vec<OpenFile> {
    let files = open.iter().filter_map(|open| match &open.what {
        DescriptorTarget::Read { path, position, .. } => {
            Some(OpenFile { descriptor: open.number, path: path.clone(), position: *position })
        }
        _ => None,
    });
    files.collect()
}

/// Gives a copy of a process descriptors of its own, so that no two processes share a position. The copy prints to `output`.
pub(super) fn separate(
    process: &mut TracedProcess,
    overlay: &mut Overlay,
    open: &[OpenDescriptor],
    output: &Output,
    instead: &[OpenFile],
    instruction: Address,
) -> Result<(), TraceError> {
    let [stdout, stderr] = output.paths();
    for OpenDescriptor { number, what } in open {
        let reopen = Reopen { number: *number, instruction };
        match what {
            DescriptorTarget::Stdout => reopen.as_file(process, Path::new(&stdout), libc::O_WRONLY, 0)?,
            DescriptorTarget::Stderr => reopen.as_file(process, Path::new(&stderr), libc::O_WRONLY, 0)?,
            DescriptorTarget::Read { flags, position, .. } => {
                match instead.iter().find(|file| file.descriptor == *number) {
                    Some(other) => reopen.as_file(process, &other.path, *flags, other.position)?,
                    None => {
                        let same = PathBuf::from(format!("/proc/self/fd/{number}"));
                        reopen.as_file(process, &same, *flags, *position)?;
                    }
                }
            }
            DescriptorTarget::Written { path, position, flags } => {
                let copy = overlay.copy_again(path)?;
                reopen.as_file(process, &copy, *flags, *position)?;
            }
        }
    }
    Ok(())
}

/// Gives a copy of a process memory of its own in place of shared memory, with the same content.
pub(super) fn own_memory(
    process: &mut TracedProcess,
    mapping: &Mapping,
    instruction: Address,
) -> Result<(), TraceError> {
    let length = mapping.to - mapping.from;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    if !mapping.readable || !process.read(mapping.from, &mut bytes) {
        return Err(Unsupported::Shared(Descriptor::Memory).into());
    }
    let rights = libc::PROT_READ | libc::PROT_WRITE | if mapping.executable { libc::PROT_EXEC } else { 0 };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    let arguments = [mapping.from.0, length, rights as u64, flags as u64, u64::MAX, 0];
    let mapped = process.system_call(instruction, libc::SYS_mmap, arguments)?;
    if mapped as u64 != mapping.from.0 {
        return Err(TraceError::Broken(format!(
            "memory could not be mapped: error {}",
            mapped.wrapping_neg()
        )));
    }
    process.write(mapping.from, &bytes)
}

/// Opens a file in a stopped process with a number that is already in use.
struct Reopen {
    number: i32,
    instruction: Address,
}

impl Reopen {
    fn as_file(
        &self,
        process: &mut TracedProcess,
        path: &Path,
        flags: i32,
        position: u64,
    ) -> Result<(), TraceError> {
        let mut bytes = path.as_os_str().as_bytes().to_vec();
        bytes.push(0);
        let stack = Address(process.registers()?[crate::debug::Registers::STACK_POINTER]);
        let at = stack - 256 - bytes.len() as u64;
        process.write_below_stack(at, &bytes)?;
        let flags = flags & !(libc::O_CREAT | libc::O_EXCL | libc::O_TRUNC | libc::O_CLOEXEC);
        let call = |process: &mut TracedProcess, number, arguments: [u64; 3]| {
            let [first, second, third] = arguments;
            process.system_call(self.instruction, number, [first, second, third, 0, 0, 0])
        };
        let opened = call(process, libc::SYS_open, [at.0, flags as u64, 0])?;
        if opened < 0 {
            return Err(TraceError::Broken(format!(
                "{} could not be opened again: error {}",
                path.display(),
                -opened
            )));
        }
        let opened = opened as u64;
        if position > 0 {
            call(process, libc::SYS_lseek, [opened, position, libc::SEEK_SET as u64])?;
        }
        call(process, libc::SYS_dup2, [opened, self.number as u64, 0])?;
        call(process, libc::SYS_close, [opened, 0, 0])?;
        Ok(())
    }
}
