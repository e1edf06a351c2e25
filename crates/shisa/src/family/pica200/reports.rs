//! Cost of PICA200 programs, counted from their instructions.

use super::file::Pica200File;
use super::{graph, instructions};
use crate::report::{Counter, Known, Report};
use crate::{Isa, Result, Settings};
use std::ops::ControlFlow;

/// The cost of a program. Of the words that programs of a binary share, those count that this one can reach.
pub(super) fn report(
    whole: &Pica200File<'_>,
    index: usize,
    name: &str,
    settings: &Settings,
) -> Result<Report> {
    let (binary, file, number) = whole.program(index)?;
    let live = graph::graph(file, number, binary.offset, settings)?.live();
    let (mut counter, mut live) = (Counter::default(), live.iter());
    instructions::list(whole, Some(index), &mut |instruction| {
        match live.next() {
            Some(Some(_)) => counter.add(&instruction),
            Some(None) => {}
            None => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    })?;
    let source = "no time of this hardware is published; its shader units have no textures";
    let known = Known { textures: 0, cycles: None, threads: None, source };
    Ok(counter.report(Isa::Pica200, name, &known))
}
