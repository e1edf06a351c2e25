//! From a program to IR and its interface.

use crate::{Agal, Ctx, Options, Program, RegType, SamplerBits, registers};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, FileId, Interface, Io, Lifted, Mask, Op, Reg, Scalar, Stage, Texture, UniformArray};
use shisa_rows::Insn;

/// Lifts every token. The program counter of a token is its number from 0.
///
/// # Errors
/// All tokens that cannot be lifted, each with its bytes.
pub fn lift(program: &Program, options: &Options) -> Result<Lifted, Vec<Diagnostic>> {
    let ctx = Ctx { version: program.version, stage: program.stage, options };
    let mut lifted = Lifted::new(registers::files(program.stage));
    lifted.steps.reserve(program.tokens.len());
    lifted.nodes.list.reserve(program.tokens.len() * 6);
    let mut faults = Vec::new();
    for (i, token) in program.tokens.iter().enumerate() {
        let pc = i as u32;
        let result = match Insn::<Agal>::decode(*token) {
            Some(insn) => shisa_rows::lift(&mut lifted, insn, ctx, pc, pc + 1),
            None => Err(Diagnostic::error("lift-opcode", format!("unknown opcode {:#x}", token[0] as u32))),
        };
        if let Err(d) = result {
            faults.push(d.at_bytes(Program::token_span(i), ""));
        }
    }
    if faults.is_empty() { Ok(lifted) } else { Err(faults) }
}

/// What the program exchanges with the outside: attributes and varyings at locations of their own
/// numbers, the position, colours at locations of their numbers, the depth, the instance number, one
/// array of constants, textures by number.
pub fn interface(program: &Program, lifted: &Lifted) -> Interface {
    let vertex = program.stage == Stage::Vertex;
    let mut uses = Uses::default();
    lifted.nodes.list.iter().for_each(|n| uses.add(n.op, n.ty.count));
    let io = |kind: RegType, binding: &dyn Fn(u32) -> Binding| -> Vec<Io> {
        let masks = uses.masks.get(usize::from(kind.0)).map_or(&[][..], |m| m);
        let (units, single) =
            if matches!(kind, RegType::DEPTH | RegType::INSTANCE) { (1, true) } else { (4, false) };
        let used = masks.iter().enumerate().filter(|(_, m)| m.0 != 0);
        used.map(|(n, &used)| Io {
            name: match (kind.name(program.stage), single || (vertex && kind == RegType::OUTPUT)) {
                (Some(name), true) => name.into(),
                (name, _) => format!("{}{n}", name.unwrap_or("?")),
            },
            reg: Reg::new(kind.file(), n as u16 * units),
            scalar: Scalar::F32,
            count: units as u8,
            used,
            binding: binding(n as u32),
        })
        .collect()
    };
    let (mut inputs, mut outputs);
    if vertex {
        inputs = io(RegType::ATTRIBUTE, &Binding::Location);
        inputs.extend(io(RegType::INSTANCE, &|_| Binding::InstanceIndex));
        outputs = io(RegType::OUTPUT, &|_| Binding::Position);
        outputs.extend(io(RegType::VARYING, &Binding::Location));
    } else {
        inputs = io(RegType::VARYING, &Binding::Location);
        outputs = io(RegType::OUTPUT, &Binding::Location);
        outputs.extend(io(RegType::DEPTH, &|_| Binding::Depth));
    }
    inputs.shrink_to_fit();
    Interface {
        stage: program.stage,
        inputs,
        outputs,
        uniforms: uses.uniforms(program).into_iter().collect(),
        textures: textures(program),
        workgroup: [1, 1, 1],
    }
}

fn textures(program: &Program) -> Vec<Texture> {
    let mut list: Vec<Texture> = Vec::new();
    for token in &program.tokens {
        let bits = SamplerBits(token[2]);
        let samples = Insn::<Agal>::decode(*token)
            .is_some_and(|i| i.form().operands.iter().any(|o| o.kind.describe() == "sampler"));
        let (true, Some(dim)) = (samples, bits.dim()) else { continue };
        if list.iter().any(|t| t.unit == bits.number()) {
            continue;
        }
        let name = RegType::SAMPLER.name(program.stage).unwrap_or("fs");
        list.push(Texture {
            name: format!("{name}{}", bits.number()),
            unit: bits.number(),
            dim,
            sampler: bits.state(),
            format: crate::text::format_name(bits.format()),
        });
    }
    list.sort_by_key(|t| t.unit);
    list
}

/// Components used of each register, by file, and constants used.
#[derive(Default)]
struct Uses {
    masks: [Vec<Mask>; 8],
    indirect: bool,
}

impl Uses {
    fn add(&mut self, op: Op, count: u8) {
        match op {
            Op::Read { reg, swizzle } => {
                (0..count).for_each(|i| self.unit(reg.file, u32::from(reg.unit) + u32::from(swizzle.get(i))));
            }
            Op::Write { reg, mask, .. } => {
                mask.iter().for_each(|i| self.unit(reg.file, u32::from(reg.unit) + u32::from(i)));
            }
            Op::ReadAt { .. } => self.indirect = true,
            _ => {}
        }
    }

    fn unit(&mut self, file: FileId, unit: u32) {
        let per = if matches!(RegType(file.0), RegType::DEPTH | RegType::INSTANCE) { 1 } else { 4 };
        let Some(list) = self.masks.get_mut(usize::from(file.0)) else { return };
        let n = (unit / per) as usize;
        if list.len() <= n {
            list.resize(n + 1, Mask(0));
        }
        list[n].0 |= 1 << (unit % per);
    }

    fn uniforms(&self, program: &Program) -> Option<UniformArray> {
        let kind = RegType::CONSTANT;
        let masks = &self.masks[usize::from(kind.0)];
        let used: Vec<u16> =
            masks.iter().enumerate().filter(|(_, m)| m.0 != 0).map(|(n, _)| n as u16).collect();
        let all = kind.count(program.version, program.stage) as u16;
        let registers = if self.indirect { all } else { masks.len() as u16 };
        (registers > 0).then(|| UniformArray {
            name: kind.name(program.stage).unwrap_or("c").into(),
            file: kind.file(),
            registers,
            used,
            indirect: self.indirect,
        })
    }
}
