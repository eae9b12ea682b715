//! A program as it is loaded: the executable and its libraries, and what their debug information says.

use super::elf::Elf;
use super::functions::Functions;
use super::image::LoadedImage;
use super::table::Types;
use super::trait_tables::trait_tables;
use super::{DebugError, Function, FunctionId, LiveVariable, Type, TypeId, names, symbols, variables};
use crate::{Address, ReadMemory};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A file that is mapped into the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The file.
    pub path: PathBuf,
    /// The number that is added to its addresses.
    pub bias: u64,
}

impl Loaded {
    /// Whether it is part of the C or C++ runtime. The memory of the runtime is not part of the program's state.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        const RUNTIME: [&str; 14] = [
            "ld-linux",
            "ld-musl",
            "libjemalloc",
            "libmimalloc",
            "libtcmalloc",
            "ld.so",
            "libc.",
            "libc-",
            "libm.",
            "libpthread",
            "libdl.",
            "librt.",
            "libgcc_s",
            "libstdc++",
        ];
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        RUNTIME.iter().any(|start| name.starts_with(start))
    }
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePosition {
    /// The file, made absolute.
    pub file: Arc<Path>,
    /// Counted from 1.
    pub line: u32,
}

/// A program as it is loaded. Several threads can use it.
#[derive(Debug)]
pub struct Program {
    pub(super) images: Vec<LoadedImage>,
    pub(super) types: Types,
    functions: OnceLock<Functions>,
    globals: OnceLock<Vec<LiveVariable>>,
    /// The types of the tables of virtual functions in Rust.
    trait_tables: OnceLock<HashMap<Address, TypeId>>,
}

impl Program {
    /// Reads the debug information of the mapped files, the executable first. Only the executable must have some.
    pub fn load(loaded: &[Loaded], debug_folders: &[PathBuf]) -> Result<Self, DebugError> {
        let mut images = Vec::new();
        for (number, file) in loaded.iter().enumerate() {
            let folders = if file.is_runtime() { &[] } else { debug_folders };
            match LoadedImage::load(&file.path, file.bias, images.len() as u32, folders) {
                Ok(image) => images.push(image),
                Err(error) if number == 0 => return Err(error),
                // A library that cannot be read counts as one without debug information.
                Err(_) => {}
            }
        }
        if let Some(first) = images.first().filter(|image| !image.has_debug_information()) {
            return Err(DebugError::None {
                path: first.elf.path.clone(),
                stripped: first.elf.is_stripped(),
                looked_in: first.looked_in.clone(),
            });
        }
        Ok(Self {
            images,
            types: Types::new(),
            functions: OnceLock::new(),
            globals: OnceLock::new(),
            trait_tables: OnceLock::new(),
        })
    }

    /// The number of entries of the debug information: a measure of its size.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.images.iter().flat_map(|image| &image.units).map(|unit| unit.outline.entries).sum()
    }

    /// Checks that a file is a program for this machine, before it is started.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(path: &Path) -> Result<(), DebugError> {
        Elf::open(path, &Arc::default()).map(|_| ())
    }

    /// All functions with debug information, by address.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.all_functions().list
    }

    /// A function by its number. A number that was never given out stands for a function without a name and code.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        let functions = self.all_functions();
        functions.list.get(id.0 as usize).unwrap_or(&functions.none)
    }

    /// The function whose code contains an address.
    #[must_use]
    pub fn function_at(&self, at: Address) -> Option<FunctionId> {
        self.all_functions().at(at)
    }

    /// The functions with this name. The last part of a qualified name is enough.
    #[must_use]
    pub fn functions_named(&self, name: &str) -> Vec<FunctionId> {
        let list = self.functions().iter().enumerate();
        list.filter(|(_, function)| is_named(&function.name, name))
            .map(|(number, _)| FunctionId(number as u32))
            .collect()
    }

    /// The name of the code at an address, for backtraces: a function, else a symbol of the ELF file.
    #[must_use]
    pub fn name_at(&self, at: Address) -> Option<String> {
        if let Some(id) = self.function_at(at) {
            return Some(self.function(id).name.clone());
        }
        let image = self.image_at(at)?;
        let symbol = image.symbols().at((at - image.bias).0)?;
        Some(symbols::demangled(symbol.name))
    }

    /// The address of a symbol, including the dynamic symbols: `malloc`, `fflush`, `stdin`. Those of the executable come
    /// first.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<Address> {
        self.images.iter().find_map(|image| Some(Address(image.symbols().address(name)?) + image.bias))
    }

    /// Globals and statics of all loaded files with debug information, without constants (read-only data).
    #[must_use]
    pub fn globals(&self, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        // Globals do not move, so they are located once.
        let globals = self.globals.get_or_init(|| {
            let images = self.images.iter();
            images.flat_map(|image| variables::globals(&self.images, &self.types, image, memory)).collect()
        });
        globals.clone()
    }

    /// A type. Types are read when they are needed.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Arc<Type> {
        self.types.get(&self.images, id)
    }

    /// The size of a type in bytes; 0 if unknown.
    #[must_use]
    pub fn size(&self, id: TypeId) -> u64 {
        self.types.slot(id).size
    }

    /// The record or enumeration with this name, for containers that hide their types. C's keyword can precede the name.
    #[must_use]
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        let plain = ["struct ", "union ", "enum "].iter().find_map(|keyword| name.strip_prefix(keyword));
        let name = plain.unwrap_or(name);
        let die = self.images.iter().find_map(|image| image.definition(name, None))?;
        Some(self.types.intern(&self.images, die))
    }

    /// The type whose table of virtual functions, for a trait of Rust, is at an address.
    #[must_use]
    pub fn trait_object(&self, table: Address) -> Option<TypeId> {
        let tables = self.trait_tables.get_or_init(|| trait_tables(&self.images, &self.types));
        tables.get(&table).copied()
    }

    /// The name of a type as its language spells it: `struct node *`, `int [4]`, `Vec<u8>`.
    #[must_use]
    pub fn type_name(&self, id: TypeId) -> String {
        self.types.slot(id).name.to_string()
    }

    pub(super) fn all_functions(&self) -> &Functions {
        self.functions.get_or_init(|| Functions::read(&self.images))
    }

    pub(super) fn image_at(&self, at: Address) -> Option<&LoadedImage> {
        self.images.iter().find(|image| image.holds(at.0))
    }
}

/// Whether a qualified name ends with another name. Template arguments count only if the other name has some.
fn is_named(qualified: &str, name: &str) -> bool {
    let ends = |qualified: &str| {
        let before = qualified.strip_suffix(name);
        before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    !name.is_empty()
        && (ends(qualified) || (!name.contains('<') && ends(&names::without_arguments(qualified))))
}
