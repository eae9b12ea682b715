//! Functions with code of their own.

use crate::Address;
use std::path::{Path, PathBuf};

/// A function, by its number in [`super::Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A function with code of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its name, qualified and without parameters: `main`, `shop::Cart::add`, `core::ptr::drop_in_place<…>`.
    pub name: String,
    /// The addresses of its code. The first range begins with its entry.
    pub ranges: Vec<(Address, Address)>,
    /// Where its own code begins: after the prologue, so that parameters are where the debug information says.
    pub body: Address,
    /// The source file, as the compiler was given it, made absolute.
    pub file: PathBuf,
    /// The line of `body`.
    pub line: u32,
    /// The number of its loaded file: 0 is the executable.
    pub module: u32,
}

/// Whether a source file belongs to a library that comes with a compiler, and not to the user.
#[must_use]
pub fn is_library_file(file: &Path) -> bool {
    const FOLDERS: [&str; 9] = [
        "/usr/include/",
        "/usr/lib/",
        "/rustc/",
        "/.cargo/registry/",
        "/rustlib/",
        "/rust/deps/",
        "/library/std/",
        "/include/c++/",
        "/lib/gcc/",
    ];
    let file = file.to_string_lossy();
    FOLDERS.iter().any(|folder| file.contains(folder))
}
