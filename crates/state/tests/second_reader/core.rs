//! A core file of a snapshot, so that another program reads the same bytes.

use howcome_state::{Region, RegionKind, Snapshot};
use std::path::Path;

/// The registers in the order of the kernel, by their numbers in DWARF: r15 … rip, then rsp; `None` for those that are unknown.
const ORDER: [Option<usize>; 27] = [
    Some(15),
    Some(14),
    Some(13),
    Some(12),
    Some(6),
    Some(3),
    Some(11),
    Some(10),
    Some(9),
    Some(8),
    Some(0),
    Some(2),
    Some(1),
    Some(4),
    Some(5),
    None,
    Some(16),
    None,
    None,
    Some(7),
    None,
    None,
    None,
    None,
    None,
    None,
    None,
];

/// Writes a core file.
pub fn write(snapshot: &Snapshot, auxiliary: &[u8], registers: &[u64; 17], path: &Path) {
    let regions: Vec<&Region> =
        snapshot.regions().iter().filter(|region| region.kind != RegionKind::Registers).collect();
    let mut status = vec![0; 112];
    for register in ORDER {
        status.extend(register.map_or(0, |number| registers[number]).to_le_bytes());
    }
    status.extend([0; 8]);
    let mut notes = Vec::new();
    for (kind, content) in [(1_u32, &status[..]), (6, auxiliary)] {
        notes.extend(5_u32.to_le_bytes());
        notes.extend((content.len() as u32).to_le_bytes());
        notes.extend(kind.to_le_bytes());
        notes.extend(b"CORE\0\0\0\0");
        notes.extend(content);
        notes.resize(notes.len().next_multiple_of(4), 0);
    }
    let headers = regions.len() + 1;
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for half in [4_u16, 62] {
        file.extend(half.to_le_bytes());
    }
    file.extend(1_u32.to_le_bytes());
    for word in [0_u64, 64, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend(0_u32.to_le_bytes());
    for half in [64_u16, 56, headers as u16, 0, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    let mut offset = (64 + 56 * headers) as u64;
    let mut header = |kind: u32, flags: u32, at: u64, size: u64| {
        file.extend(kind.to_le_bytes());
        file.extend(flags.to_le_bytes());
        for word in [offset, at, 0, size, if kind == 1 { size } else { 0 }, 1] {
            file.extend(word.to_le_bytes());
        }
        offset += size;
    };
    header(4, 0, 0, notes.len() as u64);
    for region in &regions {
        header(1, if region.writable { 6 } else { 4 }, region.start.0, region.bytes.len() as u64);
    }
    file.extend(notes);
    for region in regions {
        file.extend(&region.bytes);
    }
    std::fs::write(path, file).unwrap();
}
