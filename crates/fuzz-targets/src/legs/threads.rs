//! Random Maxwell kernels with nested divergence, on the evaluator, on the plain interpreter of a thread, and on the batch
//! engine: registers and predicates of every thread, bit for bit.

use super::{Leg, Outcome, Part, Worker};
use crate::Random;
use crate::thread::{End, Thread};
use kernels::{Body, INPUTS, OUTPUTS};
use shisa::Settings;
use shisa::data::NoTrace;
use shisa::data::engines::Engine;
use shisa::eval::TextureSet;
use shisa::maxwell::launch::{Driver, Kernel, Launch, STACK};
use shisa::maxwell::{KernelCode, KernelOutput, KernelRun, run_kernel};

mod kernels;

/// Threads of the block: eight whole warps, and half of one.
const THREADS: usize = 272;
/// Addresses of the inputs and the outputs.
const IN: u64 = 0x1_0000_0000;
const OUT: u64 = 0x1_0001_0000;
/// Words of constants that instructions read, after the addresses.
const CONSTANTS: usize = 6;
/// The first word of the parameters in bank 0.
const PARAMETERS: usize = 0x140 / 4;
/// What the outputs have before the run.
const BEFORE: u8 = 0xcd;

pub(super) fn leg() -> Leg {
    Leg {
        name: "maxwell/threads".into(),
        commit: 1_000,
        campaign: 1_000_000,
        parts: vec![Part::property("interpreter", 50), Part::property("batch engine", 50)],
        worker: Box::new(|_| Box::new(Kernels::default())),
    }
}

/// A random kernel with its inputs.
#[derive(Default)]
struct Kernels {
    body: Body,
    constants: [u32; CONSTANTS],
    inputs: Vec<[u32; INPUTS]>,
    seen: std::collections::BTreeSet<&'static str>,
    ended: [u64; 2],
}

impl Worker for Kernels {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.body = Body::random(random);
        self.constants = [(); CONSTANTS].map(|()| kernels::value(random));
        self.inputs = (0..THREADS).map(|_| [(); INPUTS].map(|()| kernels::value(random))).collect();
    }

    fn test(&mut self, part: usize) -> Outcome {
        self.holds(part).into()
    }

    fn tested(&self) -> String {
        let words: Vec<String> = self.body.code.iter().map(|word| format!("{word:016x}")).collect();
        let own = self.inputs.first().map(|i| format!("{i:x?}")).unwrap_or_default();
        format!("{} with constants {:x?}, first inputs {own}", words.join(" "), self.constants)
    }
}

impl Kernels {
    /// Whether the piece is in the range of a part; panics if the property does not hold.
    fn holds(&mut self, part: usize) -> bool {
        let run = self.run();
        let done =
            run_kernel(&run, &Settings::default()).unwrap_or_else(|e| panic!("{e}\n{}", self.tested()));
        match part {
            0 => self.equals_interpreter(&done),
            _ => self.equals_fast(&run, &done),
        }
    }

    /// Compares with the batch engine and with machine code; returns whether these take the kernel.
    fn equals_fast(&self, run: &KernelRun, done: &KernelOutput) -> bool {
        [Engine::Batch, Engine::MachineCode].into_iter().all(|engine| {
            let mut settings = Settings::default();
            settings.engine = engine;
            let fast = || KernelCode::new(&run.kernel)?.compile(&settings)?.run(run, &mut NoTrace, &settings);
            let fast = fast().unwrap_or_else(|e| panic!("{e}\n{}", self.tested()));
            fast.is_some_and(|fast| {
                assert_eq!(fast.buffers, done.buffers, "{engine:?}: {}", self.tested());
                true
            })
        })
    }

    /// Compares with the interpreter, which takes every kernel.
    fn equals_interpreter(&mut self, done: &KernelOutput) -> bool {
        let (words, _) = done.buffers.last().map(|bytes| bytes.as_chunks::<4>()).unwrap_or_default();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let outputs = words.as_chunks::<OUTPUTS>().0.to_vec();
        let mut constants = vec![0; PARAMETERS];
        constants.extend([IN as u32, (IN >> 32) as u32, OUT as u32, (OUT >> 32) as u32]);
        constants.extend(self.constants);
        for (number, (inputs, got)) in self.inputs.iter().zip(outputs).enumerate() {
            let mut thread = Thread::new(constants.clone());
            thread.r.iter_mut().zip(inputs).for_each(|(r, input)| *r = *input);
            let end = thread.run(&self.body.code, self.body.end);
            self.seen.append(&mut thread.seen);
            let mut want = [u32::from_le_bytes([BEFORE; 4]); OUTPUTS];
            if end == End::Whole {
                want.iter_mut().zip(thread.r).for_each(|(want, r)| *want = r);
                let predicates = thread.p.iter().enumerate().map(|(n, p)| u32::from(*p) << n).sum();
                want.iter_mut().last().into_iter().for_each(|last| *last = predicates);
            }
            self.ended[usize::from(end == End::Exited)] += 1;
            assert_eq!(got, want, "thread {number} of {}", self.tested());
        }
        true
    }

    /// The kernel with its memory.
    fn run(&self) -> KernelRun {
        let words =
            |words: &mut dyn Iterator<Item = u32>| words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        let parameters = [IN, OUT].into_iter().flat_map(u64::to_le_bytes);
        let launch = Launch {
            driver: Driver::Cuda,
            grid: [1; 3],
            block: [THREADS as u32, 1, 1],
            stack: STACK,
            parameters: parameters.chain(words(&mut self.constants.iter().copied())).collect(),
            ..Launch::default()
        };
        let code = self.body.whole().into_iter().map(|word| u128::from(word) | 0x7e0 << 64).collect();
        KernelRun {
            kernel: Kernel { code, ..Kernel::default() },
            launch,
            buffers: vec![
                (IN, words(&mut self.inputs.iter().flatten().copied())),
                (OUT, vec![BEFORE; 4 * OUTPUTS * THREADS]),
            ],
            textures: TextureSet::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every instruction of the interpreter runs, some threads exit early, and the batch engine takes most kernels.
    #[test]
    fn threads_run_as_on_the_plain_interpreter_and_in_batches() {
        let (mut worker, mut fast) = (Kernels::default(), 0);
        for number in 0..100 {
            worker.make(number, &mut Random::new(number));
            assert!(worker.holds(0));
            fast += u64::from(worker.holds(1));
        }
        const ALL: [&str; 44] = [
            "BFE", "BFI", "BRA", "BRK", "CAL", "CONT", "EXIT", "FADD", "FCMP", "FFMA", "FLO", "FMNMX",
            "FMUL", "FSETP", "IADD", "IADD3", "IADD32I", "ICMP", "IMAD", "IMNMX", "IMUL", "ISCADD", "ISET",
            "ISETP", "LEA", "LEA.HI", "LOP", "LOP3", "LOP32I", "MOV", "MOV32I", "PBK", "PCNT", "POPC",
            "PRMT", "R2P", "RET", "SEL", "SHF.L", "SHF.R", "SHL", "SHR", "SSY", "SYNC",
        ];
        let missing: Vec<&str> = ALL.into_iter().filter(|name| !worker.seen.contains(name)).collect();
        assert!(missing.is_empty(), "no kernel has {missing:?}");
        assert!(worker.seen.contains("XMAD") && worker.seen.len() == ALL.len() + 1, "{:?}", worker.seen);
        let [whole, exited] = worker.ended;
        assert!(fast > 83, "{fast} of 100 run in batches");
        assert!(whole > 1300 && exited > 30, "{whole} threads reach the end, {exited} exit");
    }
}
