//! Cost of AGAL programs, counted from their instructions.

use super::{graph, instructions};
use crate::report::{Counter, Known, Report};
use crate::{Isa, Result, Settings};
use shisa_agal::{Agal, Program, Token};
use shisa_rows::Insn;
use std::ops::ControlFlow;

/// The cost of a program.
pub(super) fn report(program: &Program, settings: &Settings) -> Result<Report> {
    let live = graph::graph(program, settings)?.live();
    let samples =
        |token: &Token| Insn::<Agal>::decode(*token).is_some_and(|insn| insn.form().attr.effect.samples());
    let reached = |n: usize| live.get(n).is_some_and(Option::is_some);
    let (mut counter, mut number) = (Counter::default(), 0);
    instructions::list(program, settings, &mut |instruction| {
        if reached(number) {
            counter.add(&instruction);
        }
        number += 1;
        ControlFlow::Continue(())
    });
    let textures =
        program.tokens.iter().enumerate().filter(|(n, token)| reached(*n) && samples(token)).count();
    let source = "players translate AGAL for any GPU, so nothing is known about its time";
    let known = Known { textures, cycles: None, threads: None, source };
    Ok(counter.report(Isa::Agal, &program.describe(), &known))
}
