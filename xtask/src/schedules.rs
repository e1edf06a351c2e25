//! `cargo xtask schedules`: fills in the control bits of compiled programs, and looks for uses that are closer than
//! compilers put any of their kind.

mod judge;
mod reader;

use crate::compiled::{Compiled, Sources};
use judge::{Found, Program};
use shisa::diag::Limits;
use shisa::maxwell::hazards::fill;
use shisa::maxwell::text::{NvdisasmOptions, nvdisasm};
use shisa::maxwell::{Ctx, bundle};
use std::collections::BTreeSet;
use std::error::Error;

/// Schedule compiled Maxwell programs, and check the distances between results and their readers
///
/// The judge reads nvdisasm's text and the control bits, and shares nothing with the scheduler. It takes the distances
/// from the same programs as their compilers wrote them. Fails if a use is closer than any in compiled code, or if
/// something of variable latency is not waited for.
#[derive(Debug, clap::Args)]
pub(crate) struct Schedules {
    #[command(flatten)]
    sources: Sources,
}

/// Number of uses that are reported.
const REPORTED: usize = 10;

impl Schedules {
    /// Schedules the programs; returns whether no use is too close.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let programs = self.sources.programs()?;
        let slow = slow(&programs)?;
        let (mut compiled, mut filled) = (Found::default(), Found::default());
        let (mut instructions, mut before, mut after) = (0, 0, 0);
        for program in &programs {
            let text = text(program)?;
            instructions += program.code.len();
            let mut code = program.code.clone();
            if let Err(d) = fill(&mut code, &program.targets, program.ctx(), &Limits::default()) {
                println!("{}: {d}", program.name);
            }
            text.judge(&bits(&program.code), &slow, &mut compiled);
            text.judge(&bits(&code), &slow, &mut filled);
            before += stalls(&program.code);
            after += stalls(&code);
        }
        println!("programs {} instructions {instructions}", programs.len());
        println!("compiled: uses {} not waited for {}", compiled.uses, compiled.open.len());
        compiled.open.iter().take(REPORTED).for_each(|line| println!("  {line}"));
        println!("filled in: uses {} not waited for {}", filled.uses, filled.open.len());
        filled.open.iter().take(REPORTED).for_each(|line| println!("  {line}"));
        let mut close = 0;
        for ((carrier, reader), (cycles, seen, example)) in &filled.distances {
            let known = compiled.distances.get(&(*carrier, reader.clone()));
            if known.is_none_or(|(least, ..)| cycles < least) {
                close += 1;
                let known =
                    known.map_or("none".into(), |(least, seen, _)| format!("{least}, seen {seen} times"));
                println!("{carrier} {reader}: {cycles}, {seen} times; compilers leave {known}; {example}");
            }
        }
        println!("pairs {} too close {close}", filled.distances.len());
        println!("stall cycles {after}, by the compilers {before}");
        Ok(close == 0 && filled.open.is_empty())
    }
}

/// The text of a program.
fn text(program: &Compiled) -> Result<Program, Box<dyn Error>> {
    let options = NvdisasmOptions { novliw: true, ..NvdisasmOptions::default() };
    let mut words = program.code.clone();
    words.resize(words.len().next_multiple_of(3), 0);
    let bundles = words.chunks_exact(3).flat_map(|three| bundle::split([three[0], three[1], three[2]]));
    let bytes: Vec<u8> = bundles.flat_map(u64::to_le_bytes).collect();
    let Ctx { chip, .. } = program.ctx();
    let text = nvdisasm(&bytes, chip, &options, &Limits::default())
        .map_err(|d| format!("{}: {d:?}", program.name))?;
    Ok(Program::new(program.name.clone(), &text))
}

/// The control bits of all instructions.
fn bits(code: &[u128]) -> Vec<u32> {
    code.iter().map(|word| (word >> 64) as u32 & 0x1_ffff).collect()
}

/// The mnemonics of which an instruction raises a barrier with its result.
fn slow(programs: &[Compiled]) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut slow = BTreeSet::new();
    for program in programs {
        // The lines of all programs at once need too much memory.
        for (line, bits) in text(program)?.lines.into_iter().zip(bits(&program.code)) {
            if bits >> 5 & 7 != 7 || bits >> 8 & 7 != 7 {
                slow.insert(line.name);
            }
        }
    }
    Ok(slow)
}

/// The stall cycles of all instructions.
fn stalls(code: &[u128]) -> u64 {
    bits(code).into_iter().map(|bits| u64::from(bits & 15)).sum()
}
