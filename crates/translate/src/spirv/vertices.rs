//! Inputs that each vertex of a primitive has: arrays of the stage, indexed by the number of the vertex.

use super::interface::builtin;
use super::module::Id;
use super::slots::value_type;
use super::writer::{Refusal, Writer};
use shisa_ir::{Binding, Io, Scalar, Stage, Type, UniformArray};
use spirv::{BuiltIn, Capability, Decoration, Op, StorageClass};

impl Writer<'_> {
    /// Whether reads of an array are reads of the stage's inputs.
    pub(super) fn reads_vertices(&self, array: &UniformArray) -> bool {
        array.per_lane && !self.kernel && !self.interface.vertex_inputs.is_empty()
    }

    /// Declares the inputs; all distances to clipping planes have one variable.
    pub(super) fn vertex_variables(&mut self) {
        let interface = self.interface;
        let vertices = crate::interface::stage_vertices(interface);
        let mut distances = None;
        for io in &interface.vertex_inputs {
            if let Binding::ClipDistance(_) = io.binding {
                let id = match distances {
                    Some(id) => id,
                    None => {
                        let of = self.module.ty(Type::F32);
                        let count = crate::interface::distances(&interface.vertex_inputs).max(1);
                        let of = self.module.array(of, count.into(), None);
                        self.module.capability(Capability::ClipDistance);
                        self.vertex_variable(
                            of,
                            vertices,
                            "vertex_clip_distance",
                            Some(BuiltIn::ClipDistance),
                        )
                    }
                };
                distances = Some(id);
                self.vertex_inputs.push(id);
                continue;
            }
            let of = self.module.ty(value_type(io));
            let which = builtin(io.binding).map(|(which, _)| which);
            if which == Some(BuiltIn::PointSize) {
                self.sized_points();
            }
            let id = self.vertex_variable(of, vertices, &io.name, which);
            if let Binding::Location(n) = io.binding {
                self.module.decorate(id, Decoration::Location, &[n]);
            }
            self.vertex_inputs.push(id);
        }
    }

    /// Declares what the size of points needs in the stage.
    pub(super) fn sized_points(&mut self) {
        match self.interface.stage {
            Stage::Geometry => self.module.capability(Capability::GeometryPointSize),
            Stage::TessellationControl | Stage::TessellationEvaluation => {
                self.module.capability(Capability::TessellationPointSize);
            }
            _ => {}
        }
    }

    fn vertex_variable(&mut self, of: Id, vertices: u32, name: &str, which: Option<BuiltIn>) -> Id {
        let array = self.module.array(of, vertices, None);
        let id = self.module.variable(StorageClass::Input, array);
        self.module.name(id, name);
        if let Some(which) = which {
            self.module.decorate(id, Decoration::BuiltIn, &[which as u32]);
        }
        id
    }

    /// An input of a vertex as four components; those that it does not have are zero.
    pub(super) fn vertex_input(&mut self, number: u32, vertex: Id) -> Result<Id, Refusal> {
        let interface = self.interface;
        let found = interface.vertex_inputs.get(number as usize).zip(self.vertex_inputs.get(number as usize));
        let Some((io, &variable)) = found else {
            return Err(Refusal::Invalid("an input of vertices does not exist"));
        };
        let quad = Scalar::F32.by(4);
        let float = self.module.ty(Type::F32);
        let zero = self.module.null(float);
        let parts = match io.binding {
            Binding::ClipDistance(first) => {
                let pointer = self.module.pointer(StorageClass::Input, float);
                let mut parts = [zero; 4];
                for (c, part) in (0..).zip(&mut parts).filter(|(c, _)| uses(io, *c)) {
                    let element = self.module.u32(u32::from(first + c));
                    let place = self.raw(Op::AccessChain, pointer, &[variable, vertex, element]);
                    *part = self.value(Op::Load, Type::F32, &[place]);
                }
                parts
            }
            _ => {
                let ty = value_type(io);
                let of = self.module.ty(ty);
                let pointer = self.module.pointer(StorageClass::Input, of);
                let place = self.raw(Op::AccessChain, pointer, &[variable, vertex]);
                let whole = self.value(Op::Load, ty, &[place]);
                if ty == quad {
                    return Ok(whole);
                }
                let mut parts = [zero; 4];
                for (c, part) in (0..ty.count).zip(&mut parts) {
                    *part = match ty.count {
                        1 => whole,
                        _ => self.value(Op::CompositeExtract, Type::F32, &[whole, c.into()]),
                    };
                }
                parts
            }
        };
        Ok(self.value(Op::CompositeConstruct, quad, &parts))
    }
}

/// Whether the program uses a component.
pub(super) const fn uses(io: &Io, component: u8) -> bool {
    io.used.0 >> component & 1 != 0
}
