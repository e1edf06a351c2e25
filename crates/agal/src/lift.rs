//! Lifts a program to IR, and builds its interface.

use crate::{Agal, Ctx, Options, Program, RegType, SamplerBits, registers};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Binding, File, Interface, Io, Lifted, Mask, Name, Op, Reg, Scratch, Stage, Texture, UniformArray,
};
use shisa_rows::Insn;

/// Operations per token, on average; matrices take more.
const OPERATIONS: usize = 8;

/// Lifts every token. The program counter of a token is its index, from 0.
///
/// # Errors
/// All tokens that cannot be lifted, each with its bytes.
pub fn lift(program: &Program, options: &Options) -> Result<Lifted, Vec<Diagnostic>> {
    lift_in(program, options, &mut Scratch::new())
}

/// As [`lift`], in the memory of programs before it.
///
/// # Errors
/// The errors of [`lift`].
pub fn lift_in(
    program: &Program,
    options: &Options,
    scratch: &mut Scratch,
) -> Result<Lifted, Vec<Diagnostic>> {
    let ctx = Ctx { version: program.version, stage: program.stage, options };
    let mut lifted = Lifted::new(registers::files(program.stage));
    (lifted.nodes, lifted.steps) = (scratch.nodes(), scratch.steps());
    lifted.steps.reserve(program.tokens.len());
    lifted.nodes.list.reserve(program.tokens.len() * OPERATIONS);
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

/// The interface of the program: attributes and varyings at locations of their own numbers, the position, colours at
/// locations of their numbers, the depth, the instance number, one array of constants, textures by number.
pub fn interface(program: &Program, lifted: &Lifted) -> Interface {
    let vertex = program.stage == Stage::Vertex;
    let uses = Uses::of(lifted);
    let io = |list: &mut Vec<Io>, kind: RegType, binding: &dyn Fn(u32) -> Binding| {
        let Some(file) = lifted.files.get(usize::from(kind.0)) else { return };
        let units = file.units_per_register;
        list.extend(uses.used(kind).map(|(n, used)| Io {
            name: kind.register(n, program.stage).unwrap_or("?").into(),
            reg: Reg::new(kind.file(), n * u16::from(units)),
            scalar: file.scalar,
            count: units,
            used,
            binding: binding(n.into()),
        }));
    };
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    if vertex {
        io(&mut inputs, RegType::ATTRIBUTE, &Binding::Location);
        io(&mut inputs, RegType::INSTANCE, &|_| Binding::InstanceIndex);
        io(&mut outputs, RegType::OUTPUT, &|_| Binding::Position);
        io(&mut outputs, RegType::VARYING, &Binding::Location);
    } else {
        io(&mut inputs, RegType::VARYING, &Binding::Location);
        io(&mut outputs, RegType::OUTPUT, &Binding::Location);
        io(&mut outputs, RegType::DEPTH, &|_| Binding::Depth);
    }
    Interface {
        stage: program.stage,
        inputs,
        outputs,
        uniforms: uses.uniforms(program).into_iter().collect(),
        textures: textures(program, lifted),
        samplers: Vec::new(),
        buffers: Vec::new(),
        geometry: None,
        tessellation: None,
        vertex_outputs: Vec::new(),
        patch_outputs: Vec::new(),
        vertex_inputs: Vec::new(),
        workgroup: [1, 1, 1],
        shared: 0,
        local: 0,
    }
}

/// The name of a sampler; in malformed programs the number can be out of range.
fn sampler_name(number: u16, stage: Stage) -> Name {
    let kind = RegType::SAMPLER;
    let beyond = || format!("{}{number}", kind.name(stage).unwrap_or("fs")).into();
    kind.register(number, stage).map_or_else(beyond, Name::from)
}

fn textures(program: &Program, lifted: &Lifted) -> Vec<Texture> {
    let mut list: Vec<Texture> = Vec::new();
    if lifted.nodes.textures.is_empty() {
        return list;
    }
    let sampling = lifted.nodes.list.iter().filter(|n| matches!(n.op, Op::Texture(_)));
    for bits in sampling.filter_map(|n| program.tokens.get(n.origin as usize)).map(|t| SamplerBits(t[2])) {
        let Some(dim) = bits.dim() else { continue };
        if list.iter().any(|t| t.unit == bits.number()) {
            continue;
        }
        list.push(Texture {
            sampler: bits.state(),
            format: crate::text::format_name(bits.format()),
            ..Texture::new(sampler_name(bits.number(), program.stage), bits.number(), dim)
        });
    }
    list.sort_by_key(|t| t.unit);
    list
}

/// Components used of each register.
struct Uses {
    files: &'static [File],
    /// One mask for each register, file after file.
    masks: Vec<Mask>,
    /// For each file, the index of its first register in `masks`, and one more than its highest used register.
    spans: [(u16, u16); 8],
    /// Whether any constant is read through an index.
    indirect: bool,
}

impl Uses {
    fn of(lifted: &Lifted) -> Uses {
        let (mut spans, mut n) = ([(0, 0); 8], 0);
        for (span, f) in spans.iter_mut().zip(lifted.files) {
            *span = (n, 0);
            n += f.units / u16::from(f.units_per_register);
        }
        let mut uses = Uses { files: lifted.files, masks: vec![Mask(0); n.into()], spans, indirect: false };
        for node in &lifted.nodes.list {
            match node.op {
                // Temporaries are no part of an interface.
                Op::Read { reg, .. } | Op::Write { reg, .. } if reg.file == RegType::TEMPORARY.file() => {}
                Op::Read { reg, swizzle } => uses.add(reg, swizzle.sources(node.ty.count)),
                Op::Write { reg, mask, .. } => uses.add(reg, mask),
                Op::ReadAt { .. } => uses.indirect = true,
                _ => {}
            }
        }
        uses
    }

    /// `reg` is the first register unit of a register.
    fn add(&mut self, reg: Reg, components: Mask) {
        let file = usize::from(reg.file.0);
        let (Some(f), Some((start, count))) = (self.files.get(file), self.spans.get_mut(file)) else {
            return;
        };
        let n = reg.unit / u16::from(f.units_per_register);
        if let Some(mask) = self.masks.get_mut(usize::from(*start + n)) {
            mask.0 |= components.0;
            *count = (*count).max(n + 1);
        }
    }

    /// The registers of a kind that are used, by number.
    fn used(&self, kind: RegType) -> impl Iterator<Item = (u16, Mask)> + '_ {
        let (start, count) = self.spans.get(usize::from(kind.0)).copied().unwrap_or_default();
        let masks = self.masks.iter().skip(start.into()).take(count.into());
        (0..).zip(masks).filter(|(_, m)| m.0 != 0).map(|(n, &m)| (n, m))
    }

    fn uniforms(&self, program: &Program) -> Option<UniformArray> {
        let kind = RegType::CONSTANT;
        let used: Vec<u16> = self.used(kind).map(|(n, _)| n).collect();
        let registers = match self.indirect {
            true => kind.count(program.version, program.stage) as u16,
            false => used.last().map_or(0, |n| n + 1),
        };
        (registers > 0).then(|| UniformArray {
            used,
            indirect: self.indirect,
            ..UniformArray::new(kind.name(program.stage).unwrap_or("c"), kind.file(), registers)
        })
    }
}
