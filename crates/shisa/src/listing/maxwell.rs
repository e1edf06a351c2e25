//! Maxwell's listings for machines.

use super::programs;
use crate::text::maxwell::{image, program, text};
use crate::{Listing, Result, Settings};
use serde_json::{Value, json};
use shisa_maxwell::container::{Container, Image};
use shisa_maxwell::hazards::{Set, effects};
use shisa_maxwell::{Chip, Ctx, Schedule, bundle, decode};

pub(super) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let image = image(bytes, settings.isa, listing.maxwell.nvn, &settings.limits)?;
    match (image.container, listing.program) {
        (_, Some(number)) => one(&image, number, listing, settings),
        (Container::Sph | Container::Bundles, None) => one(&image, 1, listing, settings),
        (container, None) => {
            programs(container.name(), bytes, settings, |number| one(&image, number, listing, settings))
        }
    }
}

fn one(image: &Image<'_>, number: usize, listing: &Listing, settings: &Settings) -> Result<Value> {
    // What refuses a number that no program has.
    let text = program(image, number, listing, &settings.limits)?;
    let index = number.saturating_sub(1);
    let program = image.programs.get(index);
    let chip = program.and_then(|p| p.chip).or(listing.maxwell.chip).unwrap_or_default();
    let start = program.map_or(0, |p| p.code.start);
    Ok(json!({
        "version": 1, "isa": "maxwell", "chip": chip.to_string(),
        "stage": program.and_then(|p| p.stage).map(|s| s.name()), "text": text,
        "instructions": instructions(image.code(index), start, chip),
    }))
}

fn instructions(code: &[u8], start: usize, chip: Chip) -> Vec<Value> {
    let words = code.chunks_exact(bundle::BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b)));
    (0..).zip(words).map(|(number, word)| instruction(bundle::address(number), word, start, chip)).collect()
}

fn instruction(pc: u32, word: u128, start: usize, chip: Chip) -> Value {
    let ctx = Ctx { pc, chip, ..Ctx::default() };
    let all = decode(word, ctx).map(|insn| effects(&insn)).unwrap_or_default();
    let bits = Schedule((word >> 64) as u32 & 0x1_ffff);
    let numbers = |mask: u32| (0..6).filter(|n| mask >> n & 1 != 0).collect::<Vec<u32>>();
    json!({
        "offset": start + pc as usize, "address": pc, "bytes": format!("{:016x}", word as u64), "text": text(word, ctx),
        "control": {
            "wait": numbers(bits.wait()), "read": bits.read_barrier(), "write": bits.write_barrier(),
            "yield": bits.yields(), "stall": bits.stall(), "reuse": numbers((word >> 81) as u32 & 15),
        },
        "reads": names(&all.reads), "writes": names(&all.writes),
    })
}

fn names(set: &Set) -> Vec<String> {
    set.to_string().split_whitespace().map(String::from).collect()
}
