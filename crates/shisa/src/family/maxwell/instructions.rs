//! Maxwell's instructions as data.

use super::explain::bit_names;
use super::file::chip;

use crate::family::{Each, Head, pass_on};
use crate::fields::{self, Field};
use crate::instruction::Instruction;
use crate::{Result, Settings};
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

/// The chip and stage of a program.
pub(super) fn head(image: &Image<'_>, index: usize, settings: &Settings) -> Head {
    let stage = image.programs.get(index).and_then(|p| p.stage);
    Head { chip: Some(chip(image, index, settings).to_string()), stage: stage.map(|s| s.name()) }
}

/// Passes on the instructions of a program.
///
/// # Errors
/// `no-program`.
pub(super) fn list(image: &Image<'_>, index: usize, settings: &Settings, each: &mut Each<'_>) -> Result<()> {
    let chip = chip(image, index, settings);
    let start = image.program(index)?.code.start;
    let bundles = image.code(index).chunks_exact(bundle::BUNDLE_BYTES);
    let words = (0..).zip(bundles.flat_map(|b| bundle::fuse(bundle::words(b))));
    pass_on(words.map(|(number, word)| instruction(bundle::address(number), word, start, chip)), each);
    Ok(())
}

/// The fields of the instruction at an offset; none for a word that is no instruction.
///
/// # Errors
/// `no-program`.
pub(super) fn fields(
    image: &Image<'_>,
    index: usize,
    offset: usize,
    settings: &Settings,
) -> Result<Vec<Field>> {
    let pc = offset.saturating_sub(image.program(index)?.code.start);
    let ctx = Ctx { pc: pc as u32, chip: chip(image, index, settings), ..Ctx::default() };
    let (bundle, position) = (pc / bundle::BUNDLE_BYTES, pc % bundle::BUNDLE_BYTES / 8);
    let words = image.code(index).chunks_exact(bundle::BUNDLE_BYTES).nth(bundle).map(bundle::words);
    // The first word of a bundle controls the others.
    let word = words.zip(position.checked_sub(1)).and_then(|(words, at)| Some(*bundle::fuse(words).get(at)?));
    let insn = word.and_then(|word| decode(word, ctx).ok());
    Ok(insn.map_or(Vec::new(), |insn| fields::of(&insn, u8::MAX, bit_names)))
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
