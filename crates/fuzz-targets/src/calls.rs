//! Programs that consist of little but calls and branches. Analyses that follow each path through calls end only if
//! their work is bounded; straight code and small loops never show that.

use crate::Random;
use crate::targets::{checked, first, sane};
use shisa::diag::{Limits, Severity};
use shisa::maxwell::flow::Targets;
use shisa::maxwell::{Ctx, Options, bundle, code as model, hazards};
use shisa::{Isa, Language, Settings};
use std::fmt::Write;

/// A family's programs.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) isa: Isa,
    pub(crate) language: Language,
    /// The source of a program with some number of lines.
    pub(crate) source: fn(usize, &mut Random) -> String,
}

pub(crate) const MAXWELL: Family = Family { isa: Isa::Maxwell, language: Language::Maxwell, source: maxwell };
pub(crate) const PICA200: Family = Family { isa: Isa::Pica200, language: Language::Picasso, source: pica200 };
pub(crate) const AGX: Family = Family { isa: Isa::Agx, language: Language::Agx, source: agx };

impl Family {
    /// The source of a program; one in 32 is long.
    pub(crate) fn source(&self, random: &mut Random) -> String {
        let lines = if random.below(32) == 0 { 400 } else { 8 + random.below(60) };
        (self.source)(lines, random)
    }

    /// The assembled program; `None` if the assembler refuses the source.
    pub(crate) fn assembled(&self, source: &str) -> Option<Vec<u8>> {
        Some(shisa::assemble(source, self.language, &Settings::default()).ok()?.bytes)
    }

    /// Whether the check ends within the default limits; its findings must be inside the bytes.
    pub(crate) fn check(&self, bytes: &[u8]) -> bool {
        let Ok(found) = checked(bytes, &Settings::default().isa(self.isa)) else { return false };
        sane(&found, bytes);
        found.iter().all(|d| d.code != "limit-exceeded")
    }

    /// Whether there is a graph within the default limits; its edges must lead to its blocks.
    pub(crate) fn graph(&self, bytes: &[u8]) -> bool {
        let settings = Settings::default().isa(self.isa);
        let Ok(cfg) = first(bytes, &settings).and_then(|program| program.cfg()) else { return false };
        let count = cfg.blocks().len();
        assert!((0..count).all(|block| cfg.edges(block).iter().all(|edge| edge.to < count)));
        true
    }
}

/// Whether control bits are filled in within the default limits; the check must then miss no wait.
pub(crate) fn schedule(bytes: &[u8]) -> bool {
    let bundles = bytes.chunks_exact(bundle::BUNDLE_BYTES).map(bundle::words);
    let mut code: Vec<u128> = bundles.flat_map(bundle::fuse).collect();
    let limits = Limits::default();
    if hazards::fill(&mut code, &Targets::new(), Ctx::default(), &limits).is_err() {
        return false;
    }
    let graph = model::Graph::new(&code, &Targets::new(), Ctx::default());
    hazards::check(&graph, Options::DEFAULT, &limits, |found| {
        let waits = !matches!(found.diagnostic.code, "maxwell-wait-unset" | "maxwell-reuse-overwritten");
        assert!(!waits || found.diagnostic.severity == Severity::Note, "{}", found.diagnostic);
    });
    true
}

/// Writes lines that each have a label, with the lines that `line` returns for a random target.
fn labelled(count: usize, random: &mut Random, mut line: impl FnMut(&mut Random, &str) -> String) -> String {
    let mut text = String::new();
    for n in 0..count {
        let target = format!("l{}", random.below(count));
        let _ = write!(text, "l{n}:\n    {}\n", line(random, &target));
    }
    text
}

fn maxwell(lines: usize, random: &mut Random) -> String {
    let body = labelled(lines, random, |random, target| {
        let guard = ["", "", "@P0 ", "@!P1 ", "@P2 "][random.below(5)];
        match random.below(20) {
            0..6 => format!("CAL {target}"),
            6..10 => format!("{guard}BRA {target}"),
            10 => format!("SSY {target}"),
            11 => format!("PBK {target}"),
            12 => format!("{guard}SYNC"),
            13 => format!("{guard}BRK"),
            14..16 => format!("{guard}RET"),
            16 => format!("{guard}EXIT"),
            17 => format!("{guard}LDG.E R{}, [R{}]", random.below(8), 8 + 2 * random.below(4)),
            18 => format!("{guard}IADD R{}, R{}, R{}", random.below(8), random.below(8), random.below(8)),
            _ => "NOP".into(),
        }
    });
    format!("// maxwell: raw, sm_53\n.chip sm_53\n.code \"calls\"\n{body}    EXIT\n")
}

/// Procedures of a few lines that call later ones, and return to where they were called from.
fn agx(lines: usize, random: &mut Random) -> String {
    const LINES: usize = 6;
    let procedures = lines.div_ceil(LINES).min(40);
    let mut text = String::from("// agx\n.code \"calls\"\n");
    for n in 0..procedures {
        let back = 20 + n;
        let _ = writeln!(text, "f{n}:\n    mov r{back}, r1");
        for line in 0..LINES {
            let target = format!("l{n}x{}", random.below(LINES));
            let callee = n + 1 + random.below(procedures - n);
            let _ = write!(text, "l{n}x{line}:\n    ");
            let _ = match random.below(10) {
                0..3 if callee < procedures => writeln!(text, "call f{callee}"),
                3..5 => writeln!(text, "jmp_any {target}"),
                5..7 => writeln!(text, "jmp_none {target}"),
                _ => writeln!(text, "iadd r{}, r{}, 1", 2 + random.below(4), 2 + random.below(4)),
            };
        }
        let _ = if n == 0 { writeln!(text, "    stop") } else { writeln!(text, "    ret r{back}") };
    }
    text + &"    trap\n".repeat(8)
}

/// Procedures of a few lines that call each other. The main one is the last: the hardware forgets the oldest of more
/// than four calls, and control then runs into the next procedure.
fn pica200(lines: usize, random: &mut Random) -> String {
    const LINES: usize = 8;
    let procedures = lines.div_ceil(LINES).min(40);
    let mut text = String::from(".out position position\n");
    for n in (0..procedures).rev() {
        let _ = writeln!(text, ".proc {}", if n == 0 { "main".into() } else { format!("f{n}") });
        let mut open = 0;
        for line in 0..LINES {
            let callee = format!("f{}", 1 + random.below(procedures.max(2) - 1));
            let _ = match random.below(10) {
                _ if procedures == 1 => writeln!(text, "nop"),
                0..3 => writeln!(text, "call {callee}"),
                3 => writeln!(text, "callu b{}, {callee}", random.below(4)),
                4 => writeln!(text, "callc cmp.x, {callee}"),
                5 => writeln!(text, "l{n}x{line}:\njmpu b{}, l{n}x{line}", random.below(4)),
                6 if open < 3 => {
                    open += 1;
                    writeln!(text, "ifu b{}", random.below(4))
                }
                7 if open > 0 => {
                    open -= 1;
                    writeln!(text, "nop\n.end")
                }
                8 => writeln!(text, "add r0, r1, r2"),
                _ => writeln!(text, "mov position, r0"),
            };
        }
        text.push_str(&"nop\n.end\n".repeat(open));
        text.push_str(if n == 0 { "end\n.end\n" } else { "nop\n.end\n" });
    }
    text
}
