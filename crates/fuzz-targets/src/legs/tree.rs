//! The statements that translators read, run by a simple interpreter.

use shisa::Lowered;
use shisa::ir::testing::Machine;
use shisa::ir::{File, FileKind, FloatModel, Op, Reg};

/// Number of blocks that a lane may run; more than the evaluator's limit on instructions.
const BLOCKS: usize = 1 << 20;

/// The outputs of a lane.
pub(super) struct Outputs<'a> {
    files: &'a [File],
    units: Vec<u64>,
}

impl Outputs<'_> {
    /// A unit of an output file.
    pub(super) fn unit(&self, reg: Reg) -> u32 {
        let before = self.files.iter().take(reg.file.0.into());
        let before =
            before.filter(|f| f.kind == FileKind::Output).map(|f| usize::from(f.units)).sum::<usize>();
        self.units[before + usize::from(reg.unit)] as u32
    }
}

/// Whether a lane depends only on its inputs: no textures, no other lanes.
pub(super) fn alone(lowered: &Lowered) -> bool {
    let outside = |op: &Op| matches!(op, Op::Texture(_) | Op::Derivative { .. } | Op::Lane { .. });
    !lowered.func.nodes.list.iter().any(|n| outside(&n.op))
}

/// Runs the statements of a program for one lane with these units of inputs and uniforms.
pub(super) fn run(lowered: &Lowered, model: FloatModel, given: impl Fn(&File, u16) -> u32) -> Outputs<'_> {
    let machine = Machine::given(&lowered.func, model, BLOCKS, |f, unit| given(f, unit).into());
    let outcome = machine.run_tree(&lowered.tree);
    assert!(outcome.finished, "the statements end where the instructions end");
    let files = lowered.func.files;
    let outputs: usize =
        files.iter().filter(|f| f.kind == FileKind::Output).map(|f| usize::from(f.units)).sum();
    let first = outcome.events.len() - outputs;
    Outputs { files, units: outcome.events[first..].to_vec() }
}
