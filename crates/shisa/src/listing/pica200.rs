//! PICA200's listings for machines.

use super::{programs, vector};
use crate::text::no_program;
use crate::text::pica200::{Binary, alone, binaries, text};
use crate::{Listing, Result, Settings, disassemble};
use serde_json::{Value, json};
use shisa_ir::{Lifted, Stage};
use shisa_pica200::container::{Dvle, Shbin, Wrapper};
use shisa_pica200::{FILES, Options, Pica200, word};
use shisa_rows::{Access, Facts, Insn};

pub(super) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let (binaries, _) = binaries(bytes, &settings.limits)?;
    let read = binaries.iter().filter_map(|b| Some((b.offset, b.file.as_ref().ok()?)));
    let all: Vec<_> =
        read.flat_map(|(at, file)| (0..file.programs.len()).map(move |i| (at, file, i))).collect();
    let numbered = |number: usize| {
        let (offset, file, index) =
            *all.get(number.wrapping_sub(1)).ok_or_else(|| no_program(number, all.len()))?;
        let text = text(&alone(file.clone(), index), listing, settings)?;
        Ok(one(file, offset, file.programs.get(index), text))
    };
    match (Wrapper::sniff(bytes), listing.program, &binaries[..]) {
        (Some(wrapper), None, _) => programs(wrapper.name(), bytes, settings, numbered),
        (None, None, [Binary { offset, file: Ok(file), .. }]) => {
            Ok(one(file, *offset, file.programs.first(), disassemble(bytes, listing, settings)?))
        }
        (_, number, _) => numbered(number.unwrap_or(1)),
    }
}

fn one(file: &Shbin, offset: usize, dvle: Option<&Dvle>, text: String) -> Value {
    let stage = dvle.and_then(|d| d.stage()).unwrap_or(Stage::Vertex);
    json!({
        "version": 1, "isa": "pica200", "chip": dvle.map(|d| format!("{:#x}", d.version)),
        "stage": stage.name(), "text": text, "instructions": instructions(file, offset),
    })
}

fn instructions(file: &Shbin, offset: usize) -> Vec<Value> {
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let start = offset + file.code_at();
    let mut scratch = Lifted::new(FILES);
    let instruction = |(i, (code, text)): (usize, (&u32, String))| {
        let (reads, writes) = accesses(&mut scratch, word::fuse(*code, &descriptors), i as u32);
        let mut line = json!({
            "offset": start + 4 * i, "bytes": format!("{code:08x}"), "text": text,
            "reads": reads, "writes": writes,
        });
        if let Some(number) = word::descriptor(*code) {
            line["descriptor"] = json!(number);
        }
        line
    };
    file.code.iter().zip(shisa_pica200::texts(file)).enumerate().map(instruction).collect()
}

/// The registers that a word reads and writes; nothing for one that is no instruction.
fn accesses(scratch: &mut Lifted, fused: u64, pc: u32) -> (Vec<String>, Vec<String>) {
    let Some(insn) = Insn::<Pica200>::decode(fused) else { return Default::default() };
    match Facts::of(scratch, insn, &Options::DEFAULT, pc, pc + 1) {
        Ok(facts) => {
            let all = |list: Vec<Access>| list.iter().filter_map(name).collect();
            (all(facts.reads().collect()), all(facts.writes().collect()))
        }
        Err(_) => Default::default(),
    }
}

/// A register as the text has it; `None` for the machine's own.
fn name(access: &Access) -> Option<String> {
    let file = FILES.get(usize::from(access.reg.file.0))?;
    let unit = access.reg.unit;
    let single = |names: &[&str]| names.get(usize::from(unit)).map(|n| (*n).to_owned());
    match file.name {
        "a" => single(&["a0.x", "a0.y", "aL"]),
        "cmp" => single(&["cmp.x", "cmp.y"]),
        "b" => Some(format!("b{unit}")),
        "loop" => None,
        name => Some(vector(name, access)),
    }
}
