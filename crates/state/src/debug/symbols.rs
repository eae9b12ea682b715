//! The symbols of an ELF file, for code and data without debug information.

use super::elf::Symbol;
use std::collections::HashMap;

/// The symbols of an ELF file.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// Code and data by address.
    by_address: Vec<Symbol>,
    by_name: HashMap<&'static str, u64>,
}

impl Symbols {
    /// The symbols of the file that runs, and those of the file with its debug information.
    pub(super) fn new(own: Vec<Symbol>, more: Vec<Symbol>) -> Self {
        let mut by_address = own;
        by_address.extend(more);
        let mut by_name = HashMap::with_capacity(by_address.len());
        for symbol in &by_address {
            by_name.entry(symbol.name).or_insert(symbol.at);
        }
        // If several names have the same address, the last one is taken: the plainest.
        by_address.sort_by_key(|symbol| {
            let underscores = symbol.name.bytes().take_while(|byte| *byte == b'_').count();
            let is_sized = symbol.size > 0;
            (symbol.at, is_sized, std::cmp::Reverse((underscores, symbol.name.len(), symbol.name)))
        });
        Self { by_address, by_name }
    }

    /// The address of a symbol.
    pub(super) fn address(&self, name: &str) -> Option<u64> {
        self.by_name.get(name).copied()
    }

    /// The symbol that contains an address.
    pub(super) fn at(&self, address: u64) -> Option<&Symbol> {
        let after = self.by_address.partition_point(|symbol| symbol.at <= address);
        let symbol = self.by_address.get(after.checked_sub(1)?)?;
        let is_inside =
            address - symbol.at < symbol.size || (symbol.size == 0 && symbol.is_code) || symbol.at == address;
        is_inside.then_some(symbol)
    }
}

/// The name as in the source, if the linker's name is mangled.
pub(super) fn demangled(name: &str) -> String {
    if let Ok(demangled) = rustc_demangle::try_demangle(name) {
        return format!("{demangled:#}");
    }
    if name.starts_with("_Z")
        && name.len() < 4096
        && let Ok(symbol) = cpp_demangle::Symbol::new(name)
        && let Ok(demangled) = symbol.demangle()
    {
        return demangled;
    }
    name.to_owned()
}
