//! Maxwell's instructions as data.

use super::file::chip;
use crate::Settings;
use crate::family::Instructions;
use crate::instruction::Instruction;
use serde_json::{Map, Value, json};
use shisa_maxwell::code::Effects;
use shisa_maxwell::container::Image;
use shisa_maxwell::{Chip, Ctx, Schedule, Set, bundle, decode, reuse_flags};
use shisa_rows::code::effects;
use shisa_rows::{Line, print};

/// The text of a word.
pub(super) fn text(word: u128, ctx: Ctx<'_>) -> String {
    let Ok(insn) = decode(word, ctx) else { return format!(".word {:#018x}", word as u64) };
    let mut line = Vec::new();
    print(&insn, Ctx { unended: true, ..ctx }, &mut Line::new(&mut line));
    String::from_utf8_lossy(&line).trim_end().to_owned()
}

/// The instructions of a program.
pub(super) fn list(image: &Image<'_>, index: usize, settings: &Settings) -> Instructions {
    let program = image.programs.get(index);
    let chip = chip(image, index, settings);
    let start = program.map_or(0, |p| p.code.start);
    Instructions {
        chip: Some(chip.to_string()),
        stage: program.and_then(|p| p.stage).map(|s| s.name()),
        list: instructions(image.code(index), start, chip),
    }
}

fn instructions(code: &[u8], start: usize, chip: Chip) -> Vec<Instruction> {
    let words = code.chunks_exact(bundle::BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b)));
    (0..).zip(words).map(|(number, word)| instruction(bundle::address(number), word, start, chip)).collect()
}

fn instruction(pc: u32, word: u128, start: usize, chip: Chip) -> Instruction {
    let ctx = Ctx { pc, chip, ..Ctx::default() };
    let all = decode(word, ctx).map_or(Effects::default(), |insn| effects(&insn));
    let bits = Schedule::of(word);
    let numbers = |mask: u32| (0..6).filter(|n| mask >> n & 1 != 0).collect::<Vec<u32>>();
    let control = json!({
        "wait": numbers(bits.wait()), "read": bits.read_barrier(), "write": bits.write_barrier(),
        "yield": bits.yields(), "stall": bits.stall(), "reuse": numbers(reuse_flags(word)),
    });
    let more: [(String, Value); 2] = [("address".into(), pc.into()), ("control".into(), control)];
    Instruction {
        offset: start + pc as usize,
        bytes: format!("{:016x}", word as u64),
        text: Some(text(word, ctx)),
        reads: names(&all.reads),
        writes: names(&all.writes),
        more: Map::from_iter(more),
    }
}

fn names(set: &Set) -> Vec<String> {
    set.to_string().split_whitespace().map(String::from).collect()
}
