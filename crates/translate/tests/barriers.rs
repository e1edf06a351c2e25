//! Barriers: which memory they order, the scopes that SPIR-V names, and the stages that have none.

use crate::common::modules::{instructions, opcode};
use crate::common::*;
use shisa_ir::{Division, Op, Space, Stage, Stmt, Tessellation, Type};
use shisa_translate::{Code, Form, GlslVersion, Options, SpirvVersion, Target};

const CONTROL_BARRIER: u32 = 224;
const CONSTANT: u32 = 43;
/// Scopes, and the semantics of a barrier that orders memory: acquire and release, of buffers, of workgroup memory.
const WORKGROUP: u32 = 2;
const INVOCATION: u32 = 4;
const ORDERED: u32 = 0x8 | 0x40 | 0x100;

/// A program that stores to these spaces and waits.
fn case(stage: Stage, spaces: &[Space]) -> Case {
    let mut case = Case::new(stage, VERTEX_FILES);
    case.interface.workgroup = [64, 1, 1];
    case.interface.shared = 1024;
    if matches!(stage, Stage::TessellationControl) {
        let division = Division::default();
        case.interface.tessellation = Some(Tessellation { vertices: 3, attributes: 1, outputs: 3, division });
    }
    let block = case.block(|b| {
        for space in spaces {
            let (address, value) = (b.i32(8), b.i32(7));
            b.store(*space, address, value);
        }
        b.push(Op::Barrier, Type::NONE);
    });
    case.tree.body = vec![Stmt::Block(block), Stmt::Exit];
    case
}

/// The operands of each barrier in a module, as the numbers that they are.
fn barriers(case: &Case) -> Vec<[u32; 3]> {
    let output = case.translate(Target::Spirv(SpirvVersion::V1_3), &Options::default());
    let Code::Words(words) = output.unwrap_or_else(|e| panic!("{e:#?}")).code else { panic!("a text") };
    let (mut constants, mut found) = (Vec::new(), Vec::new());
    for instruction in instructions(&words) {
        match (opcode(instruction), instruction) {
            (CONSTANT, [_, _, id, number]) => constants.push((*id, *number)),
            (CONTROL_BARRIER, [_, operands @ ..]) => found.push(operands.to_vec()),
            _ => {}
        }
    }
    let number = |id: &u32| constants.iter().find(|(known, _)| known == id).expect("a constant").1;
    found.iter().map(|ids| [0, 1, 2].map(|n| number(&ids[n]))).collect()
}

#[test]
fn barriers_of_workgroups_order_memory_and_those_of_patches_do_not() {
    let ordered = [[WORKGROUP, WORKGROUP, ORDERED]];
    for spaces in [&[][..], &[Space::Shared], &[Space::Global], &[Space::Shared, Space::Global]] {
        assert_eq!(barriers(&case(Stage::Compute, spaces)), ordered, "{spaces:?}");
    }
    assert_eq!(barriers(&case(Stage::TessellationControl, &[])), [[WORKGROUP, INVOCATION, 0]]);
}

#[test]
fn barriers_order_what_the_program_writes() {
    let all: [(&[Space], bool, bool); 5] = [
        (&[], false, true),
        (&[Space::Shared], false, true),
        (&[Space::Global], true, false),
        (&[Space::Shared, Space::Global], true, true),
        (&[Space::Global, Space::Shared], true, true),
    ];
    for (spaces, storage, workgroup) in all {
        let text = case(Stage::Compute, spaces).text(Target::Wgsl, &Options::default());
        assert_eq!(text.contains("storageBarrier()"), storage, "{spaces:?}:\n{text}");
        assert_eq!(text.contains("workgroupBarrier()"), workgroup, "{spaces:?}:\n{text}");
    }
    let text =
        case(Stage::TessellationControl, &[]).text(Target::Glsl(GlslVersion::Core450), &Options::default());
    assert!(text.contains("barrier();"), "{text}");
}

#[test]
fn other_stages_have_no_barriers() {
    let spirv = Target::Spirv(SpirvVersion::V1_3);
    for target in [Target::Wgsl, spirv] {
        for (stage, form) in
            [(Stage::Vertex, Form::Stage), (Stage::Fragment, Form::Stage), (Stage::Compute, Form::Compute)]
        {
            let refused = case(stage, &[]).translate(target, &Options { form, ..Options::default() });
            let codes: Vec<_> = refused.map(|_| ()).unwrap_err().iter().map(|d| d.code).collect();
            assert_eq!(codes, ["translate-unsupported"], "{target:?} {stage:?} {form:?}");
        }
    }
}
