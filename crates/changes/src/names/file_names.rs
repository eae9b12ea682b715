//! What a file defines and uses, function by function.

use super::call_shape::CallShape;
use howcome_syntax::{SyntaxNode, SyntaxTree};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// What a name stands for. Different things can have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum NameKind {
    /// A label of a function.
    Label,
    /// A variable, function, type or macro that all files can define.
    Plain,
    /// The same, in a language in which a file sees only what it defines or imports itself.
    OfFile,
    /// What comes after a dot or an arrow.
    Member,
}

/// A name.
pub(super) type Name = (NameKind, Arc<[u8]>);

/// The names of one version of a file.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    /// By the name of the function; what is outside of functions has an empty name. Functions of the same name count as one.
    pub(super) functions: BTreeMap<Arc<[u8]>, FunctionNames>,
    /// What other functions and files can use, with each of its declarations.
    pub(super) defined: HashMap<Name, Vec<Declaration>>,
    /// The lines in which the file defines each thing that can be defined only once.
    pub(super) bodies: BTreeMap<Arc<[u8]>, Vec<u32>>,
    /// How many times the text does not fit the grammar.
    pub(super) errors: usize,
    /// Whether the file can see names that its text does not define, such as those of a module of which it imports everything.
    pub(super) is_open: bool,
}

/// A declaration of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration {
    /// How it can be called if it is a function.
    pub(super) shape: CallShape,
    /// Counted from 1.
    pub(super) line: u32,
    pub(super) reach: Reach,
}

/// Which other declarations of a name mean the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those of all files.
    Program,
    /// Those of the same file.
    File,
    /// Nobody knows.
    Unknown,
}

/// The names of one function.
#[derive(Debug, Default)]
pub(super) struct FunctionNames {
    pub(super) defined: HashSet<Name>,
    /// Each with the first line, counted from 1.
    pub(super) used: BTreeMap<Name, u32>,
    /// Calls by name, with the number of arguments, and the first line.
    pub(super) calls: BTreeMap<(Arc<[u8]>, u32), u32>,
    /// Names that one block declares more than once, with the line of the second declaration.
    pub(super) doubled: BTreeMap<Arc<[u8]>, u32>,
}

impl FileNames {
    pub(super) fn defines(&self, name: &Name) -> bool {
        self.defined.contains_key(name)
    }
}

/// Collects the names of a file.
pub(super) struct NamesWriter<'a> {
    pub(super) tree: &'a SyntaxTree,
    bytes: &'a [u8],
    /// Where the lines start.
    starts: Vec<usize>,
    known: HashSet<Arc<[u8]>>,
    pub(super) names: FileNames,
}

impl<'a> NamesWriter<'a> {
    pub(super) fn new(bytes: &'a [u8], tree: &'a SyntaxTree) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { tree, bytes, starts, known: HashSet::new(), names: FileNames::default() }
    }

    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes_of(&self, node: &SyntaxNode) -> &'a [u8] {
        &self.bytes[node.range.clone()]
    }

    /// The text of a node. The same text takes the memory of one.
    pub(super) fn text(&mut self, node: &SyntaxNode) -> Arc<[u8]> {
        let text = self.bytes_of(node);
        if let Some(known) = self.known.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<[u8]> = text.into();
        self.known.insert(Arc::clone(&new));
        new
    }

    pub(super) fn function(&mut self, function: &Arc<[u8]>) -> &mut FunctionNames {
        self.names.functions.entry(Arc::clone(function)).or_default()
    }

    pub(super) fn define(&mut self, name: Name, shape: CallShape, reach: Reach, node: &SyntaxNode) {
        let line = self.line_of(node);
        self.names.defined.entry(name).or_default().push(Declaration { shape, line, reach });
    }

    pub(super) fn use_name(&mut self, function: &Arc<[u8]>, name: Name, node: &SyntaxNode) {
        let line = self.line_of(node);
        self.function(function).used.entry(name).or_insert(line);
    }

    pub(super) fn line_of(&self, node: &SyntaxNode) -> u32 {
        self.starts.partition_point(|start| *start <= node.range.start) as u32
    }
}
