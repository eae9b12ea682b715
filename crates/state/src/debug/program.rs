//! A program as it is loaded: the executable and its libraries, and what their debug information says.

use super::{Frame, Registers, Type, TypeId, Variable};
use crate::{Address, Memory};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that is mapped into the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The file.
    pub path: PathBuf,
    /// What is added to its own addresses.
    pub bias: u64,
}

/// A function, by its number in [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A function with code of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Qualified, without parameters: `main`, `shop::Cart::add`, `core::ptr::drop_in_place<…>`.
    pub name: String,
    /// The addresses of its code, the first range beginning with its entry.
    pub ranges: Vec<(Address, Address)>,
    /// Where its own code begins: behind the prologue, so that parameters are where the debug information says.
    pub body: Address,
    /// The source file, as the compiler was given it, made absolute.
    pub file: PathBuf,
    /// The line of `body`.
    pub line: u32,
    /// Which of the loaded files it belongs to: 0 is the executable.
    pub module: u32,
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The file, made absolute.
    pub file: Arc<Path>,
    /// Counted from 1.
    pub line: u32,
}

/// Why a program's debug information is of no use. The hint says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DebugError {
    /// The file could not be read.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// No ELF file at all: a script, say.
    #[error("{} is no ELF program: {why}", path.display())]
    NoProgram {
        /// Which file.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// Made for another machine.
    #[error("{} is made for {machine}, not for x86-64", path.display())]
    OtherMachine {
        /// Which file.
        path: PathBuf,
        /// What it is made for.
        machine: String,
    },
    /// There is no debug information, in the file or beside it.
    #[error("{} has no debug information{}", path.display(), if *stripped { ": it is stripped" } else { "" })]
    None {
        /// Which file.
        path: PathBuf,
        /// Not even symbols are left.
        stripped: bool,
        /// Where else it was looked for.
        looked_in: Vec<PathBuf>,
    },
    /// The debug information contradicts itself.
    #[error("the debug information of {} is corrupt: {why}", path.display())]
    Corrupt {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

/// A program as it is loaded. It may be asked from several threads.
#[derive(Debug)]
pub struct Program {}

#[allow(unused_variables, clippy::todo, missing_docs)]
impl Program {
    /// Reads the debug information of what is mapped, the executable first. Only the executable must have some.
    pub fn load(loaded: &[Loaded], debug_folders: &[PathBuf]) -> Result<Self, DebugError> {
        todo!()
    }
    /// Whether a file is a program for this machine at all, before it is started.
    pub fn check(path: &Path) -> Result<(), DebugError> {
        todo!()
    }
    /// All functions with debug information, by address.
    pub fn functions(&self) -> &[Function] {
        todo!()
    }
    pub fn function(&self, id: FunctionId) -> &Function {
        todo!()
    }
    /// The function whose code holds an address.
    pub fn function_at(&self, at: Address) -> Option<FunctionId> {
        todo!()
    }
    /// Functions of this name, the last part of a qualified name being enough.
    pub fn functions_named(&self, name: &str) -> Vec<FunctionId> {
        todo!()
    }
    /// The name of what is at an address, for backtraces: a function, else a symbol of the ELF file.
    pub fn name_at(&self, at: Address) -> Option<String> {
        todo!()
    }
    /// The address of a symbol, the dynamic ones included: `malloc`, `fflush`, `stdin`. The executable's first.
    pub fn symbol(&self, name: &str) -> Option<Address> {
        todo!()
    }
    /// The line that an address belongs to.
    pub fn line_at(&self, at: Address) -> Option<SourceLine> {
        todo!()
    }
    /// The first addresses (statement starts) of a line; of the next line with code, where it has none.
    /// `file` may be a suffix of the path: `sort.c`, `src/sort.c`.
    pub fn addresses_of_line(&self, file: &str, line: u32) -> Vec<Address> {
        todo!()
    }
    /// All statement starts inside a function, by address.
    pub fn statements(&self, function: FunctionId) -> Vec<(Address, SourceLine)> {
        todo!()
    }
    /// Globals and statics of all loaded files with debug information, constants (read-only data) left out.
    pub fn globals(&self, memory: &dyn Memory) -> Vec<Variable> {
        todo!()
    }
    /// Parameters and locals that are alive in a frame, innermost scopes first; what is optimised away is left out.
    /// Inlined calls at this place contribute theirs.
    pub fn locals(&self, frame: &Frame, memory: &dyn Memory) -> Vec<Variable> {
        todo!()
    }
    /// How many locals a frame has that have no place: optimised away.
    pub fn lost_locals(&self, frame: &Frame, memory: &dyn Memory) -> usize {
        todo!()
    }
    /// The frames of a stack, innermost first, at most so many.
    pub fn backtrace(&self, registers: &Registers, memory: &dyn Memory, most: usize) -> Vec<Frame> {
        todo!()
    }
    /// A type. Types are read when they are asked for.
    pub fn ty(&self, id: TypeId) -> Arc<Type> {
        todo!()
    }
    /// The size of a type in bytes; 0 where unknown.
    pub fn size(&self, id: TypeId) -> u64 {
        todo!()
    }
    /// The type of this name (records and enums), for containers that hide theirs.
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        todo!()
    }
    /// A type in the words of its language: `struct node *`, `int [4]`, `Vec<u8>`.
    pub fn type_name(&self, id: TypeId) -> String {
        todo!()
    }
}
