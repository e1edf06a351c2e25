//! Kernels that are made here, on the device and on the evaluator: the memory after both is equal in every bit.

use super::{random, words};
use crate::execute::Counts;
use crate::execute::agx::Done;
use shisa::eval::TextureSet;
use shisa::maxwell::launch::{Kernel, Launch};
use shisa::maxwell::{KernelRun, bundle, run_kernel};
use shisa::{Isa, Language, Settings};
use shisa_translate::execute::{Device, Resources};
use shisa_translate::{Options, Pointer, Target};
use std::cell::RefCell;

/// Threads of a workgroup: two warps.
const BLOCK: [u32; 3] = [16, 4, 1];
/// Workgroups.
const GRID: [u32; 3] = [2, 1, 1];
/// All threads.
const THREADS: u32 = 128;
/// Bytes of shared memory.
const SHARED: u32 = 1024;
/// The addresses of the buffer that is read and of the one that is written, and where their pointers are.
const BUFFERS: [u64; 2] = [0x10_0000_0000, 0x10_0001_0000];
const POINTERS: u32 = 0x140;
/// Words of each thread in both buffers.
const WORDS: u32 = 8;
/// How many random kernels there are, and their lines.
const RANDOM: u64 = 40;
const LINES: usize = 24;

/// A kernel.
pub(in crate::execute) struct KernelCase {
    source: String,
}

/// What each kernel does with R4 to R9, which hold words of the thread. R0 is the thread's number in all, R1 that in its
/// workgroup, which is also in R2 as an address in shared memory.
const BODIES: [(&str, &str); 22] = [
    ("shared", "STS [R2], R4 ;\nBAR.SYNC 0x0 ;\nLOP32I.XOR R3, R2, 0x7c ;\nLDS R5, [R3] ;"),
    (
        "shared-bytes",
        "STS.U8 [R1], R4 ;\nSTS.U16 [R2+0x100], R5 ;\nBAR.SYNC 0x0 ;\nLDS.S8 R6, [R1] ;\nLDS.U16 R7, [R2+0x100] ;",
    ),
    (
        "atomic-add",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nLOP32I.AND R3, R2, 0xc ;\nATOMS.ADD RZ, [R3], R4 ;\nBAR.SYNC 0x0 ;\nLDS R5, [R3] ;",
    ),
    (
        "atomic-max",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nATOMS.MAX.S32 RZ, [RZ], R4 ;\nATOMS.MIN RZ, [RZ+0x4], R4 ;\nBAR.SYNC 0x0 ;\nLDS R5, [RZ] ;\nLDS R6, [RZ+0x4] ;",
    ),
    (
        "atomic-increment",
        "STS [R2], RZ ;\nBAR.SYNC 0x0 ;\nMOV32I R3, 0x11 ;\nATOMS.INC RZ, [RZ], R3 ;\nATOMS.DEC RZ, [RZ+0x4], R3 ;\nBAR.SYNC 0x0 ;\nLDS R5, [RZ] ;\nLDS R6, [RZ+0x4] ;",
    ),
    ("shuffle-index", "MOV32I R3, 0x5 ;\nSHFL.IDX P1, R5, R4, R3, 0x1f ;\nSHFL.IDX P0, R6, R4, R1, 0x181f ;"),
    (
        "shuffle-up",
        "SHFL.UP P1, R5, R4, 0x3, 0x0 ;\nSHFL.DOWN P0, R6, R4, 0x3, 0x1f ;\n@P1 IADD R5, R5, 0x1 ;\n@P0 IADD R6, R6, 0x1 ;",
    ),
    (
        "shuffle-butterfly",
        "SHFL.BFLY P1, R5, R4, 0x10, 0x1f ;\nIADD R4, R4, R5 ;\nSHFL.BFLY P1, R5, R4, 0x1, 0x1f ;\nIADD R4, R4, R5 ;",
    ),
    (
        "votes",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nVOTE.ANY R5, P1, P0 ;\nVOTE.ALL R6, P2, P0 ;\nVOTE.EQ R7, P3, P0 ;\n@P1 IADD R8, R8, 0x1 ;\n@P2 IADD R8, R8, 0x2 ;\n@P3 IADD R8, R8, 0x4 ;",
    ),
    (
        "guarded-votes",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nISETP.GT.AND P1, PT, R5, RZ, PT ;\n@P0 VOTE.ANY R6, PT, P1 ;\n@!P0 VOTE.ANY R7, PT, PT ;",
    ),
    (
        "lane-masks",
        "S2R R5, SR_LANEID ;\nS2R R6, SR_LTMASK ;\nS2R R7, SR_GEMASK ;\nS2R R8, SR_TID ;\nS2R R9, SR_VIRTID ;",
    ),
    (
        "barrier-count",
        "ISETP.GT.AND P0, PT, R4, RZ, PT ;\nBAR.RED.POPC 0x0, P0 ;\nB2R.RESULT R5 ;\nBAR.RED.AND 0x0, P0 ;\nB2R.RESULT RZ, P1 ;\nBAR.RED.OR 0x0, P0 ;\nB2R.RESULT RZ, P2 ;\n@P1 IADD R6, R6, 0x1 ;\n@P2 IADD R6, R6, 0x2 ;",
    ),
    (
        "loop",
        "LOP32I.AND R3, R4, 0x1f ;\nPBK done ;\nagain:\nISETP.EQ.AND P0, PT, R3, RZ, PT ;\n@P0 BRK ;\nIADD32I R3, R3, -0x1 ;\nIMAD R5, R5, R6, R7 ;\nBRA again ;\ndone:",
    ),
    (
        "nested",
        "SSY out ;\nISETP.LT.AND P0, PT, R4, RZ, PT ;\n@P0 BRA less ;\nSSY in ;\nISETP.LT.AND P1, PT, R5, RZ, PT ;\n@P1 BRA inner ;\nIADD R6, R6, 0x3 ;\nSYNC ;\ninner:\nIADD R6, R6, 0x5 ;\nSYNC ;\nin:\nSYNC ;\nless:\nLOP.XOR R6, R6, R7 ;\nSYNC ;\nout:",
    ),
    (
        "calls",
        "CAL twice ;\nISETP.LT.AND P0, PT, R4, RZ, PT ;\n@P0 BRA over ;\nCAL twice ;\nBRA over ;\ntwice:\nIADD R5, R5, R5 ;\nRET ;\nover:",
    ),
    (
        "local",
        "STL [0x0], R4 ;\nSTL [0x4], R5 ;\nLOP32I.AND R3, R6, 0x4 ;\nLDL R7, [R3] ;\nSTL.U8 [R3+0x1], R8 ;\nLDL.64 R8, [0x0] ;",
    ),
    ("wide-sums", "IADD R4.CC, R4, R6 ;\nIADD.X R5, R5, R7 ;\nIADD R8.CC, R4, -R6 ;\nIADD.X R9, R5, R7 ;"),
    ("halves", "HADD2 R4, R5.H0_H0, R6.H1_H1 ;\nI2F.F32.S16 R7, R8 ;\nF2I.S32.F32.TRUNC R9, R7 ;"),
    (
        "floats",
        "I2F.F32.S32 R4, R5 ;\nI2F.F32.U32 R6, R7 ;\nFMNMX R8, R4, R6, PT ;\nFSETP.LT.AND P0, PT, R4, R6, PT ;\nSEL R9, R4, R6, P0 ;\nFADD R5, |R4|, -RZ ;",
    ),
    (
        "constants",
        "LOP32I.AND R3, R4, 0xc ;\nLDC R5, c[0x0][R3+0x140] ;\nLDC.64 R6, c[0x0][0x148] ;\nMOV R6, c[0x0][0x8] ;\nMOV R7, RZ ;\nLOP32I.AND R5, R5, 0xff ;",
    ),
    ("double", "I2F.F64.S32 R4, R6 ;\nI2F.F64.S32 R8, R7 ;\nDADD R4, R4, R8 ;\nDMUL R8, R4, R4 ;"),
    (
        "wide-atomics",
        "STS [R2], R4 ;\nBAR.SYNC 0x0 ;\nATOMS.EXCH R5, [R2], R6 ;\nATOMS.CAS R7, [R2], R6, R7 ;\nLDS R8, [R2] ;",
    ),
];

/// All kernels with their names.
pub(in crate::execute) fn all() -> Vec<(String, KernelCase)> {
    let made = (0..RANDOM).map(|seed| (format!("random-{seed}"), random::lines(seed, LINES)));
    let named = BODIES.into_iter().map(|(name, body)| (name.to_owned(), body.to_owned()));
    named.chain(made).map(|(name, body)| (name, KernelCase { source: source(&body) })).collect()
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

impl KernelCase {
    /// Runs it on both.
    pub(in crate::execute) fn judge(&self, device: &Device, target: Target) -> Result<Done, String> {
        let mut settings = Settings::default();
        settings.unchecked = true;
        let text = |e: shisa::Error| e.to_string();
        let code = shisa::assemble(&self.source, Language::Maxwell, &settings).map_err(text)?.bytes;
        let before = input();
        let bytes: Vec<u8> = before.iter().flat_map(|w| w.to_le_bytes()).collect();
        let parameters: Vec<u8> = BUFFERS.iter().flat_map(|a| a.to_le_bytes()).collect();
        let bundles = code.chunks(bundle::BUNDLE_BYTES);
        let launch =
            Launch { grid: GRID, block: BLOCK, shared: SHARED, local: 64, parameters, ..Launch::default() };
        let run = KernelRun {
            kernel: Kernel {
                code: bundles.flat_map(|b| bundle::fuse(bundle::words(b))).collect(),
                ..Kernel::default()
            },
            buffers: BUFFERS.map(|address| (address, bytes.clone())).into(),
            textures: TextureSet::new(),
            launch,
        };
        let want = run_kernel(&run, &settings).map_err(|e| format!("the evaluator: {e}"))?;
        settings.isa = Some(Isa::Maxwell);
        settings.maxwell.workgroup = Some(BLOCK);
        settings.maxwell.shared = Some(SHARED);
        settings.maxwell.local = Some(64);
        let program = crate::opened::first(&code, &settings).map_err(text)?;
        let options = Options { exact: true, ..Options::default() };
        let output = match program.translate(target, &options) {
            Ok(output) => output,
            Err(e) => {
                let reason = e.diagnostics.first().map(|d| format!("{}: {}", d.code, d.message));
                return Ok(Done::Refused(reason.unwrap_or_default()));
            }
        };
        let pointer = |n: u32| Pointer { bank: 0, offset: POINTERS + 8 * n };
        let buffers = [0, 1].map(|n| (pointer(n), RefCell::new(before.clone())));
        let banks = [(0, words(&run.launch.bank(&[])))];
        device.compute(
            &output,
            Resources { banks: &banks, buffers: &buffers, ..Resources::default() },
            GRID,
        )?;
        let (want, got) = (words(&want.buffers[1]), buffers[1].1.borrow());
        let mut counts = Counts::default();
        for (n, (want, got)) in want.iter().zip(got.iter()).enumerate() {
            if want != got {
                let (thread, register) = (n as u32 / WORDS, n as u32 % WORDS);
                return Err(format!(
                    "thread {thread}, R{}: {got:#x}, the evaluator has {want:#x}",
                    4 + register
                ));
            }
            counts.components += 1;
            counts.equal += 1;
        }
        Ok(Done::Ran(counts))
    }
}

/// The words of a buffer: small numbers, large ones and any bits.
fn input() -> Vec<u32> {
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
