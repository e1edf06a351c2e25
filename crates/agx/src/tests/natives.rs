//! 64-bit integers and 16-bit floats that the target has.

use super::{assemble, device, evaluated, kernel, run_on, translated};
use crate::*;
use alloc::vec::Vec;
use shisa_diag::Limits;
use shisa_ir::{Natives, Scalar, is_int64_arithmetic};
use shisa_translate::execute::Resources;
use shisa_translate::{SpirvVersion, Target};

/// Each leaves a word in `r8`. The inputs are a word that varies widely in `r3`, 64-bit integers in `dr10` and `dr12`, and
/// halves in `r6l` and `r6h`. With each how many operations on 64-bit integers and on 16-bit floats stay.
const LINES: [(&[&str], usize, usize); 8] = [
    // A sum, a difference of a shifted number, and a sum with a product of words.
    (&["iadd dr14, dr10, r3", "xor r8, r14, r15"], 1, 0),
    (&["isub dr14, dr10, r3, lsl 3", "mov r8, r15"], 2, 0),
    (&["imadd dr14, r3, r10, dr12", "mov r8, r15"], 1, 0),
    // A product of two words, of which the low word is one of 32 bits, and a sum of which the low word is used.
    (&["imul dr14, r3, r10", "mov r8, r15"], 0, 0),
    (&["iadd dr14, dr10, r3", "mov r8, r14"], 0, 0),
    (&["hadd r8l, r6l, r6h", "mov r8h, 0"], 0, 1),
    (&["hmul r8l, r6l, r6h, sat", "mov r8h, 0"], 0, 1),
    // Fused: in 32 bits.
    (&["hfma r8l, r6l, r6h, r6l", "mov r8h, 0"], 0, 0),
];

#[test]
fn a_device_computes_with_kinds_of_its_own() {
    let begin = [
        "mov r2, thread_index_in_simdgroup",
        "mov r4, threadgroup_in_grid_x",
        "mov r9, thread_index_in_threadgroup",
        "imadd r4, r4, 32, r9",
        "ldimm r3, 2654435769",
        "imul r3, r3, r4",
        "xor r10, r3, r2",
        "imul r11, r3, r3",
        "mov r12, r11",
        "mov r13, r3",
        "u32_to_f r5, r2, rte",
        "fmul r5, r5, 0.125",
        "fadd r6l, r5, 1.0",
        "fmul r6h, r5, 0.046875",
    ];
    let device = device();
    for (lines, integers, halves) in LINES {
        let lines = [&begin[..], lines, &["store r8, du0, r4, i32, x, a", "stop"]].concat();
        let program = assemble(&lines);
        let natives = Natives { int64: true, float16: true };
        let staged = Staged { natives, ..kernel(program.clone()) };
        let (func, ..) = staged.lower(&Limits::default()).unwrap();
        let count = |is: &dyn Fn(&shisa_ir::Node) -> bool| func.nodes.list.iter().filter(|n| is(n)).count();
        let long = count(&|n| is_int64_arithmetic(&func.nodes, n.op, n.ty));
        let half = count(&|n| n.ty.scalar == Scalar::F16 && matches!(n.op, shisa_ir::Op::Binary { .. }));
        assert_eq!((long, half), (integers, halves), "{lines:?}\n{}", shisa_ir::print_func(&func));
        let Some(device) = &device else { continue };
        let memory = alloc::vec![0; 64];
        let want = evaluated(&program, 2, &[0, 1], &memory);
        for staged in [&staged, &kernel(program)] {
            let output = translated(staged, Target::Spirv(SpirvVersion::V1_3)).unwrap();
            let uniforms = [Vec::from([[0, 1, 0, 0]])];
            let resources = Resources { uniforms: &uniforms, ..Resources::default() };
            let got = run_on(device, &output, resources, memory.clone(), [2, 1, 1]);
            assert_eq!(got, want, "{lines:?} {:?}", staged.natives);
        }
    }
}
