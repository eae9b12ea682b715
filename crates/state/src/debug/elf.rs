//! An ELF file: its machine, sections, segments and symbols.

use super::DebugError;
use super::bytes::Bytes;
use object::read::elf::{ElfFile64, ElfSection64, ProgramHeader};
use object::{LittleEndian, Object, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind, elf};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A section may grow at most by this factor when it is decompressed: zlib itself cannot do more.
const MOST_COMPRESSED: u64 = 1032;

/// An ELF file for x86-64.
#[derive(Debug)]
pub(super) struct Elf {
    /// The file.
    pub(super) path: PathBuf,
    /// Its parts.
    pub(super) file: ElfFile64<'static, LittleEndian>,
    /// The bytes that `file` refers to.
    bytes: Arc<Bytes>,
}

/// What the program may do with a range of addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The first address.
    pub(super) start: u64,
    /// The address after the last.
    pub(super) end: u64,
    /// Whether it is writable, and stays so when the program is loaded.
    pub(super) writable: bool,
    /// Whether it is executable.
    pub(super) executable: bool,
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    /// Its address, without the bias.
    pub(super) at: u64,
    /// Its length in bytes, or 0.
    pub(super) size: u64,
    /// Its name, without its version.
    pub(super) name: &'static str,
    /// Whether it is code.
    pub(super) is_code: bool,
}

impl Elf {
    /// Reads the headers of a program or a library.
    pub(super) fn open(path: &Path, bytes: &Arc<Bytes>) -> Result<Self, DebugError> {
        Self::open_as(path, bytes, false)
    }

    /// Reads the headers of a file that can consist of debug information only.
    pub(super) fn open_for_debugging(path: &Path, bytes: &Arc<Bytes>) -> Result<Self, DebugError> {
        Self::open_as(path, bytes, true)
    }

    fn open_as(path: &Path, bytes: &Arc<Bytes>, is_for_debugging: bool) -> Result<Self, DebugError> {
        let data = bytes
            .file(path)
            .map_err(|error| DebugError::Unreadable { path: path.to_owned(), why: error.to_string() })?;
        check(path, data, is_for_debugging)?;
        let file = ElfFile64::parse(data)
            .map_err(|error| DebugError::Corrupt { path: path.to_owned(), why: error.to_string() })?;
        Ok(Self { path: path.to_owned(), file, bytes: Arc::clone(bytes) })
    }

    /// The bytes of the file.
    pub(super) fn data(&self) -> &'static [u8] {
        self.file.data()
    }

    /// The content of a section, decompressed; empty if there is no such section.
    pub(super) fn section(&self, name: &str) -> Result<&'static [u8], String> {
        let Some(section) = self.file.section_by_name(name) else { return Ok(&[]) };
        // A split file has a section for each type, all with the same name.
        let is_linked = !matches!(self.file.kind(), ObjectKind::Relocatable);
        let more = self.file.sections().filter(|other| !is_linked && other.name() == Ok(name));
        let parts: Vec<_> = more.filter(|other| other.index() != section.index()).collect();
        let first = self.content(name, &section)?;
        if parts.is_empty() {
            return Ok(first);
        }
        let mut whole = first.to_vec();
        for part in &parts {
            whole.extend_from_slice(self.content(name, part)?);
        }
        Ok(self.bytes.keep(whole))
    }

    fn content(
        &self,
        name: &str,
        section: &ElfSection64<'static, '_, LittleEndian>,
    ) -> Result<&'static [u8], String> {
        let wrong = |error: object::read::Error| format!("{name}: {error}");
        let data = section.compressed_data().map_err(wrong)?;
        let stored = data.data.len() as u64;
        if data.format != object::CompressionFormat::None
            && data.uncompressed_size > stored.saturating_mul(MOST_COMPRESSED).saturating_add(4096)
        {
            return Err(format!(
                "{name}: {stored} bytes cannot be decompressed to {} bytes",
                data.uncompressed_size
            ));
        }
        Ok(match data.decompress().map_err(wrong)? {
            std::borrow::Cow::Borrowed(data) => data,
            std::borrow::Cow::Owned(data) => self.bytes.keep(data),
        })
    }

    /// The address of a section.
    pub(super) fn address(&self, name: &str) -> Option<u64> {
        Some(self.file.section_by_name(name)?.address())
    }

    /// Whether it has debug information.
    pub(super) fn has_debug_information(&self) -> bool {
        let section = self.file.section_by_name(".debug_info");
        section.is_some_and(|section| section.size() > 0 && section.file_range().is_some())
    }

    /// Whether not even the symbols are left.
    pub(super) fn is_stripped(&self) -> bool {
        self.file.symbols().next().is_none()
    }

    /// The loaded segments, by address. A segment that becomes read-only after loading counts as read-only.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let headers = self.file.elf_program_headers();
        let mut segments = Vec::new();
        for header in headers.iter().filter(|header| header.p_type(LittleEndian) == elf::PT_LOAD) {
            let start = header.p_vaddr(LittleEndian);
            segments.push(Segment {
                start,
                end: start.saturating_add(header.p_memsz(LittleEndian)),
                writable: header.p_flags(LittleEndian).contains(elf::PF_W),
                executable: header.p_flags(LittleEndian).contains(elf::PF_X),
            });
        }
        for header in headers.iter().filter(|header| header.p_type(LittleEndian) == elf::PT_GNU_RELRO) {
            let start = header.p_vaddr(LittleEndian);
            let end = start.saturating_add(header.p_memsz(LittleEndian));
            segments.insert(0, Segment { start, end, writable: false, executable: false });
        }
        segments
    }

    /// At most this number of bytes at an address, as the file has them. `None` if the file has none for it.
    pub(super) fn loaded_bytes(&self, at: u64, most: usize) -> Option<&'static [u8]> {
        let headers = self.file.elf_program_headers();
        let mut headers = headers.iter().filter(|header| header.p_type(LittleEndian) == elf::PT_LOAD);
        headers.find_map(|header| {
            let inside = at.checked_sub(header.p_vaddr(LittleEndian))?;
            let left = header.p_filesz(LittleEndian).checked_sub(inside).filter(|left| *left > 0)?;
            let start = usize::try_from(header.p_offset(LittleEndian).checked_add(inside)?).ok()?;
            let bytes = self.data().get(start..)?;
            bytes.get(..most.min(usize::try_from(left).ok()?).min(bytes.len()))
        })
    }

    /// How far before the thread pointer the thread's own variables of a program begin; `None` if it has none.
    pub(super) fn thread_block(&self) -> Option<u64> {
        let headers = self.file.elf_program_headers();
        let header = headers.iter().find(|header| header.p_type(LittleEndian) == elf::PT_TLS)?;
        let align = header.p_align(LittleEndian).max(1);
        // The block is aligned as it is in the file.
        let misaligned = header.p_vaddr(LittleEndian) % align;
        let size = header.p_memsz(LittleEndian).checked_add(misaligned)?.checked_next_multiple_of(align)?;
        Some(size - misaligned)
    }

    /// The symbols, those of the dynamic symbol table last.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for symbol in self.file.symbols().chain(self.file.dynamic_symbols()) {
            let is_code = symbol.kind() == SymbolKind::Text;
            let is_place = is_code || matches!(symbol.kind(), SymbolKind::Data | SymbolKind::Unknown);
            if symbol.is_undefined() || !is_place || symbol.address() == 0 {
                continue;
            }
            let Ok(name) = symbol.name() else { continue };
            let name = name.split('@').next().unwrap_or(name);
            if !name.is_empty() {
                symbols.push(Symbol { at: symbol.address(), size: symbol.size(), name, is_code });
            }
        }
        symbols
    }
}

/// Rejects files that cannot run here.
fn check(path: &Path, data: &[u8], is_for_debugging: bool) -> Result<(), DebugError> {
    let no_program = |why: &str| DebugError::NoProgram { path: path.to_owned(), why: why.to_owned() };
    if data.starts_with(b"#!") {
        let line = data.split(|byte| *byte == b'\n').next().unwrap_or(data);
        let line = String::from_utf8_lossy(line.get(..line.len().min(80)).unwrap_or(line));
        return Err(no_program(&format!("it is a script ({})", line.trim_end())));
    }
    if data.is_empty() {
        return Err(no_program("it is empty"));
    }
    if !data.starts_with(&elf::ELFMAG) {
        return Err(no_program("it does not begin with the letters ELF"));
    }
    let Some(header) = data.get(..20) else { return Err(no_program("it ends within its header")) };
    let big = header[5] == elf::ELFDATA2MSB.0;
    let number = |at: usize| {
        let bytes = [header[at], header[at + 1]];
        if big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    };
    let (kind, machine, wide) = (number(16), number(18), header[4] == elf::ELFCLASS64.0);
    if machine != elf::EM_X86_64.0 || !wide || big {
        return Err(DebugError::OtherMachine { path: path.to_owned(), machine: name_of(machine, wide) });
    }
    match elf::FileType(kind) {
        elf::ET_EXEC | elf::ET_DYN => Ok(()),
        elf::ET_REL if is_for_debugging => Ok(()),
        elf::ET_REL => Err(no_program("it is an object file that has not been linked")),
        elf::ET_CORE => Err(no_program("it is a core file")),
        _ => Err(no_program("it is neither a program nor a library")),
    }
}

/// The name of a machine.
fn name_of(machine: u16, wide: bool) -> String {
    let name = match machine {
        3 => "i386",
        8 => "MIPS",
        20 => "PowerPC",
        21 => "64-bit PowerPC",
        22 => "S/390",
        40 => "ARM",
        43 => "SPARC",
        62 if !wide => "x32",
        183 => "64-bit ARM",
        243 => "RISC-V",
        258 => "LoongArch",
        other => return format!("machine number {other}"),
    };
    name.to_owned()
}
