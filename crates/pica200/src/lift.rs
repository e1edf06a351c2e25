//! Lifts a program to IR, and builds its interface.

use crate::options::PastEnd;
use crate::uses::Uses;
use crate::{BOOLEANS, CONSTANTS, FILES, INPUTS, INTEGERS, OUTPUTS, Options, bank, forms, sequencer, word};
use alloc::{collections::BTreeSet, format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Binding, Control, ControlOp, FileId, Interface, Io, Lifted, Mask, Nodes, Reg, Scalar, Scratch, Stage,
    Step, UniformArray,
};

/// A program: its words, its pool of operand descriptors, its entry.
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

/// The capacity of the hardware in words.
const WORDS: u32 = 4096;

/// Lifts every word. The program counter of a word is its index, from 0.
///
/// Words with an unknown opcode do no harm if no path reaches them: programs share their words, and data may be
/// between them. The sequencer refuses to run one.
///
/// # Errors
/// All words whose rows refuse their operands, each with its bytes in the code.
pub fn lift(program: &Program, options: &Options) -> Result<Lifted, Vec<Diagnostic>> {
    lift_in(program, options, &mut Scratch::new())
}

/// As [`lift`], in the memory of programs before it.
///
/// # Errors
/// The errors of [`lift`].
pub(crate) fn lift_in(
    program: &Program,
    options: &Options,
    scratch: &mut Scratch,
) -> Result<Lifted, Vec<Diagnostic>> {
    let own = program.code.len() as u32;
    let words = match options.past_end {
        PastEnd::Refuse => own,
        PastEnd::End | PastEnd::Zeros | PastEnd::Wrap => own.max(WORDS),
    };
    lift_words(program, options, 0..words, scratch)
}

/// Lifts the words that control can reach from the entry, and perhaps others. Unlike [`lift`], it takes the whole memory of
/// a shader unit, in which other words can be of any kind, in a time that depends on the program alone.
///
/// # Errors
/// As [`lift`], for these words.
pub fn lift_reachable(program: &Program, options: &Options) -> Result<Lifted, Vec<Diagnostic>> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![program.entry]);
    let mut one = Lifted::new(FILES);
    while let Some(pc) = open.pop() {
        let Some((code, next)) = word_at(program, options, pc).filter(|_| reached.insert(pc)) else {
            continue;
        };
        one.steps.clear();
        one.nodes.list.clear();
        // A word that is refused is reported below.
        if lift_word(&mut one, (code, program), options, pc, next).is_ok()
            && let Some(control) = one.steps.first().map(|step| step.control)
            && control.op != ControlOp::Exit
        {
            // More than the operation needs: a target that it does not have is 0.
            open.extend([next, control.target, control.extra]);
        }
    }
    lift_words(program, options, reached.into_iter(), &mut Scratch::new())
}

/// Lifts words in ascending order.
fn lift_words(
    program: &Program,
    options: &Options,
    words: impl Iterator<Item = u32>,
    scratch: &mut Scratch,
) -> Result<Lifted, Vec<Diagnostic>> {
    let mut lifted = Lifted::new(FILES);
    (lifted.nodes, lifted.steps) = (scratch.nodes(), scratch.steps());
    let (count, _) = words.size_hint();
    lifted.steps.reserve(count);
    lifted.nodes.list.reserve(count * 12);
    let mut faults = Vec::new();
    for pc in words {
        let Some((code, next)) = word_at(program, options, pc) else { continue };
        if let Err(d) = lift_word(&mut lifted, (code, program), options, pc, next) {
            let at = 4 * pc as usize;
            faults.push(d.at_bytes(at..at + 4, ""));
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    sequencer::implied(&mut lifted, options);
    bank::exchange(&mut lifted);
    Ok(lifted)
}

/// A word, also after the program's, and the program counter of the word after it.
fn word_at(program: &Program, options: &Options, pc: u32) -> Option<(u32, u32)> {
    if let Some(code) = program.code.get(pc as usize) {
        return Some((*code, pc + 1));
    }
    let last = WORDS - 1;
    match options.past_end {
        _ if pc > last => None,
        PastEnd::Refuse => None,
        PastEnd::End => Some((forms::END, pc + 1)),
        PastEnd::Zeros if pc == last => Some((forms::END, pc + 1)),
        PastEnd::Wrap if pc == last => Some((0, 0)),
        PastEnd::Zeros | PastEnd::Wrap => Some((0, pc + 1)),
    }
}

/// Lifts a word of a program.
fn lift_word(
    lifted: &mut Lifted,
    (code, program): (u32, &Program),
    options: &Options,
    pc: u32,
    next: u32,
) -> Result<(), Diagnostic> {
    match word::decode(code, &program.descriptors) {
        Some(insn) => shisa_rows::lift(lifted, insn, options, pc, next),
        None => {
            let nodes = lifted.nodes.list.len() as u32;
            let control = Control { op: ControlOp::Invalid, ..Control::default() };
            lifted.steps.push(Step {
                pc,
                next,
                nodes: nodes..nodes,
                guard: None,
                whole_wave: false,
                control,
            });
            Ok(())
        }
    }
}

/// The program's interface: inputs and outputs at locations of their own numbers, constants (binding 0), integer
/// vectors (1) and booleans (2). The container has the meaning of the outputs.
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
