//! Faults planted in a compiler's output: all are found, and nothing is found in the unchanged output.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_conformance::Data;
use shisa_conformance::maxwell::faults::{Fault, Planter};
use shisa_diag::{Limits, Severity};
use shisa_maxwell::code::Graph;
use shisa_maxwell::container::Image;
use shisa_maxwell::flow::Targets;
use shisa_maxwell::hazards::{Finding, check, fill};
use shisa_maxwell::{Chip, Ctx, Options, Schedule, bundle};
use shisa_rows::testing::Random;

/// The programs of the cubins of the corpus.
fn programs() -> Vec<(Vec<u128>, Chip)> {
    let data = Data::corpus("maxwell").unwrap();
    let mut all = Vec::new();
    for name in ["sm_50-O3", "sm_53-O3"] {
        let bytes = data.read(&format!("maxwell/ptx/kernels_{name}.cubin")).unwrap();
        let image = Image::read(&bytes, &Limits::default()).unwrap();
        for (i, program) in image.programs.iter().enumerate() {
            let code = image.code(i).chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect();
            all.push((code, program.chip.unwrap()));
        }
    }
    assert!(all.len() > 700, "{}", all.len());
    all
}

fn graph(code: &[u128], chip: Chip) -> Graph {
    Graph::new(code, &Targets::new(), Ctx { chip, ..Ctx::default() })
}

/// The findings that are more than notes.
fn findings(code: &[u128], chip: Chip) -> Vec<Finding> {
    let mut all = Vec::new();
    check(&graph(code, chip), Options::DEFAULT, &Limits::default(), |f| all.push(f));
    all.retain(|f| f.diagnostic.severity > Severity::Note);
    all
}

#[test]
fn nothing_is_found_in_what_a_compiler_wrote() {
    for (code, chip) in programs() {
        assert_eq!(findings(&code, chip), []);
    }
}

/// Faults of each kind in some programs.
#[test]
fn faults_are_found_at_their_instructions() {
    let all = programs();
    let graphs: Vec<Graph> = all.iter().map(|(code, chip)| graph(code, *chip)).collect();
    let planter = Planter::new(&graphs);
    for fault in Fault::ALL {
        let (mut made, mut found, mut missed) = (0, 0, Vec::new());
        for (n, (code, chip)) in all.iter().enumerate() {
            let changes = planter.changes(fault, &graphs[n]);
            let pick = Random(n as u64).bits() as usize % changes.len().max(1);
            let Some(change) = changes.get(pick) else { continue };
            let mut changed = code.clone();
            changed[change.insn] = change.word;
            made += 1;
            match findings(&changed, *chip).iter().any(|f| change.is_named(f)) {
                true => found += 1,
                false => missed.push((n, change.insn)),
            }
        }
        let name = fault.name();
        assert!(made > 20, "{name}: {made}");
        assert!(found * 100 >= made * 99, "{name}: {found} of {made}, missed {missed:?}");
    }
}

/// The cycles that reached instructions stall together.
fn cycles(code: &[u128], g: &Graph) -> u64 {
    let reached = (0..code.len()).filter(|i| g.is_reached(*i));
    reached.map(|i| u64::from(Schedule((code[i] >> 64) as u32).stall())).sum()
}

#[test]
fn control_bits_that_are_filled_in_are_sound_and_no_slower() {
    let (mut before, mut after) = (0, 0);
    for (mut code, chip) in programs() {
        let g = graph(&code, chip);
        before += cycles(&code, &g);
        fill(&mut code, &Targets::new(), Ctx { chip, ..Ctx::default() }, &Limits::default()).unwrap();
        assert_eq!(findings(&code, chip), []);
        after += cycles(&code, &g);
        // Only control bits change, and filling in again changes nothing.
        for (i, word) in code.iter().enumerate() {
            assert_eq!(Some(*word as u64), g.insn(i).map(|insn| insn.word as u64));
        }
        let once = code.clone();
        fill(&mut code, &Targets::new(), Ctx { chip, ..Ctx::default() }, &Limits::default()).unwrap();
        assert_eq!(code, once);
    }
    println!("{after} cycles, {before} by the compiler");
    assert!(after * 10 <= before * 11, "{after} {before}");
}

/// The instruction's predicate operand that a comparison writes, and the guard that reads it, from nvdisasm's text:
/// `P0` of `ISETP.LT.AND P0, PT, …` and of `@!P0 BRA …`.
fn written_predicate(text: &str) -> Option<&str> {
    let (mnemonic, rest) = text.split_once(' ')?;
    let sets = ["ISETP.", "FSETP.", "PSETP."].iter().any(|name| mnemonic.starts_with(name));
    let first = rest.split(',').next()?.trim();
    (sets && first.starts_with('P') && first != "PT").then_some(first)
}

fn guard(text: &str) -> Option<&str> {
    let (guard, _) = text.strip_prefix('@')?.split_once(' ')?;
    Some(guard.trim_start_matches('!'))
}

/// The cycles that compilers use between a comparison and an instruction that its predicate guards are read from
/// their listings and control bits. One cycle less is found wherever they use no more than necessary.
#[test]
fn predicates_are_waited_for_as_long_as_compilers_wait() {
    let data = Data::corpus("maxwell").unwrap();
    let (mut least, mut tight) = (u32::MAX, Vec::new());
    for name in ["sm_50-O3", "sm_53-O3"] {
        let bytes = data.read(&format!("maxwell/ptx/kernels_{name}.cubin")).unwrap();
        let image = Image::read(&bytes, &Limits::default()).unwrap();
        for line in data.values(&format!("maxwell/ptx/kernels_{name}.raw.jsonl")).unwrap() {
            let program =
                image.programs.iter().position(|p| p.name == line["kernel"].as_str().unwrap()).unwrap();
            let code: Vec<u128> =
                image.code(program).chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect();
            let texts: Vec<&str> =
                line["text"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
            let stall = |i: usize| Schedule((code[i] >> 64) as u32).stall();
            for (i, text) in texts.iter().enumerate() {
                let Some(predicate) = written_predicate(text) else { continue };
                let mut cycles = stall(i);
                // What follows up to the first jump, which may be the reader.
                for (n, text) in texts.iter().enumerate().skip(i + 1) {
                    if guard(text) == Some(predicate) {
                        least = least.min(cycles);
                        tight.push((cycles, i, code.clone(), image.programs[program].chip.unwrap()));
                        break;
                    }
                    let jumps = ["BRA", "EXIT", "SYNC", "BRK", "BRX", "CAL", "RET"];
                    if jumps.iter().any(|name| text.contains(name))
                        || written_predicate(text) == Some(predicate)
                    {
                        break;
                    }
                    cycles += stall(n);
                }
            }
        }
    }
    tight.retain(|t| t.0 == least);
    assert!(tight.len() > 50, "{} pairs are {least} cycles apart", tight.len());
    assert!(least > 6, "predicates take longer than registers");
    for (_, comparison, mut code, chip) in tight {
        assert_eq!(findings(&code, chip), []);
        // Pairs that issue together stall in their second instruction.
        let i = (comparison..).find(|i| code[*i] >> 64 & 15 != 0).unwrap();
        code[i] -= 1 << 64;
        let found = findings(&code, chip);
        assert!(found.iter().any(|f| f.diagnostic.code == "maxwell-latency"), "{comparison}: {found:?}");
    }
}
