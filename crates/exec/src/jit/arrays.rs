//! Units that are loaded and stored together: four of a register, which are a row in an array of the caller.

use super::context::ARRAYS;
use crate::memory::Operand;
use crate::plan::Plan;
use shisa_ir::Reg;

/// Up to four units from a multiple of four on.
pub(crate) type Units = [Option<Operand>; 4];

/// The units that a program reads and writes.
pub(crate) struct Arrays {
    pub(crate) inputs: Vec<Units>,
    pub(crate) outputs: Vec<Units>,
}

impl Arrays {
    /// The units of a program; `None` if they are in too many registers.
    pub(crate) fn new(program: &Plan) -> Option<Arrays> {
        let inputs = rows(program.inputs.iter().map(|load| (load.reg, load.to)));
        let outputs = rows(program.outputs.iter().copied());
        let fits = inputs.len() <= ARRAYS && outputs.len() <= ARRAYS;
        fits.then_some(Arrays { inputs, outputs })
    }
}

/// Units in order of their registers, by rows.
fn rows(units: impl Iterator<Item = (Reg, Operand)>) -> Vec<Units> {
    let mut rows: Vec<Units> = Vec::new();
    let mut last = None;
    for (reg, operand) in units {
        let row = (reg.file, reg.unit / 4);
        if last.replace(row) != Some(row) {
            rows.push([None; 4]);
        }
        if let Some(units) = rows.last_mut() {
            units[usize::from(reg.unit % 4)] = Some(operand);
        }
    }
    rows
}
