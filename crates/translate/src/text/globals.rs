//! What the functions of a module refer to: resources, and the structure of outputs.

use super::emission::{self, Emission};
use super::{
    module::{io_type, location},
    plan::Plan,
    types,
    types::Types,
};
use crate::{Bindings, Form, Options, Program, memory, reflection};
use naga::{
    AddressSpace, ArraySize, Binding, BuiltIn, GlobalVariable, Handle, ImageClass, ImageDimension, Module,
    ResourceBinding, Span, StorageAccess, StructMember, TypeInner,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Dim, FileId, Interface, Scalar, Space, Stage, Texture, TextureAccess, UniformArray};
use std::num::NonZeroU32;

/// A uniform array's variable.
pub(super) struct UniformGlobal<'p> {
    pub(super) name: &'p str,
    pub(super) file: FileId,
    pub(super) vectors: u32,
    pub(super) variable: Handle<GlobalVariable>,
    /// Where it begins, if it is part of what a lane of a kernel reads: a variable.
    pub(super) first: Option<Handle<GlobalVariable>>,
}

/// A texture's variables.
pub(super) struct TextureGlobal {
    pub(super) image: Handle<GlobalVariable>,
    /// The sampler that belongs to it.
    pub(super) sampler: Option<Handle<GlobalVariable>>,
}

/// What functions refer to.
pub(super) struct Globals<'p> {
    pub(super) uniforms: Vec<UniformGlobal<'p>>,
    /// Textures, in the order of the interface.
    pub(super) textures: Vec<TextureGlobal>,
    /// Samplers with numbers of their own, in the order of the interface.
    pub(super) samplers: Vec<Handle<GlobalVariable>>,
    pub(super) memory: Vec<(Space, Handle<GlobalVariable>)>,
    pub(super) lanes: Option<(Handle<GlobalVariable>, Handle<GlobalVariable>)>,
    /// Arrays that each lane of a stage has of its own: the array, its vectors, and the uniform buffer
    /// that gives what no vertex does.
    pub(super) own: Vec<(Handle<GlobalVariable>, u32, Handle<GlobalVariable>)>,
    /// The structure of outputs.
    pub(super) result: Option<Handle<naga::Type>>,
    /// The type of a position that the structure has although the program gives none, because a vertex
    /// stage must have one.
    pub(super) no_position: Option<Handle<naga::Type>>,
    /// Of a geometry program.
    pub(super) emission: Option<Emission>,
}

/// Adds resources to a module.
struct Resources<'a> {
    module: &'a mut Module,
    types: &'a mut Types,
}

impl Resources<'_> {
    fn add(
        &mut self,
        name: String,
        space: AddressSpace,
        binding: Option<ResourceBinding>,
        ty: TypeInner,
    ) -> Handle<GlobalVariable> {
        let ty = self.types.add(ty);
        let variable = GlobalVariable {
            name: Some(name),
            space,
            binding,
            ty,
            init: None,
            memory_decorations: Default::default(),
        };
        self.module.global_variables.append(variable, Span::UNDEFINED)
    }

    /// A storage buffer: an array of words, or of vectors of four words.
    fn storage(
        &mut self,
        name: String,
        binding: ResourceBinding,
        count: u8,
        write: bool,
    ) -> Handle<GlobalVariable> {
        let base = self.types.of(naga::Scalar::U32, count);
        let stride = 4 * u32::from(count);
        let ty = TypeInner::Array { base, size: ArraySize::Dynamic, stride };
        self.add(name, AddressSpace::Storage { access: access(write) }, Some(binding), ty)
    }

    /// The words of a space of memory.
    fn memory(
        &mut self,
        u: &memory::Use,
        interface: &Interface,
        options: &Options,
    ) -> Handle<GlobalVariable> {
        let name = match u.space {
            Space::Constant(n) => format!("bank_{n}_words"),
            Space::Shared => "shared_words".into(),
            Space::Local => "local_words".into(),
            _ => "memory_words".into(),
        };
        let base = match u.atomic && u.space != Space::Local {
            true => self.types.add(TypeInner::Atomic(naga::Scalar::U32)),
            false => self.types.of(naga::Scalar::U32, 1),
        };
        let binding = memory::binding(u.space);
        let binding = binding.map(|binding| ResourceBinding { group: options.bindings.memory, binding });
        let count = NonZeroU32::new(memory::words(interface, u.space)).unwrap_or(NonZeroU32::MIN);
        let (space, size) = match u.space {
            Space::Shared => (AddressSpace::WorkGroup, ArraySize::Constant(count)),
            Space::Local => (AddressSpace::Private, ArraySize::Constant(count)),
            _ => (AddressSpace::Storage { access: access(u.written) }, ArraySize::Dynamic),
        };
        self.add(name, space, binding, TypeInner::Array { base, size, stride: 4 })
    }

    /// A uniform array of so many vectors. Where each lane of a stage has its own, `own` hears of it.
    fn uniform<'p>(
        &mut self,
        u: &'p UniformArray,
        (scalar, vectors): (naga::Scalar, u32),
        at: ResourceBinding,
        lanes: Option<(Handle<GlobalVariable>, Handle<GlobalVariable>)>,
        own: &mut Vec<(Handle<GlobalVariable>, u32, Handle<GlobalVariable>)>,
    ) -> UniformGlobal<'p> {
        let base = self.types.of(scalar, 4);
        let size = ArraySize::Constant(NonZeroU32::new(vectors).unwrap_or(NonZeroU32::MIN));
        let array = TypeInner::Array { base, size, stride: 16 };
        let mut first = None;
        let variable = match (u.per_lane, lanes) {
            (false, _) => self.add(u.name.to_string(), AddressSpace::Uniform, Some(at), array),
            (true, Some((input, _))) => {
                let word = self.types.of(naga::Scalar::U32, 1);
                let name = ["first_", &*u.name].concat();
                first = Some(emission::private(self.module, &name, word));
                input
            }
            (true, None) => {
                let initial = [&*u.name, "_initial"].concat();
                let initial = self.add(initial, AddressSpace::Uniform, Some(at), array.clone());
                let ty = self.types.add(array);
                let variable = emission::private(self.module, &u.name, ty);
                own.push((variable, vectors, initial));
                variable
            }
        };
        UniformGlobal { name: &u.name, file: u.file, vectors, variable, first }
    }

    /// A texture, and the sampler that belongs to it.
    fn texture(&mut self, t: &Texture, group: u32, bindings: &Bindings) -> TextureGlobal {
        let dim = match t.shape.dim {
            Dim::D1 => ImageDimension::D1,
            Dim::D2 => ImageDimension::D2,
            Dim::Cube => ImageDimension::Cube,
            Dim::D3 => ImageDimension::D3,
        };
        let multi = t.shape.multisampled;
        let class = match t.access {
            TextureAccess::Sampled | TextureAccess::Read => {
                ImageClass::Sampled { kind: types::scalar(t.texels).kind, multi }
            }
            TextureAccess::Compared => ImageClass::Depth { multi },
            TextureAccess::Written => {
                ImageClass::Storage { format: naga::StorageFormat::Rgba32Float, access: StorageAccess::STORE }
            }
        };
        let binding = bindings.texture(t.unit);
        let image = self.add(
            t.name.to_string(),
            AddressSpace::Handle,
            Some(ResourceBinding { group, binding }),
            TypeInner::Image { dim, arrayed: t.shape.arrayed, class },
        );
        let sampler = (t.access == TextureAccess::Sampled).then(|| {
            let name = [&*t.name, "_sampler"].concat();
            let at = ResourceBinding { group, binding: bindings.sampler(t.unit) };
            self.add(name, AddressSpace::Handle, Some(at), TypeInner::Sampler { comparison: false })
        });
        TextureGlobal { image, sampler }
    }
}

const fn access(write: bool) -> StorageAccess {
    if write { StorageAccess::LOAD.union(StorageAccess::STORE) } else { StorageAccess::LOAD }
}

/// Adds what functions refer to, but for the emission.
pub(super) fn globals<'p>(
    module: &mut Module,
    types: &mut Types,
    program: &'p Program,
    options: &Options,
    plan: &Plan,
) -> Result<Globals<'p>, Diagnostic> {
    let interface = program.interface;
    let group = options.bindings.group(interface.stage);
    let mut resources = Resources { module, types };
    let mut globals = Globals {
        uniforms: Vec::with_capacity(interface.uniforms.len()),
        textures: Vec::with_capacity(interface.textures.len()),
        samplers: Vec::with_capacity(interface.samplers.len()),
        memory: Vec::new(),
        lanes: None,
        own: Vec::new(),
        result: None,
        no_position: None,
        emission: None,
    };
    if options.form == Form::Compute {
        let at = |binding| ResourceBinding { group: options.bindings.lanes, binding };
        let input = resources.storage("lane_inputs".into(), at(0), 4, false);
        let output = resources.storage("lane_outputs".into(), at(1), 4, true);
        globals.lanes = Some((input, output));
    }
    for u in &interface.uniforms {
        let Some(file) = program.func.files.get(usize::from(u.file.0)) else {
            return Err(crate::unsupported("a uniform array without a register file"));
        };
        let scalar = if file.scalar == Scalar::F32 { naga::Scalar::F32 } else { naga::Scalar::U32 };
        let (vectors, at) = (reflection::vectors(program, u), ResourceBinding { group, binding: u.binding });
        let uniform = resources.uniform(u, (scalar, vectors), at, globals.lanes, &mut globals.own);
        globals.uniforms.push(uniform);
    }
    for t in &interface.textures {
        globals.textures.push(resources.texture(t, group, &options.bindings));
    }
    for s in &interface.samplers {
        let at = ResourceBinding { group, binding: options.bindings.sampler(s.unit) };
        let inner = TypeInner::Sampler { comparison: s.comparison };
        globals.samplers.push(resources.add(s.name.to_string(), AddressSpace::Handle, Some(at), inner));
    }
    for u in &plan.memory {
        globals.memory.push((u.space, resources.memory(u, interface, options)));
    }
    let positioned = interface.outputs.iter().any(|o| o.binding == shisa_ir::Binding::Position);
    if options.form == Form::Stage && interface.stage == Stage::Vertex && !positioned {
        globals.no_position = Some(types.of(naga::Scalar::F32, 4));
    }
    globals.result = result(types, program, options, plan, globals.no_position)?;
    Ok(globals)
}

/// The structure of outputs; `None` when there are none.
fn result(
    types: &mut Types,
    program: &Program,
    options: &Options,
    plan: &Plan,
    no_position: Option<Handle<naga::Type>>,
) -> Result<Option<Handle<naga::Type>>, Diagnostic> {
    let interface = program.interface;
    let mut members = Vec::with_capacity(interface.outputs.len() + 1);
    let mut offset = 0u32;
    let mut member = |name: String, ty, binding, count: u8| {
        let align = [4, 4, 8, 16, 16][usize::from(count.min(4))];
        offset = offset.next_multiple_of(align);
        members.push(StructMember { name: Some(name), ty, binding, offset });
        offset += 4 * u32::from(count.max(1));
    };
    for io in &interface.outputs {
        let ty = io_type(types, io);
        let binding = match (options.form, io.binding) {
            _ if interface.stage == Stage::Geometry => None,
            (Form::Compute, _) => None,
            (_, shisa_ir::Binding::Location(n)) => Some(location(io, n, interface.stage == Stage::Vertex)),
            (_, shisa_ir::Binding::Position) => {
                Some(Binding::BuiltIn(BuiltIn::Position { invariant: false }))
            }
            (_, shisa_ir::Binding::Depth) => Some(Binding::BuiltIn(BuiltIn::FragDepth)),
            (_, shisa_ir::Binding::Stencil) => {
                Some(location(io, super::stencil::location(&interface.outputs), false))
            }
            _ => return Err(crate::unsupported(format_args!("output {}", io.name))),
        };
        member(io.name.to_string(), ty, binding, io.count);
    }
    if options.form == Form::Compute && plan.kills {
        member("killed".into(), types.of(naga::Scalar::BOOL, 1), None, 1);
    }
    if let Some(ty) = no_position {
        let binding = Binding::BuiltIn(BuiltIn::Position { invariant: false });
        member("no_position".into(), ty, Some(binding), 4);
    }
    if members.is_empty() {
        return Ok(None);
    }
    let inner = TypeInner::Struct { members, span: offset.next_multiple_of(16) };
    let name = Some([&*options.name, "_out"].concat());
    Ok(Some(types.arena.insert(naga::Type { name, inner }, Span::UNDEFINED)))
}
