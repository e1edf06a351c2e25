//! The interface of a lowered program, from the registers and memory that are left.

use super::pixels::Positions;
use super::purpose::Purpose;
use super::vertices::Vertices;
use super::{Staged, local, patch, specials, strips};
use crate::linkage;
use crate::registers::ATTRIBUTES;
use crate::{Drawing, ShaderStage};
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_ir::{
    Binding, Buffer, Func, Interface, Io, Node, Op, Pointer, Reg, SamplerSlot, Scalar, Space, Stage, Texture,
    Value,
};

/// The operations of a function.
fn operations(func: &Func) -> impl Iterator<Item = &Node> + Clone {
    func.blocks.iter().flat_map(|b| &b.body).map(|v| &func.nodes.list[v.index()])
}

impl Staged {
    /// The interface of the function.
    pub(super) fn interface(
        &self,
        func: &Func,
        shared: u32,
        (textures, samplers): (Vec<Texture>, Vec<SamplerSlot>),
        pointers: &[Pointer],
        vertices: Vertices,
    ) -> Interface {
        let buffer = |(number, pointer): (u8, &Pointer)| Buffer {
            name: format!("c{:x}_{:x}", pointer.bank, pointer.offset).into(),
            number,
            pointer: *pointer,
        };
        let uses_local = operations(func).any(|n| {
            matches!(n.op, Op::Load { space: Space::Local, .. } | Op::Store { space: Space::Local, .. })
        });
        let drawn = self.program.drawing.as_ref();
        Interface {
            stage: self.program.stage,
            inputs: match &self.program.drawing {
                Some(drawing) => self.inputs(func, drawing),
                None => specials::inputs(registers_read(func)),
            },
            outputs: linkage::outputs(self.program.drawing.as_ref(), operations(func)),
            uniforms: vertices.array().into_iter().collect(),
            textures,
            samplers,
            buffers: (0..=u8::MAX).zip(pointers).map(buffer).collect(),
            geometry: drawn.and_then(|drawing| strips::geometry(drawing, &vertices, self.primitive)),
            tessellation: drawn.and_then(|drawing| patch::tessellation(drawing, &vertices, self.division)),
            vertex_outputs: Vec::new(),
            patch_outputs: Vec::new(),
            vertex_inputs: vertices.inputs,
            workgroup: if self.program.stage == Stage::Compute { self.program.workgroup } else { [1; 3] },
            shared,
            local: if uses_local { local::bytes(&self.launch()) } else { 0 },
        }
    }

    /// The inputs of a graphics program. What a vertex program uses as integers only is an integer: the host provides it in
    /// a format of integers.
    pub(super) fn inputs(&self, func: &Func, drawing: &Drawing) -> Vec<Io> {
        let positions = self.positions();
        let mut all = linkage::inputs(Some(drawing), operations(func), |first| positions.of_attribute(first));
        all.retain(|io| exists(io.binding, drawing.stage));
        if drawing.stage == ShaderStage::Vertex {
            for io in all.iter_mut().filter(|io| matches!(io.binding, Binding::Location(_))) {
                let purposes = reads(func, io).map(|v| Purpose::of(func, v));
                if purposes.max() == Some(Purpose::Integer) {
                    io.scalar = Scalar::I32;
                }
            }
        }
        if drawing.stage.reads_vertices() {
            all.extend(specials::inputs(registers_read(func)));
        }
        all
    }

    /// Where attributes of a pixel program are interpolated.
    pub(super) fn positions(&self) -> Positions {
        Positions::of(&self.program)
    }
}

/// The registers that operations read, each with its units.
fn registers_read(func: &Func) -> impl Iterator<Item = (Reg, Range<u16>)> {
    operations(func).filter_map(|n| match n.op {
        Op::Read { reg, swizzle } => {
            let last = (0..n.ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0);
            Some((reg, reg.unit..reg.unit + u16::from(last) + 1))
        }
        _ => None,
    })
}

/// Whether other languages have an input in a stage. Reads of other inputs are zero.
const fn exists(binding: Binding, stage: ShaderStage) -> bool {
    let pixel = matches!(stage, ShaderStage::Fragment);
    if stage.reads_vertices() {
        return match binding {
            Binding::PrimitiveIndex => true,
            Binding::DomainPosition
            | Binding::PatchLocation(_)
            | Binding::OuterLevel
            | Binding::InnerLevel => matches!(stage, ShaderStage::TessellationEvaluation),
            _ => false,
        };
    }
    match binding {
        Binding::Location(_) => true,
        Binding::InstanceIndex | Binding::VertexIndex => !pixel,
        Binding::PointSize | Binding::ViewportMask => false,
        Binding::DomainPosition | Binding::PatchLocation(_) | Binding::OuterLevel | Binding::InnerLevel => {
            false
        }
        _ => pixel,
    }
}

/// The reads of an input.
fn reads<'a>(func: &'a Func, io: &Io) -> impl Iterator<Item = Value> + use<'a> {
    let (first, end) = (io.reg.unit, io.reg.unit + u16::from(io.count));
    func.blocks.iter().flat_map(|b| &b.body).copied().filter(move |v| {
        matches!(func.nodes.op(*v), Op::Read { reg, .. }
            if reg.file == ATTRIBUTES && (first..end).contains(&reg.unit))
    })
}
