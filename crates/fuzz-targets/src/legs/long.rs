//! Long programs at the default limits, passed to every verb: what takes more than near-linear time or memory shows only
//! there.

use super::{Leg, Memory, Outcome, Part, Worker};
use crate::Random;
use crate::calls::Family;
use crate::targets::{container, languages, said};
use shisa::{File, Isa, Language, Listing, RunOptions, Settings};
use std::fmt::Write;

/// A family's long programs.
#[derive(Clone, Copy)]
struct Long {
    family: Family,
    /// The largest number of lines.
    most: usize,
    /// The memory of graphs and reports.
    graphs: Memory,
    /// Inputs for a run.
    input: &'static str,
}

const AGAL: Long = Long {
    family: Family { isa: Isa::Agal, language: Language::Agal, source: agal },
    // Flash takes 4096 tokens at most; naga's printer of MSL takes a time with the square of the number of expressions.
    most: 50_000,
    graphs: OF_TREES,
    input: r#"{"lanes": 4, "varyings": {"v0": ["3f800000 00000000 00000000 3f800000", "3f800000 00000000 00000000 3f800000",
        "3f800000 00000000 00000000 3f800000", "3f800000 00000000 00000000 3f800000"]},
        "constants": {"fc0": "3f000000 3f000000 3f000000 3f800000"}}"#,
};
const PICA200: Long = Long {
    family: Family { isa: Isa::Pica200, language: Language::Picasso, source: pica200 },
    // A vertex program has at most 512 words.
    most: 450,
    graphs: OF_TREES,
    input: r#"{"sets": [{"i": {"i0": [9, 0, 1, 0], "i1": [255, 0, 1, 0]}, "b": "0005",
        "vertices": [{"in": {"v0": "3f800000 3f800000 c0000000 00000000"}}]}]}"#,
};
const MAXWELL: Long = Long {
    family: Family { isa: Isa::Maxwell, language: Language::Maxwell, source: maxwell },
    // Lowering longer programs for a translation takes more than its bound.
    most: 16_000,
    graphs: Memory::USUAL,
    input: r#"{"grid": [1, 1, 1], "block": [32, 1, 1], "buffers": []}"#,
};
const AGX: Long = Long {
    family: Family { isa: Isa::Agx, language: Language::Agx, source: agx },
    most: 100_000,
    graphs: Memory::USUAL,
    input: r#"{"grid": [32, 1, 1], "workgroup": [32, 1, 1], "uniforms_hex": "00000000", "buffers": []}"#,
};

/// The memory of a verb that builds a tree of all instructions. The most that was seen is 98 times, of AGX's `run`.
const OF_TREES: Memory = Memory { times: 104, ..Memory::USUAL };

/// The legs. Runs, graphs and translations of long programs may end at a limit.
pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, long: Long, [checks, graphs, reports, translates, runs]: [u64; 5]| Leg {
        name: name.into(),
        commit: 102,
        campaign: 100_000,
        parts: vec![
            Part::verb("identify", 100, 0),
            Part::verb("dis", 100, 0),
            Part::verb("json", 100, 0),
            Part::verb("check", checks, 0),
            // Most of these hold a text, or a tree of operations, for each instruction.
            Part::verb("graph", graphs, 0).takes(long.graphs),
            Part::verb("report", reports, 0).takes(long.graphs),
            Part::verb("translate", translates, 0).takes(OF_TREES),
            Part::verb("run", runs, 0).takes(OF_TREES),
        ],
        worker: Box::new(move |_: &[Vec<u8>]| -> Box<dyn Worker> {
            Box::new(Programs { long, source: String::new(), bytes: Vec::new(), number: 0 })
        }),
    };
    vec![
        leg("agal/long", AGAL, [100, 80, 80, 40, 40]),
        leg("pica200/long", PICA200, [80, 80, 80, 40, 40]),
        leg("maxwell/long", MAXWELL, [80, 80, 80, 10, 10]),
        leg("agx/long", AGX, [80, 80, 80, 20, 10]),
    ]
}

struct Programs {
    long: Long,
    source: String,
    bytes: Vec<u8>,
    number: u64,
}

impl Worker for Programs {
    /// Consecutive pieces are twice as long each, up to the longest.
    fn make(&mut self, number: u64, random: &mut Random) {
        let most = self.long.most;
        let high = 1usize << (number % (u64::from(most.ilog2()) + 1));
        let lines = (high + random.below(high)).min(most);
        self.number = number;
        self.source = (self.long.family.source)(lines, random);
        let mut settings = Settings::default();
        settings.unchecked = true;
        let done = shisa::assemble(&self.source, self.long.family.language, &settings);
        self.bytes = done.unwrap_or_else(|e| panic!("a long program does not assemble: {e}")).bytes;
    }

    fn test(&mut self, part: usize) -> Outcome {
        self.verb(part).inspect_err(said).is_ok_and(|done| done).into()
    }

    fn input(&self) -> &[u8] {
        &self.bytes
    }
}

impl Programs {
    /// Whether a verb accepts the program.
    fn verb(&self, part: usize) -> shisa::Result<bool> {
        let settings = Settings::default().isa(self.long.family.isa);
        let file = || File::open(&self.bytes, &settings);
        let program = || file()?.program(1);
        match part {
            0 => return Ok(container(&self.bytes, 0) || File::identify(&self.bytes, &settings).isa.is_some()),
            1 => drop(file()?.listing(&Listing::new())?),
            2 => serde_json::to_writer(std::io::sink(), &file()?.listing_json(&Listing::new()))
                .unwrap_or_else(|e| panic!("what has a text has JSON: {e}")),
            3 => drop(file()?.check()?),
            4 => drop(program()?.cfg()?),
            5 => drop(program()?.report()?),
            6 => {
                let (target, options) = languages(self.number as usize);
                drop(program()?.translate(target, &options)?);
            }
            _ => drop(program()?.run_json(self.long.input, RunOptions::new())?),
        }
        Ok(true)
    }
}

/// Writes lines, with conditions that contain some of them.
struct Lines {
    text: String,
    open: usize,
}

impl Lines {
    fn new(head: &str) -> Lines {
        Lines { text: head.into(), open: 0 }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }
}

fn agal(count: usize, random: &mut Random) -> String {
    let mut lines = Lines::new(
        "// agal 4 fragment\n    mov ft0, v0\n    mov ft1, fc0\n    mov ft2, v0\n    mov ft3, fc0\n",
    );
    for _ in 0..count {
        let [to, a, b] = [(); 3].map(|()| random.below(4));
        match random.below(24) {
            0 if lines.open < 4 => {
                lines.open += 1;
                lines.line(&format!("ifl ft{a}.x, ft{b}.y"));
            }
            1 | 2 if lines.open > 0 => {
                lines.open -= 1;
                lines.line("eif");
            }
            n => {
                let two = ["add", "sub", "mul", "min", "max", "dp3", "dp4", "slt", "sge"];
                let one = ["mov", "rcp", "sqt", "frc", "abs", "neg", "sat", "exp", "cos"];
                let mask = ["", ".x", ".xy", ".w"][random.below(4)];
                match n % 2 {
                    0 => lines.line(&format!("{} ft{to}{mask}, ft{a}, ft{b}", two[random.below(two.len())])),
                    _ => lines.line(&format!("{} ft{to}{mask}, ft{a}", one[random.below(one.len())])),
                }
            }
        }
    }
    lines.text + &"    eif\n".repeat(lines.open) + "    mov oc, ft0\n"
}

fn pica200(count: usize, random: &mut Random) -> String {
    let mut lines = Lines::new(".out position position\n.proc main\n");
    for _ in 0..count {
        let [to, a, b] = [(); 3].map(|()| random.below(4));
        match random.below(24) {
            0 if lines.open < 3 => {
                lines.open += 1;
                lines.line(["ifu b0", "ifu b1", "ifc cmp.x", "for i0"][random.below(4)]);
            }
            1 | 2 if lines.open > 0 => {
                lines.open -= 1;
                lines.text.push_str("    nop\n    .end\n");
            }
            3 => lines.line(&format!("cmp r{a}, gt, lt, r{b}")),
            n => {
                let two = ["add", "mul", "min", "max", "dp3", "dp4", "slt", "sge"];
                let one = ["mov", "rcp", "rsq", "flr", "ex2"];
                let from = if random.below(4) == 0 { "c1" } else { ["r0", "r1", "r2", "v0"][a] };
                match n % 2 {
                    0 => lines.line(&format!("{} r{to}, {from}, r{b}", two[random.below(two.len())])),
                    _ => lines.line(&format!("{} r{to}, {from}", one[random.below(one.len())])),
                }
            }
        }
    }
    lines.text + &"    nop\n    .end\n".repeat(lines.open) + "    mov position, r0\n    end\n.end\n"
}

/// Every so many lines have a label: the number of labels has a limit.
const LABELLED: usize = 4;

fn maxwell(count: usize, random: &mut Random) -> String {
    let label = |n: usize| if n < count { format!("l{}", n / LABELLED) } else { "last".into() };
    // Bare code has no shared memory, and lanes exchange values only where all of them are: half of the programs do neither.
    let kinds = if random.below(2) == 0 { 32 } else { 28 };
    let mut text = String::from("// maxwell: raw, sm_53\n.chip sm_53\n.code \"long\"\n");
    for n in 0..count {
        let [to, a, b] = [(); 3].map(|()| random.below(24));
        let guard = ["", "", "", "@P0 ", "@!P1 "][random.below(5)];
        if n % LABELLED == 0 {
            let _ = writeln!(text, "{}:", label(n));
        }
        let _ = match random.below(kinds) {
            // A branch over some lines, or seldom back.
            0 => writeln!(text, "{guard}BRA {}", label(n + LABELLED + random.below(40))),
            1 if random.below(16) == 0 => {
                writeln!(text, "@P3 BRA {}", label(n - random.below(n.min(40) + 1)))
            }
            2 => writeln!(text, "ISETP.LT.AND P{}, PT, R{a}, R{b}, PT", random.below(3)),
            3 => writeln!(text, "{guard}MUFU.RCP R{to}, R{a}"),
            4..12 => writeln!(text, "{guard}FFMA R{to}, R{a}, R{b}, R{to}"),
            12..18 => writeln!(text, "{guard}FADD R{to}, R{a}, R{b}"),
            18..24 => writeln!(text, "{guard}IADD R{to}, R{a}, R{b}"),
            24..28 => writeln!(text, "{guard}MOV R{to}, c[0x0][0x{:x}]", 4 * random.below(64)),
            28 => writeln!(text, "{guard}LDS R{to}, [R{a}]"),
            29 => writeln!(text, "{guard}STS [R{a}], R{b}"),
            _ => writeln!(text, "{guard}SHFL.BFLY PT, R{to}, R{a}, 0x1, 0x1f"),
        };
    }
    text + "last:\nEXIT\n"
}

fn agx(count: usize, random: &mut Random) -> String {
    // Bare code has no shared memory: half of the programs use none.
    let kinds = if random.below(2) == 0 { 32 } else { 30 };
    let mut lines = Lines::new(
        "// agx\n.code \"long\"\n    ldimm r0l, 0\n    mov r2, thread_in_grid_x\n    ldimm r3, 7\n    ldimm r4, 1065353216\n    ldimm r5, 3\n",
    );
    for n in 0..count {
        let [to, a, b] = [(); 3].map(|()| 2 + random.below(4));
        match random.below(kinds) {
            0 if lines.open < 4 => {
                lines.open += 1;
                lines.line(&format!("if r{a}, r{b}, 1, ult"));
                // A jump over the lanes' work where none is left.
                lines.line(&format!("jmp_none l{n}"));
                let _ = writeln!(lines.text, "l{n}:");
            }
            1 | 2 if lines.open > 0 => {
                lines.open -= 1;
                lines.line("pop_exec 1");
            }
            3 => lines.line(&format!("csel r{to}, r{a}, r{b}, r{a}, r{b}, slt")),
            4 => lines.line(&format!("rcp r{to}, r{a}")),
            5..14 => lines.line(&format!("ffma r{to}, r{a}, r{b}, r{to}")),
            14..22 => lines.line(&format!("iadd r{to}, r{a}, r{b}")),
            22..26 => lines.line(&format!("xor r{to}, r{a}, r{b}")),
            26..30 => lines.line(&format!("fadd r{to}, r{a}, r{b}")),
            30 => lines.line(&format!("lstore r{a}, {}, i32, x", 4 * random.below(8))),
            _ => lines.line(&format!("lload r{to}, {}, i32, x", 4 * random.below(8))),
        }
    }
    lines.text + &"    pop_exec 1\n".repeat(lines.open) + "    stop\n" + &"    trap\n".repeat(8)
}
