//! Cost of AGAL programs, counted from their instructions.

use super::{graph, instructions};
use crate::family::collect;
use crate::report::{Known, Report, counted};
use crate::{Isa, Result, Settings};
use shisa_agal::{Agal, Program, Token};
use shisa_rows::Insn;

/// The cost of a program.
pub(super) fn report(program: &Program, settings: &Settings) -> Result<Report> {
    let live = graph::graph(program, settings)?.live();
    let samples =
        |token: &Token| Insn::<Agal>::decode(*token).is_some_and(|insn| insn.form().attr.effect.samples());
    let reached = |n: usize| live.get(n).is_some_and(Option::is_some);
    let mut all = Vec::new();
    instructions::list(program, settings, &mut collect(&mut all));
    let list: Vec<_> = all.iter().enumerate().filter(|(n, _)| reached(*n)).map(|(_, i)| i).collect();
    let textures =
        program.tokens.iter().enumerate().filter(|(n, token)| reached(*n) && samples(token)).count();
    let source = "players translate AGAL for any GPU, so nothing is known about its time";
    Ok(counted(
        Isa::Agal,
        &program.describe(),
        &list,
        &Known { textures, cycles: None, threads: None, source },
    ))
}
