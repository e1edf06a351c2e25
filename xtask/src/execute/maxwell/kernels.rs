//! Kernels that are made for tests, on the device and on the evaluator: the memory after both is equal in every bit.

use super::words;
use crate::execute::Counts;
use crate::execute::agx::Done;
use shisa::maxwell::run_kernel;
use shisa::{Isa, Settings};
use shisa_conformance::maxwell::kernels::{BLOCK, GRID, LOCAL, MadeKernel, SHARED, WORDS, input};
use shisa_translate::execute::{Device, Resources};
use shisa_translate::{Options, Pointer, Target};
use std::cell::RefCell;

/// Where the constants have the pointers to the buffers.
const POINTERS: u32 = 0x140;

/// Runs a kernel on both.
pub(in crate::execute) fn judge(
    kernel: &MadeKernel,
    device: &Device,
    target: Target,
) -> Result<Done, String> {
    let text = |e: shisa::Error| e.to_string();
    let (code, before) = (kernel.code().map_err(text)?, input());
    let run = MadeKernel::run(&code, &before);
    let mut settings = Settings::default();
    let want = run_kernel(&run, &settings).map_err(|e| format!("the evaluator: {e}"))?;
    settings.isa = Some(Isa::Maxwell);
    settings.maxwell.workgroup = Some(BLOCK);
    settings.maxwell.shared = Some(SHARED);
    settings.maxwell.local = Some(LOCAL);
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
    device.compute(&output, Resources { banks: &banks, buffers: &buffers, ..Resources::default() }, GRID)?;
    let (want, got) = (words(&want.buffers[1]), buffers[1].1.borrow());
    let mut counts = Counts::default();
    for (n, (want, got)) in want.iter().zip(got.iter()).enumerate() {
        if want != got {
            let (thread, register) = (n as u32 / WORDS, n as u32 % WORDS);
            return Err(format!("thread {thread}, R{}: {got:#x}, the evaluator has {want:#x}", 4 + register));
        }
        counts.components += 1;
        counts.equal += 1;
    }
    Ok(Done::Ran(counts))
}
