//! Geometry programs: as a geometry stage, and as a kernel whose lanes are primitives.

use super::emission::Emission;
use super::interface::{Function, bind, block, builtin};
use super::module::Id;
use super::registers::Array;
use super::slots::{uniform_element, value_type};
use super::writer::{Refusal, Writer};
use crate::Resource;
use crate::streams::Streams;
use shisa_ir::{Binding, Op as IrOp, Scalar, Topology, Type, Value};
use spirv::{Capability, Decoration, ExecutionMode, Op, StorageClass};

impl Writer<'_> {
    /// Declares the variables that [`Writer::emit_vertex`] needs.
    pub(super) fn geometry_variables(&mut self) -> Result<(), Refusal> {
        if self.interface.geometry.is_none() {
            return Ok(());
        }
        let mut private = |name| {
            let word = self.module.ty(Type::I32);
            let id = self.module.variable(StorageClass::Private, word);
            self.module.name(id, name);
            id
        };
        let count = private("vertex_count");
        let (mut first, mut ended, mut outputs, mut declared) = (0, 0, Vec::new(), Vec::new());
        let mut streams = None;
        if self.kernel {
            first = private("first_element");
            if self.interface.geometry.is_some_and(|g| g.strips.is_some()) {
                ended = private("strip_ended");
            }
        } else {
            self.module.capability(Capability::Geometry);
            outputs = self.output_variables(&mut declared);
            self.vertex_variables();
            let several = Streams::of(self.program);
            streams = several.map(|streams| self.stream_variables(streams, &mut declared)).transpose()?;
        }
        self.emission = Some(Emission { count, first, ended, outputs, streams, declared });
        Ok(())
    }

    /// The execution modes of the stage.
    pub(super) fn geometry_modes(&self) -> Vec<(ExecutionMode, Vec<u32>)> {
        let input = match self.interface.geometry.map_or(1, |g| g.vertices) {
            2 => ExecutionMode::InputLines,
            3 => ExecutionMode::Triangles,
            4 => ExecutionMode::InputLinesAdjacency,
            6 => ExecutionMode::InputTrianglesAdjacency,
            _ => ExecutionMode::InputPoints,
        };
        let most = crate::reflection::max_vertices(self.program, self.options).max(1);
        let strips = self.interface.geometry.and_then(|g| g.strips);
        let output = match strips.map(|strips| strips.topology) {
            Some(Topology::Points) => ExecutionMode::OutputPoints,
            Some(Topology::Lines) => ExecutionMode::OutputLineStrip,
            Some(Topology::Triangles) | None => ExecutionMode::OutputTriangleStrip,
        };
        vec![
            (input, Vec::new()),
            (ExecutionMode::Invocations, vec![strips.map_or(1, |strips| strips.invocations.max(1).into())]),
            (output, Vec::new()),
            (ExecutionMode::OutputVertices, vec![most]),
        ]
    }

    /// Outputs a vertex.
    pub(super) fn emit_vertex(&mut self) {
        let Some(emission) = &self.emission else { return };
        let (count, first, outputs) = (emission.count, emission.first, emission.outputs.clone());
        let so_far = self.value(Op::Load, Type::I32, &[count]);
        let one = self.module.u32(1);
        let next = self.value(Op::IAdd, Type::I32, &[so_far, one]);
        self.effect(Op::Store, &[count, next]);
        let (inside, merge) = (self.module.id(), self.module.id());
        if self.kernel {
            let most = self.module.u32(crate::reflection::max_vertices(self.program, self.options));
            let room = self.value(Op::ULessThan, Type::BOOL, &[so_far, most]);
            self.effect(Op::SelectionMerge, &[merge, 0]);
            self.effect(Op::BranchConditional, &[room, inside, merge]);
            self.label(inside);
            self.write_vertex(first, so_far);
        } else {
            self.store_outputs(outputs);
            self.effect(Op::EmitVertex, &[]);
            let (three, zero) = (self.module.u32(3), self.module.u32(0));
            let rest = self.value(Op::UMod, Type::I32, &[next, three]);
            let complete = self.value(Op::IEqual, Type::BOOL, &[rest, zero]);
            self.effect(Op::SelectionMerge, &[merge, 0]);
            self.effect(Op::BranchConditional, &[complete, inside, merge]);
            self.label(inside);
            self.effect(Op::EndPrimitive, &[]);
        }
        self.effect(Op::Branch, &[merge]);
        self.label(merge);
    }

    /// Outputs a vertex of a strip, if a condition holds and the program may output one more.
    pub(super) fn emit_in_strip(&mut self, cond: Value, stream: Value) -> Result<(), Refusal> {
        let Some(emission) = &self.emission else { return Err(Refusal::Invalid("it outputs no vertices")) };
        let (count, first, ended) = (emission.count, emission.first, emission.ended);
        let (outputs, streams) = (emission.outputs.clone(), emission.streams.clone());
        let so_far = self.value(Op::Load, Type::I32, &[count]);
        let most = self.module.u32(crate::reflection::max_vertices(self.program, self.options));
        let mut runs = self.value(Op::ULessThan, Type::BOOL, &[so_far, most]);
        if !self.holds(cond) {
            let cond = self.id(cond)?;
            runs = self.value(Op::LogicalAnd, Type::BOOL, &[runs, cond]);
        }
        let merge = self.begin_if(runs);
        if self.kernel {
            self.write_vertex(first, so_far);
            let (stream, before) = (self.id(stream)?, self.value(Op::Load, Type::I32, &[ended]));
            let zero = self.module.u32(0);
            let words = self.value(Op::CompositeConstruct, Scalar::I32.by(4), &[stream, before, zero, zero]);
            let first = self.value(Op::Load, Type::I32, &[first]);
            let base = self.scaled(so_far, crate::reflection::vertex_stride(self.program), 1);
            let base = self.value(Op::IAdd, Type::I32, &[first, base]);
            let buffer = self.lane_buffers()[1];
            self.store_element(buffer, base, self.interface.outputs.len() as u32, words);
            self.effect(Op::Store, &[ended, zero]);
        } else if let Some(streams) = streams {
            self.emit_to_stream(&streams, stream)?;
        } else {
            self.store_outputs(outputs);
            self.effect(Op::EmitVertex, &[]);
        }
        let one = self.module.u32(1);
        let next = self.value(Op::IAdd, Type::I32, &[so_far, one]);
        self.effect(Op::Store, &[count, next]);
        self.effect(Op::Branch, &[merge]);
        self.label(merge);
        Ok(())
    }

    /// Ends a strip, if a condition holds.
    pub(super) fn end_strip(&mut self, cond: Value) -> Result<(), Refusal> {
        let merge = match self.holds(cond) {
            true => None,
            false => {
                let cond = self.id(cond)?;
                Some(self.begin_if(cond))
            }
        };
        let emission = self.emission.as_ref();
        let (ended, streams) = emission.map_or((0, None), |e| (e.ended, e.streams.clone()));
        match streams {
            Some(streams) => self.end_strips_of(&streams, None),
            None if ended == 0 => self.effect(Op::EndPrimitive, &[]),
            None => {
                let one = self.module.u32(1);
                self.effect(Op::Store, &[ended, one]);
            }
        }
        if let Some(merge) = merge {
            self.effect(Op::Branch, &[merge]);
            self.label(merge);
        }
        Ok(())
    }

    /// Whether vertices form strips.
    pub(super) fn has_strips(&self) -> bool {
        self.emission.is_some() && self.interface.geometry.is_some_and(|g| g.strips.is_some())
    }

    /// Whether a condition always holds.
    fn holds(&self, cond: Value) -> bool {
        self.node(cond).is_ok_and(|node| matches!(node.op, IrOp::Const(bits) if bits & 1 != 0))
    }

    /// Begins the list of an `if`; returns the block after it.
    pub(super) fn begin_if(&mut self, cond: Id) -> Id {
        let (inside, merge) = (self.module.id(), self.module.id());
        self.effect(Op::SelectionMerge, &[merge, 0]);
        self.effect(Op::BranchConditional, &[cond, inside, merge]);
        self.label(inside);
        merge
    }

    /// Stores the outputs of a vertex in the variables of the stage.
    pub(super) fn store_outputs(&mut self, outputs: Vec<(Id, Type)>) {
        let interface = self.interface;
        for ((io, output), variable) in interface.outputs.iter().zip(outputs).zip(self.outputs.clone()) {
            let value = self.value(Op::Load, value_type(io), &[variable]);
            self.store_output(io, output, value);
        }
    }

    /// Writes the outputs after the vertices that the lane has written.
    fn write_vertex(&mut self, first: Id, so_far: Id) {
        let interface = self.interface;
        let buffer = self.lane_buffers()[1];
        let first = self.value(Op::Load, Type::I32, &[first]);
        let next = self.scaled(so_far, crate::reflection::vertex_stride(self.program), 1);
        let base = self.value(Op::IAdd, Type::I32, &[first, next]);
        let outputs = self.outputs.clone();
        for ((io, variable), i) in interface.outputs.iter().zip(outputs).zip(0..) {
            let value = self.value(Op::Load, value_type(io), &[variable]);
            let words = self.words(io, value);
            self.store_element(buffer, base, i, words);
        }
    }

    /// An output as four 32-bit words.
    pub(super) fn words(&mut self, io: &shisa_ir::Io, value: Id) -> Id {
        let from = Scalar::I32.by(io.count);
        let part = self.bits(value_type(io), from, value);
        let zero = self.module.u32(0);
        let parts: [_; 4] = core::array::from_fn(|i| match i as u8 {
            i if i < io.count => (part, from, i),
            _ => (zero, Type::I32, 0),
        });
        self.gathered(&parts, Scalar::I32.by(4))
    }

    /// The buffers of the compute form: the one that is read, then the one that is written.
    pub(super) fn lane_buffers(&mut self) -> [Id; 2] {
        if let Some(known) = self.lanes {
            return known;
        }
        let element = self.module.ty(Scalar::I32.by(4));
        let array = self.module.runtime_array(element, 16);
        let lanes = block(&mut self.module, array);
        let buffers = [("lanes_in", Resource::LaneInputs), ("lanes_out", Resource::LaneOutputs)].map(
            |(name, resource)| {
                let id = self.module.variable(StorageClass::StorageBuffer, lanes);
                self.module.name(id, name);
                bind(&mut self.module, id, self.options.place(self.interface.stage, resource));
                id
            },
        );
        self.module.decorate(buffers[0], Decoration::NonWritable, &[]);
        self.lanes = Some(buffers);
        buffers
    }

    /// The per-lane arrays: variable, element type, length in vectors, buffer with the initial values.
    fn own(&mut self) -> Vec<(Id, Type, u32, Id)> {
        let arrays = self.initial.iter().filter_map(|&(number, buffer)| {
            let u = self.interface.uniforms.get(number)?;
            let element = uniform_element(self.func.files.get(usize::from(u.file.0)));
            let vectors = crate::reflection::vectors(self.program, self.options, u);
            Some((*self.uniforms.get(number)?, element, vectors, buffer))
        });
        arrays.collect()
    }

    fn set_own(&mut self, array: Id, element: Type, vector: u32, value: Id) {
        let of = self.module.ty(element);
        let pointer = self.module.pointer(StorageClass::Private, of);
        let vector = self.module.u32(vector);
        let place = self.raw(Op::AccessChain, pointer, &[array, vector]);
        self.effect(Op::Store, &[place, value]);
    }

    /// Fills the per-lane arrays from the buffer that is read; `base` is the index of the lane's first element there.
    pub(super) fn own_from_lane(&mut self, buffer: Id, base: Id) {
        let mut first = self.interface.inputs.len() as u32;
        for (array, element, vectors, _) in self.own() {
            for vector in 0..vectors {
                let place = self.offset(base, first + vector);
                let place = self.lane_element(buffer, place);
                let words = self.value(Op::Load, Scalar::I32.by(4), &[place]);
                let value = self.bits(Scalar::I32.by(4), element, words);
                self.set_own(array, element, vector, value);
            }
            first += vectors;
        }
    }

    /// Runs the program for a lane and writes its number of vertices.
    pub(super) fn kernel_emission(&mut self, function: &Function, arguments: &[Id], lane: Id, buffer: Id) {
        let Some(emission) = &self.emission else { return };
        let (count, first, ended) = (emission.count, emission.first, emission.ended);
        let most = crate::reflection::max_vertices(self.program, self.options);
        let stride = 1 + most * crate::reflection::vertex_stride(self.program);
        let element = self.scaled(lane, stride, 0);
        let (zero, one) = (self.module.u32(0), self.module.u32(1));
        self.effect(Op::Store, &[first, element]);
        if ended != 0 {
            self.effect(Op::Store, &[ended, one]);
        }
        self.effect(Op::Store, &[count, zero]);
        self.call(function, arguments);
        let vertices = self.value(Op::Load, Type::I32, &[count]);
        let words = self.value(Op::CompositeConstruct, Scalar::I32.by(4), &[vertices, zero, zero, zero]);
        self.store_element(buffer, element, 0, words);
    }

    /// The entry point of the stage.
    pub(super) fn geometry_entry(&mut self, function: &Function, used: &mut Vec<Id>) {
        let Some(geometry) = self.interface.geometry else { return };
        let Some(count) = self.emission.as_ref().map(|e| e.count) else { return };
        used.extend(self.emission.iter().flat_map(|e| &e.declared));
        let (vertices, attributes) = (u32::from(geometry.vertices), u32::from(geometry.attributes.max(1)));
        let quad = Scalar::F32.by(4);
        let locations = |b: &Binding| match b {
            Binding::Location(n) => n + 1,
            _ => 0,
        };
        let declared = match geometry.start {
            Some(_) if !self.vertex_inputs.is_empty() => 0,
            Some(_) => attributes,
            None => self
                .interface
                .inputs
                .iter()
                .map(|io| locations(&io.binding))
                .max()
                .unwrap_or(0)
                .min(attributes),
        };
        let of = self.module.ty(quad);
        let inputs: Vec<Id> = (0..declared)
            .map(|n| {
                let array = self.module.array(of, vertices, None);
                let id = self.module.variable(StorageClass::Input, array);
                self.module.name(id, &format!("attribute{n}"));
                self.module.decorate(id, Decoration::Location, &[n]);
                id
            })
            .collect();
        used.extend(&inputs);
        let attribute = |w: &mut Self, n: u32| {
            let input = inputs.get((n % attributes) as usize).copied()?;
            let vertex = w.module.u32(n / attributes);
            let pointer = w.module.pointer(StorageClass::Input, of);
            let place = w.raw(Op::AccessChain, pointer, &[input, vertex]);
            Some(w.value(Op::Load, quad, &[place]))
        };
        for (array, element, vectors, buffer) in self.own() {
            let from = geometry.start.map_or(vectors, u32::from);
            for vector in 0..vectors {
                let given = vector.checked_sub(from).filter(|n| *n < vertices * attributes);
                let value = match given.and_then(|n| attribute(self, n)) {
                    Some(value) => value,
                    None => {
                        let index = self.module.u32(vector);
                        self.load_element(Array { variable: buffer, own: false }, element, index)
                    }
                };
                self.set_own(array, element, vector, value);
            }
        }
        let mut arguments = Vec::with_capacity(self.interface.inputs.len());
        for io in &self.interface.inputs {
            if builtin(io.binding).is_some() {
                let (variable, ty) = self.stage_variable(io, StorageClass::Input);
                used.push(variable);
                let raw = self.value(Op::Load, ty, &[variable]);
                arguments.push(self.provided(raw, ty, value_type(io)));
                continue;
            }
            let number = locations(&io.binding).saturating_sub(1);
            let given = attribute(self, number).ok_or(Refusal::Invalid("a vertex lacks an attribute"));
            arguments.push(self.certain(given));
        }
        let zero = self.module.u32(0);
        self.effect(Op::Store, &[count, zero]);
        self.call(function, &arguments);
        self.effect(Op::Return, &[]);
    }
}
