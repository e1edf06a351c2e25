//! The interface of a lowered program, from the registers and memory that are left.

use super::{Staged, local, specials};
use alloc::{format, vec::Vec};
use shisa_ir::{Buffer, Func, Interface, Op, Pointer, SamplerSlot, Space, Texture};

impl Staged {
    /// The interface of the function.
    pub(super) fn interface(
        &self,
        func: &Func,
        shared: u32,
        (textures, samplers): (Vec<Texture>, Vec<SamplerSlot>),
        pointers: &[Pointer],
    ) -> Interface {
        let operations = || func.blocks.iter().flat_map(|b| &b.body).map(|v| func.nodes.list[v.index()]);
        let read = operations().filter_map(|n| match n.op {
            Op::Read { reg, swizzle } => {
                let last = (0..n.ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0);
                Some((reg, reg.unit..reg.unit + u16::from(last) + 1))
            }
            _ => None,
        });
        let buffer = |(number, pointer): (u8, &Pointer)| Buffer {
            name: format!("c{:x}_{:x}", pointer.bank, pointer.offset).into(),
            number,
            pointer: *pointer,
        };
        let uses_local = operations().any(|n| {
            matches!(n.op, Op::Load { space: Space::Local, .. } | Op::Store { space: Space::Local, .. })
        });
        Interface {
            stage: self.program.stage,
            inputs: specials::inputs(read),
            outputs: Vec::new(),
            uniforms: Vec::new(),
            textures,
            samplers,
            buffers: (0..=u8::MAX).zip(pointers).map(buffer).collect(),
            geometry: None,
            workgroup: self.program.workgroup,
            shared,
            local: if uses_local { local::bytes(&self.launch()) } else { 0 },
        }
    }
}
