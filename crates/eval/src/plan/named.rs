//! The register units that the program uses.

use super::planner::units;
use shisa_ir::{Lifted, Op};

/// For each unit of each file, whether an operation reads or writes it. A file that is read by a computed index counts
/// completely. Registers that do not exist are ignored: planning their operations is an error.
pub(super) fn units_of(lifted: &Lifted) -> Vec<Vec<bool>> {
    let mut named: Vec<Vec<bool>> = lifted.files.iter().map(|f| vec![false; usize::from(f.units)]).collect();
    for node in &lifted.nodes.list {
        let (reg, scalar, components) = match node.op {
            Op::Read { reg, swizzle } => {
                let last = (0..node.ty.count.min(4)).map(|i| swizzle.get(i)).max();
                (reg, node.ty.scalar, last.map_or(0, |last| last + 1))
            }
            Op::Write { reg, mask, value } => {
                let Some(value) = lifted.nodes.list.get(value.index()) else { continue };
                (reg, value.ty.scalar, (u8::BITS - mask.0.leading_zeros()) as u8)
            }
            Op::ReadAt { file, .. } => {
                if let Some(all) = named.get_mut(usize::from(file.0)) {
                    all.fill(true);
                }
                continue;
            }
            _ => continue,
        };
        let Some(file) = lifted.files.get(usize::from(reg.file.0)) else { continue };
        let first = usize::from(reg.unit);
        let end = (first + usize::from(components) * usize::from(units(file, scalar))).min(file.units.into());
        if let Some(units) = named.get_mut(usize::from(reg.file.0)).and_then(|all| all.get_mut(first..end)) {
            units.fill(true);
        }
    }
    named
}
