//! What is mapped where in a process.

use super::TraceError;
use super::process::TracedProcess;
use crate::debug::{Loaded, REGISTERS};
use crate::{Address, ReadMemory, Region, RegionKind, Snapshot};
use object::read::elf::{FileHeader, ProgramHeader};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// At most this number of bytes is read.
const MOST_MEMORY: u64 = 2 << 30;

/// A mapped range of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) from: Address,
    pub(super) to: Address,
    pub(super) readable: bool,
    pub(super) writable: bool,
    pub(super) executable: bool,
    /// Whether all processes that have mapped it see what is written.
    pub(super) shared: bool,
    pub(super) offset: u64,
    /// A file, `[heap]`, `[stack]`, or empty.
    pub(super) name: String,
}

/// All mappings, in ascending order.
pub(super) fn mappings(process: &TracedProcess) -> Result<Vec<Mapping>, TraceError> {
    let path = format!("/proc/{}/maps", process.pid());
    let text = fs::read_to_string(&path).map_err(|error| TraceError::Broken(format!("{path}: {error}")))?;
    Ok(text.lines().filter_map(parse).collect())
}

fn parse(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (from, to) = words.next()?.split_once('-')?;
    let rights = words.next()?.as_bytes();
    let offset = u64::from_str_radix(words.next()?, 16).ok()?;
    let name = words.nth(2).unwrap_or_default().trim_start().to_owned();
    Some(Mapping {
        from: Address(u64::from_str_radix(from, 16).ok()?),
        to: Address(u64::from_str_radix(to, 16).ok()?),
        readable: rights.first() == Some(&b'r'),
        writable: rights.get(1) == Some(&b'w'),
        executable: rights.get(2) == Some(&b'x'),
        shared: rights.get(3) == Some(&b's'),
        offset,
        name,
    })
}

/// The program and its libraries, the program first.
pub(super) fn loaded(mappings: &[Mapping], program: &Path) -> Vec<Loaded> {
    let program = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut loaded: Vec<Loaded> = Vec::new();
    for mapping in mappings.iter().filter(|mapping| mapping.offset == 0 && mapping.name.starts_with('/')) {
        let path = PathBuf::from(&mapping.name);
        if loaded.iter().any(|known| known.path == path) {
            continue;
        }
        if let Some(first) = first_address(&path) {
            loaded.push(Loaded { path, bias: mapping.from.0.wrapping_sub(first) });
        }
    }
    loaded.sort_by_key(|module| module.path != program);
    loaded
}

/// The address that an ELF file requests for its first loaded byte.
fn first_address(path: &Path) -> Option<u64> {
    let file = File::open(path).ok()?;
    let reader = object::ReadCache::new(file);
    let header = object::elf::FileHeader64::<object::Endianness>::parse(&reader).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, &reader).ok()?;
    let load = segments.iter().find(|segment| segment.p_type(endian) == object::elf::PT_LOAD)?;
    Some(load.p_vaddr(endian) & !0xfff)
}

/// The first instruction of the program itself, which runs after its libraries have been loaded.
pub(super) fn entry(process: &TracedProcess) -> Result<Address, TraceError> {
    const AT_ENTRY: u64 = 9;
    let path = format!("/proc/{}/auxv", process.pid());
    let bytes = fs::read(&path).map_err(|error| TraceError::Broken(format!("{path}: {error}")))?;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let entry = bytes.chunks_exact(16).find(|pair| word(&pair[..8]) == AT_ENTRY);
    entry.map(|pair| Address(word(&pair[8..]))).ok_or_else(|| TraceError::Broken(format!("{path}: no entry")))
}

/// Reads all data of a stopped process.
pub(super) fn snapshot(process: &TracedProcess) -> Result<Snapshot, TraceError> {
    let registers = process.registers()?;
    let mut regions = vec![registers_as_memory(&registers)];
    let mut read = 0;
    for mapping in mappings(process)? {
        let is_kernels =
            matches!(mapping.name.as_str(), "[vvar]" | "[vdso]" | "[vsyscall]" | "[vvar_vclock]");
        let is_code = mapping.executable && !mapping.writable;
        let length = mapping.to - mapping.from;
        if !mapping.readable || is_kernels || is_code || read + length > MOST_MEMORY {
            continue;
        }
        let mut bytes = vec![0; length as usize];
        if !process.read(mapping.from, &mut bytes) {
            continue;
        }
        read += length;
        let kind = match mapping.name.as_str() {
            "[stack]" => RegionKind::Stack,
            "[heap]" => RegionKind::Heap,
            name if name.starts_with('/') => RegionKind::File(PathBuf::from(name)),
            _ => RegionKind::Anonymous,
        };
        regions.push(Region { start: mapping.from, bytes, writable: mapping.writable, kind });
    }
    let snapshot = Snapshot::new(regions, Address(registers[crate::debug::Registers::STACK_POINTER]));
    Ok(snapshot.with_thread_pointer(process.thread_pointer()?))
}

fn registers_as_memory(registers: &[u64; REGISTERS]) -> Region {
    let bytes = registers.iter().flat_map(|value| value.to_le_bytes()).collect();
    Region { start: Address::REGISTERS, bytes, writable: true, kind: RegionKind::Registers }
}
