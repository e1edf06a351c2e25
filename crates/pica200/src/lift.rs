//! From a program to IR and its interface.

use crate::options::PastEnd;
use crate::uses::Uses;
use crate::{BOOLEANS, CONSTANTS, FILES, INPUTS, INTEGERS, OUTPUTS, Options, Pica200, sequencer, word};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Binding, Control, ControlOp, FileId, Interface, Io, Lifted, Mask, Nodes, Reg, Scalar, Stage, Step,
    UniformArray,
};
use shisa_rows::Insn;

/// A program: its words, its pool of operand descriptors, where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// [`Stage::Vertex`] or [`Stage::Geometry`].
    pub stage: Stage,
    /// The words.
    pub code: Vec<u32>,
    /// The descriptors.
    pub descriptors: Vec<u32>,
    /// The word that runs first.
    pub entry: u32,
}

/// Words that the machine has room for.
const WORDS: u32 = 4096;
/// The word of `end`.
const END: u32 = 0x22 << 26;

/// Lifts every word. The program counter of a word is its number from 0.
///
/// Words with an unknown opcode do no harm where the program does not come: programs share their words, and
/// data may stand between them. The sequencer refuses to go there.
///
/// # Errors
/// All words whose rows refuse their operands, each with its bytes in the code.
pub fn lift(program: &Program, options: &Options) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    lifted.steps.reserve(program.code.len());
    lifted.nodes.list.reserve(program.code.len() * 12);
    let mut faults = Vec::new();
    for (i, &code) in program.code.iter().enumerate() {
        let fused = word::fuse(code, &program.descriptors);
        let pc = i as u32;
        let result = match Insn::<Pica200>::decode(fused) {
            Some(insn) => shisa_rows::lift(&mut lifted, insn, options, pc, pc + 1),
            None => {
                let nodes = lifted.nodes.list.len() as u32;
                let control = Control { op: ControlOp::Invalid, ..Control::default() };
                let nodes = nodes..nodes;
                lifted.steps.push(Step { pc, next: pc + 1, nodes, guard: None, whole_wave: false, control });
                Ok(())
            }
        };
        if let Err(d) = result {
            faults.push(d.at_bytes(4 * i..4 * i + 4, ""));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    past_end(&mut lifted, program, options);
    sequencer::implied(&mut lifted, options.al_width);
    Ok(lifted)
}

/// The words behind the program.
fn past_end(lifted: &mut Lifted, program: &Program, options: &Options) {
    let last = WORDS - 1;
    let end = || Insn::<Pica200>::decode(word::fuse(END, &program.descriptors));
    let zero = || Insn::<Pica200>::decode(word::fuse(0, &program.descriptors));
    for pc in program.code.len() as u32..WORDS {
        let (insn, next) = match options.past_end {
            PastEnd::Refuse => return,
            PastEnd::End => (end(), pc + 1),
            PastEnd::Zeros if pc == last => (end(), pc + 1),
            PastEnd::Wrap if pc == last => (zero(), 0),
            PastEnd::Zeros | PastEnd::Wrap => (zero(), pc + 1),
        };
        // Both words have a row whose lift refuses nothing.
        let Some(insn) = insn else { return };
        if shisa_rows::lift(lifted, insn, options, pc, next).is_err() {
            return;
        }
    }
}

/// What the program exchanges with the outside: inputs and outputs at locations of their own numbers,
/// constants (binding 0), integer vectors (1) and booleans (2). What outputs mean is in the container.
pub fn interface(program: &Program, lifted: &Lifted) -> Interface {
    of_nodes(program.stage, &lifted.nodes)
}

/// The interface of operations.
pub(crate) fn of_nodes(stage: Stage, nodes: &Nodes) -> Interface {
    let uses = Uses::of(nodes);
    let io = |file: FileId, name: &str, masks: &[u8]| -> Vec<Io> {
        let used = (0..).zip(masks).filter(|(_, mask)| **mask != 0);
        used.map(|(n, &mask)| Io {
            name: format!("{name}{n}").into(),
            reg: Reg::new(file, 4 * n),
            scalar: Scalar::F32,
            count: 4,
            used: Mask(mask),
            binding: Binding::Location(u32::from(n)),
        })
        .collect()
    };
    let uniforms = [
        (CONSTANTS, "c", &uses.constants[..], uses.indirect),
        (INTEGERS, "i", &uses.integers[..], false),
        (BOOLEANS, "b", &uses.booleans[..], false),
    ];
    let arrays = uniforms.into_iter().zip(0..).filter_map(|((file, name, masks, indirect), binding)| {
        let used: Vec<u16> = (0..).zip(masks).filter(|(_, mask)| **mask != 0).map(|(n, _)| n).collect();
        let registers = if indirect { masks.len() as u16 } else { used.last().map_or(0, |n| n + 1) };
        let array = UniformArray { used, indirect, binding, ..UniformArray::new(name, file, registers) };
        (registers > 0).then_some(array)
    });
    Interface {
        stage,
        inputs: io(INPUTS, "v", &uses.inputs),
        outputs: io(OUTPUTS, "o", &uses.outputs),
        uniforms: arrays.collect(),
        textures: Vec::new(),
        samplers: Vec::new(),
        geometry: None,
        workgroup: [1, 1, 1],
        shared: 0,
        local: 0,
    }
}
