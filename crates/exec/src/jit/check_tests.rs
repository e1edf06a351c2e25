//! Which memory machine code may reach, where it may jump, and which registers it may replace: instructions at both sides
//! of each boundary, after the code of a program.

use super::arrays::Arrays;
use super::check::check;
use super::context::{CONTEXT, Context, Field};
use super::flow;
use super::lower::{CHUNKS, GROUP, SLABS};
use super::rows::{FIRST, STRIDE, THREE};
use super::vectors::Vectors;
use crate::memory::{Chunk, LANES, SLAB};
use crate::plan::{Block, Next, Plan, Table, tests::smallest};
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};
use shisa_ir::FileId;

const LEVELS: [Vectors; 2] = [Vectors::Ymm, Vectors::Zmm];
const WAITING: Register = Register::R14;
const ROW: u32 = 16;

/// A plan with three slabs, three blocks and a table of twelve units.
fn plan() -> Plan {
    Plan {
        blocks: (0..3).map(|_| Block { body: 0..0, next: Next::Exit }).collect(),
        tables: vec![Table { file: FileId(0), units: 12, outside: 0 }],
        chunks: 3 * crate::memory::CHUNKS,
        ..smallest()
    }
}

/// Whether code may end with these instructions, which nothing leads to.
fn accepts_of(program: &Plan, vectors: Vectors, instructions: &[Instruction]) -> bool {
    let arrays = Arrays::new(program).expect("arrays");
    let mut bytes = flow::code(program, &arrays, vectors).expect("code");
    check(&bytes, program, vectors).expect("code of a program");
    for i in instructions {
        let mut encoder = Encoder::new(64);
        encoder.encode(i, bytes.len() as u64).unwrap_or_else(|e| panic!("{i:?}: {e}"));
        bytes.extend(encoder.take_buffer());
    }
    match check(&bytes, program, vectors) {
        Ok(()) => true,
        Err(refused) => {
            assert_eq!(refused.code, "internal-exec");
            false
        }
    }
}

fn accepts(vectors: Vectors, instructions: &[Instruction]) -> bool {
    accepts_of(&plan(), vectors, instructions)
}

/// A location: a base, an index with its scale, and a distance.
fn at(base: Register, index: Option<(Register, u32)>, distance: i64) -> MemoryOperand {
    let (index, scale) = index.unwrap_or((Register::None, 1));
    MemoryOperand::with_base_index_scale_displ_size(base, index, scale, distance, 1)
}

/// Loads 16 bytes, or 32.
fn load(from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::VEX_Vmovups_xmm_xmmm128, Register::XMM0, from).unwrap()
}

fn load_wide(from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::VEX_Vmovups_ymm_ymmm256, Register::YMM0, from).unwrap()
}

/// Loads two bytes, four, or eight.
fn load2(from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::Movzx_r32_rm16, Register::EAX, from).unwrap()
}

fn load4(to: Register, from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::Mov_r32_rm32, to, from).unwrap()
}

fn load8(from: MemoryOperand) -> Instruction {
    Instruction::with2(Code::Mov_r64_rm64, Register::RAX, from).unwrap()
}

#[test]
fn regions_of_memory_end_where_their_owner_says() {
    let program = plan();
    let chunks = (program.chunks * size_of::<Chunk>()) as i64;
    for vectors in LEVELS {
        // The last group of a slab begins so many bytes after the first.
        let last = ((SLAB / vectors.lanes() - 1) * vectors.bytes()) as i64;
        for (base, end) in [
            (CHUNKS, chunks),
            (SLABS, chunks - last),
            (CONTEXT, size_of::<Context>() as i64),
            (WAITING, 3 * size_of::<u16>() as i64),
        ] {
            for (size, make) in [(2, load2 as fn(_) -> _), (8, load8), (16, load), (32, load_wide)] {
                for (first, inside) in [
                    (0, size <= end),
                    (-1, false),
                    (end - size, size <= end),
                    (end - size + 1, false),
                    (end, false),
                ] {
                    let accepted = accepts(vectors, &[make(at(base, None, first))]);
                    assert_eq!(
                        accepted, inside,
                        "{vectors:?}: {size} bytes at {first} of {base:?}, {end} bytes"
                    );
                }
            }
        }
    }
}

#[test]
fn sets_of_groups_are_those_of_their_fields() {
    for vectors in LEVELS {
        let set =
            |field: Field, scale, more| at(CONTEXT, Some((GROUP, scale)), i64::from(field.offset()) + more);
        for field in [Field::Lanes, Field::Killed, Field::LeftGroups] {
            assert!(accepts(vectors, &[load2(set(field, 2, 0))]));
            assert!(!accepts(vectors, &[load2(set(field, 2, 1))]), "{field:?}");
            assert!(!accepts(vectors, &[load2(set(field, 1, 0))]), "{field:?}");
            assert!(!accepts(vectors, &[load2(set(field, 4, 0))]), "{field:?}");
            assert!(!accepts(vectors, &[load4(Register::EAX, set(field, 2, 0))]), "{field:?}");
        }
        assert!(!accepts(vectors, &[load2(set(Field::Scratch, 2, 0))]));
        assert!(!accepts(vectors, &[load2(at(CHUNKS, Some((GROUP, 2)), 0))]));
    }
}

#[test]
fn rows_of_arrays_have_four_elements() {
    for vectors in LEVELS {
        for (index, scale, allowed) in [
            (None, 1, true),
            (Some(STRIDE), 1, true),
            (Some(STRIDE), 2, true),
            (Some(STRIDE), 4, false),
            (Some(STRIDE), 8, false),
            (Some(THREE), 1, true),
            (Some(THREE), 2, false),
            (Some(THREE), 4, false),
            (Some(GROUP), 1, false),
        ] {
            let row = |distance| at(FIRST, index.map(|index| (index, scale)), distance);
            assert_eq!(accepts(vectors, &[load(row(0))]), allowed, "{index:?} {scale}");
            assert!(!accepts(vectors, &[load(row(ROW.into()))]), "{index:?} {scale}");
            assert!(!accepts(vectors, &[load_wide(row(0))]), "{index:?} {scale}");
            assert!(!accepts(vectors, &[load8(row(0))]), "{index:?} {scale}");
        }
    }
}

/// A row of a table is read with an index that the instruction before it loaded from those that were limited.
#[test]
fn rows_of_tables_follow_their_index() {
    let scratch = i64::from(Field::Scratch.offset());
    let index = |distance| load4(Register::EAX, at(CONTEXT, None, scratch + distance));
    let row = |scale, offset| at(FIRST, Some((Register::RAX, scale)), offset);
    let last = 4 * LANES as i64 - 4;
    for vectors in LEVELS {
        for distance in [0, 4, last] {
            assert!(accepts(vectors, &[index(distance), load(row(4, 0))]), "{distance}");
        }
        assert!(!accepts(vectors, &[index(last + 4), load(row(4, 0))]));
        for (offset, inside) in [(12 * 4, true), (12 * 4 + 1, false), (-1, false), (4, true)] {
            assert_eq!(accepts(vectors, &[index(0), load(row(4, offset))]), inside, "{offset}");
        }
        for scale in [1, 2, 8] {
            assert!(!accepts(vectors, &[index(0), load(row(scale, 0))]), "{scale}");
        }
        assert!(!accepts(vectors, &[index(0), load_wide(row(4, 0))]));
        assert!(!accepts(vectors, &[index(0), load8(row(4, 0))]));
        assert!(!accepts(vectors, &[load(row(4, 0))]), "without an index");
        for other in [
            load4(Register::ECX, at(CONTEXT, None, scratch)),
            load2(at(CONTEXT, None, scratch)),
            load4(Register::EAX, at(CHUNKS, None, scratch)),
            Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 0).unwrap(),
        ] {
            assert!(accepts(vectors, &[other]));
            assert!(!accepts(vectors, &[other, load(row(4, 0))]), "{other:?}");
        }
        // Without tables only the beginning of memory is left.
        let none = smallest();
        assert!(accepts_of(&none, vectors, &[index(0), load(row(4, 0))]));
        assert!(!accepts_of(&none, vectors, &[index(0), load(row(4, 4))]));
    }
}

#[test]
fn jumps_lead_to_instructions_and_nothing_is_called() {
    for vectors in LEVELS {
        for code in [Code::Jmp_rel32_64, Code::Je_rel32_64, Code::Jb_rel32_64] {
            assert!(accepts(vectors, &[Instruction::with_branch(code, 0).unwrap()]));
            // The first instruction has one byte, the second, which saves RBP, too; R12 needs two.
            assert!(accepts(vectors, &[Instruction::with_branch(code, 2).unwrap()]));
            assert!(!accepts(vectors, &[Instruction::with_branch(code, 3).unwrap()]));
        }
        for to in [at(CONTEXT, None, 0), at(CONTEXT, None, 8), at(CHUNKS, None, 0)] {
            assert!(!accepts(vectors, &[Instruction::with1(Code::Call_rm64, to).unwrap()]), "{to:?}");
        }
        assert!(!accepts(vectors, &[Instruction::with1(Code::Retnq_imm16, 8).unwrap()]));
        assert!(accepts(vectors, &[Instruction::with(Code::Retnq)]));
    }
}

#[test]
fn addresses_are_read_and_not_replaced() {
    for vectors in LEVELS {
        for address in [CONTEXT, CHUNKS, SLABS, GROUP, WAITING, Register::RSP] {
            let half = address.full_register32();
            let accepted = |i: Instruction| accepts(vectors, &[i]);
            assert!(!accepted(Instruction::with2(Code::Mov_r64_rm64, address, Register::RAX).unwrap()));
            assert!(!accepted(Instruction::with2(Code::Mov_r32_rm32, half, Register::EAX).unwrap()));
            assert!(!accepted(Instruction::with1(Code::Pop_r64, address).unwrap()));
            assert!(!accepted(Instruction::with1(Code::Inc_rm64, address).unwrap()));
            assert!(accepted(Instruction::with1(Code::Push_r64, address).unwrap()));
            assert!(accepted(Instruction::with2(Code::Cmp_r64_rm64, address, Register::RAX).unwrap()));
            assert!(accepted(Instruction::with2(Code::Test_rm64_r64, address, Register::RAX).unwrap()));
            assert!(accepted(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, address).unwrap()));
        }
        // An address that is computed reaches no memory by itself.
        let far = Instruction::with2(Code::Lea_r64_m, FIRST, at(Register::RAX, None, 1 << 20)).unwrap();
        assert!(accepts(vectors, &[far]));
        assert!(accepts(vectors, &[Instruction::with(Code::VEX_Vzeroupper)]));
    }
}
