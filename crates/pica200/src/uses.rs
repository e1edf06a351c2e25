//! The registers that operations read and write.

use crate::{BOOLEANS, CONSTANTS, INPUTS, INTEGERS, OUTPUTS};
use shisa_ir::{Nodes, Op};

/// The components of each register that are read (for outputs: written) by name, as bits of a mask.
pub(crate) struct Uses {
    pub(crate) inputs: [u8; 16],
    pub(crate) constants: [u8; 96],
    pub(crate) integers: [u8; 4],
    /// 1 for a boolean that is read.
    pub(crate) booleans: [u8; 16],
    pub(crate) outputs: [u8; 16],
    /// Whether a constant is read at a computed index.
    pub(crate) indirect: bool,
}

impl Uses {
    pub(crate) fn of(nodes: &Nodes) -> Uses {
        let mut uses = Uses {
            inputs: [0; 16],
            constants: [0; 96],
            integers: [0; 4],
            booleans: [0; 16],
            outputs: [0; 16],
            indirect: false,
        };
        for node in &nodes.list {
            match node.op {
                Op::Read { reg, swizzle } => {
                    let (list, units) = match reg.file {
                        INPUTS => (&mut uses.inputs[..], 4),
                        CONSTANTS => (&mut uses.constants[..], 4),
                        INTEGERS => (&mut uses.integers[..], 4),
                        BOOLEANS => (&mut uses.booleans[..], 1),
                        _ => continue,
                    };
                    for i in 0..node.ty.count {
                        let unit = reg.unit + u16::from(swizzle.get(i));
                        if let Some(mask) = list.get_mut(usize::from(unit / units)) {
                            *mask |= 1 << (unit % units);
                        }
                    }
                }
                Op::ReadAt { file: CONSTANTS, .. } => uses.indirect = true,
                Op::Write { reg, mask, .. } if reg.file == OUTPUTS => {
                    if let Some(written) = uses.outputs.get_mut(usize::from(reg.unit / 4)) {
                        *written |= mask.0;
                    }
                }
                _ => {}
            }
        }
        uses
    }
}
