//! Kernels that are made here: each of a launch's threads reads words of its own and writes what it made of them.

mod bodies;
mod planted;
mod random;

use bodies::BODIES;
use planted::PLANTED;
use shisa::eval::TextureSet;
use shisa::maxwell::launch::{Kernel, Launch};
use shisa::maxwell::{KernelRun, bundle};
use shisa::{Language, Settings};

/// Threads of a block: two warps.
pub const BLOCK: [u32; 3] = [16, 4, 1];
/// Blocks.
pub const GRID: [u32; 3] = [2, 1, 1];
/// All threads.
const THREADS: u32 = 128;
/// Bytes of shared memory of a block.
pub const SHARED: u32 = 1024;
/// Bytes of local memory of a thread.
pub const LOCAL: u32 = 64;
/// The addresses of the buffer that is read and of the one that is written.
const BUFFERS: [u64; 2] = [0x10_0000_0000, 0x10_0001_0000];
/// Words of each thread in both buffers.
pub const WORDS: u32 = 8;
/// How many random kernels there are, and their lines.
const RANDOM: u64 = 40;
const LINES: usize = 24;

/// A kernel.
#[derive(Debug)]
pub struct MadeKernel {
    /// Its name.
    pub name: String,
    source: String,
}

/// All kernels.
pub fn all() -> Vec<MadeKernel> {
    let made = (0..RANDOM).map(|seed| (format!("random-{seed}"), random::lines(seed, LINES)));
    let named = BODIES.into_iter().map(|(name, body)| (name.to_owned(), body.to_owned()));
    named.chain(made).map(|(name, body)| MadeKernel::new(name, &body)).collect()
}

/// Kernels with a fault, and the code with which each fault is reported.
pub fn planted() -> impl Iterator<Item = (MadeKernel, &'static str)> {
    PLANTED.into_iter().map(|(name, code, body)| (MadeKernel::new(name.to_owned(), body), code))
}

impl MadeKernel {
    /// A kernel that does this between reading and writing.
    fn new(name: String, body: &str) -> MadeKernel {
        MadeKernel { name, source: source(body) }
    }

    /// The code.
    ///
    /// # Errors
    /// It does not assemble.
    pub fn code(&self) -> shisa::Result<Vec<u8>> {
        let mut settings = Settings::default();
        settings.unchecked = true;
        Ok(shisa::assemble(&self.source, Language::Maxwell, &settings)?.bytes)
    }

    /// The run of this code with the input, which both buffers hold before.
    pub fn run(code: &[u8], input: &[u32]) -> KernelRun {
        let bytes: Vec<u8> = input.iter().flat_map(|w| w.to_le_bytes()).collect();
        let parameters = BUFFERS.iter().flat_map(|a| a.to_le_bytes()).collect();
        let code = code.chunks(bundle::BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b))).collect();
        KernelRun {
            kernel: Kernel { code, ..Kernel::default() },
            buffers: BUFFERS.map(|address| (address, bytes.clone())).into(),
            textures: TextureSet::new(),
            launch: Launch {
                grid: GRID,
                block: BLOCK,
                shared: SHARED,
                local: LOCAL,
                parameters,
                ..Launch::default()
            },
        }
    }
}

/// A kernel with this body.
fn source(body: &str) -> String {
    let head = "S2R R0, SR_TID.Y ;\nS2R R3, SR_TID.X ;\nISCADD R1, R0, R3, 0x4 ;\nS2R R3, SR_CTAID.X ;\n\
                ISCADD R0, R3, R1, 0x6 ;\nSHL R2, R1, 0x2 ;\nSHL R0, R0, 0x5 ;\nIADD R10.CC, R0, c[0x0][0x140] ;\n\
                IADD.X R11, RZ, c[0x0][0x144] ;\nLDG.E.128 R4, [R10] ;\nLDG.E.64 R8, [R10+0x10] ;\n";
    let tail = "\nIADD R10.CC, R0, c[0x0][0x148] ;\nIADD.X R11, RZ, c[0x0][0x14c] ;\nSTG.E.128 [R10], R4 ;\n\
                STG.E.64 [R10+0x10], R8 ;\nEXIT ;\n";
    let all = [head, body, tail].concat();
    let line = |line: &str| match line.trim_end().strip_suffix(';') {
        Some(insn) => format!("{insn}; {{3f:-:-:-:f}}\n"),
        None => format!("{line}\n"),
    };
    let lines: String = all.lines().filter(|l| !l.is_empty()).map(line).collect();
    format!("// maxwell\n.chip sm_53\n.code \"main\"\n{lines}")
}

/// The words of a buffer: small numbers, large ones and any bits.
pub fn input() -> Vec<u32> {
    let mut random = random::Random(1);
    let word = |random: &mut random::Random| {
        let bits = random.next() as u32;
        match random.next() % 3 {
            0 => (bits as i32 >> 24) as u32,
            1 => bits & 0x1f,
            _ => bits,
        }
    };
    (0..THREADS * WORDS).map(|_| word(&mut random)).collect()
}
