//! The symbols of an ELF file: names of what has no debug information.

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
    /// Those of the file that runs, and those of the file with its debug information.
    pub(super) fn new(own: Vec<Symbol>, more: Vec<Symbol>) -> Self {
        let mut by_address = own;
        by_address.extend(more);
        let mut by_name = HashMap::with_capacity(by_address.len());
        for symbol in &by_address {
            by_name.entry(symbol.name).or_insert(symbol.at);
        }
        // The last of several names for one place is taken: the plainest one.
        by_address.sort_by_key(|symbol| {
            let underscores = symbol.name.bytes().take_while(|byte| *byte == b'_').count();
            let is_sized = symbol.size > 0;
            (symbol.at, is_sized, std::cmp::Reverse((underscores, symbol.name.len(), symbol.name)))
        });
        Self { by_address, by_name }
    }

    /// Where a symbol is.
    pub(super) fn address(&self, name: &str) -> Option<u64> {
        self.by_name.get(name).copied()
    }

    /// The symbol that an address is in, and how the linker calls it.
    pub(super) fn at(&self, address: u64) -> Option<&Symbol> {
        let after = self.by_address.partition_point(|symbol| symbol.at <= address);
        let symbol = self.by_address.get(after.checked_sub(1)?)?;
        let is_inside =
            address - symbol.at < symbol.size || (symbol.size == 0 && symbol.is_code) || symbol.at == address;
        is_inside.then_some(symbol)
    }
}

/// The name as the source has it, where the linker's is a mangled one.
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
