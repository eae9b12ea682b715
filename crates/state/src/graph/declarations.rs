//! What the reader of a graph needs to know about a program. [`Program`] provides it; tests make it up.

use crate::debug::{FunctionId, LiveVariable, Program, StackFrame, Type, TypeId};
use crate::{Address, ReadMemory};
use std::sync::Arc;

/// Types and variables that the source declares. See [`Program`] for details.
pub trait Declarations {
    /// A type.
    fn ty(&self, id: TypeId) -> Arc<Type>;
    /// The size of a type in bytes; 0 if unknown.
    fn size(&self, id: TypeId) -> u64;
    /// The record or enumeration with this name.
    fn type_named(&self, name: &str) -> Option<TypeId>;
    /// The name of a type as its language spells it.
    fn type_name(&self, id: TypeId) -> String;
    /// The type whose table of virtual functions, for a trait of Rust, is at an address.
    fn trait_object(&self, _table: Address) -> Option<TypeId> {
        None
    }
    /// The function or symbol at an address.
    fn name_at(&self, at: Address) -> Option<String>;
    /// Globals and statics.
    fn globals(&self, memory: &dyn ReadMemory) -> Vec<LiveVariable>;
    /// Parameters and locals of a frame, innermost scopes first.
    fn locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable>;
    /// The same with locals whose scope is over or has not begun.
    fn all_locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.locals(frame, memory)
    }
    /// Whether the compiler of a frame's function keeps results inside an expression on the stack.
    fn keeps_results_on_stack(&self, _frame: &StackFrame) -> bool {
        false
    }
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

    fn trait_object(&self, table: Address) -> Option<TypeId> {
        self.trait_object(table)
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

    fn all_locals(&self, frame: &StackFrame, memory: &dyn ReadMemory) -> Vec<LiveVariable> {
        self.all_locals(frame, memory)
    }

    fn keeps_results_on_stack(&self, frame: &StackFrame) -> bool {
        self.keeps_results_on_stack(frame)
    }

    fn function_name(&self, id: FunctionId) -> String {
        self.function(id).name.clone()
    }
}
