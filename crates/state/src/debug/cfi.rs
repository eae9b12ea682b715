//! Call frame information: how to get from a frame to its caller.

use super::REGISTERS;
use super::elf::Elf;
use super::entry::DwarfSlice;
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EhFrame, Encoding, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection,
};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

/// At most this number of rows is remembered.
const MOST_ROWS: usize = 1 << 16;

/// The call frame information of a file. Addresses are without the bias.
#[derive(Debug)]
pub(super) struct Cfi {
    bases: BaseAddresses,
    eh_frame: EhFrame<DwarfSlice>,
    /// Where `eh_frame` is.
    eh_frame_at: u64,
    index: Option<FrameIndex>,
    debug_frame: DebugFrame<DwarfSlice>,
    /// Start, end and offset of each entry of `eh_frame`, if the file has no table of them.
    eh_table: OnceLock<Vec<(u64, u64, usize)>>,
    /// Start, end and offset of each entry of `debug_frame`.
    debug_table: OnceLock<Vec<(u64, u64, usize)>>,
    /// The rows that were asked for before.
    rows: RwLock<HashMap<u64, Option<Arc<UnwindRow>>>>,
}

/// How to leave the frame at one address.
#[derive(Debug)]
pub(super) struct UnwindRow {
    /// The canonical frame address.
    pub(super) cfa: UnwindRule,
    /// Where the caller's registers are.
    pub(super) registers: [UnwindRule; REGISTERS],
    /// The register that holds the return address.
    pub(super) returns_to: usize,
    /// Whether the frame is that of a signal handler: it was not called.
    pub(super) is_signal: bool,
    /// For expressions.
    pub(super) encoding: Encoding,
}

/// Where the value of a register is, or how to compute it.
#[derive(Clone, Debug)]
pub(super) enum UnwindRule {
    /// There is no rule.
    Unknown,
    /// The value is lost.
    Undefined,
    /// The register was not changed.
    Same,
    /// The value is at this distance from the canonical frame address.
    Saved(i64),
    /// The value is a register plus a number.
    Sum(usize, i64),
    /// The value is the canonical frame address plus a number.
    Distance(i64),
    /// The value is at the address that an expression computes.
    SavedAt(DwarfSlice),
    /// The value is what an expression computes.
    Computed(DwarfSlice),
}

impl Cfi {
    /// The tables of a file, and of the file with its debug information.
    pub(super) fn read(elf: &Elf, separate: Option<&Elf>) -> Self {
        let section =
            |elf: &Elf, name: &str| DwarfSlice::new(elf.section(name).unwrap_or_default(), LittleEndian);
        let mut bases = BaseAddresses::default();
        if let Some(address) = elf.address(".eh_frame") {
            bases = bases.set_eh_frame(address);
        }
        if let Some(address) = elf.address(".eh_frame_hdr") {
            bases = bases.set_eh_frame_hdr(address);
        }
        if let Some(address) = elf.address(".text") {
            bases = bases.set_text(address);
        }
        if let Some(address) = elf.address(".got") {
            bases = bases.set_got(address);
        }
        let own = section(elf, ".debug_frame");
        let debug = separate.map(|separate| section(separate, ".debug_frame")).unwrap_or(own);
        let debug_frame = if own.is_empty() { debug } else { own };
        let mut cfi = Self {
            bases,
            eh_frame_at: elf.address(".eh_frame").unwrap_or(0),
            eh_frame: section(elf, ".eh_frame").into(),
            index: FrameIndex::read(
                section(elf, ".eh_frame_hdr").slice(),
                elf.address(".eh_frame_hdr").unwrap_or(0),
            ),
            debug_frame: debug_frame.into(),
            eh_table: OnceLock::new(),
            debug_table: OnceLock::new(),
            rows: RwLock::default(),
        };
        cfi.eh_frame.set_address_size(8);
        cfi.debug_frame.set_address_size(8);
        cfi
    }

    /// How to leave the frame at an address.
    pub(super) fn row(&self, at: u64) -> Option<Arc<UnwindRow>> {
        let rows = self.rows.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(row) = rows.get(&at) {
            return row.clone();
        }
        drop(rows);
        let row = self.find(at).map(Arc::new);
        let mut rows = self.rows.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if rows.len() >= MOST_ROWS {
            rows.clear();
        }
        rows.insert(at, row.clone());
        row
    }

    fn find(&self, at: u64) -> Option<UnwindRow> {
        let offset = match &self.index {
            Some(index) => {
                index.lookup(at).and_then(|entry| usize::try_from(entry.checked_sub(self.eh_frame_at)?).ok())
            }
            None => lookup(self.eh_table.get_or_init(|| table_of(&self.eh_frame, &self.bases)), at),
        };
        if let Some(row) = offset.and_then(|offset| row_of(&self.eh_frame, &self.bases, offset, at)) {
            return Some(row);
        }
        let table = self.debug_table.get_or_init(|| table_of(&self.debug_frame, &self.bases));
        row_of(&self.debug_frame, &self.bases, lookup(table, at)?, at)
    }
}

/// The table of `.eh_frame_hdr`, in the one encoding that linkers use.
#[derive(Debug)]
struct FrameIndex {
    /// Pairs of four bytes each: start of the code and its entry.
    table: &'static [u8],
    /// The address that both are relative to.
    from: u64,
}

impl FrameIndex {
    /// Version 1, the section's address relative to itself in four bytes, a count of four bytes, and relative pairs.
    const HEADER: [u8; 4] = [1, 0x1b, 0x03, 0x3b];

    fn read(section: &'static [u8], from: u64) -> Option<Self> {
        let rest = section.strip_prefix(&Self::HEADER)?;
        let count = u32::from_le_bytes(rest.get(4..8)?.try_into().ok()?);
        let length = usize::try_from(count).ok()?.checked_mul(8)?;
        Some(Self { table: rest.get(8..)?.get(..length)?, from })
    }

    fn number(&self, at: usize) -> u64 {
        let bytes = self.table.get(at..).and_then(|bytes| bytes.first_chunk());
        self.from.wrapping_add_signed(i64::from(i32::from_le_bytes(bytes.copied().unwrap_or_default())))
    }

    /// The address of the last entry that begins at or before an address.
    fn lookup(&self, at: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.table.len() / 8);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.number(middle * 8) <= at { low = middle + 1 } else { high = middle }
        }
        Some(self.number(low.checked_sub(1)? * 8 + 4))
    }
}

fn lookup(table: &[(u64, u64, usize)], at: u64) -> Option<usize> {
    let after = table.partition_point(|(start, _, _)| *start <= at);
    let (_, end, offset) = *table.get(after.checked_sub(1)?)?;
    (at < end).then_some(offset)
}

/// All entries of a section, by address.
fn table_of<S: UnwindSection<DwarfSlice>>(section: &S, bases: &BaseAddresses) -> Vec<(u64, u64, usize)> {
    let mut table = Vec::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(S::cie_from_offset) else { continue };
        let start = fde.initial_address();
        table.push((start, start.saturating_add(fde.len()), fde.offset()));
    }
    table.sort_unstable();
    table
}

fn row_of<S: UnwindSection<DwarfSlice>>(
    section: &S,
    bases: &BaseAddresses,
    offset: usize,
    at: u64,
) -> Option<UnwindRow> {
    let fde = section.fde_from_offset(bases, offset.into(), S::cie_from_offset).ok()?;
    if fde.initial_address().checked_add(fde.len()).is_none() || !fde.contains(at) {
        return None;
    }
    let mut context = UnwindContext::new();
    let row = fde.unwind_info_for_address(section, bases, &mut context, at).ok()?;
    let cfa = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => UnwindRule::Sum(usize::from(register.0), *offset),
        CfaRule::Expression(expression) => UnwindRule::Computed(expression.get(section).ok()?.0),
    };
    let mut registers = [const { UnwindRule::Unknown }; REGISTERS];
    for (number, rule) in registers.iter_mut().enumerate() {
        let Some(found) = row.register(Register(number as u16)) else { continue };
        *rule = match found {
            RegisterRule::Undefined | RegisterRule::Architectural => UnwindRule::Undefined,
            RegisterRule::SameValue => UnwindRule::Same,
            RegisterRule::Offset(offset) => UnwindRule::Saved(offset),
            RegisterRule::ValOffset(offset) => UnwindRule::Distance(offset),
            RegisterRule::Register(other) => UnwindRule::Sum(usize::from(other.0), 0),
            RegisterRule::Expression(expression) => UnwindRule::SavedAt(expression.get(section).ok()?.0),
            RegisterRule::ValExpression(expression) => UnwindRule::Computed(expression.get(section).ok()?.0),
            RegisterRule::Constant(_) => UnwindRule::Undefined,
        };
    }
    let returns_to = usize::from(fde.cie().return_address_register().0);
    let encoding = fde.cie().encoding();
    Some(UnwindRow { cfa, registers, returns_to, is_signal: fde.is_signal_trampoline(), encoding })
}
