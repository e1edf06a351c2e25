//! Stage inputs and outputs, resources, and the entry point.

use super::emission::Emission;
use super::module::{Id, Module, push, push_string};
use super::slots::{levels, uniform_element, value_type};
use super::writer::{Killing, Refusal, TextureUnit, Writer};
use crate::reflection::ENTRY;
use crate::{Form, LANES_A_WORKGROUP, Options, Place, Resource, SpirvVersion};
use shisa_ir::{Binding, Interpolation, Io, Sampling, Scalar, Stage, TextureAccess, Type};
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};
use std::collections::BTreeSet;

/// The program's function, as the entry point calls it.
pub(super) struct Function {
    pub(super) id: Id,
    /// Its result: a structure of the outputs and, with [`Killing::Flag`], whether the lane was killed. Void if 0.
    pub(super) result: Id,
}

/// The built-in variable of an input that is a built-in or is computed from one.
pub(super) fn builtin(binding: Binding) -> Option<(BuiltIn, Type)> {
    Some(match binding {
        Binding::Location(_) | Binding::Varying { .. } => return None,
        Binding::Position => (BuiltIn::Position, Scalar::F32.by(4)),
        Binding::Depth => (BuiltIn::FragDepth, Type::F32),
        Binding::Stencil => (BuiltIn::FragStencilRefEXT, Type::I32),
        Binding::InstanceIndex => (BuiltIn::InstanceIndex, Type::I32),
        Binding::VertexIndex => (BuiltIn::VertexIndex, Type::I32),
        Binding::Pixel | Binding::PixelDepth | Binding::PixelPosition => {
            (BuiltIn::FragCoord, Scalar::F32.by(4))
        }
        Binding::FrontFacing => (BuiltIn::FrontFacing, Type::BOOL),
        Binding::SampleIndex => (BuiltIn::SampleId, Type::I32),
        Binding::SampleMask => (BuiltIn::SampleMask, Type::I32),
        Binding::GlobalId => (BuiltIn::GlobalInvocationId, Scalar::I32.by(3)),
        Binding::LocalId => (BuiltIn::LocalInvocationId, Scalar::I32.by(3)),
        Binding::LocalIndex => (BuiltIn::LocalInvocationIndex, Type::I32),
        Binding::GroupId => (BuiltIn::WorkgroupId, Scalar::I32.by(3)),
        Binding::PointSize => (BuiltIn::PointSize, Type::F32),
        Binding::PointCoordinate => (BuiltIn::PointCoord, Scalar::F32.by(2)),
        Binding::PrimitiveIndex => (BuiltIn::PrimitiveId, Type::I32),
        Binding::InvocationIndex => (BuiltIn::InvocationId, Type::I32),
        Binding::PatchVertices => (BuiltIn::PatchVertices, Type::I32),
        Binding::DomainPosition => (BuiltIn::TessCoord, Scalar::F32.by(3)),
        // Levels are elements of arrays.
        Binding::PatchLocation(_) | Binding::OuterLevel | Binding::InnerLevel => return None,
        Binding::Layer => (BuiltIn::Layer, Type::I32),
        Binding::ViewportIndex => (BuiltIn::ViewportIndex, Type::I32),
        // Distances are elements of one array.
        Binding::ClipDistance(_) => return None,
        // The check of the interface refuses it.
        Binding::ViewportMask => return None,
    })
}

/// Whether the program uses a component.
const fn uses(io: &Io, component: u8) -> bool {
    io.used.0 >> component & 1 != 0
}

pub(super) fn block(module: &mut Module, member: Id) -> Id {
    let id = module.structure(&[member]);
    module.decorate(id, Decoration::Block, &[]);
    module.decorate_member(id, 0, Decoration::Offset, &[0]);
    id
}

pub(super) fn bind(module: &mut Module, id: Id, place: Place) {
    module.decorate(id, Decoration::DescriptorSet, &[place.group]);
    module.decorate(id, Decoration::Binding, &[place.binding]);
}

impl Writer<'_> {
    /// Declares uniform arrays and textures.
    pub(super) fn resources(&mut self, options: &Options) {
        let stage = self.interface.stage;
        let at = |resource| options.place(stage, resource);
        for (number, u) in self.interface.uniforms.iter().enumerate() {
            let element = uniform_element(self.func.files.get(usize::from(u.file.0)));
            let element = self.module.ty(element);
            let vectors = crate::reflection::vectors(self.program, self.options, u);
            if self.reads_vertices(u) {
                self.uniforms.push(0);
                continue;
            }
            if u.per_lane {
                let array = self.module.array(element, vectors, None);
                let own = self.module.variable(StorageClass::Private, array);
                self.module.name(own, &u.name);
                self.uniforms.push(own);
                self.initial.push((number, 0));
                if self.kernel {
                    continue;
                }
            }
            let array = self.module.array(element, vectors, Some(16));
            let block = block(&mut self.module, array);
            let id = self.module.variable(StorageClass::Uniform, block);
            self.module.name(block, &format!("{}_block", u.name));
            self.module.member_name(block, 0, &u.name);
            self.module.name(id, &u.name);
            bind(&mut self.module, id, at(Resource::Uniforms(u.binding)));
            match self.initial.last_mut().filter(|_| u.per_lane) {
                Some(own) => own.1 = id,
                None => self.uniforms.push(id),
            }
        }
        for t in &self.interface.textures {
            let ty = self.image_type(t);
            let whole = if t.indexed { self.module.descriptors(ty) } else { ty };
            let image = self.module.variable(StorageClass::UniformConstant, whole);
            self.module.name(image, &t.name);
            bind(&mut self.module, image, at(Resource::Texture(t.unit)));
            if matches!(t.access, TextureAccess::Written | TextureAccess::Bits(_)) {
                self.module.decorate(image, Decoration::NonReadable, &[]);
            }
            let mut sampler = 0;
            if t.access == TextureAccess::Sampled {
                sampler = self.sampler_variable(&format!("{}_sampler", t.name), t.indexed);
                bind(&mut self.module, sampler, at(Resource::Sampler(t.unit)));
            }
            let (unit, shape, access) = (t.unit, t.shape, t.access);
            self.textures.push(TextureUnit { unit, shape, access, ty, image, sampler });
        }
        for s in &self.interface.samplers {
            let indexed = self.interface.textures.iter().any(|t| t.unit == s.unit && t.indexed);
            let sampler = self.sampler_variable(&s.name, indexed);
            bind(&mut self.module, sampler, at(Resource::Sampler(s.unit)));
            self.samplers.push((s.unit, sampler));
        }
    }

    fn sampler_variable(&mut self, name: &str, indexed: bool) -> Id {
        let mut ty = self.module.sampler();
        if indexed {
            ty = self.module.descriptors(ty);
        }
        let sampler = self.module.variable(StorageClass::UniformConstant, ty);
        self.module.name(sampler, name);
        sampler
    }

    /// The entry point.
    pub(super) fn entry(&mut self, options: &Options, function: &Function) -> Result<(), Refusal> {
        self.code.clear();
        self.locals.clear();
        let id = self.module.id();
        let mut used = Vec::new();
        let (model, workgroup) = match (options.form, self.interface.stage) {
            (Form::Compute, _) => (ExecutionModel::GLCompute, Some([LANES_A_WORKGROUP, 1, 1])),
            (_, Stage::Vertex) => (ExecutionModel::Vertex, None),
            (_, Stage::Fragment) => (ExecutionModel::Fragment, None),
            (_, Stage::Compute) => (ExecutionModel::GLCompute, Some(self.interface.workgroup)),
            (_, Stage::TessellationControl) => (ExecutionModel::TessellationControl, None),
            (_, Stage::TessellationEvaluation) => (ExecutionModel::TessellationEvaluation, None),
            (_, Stage::Geometry) => (ExecutionModel::Geometry, None),
        };
        if options.form == Form::Compute {
            self.kernel_entry(function, &mut used);
        } else if model == ExecutionModel::Geometry {
            self.geometry_entry(function, &mut used);
        } else {
            self.stage_entry(function, &mut used);
        }
        used.extend(self.vertex_inputs.iter().copied().collect::<BTreeSet<Id>>());
        used.extend(self.control.variables());
        if self.version >= SpirvVersion::V1_4 {
            used.extend(self.uniforms.iter().filter(|id| **id != 0));
            used.extend(self.initial.iter().map(|own| own.1).filter(|id| *id != 0));
            used.extend(self.emission.iter().flat_map(Emission::privates));
            used.extend(self.textures.iter().flat_map(|t| [t.image, t.sampler]).filter(|id| *id != 0));
            used.extend(self.samplers.iter().map(|s| s.1));
            used.extend(self.memory.iter().chain(&self.longs).map(|m| m.1));
        }
        let name = match &options.entry {
            Some(name) => name.clone(),
            None => format!("{}{ENTRY}", options.name),
        };
        let head = [model as u32, id];
        push_string(&mut self.module.entry, Op::EntryPoint, &head, &name, &used);
        let mut modes = match model {
            ExecutionModel::Geometry => self.geometry_modes(),
            ExecutionModel::TessellationControl | ExecutionModel::TessellationEvaluation => {
                self.tessellation_modes()
            }
            _ => Vec::new(),
        };
        modes.extend(self.float16_modes());
        let mut mode = |mode: ExecutionMode, operands: &[u32]| {
            let mut words = vec![id, mode as u32];
            words.extend_from_slice(operands);
            push(&mut self.module.entry, Op::ExecutionMode, &words);
        };
        if let Some(size) = workgroup {
            mode(ExecutionMode::LocalSize, &size.map(|n| n.max(1)));
        }
        modes.iter().for_each(|(name, operands)| mode(*name, operands));
        if model == ExecutionModel::Fragment {
            mode(ExecutionMode::OriginUpperLeft, &[]);
            let gives = |binding| self.interface.outputs.iter().any(|o| o.binding == binding);
            if gives(Binding::Depth) {
                mode(ExecutionMode::DepthReplacing, &[]);
            }
            if gives(Binding::Stencil) {
                mode(ExecutionMode::StencilRefReplacingEXT, &[]);
                self.module.capability(Capability::StencilExportEXT);
                self.module.extension("SPV_EXT_shader_stencil_export");
            }
        }
        self.module.name(id, &name);
        let void = self.module.void();
        let signature = self.module.function(&[void]);
        self.close_function(void, id, signature, &[]);
        Ok(())
    }

    /// Moves the finished function to the module; returns the word at which its body begins.
    pub(super) fn close_function(&mut self, result: Id, id: Id, signature: Id, params: &[(Id, Id)]) -> usize {
        let out = &mut self.module.functions;
        out.reserve(self.locals.len() + self.code.len() + 4 * params.len() + 16);
        push(out, Op::Function, &[result, id, 0, signature]);
        for &(ty, id) in params {
            push(out, Op::FunctionParameter, &[ty, id]);
        }
        self.module_label();
        let out = &mut self.module.functions;
        out.extend_from_slice(&self.locals);
        let start = out.len();
        out.extend_from_slice(&self.code);
        push(out, Op::FunctionEnd, &[]);
        start
    }

    fn module_label(&mut self) {
        let label = self.module.id();
        push(&mut self.module.functions, Op::Label, &[label]);
    }

    pub(super) fn call(&mut self, function: &Function, arguments: &[Id]) -> Id {
        let result = if function.result == 0 { self.module.void() } else { function.result };
        let mut operands = vec![function.id];
        operands.extend_from_slice(arguments);
        self.raw(Op::FunctionCall, result, &operands)
    }

    fn stage_entry(&mut self, function: &Function, used: &mut Vec<Id>) {
        let interface = self.interface;
        let mut arguments = Vec::with_capacity(interface.inputs.len());
        // Each built-in has one variable.
        let mut known: Vec<(BuiltIn, Id)> = Vec::new();
        for io in &interface.inputs {
            let built_in = builtin(io.binding);
            let of_one = |(which, ty): (BuiltIn, Type)| {
                known.iter().find(|k| k.0 == which).map(|(_, variable)| (*variable, ty))
            };
            if let Binding::ClipDistance(first) = io.binding {
                let array = self.distances(StorageClass::Input, used);
                let parts: Vec<Id> = (0..io.count).map(|c| self.distance(array, first, io, c)).collect();
                arguments.push(match parts[..] {
                    [one] => one,
                    _ => self.value(Op::CompositeConstruct, value_type(io), &parts),
                });
                continue;
            }
            if let Some(levels) = levels(io.binding) {
                let levels = self.level_input(io, levels);
                used.push(levels.0);
                arguments.push(levels.1);
                continue;
            }
            let (variable, mut ty) = built_in.and_then(of_one).unwrap_or_else(|| {
                let made = self.stage_variable(io, StorageClass::Input);
                used.push(made.0);
                made
            });
            known.extend(built_in.map(|(which, _)| (which, variable)));
            let mut place = variable;
            if io.binding == Binding::SampleMask {
                let of = self.module.ty(ty);
                let pointer = self.module.pointer(StorageClass::Input, of);
                let first = self.module.u32(0);
                place = self.raw(Op::AccessChain, pointer, &[variable, first]);
            }
            let mut raw = self.value(Op::Load, ty, &[place]);
            if io.binding == Binding::PixelDepth {
                (raw, ty) = (self.value(Op::CompositeExtract, Type::F32, &[raw, 2]), Type::F32);
            }
            arguments.push(self.provided(raw, ty, value_type(io)));
        }
        let outputs = self.output_variables(used);
        let result = self.call(function, &arguments);
        if let Killing::Flag(_) = self.killing {
            let number = outputs.len() as u32;
            let killed = self.value(Op::CompositeExtract, Type::BOOL, &[result, number]);
            let (kill, on) = (self.module.id(), self.module.id());
            self.effect(Op::SelectionMerge, &[on, 0]);
            self.effect(Op::BranchConditional, &[killed, kill, on]);
            self.label(kill);
            self.effect(Op::Kill, &[]);
            self.label(on);
        }
        for ((io, output), i) in interface.outputs.iter().zip(outputs).zip(0..) {
            let part = self.value(Op::CompositeExtract, value_type(io), &[result, i]);
            self.store_output(io, output, part);
        }
        self.effect(Op::Return, &[]);
    }

    /// The variables of outputs with their types; all distances to clipping planes have one.
    pub(super) fn output_variables(&mut self, used: &mut Vec<Id>) -> Vec<(Id, Type)> {
        let mut array = None;
        let mut all = Vec::with_capacity(self.interface.outputs.len());
        for io in &self.interface.outputs {
            if let Binding::ClipDistance(_) = io.binding {
                let id = match array {
                    Some(id) => id,
                    None => self.distances(StorageClass::Output, used),
                };
                array = Some(id);
                all.push((id, Type::F32));
                continue;
            }
            let made = self.stage_variable(io, StorageClass::Output);
            used.push(made.0);
            all.push(made);
        }
        all
    }

    /// Stores an output in its variable.
    pub(super) fn store_output(&mut self, io: &Io, (variable, ty): (Id, Type), mut value: Id) {
        match io.binding {
            Binding::ClipDistance(first) => {
                for c in (0..io.count).filter(|c| uses(io, *c)) {
                    let mut part = value;
                    if io.count > 1 {
                        part = self.value(Op::CompositeExtract, Type::F32, &[value, c.into()]);
                    }
                    let place = self.element_place(StorageClass::Output, ty, variable, (first + c).into());
                    self.effect(Op::Store, &[place, part]);
                }
            }
            Binding::SampleMask => {
                let place = self.element_place(StorageClass::Output, ty, variable, 0);
                self.effect(Op::Store, &[place, value]);
            }
            _ => {
                if ty != value_type(io) {
                    value = self.value(Op::CompositeExtract, ty, &[value, 0]);
                }
                self.effect(Op::Store, &[variable, value]);
            }
        }
    }

    /// A pointer to an element of an array in a variable.
    pub(super) fn element_place(&mut self, class: StorageClass, ty: Type, variable: Id, index: u32) -> Id {
        let of = self.module.ty(ty);
        let pointer = self.module.pointer(class, of);
        let index = self.module.u32(index);
        self.raw(Op::AccessChain, pointer, &[variable, index])
    }

    /// The variable with the distances to clipping planes.
    fn distances(&mut self, class: StorageClass, used: &mut Vec<Id>) -> Id {
        let inputs = class == StorageClass::Input;
        let all = if inputs { &self.interface.inputs } else { &self.interface.outputs };
        let of = self.module.ty(Type::F32);
        let array = self.module.array(of, crate::interface::distances(all).max(1).into(), None);
        if let Some(known) = self.distance_inputs.filter(|_| inputs) {
            return known;
        }
        let id = self.module.variable(class, array);
        self.module.name(id, "clip_distance");
        self.module.capability(Capability::ClipDistance);
        self.module.decorate(id, Decoration::BuiltIn, &[BuiltIn::ClipDistance as u32]);
        used.push(id);
        if inputs {
            self.distance_inputs = Some(id);
        }
        id
    }

    /// A distance to a clipping plane that is an input; 0 for one that the program does not use.
    fn distance(&mut self, array: Id, first: u8, io: &Io, component: u8) -> Id {
        if !uses(io, component) {
            let ty = self.module.ty(Type::F32);
            return self.module.null(ty);
        }
        let place = self.element_place(StorageClass::Input, Type::F32, array, (first + component).into());
        self.value(Op::Load, Type::F32, &[place])
    }

    /// The variable of an input or output, and its type.
    pub(super) fn stage_variable(&mut self, io: &Io, class: StorageClass) -> (Id, Type) {
        let provided = builtin(io.binding);
        let ty = provided.map_or_else(|| value_type(io), |(_, ty)| ty);
        let mut of = self.module.ty(ty);
        if io.binding == Binding::SampleMask {
            // An array: the mask also has words for samples from the 33rd on.
            of = self.module.array(of, 1, None);
        }
        let id = self.module.variable(class, of);
        self.module.name(id, &io.name);
        if let Binding::Location(n) = io.binding {
            self.module.decorate(id, Decoration::Location, &[n]);
            let varying = class == StorageClass::Input && self.interface.stage == Stage::Fragment;
            if varying && !io.scalar.is_float() {
                self.module.decorate(id, Decoration::Flat, &[]);
            }
        }
        if let Binding::PatchLocation(n) = io.binding {
            self.module.decorate(id, Decoration::Location, &[n]);
            self.module.decorate(id, Decoration::Patch, &[]);
        }
        if let Binding::Varying { location, interpolation, sampling } = io.binding {
            self.module.decorate(id, Decoration::Location, &[location]);
            match interpolation {
                Interpolation::Flat => self.module.decorate(id, Decoration::Flat, &[]),
                Interpolation::Linear => self.module.decorate(id, Decoration::NoPerspective, &[]),
                Interpolation::Perspective => {}
            }
            match sampling {
                Sampling::Centre => {}
                Sampling::Centroid => self.module.decorate(id, Decoration::Centroid, &[]),
                Sampling::Sample => {
                    self.module.capability(Capability::SampleRateShading);
                    self.module.decorate(id, Decoration::Sample, &[]);
                }
            }
        }
        if let Some((which, _)) = provided {
            self.module.decorate(id, Decoration::BuiltIn, &[which as u32]);
            if which == BuiltIn::SampleId {
                self.module.capability(Capability::SampleRateShading);
            }
            let input = class == StorageClass::Input;
            if input
                && self.interface.stage == Stage::Fragment
                && matches!(
                    which,
                    BuiltIn::SampleId
                        | BuiltIn::SampleMask
                        | BuiltIn::PrimitiveId
                        | BuiltIn::Layer
                        | BuiltIn::ViewportIndex
                )
            {
                self.module.decorate(id, Decoration::Flat, &[]);
            }
            match which {
                BuiltIn::PrimitiveId if self.interface.tessellation.is_none() => {
                    self.module.capability(Capability::Geometry);
                }
                BuiltIn::PointSize => self.sized_points(),
                BuiltIn::Layer | BuiltIn::ViewportIndex => self.layered(which, input),
                _ => {}
            }
        }
        (id, ty)
    }

    /// Declares what the layer or the viewport needs in the stage.
    fn layered(&mut self, which: BuiltIn, input: bool) {
        if input || self.interface.stage == Stage::Geometry {
            self.module.capability(Capability::Geometry);
            if which == BuiltIn::ViewportIndex {
                self.module.capability(Capability::MultiViewport);
            }
        } else {
            self.module.capability(Capability::ShaderViewportIndexLayerEXT);
            self.module.extension("SPV_EXT_shader_viewport_index_layer");
        }
    }

    /// An input as the program expects it: built-ins are converted to its kind, missing components repeat the last.
    pub(super) fn provided(&mut self, raw: Id, from: Type, to: Type) -> Id {
        if from == to {
            return raw;
        }
        if from == Type::BOOL {
            let (one, zero) = (self.module.u32(1), self.module.u32(0));
            return self.value(Op::Select, to, &[raw, one, zero]);
        }
        let mut id = raw;
        let mut ty = from;
        if from.scalar != to.scalar {
            ty = to.with_count(from.count);
            let op = if to.scalar.is_float() { Op::ConvertUToF } else { Op::ConvertFToU };
            id = self.value(op, ty, &[id]);
        }
        let parts: [_; 4] = core::array::from_fn(|i| (id, ty, (i as u8).min(ty.count.saturating_sub(1))));
        self.gathered(&parts[..usize::from(to.count.min(4))], to)
    }

    /// Runs the program for the lane with the invocation's number, if that lane exists.
    fn kernel_entry(&mut self, function: &Function, used: &mut Vec<Id>) {
        let interface = self.interface;
        let quad = Scalar::I32.by(4);
        let buffers = self.lane_buffers();
        let number = self.module.ty(Scalar::I32.by(3));
        let number = self.module.variable(StorageClass::Input, number);
        self.module.decorate(number, Decoration::BuiltIn, &[BuiltIn::GlobalInvocationId as u32]);
        used.push(number);
        if self.version >= SpirvVersion::V1_4 {
            used.extend(buffers);
        }
        let number = self.value(Op::Load, Scalar::I32.by(3), &[number]);
        let lane = self.value(Op::CompositeExtract, Type::I32, &[number, 0]);
        let zero = self.module.u32(0);
        let first = self.lane_element(buffers[0], zero);
        let first = self.value(Op::Load, quad, &[first]);
        let count = self.value(Op::CompositeExtract, Type::I32, &[first, 0]);
        let inside = self.value(Op::ULessThan, Type::BOOL, &[lane, count]);
        let (run, end) = (self.module.id(), self.module.id());
        self.effect(Op::SelectionMerge, &[end, 0]);
        self.effect(Op::BranchConditional, &[inside, run, end]);
        self.label(run);
        let base = self.scaled(lane, crate::reflection::input_stride(self.program, self.options), 1);
        let mut arguments = Vec::with_capacity(interface.inputs.len());
        for (io, i) in interface.inputs.iter().zip(0..) {
            let place = self.offset(base, i);
            let place = self.lane_element(buffers[0], place);
            let whole = self.value(Op::Load, quad, &[place]);
            let from = Scalar::I32.by(io.count);
            let parts: [_; 4] = core::array::from_fn(|i| (whole, quad, i as u8));
            let part = self.gathered(&parts[..usize::from(io.count.min(4))], from);
            arguments.push(self.bits(from, value_type(io), part));
        }
        self.own_from_lane(buffers[0], base);
        if self.emission.is_some() {
            self.kernel_emission(function, &arguments, lane, buffers[1]);
            self.effect(Op::Branch, &[end]);
            self.label(end);
            return self.effect(Op::Return, &[]);
        }
        let result = self.call(function, &arguments);
        let stride = interface.outputs.len() as u32 + 1;
        let base = self.scaled(lane, stride, 0);
        for (io, i) in interface.outputs.iter().zip(0..) {
            let part = self.value(Op::CompositeExtract, value_type(io), &[result, i]);
            let whole = self.words(io, part);
            self.store_element(buffers[1], base, i, whole);
        }
        let mut killed = zero;
        if let Killing::Flag(_) = self.killing {
            let flag = self.value(Op::CompositeExtract, Type::BOOL, &[result, stride - 1]);
            let one = self.module.u32(1);
            killed = self.value(Op::Select, Type::I32, &[flag, one, zero]);
        }
        let whole = self.value(Op::CompositeConstruct, quad, &[killed, zero, zero, zero]);
        self.store_element(buffers[1], base, stride - 1, whole);
        self.effect(Op::Branch, &[end]);
        self.label(end);
        self.effect(Op::Return, &[]);
    }

    pub(super) fn offset(&mut self, base: Id, offset: u32) -> Id {
        self.scaled(base, 1, offset)
    }

    pub(super) fn store_element(&mut self, buffer: Id, base: Id, offset: u32, whole: Id) {
        let place = self.offset(base, offset);
        let place = self.lane_element(buffer, place);
        self.effect(Op::Store, &[place, whole]);
    }

    pub(super) fn lane_element(&mut self, buffer: Id, index: Id) -> Id {
        let of = self.module.ty(Scalar::I32.by(4));
        let pointer = self.module.pointer(StorageClass::StorageBuffer, of);
        let member = self.module.u32(0);
        self.raw(Op::AccessChain, pointer, &[buffer, member, index])
    }
}

/// Declares the capabilities that every module needs.
pub(super) fn capabilities(module: &mut Module) {
    module.capability(Capability::Shader);
}
