//! Faults put into what a compiler wrote: all are found, and nothing is found in what it wrote itself.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::{Limits, Severity};
use shisa_maxwell::container::Image;
use shisa_maxwell::hazards::{
    Class, Finding, Graph, Kind, Pair, bound, check, class, dependences, effects, fill,
};
use shisa_maxwell::{Chip, Ctx, Schedule, bundle};
use shisa_rows::testing::Random;
use std::path::Path;

/// The programs of the cubins of the data; none, and then a line that says so, where that is not there.
fn programs() -> Vec<(Vec<u128>, Chip)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/maxwell/ptx");
    let mut all = Vec::new();
    for name in ["sm_50-O3", "sm_53-O3"] {
        let path = dir.join(format!("kernels_{name}.cubin.zst"));
        let Ok(packed) = std::fs::read(&path) else {
            println!("skipped: {} is not there", path.display());
            continue;
        };
        let mut bytes = Vec::with_capacity(64 << 20);
        ruzstd::decoding::FrameDecoder::new().decode_all_to_vec(&packed, &mut bytes).unwrap();
        let image = Image::read(&bytes, &Limits::default()).unwrap();
        for (i, program) in image.programs.iter().enumerate() {
            let code = image.code(i).chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect();
            all.push((code, program.chip.unwrap()));
        }
    }
    all
}

fn graph(code: &[u128], chip: Chip) -> Graph {
    Graph::new(code, Ctx { chip, ..Ctx::default() })
}

/// The findings that are more than notes.
fn findings(code: &[u128], chip: Chip) -> Vec<Finding> {
    let mut all = Vec::new();
    check(&graph(code, chip), |f| all.push(f));
    all.retain(|f| f.diagnostic.severity > Severity::Note);
    all
}

#[test]
fn nothing_is_found_in_what_a_compiler_wrote() {
    for (code, chip) in programs() {
        assert_eq!(findings(&code, chip), []);
    }
}

/// The control bits of a fused word.
fn bits(word: u128) -> Schedule {
    Schedule((word >> 64) as u32 & 0x1f_ffff)
}

fn with(word: u128, schedule: u32) -> u128 {
    word as u64 as u128 | u128::from(schedule) << 64
}

/// A fault: what is changed, and the instructions of which one must be named.
struct Fault {
    code: Vec<u128>,
    at: Vec<usize>,
}

/// Makes too few stall cycles of those just enough: between two instructions that follow each other.
fn stalled(code: &[u128], g: &Graph, random: &mut Random) -> Option<Fault> {
    let mut tight = Vec::new();
    dependences(g, |d| {
        let enough = Pair::of(g, &d).and_then(bound).map(|b| b.cycles);
        if d.kind == Kind::Read && enough == Some(d.cycles) && !d.branched && d.second > d.first {
            tight.push(d);
        }
    });
    let d = *tight.get(random.bits() as usize % tight.len().max(1))?;
    let i = (d.first..d.second).rev().find(|i| bits(code[*i]).stall() > 0)?;
    let mut changed = code.to_vec();
    changed[i] = with(code[i], bits(code[i]).0 - 1);
    Some(Fault { code: changed, at: vec![d.first, d.second] })
}

/// Takes a write barrier away whose instruction's result the next to wait for it reads.
fn unbarred(code: &[u128], g: &Graph, random: &mut Random, wait: bool) -> Option<Fault> {
    let mut all = Vec::new();
    for (i, insn) in g.insns.iter().enumerate() {
        let (Some(insn), Some(barrier)) = (insn, bits(code[i]).write_barrier()) else { continue };
        let made = effects(insn).writes;
        // The first that reads it, if it is the first that waits for the barrier and nothing raises that again.
        for (j, next) in g.insns.iter().enumerate().skip(i + 1) {
            let Some(next) = next else { break };
            let waits = bits(code[j]).wait() >> barrier & 1 != 0;
            let reads = !effects(next).reads.and(&made).is_empty();
            if reads && waits {
                all.push((i, j));
            }
            let again =
                [bits(code[j]).write_barrier(), bits(code[j]).read_barrier()].contains(&Some(barrier));
            let leaves = g.next(j).ne([j + 1]);
            if reads || waits || again || leaves || !effects(next).writes.and(&made).is_empty() {
                break;
            }
        }
    }
    let (i, j) = *all.get(random.bits() as usize % all.len().max(1))?;
    let mut changed = code.to_vec();
    match wait {
        false => changed[i] = with(code[i], bits(code[i]).0 | 7 << 5),
        true => {
            let barrier = bits(code[i]).write_barrier()?;
            changed[j] = with(code[j], bits(code[j]).0 & !(1 << (11 + barrier)));
        }
    }
    Some(Fault { code: changed, at: vec![i, j] })
}

/// Takes a read barrier away that makes who overwrites a source wait.
fn unread(code: &[u128], g: &Graph, random: &mut Random) -> Option<Fault> {
    let mut all = Vec::new();
    for (i, insn) in g.insns.iter().enumerate() {
        let (Some(insn), Some(barrier)) = (insn, bits(code[i]).read_barrier()) else { continue };
        let sources = effects(insn).reads.general();
        let written = bits(code[i]).write_barrier();
        for (j, next) in g.insns.iter().enumerate().skip(i + 1).take(12) {
            let Some(next) = next else { break };
            let (wait, other) = (bits(code[j]).wait(), effects(next));
            let overwrites = !other.writes.and(&sources).is_empty();
            // Within a class sources are read in order, and those of shared memory soon.
            let late = class(insn) != class(next) && class(insn) != Class::Shared;
            if overwrites && late && wait >> barrier & 1 != 0 && written.is_none_or(|w| wait >> w & 1 == 0) {
                all.push((i, j));
            }
            let again =
                [bits(code[j]).write_barrier(), bits(code[j]).read_barrier()].contains(&Some(barrier));
            let done = again || written.is_some_and(|w| wait >> w & 1 != 0) || wait >> barrier & 1 != 0;
            if overwrites || done || g.next(j).ne([j + 1]) {
                break;
            }
        }
    }
    let (i, j) = *all.get(random.bits() as usize % all.len().max(1))?;
    let mut changed = code.to_vec();
    changed[i] = with(code[i], bits(code[i]).0 | 7 << 8);
    Some(Fault { code: changed, at: vec![i, j] })
}

/// Keeps a source in the operand cache that the instruction overwrites.
fn stale(code: &[u128], g: &Graph, random: &mut Random) -> Option<Fault> {
    let mut all = Vec::new();
    for (i, insn) in g.insns.iter().enumerate() {
        let Some(insn) = insn else { continue };
        let word = code[i] as u64;
        // A sum of registers that overwrites its first: the flag of the first source is bit 17.
        let first = word >> 8 & 255;
        let plain = ["IADD", "FADD", "FMUL", "XMAD", "LOP", "FFMA"].contains(&insn.form().name);
        if plain && first == word & 255 && first != 255 && word >> 47 & 1 == 0 {
            all.push(i);
        }
    }
    let i = *all.get(random.bits() as usize % all.len().max(1))?;
    let mut changed = code.to_vec();
    changed[i] |= 1 << (64 + 17);
    Some(Fault { code: changed, at: vec![i] })
}

#[test]
fn faults_are_found_at_their_instructions() {
    type Make = fn(&[u128], &Graph, &mut Random) -> Option<Fault>;
    let makers: [(&str, Make); 5] = [
        ("stall", stalled),
        ("barrier", |c, g, r| unbarred(c, g, r, false)),
        ("wait", |c, g, r| unbarred(c, g, r, true)),
        ("read barrier", unread),
        ("reuse", stale),
    ];
    let all = programs();
    for (name, make) in makers {
        let (mut made, mut found, mut missed) = (0, 0, Vec::new());
        for (n, (code, chip)) in all.iter().enumerate() {
            let mut random = Random(n as u64);
            let g = graph(code, *chip);
            let Some(fault) = make(code, &g, &mut random) else { continue };
            made += 1;
            let named = findings(&fault.code, *chip).iter().any(|f| fault.at.contains(&f.insn));
            found += usize::from(named);
            if !named {
                missed.push((n, fault.at));
            }
        }
        println!("{name}: {found} of {made}");
        assert!(all.is_empty() || made > 20, "{name}: {made}");
        assert!(
            found * 100 >= made * 99,
            "{name}: {found} of {made}, missed {:?}",
            &missed[..missed.len().min(5)]
        );
    }
}

/// The cycles that reached instructions stall together.
fn cycles(code: &[u128], g: &Graph) -> u64 {
    let reached = (0..code.len()).filter(|i| g.is_reached(*i));
    reached.map(|i| u64::from(bits(code[i]).stall())).sum()
}

#[test]
fn control_bits_that_are_filled_in_are_sound_and_no_slower() {
    let (mut before, mut after) = (0, 0);
    for (mut code, chip) in programs() {
        let g = graph(&code, chip);
        before += cycles(&code, &g);
        fill(&mut code, Ctx { chip, ..Ctx::default() });
        assert_eq!(findings(&code, chip), []);
        after += cycles(&code, &g);
        // Nothing but control bits changes, and filling in again changes nothing.
        for (i, word) in code.iter().enumerate() {
            assert_eq!(Some(*word as u64), g.insns[i].map(|insn| insn.word as u64));
        }
        let once = code.clone();
        fill(&mut code, Ctx { chip, ..Ctx::default() });
        assert_eq!(code, once);
    }
    println!("{after} cycles, {before} by the compiler");
    assert!(after * 10 <= before * 11, "{after} {before}");
}
