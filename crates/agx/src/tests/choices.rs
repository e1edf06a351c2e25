//! Choices that nothing published settles.

use super::assemble;
use crate::*;
use shisa_diag::Limits;
use shisa_eval::{Machine, NoEnvironment, NoObserver};
use shisa_ir::Reg;

/// Behaviour that nothing published settles is refused, and the refusal names the choice that settles it.
#[test]
fn choices_settle_what_nothing_published_does() {
    for (line, choice) in [
        ("doorbell 49", "driver-ops=ignore"),
        ("jmp_if_skipping_doorbell 4", "driver-ops=ignore"),
        ("map r11, 0, 3", "driver-ops=ignore"),
        ("unmap r9, 0, 3", "driver-ops=ignore"),
        ("uniform_store_unk r0, r1.sx, i32, x, a", "uniform-elements=memory"),
        ("smpf r0, du54, 5, ss0, r4_r5, 0, 2d, x, auto_lod, a", "heap-numbers=bytes"),
        ("imgw r12_r13_r14_r15, du0, 1, r16_r17, 0, 2d", "heap-numbers=bytes"),
    ] {
        let program = assemble(&[line, "stop"]);
        let refused = lift(&program).unwrap_err();
        assert_eq!((refused.len(), refused[0].code), (1, "lift-unstated"), "{line}");
        assert!(refused[0].help[0].contains(choice), "{line}: {:?}", refused[0].help);
        let (key, value) = choice.split_once('=').unwrap();
        let mut options = Options::DEFAULT;
        assert!(options.set(key, value));
        let lifted = lift(&Program { options, ..program }).unwrap();
        shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    }
}

/// Driver programs continue after ignored instructions: doorbells are not skipped, and nothing is mapped.
#[test]
fn ignored_operations_leave_all_but_a_register() {
    let mut options = Options::DEFAULT;
    assert!(options.set("driver-ops", "ignore"));
    let program = assemble(&[
        "ldimm r9, 7",
        "ldimm r10, 8",
        "jmp_if_skipping_doorbell 10",
        "doorbell 49",
        "ldimm r10, 9",
        "map r10, 0, 3",
        "unmap r9, 0, 3",
        "stop",
    ]);
    let lifted = lift(&Program { options, ..program }).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!([9, 10].map(|n| machine.register(Reg::new(REGISTERS, 2 * n), 0).unwrap()), [0, 9]);
}
