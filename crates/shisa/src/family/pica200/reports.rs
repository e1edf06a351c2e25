//! Cost of PICA200 programs, counted from their instructions.

use super::file::Pica200File;
use super::{graph, instructions};
use crate::family::collect;
use crate::report::{Known, Report, counted};
use crate::{Isa, Result, Settings};

/// The cost of a program. Of the words that programs of a binary share, those count that this one can reach.
pub(super) fn report(
    whole: &Pica200File<'_>,
    index: usize,
    name: &str,
    settings: &Settings,
) -> Result<Report> {
    let (binary, file, number) = whole.program(index)?;
    let live = graph::graph(file, number, binary.offset, settings)?.live();
    let mut all = Vec::new();
    instructions::list(whole, Some(index), &mut collect(&mut all))?;
    let reached = all.iter().zip(&live).filter(|(_, live)| live.is_some());
    let list: Vec<_> = reached.map(|(instruction, _)| instruction).collect();
    let source = "no time of this hardware is published; its shader units have no textures";
    let known = Known { textures: 0, cycles: None, threads: None, source };
    Ok(counted(Isa::Pica200, name, &list, &known))
}
