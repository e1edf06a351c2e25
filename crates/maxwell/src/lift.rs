//! Lifts a program to IR, and builds its interface.

use crate::code::Graph;
use crate::flow::Targets;
use crate::{Ctx, FILES, Maxwell, bundle};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Control, ControlOp, Interface, Lifted, Stage, Step, Texture};
use shisa_rows::Insn;

/// A program: its stage and its fused words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// The instructions in order, three a bundle.
    pub code: Vec<u128>,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` outside compute.
    pub workgroup: [u32; 3],
}

/// Lifts every word. Program counters are addresses; the first instruction is at 8. A word that cannot be lifted and
/// never runs, such as data after the code, becomes a step without an instruction ([`ControlOp::Invalid`]).
///
/// # Errors
/// All words that cannot be lifted and may run, each with its bytes in the code.
pub fn lift(program: &Program) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    let mut faults = Vec::new();
    for (i, &word) in program.code.iter().enumerate() {
        let (pc, next) = (bundle::address(i as u32), bundle::address(i as u32 + 1));
        let result = match Insn::<Maxwell>::decode(word) {
            Some(insn) => shisa_rows::lift(&mut lifted, insn, Ctx { pc, ..Ctx::default() }, pc, next),
            None => {
                Err(Diagnostic::error("lift-opcode", format!("unknown instruction {:#018x}", word as u64)))
            }
        };
        if let Err(d) = result {
            faults.push((i, d.at_bytes(pc as usize..pc as usize + 8, "")));
            lifted.steps.push(none(pc, next, lifted.nodes.list.len() as u32));
        }
    }
    if faults.is_empty() {
        return Ok(lifted);
    }
    let graph = Graph::new(&program.code, &Targets::default(), Ctx::default());
    let faults: Vec<Diagnostic> =
        faults.into_iter().filter(|(i, _)| graph.may_run(*i)).map(|(_, d)| d).collect();
    if faults.is_empty() { Ok(lifted) } else { Err(faults) }
}

/// A step without an instruction.
fn none(pc: u32, next: u32, nodes: u32) -> Step {
    let control = Control { op: ControlOp::Invalid, ..Control::default() };
    Step { pc, next, nodes: nodes..nodes, guard: None, whole_wave: false, control }
}

/// The interface of the program: its textures by handle. Memory and constant banks are reached by address.
pub fn interface(program: &Program, lifted: &Lifted) -> Interface {
    let mut textures: Vec<Texture> = Vec::new();
    for t in &lifted.nodes.textures {
        if let Some(unit) = t.unit()
            && textures.iter().all(|known| known.unit != unit)
        {
            textures.push(Texture::new(format!("tex{unit:x}"), unit, t.shape));
        }
    }
    textures.sort_by_key(|t| t.unit);
    Interface {
        stage: program.stage,
        inputs: Vec::new(),
        outputs: Vec::new(),
        uniforms: Vec::new(),
        textures,
        samplers: Vec::new(),
        buffers: Vec::new(),
        geometry: None,
        workgroup: program.workgroup,
        shared: 0,
        local: 0,
    }
}
