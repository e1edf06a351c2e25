//! Reports that count what the instructions of a program state.

use super::Report;
use crate::Isa;
use crate::instruction::Instruction;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is known about the hardware: instructions that access a texture, cycles in which one wave issues each instruction
/// once, threads that the registers leave room for and the largest number of threads, and the source of these numbers.
pub(crate) struct Known {
    pub(crate) textures: usize,
    pub(crate) cycles: Option<u64>,
    pub(crate) threads: Option<[u32; 2]>,
    pub(crate) source: &'static str,
}

/// The registers of a kind that a program uses, and whether some are selected by a computed number.
type Used = (BTreeSet<u32>, bool);

/// Counts the instructions that a program can reach, one after the other: all of them together would take much memory.
#[derive(Default)]
pub(crate) struct Counter {
    instructions: usize,
    bytes: usize,
    registers: BTreeMap<String, Used>,
}

impl Counter {
    pub(crate) fn add(&mut self, instruction: &Instruction) {
        self.instructions += 1;
        self.bytes += instruction.bytes.len() / 2;
        for register in instruction.reads.iter().chain(&instruction.writes) {
            let register = register.split('.').next().unwrap_or_default();
            let stem = register.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']'));
            let (numbers, indexed) = self.registers.entry(stem.to_owned()).or_default();
            *indexed |= register.ends_with(']');
            numbers.extend(register.get(stem.len()..).and_then(|number| number.parse::<u32>().ok()));
        }
    }

    pub(crate) fn report(&self, isa: Isa, name: &str, known: &Known) -> Report {
        let Counter { instructions, bytes, registers } = self;
        let object = |(all, by): &Used| json!({ "used": all.len(), "highest": all.last(), "indexed": by });
        let files: Map<String, Value> = registers.iter().map(|(n, used)| (n.clone(), object(used))).collect();
        let json = json!({
            "version": 1, "isa": isa.name(), "name": name, "bytes": bytes, "instructions": instructions,
            "registers": files, "textures": known.textures, "cycles": known.cycles,
            "threads": known.threads.map(|t| t[0]), "source": known.source,
        });
        Report { name: name.to_owned(), json, text: text(registers, *instructions, *bytes, known) }
    }
}

fn text(registers: &BTreeMap<String, Used>, instructions: usize, bytes: usize, known: &Known) -> String {
    let (s, es) = (if instructions == 1 { "" } else { "s" }, if known.textures == 1 { "" } else { "es" });
    let mut text = format!("{instructions} instruction{s}, {bytes} bytes\n");
    let file = |(name, (numbers, indexed)): (&String, &Used)| match (numbers.len(), *indexed) {
        (0, true) => format!("{name} by index"),
        (count, true) => format!("{name} {count} and by index"),
        (0, false) => name.clone(),
        (count, false) => format!("{name} {count}"),
    };
    let _ = writeln!(text, "registers  {}", registers.iter().map(file).collect::<Vec<_>>().join(", "));
    let _ = writeln!(text, "textures   {} access{es}", known.textures);
    let cycles = known.cycles.map_or("not known".into(), |n| format!("{n} to issue each instruction once"));
    let threads = known.threads.map_or("not known".into(), |[n, most]| format!("{n} of {most} at a time"));
    let _ = writeln!(text, "cycles     {cycles}\nthreads    {threads}\nsource     {}", known.source);
    text
}
