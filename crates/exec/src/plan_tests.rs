//! Plans whose operands are outside of their memory, or whose results replace each other, are refused.

use crate::access::{Access, Several};
use crate::instruction::{Arrive, Instruction};
use crate::kernel::{One, Sum, Three, Two};
use crate::memory::{CHUNKS, Operand};
use crate::plan::{Block, Edge, Load, Next, Plan, Table};
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{Axis, Dim, FileId, FloatModel, FloatRule, Lod, Reg, Scalar, TexOp, Unary};

const OUTSIDE: &str = "an operand of a compiled program is outside of its memory";
const SAME: &str = "two results of an instruction have the same memory";
/// Chunks of the plans: eight uniforms and two slabs.
const MEMORY: usize = 3 * CHUNKS;
const REG: Reg = Reg::new(FileId(0), 0);

/// A plan with two slabs and a table, which runs these instructions.
fn plan(instructions: Vec<Instruction<Operand>>) -> Plan {
    Plan {
        files: &[],
        model: FloatModel::F32,
        prologue: 0..0,
        blocks: vec![Block { body: 0..instructions.len(), next: Next::Exit }],
        instructions,
        constants: Vec::new(),
        units: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        tables: vec![Table { file: FileId(0), units: 8, outside: 0 }],
        accesses: Vec::new(),
        rejoins: false,
        width: CHUNKS,
        chunks: MEMORY,
        uniforms: CHUNKS,
    }
}

/// The message of a refusal.
fn refusal(plan: Plan) -> Option<String> {
    let refused = plan.verified().err()?;
    assert_eq!(refused.code, "internal-exec");
    Some(refused.message)
}

fn refusal_of(instruction: Instruction<Operand>) -> Option<String> {
    refusal(plan(vec![instruction]))
}

/// The last slab and the last uniform in memory, and the first ones that are not.
fn operands() -> [(Operand, bool); 4] {
    let (slab, uniform) = ((MEMORY - CHUNKS) as u32, MEMORY as u32 - 1);
    [
        (Operand::slab(slab), true),
        (Operand::uniform(uniform), true),
        (Operand::slab(slab + 1), false),
        (Operand::uniform(uniform + 1), false),
    ]
}

/// Instructions of every kind that have this operand, and no other outside of memory.
fn instructions(o: Operand) -> Vec<Instruction<Operand>> {
    let (ok, index) = (Operand::slab(CHUNKS as u32), Operand::uniform(0));
    let op = Arithmetic::Unary(Unary::FSin, FloatRule::IEEE, Scalar::F16);
    let gather = |dst, index| Instruction::Gather { dst, table: 0, offset: 0, stride: 4, index };
    let [a, b, c] = [1, 2, 3].map(Operand::uniform);
    let mut all = vec![
        Instruction::One { kernel: One::Copy, dst: o, args: [ok] },
        Instruction::One { kernel: One::Copy, dst: ok, args: [o] },
        Instruction::Rsqrt24 { dst: o, a: ok },
        Instruction::Rsqrt24 { dst: ok, a: o },
        Instruction::Blend { dst: o, src: ok },
        Instruction::Blend { dst: ok, src: o },
        Instruction::Kill { cond: o },
        Instruction::Neighbour { axis: Axis::X, second: true, dst: o, a: ok },
        Instruction::Neighbour { axis: Axis::X, second: true, dst: ok, a: o },
        Instruction::Two { kernel: Two::FAdd, dst: o, args: [ok; 2] },
        Instruction::Three { kernel: Three::Fma, dst: o, args: [ok; 3] },
        Instruction::ByLane { op, dst: o, args: [ok; 3] },
        Instruction::Dot3 { kernel: Sum::Plain, dst: o, start: None, args: [[ok; 3]; 2] },
        Instruction::Dot3 { kernel: Sum::Plain, dst: ok, start: Some(o), args: [[ok; 3]; 2] },
        Instruction::Dot4 { kernel: Sum::Plain, dst: o, start: None, args: [[ok; 4]; 2] },
        Instruction::Dot4 { kernel: Sum::Plain, dst: ok, start: Some(o), args: [[ok; 4]; 2] },
        gather([ok, a, b, c], o),
    ];
    for n in 0..2 {
        let args = std::array::from_fn(|i| if i == n { o } else { ok });
        all.push(Instruction::Two { kernel: Two::FAdd, dst: ok, args });
    }
    for n in 0..3 {
        let args = std::array::from_fn(|i| if i == n { o } else { ok });
        all.push(Instruction::Three { kernel: Three::Fma, dst: ok, args });
        all.push(Instruction::ByLane { op, dst: ok, args });
        for args in [[args, [ok; 3]], [[ok; 3], args]] {
            all.push(Instruction::Dot3 { kernel: Sum::Plain, dst: ok, start: None, args });
        }
    }
    for n in 0..4 {
        let args = std::array::from_fn(|i| if i == n { o } else { ok });
        for args in [[args, [ok; 4]], [[ok; 4], args]] {
            all.push(Instruction::Dot4 { kernel: Sum::Plain, dst: ok, start: None, args });
        }
        let mut dst = [a, b, c, ok];
        dst[n] = o;
        all.push(gather(dst, index));
    }
    all
}

#[test]
fn every_operand_of_an_instruction_is_in_memory() {
    for (operand, exists) in operands() {
        for i in instructions(operand) {
            let want = (!exists).then_some(OUTSIDE);
            assert_eq!(refusal_of(i).as_deref(), want, "{i:?}");
        }
    }
}

#[test]
fn registers_are_in_memory() {
    for (operand, exists) in operands() {
        let want = (!exists).then_some(OUTSIDE);
        let load = Load { reg: REG, to: operand };
        let with = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan(Vec::new());
            change(&mut plan);
            refusal(plan)
        };
        assert_eq!(with(&|p| p.outputs = vec![(REG, operand)]).as_deref(), want);
        assert_eq!(with(&|p| p.inputs = vec![load]).as_deref(), want);
        assert_eq!(with(&|p| p.units = vec![load]).as_deref(), want);
    }
}

#[test]
fn conditions_and_constants_are_in_memory() {
    for (cond, exists) in operands() {
        let mut plan = plan(Vec::new());
        let edge = || Edge { to: 0, moves: 0..0 };
        plan.blocks[0].next = Next::Branch { cond, yes: edge(), no: edge() };
        assert_eq!(refusal(plan).as_deref(), (!exists).then_some(OUTSIDE), "{cond:?}");
    }
    for (at, want) in [(MEMORY - 1, None), (MEMORY, Some(OUTSIDE))] {
        let mut plan = plan(Vec::new());
        plan.constants = vec![(at, 1)];
        assert_eq!(refusal(plan).as_deref(), want);
    }
}

#[test]
fn plans_have_a_block_and_no_more_uniforms_than_chunks() {
    let with = |blocks: usize, uniforms| {
        let mut plan = plan(Vec::new());
        plan.blocks.truncate(blocks);
        plan.uniforms = uniforms;
        refusal(plan)
    };
    assert_eq!(with(1, MEMORY), None);
    assert_eq!(with(1, MEMORY + 1).as_deref(), Some(OUTSIDE));
    assert_eq!(with(0, 0).as_deref(), Some(OUTSIDE));
}

#[test]
fn rows_are_of_a_table_and_have_four_results() {
    let index = Operand::uniform(0);
    let row = |table, dst: [u32; 4]| {
        let dst = dst.map(Operand::uniform);
        refusal_of(Instruction::Gather { dst, table, offset: 0, stride: 4, index })
    };
    assert_eq!(row(0, [1, 2, 3, 4]), None);
    assert_eq!(row(1, [1, 2, 3, 4]).as_deref(), Some(OUTSIDE));
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let mut dst = [1, 2, 3, 4];
        dst[b] = dst[a];
        assert_eq!(row(0, dst).as_deref(), Some(SAME), "results {a} and {b}");
    }
}

/// The refusal of a plan with an instruction for access `number`, and with these results and operands.
fn refusal_of_access(
    number: u32,
    results: [Operand; 4],
    coord: [Operand; 4],
    lod: Operand,
) -> Option<String> {
    let mut plan = plan(vec![Instruction::Access { number }]);
    let op = TexOp::sample(0, Dim::D2, coord, Lod::Level([lod; 4]));
    plan.accesses = vec![Access::Texture { results: Several::new(results, 4), op }];
    refusal(plan)
}

#[test]
fn accesses_exist_and_are_in_memory() {
    let (results, ok) = ([0, 1, 2, 3].map(Operand::uniform), Operand::uniform(4));
    assert_eq!(refusal_of_access(0, results, [ok; 4], ok), None);
    assert_eq!(refusal_of_access(1, results, [ok; 4], ok).as_deref(), Some(OUTSIDE));
    for (operand, exists) in operands() {
        let want = (!exists).then_some(OUTSIDE);
        assert_eq!(refusal_of_access(0, results, [ok; 4], operand).as_deref(), want, "{operand:?}");
        for n in 0..4 {
            let (mut coord, mut dst) = ([ok; 4], results);
            (coord[n], dst[n]) = (operand, operand);
            assert_eq!(refusal_of_access(0, results, coord, ok).as_deref(), want, "{operand:?}");
            assert_eq!(refusal_of_access(0, dst, [ok; 4], ok).as_deref(), want, "{operand:?}");
        }
    }
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let mut dst = results;
        dst[b] = dst[a];
        assert_eq!(refusal_of_access(0, dst, [ok; 4], ok).as_deref(), Some(SAME), "results {a} and {b}");
    }
}

#[test]
fn operands_of_barriers_are_in_memory() {
    let ok = Operand::uniform(4);
    for (operand, exists) in operands() {
        for at in 0..3 {
            let mut of = [ok; 3];
            of[at] = operand;
            let [number, threads, vote] = of;
            let arrive = Arrive::Numbered { how: shisa_ir::Arrival::Wait, number, threads, vote };
            let mut plan = plan(Vec::new());
            plan.blocks[0].next = Next::Barrier(arrive, Edge { to: 0, moves: 0..0 });
            assert_eq!(refusal(plan).as_deref(), (!exists).then_some(OUTSIDE), "{operand:?}");
        }
    }
}
