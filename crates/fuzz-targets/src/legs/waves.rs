//! Random AGX programs with nested conditions, on the evaluator and on the batch engine: every register of every thread,
//! bit for bit.

use super::engines::LANES;
use super::{Leg, Outcome, Part, Worker, hex};
use crate::Random;
use crate::edges::value;
use shisa::agx::facts::Role;
use shisa::agx::link::END;
use shisa::agx::{Agx, ComputeCode, ComputeProgram, ComputeRun};
use shisa::data::NoTrace;
use shisa::data::engines::Engine;
use shisa::rows::{Form, Isa, testing};
use shisa::{Language, Settings};

/// Words that a thread reads before its body.
const INPUTS: usize = 8;
/// Registers of 32 bits.
const REGISTERS: usize = 128;
/// Addresses of the inputs, of which each has an array, and of the results.
const IN: u64 = 0x1_0000;
const OUT: u64 = IN + (4 * INPUTS * LANES) as u64;
/// How deep conditions are nested.
const DEEPEST: u32 = 3;

/// Programs of rows that compute, between words that load inputs and words that store what all registers have.
pub(super) fn leg() -> Leg {
    Leg {
        name: "agx/engines".into(),
        commit: 300,
        campaign: 1_000_000,
        parts: vec![Part::property("batch engine", 50)],
        worker: Box::new(|_| Box::new(Programs::new())),
    }
}

struct Programs {
    /// The rows whose words compute registers from registers.
    rows: Vec<&'static Form<Agx>>,
    before: Vec<u8>,
    after: Vec<u8>,
    code: Vec<u8>,
    inputs: Vec<u8>,
}

/// The code of lines.
fn assembled(lines: &str) -> Vec<u8> {
    let done = shisa::assemble(&format!("// agx\n{lines}"), Language::Agx, &Settings::default());
    done.unwrap_or_else(|e| panic!("{e}\n{lines}")).bytes
}

impl Programs {
    fn new() -> Programs {
        let computes =
            |form: &&Form<Agx>| matches!(form.attr.facts.role, Role::Compute | Role::Constant | Role::Select);
        let mut before = "mov r1, thread_in_grid_x\nldimm r0, 0\n".to_owned();
        for n in 0..INPUTS {
            before += &format!("load r{}, du{}, r1, i32, x, a\nwait a\n", n + 2, 2 * n);
        }
        // The registers after those of the inputs have these in other orders.
        for n in INPUTS + 2..REGISTERS {
            before += &format!("mov r{n}, r{}\n", 2 + n * n % INPUTS);
        }
        // Each register changes the result by another factor.
        let mut after = String::new();
        for n in 3..REGISTERS {
            after += &format!("imadd r2, r2, 3, r{n}\n");
        }
        after += &format!("mov r1, thread_in_grid_x\nstore r2, du{}, r1, i32, x, a\nstop\n", 2 * INPUTS);
        Programs {
            rows: Agx::table().forms().iter().filter(computes).collect(),
            before: assembled(&before),
            after: assembled(&after),
            code: Vec::new(),
            inputs: Vec::new(),
        }
    }

    /// The bytes of an instruction that has a meaning: some bits of a row have none.
    fn word(&self, random: &mut Random) -> Vec<u8> {
        loop {
            let form = random.pick(&self.rows).expect("rows compute");
            let word = shisa_agx::SUITE.word(form, &mut testing::Random(random.bits())).to_le_bytes();
            let size = shisa::agx::fetch(&word).map_or(0, |insn| shisa::agx::length(&insn));
            let word = word[..size].to_vec();
            let code = [&word[..], &END].concat();
            let alone = ComputeProgram { main: (0, code.len()), code, ..ComputeProgram::default() };
            if ComputeCode::new(&alone, &Settings::default()).is_ok() {
                return word;
            }
        }
    }

    /// Some words, and conditions with others.
    fn body(&mut self, random: &mut Random, depth: u32) {
        for _ in 0..1 + random.below(4) {
            if depth == DEEPEST || random.below(3) != 0 {
                let word = self.word(random);
                self.code.extend(word);
                continue;
            }
            let [a, b] = [2 + random.below(INPUTS), 2 + random.below(INPUTS)];
            self.code.extend(assembled(&format!("if r{a}, r{b}, 1, ult\n")));
            self.body(random, depth + 1);
            if random.below(2) == 0 {
                self.code.extend(assembled("else 0.0, 0.0, 1, feq\n"));
                self.body(random, depth + 1);
            }
            self.code.extend(assembled("pop_exec 1\n"));
        }
    }

    fn run(&self) -> ComputeRun {
        let arrays = (0..=INPUTS as u64).map(|n| IN + 4 * n * LANES as u64);
        ComputeRun {
            program: ComputeProgram {
                main: (0, self.code.len()),
                code: self.code.clone(),
                ..ComputeProgram::default()
            },
            grid: [LANES as u32, 1, 1],
            workgroup: [64, 1, 1],
            uniforms: arrays.flat_map(u64::to_le_bytes).collect(),
            buffers: vec![(IN, self.inputs.clone()), (OUT, vec![0; 4 * LANES])],
            ..ComputeRun::default()
        }
    }
}

impl Worker for Programs {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.code.clone_from(&self.before);
        self.body(random, 0);
        let after = self.after.clone();
        self.code.extend(after);
        self.inputs = (0..INPUTS * LANES).flat_map(|_| value(random).to_le_bytes()).collect();
    }

    fn test(&mut self, _: usize) -> Outcome {
        let (run, mut settings) = (self.run(), Settings::default());
        let want = shisa::agx::run_compute(&run, &settings);
        let want = want.unwrap_or_else(|e| panic!("{e}\n{}", self.tested()));
        let code = ComputeCode::new(&run.program, &settings).expect("the evaluator runs it");
        let plan = code.plan(&settings).expect("the evaluator runs it");
        let mut equals = |engine| {
            settings.engine = engine;
            let got = plan.compile(&settings).and_then(|mut fast| fast.run(&run, &mut NoTrace, &settings));
            let got = got.unwrap_or_else(|e| panic!("{e}\n{}", self.tested()));
            got.is_some_and(|got| {
                assert_eq!(got.buffers, want.buffers, "{engine:?}: {}", self.tested());
                true
            })
        };
        [Engine::Batch, Engine::MachineCode].into_iter().all(&mut equals).into()
    }

    fn tested(&self) -> String {
        hex(&self.code)
    }
}
