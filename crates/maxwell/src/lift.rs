//! Lifts a program to IR, and builds its interface.

use crate::code::Graph;
use crate::flow::Targets;
use crate::linkage::{inputs, outputs};
use crate::registers::{EMITTED, OUTPUTS, REGISTERS};
use crate::sequencer::EXIT;
use crate::{Ctx, Drawing, FILES, Maxwell, ShaderStage, bundle, drawing, rules};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Builder, Control, ControlOp, Interface, Lifted, Mask, Reg, Sampling, Scratch, Stage, Step, Swizzle,
    Texture, Type,
};
use shisa_rows::Insn;

/// For this many instructions memory is reserved at once, for so many operations each.
const EXPECTED: usize = 1024;
const OPERATIONS: usize = 8;

/// A program: its stage and its fused words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// The instructions in order, three a bundle.
    pub code: Vec<u128>,
    /// Items of a workgroup in each dimension; `[1, 1, 1]` outside compute.
    pub workgroup: [u32; 3],
    /// The stage and the header of a graphics program.
    pub drawing: Option<Drawing>,
}

/// Lifts every word. Program counters are addresses; the first instruction is at 8. A word that cannot be lifted and
/// never runs, such as data after the code, becomes a step without an instruction ([`ControlOp::Invalid`]).
///
/// An instruction that the Shader Program Header does not permit does nothing. Where a pixel program may end, it writes
/// the registers that the hardware takes to the outputs. Where a geometry program may end, it writes the state of emission
/// to [`EMITTED`].
///
/// # Errors
/// All words that cannot be lifted and may run, each with its bytes in the code.
pub fn lift(program: &Program) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = lift_in(program, &mut Scratch::new())?;
    if program.stage == Stage::Geometry {
        for index in 0..lifted.steps.len() {
            if lifted.steps[index].control.op == EXIT {
                lifted.append(index, |b| take(b, 0, Reg::new(EMITTED, 0)));
            }
        }
    }
    Ok(lifted)
}

/// Takes an output from a register.
fn take(build: &mut Builder<'_>, register: u16, output: Reg) {
    let value = build.read(Reg::new(REGISTERS, register), Swizzle::IDENTITY, Type::I32);
    build.write(output, Mask::first(1), value);
}

/// As [`lift`], in the memory of programs before it, and without the state of emission, which translations do not have.
///
/// # Errors
/// As [`lift`].
pub(crate) fn lift_in(program: &Program, scratch: &mut Scratch) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    (lifted.nodes, lifted.steps) = (scratch.nodes(), scratch.steps());
    let expected = program.code.len().min(EXPECTED);
    lifted.steps.reserve(expected);
    lifted.nodes.list.reserve(OPERATIONS * expected);
    let mut faults = Vec::new();
    let drawing = program.drawing.as_ref();
    for (i, &word) in program.code.iter().enumerate() {
        let (pc, next) = (bundle::address(i as u32), bundle::address(i as u32 + 1));
        let result = match Insn::<Maxwell>::decode(word) {
            Some(insn) if drawing.is_some_and(|drawing| is_dropped(&insn, drawing)) => {
                let nodes = lifted.nodes.list.len() as u32;
                lifted.steps.push(none(pc, next, nodes, ControlOp::Next));
                Ok(())
            }
            Some(insn) => {
                shisa_rows::lift(&mut lifted, insn, Ctx { pc, drawing, ..Ctx::default() }, pc, next)
            }
            None => {
                Err(Diagnostic::error("lift-opcode", format!("unknown instruction {:#018x}", word as u64)))
            }
        };
        match result {
            Ok(()) => finish(&mut lifted, drawing),
            Err(d) => {
                faults.push((i, d.at_bytes(pc as usize..pc as usize + 8, "")));
                let nodes = lifted.nodes.list.len() as u32;
                lifted.steps.push(none(pc, next, nodes, ControlOp::Invalid));
            }
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

/// A step without operations.
fn none(pc: u32, next: u32, nodes: u32, op: ControlOp) -> Step {
    let control = Control { op, ..Control::default() };
    Step { pc, next, nodes: nodes..nodes, guard: None, whole_wave: false, control }
}

/// Whether the header lacks a flag that the instruction needs: the hardware drops the instruction.
fn is_dropped(insn: &Insn<Maxwell>, drawing: &Drawing) -> bool {
    rules::needs(insn).any(|(field, _)| drawing.field(field) == Some(0))
}

/// Adds what the hardware does where the latest step may end a pixel program: it takes the outputs from registers.
fn finish(lifted: &mut Lifted, drawing: Option<&Drawing>) {
    let pixel = drawing.filter(|drawing| drawing.stage == ShaderStage::Fragment);
    let origin = lifted.steps.len() as u32 - 1;
    let (Some(drawing), Some(step)) = (pixel, lifted.steps.last_mut()) else { return };
    if step.control.op != EXIT {
        return;
    }
    let mut build = Builder::new(&mut lifted.nodes, origin);
    for (output, register) in drawing::pixel_outputs(drawing.header.as_ref()) {
        take(&mut build, register, Reg::new(OUTPUTS, output.unit()));
    }
    step.nodes.end = lifted.nodes.list.len() as u32;
}

/// The interface of the program: inputs and outputs of graphics programs, and textures by handle. Memory and constant
/// banks are reached by address.
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
        inputs: inputs(program.drawing.as_ref(), lifted.nodes.list.iter(), |_| Sampling::Centre),
        outputs: outputs(program.drawing.as_ref(), lifted.nodes.list.iter()),
        uniforms: Vec::new(),
        textures,
        samplers: Vec::new(),
        buffers: Vec::new(),
        geometry: None,
        tessellation: None,
        vertex_outputs: Vec::new(),
        patch_outputs: Vec::new(),
        vertex_inputs: Vec::new(),
        workgroup: program.workgroup,
        shared: 0,
        local: 0,
    }
}
