//! A module: everything in one text.

use super::expression::{FunctionId, GlobalId};
use super::function::Function;
use super::name::Name;
use super::spare::emptied;
use super::types::{Binding, BuiltIn, TypeId, Types};

/// A module. Its functions call only functions before them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Module<'p> {
    pub(crate) types: Types<'p>,
    pub(crate) globals: Vec<Global<'p>>,
    pub(crate) functions: Vec<Function<'p>>,
    pub(crate) entry: Entry<'p>,
    /// Whether derivatives are taken where lanes may have diverged. Languages accept that only with a directive.
    pub(crate) diverges: bool,
    /// Whether lanes of a subgroup exchange values.
    pub(crate) subgroups: bool,
}

/// The entry point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry<'p> {
    pub(crate) stage: EntryStage,
    /// Size of a workgroup in each dimension, for a compute stage.
    pub(crate) workgroup: [u32; 3],
    pub(crate) function: Function<'p>,
}

/// The stage that an entry point runs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntryStage {
    Vertex,
    #[default]
    Fragment,
    Compute,
}

/// A variable of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Global<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) space: AddressSpace,
    pub(crate) slot: Option<Slot>,
    pub(crate) ty: TypeId,
}

/// The address space of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressSpace {
    /// A uniform buffer.
    Uniform,
    /// A storage buffer.
    Storage { written: bool },
    /// The lane's own memory.
    Private,
    /// The workgroup's memory.
    Workgroup,
    /// A texture or sampler.
    Handle,
}

/// The group and binding of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    pub(crate) group: u32,
    pub(crate) binding: u32,
}

impl<'p> Module<'p> {
    /// An empty module with the memory of this one. The memory of its functions goes to `functions`.
    pub(crate) fn emptied<'q>(mut self, functions: &mut Vec<Function<'q>>) -> Module<'q> {
        functions.extend(self.functions.drain(..).map(Function::emptied));
        functions.push(self.entry.function.emptied());
        Module {
            types: self.types.emptied(),
            globals: emptied(self.globals),
            functions: emptied(self.functions),
            ..Module::default()
        }
    }

    /// Takes memory for what programs usually have.
    pub(crate) fn reserve(&mut self) {
        self.types.reserve(16);
        self.globals.reserve(16);
        self.functions.reserve(4);
    }

    /// Adds a variable.
    pub(crate) fn add_global(&mut self, global: Global<'p>) -> GlobalId {
        self.globals.push(global);
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// Adds a function after all others.
    pub(crate) fn add_function(&mut self, function: Function<'p>) -> FunctionId {
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    /// A variable.
    pub(crate) fn global(&self, id: GlobalId) -> &Global<'p> {
        &self.globals[id.index()]
    }

    /// Whether the entry point has a built-in value as an input or an output.
    pub(crate) fn binds(&self, built_in: BuiltIn) -> bool {
        let wanted = Some(Binding::BuiltIn(built_in));
        self.entry.function.arguments.iter().any(|a| a.binding == wanted)
            || self.types.structure.iter().flat_map(|s| &s.members).any(|m| m.binding == wanted)
    }

    /// A function.
    pub(crate) fn function(&self, id: FunctionId) -> &Function<'p> {
        &self.functions[id.index()]
    }
}
