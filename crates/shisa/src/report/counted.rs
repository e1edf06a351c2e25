//! Reports that count what the instructions of a program state.

use super::Report;
use crate::Isa;
use crate::instruction::Instruction;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is known about the hardware's time and threads.
pub(crate) struct Known {
    /// Instructions that access a texture.
    pub(crate) textures: usize,
    /// Cycles in which one wave issues each instruction once.
    pub(crate) cycles: Option<u64>,
    /// Threads that the registers leave room for, and the largest number of threads.
    pub(crate) threads: Option<[u32; 2]>,
    /// The source of these numbers, or why there are none.
    pub(crate) source: &'static str,
}

/// The registers of a kind that a program uses.
#[derive(Default)]
struct Used {
    numbers: BTreeSet<u32>,
    /// Whether some are selected by a computed number.
    indexed: bool,
}

/// Counts the instructions that a program can reach, one after the other: all of them together would take much memory.
#[derive(Default)]
pub(crate) struct Counter {
    instructions: usize,
    bytes: usize,
    registers: BTreeMap<String, Used>,
}

impl Counter {
    /// Counts an instruction.
    pub(crate) fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        self.bytes += instruction.bytes.len() / 2;
        for register in instruction.reads.iter().chain(&instruction.writes) {
            let register = register.split('.').next().unwrap_or_default();
            let stem = register.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']'));
            if !self.registers.contains_key(stem) {
                self.registers.insert(stem.to_owned(), Used::default());
            }
            let Some(used) = self.registers.get_mut(stem) else { continue };
            used.indexed |= register.ends_with(']');
            used.numbers.extend(register.get(stem.len()..).and_then(|number| number.parse::<u32>().ok()));
        }
    }

    /// The report.
    pub(crate) fn report(&self, isa: Isa, name: &str, known: &Known) -> Report {
        let Counter { instructions, bytes, registers } = self;
        let Known { textures, cycles, threads, source } = known;
        let object = |used: &Used| json!({ "used": used.numbers.len(), "highest": used.numbers.last(), "indexed": used.indexed });
        let files: Map<String, Value> = registers.iter().map(|(n, used)| (n.clone(), object(used))).collect();
        let json = json!({
            "version": 1, "isa": isa.name(), "name": name, "bytes": bytes, "instructions": instructions,
            "registers": files, "textures": textures, "cycles": cycles, "threads": threads.map(|t| t[0]),
            "source": source,
        });
        Report { name: name.to_owned(), json, text: text(registers, *instructions, *bytes, known) }
    }
}

fn text(registers: &BTreeMap<String, Used>, instructions: usize, bytes: usize, known: &Known) -> String {
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut text = format!("{}, {bytes} bytes\n", plural(instructions, "instruction"));
    let file = |(name, used): (&String, &Used)| match (used.numbers.len(), used.indexed) {
        (0, true) => format!("{name} by index"),
        (count, true) => format!("{name} {count} and by index"),
        (0, false) => name.clone(),
        (count, false) => format!("{name} {count}"),
    };
    let files: Vec<String> = registers.iter().map(file).collect();
    let _ = writeln!(text, "registers  {}", files.join(", "));
    let accesses = if known.textures == 1 { "access" } else { "accesses" };
    let _ = writeln!(text, "textures   {} {accesses}", known.textures);
    let cycles = known.cycles.map_or("not known".into(), |n| format!("{n} to issue each instruction once"));
    let threads = known.threads.map_or("not known".into(), |[n, most]| format!("{n} of {most} at a time"));
    let _ = writeln!(text, "cycles     {cycles}\nthreads    {threads}\nsource     {}", known.source);
    text
}
