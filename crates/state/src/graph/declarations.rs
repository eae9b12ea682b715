//! What the reader of a graph needs to know about a program. [`Program`] is one; tests make up others.

use crate::debug::{FunctionId, LiveVariable, Program, StackFrame, Type, TypeId};
use crate::{Address, ReadMemory};
use std::sync::Arc;

/// Types and variables: what the source declares. See [`Program`] for what the functions mean.
pub trait Declarations {
    /// A type.
    fn ty(&self, id: TypeId) -> Arc<Type>;
    /// The size of a type in bytes; 0 where unknown.
    fn size(&self, id: TypeId) -> u64;
    /// The record or enumeration of this name.
    fn type_named(&self, name: &str) -> Option<TypeId>;
    /// A type in the words of its language.
    fn type_name(&self, id: TypeId) -> String;
    /// The function or symbol at an address.
    fn name_at(&self, at: Address) -> Option<String>;
    /// Globals and statics.
    fn globals(&self, memory: &dyn ReadMemory) -> Vec<LiveVariable>;
    /// Parameters and locals of a frame, innermost scopes first.
    fn locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable>;
    /// The name of a function.
    fn function_name(&self, id: FunctionId) -> String;
}

impl Declarations for Program {
    fn ty(&self, id: TypeId) -> Arc<Type> {
        self.ty(id)
    }

    fn size(&self, id: TypeId) -> u64 {
        self.size(id)
    }

    fn type_named(&self, name: &str) -> Option<TypeId> {
        self.type_named(name)
    }

    fn type_name(&self, id: TypeId) -> String {
        self.type_name(id)
    }

    fn name_at(&self, at: Address) -> Option<String> {
        self.name_at(at)
    }

    fn globals(&self, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.globals(memory)
    }

    fn locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.locals(frame, memory)
    }

    fn function_name(&self, id: FunctionId) -> String {
        self.function(id).name.clone()
    }
}
