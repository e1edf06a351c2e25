//! Tessellation stages: levels, the outputs that the runs of a control program share, and how patches are divided.

use super::interface::builtin;
use super::module::Id;
use super::slots::{levels, value_type};
use super::writer::{Refusal, Writer};
use shisa_ir::{
    Binding, DivisionOutput, Domain, Io, PatchPlace, PatchVertex, Scalar, Spacing, Stage, Type, Value,
    patch_place,
};
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, Scope, StorageClass};

impl Writer<'_> {
    /// Declares the inputs of vertices and the outputs of a control program.
    pub(super) fn tessellation_variables(&mut self) {
        let interface = self.interface;
        let Some(tessellation) = interface.tessellation.filter(|_| !self.kernel) else { return };
        self.module.capability(Capability::Tessellation);
        self.vertex_variables();
        let vertices = u32::from(tessellation.outputs.max(1));
        let mut distances = None;
        for io in &interface.vertex_outputs {
            let id = match (io.binding, distances) {
                (Binding::ClipDistance(_), Some(id)) => id,
                (Binding::ClipDistance(_), None) => {
                    let of = self.module.ty(Type::F32);
                    let count = crate::interface::distances(&interface.vertex_outputs).max(1);
                    let of = self.module.array(of, count.into(), None);
                    self.module.capability(Capability::ClipDistance);
                    let id = self.control_variable(of, vertices, "clip_distance");
                    self.module.decorate(id, Decoration::BuiltIn, &[BuiltIn::ClipDistance as u32]);
                    distances = Some(id);
                    id
                }
                _ => {
                    let of = self.module.ty(value_type(io));
                    let id = self.control_variable(of, vertices, &io.name);
                    if let Some((which, _)) = builtin(io.binding) {
                        if which == BuiltIn::PointSize {
                            self.sized_points();
                        }
                        self.module.decorate(id, Decoration::BuiltIn, &[which as u32]);
                    }
                    if let Binding::Location(n) = io.binding {
                        self.module.decorate(id, Decoration::Location, &[n]);
                    }
                    id
                }
            };
            self.control.vertex.push(id);
        }
        for io in &interface.patch_outputs {
            let id = match levels(io.binding) {
                Some(levels) => self.level_variable(io, levels, StorageClass::Output),
                None => self.stage_variable(io, StorageClass::Output).0,
            };
            self.control.patch.push(id);
        }
    }

    fn control_variable(&mut self, of: Id, vertices: u32, name: &str) -> Id {
        let array = self.module.array(of, vertices, None);
        let id = self.module.variable(StorageClass::Output, array);
        self.module.name(id, name);
        id
    }

    fn level_variable(&mut self, io: &Io, (which, count): (BuiltIn, u32), class: StorageClass) -> Id {
        let of = self.module.ty(Type::F32);
        let array = self.module.array(of, count, None);
        let id = self.module.variable(class, array);
        self.module.name(id, &io.name);
        self.module.decorate(id, Decoration::BuiltIn, &[which as u32]);
        self.module.decorate(id, Decoration::Patch, &[]);
        id
    }

    /// The variable of levels that are an input, and their value.
    pub(super) fn level_input(&mut self, io: &Io, levels: (BuiltIn, u32)) -> (Id, Id) {
        let variable = self.level_variable(io, levels, StorageClass::Input);
        let load = |w: &mut Self, c: u8| {
            let place = w.element_place(StorageClass::Input, Type::F32, variable, c.into());
            w.value(Op::Load, Type::F32, &[place])
        };
        let parts: Vec<Id> = (0..io.count).map(|c| load(self, c)).collect();
        let value = match parts[..] {
            [one] => one,
            _ => self.value(Op::CompositeConstruct, value_type(io), &parts),
        };
        (variable, value)
    }

    /// The execution modes of a tessellation stage.
    pub(super) fn tessellation_modes(&self) -> Vec<(ExecutionMode, Vec<u32>)> {
        let Some(tessellation) = self.interface.tessellation else { return Vec::new() };
        if self.interface.stage == Stage::TessellationControl {
            return vec![(ExecutionMode::OutputVertices, vec![tessellation.outputs.max(1).into()])];
        }
        let division = tessellation.division;
        let domain = match division.domain {
            Domain::Isolines => ExecutionMode::Isolines,
            Domain::Triangles => ExecutionMode::Triangles,
            Domain::Quads => ExecutionMode::Quads,
        };
        let spacing = match division.spacing {
            Spacing::Equal => ExecutionMode::SpacingEqual,
            Spacing::FractionalOdd => ExecutionMode::SpacingFractionalOdd,
            Spacing::FractionalEven => ExecutionMode::SpacingFractionalEven,
        };
        let order = match division.output {
            DivisionOutput::Clockwise => ExecutionMode::VertexOrderCw,
            _ => ExecutionMode::VertexOrderCcw,
        };
        let mut modes = vec![domain, spacing, order];
        if division.output == DivisionOutput::Points {
            modes.push(ExecutionMode::PointMode);
        }
        modes.into_iter().map(|mode| (mode, Vec::new())).collect()
    }

    /// A pointer to a component of the outputs of a control program.
    fn patch_component(&mut self, place: PatchPlace, after: u8) -> Result<Id, Refusal> {
        let interface = self.interface;
        let (list, variables, unit) = match place {
            PatchPlace::Patch(unit) => (&interface.patch_outputs, &self.control.patch, unit),
            PatchPlace::Vertex(_, unit) => (&interface.vertex_outputs, &self.control.vertex, unit),
        };
        let unit = unit.saturating_add(after.into());
        let holds = |io: &Io| unit.checked_sub(io.reg.unit).is_some_and(|n| n < u16::from(io.count));
        let number = list.iter().position(holds);
        let found = number.and_then(|n| Some((list.get(n)?, *variables.get(n)?)));
        let Some((io, variable)) = found else {
            return Err(Refusal::Invalid("an output of a patch does not exist"));
        };
        let component = u32::from(unit - io.reg.unit);
        let mut path = vec![variable];
        if let PatchPlace::Vertex(vertex, _) = place {
            path.push(match vertex {
                PatchVertex::Fixed(n) => self.module.u32(n),
                PatchVertex::Computed(v) => self.id(v)?,
            });
        }
        match io.binding {
            Binding::ClipDistance(first) => path.push(self.module.u32(u32::from(first) + component)),
            _ if io.count > 1 || levels(io.binding).is_some() => path.push(self.module.u32(component)),
            _ => {}
        }
        if path.len() == 1 {
            return Ok(variable);
        }
        let of = self.module.ty(Type::F32);
        let pointer = self.module.pointer(StorageClass::Output, of);
        Ok(self.raw(Op::AccessChain, pointer, &path))
    }

    /// Whether a space of memory is the outputs of a control program.
    pub(super) fn is_patch(&self, space: shisa_ir::Space) -> bool {
        space == shisa_ir::Space::Shared && self.interface.stage == Stage::TessellationControl
    }

    fn patch_place(&self, address: Value) -> Result<PatchPlace, Refusal> {
        let place = patch_place(&self.func.nodes, address);
        place.ok_or(Refusal::Unsupported("an output of a patch with a computed number"))
    }

    /// Loads outputs of a control program.
    pub(super) fn load_patch(&mut self, address: Value, ty: Type) -> Result<Id, Refusal> {
        let place = self.patch_place(address)?;
        let mut parts = [(0, Type::F32, 0); 4];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let pointer = self.patch_component(place, i)?;
            part.0 = self.value(Op::Load, Type::F32, &[pointer]);
        }
        let from = Scalar::F32.by(ty.count);
        let whole = self.gather(&parts[..usize::from(ty.count.min(4))], from)?;
        Ok(self.bits(from, ty, whole))
    }

    /// Stores outputs of a control program. A run stores only what belongs to its own vertex.
    pub(super) fn store_patch(&mut self, address: Value, value: Value) -> Result<(), Refusal> {
        let place = self.patch_place(address)?;
        if let PatchPlace::Vertex(vertex, _) = place
            && !crate::patch::is_own(self.program, vertex)
        {
            return Err(Refusal::Unsupported("a store of an output of another vertex"));
        }
        let ty = self.type_of(value)?;
        let id = self.id(value)?;
        for i in 0..ty.count {
            let part = self.gather(&[(id, ty, i)], ty.with_count(1))?;
            let part = self.bits(ty.with_count(1), Type::F32, part);
            let pointer = self.patch_component(place, i)?;
            self.effect(Op::Store, &[pointer, part]);
        }
        Ok(())
    }

    /// Waits for the other runs for the patch, whose outputs are visible then.
    pub(super) fn patch_barrier(&mut self) {
        let [group, own] = [Scope::Workgroup, Scope::Invocation].map(|scope| self.module.u32(scope as u32));
        let none = self.module.u32(0);
        self.effect(Op::ControlBarrier, &[group, own, none]);
    }
}
