//! A program as it is loaded: the executable and its libraries, and what their debug information says.

use super::elf::Elf;
use super::entry::{Die, Slice};
use super::functions::Functions;
use super::image::Image;
use super::lines::Lines;
use super::location::Scene;
use super::table::Types;
use super::variables::{self, Locals};
use super::{Frame, Registers, Type, TypeId, Variable, callsite, names, symbols, unwind};
use crate::{Address, Memory};
use gimli::UnitRef;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A file that is mapped into the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The file.
    pub path: PathBuf,
    /// What is added to its own addresses.
    pub bias: u64,
}

impl Loaded {
    /// Whether it is a part of the C or C++ runtime: what is in its memory is no business of the program's.
    #[must_use]
    pub fn is_runtime(&self) -> bool {
        const RUNTIME: [&str; 10] = [
            "ld-linux",
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
pub struct Program {
    images: Vec<Image>,
    types: Types,
    functions: OnceLock<Functions>,
    globals: OnceLock<Vec<Variable>>,
}

impl Program {
    /// Reads the debug information of what is mapped, the executable first. Only the executable must have some.
    pub fn load(loaded: &[Loaded], debug_folders: &[PathBuf]) -> Result<Self, DebugError> {
        let mut images = Vec::new();
        for (number, file) in loaded.iter().enumerate() {
            let folders = if file.is_runtime() { &[] } else { debug_folders };
            match Image::load(&file.path, file.bias, images.len() as u32, folders) {
                Ok(image) => images.push(image),
                Err(error) if number == 0 => return Err(error),
                // A library that can not be read is like one without debug information.
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
        Ok(Self { images, types: Types::new(), functions: OnceLock::new(), globals: OnceLock::new() })
    }

    /// How many entries the debug information has: a measure of its size.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.images.iter().flat_map(|image| &image.units).map(|unit| unit.outline.entries).sum()
    }

    /// Whether a file is a program for this machine at all, before it is started.
    ///
    /// # Errors
    /// Where it is not.
    pub fn check(path: &Path) -> Result<(), DebugError> {
        Elf::open(path, &Arc::default()).map(|_| ())
    }

    /// All functions with debug information, by address.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.all_functions().list
    }

    /// A function by its number. A number that no function has means the last one.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        let list = self.functions();
        &list[(id.0 as usize).min(list.len().saturating_sub(1))]
    }

    /// The function whose code holds an address.
    #[must_use]
    pub fn function_at(&self, at: Address) -> Option<FunctionId> {
        self.all_functions().at(at)
    }

    /// Functions of this name, the last part of a qualified name being enough.
    #[must_use]
    pub fn functions_named(&self, name: &str) -> Vec<FunctionId> {
        let list = self.functions().iter().enumerate();
        list.filter(|(_, function)| is_named(&function.name, name))
            .map(|(number, _)| FunctionId(number as u32))
            .collect()
    }

    /// The name of what is at an address, for backtraces: a function, else a symbol of the ELF file.
    #[must_use]
    pub fn name_at(&self, at: Address) -> Option<String> {
        if let Some(id) = self.function_at(at) {
            return Some(self.function(id).name.clone());
        }
        let image = self.image_at(at)?;
        let symbol = image.symbols().at((at - image.bias).0)?;
        Some(symbols::demangled(symbol.name))
    }

    /// The address of a symbol, the dynamic ones included: `malloc`, `fflush`, `stdin`. The executable's first.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<Address> {
        self.images.iter().find_map(|image| Some(Address(image.symbols().address(name)?) + image.bias))
    }

    /// The line that an address belongs to.
    #[must_use]
    pub fn line_at(&self, at: Address) -> Option<SourceLine> {
        let (image, lines) = self.lines_at(at)?;
        let row = lines.at((at - image.bias).0)?;
        Some(SourceLine { file: Arc::clone(lines.file_of(row)?), line: row.line })
    }

    /// The first addresses (statement starts) of a line; of the next line with code, where it has none.
    /// `file` may be a suffix of the path: `sort.c`, `src/sort.c`.
    #[must_use]
    pub fn addresses_of_line(&self, file: &str, line: u32) -> Vec<Address> {
        // The nearest line with code so far, and for each function its first address.
        let mut nearest = u32::MAX;
        let mut first: BTreeMap<Option<FunctionId>, Address> = BTreeMap::new();
        for image in &self.images {
            for number in 0..image.units.len() as u32 {
                let Some(lines) = image.lines(number) else { continue };
                let wanted: Vec<bool> = lines.files().iter().map(|path| path.ends_with(file)).collect();
                if !wanted.contains(&true) {
                    continue;
                }
                for row in lines.rows().filter(|row| row.is_statement && row.line >= line) {
                    if row.line > nearest || !wanted.get(row.file_number()).copied().unwrap_or(false) {
                        continue;
                    }
                    if row.line < nearest {
                        nearest = row.line;
                        first.clear();
                    }
                    let at = Address(row.at) + image.bias;
                    let at_first = first.entry(self.function_at(at)).or_insert(at);
                    *at_first = at.min(*at_first);
                }
            }
        }
        let mut addresses = Vec::new();
        for (function, at) in first {
            // Before its body a function's parameters are not where they are said to be.
            let entry = function.map(|id| self.function(id)).filter(|function| {
                function.ranges.first().is_some_and(|(start, _)| (*start..function.body).contains(&at))
            });
            addresses.push(entry.map_or(at, |function| function.body));
        }
        addresses.sort_unstable();
        addresses
    }

    /// All statement starts inside a function, by address.
    #[must_use]
    pub fn statements(&self, function: FunctionId) -> Vec<(Address, SourceLine)> {
        let functions = self.all_functions();
        let mut statements = BTreeMap::new();
        let (Some(die), Some(function)) =
            (functions.dies.get(function.0 as usize), functions.list.get(function.0 as usize))
        else {
            return Vec::new();
        };
        let Some(image) = self.images.get(die.image as usize) else { return Vec::new() };
        let Some(lines) = image.lines(die.unit) else { return Vec::new() };
        for (start, end) in &function.ranges {
            for row in lines.within((*start - image.bias).0, (*end - image.bias).0) {
                if let (true, Some(file)) = (row.is_statement && row.line > 0, lines.file_of(row)) {
                    let line = SourceLine { file: Arc::clone(file), line: row.line };
                    statements.insert(Address(row.at) + image.bias, line);
                }
            }
        }
        statements.into_iter().collect()
    }

    /// Globals and statics of all loaded files with debug information, constants (read-only data) left out.
    #[must_use]
    pub fn globals(&self, memory: &dyn Memory) -> Vec<Variable> {
        // They do not move, so they are found once.
        let globals = self.globals.get_or_init(|| {
            let images = self.images.iter();
            images.flat_map(|image| variables::globals(&self.images, &self.types, image, memory)).collect()
        });
        globals.clone()
    }

    /// Parameters and locals that are alive in a frame, innermost scopes first; what is optimised away is left out.
    /// Inlined calls at this place contribute theirs.
    #[must_use]
    pub fn locals(&self, frame: &Frame, memory: &dyn Memory) -> Vec<Variable> {
        self.read_locals(frame, memory).0
    }

    /// How many locals a frame has that have no place: optimised away.
    #[must_use]
    pub fn lost_locals(&self, frame: &Frame, memory: &dyn Memory) -> usize {
        self.read_locals(frame, memory).1
    }

    /// The frames of a stack, innermost first, at most so many.
    #[must_use]
    pub fn backtrace(&self, registers: &Registers, memory: &dyn Memory, most: usize) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut registers = *registers;
        let mut is_innermost = true;
        while frames.len() < most {
            let Some((frame, outer)) = self.frame(registers, is_innermost, memory) else { break };
            // A stack grows downwards, but a signal may have come on one of its own.
            let before = frames.last().map_or(Address(0), |frame| frame.cfa);
            let has_progressed = frame.cfa > before || is_innermost;
            let was_same = frames.last().is_some_and(|last| last.cfa == frame.cfa && last.pc == frame.pc);
            if !has_progressed || was_same {
                break;
            }
            frames.push(frame);
            let Some((next, is_signal)) = outer else { break };
            if next.pc().is_null() {
                break;
            }
            (registers, is_innermost) = (next, is_signal);
        }
        frames
    }

    /// One frame, and the registers of the frame outside of it; whether a signal is between them.
    fn frame(
        &self,
        registers: Registers,
        is_innermost: bool,
        memory: &dyn Memory,
    ) -> Option<(Frame, Option<(Registers, bool)>)> {
        let pc = registers.pc();
        let mut frame = Frame { function: None, pc, cfa: Address(0), registers, is_innermost };
        frame.function = self.function_at(frame.lookup());
        let image = self.image_at(frame.lookup());
        let row = image.and_then(|image| image.cfi().row((frame.lookup() - image.bias).0));
        if let Some(row) = row
            && let Some(cfa) = unwind::cfa(Some(&row), &registers, memory)
        {
            frame.cfa = cfa;
            let outer = unwind::caller(&row, cfa, &registers, memory);
            return Some((frame, outer.map(|outer| (outer, row.is_signal))));
        }
        let is_astray = is_innermost && image.is_none();
        match unwind::guess(&registers, is_astray, memory) {
            Some((cfa, outer)) => {
                frame.cfa = cfa;
                Some((frame, Some((outer, false))))
            }
            None => {
                frame.cfa = Address(registers.value(Registers::STACK_POINTER)?) + 8;
                Some((frame, None))
            }
        }
    }

    /// A type. Types are read when they are asked for.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Arc<Type> {
        self.types.get(&self.images, id)
    }

    /// The size of a type in bytes; 0 where unknown.
    #[must_use]
    pub fn size(&self, id: TypeId) -> u64 {
        self.types.slot(id).size
    }

    /// The type of this name (records and enums), for containers that hide theirs.
    #[must_use]
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        let die = self.images.iter().find_map(|image| image.definition(name, None))?;
        Some(self.types.intern(&self.images, die))
    }

    /// A type in the words of its language: `struct node *`, `int [4]`, `Vec<u8>`.
    #[must_use]
    pub fn type_name(&self, id: TypeId) -> String {
        self.types.slot(id).name.to_string()
    }

    fn all_functions(&self) -> &Functions {
        self.functions.get_or_init(|| Functions::read(&self.images))
    }

    fn image_at(&self, at: Address) -> Option<&Image> {
        self.images.iter().find(|image| image.holds(at.0))
    }

    /// The line table that an address is in.
    fn lines_at(&self, at: Address) -> Option<(&Image, &Lines)> {
        if let Some(FunctionId(number)) = self.function_at(at) {
            let die = self.all_functions().dies.get(number as usize)?;
            let image = self.images.get(die.image as usize)?;
            return Some((image, image.lines(die.unit)?));
        }
        let image = self.image_at(at)?;
        let unit = image.unit_at((at - image.bias).0)?;
        Some((image, image.lines(unit)?))
    }

    fn read_locals(&self, frame: &Frame, memory: &dyn Memory) -> (Vec<Variable>, usize) {
        let Some((function, image, unit)) = self.home_of(frame) else { return (Vec::new(), 0) };
        let entry_value = |register| self.entry_value(frame, register, memory, 0);
        let scene = Scene {
            image,
            unit,
            function: Some(function),
            frame: Some(frame),
            memory,
            entry_value: &entry_value,
        };
        let mut locals =
            Locals { images: &self.images, types: &self.types, scene, function, found: Vec::new(), lost: 0 };
        locals.read(frame);
        (locals.found, locals.lost)
    }

    /// Where the function of a frame is described.
    fn home_of(&self, frame: &Frame) -> Option<(Die, &Image, UnitRef<'_, Slice>)> {
        let functions = self.all_functions();
        let function = *functions.dies.get(functions.at(frame.lookup())?.0 as usize)?;
        let image = self.images.get(function.image as usize)?;
        Some((function, image, image.unit(function.unit)?))
    }

    /// What a register held when the function of a frame was entered, if its caller's debug information says it.
    fn entry_value(&self, frame: &Frame, register: u16, memory: &dyn Memory, depth: usize) -> Option<u64> {
        /// So many callers are asked in turn.
        const DEEPEST: usize = 4;
        let (_, outer) = self.frame(frame.registers, frame.is_innermost, memory)?;
        let (registers, false) = outer? else { return None };
        let (caller, _) = self.frame(registers, false, memory)?;
        let (function, image, unit) = self.home_of(&caller)?;
        let expression = callsite::passed(unit, function, (caller.pc - image.bias).0, register)?;
        let entry_value = |register| match depth {
            DEEPEST.. => None,
            _ => self.entry_value(&caller, register, memory, depth + 1),
        };
        let frame = Some(&caller);
        let scene = Scene { image, unit, function: Some(function), frame, memory, entry_value: &entry_value };
        scene.value(expression, 0)
    }
}

/// Whether a qualified name ends in another one. Template arguments only count if they are asked for.
fn is_named(qualified: &str, name: &str) -> bool {
    let ends = |qualified: &str| {
        let before = qualified.strip_suffix(name);
        before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    !name.is_empty()
        && (ends(qualified) || (!name.contains('<') && ends(&names::without_arguments(qualified))))
}
