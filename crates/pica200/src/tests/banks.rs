//! The exchange of the banks of outputs.

use super::*;
use shisa_ir::{Mask, Nodes, Value};

/// The registers that the operations of a step write.
fn written(lifted: &Lifted, pc: u32) -> Vec<(Reg, Mask)> {
    let step = &lifted.steps[lifted.find(pc).unwrap()];
    let of = |nodes: &Nodes, n: u32| match nodes.op(Value(n)) {
        Op::Write { reg, mask, .. } => Some((reg, mask)),
        _ => None,
    };
    step.nodes.clone().filter_map(|n| of(&lifted.nodes, n)).collect()
}

/// Each `emit` exchanges the components that any instruction writes, also one after it, and no others.
#[test]
fn emit_exchanges_what_the_program_writes() {
    let program = assemble(&["mov o2.xz, v0", "emit", "mov o0.w, v0", "setemit 1", "emit", "end"]);
    let lifted = lift(&program, &Options::default()).unwrap();
    let exchanged =
        |register: u16, mask: u8| [OUTPUTS, BANK].map(|file| (Reg::new(file, 4 * register), Mask(mask)));
    let all = [exchanged(0, 8), exchanged(2, 5)].concat();
    for pc in [1, 4] {
        assert_eq!(written(&lifted, pc), all);
    }
    assert_eq!(written(&lifted, 3), []);
}
