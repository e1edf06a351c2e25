//! Images that are sampled with several samplers, for GLSL, where an image and its sampler are one object.

use crate::Program;
use shisa_ir::{Func, Interface, Op, SamplerRef, Shape, TextureRef};

/// The program with a texture for each pair of an image and a sampler; `None` if no image has several samplers.
///
/// The first sampler of an image keeps the number of the texture. The handle of a new texture states whose image it is.
pub(crate) fn split(program: &Program) -> Option<(Func, Interface)> {
    let (nodes, interface) = (&program.func.nodes, program.interface);
    // The pairs of texture, shape and sampler, each with the number of its texture.
    let mut pairs: Vec<((u16, Shape), u16, u16)> = Vec::new();
    let mut next = interface.textures.iter().map(|t| t.unit).max()?.checked_add(1)?;
    let mut changes: Vec<(u32, u16)> = Vec::new();
    for v in program.func.blocks.iter().flat_map(|b| &b.body) {
        let Op::Texture(number) = nodes.op(*v) else { continue };
        let Some(op) = nodes.textures.get(number as usize).filter(|op| !op.is_exact()) else { continue };
        let (TextureRef::Unit(unit), SamplerRef::Unit(sampler)) = (op.texture, op.sampler) else { continue };
        let image = (unit, op.shape);
        let known = pairs.iter().find(|pair| (pair.0, pair.1) == (image, sampler));
        let own = match known {
            Some((.., own)) => *own,
            None => {
                let taken = pairs.iter().any(|pair| pair.0 == image);
                let own = if taken { next } else { unit };
                next = next.checked_add(u16::from(taken))?;
                pairs.push((image, sampler, own));
                own
            }
        };
        if own != unit {
            changes.push((number, own));
        }
    }
    if changes.is_empty() {
        return None;
    }
    let (mut func, mut interface) = (program.func.clone(), interface.clone());
    for (number, own) in changes {
        func.nodes.textures[number as usize].texture = TextureRef::Unit(own);
    }
    for ((unit, shape), sampler, own) in pairs.into_iter().filter(|((unit, _), _, own)| own != unit) {
        let mut texture = interface.textures.iter().find(|t| (t.unit, t.shape) == (unit, shape))?.clone();
        let sampler = interface.samplers.iter().find(|s| s.unit == sampler)?;
        if texture.handle.is_empty() {
            texture.handle = format!("the image of {}", &*texture.name);
        }
        texture.name = format!("{}_{}", &*texture.name, &*sampler.name).into();
        texture.unit = own;
        interface.textures.push(texture);
    }
    Some((func, interface))
}
