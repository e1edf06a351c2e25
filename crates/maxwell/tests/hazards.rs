//! The work of finding and of filling hazards is bounded where everything reaches everything.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::Limits;
use shisa_maxwell::code::Graph;
use shisa_maxwell::flow::Targets;
use shisa_maxwell::hazards::{check, fill};
use shisa_maxwell::text::{AsmOptions, assemble};
use shisa_maxwell::{Ctx, Options, bundle};
use shisa_rows::testing::Random;

fn words(source: &str) -> Vec<u128> {
    let done = assemble(&format!("// maxwell\n{source}"), &AsmOptions::default(), &Limits::default());
    let bytes = done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    bytes.chunks_exact(32).map(bundle::words).flat_map(bundle::fuse).collect()
}

/// Accesses to memory that each follow a branch to anywhere: every one reaches every instruction. The access is written
/// by `line`, from a function that returns random numbers.
fn after_random_branches(count: u32, line: impl Fn(&mut dyn FnMut(u64) -> u32) -> String) -> Vec<u128> {
    let mut random = Random(1);
    let mut below = |n: u64| (random.bits() % n) as u32;
    let lines = (0..count).map(|_| {
        let (p, target) = (below(6), bundle::address(2 * below(count.into())));
        format!("@P{p} BRA {target:#x} {{--:-:-:-:5}}\n{}\n", line(&mut below))
    });
    words(&lines.chain(["EXIT".into()]).collect::<String>())
}

/// The work per instruction is bounded, whether nothing needs the results, everything does, or nothing overwrites the
/// sources.
#[test]
fn memory_after_random_branches_takes_little_work() {
    let limits = Limits::default();
    let found = |code: &[u128]| {
        let (mut all, graph) = (Vec::new(), Graph::new(code, &Targets::new(), Ctx::default()));
        check(&graph, Options::DEFAULT, &limits, |f| all.push(f.diagnostic.code));
        all
    };
    let unused = after_random_branches(8_000, |below| {
        let (r, a, b) = (below(200), 200 + 2 * below(20), below(6));
        format!("LDG.E R{r}, [R{a}] {{--:-:{b}:-:2}}")
    });
    let used = after_random_branches(8_000, |below| {
        let (r, a, b) = (below(250), 2 * below(100), below(6));
        format!("LDG.E R{r}, [R{a}] {{--:-:{b}:-:2}}")
    });
    let stored = after_random_branches(8_000, |below| {
        format!("STG.E [R{}], R{} {{--:-:-:-:2}}", 2 * below(100), below(250))
    });
    assert_eq!(found(&unused), Vec::<&str>::new());
    assert_eq!(found(&stored), Vec::<&str>::new());
    // Of a program that waits for nothing, the first few thousand missing waits are found, and it is said that this is
    // not all.
    let open = found(&used);
    let (last, missing) = open.split_last().unwrap();
    assert_eq!(*last, "maxwell-more-waits");
    assert!(missing.len() > 2_000, "{}", missing.len());
    assert!(missing.iter().all(|code| *code == "maxwell-no-wait"));
    for mut code in [unused, stored, used] {
        fill(&mut code, &Targets::new(), Ctx::default(), &limits).unwrap();
        assert_eq!(found(&code), Vec::<&str>::new());
    }
}

/// Results that are used far away, on paths through everything: the schedule is complete within its fuel, and the check
/// of it takes little.
#[test]
fn distant_uses_take_little_work() {
    let mut code = after_random_branches(8_000, |below| format!("LDG.E R{}, [R2]", 4 + below(200)));
    let end: String = (4..204).map(|r| format!("IADD R0, R0, R{r}\n")).collect();
    code.truncate(16_000);
    code.extend(words(&format!("{end}EXIT")));
    code.resize(code.len().next_multiple_of(3), code[0]);
    let limits = |fuel: u64| {
        let mut limits = Limits::default();
        limits.set("fuel", fuel);
        limits
    };
    fill(&mut code, &Targets::new(), Ctx::default(), &Limits::default()).unwrap();
    let graph = Graph::new(&code, &Targets::new(), Ctx::default());
    let mut all = Vec::new();
    check(&graph, Options::DEFAULT, &limits(4_000_000), |f| all.push(f.diagnostic.code));
    assert_eq!(all, [""; 0]);
}
