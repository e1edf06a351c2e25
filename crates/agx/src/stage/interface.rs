//! The interface of a program, from its remaining registers.

use super::io::{GROUPS, NAMED, components, io};
use super::textures::half_name;
use super::{Staged, pixels, specials, vertices};
use crate::registers::{ATTRIBUTES, COLOUR_WORDS, COLOURS, OWN_SAMPLE, PIXEL_DEPTH, SPECIALS, VERTEX};
use crate::{COEFFICIENTS, DEPTHS, STENCILS, UNIFORMS, VARYINGS};
use alloc::{collections::BTreeSet, format, vec, vec::Vec};
use shisa_ir::{
    Binding, FileId, Func, Interface, Io, Mask, Op, Reg, SamplerSlot, Scalar, Stage, Texture, UniformArray,
};

impl Staged {
    /// The interface of the function.
    pub(super) fn interface(
        &self,
        func: &Func,
        shared: u32,
        (textures, samplers): (Vec<Texture>, Vec<SamplerSlot>),
        placed: &[(u16, u16)],
    ) -> Interface {
        let read = |file| {
            let nodes = func.blocks.iter().flat_map(|b| &b.body).map(|v| func.nodes.list[v.index()]);
            nodes.filter_map(move |n| match n.op {
                Op::Read { reg, swizzle } if reg.file == file => {
                    let last = (0..n.ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0);
                    Some(reg.unit..reg.unit + u16::from(last) + 1)
                }
                _ => None,
            })
        };
        let mut used: Vec<u16> = read(UNIFORMS).flatten().collect();
        used.sort_unstable();
        used.dedup();
        let registers = used.last().map_or(0, |n| n + 1);
        let uniforms = UniformArray { used, ..UniformArray::new("u", UNIFORMS, registers) };
        let inputs = match self.program.stage {
            Stage::Vertex => vertices::inputs(read(VERTEX.file), read(ATTRIBUTES)),
            Stage::Fragment => {
                let coefficients = pixels::coefficients(read(COEFFICIENTS));
                let reads_sample = read(OWN_SAMPLE.file).next().is_some();
                let reads_depth = read(PIXEL_DEPTH.file).next().is_some();
                let pixel = pixels::inputs(read(SPECIALS), reads_sample, reads_depth);
                coefficients.into_iter().chain(pixel).collect()
            }
            _ => specials::inputs(read(SPECIALS)),
        };
        Interface {
            stage: self.program.stage,
            inputs,
            outputs: outputs(func, placed),
            uniforms: if registers > 0 { vec![uniforms] } else { Vec::new() },
            textures,
            samplers,
            buffers: Vec::new(),
            geometry: None,
            tessellation: None,
            vertex_outputs: Vec::new(),
            patch_outputs: Vec::new(),
            vertex_inputs: Vec::new(),
            workgroup: if self.program.stage == Stage::Compute { self.program.workgroup } else { [1; 3] },
            shared,
            local: self.stack.next_multiple_of(4),
        }
    }
}

/// The outputs of the function, given the outputs whose number is a uniform's. Their names have that uniform and the
/// offset added to it.
fn outputs(func: &Func, placed: &[(u16, u16)]) -> Vec<Io> {
    let mut written: BTreeSet<Reg> = BTreeSet::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        if let Op::Write { reg, mask, .. } = func.nodes.op(*v) {
            written.extend(mask.iter().map(|c| Reg::new(reg.file, reg.unit + u16::from(c))));
        }
    }
    // The components of each group of four that are written.
    let groups = |file: FileId| {
        (0..GROUPS).filter_map({
            let written = &written;
            move |group| {
                let used = components(|c| written.contains(&Reg::new(file, 4 * group + c)));
                (used != Mask(0)).then_some((group, used))
            }
        })
    };
    let mut all = Vec::new();
    let mut next = 0;
    for (group, used) in groups(VARYINGS) {
        let reg = Reg::new(VARYINGS, 4 * group);
        let (name, binding) = match group.checked_sub(1) {
            None => ("position".into(), Binding::Position),
            Some(n) => {
                // Outputs whose number is in a uniform follow the others.
                let place = group.checked_sub(NAMED).and_then(|i| placed.get(usize::from(i)));
                let location = if place.is_none() { n.into() } else { next };
                next = location + 1;
                let name = match place {
                    None => format!("varying{location}"),
                    Some((half, 0)) => format!("varying{location}_{}", half_name(*half)),
                    Some((half, more)) => format!("varying{location}_{}_{}", half_name(*half), 4 * more),
                };
                (name, Binding::Location(location))
            }
        };
        all.push(Io { used, ..io(name, reg, Scalar::F32, 4, binding) });
    }
    for (file, scalar) in [(COLOURS, Scalar::F32), (COLOUR_WORDS, Scalar::I32)] {
        for (n, used) in groups(file) {
            let count = used.0.checked_ilog2().map_or(0, |n| n as u8 + 1);
            let binding = Binding::Location(n.into());
            all.push(io(format!("colour{n}"), Reg::new(file, 4 * n), scalar, count, binding));
        }
    }
    let others = [
        ("depth", DEPTHS, Scalar::F32, Binding::Depth),
        ("stencil", STENCILS, Scalar::I32, Binding::Stencil),
    ];
    for (name, file, scalar, binding) in others {
        let reg = Reg::new(file, 0);
        all.extend(written.contains(&reg).then(|| io(name.into(), reg, scalar, 1, binding)));
    }
    all
}
