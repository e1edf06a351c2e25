//! Cost of Maxwell programs, from their instructions and control bits.

use super::file::chip;
use super::graph::Graph;
use super::instructions;

use crate::report::{Counter, Known, Report};
use crate::{Isa, Result, Settings};
use shisa_maxwell::class::{Class, class};
use shisa_maxwell::container::Image;
use shisa_maxwell::{Ctx, Schedule, Set, bundle, decode};
use shisa_rows::code::effects;
use std::ops::ControlFlow;

/// Threads of a streaming multiprocessor whose threads have this many registers, and the most that it can have.
///
/// From NVIDIA's table of compute capabilities 5.0 to 5.3: 65,536 registers, of which a warp gets a multiple of 256, and
/// 64 warps of 32 threads, which are given out four at a time.
fn threads(registers: u32) -> [u32; 2] {
    const REGISTERS: u32 = 65_536;
    const UNIT: u32 = 256;
    const WARPS: u32 = 64;
    const THREADS: u32 = 32;
    const TOGETHER: u32 = 4;
    let of_warp = (registers.max(1) * THREADS).next_multiple_of(UNIT);
    let warps = (REGISTERS / of_warp / TOGETHER * TOGETHER).min(WARPS);
    [warps * THREADS, WARPS * THREADS]
}

/// The cost of a program.
///
/// # Errors
/// `no-program`.
pub(super) fn report(image: &Image<'_>, index: usize, settings: &Settings) -> Result<Report> {
    let chip = chip(image, index, settings);
    let reached = Graph::new(image, index, chip)?.reached();
    let words = image.code(index).chunks_exact(bundle::BUNDLE_BYTES);
    let mut words = words.flat_map(|b| bundle::fuse(bundle::words(b))).zip(reached).enumerate();
    let mut known = Known { textures: 0, cycles: None, threads: None, source: SOURCE };
    let (mut counter, mut cycles, mut used) = (Counter::default(), 0, Set::default());
    instructions::list(image, index, settings, &mut |instruction| {
        let Some((n, (word, reached))) = words.next() else { return ControlFlow::Break(()) };
        let ctx = Ctx { pc: bundle::address(n as u32), chip, ..Ctx::default() };
        if let (true, Ok(insn)) = (reached, decode(word, ctx)) {
            counter.add(&instruction);
            cycles += u64::from(Schedule::of(word).stall());
            known.textures += usize::from(class(&insn) == Class::Texture);
            let all = effects(&insn);
            used = used.or(&all.reads).or(&all.writes);
        }
        ControlFlow::Continue(())
    })?;
    // Code without any stall leaves all waiting to the hardware.
    known.cycles = Some(cycles).filter(|cycles| *cycles > 0);
    known.threads = Some(threads(used.highest().map_or(0, |n| n as u32 + 1)));
    Ok(counter.report(Isa::Maxwell, &image.program(index)?.name, &known))
}

/// The source of the numbers.
const SOURCE: &str = "cycles are the stalls in the code, without waits for barriers; threads are those that the \
                      registers of a multiprocessor allow, without its shared memory";

#[cfg(test)]
mod tests {
    use super::threads;

    /// Rows of NVIDIA's occupancy calculator.
    #[test]
    fn registers_limit_threads() {
        for (registers, expected) in
            [(0, 2048), (32, 2048), (33, 1536), (40, 1536), (64, 1024), (128, 512), (255, 256)]
        {
            assert_eq!(threads(registers), [expected, 2048], "{registers}");
        }
    }
}
