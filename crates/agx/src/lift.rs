//! From a program to IR and its interface.

use crate::registers::THREAD_IN_GRID;
use crate::{FILES, SPECIALS, UNIFORMS, fetch, length};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Interface, Io, Lifted, Mask, Op, Scalar, Stage, Texture, UniformArray};

/// A program: its stage and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// The instructions, one behind the other.
    pub code: Vec<u8>,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` outside compute.
    pub workgroup: [u32; 3],
}

/// Lifts every instruction. Program counters are byte offsets.
///
/// # Errors
/// All instructions that cannot be lifted, each with its bytes. Behind bytes that are no instruction
/// nothing can be read.
pub fn lift(program: &Program) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    let mut faults = Vec::new();
    let mut at = 0;
    while at < program.code.len() {
        let Some(insn) = fetch(&program.code[at..]) else {
            let first = program.code[at];
            let fault =
                Diagnostic::error("lift-opcode", format!("no instruction begins with {first:#04x} here"));
            faults.push(fault.at_bytes(at..at + 1, ""));
            break;
        };
        let end = at + length(&insn);
        let (pc, next) = (at as u32, end as u32);
        if let Err(d) = shisa_rows::lift(&mut lifted, insn, crate::Ctx::default(), pc, next) {
            faults.push(d.at_bytes(at..end, ""));
        }
        at = end;
    }
    if faults.is_empty() { Ok(lifted) } else { Err(faults) }
}

/// What the program exchanges with the outside: the uniforms and its textures by state register.
pub fn interface(program: &Program, lifted: &Lifted) -> Interface {
    let mut used: Vec<u16> = Vec::new();
    let mut place = Mask(0);
    for n in &lifted.nodes.list {
        if let Op::Read { reg, .. } = n.op
            && reg.file == SPECIALS
            && (THREAD_IN_GRID.unit..THREAD_IN_GRID.unit + 3).contains(&reg.unit)
        {
            place.0 |= 1 << (reg.unit - THREAD_IN_GRID.unit);
        }
        if let Op::Read { reg, .. } = n.op
            && reg.file == UNIFORMS
        {
            let last = reg.unit + (u16::from(n.ty.scalar.bits()) / 16).max(1) * u16::from(n.ty.count);
            used.extend(reg.unit / 2..last.div_ceil(2));
        }
    }
    used.sort_unstable();
    used.dedup();
    let registers = used.last().map_or(0, |n| n + 1);
    let uniforms = UniformArray { used, ..UniformArray::new("u", UNIFORMS, registers) };
    let thread_in_grid = Io {
        name: "thread_in_grid".into(),
        reg: THREAD_IN_GRID,
        scalar: Scalar::I32,
        count: 3,
        used: place,
        binding: Binding::GlobalId,
    };
    let mut textures: Vec<Texture> = Vec::new();
    for t in &lifted.nodes.textures {
        if textures.iter().all(|known| known.unit != t.unit) {
            let name = format!("ts{}", t.unit).into();
            textures.push(Texture { name, unit: t.unit, dim: t.dim, sampler: None, format: "" });
        }
    }
    textures.sort_by_key(|t| t.unit);
    Interface {
        stage: program.stage,
        inputs: if place.0 > 0 { alloc::vec![thread_in_grid] } else { Vec::new() },
        outputs: Vec::new(),
        uniforms: if registers > 0 { alloc::vec![uniforms] } else { Vec::new() },
        textures,
        geometry: None,
        workgroup: program.workgroup,
    }
}
