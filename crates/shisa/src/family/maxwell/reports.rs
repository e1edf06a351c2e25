//! Cost of Maxwell programs, from their instructions and control bits.

use super::file::chip;
use super::graph::model;
use super::instructions;
use crate::report::{Counter, Known, Report};
use crate::{Isa, Result, Settings};
use shisa_maxwell::class::{Class, class};
use shisa_maxwell::container::Image;
use shisa_maxwell::processor::threads;
use shisa_maxwell::{Schedule, Set};
use std::ops::ControlFlow;

/// The cost of a program.
///
/// # Errors
/// `no-program`.
pub(super) fn report(image: &Image<'_>, index: usize, settings: &Settings) -> Result<Report> {
    let chip = chip(image, index, settings);
    let model = model(image, index, chip)?;
    let mut numbers = 0..model.len();
    let mut known = Known { textures: 0, cycles: None, threads: None, source: SOURCE };
    let (mut counter, mut cycles, mut used) = (Counter::default(), 0, Set::default());
    instructions::list(image, index, settings, &mut |instruction| {
        let Some(n) = numbers.next() else { return ControlFlow::Break(()) };
        if let (true, Some(insn), Some(all)) = (model.may_run(n), model.insn(n), model.effects(n)) {
            counter.add(&instruction);
            cycles += u64::from(Schedule::of(insn.word).stall());
            known.textures += usize::from(class(insn) == Class::Texture);
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
