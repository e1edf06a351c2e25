//! Faults put into what a compiler wrote: all are found, and nothing is found in what it wrote itself.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::{Limits, Severity};
use shisa_maxwell::container::Image;
use shisa_maxwell::flow::Targets;
use shisa_maxwell::hazards::faults::Fault;
use shisa_maxwell::hazards::{Finding, Graph, check, fill};
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
    Graph::new(code, &Targets::new(), Ctx { chip, ..Ctx::default() })
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

/// Faults of each kind in some programs.
#[test]
fn faults_are_found_at_their_instructions() {
    let all = programs();
    for fault in Fault::ALL {
        let (mut made, mut found, mut missed) = (0, 0, Vec::new());
        for (n, (code, chip)) in all.iter().enumerate() {
            let changes = fault.changes(&graph(code, *chip));
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
        assert!(all.is_empty() || made > 20, "{name}: {made}");
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
        fill(&mut code, &Targets::new(), Ctx { chip, ..Ctx::default() });
        assert_eq!(findings(&code, chip), []);
        after += cycles(&code, &g);
        // Nothing but control bits changes, and filling in again changes nothing.
        for (i, word) in code.iter().enumerate() {
            assert_eq!(Some(*word as u64), g.insns[i].map(|insn| insn.word as u64));
        }
        let once = code.clone();
        fill(&mut code, &Targets::new(), Ctx { chip, ..Ctx::default() });
        assert_eq!(code, once);
    }
    println!("{after} cycles, {before} by the compiler");
    assert!(after * 10 <= before * 11, "{after} {before}");
}
