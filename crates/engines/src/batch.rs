//! A batch of the evaluator on the batch engine.

use crate::codes::unsupported;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::{Batch, Column, InQuads, Outcome, Plane};
use shisa_exec::{Attribute, Outputs, Program, Slot};
use shisa_ir::{FileKind, Reg};

/// Checks that the registers of a batch are those of a stage.
///
/// # Errors
/// `exec-unsupported` for programs that change memory, since the evaluator could not run the batch afterwards; for helper lanes, for inputs, uniforms and results in other registers, and for values of single lanes of a wave if
/// pixels are arranged in quads.
pub(crate) fn check(batch: &Batch, program: &Program) -> Result<(), Diagnostic> {
    let refused = |what: &str, reg: Reg| {
        let file = program.files().get(usize::from(reg.file.0));
        let name = file.map(|f| f.name).into_iter().collect::<String>();
        unsupported(&format!("{what} the register file `{name}`"))
    };
    if program.changes_environment() {
        let text = "the batch engine does not support batches that change memory or textures";
        return Err(
            Diagnostic::error("exec-unsupported", text).help("use the evaluator, which runs every program")
        );
    }
    if batch.helpers.contains(&true) {
        let text = "the batch engine does not support lanes that are helper lanes from the start";
        return Err(Diagnostic::error("exec-unsupported", text));
    }
    let is = |reg: Reg, kinds: &[FileKind]| kind(program, reg).is_some_and(|kind| kinds.contains(&kind));
    let inputs = batch.inputs.iter().map(|column| column.reg);
    let inputs = inputs.chain(batch.by_lane.iter().map(|(reg, _)| *reg));
    let uniforms = batch.uniforms.iter().map(|(reg, _)| *reg);
    let outputs = batch.outputs.iter().map(|(reg, _)| *reg);
    let all = inputs.map(|reg| ("inputs in", reg, &[FileKind::Input][..]));
    let all = all.chain(uniforms.map(|reg| ("uniforms in", reg, &[FileKind::Input, FileKind::Uniform][..])));
    let mut all = all.chain(outputs.map(|reg| ("results in", reg, &[FileKind::Output][..])));
    if let Some((what, reg, _)) = all.find(|(_, reg, kinds)| !is(*reg, kinds)) {
        return Err(refused(what, reg));
    }
    let differs = |plane: &Plane| plane.0.iter().any(|bits| *bits != plane.0[0]);
    let of_lane = read(batch, program).find(|(_, plane)| batch.grid.is_some() && differs(plane));
    of_lane.map_or(Ok(()), |(reg, _)| Err(refused("numbers of lanes in quads, as in", reg)))
}

fn kind(program: &Program, reg: Reg) -> Option<FileKind> {
    program.files().get(usize::from(reg.file.0)).map(|f| f.kind)
}

/// The registers whose values depend on the lane of a wave, if the program reads them.
fn read<'a>(batch: &'a Batch, program: &'a Program) -> impl Iterator<Item = (Reg, &'a Plane)> {
    let is_read = |reg: Reg| program.inputs().any(|input| input == reg);
    batch.by_lane.iter().filter(move |(reg, _)| is_read(*reg)).map(|(reg, plane)| (*reg, plane))
}

/// The end of a run.
pub(crate) enum Ran {
    /// All lanes ran to their end.
    Whole(Outcome),
    /// The evaluator must run the batch, for a reason that the caller wants to see: only some lanes of a quad came to an
    /// instruction that needs all, or quads need more memory than the limit.
    Left(Diagnostic),
    /// The evaluator must run the batch: an access to a texture or to memory is refused. Its error states where.
    Faulted,
}

/// Runs a batch that was checked.
///
/// # Errors
/// `limit-exceeded`; `exec-attribute` or `eval-batch` if an input does not have a value for each lane; `eval-batch` if
/// lanes are quads, and the grid does not match them.
pub(crate) fn run(
    batch: &Batch,
    program: &Program,
    around: &mut Bound<'_>,
    limits: &Limits,
) -> Result<Ran, Diagnostic> {
    if batch.grid.is_none() || !program.uses_quads() {
        return lanes((batch, batch.lanes, &batch.inputs, false), program, around, limits);
    }
    let InQuads { pixels, inputs } = match batch.in_quads(program.files(), limits) {
        Err(d) if d.code == "limit-exceeded" => return Ok(Ran::Left(d)),
        other => other?,
    };
    let ran = lanes((batch, pixels.len(), &inputs, true), program, around, limits)?;
    let Ran::Whole(in_quads) = ran else { return Ok(ran) };
    let mut outcome = Outcome { outputs: Vec::new(), killed: vec![false; batch.lanes], executed: 0 };
    let of_pixels = || pixels.iter().enumerate().filter_map(|(lane, pixel)| Some((lane, (*pixel)?)));
    for (lane, pixel) in of_pixels() {
        if let (Some(to), Some(from)) = (outcome.killed.get_mut(pixel), in_quads.killed.get(lane)) {
            *to = *from;
        }
    }
    for column in in_quads.outputs {
        let units = usize::from(column.units);
        let mut bits = vec![0; batch.lanes * units];
        for (lane, pixel) in of_pixels() {
            let to = bits.get_mut(pixel * units..(pixel + 1) * units);
            if let (Some(to), Some(from)) = (to, column.lane(lane)) {
                to.copy_from_slice(from);
            }
        }
        outcome.outputs.push(Column { bits, ..column });
    }
    Ok(Ran::Whole(outcome))
}

/// Runs lanes with these inputs, as quads or not, and otherwise as the batch states.
fn lanes(
    (batch, lanes, inputs, quads): (&Batch, usize, &[Column], bool),
    program: &Program,
    around: &mut Bound<'_>,
    limits: &Limits,
) -> Result<Ran, Diagnostic> {
    let units: usize = batch.outputs.iter().map(|(_, units)| usize::from(*units)).sum();
    let bytes = lanes.saturating_mul(units.saturating_mul(size_of::<u32>()) + 1);
    limits.check(Limit::Memory, "bytes of outputs", bytes)?;
    let by_lane: Vec<(Reg, Vec<u32>)> = read(batch, program)
        .map(|(reg, plane)| (reg, plane.0.iter().copied().cycle().take(lanes).collect()))
        .collect();
    let slot = |reg: Reg, units: usize, stride: usize| Slot {
        reg,
        units: u16::try_from(units).unwrap_or(u16::MAX),
        offset: 0,
        stride,
        step: 1,
    };
    let mut runner = program.runner();
    runner.set_limits(limits.clone());
    runner.set_quads(quads);
    let mut attributes = Vec::new();
    // The first attribute of a register counts, and of the values of the evaluator the last: columns follow planes, and
    // these uniforms.
    for Column { reg, units, bits } in inputs.iter().rev() {
        let units = usize::from(*units);
        attributes.push(Attribute { slot: slot(*reg, units, units), data: bits });
    }
    attributes
        .extend(by_lane.iter().rev().map(|(reg, bits)| Attribute { slot: slot(*reg, 1, 1), data: bits }));
    let (in_inputs, uniforms): (Vec<_>, Vec<_>) =
        batch.uniforms.iter().partition(|(reg, _)| kind(program, *reg) == Some(FileKind::Input));
    for (reg, bits) in in_inputs.iter().rev() {
        attributes.push(Attribute { slot: slot(*reg, bits.len(), 0), data: bits });
    }
    for (reg, bits) in uniforms {
        runner.set_uniforms(*reg, bits);
    }
    let mut outcome = Outcome { outputs: Vec::new(), killed: vec![false; lanes], executed: 0 };
    let mut data = vec![0; lanes * units];
    let (mut slots, mut offset) = (Vec::new(), 0);
    for (reg, count) in &batch.outputs {
        let count = usize::from(*count);
        slots.push(Slot { offset, ..slot(*reg, count, count) });
        offset += lanes * count;
    }
    let mut outputs = Outputs { slots: &slots, data: &mut data };
    match runner.run_with(lanes, &attributes, &mut outputs, &mut outcome.killed, around) {
        Err(_) if around.failed => return Ok(Ran::Faulted),
        Err(d) if d.code == "exec-divergent" => return Ok(Ran::Left(d)),
        other => other?,
    }
    let mut rest = data.into_iter();
    for (reg, units) in &batch.outputs {
        let bits = rest.by_ref().take(lanes * usize::from(*units)).collect();
        outcome.outputs.push(Column { reg: *reg, units: *units, bits });
    }
    Ok(Ran::Whole(outcome))
}
