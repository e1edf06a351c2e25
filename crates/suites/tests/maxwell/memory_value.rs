//! What loads and stores do, against plain arrays of bytes.

use super::lanes::{Lanes, Random};
use shisa_eval::BufferEnvironment;
use shisa_ir::{Space, WAVE};

/// Where the buffers of global memory are: one needs addresses of 64 bits.
const FAR: u64 = 0x12_3456_0000;
const NEAR: u64 = 0x8000;
/// Size of each memory: a block of 64 bytes for each lane.
const SIZE: usize = 64 * WAVE;
/// Data registers of the random programs.
const DATA: usize = 24;

/// A memory of the test: how its instructions are written, and the bytes that each lane sees.
struct Memory {
    load: &'static str,
    store: &'static str,
    register: usize,
    space: Space,
    base: u64,
    /// One for all lanes, or one for each.
    bytes: Vec<Vec<u8>>,
}

impl Memory {
    fn bytes(&mut self, lane: usize) -> &mut Vec<u8> {
        let n = if self.bytes.len() == 1 { 0 } else { lane };
        &mut self.bytes[n]
    }
}

fn memories(random: &mut Random) -> Vec<Memory> {
    let rows = [
        ("LDG.E", "STG.E", 200, Space::Global, FAR),
        ("LDG", "STG", 202, Space::Global, NEAR),
        ("LD.E", "ST.E", 200, Space::Global, FAR),
        ("LD", "ST", 202, Space::Global, NEAR),
        ("LDS", "STS", 203, Space::Shared, 0),
        ("LDL", "STL", 203, Space::Local, 0),
    ];
    let mut all: Vec<Memory> = Vec::new();
    for (load, store, register, space, base) in rows {
        let bytes = match all.iter().find(|m| (m.space, m.base) == (space, base)) {
            Some(same) => same.bytes.clone(),
            None => {
                let one: Vec<u8> = (0..SIZE).map(|_| random.next() as u8).collect();
                vec![one; if space == Space::Local { WAVE } else { 1 }]
            }
        };
        all.push(Memory { load, store, register, space, base, bytes });
    }
    all
}

/// Suffix, bytes, and whether the value has a sign.
const SIZES: [(&str, usize, bool); 7] = [
    (".U8", 1, false),
    (".S8", 1, true),
    (".U16", 2, false),
    (".S16", 2, true),
    ("", 4, false),
    (".64", 8, false),
    (".128", 16, false),
];

/// The 32-bit words that a load of these bytes gives.
fn widened(bytes: &[u8], signed: bool) -> Vec<u32> {
    match *bytes {
        [b] if signed => vec![b as i8 as u32],
        [b] => vec![b.into()],
        [a, b] if signed => vec![i16::from_le_bytes([a, b]) as u32],
        [a, b] => vec![u16::from_le_bytes([a, b]).into()],
        _ => bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect(),
    }
}

/// A random program of loads and stores, guarded or not, of which each lane stays in its block; and the same by hand.
fn program(random: &mut Random) {
    let mut memories = memories(random);
    let order: Vec<usize> = {
        let mut order: Vec<usize> = (0..WAVE).collect();
        (1..WAVE).for_each(|i| order.swap(i, random.below(i + 1)));
        order
    };
    let guard: [bool; WAVE] = std::array::from_fn(|_| random.below(3) > 0);
    let mut registers = vec![[0u32; WAVE]; DATA];
    let mut environment = BufferEnvironment::default();
    for memory in &memories {
        // Two rows share the buffer of global memory.
        if environment.buffer(memory.space, 0, memory.base).is_none() {
            environment.add(memory.space, memory.base, &memory.bytes[0], &Default::default()).unwrap();
        }
    }
    let mut text = String::new();
    for _ in 0..40 {
        let m = random.below(memories.len());
        let (size, bytes, signed) = SIZES[random.below(SIZES.len())];
        let offset = random.below(64 / bytes) * bytes;
        let first = random.below(DATA / 4) * 4;
        let guarded = random.below(3) == 0;
        let store = random.below(2) == 0;
        let (load_row, store_row, register) = (memories[m].load, memories[m].store, memories[m].register);
        // Base registers point into the middle of the memory, so that offsets have both signs.
        let address = match offset as i64 - 32 {
            0 => format!("[R{register}]"),
            by if by < 0 => format!("[R{register}+-{:#x}]", -by),
            by => format!("[R{register}+{by:#x}]"),
        };
        text += if guarded { "@P0 " } else { "" };
        text += &match store {
            true => format!("{store_row}{size} {address}, R{first};"),
            false => format!("{load_row}{size} R{first}, {address};"),
        };
        for lane in (0..WAVE).filter(|&lane| !guarded || guard[lane]) {
            let at = order[lane] * 64 + offset;
            if store {
                let words = (0..4).flat_map(|i| registers[first + i][lane].to_le_bytes());
                let new: Vec<u8> = words.take(bytes).collect();
                let (space, base) = (memories[m].space, memories[m].base);
                for memory in memories.iter_mut().filter(|o| (o.space, o.base) == (space, base)) {
                    memory.bytes(lane)[at..at + bytes].copy_from_slice(&new);
                }
            } else {
                let found = widened(&memories[m].bytes(lane)[at..at + bytes], signed);
                (first..).zip(found).for_each(|(r, v)| registers[r][lane] = v);
            }
        }
    }
    let mut lanes = Lanes::new(environment);
    let middle = |base: u64, lane: usize| base + order[lane] as u64 * 64 + 32;
    lanes.set(200, |lane| middle(FAR, lane) as u32);
    lanes.set(201, |lane| (middle(FAR, lane) >> 32) as u32);
    lanes.set(202, |lane| middle(NEAR, lane) as u32);
    lanes.set(203, |lane| middle(0, lane) as u32);
    lanes.set_predicate(0, |lane| guard[lane]);
    let ran = lanes.run(&text);
    for (n, values) in (0..).zip(&registers) {
        assert_eq!(&ran.registers(n), values, "R{n} after {text}");
    }
    for mut memory in memories {
        for lane in 0..memory.bytes.len() {
            let found = ran.environment.buffer(memory.space, lane, memory.base).unwrap();
            let rows = memory.store;
            assert_eq!(found, memory.bytes(lane), "{rows} after {text}");
        }
    }
}

#[test]
fn random_programs_load_and_store_as_plain_memory_does() {
    let mut random = Random(7);
    for _ in 0..60 {
        program(&mut random);
    }
}

/// Hints and forms with a predicate load the same; the predicate reports a missing page, and no page is missing.
#[test]
fn hints_load_the_same() {
    let mut environment = BufferEnvironment::default();
    let bytes: Vec<u8> = (0..SIZE).map(|n| ((n * 37) >> 3) as u8).collect();
    for (space, base) in [(Space::Global, FAR), (Space::Shared, 0), (Space::Local, 0)] {
        environment.add(space, base, &bytes, &Default::default()).unwrap();
    }
    for line in [
        "LDG.E.CG.64 R4, [R200+0x8]",
        "LDG.E.CI.64 R4, [R200+0x8]",
        "LDG.E.CV.64 R4, [R200+0x8]",
        "LDG.E.64 P1, R4, [R200+0x8]",
        "LDG.E.U.128 R4, [R200+0x8]",
        "LD.E.CV.64 R4, [R200+0x8], P2",
        "LDS.U.64 R4, [R202+0x8]",
        "LDL.LU.64 R4, [R202+0x8]",
    ] {
        let mut lanes = Lanes::new(environment.clone());
        lanes.set(200, |lane| FAR as u32 + 16 * lane as u32);
        lanes.set(201, |_| (FAR >> 32) as u32);
        lanes.set(202, |lane| 16 * lane as u32);
        lanes.set_predicate(1, |_| true);
        let ran = lanes.run(&format!("{line};@P1 MOV32I R6, 0x1;"));
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let expected = |by: usize| std::array::from_fn(|lane| word(16 * lane + by));
        assert_eq!((ran.registers(4), ran.registers(5)), (expected(8), expected(12)), "{line}");
        let kept = [u32::from(!line.contains(" P1")); WAVE];
        if !line.contains("128") {
            assert_eq!(ran.registers(6), kept, "{line}");
        }
    }
}

#[test]
fn constants_are_loaded_by_offset_and_by_segment() {
    let mut environment = BufferEnvironment::default();
    let bank = |n: usize| -> Vec<u8> { (0..512).map(|i| (i * 29 + n * 101 + (i >> 8)) as u8).collect() };
    for n in 1..5 {
        environment.add(Space::Constant(n as u8), 0, &bank(n), &Default::default()).unwrap();
    }
    let mut lanes = Lanes::new(environment);
    // Over the segment by the offset: the sum carries into the number of the bank.
    let segments = |lane: usize| (((lane % 3) << 16) + 8 * lane) as u32;
    lanes.set(200, |lane| 8 * lane as u32);
    lanes.set(201, segments);
    lanes.set(202, |_| 0xfff8);
    let ran = lanes.run(
        "LDC R0, c[0x2][R200+0x4];LDC.64 R2, c[0x3][R200];LDC.U8 R4, c[0x4][R200+0x1];\
         LDC.S8 R5, c[0x4][R200+0x1];LDC.U16 R6, c[0x1][R200+0x2];LDC.S16 R7, c[0x1][R200+0x2];\
         LDC.IS R8, c[0x2][R201+0x8];LDC.IS R9, c[0x1][R202+0x10];LDC R10, c[0x1][R200+-0x0];\
         IADD32I R11, R200, 0x20;LDC R12, c[0x3][R11+-0x10];LDC.IL R13, c[0x1][R201+0x4];\
         LDC R14, c[0x2][R200+0x7];LDC.U16 R15, c[0x2][R200+0x3];LDC.64 R16, c[0x2][R200+0x6];",
    );
    for lane in 0..WAVE {
        let at = 8 * lane;
        let word = |n: usize, at: usize| u32::from_le_bytes(bank(n)[at..at + 4].try_into().unwrap());
        let byte = bank(4)[at + 1];
        let half = u16::from_le_bytes([bank(1)[at + 2], bank(1)[at + 3]]);
        let expected = [
            (0, word(2, at + 4)),
            (2, word(3, at)),
            (3, word(3, at + 4)),
            (4, byte.into()),
            (5, byte as i8 as u32),
            (6, half.into()),
            (7, half as i16 as u32),
            (8, word(2 + lane % 3, at + 8)),
            (9, word(2, 8)),
            (10, word(1, at)),
            (12, word(3, at + 16)),
            (13, word(1 + lane % 3, at + 4)),
            // Offsets are rounded down to the size of the access.
            (14, word(2, at + 4)),
            (15, word(2, at) >> 16),
            (16, word(2, at)),
            (17, word(2, at + 4)),
        ];
        for (n, value) in expected {
            assert_eq!(ran.registers(n)[lane], value, "R{n} of lane {lane}");
        }
    }
}

/// Errors of memory name the instruction and the lane, besides address and size.
#[test]
fn errors_name_the_instruction_and_the_lane() {
    let mut environment = BufferEnvironment::default();
    environment.add(Space::Shared, 0, &[0; 64], &Default::default()).unwrap();
    for (line, what) in [("LDS.64 R0, [R200]", "a load of 8"), ("ATOMS.ADD R0, [R200], R1", "a load of 4")] {
        let mut lanes = Lanes::new(environment.clone());
        lanes.set(200, |lane| 8 * lane as u32);
        let refused = lanes.refused(&format!("MOV R2, RZ;{line};"));
        assert_eq!(refused.code, "eval-memory-outside", "{line}");
        assert!(refused.message.starts_with(&format!("{what} bytes at 0x40 ")), "{}", refused.message);
        assert_eq!(refused.notes, ["in lane 8", "at program counter 0x10"], "{line}");
    }
}
