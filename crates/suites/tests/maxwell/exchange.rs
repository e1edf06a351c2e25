//! Exchanges between lanes, votes and special registers, against plain code.

use super::lanes::{Lanes, Random};
use shisa_ir::WAVE;

/// The lane that `shfl` of PTX reads, and its predicate.
fn source(mode: &str, lane: i32, b: u32, c: u32) -> (usize, bool) {
    let (by, limit, mask) = ((b & 31) as i32, (c & 31) as i32, (c >> 8 & 31) as i32);
    let most = lane & mask | limit & !mask;
    let least = lane & mask;
    let (other, in_range) = match mode {
        "UP" => (lane - by, lane - by >= most),
        "DOWN" => (lane + by, lane + by <= most),
        "BFLY" => (lane ^ by, lane ^ by <= most),
        _ => (least | by & !mask, (least | by & !mask) <= most),
    };
    (if in_range { other as usize } else { lane as usize }, in_range)
}

/// Shuffles in lanes of any number, with sources of all kinds; inactive lanes keep their registers and are read.
#[test]
fn shuffles_read_the_lanes_that_ptx_defines() {
    let mut random = Random(13);
    for mode in ["IDX", "UP", "DOWN", "BFLY"] {
        for round in 0..160 {
            let values: [u32; WAVE] = std::array::from_fn(|_| random.word());
            let guard: [bool; WAVE] = std::array::from_fn(|_| round % 2 == 0 || random.below(2) == 0);
            let (numbered_b, numbered_c) = (round / 2 % 2 == 0, round / 4 % 2 == 0);
            let (b, c) = (random.below(32) as u32, random.below(1 << 13) as u32);
            // Usual segments, too.
            let segment = |c: u32| {
                if c.is_multiple_of(3) { [0x1f, 0x1c03, 0, 0x181f, 0x0f][c as usize % 5] } else { c }
            };
            let bs: [u32; WAVE] = std::array::from_fn(|_| if numbered_b { b } else { random.word() });
            let cs: [u32; WAVE] =
                std::array::from_fn(|_| segment(if numbered_c { c } else { random.word() }));
            let lane_text = if numbered_b { format!("{b:#x}") } else { "R2".into() };
            let segment_text = if numbered_c { format!("{:#x}", segment(c)) } else { "R3".into() };
            let line = format!("@P0 SHFL.{mode} P1, R0, R1, {lane_text}, {segment_text}");
            let mut lanes = Lanes::new(Default::default());
            lanes.set(0, |lane| lane as u32 ^ 0x5555);
            lanes.set(1, |lane| values[lane]);
            lanes.set(2, |lane| bs[lane]);
            lanes.set(3, |lane| cs[lane]);
            lanes.set_predicate(0, |lane| guard[lane]);
            lanes.set_predicate(1, |lane| lane % 2 == 0);
            let ran = lanes.run(&line);
            let found = |lane: usize| source(mode, lane as i32, bs[lane], cs[lane]);
            let registers = std::array::from_fn(|lane| match guard[lane] {
                true => values[found(lane).0],
                false => lane as u32 ^ 0x5555,
            });
            let predicates =
                std::array::from_fn(|lane| if guard[lane] { found(lane).1 } else { lane % 2 == 0 });
            assert_eq!(ran.registers(0), registers, "{line}: {bs:x?} {cs:x?}");
            assert_eq!(ran.predicates(1), predicates, "{line}: {bs:x?} {cs:x?}");
        }
    }
}

#[test]
fn votes_count_active_lanes() {
    let mut random = Random(17);
    for round in 0..96 {
        let set = |random: &mut Random| match random.below(4) {
            0 => 0,
            1 => u32::MAX,
            2 => 1 << random.below(32),
            _ => (random.next() >> 32) as u32,
        };
        let (held, active) = (set(&mut random), set(&mut random));
        let mode = ["ALL", "ANY", "EQ"][round % 3];
        let negated = round % 2 == 0;
        let line = format!("@P1 VOTE.{mode} R0, P2, {}P0", if negated { "!" } else { "" });
        let mut lanes = Lanes::new(Default::default());
        lanes.set_predicate(0, |lane| held >> lane & 1 != 0);
        lanes.set_predicate(1, |lane| active >> lane & 1 != 0);
        lanes.set(0, |_| 77);
        let ran = lanes.run(&line);
        let votes = if negated { !held & active } else { held & active };
        let agreed = match mode {
            "ALL" => votes == active,
            "ANY" => votes != 0,
            _ => votes == 0 || votes == active,
        };
        let active = |lane: usize| active >> lane & 1 != 0;
        let ballots = std::array::from_fn(|lane| if active(lane) { votes } else { 77 });
        assert_eq!(ran.registers(0), ballots, "{line}: {held:#x}");
        assert_eq!(
            ran.predicates(2),
            std::array::from_fn(|lane| active(lane) && agreed),
            "{line}: {held:#x}"
        );
    }
    assert_eq!(Lanes::new(Default::default()).refused("VOTE.INVALIDVMODE3 R0, P2, P0").code, "lift-vote");
}

/// Caches and votes of vertex stages leave all registers and need no memory.
#[test]
fn caches_and_votes_of_vertices_change_nothing() {
    let lines = "CCTL.IV [R0];CCTL.QRY1[R0];CCTL.IVALL;CCTLL.CRS.WBALL;CCTLL.IVALL;CCTLL.PF2 [R0];CCTLT.IVALL;\
                 CCTLT.IVTH 0x8;CCTLT.IVTH R0;VOTE.VTG.RA 0x3";
    let mut lanes = Lanes::new(Default::default());
    lanes.set(0, |lane| lane as u32 * 3);
    let ran = lanes.run(&format!("{lines};IADD32I R1, R0, 0x1"));
    for n in 0..3 {
        let expected = std::array::from_fn(|lane| [lane as u32 * 3, lane as u32 * 3 + 1, 0][n]);
        assert_eq!(ran.registers(n), expected);
    }
}

#[test]
fn special_registers_and_state_are_read() {
    let mut lanes = Lanes::new(Default::default());
    lanes.set(5, |lane| 100 + lane as u32);
    lanes.set(6, |lane| 7 * lane as u32);
    let ran = lanes.run(
        "S2R R0, SR_LANEID;CS2R R1, SR_LANEID;LEPC R2;GETCRSPTR R3;GETLMEMBASE R4;SETCRSPTR R5;SETLMEMBASE R6;\
         GETCRSPTR R7;GETLMEMBASE R8",
    );
    let of = |f: fn(u32) -> u32| std::array::from_fn(|lane| f(lane as u32));
    let expected: [fn(u32) -> u32; 9] =
        [|n| n, |n| n, |_| 0x18, |_| 0, |_| 0, |n| 100 + n, |n| 7 * n, |n| 100 + n, |n| 7 * n];
    for (n, expected) in expected.into_iter().enumerate() {
        assert_eq!(ran.registers(n), of(expected), "R{n}");
    }
}
