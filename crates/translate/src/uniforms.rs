//! Checks reads of uniform arrays against the sizes of the host's buffers.

use crate::{Options, Program, reflection};
use shisa_diag::Diagnostic;
use shisa_ir::{FileKind, Op, Reg, UniformArray};

/// Refuses reads of registers past the end of the host's buffers.
///
/// # Errors
/// `translate-uniform-range`, once for each such register.
pub(crate) fn check(program: &Program, options: &Options) -> Result<(), Vec<Diagnostic>> {
    let mut faults: Vec<(Reg, Diagnostic)> = Vec::new();
    for array in &program.interface.uniforms {
        let end = end(program, options, array);
        for node in &program.func.nodes.list {
            let Op::Read { reg, swizzle } = node.op else { continue };
            // A swizzle selects one of four units.
            if reg.file != array.file || u32::from(reg.unit) + 3 < end {
                continue;
            }
            let last = (0..node.ty.count).map(|i| swizzle.get(i)).max();
            let reg = Reg::new(reg.file, reg.unit.saturating_add(last.map_or(0, u16::from)));
            if u32::from(reg.unit) >= end && faults.iter().all(|(known, _)| *known != reg) {
                let fault =
                    past(program, options, reg).map(|d| d.note(format!("instruction {}", node.origin)));
                faults.extend(fault.map(|d| (reg, d)));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.into_iter().map(|(_, fault)| fault).collect()) }
}

/// The number of units of a uniform array that the host's buffer holds.
fn end(program: &Program, options: &Options, array: &UniformArray) -> u32 {
    let file = program.func.files.get(usize::from(array.file.0));
    let per_vector = if file.is_some_and(|f| f.unit_bits == 1) { 128 } else { 4 };
    reflection::vectors(program, options, array).saturating_mul(per_vector)
}

/// The finding about a read of a register unit past the end of its array.
fn past(program: &Program, options: &Options, reg: Reg) -> Option<Diagnostic> {
    let file = program.func.files.get(usize::from(reg.file.0)).filter(|f| f.kind == FileKind::Uniform)?;
    let array = program.interface.uniforms.iter().find(|u| u.file == reg.file)?;
    let (name, holds) = (&array.name, options.registers(array));
    let register = reg.unit / u16::from(file.units_per_register.max(1));
    let text =
        format!("`{name}{register}` is read, but the host's buffer of `{name}` holds {holds} registers");
    let help =
        format!("state a larger length for `{name}` in `Options::uniform_lengths`, if the buffer has it");
    Some(Diagnostic::error("translate-uniform-range", text).help(help))
}
