//! The module-level declarations that functions refer to: resources, and the structure of outputs.

use super::emission::{self, Emission};
use super::locations::io_type;
use super::outlets::{Outlet, outlet};
use super::plan::Plan;
use crate::syntax::{
    AddressSpace, Binding, BuiltIn, Dimension, Global, GlobalId, Kind, Member, Module, Name, Slot, Structure,
    TexelClass, Type, TypeId, Types, emptied, kind_of,
};
use crate::texture::TexelFormat;
use crate::{Form, Options, Place, Program, Resource, Target, interface, memory, reflection};
use shisa_diag::Diagnostic;
use shisa_ir::{Dim, FileId, Interface, Io, Scalar, Space, Stage, Texture, TextureAccess, UniformArray};
use std::num::NonZeroU32;

/// A uniform array's variable.
pub(super) struct UniformGlobal<'p> {
    pub(super) name: &'p str,
    pub(super) file: FileId,
    pub(super) vectors: u32,
    pub(super) variable: GlobalId,
    /// The variable with the index of its first element, if the array is part of a kernel lane's input.
    pub(super) first: Option<GlobalId>,
}

/// A texture's variables.
pub(super) struct TextureGlobal {
    pub(super) image: GlobalId,
    /// The texture's own sampler.
    pub(super) sampler: Option<GlobalId>,
}

/// The declarations that functions refer to.
#[derive(Default)]
pub(super) struct Globals<'p> {
    pub(super) uniforms: Vec<UniformGlobal<'p>>,
    /// Textures, in the order of the interface.
    pub(super) textures: Vec<TextureGlobal>,
    /// Separate samplers, in the order of the interface.
    pub(super) samplers: Vec<GlobalId>,
    pub(super) memory: Vec<(Space, GlobalId)>,
    pub(super) lanes: Option<(GlobalId, GlobalId)>,
    /// Per-lane arrays of a stage: the array, its length in vectors, and the uniform buffer with the values that no
    /// vertex provides.
    pub(super) own: Vec<(GlobalId, u32, GlobalId)>,
    /// The structure of outputs.
    pub(super) result: Option<TypeId>,
    /// The type of the position member, if the program writes none: a vertex stage must have one.
    pub(super) no_position: Option<TypeId>,
    /// The outlets of outputs, if some are no members of the structure.
    pub(super) outlets: Vec<Outlet>,
    /// The type of the array of distances to clipping planes, and its length.
    pub(super) distances: Option<(TypeId, u8)>,
    /// For a geometry program: its vertex output.
    pub(super) emission: Option<Emission>,
    /// The arrays of a stage with the inputs that each vertex of a primitive has, and the uniform array that they are.
    pub(super) vertices: Option<(usize, Vec<GlobalId>)>,
    /// The variables of inputs that only the printer of the stage knows.
    pub(super) stand_ins: Vec<(shisa_ir::Binding, GlobalId)>,
    /// The outputs of a tessellation control stage.
    pub(super) control: Option<Control>,
}

impl Globals<'_> {
    /// The variable of an input that only the printer of the stage knows.
    pub(super) fn stand_in(&self, binding: shisa_ir::Binding) -> Option<GlobalId> {
        self.stand_ins.iter().find(|(known, _)| *known == binding).map(|(_, variable)| *variable)
    }
}

/// The name of the variable of an input that only the printer of the stage knows.
pub(crate) const fn stand_in(binding: shisa_ir::Binding) -> Option<&'static str> {
    Some(match binding {
        shisa_ir::Binding::PrimitiveIndex => "stage_primitive",
        shisa_ir::Binding::InvocationIndex => "stage_invocation",
        shisa_ir::Binding::PatchVertices => "stage_patch_vertices",
        shisa_ir::Binding::OuterLevel => "stage_outer_level",
        shisa_ir::Binding::InnerLevel => "stage_inner_level",
        shisa_ir::Binding::DomainPosition => "stage_domain",
        shisa_ir::Binding::PatchLocation(_) => "stage_patch",
        _ => return None,
    })
}

/// The prefixes of variables of a tessellation control stage, which only the printer of the stage knows: outputs of the
/// vertex that the program runs for, those of all vertices, and those of the patch.
pub(crate) const OWN: &str = "own_";
pub(crate) const ALL: &str = "all_";
pub(crate) const OF_PATCH: &str = "patch_out_";

/// The variables of the outputs of a tessellation control stage.
pub(super) struct Control {
    /// For each output of vertices: that of the own vertex, and the array of all.
    pub(super) vertex: Vec<[GlobalId; 2]>,
    /// The outputs of the patch. Levels are arrays.
    pub(super) patch: Vec<GlobalId>,
}

impl Globals<'_> {
    /// No declarations, with the memory of these.
    pub(super) fn emptied<'q>(mut self) -> Globals<'q> {
        self.textures.clear();
        self.samplers.clear();
        self.memory.clear();
        self.own.clear();
        self.outlets.clear();
        Globals {
            uniforms: emptied(self.uniforms),
            textures: self.textures,
            samplers: self.samplers,
            memory: self.memory,
            own: self.own,
            outlets: self.outlets,
            ..Globals::default()
        }
    }
}

/// Adds resources to a module.
struct Resources<'m, 'p> {
    module: &'m mut Module<'p>,
}

impl<'p> Resources<'_, 'p> {
    fn add(&mut self, name: Name<'p>, space: AddressSpace, slot: Option<Slot>, ty: Type) -> GlobalId {
        let ty = self.module.types.add(ty);
        self.module.add_global(Global { name, space, slot, ty })
    }

    /// A storage buffer of vectors of four 32-bit words.
    fn lanes(&mut self, name: &'static str, slot: Slot, written: bool) -> GlobalId {
        let base = self.module.types.of(Kind::Uint, 4);
        let ty = Type::Array { base, length: None, stride: 16 };
        self.add(name.into(), AddressSpace::Storage { written }, Some(slot), ty)
    }

    /// The variable for a memory space: an array of 32-bit words.
    fn memory(&mut self, u: &memory::Use, interface: &Interface, options: &Options) -> GlobalId {
        let slot = memory::buffer(u.space).map(|buffer| slot(options.place(interface.stage, buffer)));
        if let Space::Constant(n) = u.space
            && u.is_uniform(options)
        {
            let base = self.module.types.of(Kind::Uint, 4);
            let array = Type::Array { base, length: NonZeroU32::new(u.vectors()), stride: 16 };
            return self.add(Name::around("bank_", n.into(), "_vectors"), AddressSpace::Uniform, slot, array);
        }
        let name = match u.space {
            Space::Constant(n) => Name::around("bank_", n.into(), "_words"),
            Space::Buffer(n) => Name::around("buffer_", n.into(), "_words"),
            Space::Shared => "shared_words".into(),
            Space::Local => "local_words".into(),
            _ => "memory_words".into(),
        };
        let base = match u.atomic && u.space != Space::Local {
            true => self.module.types.add(Type::AtomicWord),
            false => self.module.types.of(Kind::Uint, 1),
        };
        let count = NonZeroU32::new(memory::words(interface, u.space));
        let (space, length) = match u.space {
            Space::Shared => (AddressSpace::Workgroup, count),
            Space::Local => (AddressSpace::Private, count),
            _ => (AddressSpace::Storage { written: u.written }, None),
        };
        self.add(name, space, slot, Type::Array { base, length, stride: 4 })
    }

    /// A uniform array of so many vectors. If each lane of a stage has its own, adds an entry to `own`.
    fn uniform(
        &mut self,
        u: &'p UniformArray,
        (kind, vectors): (Kind, u32),
        at: Slot,
        lanes: Option<(GlobalId, GlobalId)>,
        own: &mut Vec<(GlobalId, u32, GlobalId)>,
    ) -> UniformGlobal<'p> {
        let base = self.module.types.of(kind, 4);
        let array = Type::Array { base, length: NonZeroU32::new(vectors), stride: 16 };
        let mut first = None;
        let variable = match (u.per_lane, lanes) {
            (false, _) => self.add((&*u.name).into(), AddressSpace::Uniform, Some(at), array),
            (true, Some((input, _))) => {
                let word = self.module.types.of(Kind::Uint, 1);
                first = Some(emission::private(self.module, Name::joined("first_", &u.name), word));
                input
            }
            (true, None) => {
                let initial = Name::joined(&u.name, "_initial");
                let initial = self.add(initial, AddressSpace::Uniform, Some(at), array);
                let ty = self.module.types.add(array);
                let variable = emission::private(self.module, (&*u.name).into(), ty);
                own.push((variable, vectors, initial));
                variable
            }
        };
        UniformGlobal { name: &u.name, file: u.file, vectors, variable, first }
    }

    /// The variables of the outputs of a tessellation control stage.
    fn control(&mut self, interface: &'p Interface, vertices: u32) -> Control {
        let length = NonZeroU32::new(vertices);
        let vertex = interface.vertex_outputs.iter().map(|io| {
            let ty = io_type(&mut self.module.types, io);
            let all = self.module.types.add(Type::Array { base: ty, length, stride: 16 });
            let [own_name, all_name] = [OWN, ALL].map(|prefix| Name::joined(prefix, &io.name));
            [emission::private(self.module, own_name, ty), emission::private(self.module, all_name, all)]
        });
        let vertex = vertex.collect();
        let patch = interface.patch_outputs.iter().map(|io| {
            let ty = match io.binding {
                shisa_ir::Binding::OuterLevel | shisa_ir::Binding::InnerLevel => {
                    let base = self.module.types.of(Kind::Float, 1);
                    let length = NonZeroU32::new(io.count.into());
                    self.module.types.add(Type::Array { base, length, stride: 16 })
                }
                _ => io_type(&mut self.module.types, io),
            };
            emission::private(self.module, Name::joined(OF_PATCH, &io.name), ty)
        });
        let patch = patch.collect();
        Control { vertex, patch }
    }

    /// A texture, and its own sampler if it has one.
    fn texture(&mut self, t: &'p Texture, at: impl Fn(Resource) -> Slot) -> TextureGlobal {
        let dimension = match t.shape.dim {
            Dim::D1 => Dimension::D1,
            Dim::D2 => Dimension::D2,
            Dim::Cube => Dimension::Cube,
            Dim::D3 => Dimension::D3,
        };
        let multisampled = t.shape.multisampled;
        let class = match TexelFormat::of(t.access) {
            Some(format) if matches!(t.access, TextureAccess::Changed(_)) => TexelClass::Changed(format),
            Some(format) => TexelClass::Written(format),
            None if t.access == TextureAccess::Compared => TexelClass::Depth { multisampled },
            None => TexelClass::Sampled { kind: kind_of(t.texels), multisampled },
        };
        let slot = at(Resource::Texture(t.unit));
        let ty = Type::Texture { dimension, arrayed: t.shape.arrayed, class };
        let image = self.add((&*t.name).into(), AddressSpace::Handle, Some(slot), ty);
        let sampler = (t.access == TextureAccess::Sampled).then(|| {
            let name = Name::joined(&t.name, "_sampler");
            let slot = at(Resource::Sampler(t.unit));
            self.add(name, AddressSpace::Handle, Some(slot), Type::Sampler { comparison: false })
        });
        TextureGlobal { image, sampler }
    }
}

/// The slot with the group and binding that the options state.
const fn slot(place: Place) -> Slot {
    Slot { group: place.group, binding: place.binding }
}

/// Adds everything that functions refer to, except the vertex output. `globals` are empty.
pub(super) fn globals<'p>(
    module: &mut Module<'p>,
    mut globals: Globals<'p>,
    program: &'p Program<'p>,
    options: &'p Options,
    target: Target,
    plan: &Plan,
) -> Result<Globals<'p>, Diagnostic> {
    let interface = program.interface;
    let at = |resource| slot(options.place(interface.stage, resource));
    let mut resources = Resources { module };
    if options.form == Form::Compute {
        let input = resources.lanes("lane_inputs", at(Resource::LaneInputs), false);
        let output = resources.lanes("lane_outputs", at(Resource::LaneOutputs), true);
        globals.lanes = Some((input, output));
    }
    let of_vertices = interface.geometry.is_some() || interface.tessellation.is_some();
    if options.form == Form::Stage && of_vertices {
        for io in &interface.inputs {
            let Some(name) = stand_in(io.binding) else { continue };
            let name = match io.binding {
                shisa_ir::Binding::PatchLocation(n) => Name::numbered(name, n),
                _ => name.into(),
            };
            let ty = io_type(&mut resources.module.types, io);
            globals.stand_ins.push((io.binding, emission::private(resources.module, name, ty)));
        }
        let vertices = interface::stage_vertices(interface);
        if interface.stage == Stage::TessellationControl {
            globals.control = Some(resources.control(interface, vertices));
        }
        let position = interface.uniforms.iter().position(|u| u.per_lane);
        if let Some(number) = position.filter(|_| !interface.vertex_inputs.is_empty()) {
            let base = resources.module.types.of(Kind::Float, 4);
            let length = NonZeroU32::new(vertices);
            let array = resources.module.types.add(Type::Array { base, length, stride: 16 });
            let each = |io: &'p Io| emission::private(resources.module, (&*io.name).into(), array);
            globals.vertices = Some((number, interface.vertex_inputs.iter().map(each).collect()));
        }
    }
    for (number, u) in interface.uniforms.iter().enumerate() {
        if let Some((of_vertices, inputs)) = &globals.vertices
            && number == *of_vertices
            && let Some(&variable) = inputs.first()
        {
            let vectors = reflection::vectors(program, options, u);
            globals.uniforms.push(UniformGlobal {
                name: &u.name,
                file: u.file,
                vectors,
                variable,
                first: None,
            });
            continue;
        }
        let Some(file) = program.func.files.get(usize::from(u.file.0)) else {
            return Err(crate::unsupported("a uniform array without a register file"));
        };
        let kind = if file.scalar == Scalar::F32 { Kind::Float } else { Kind::Uint };
        let vectors = reflection::vectors(program, options, u);
        let slot = at(Resource::Uniforms(u.binding));
        let uniform = resources.uniform(u, (kind, vectors), slot, globals.lanes, &mut globals.own);
        globals.uniforms.push(uniform);
    }
    for t in &interface.textures {
        globals.textures.push(resources.texture(t, at));
    }
    for s in &interface.samplers {
        let slot = at(Resource::Sampler(s.unit));
        let ty = Type::Sampler { comparison: s.comparison };
        globals.samplers.push(resources.add((&*s.name).into(), AddressSpace::Handle, Some(slot), ty));
    }
    for u in &plan.memory {
        globals.memory.push((u.space, resources.memory(u, interface, options)));
    }
    let positioned = interface.outputs.iter().any(|o| o.binding == shisa_ir::Binding::Position);
    if options.form == Form::Stage && interface::outputs_vertex(interface.stage) && !positioned {
        globals.no_position = Some(resources.module.types.of(Kind::Float, 4));
    }
    globals.outlets.reserve(interface.outputs.len());
    for io in &interface.outputs {
        globals.outlets.push(outlet(io, interface, options.form, target)?);
    }
    if globals.outlets.contains(&Outlet::Distances) {
        let (base, count) =
            (resources.module.types.of(Kind::Float, 1), interface::distances(&interface.outputs));
        let array = Type::Array { base, length: NonZeroU32::new(count.into()), stride: 4 };
        globals.distances = Some((resources.module.types.add(array), count));
    }
    globals.result = result(&mut module.types, program, options, plan, &globals);
    if globals.outlets.iter().all(|outlet| matches!(outlet, Outlet::Member(_))) {
        globals.outlets.clear();
    }
    Ok(globals)
}

/// The structure of outputs; `None` when there are none.
fn result<'p>(
    types: &mut Types<'p>,
    program: &'p Program<'p>,
    options: &'p Options,
    plan: &Plan,
    globals: &Globals<'p>,
) -> Option<TypeId> {
    let interface = program.interface;
    let mut members = std::mem::take(&mut types.members);
    members.reserve(interface.outputs.len() + 1);
    let mut offset = 0u32;
    let mut member = |name: Name<'p>, ty, binding, align: u8, count: u8| {
        let align = [4, 4, 8, 16, 16][usize::from(align.min(4))];
        offset = offset.next_multiple_of(align);
        members.push(Member { name, ty, binding, offset });
        offset += 4 * u32::from(count.max(1));
    };
    for (io, outlet) in interface.outputs.iter().zip(&globals.outlets) {
        if let Outlet::Member(binding) = *outlet {
            member((&*io.name).into(), io_type(types, io), binding, io.count, io.count);
        }
    }
    if let Some((ty, count)) = globals.distances {
        let binding = Some(Binding::BuiltIn(BuiltIn::ClipDistances));
        member("clip_distances".into(), ty, binding, 1, count);
    }
    if options.form == Form::Compute && plan.kills {
        member("killed".into(), types.of(Kind::Bool, 1), None, 1, 1);
    }
    if let Some(ty) = globals.no_position {
        member("no_position".into(), ty, Some(Binding::BuiltIn(BuiltIn::Position)), 4, 4);
    }
    if members.is_empty() {
        types.members = members;
        return None;
    }
    let name = Name::joined(&options.name, "_out");
    types.structure = Some(Structure { name, members, span: offset.next_multiple_of(16) });
    Some(types.add(Type::Structure))
}
