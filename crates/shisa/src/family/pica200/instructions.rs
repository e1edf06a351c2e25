//! PICA200's instructions as data.

use super::file::Pica200File;
use crate::Result;
use crate::family::Instructions;
use crate::instruction::{Instruction, vector};
use serde_json::{Map, json};
use shisa_ir::{Lifted, Stage};
use shisa_pica200::container::Shbin;
use shisa_pica200::{FILES, Options, Pica200, word};
use shisa_rows::{Access, Facts, Insn};

/// The words of the binary that contains a program, which programs share; without a number, those of the file.
pub(super) fn list(whole: &Pica200File<'_>, which: Option<usize>) -> Result<Instructions> {
    let (offset, file, number) = match (which, whole.whole()) {
        (None, Some((binary, file))) => (binary.offset, file, 0),
        _ => whole.program(which.unwrap_or(0)).map(|(binary, file, number)| (binary.offset, file, number))?,
    };
    let dvle = file.programs.get(number);
    let stage = dvle.and_then(|d| d.stage()).unwrap_or(Stage::Vertex);
    Ok(Instructions {
        chip: dvle.map(|d| format!("{:#x}", d.version)),
        stage: Some(stage.name()),
        list: instructions(file, offset),
    })
}

fn instructions(file: &Shbin, offset: usize) -> Vec<Instruction> {
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let start = offset + file.code_at();
    let mut scratch = Lifted::new(FILES);
    let instruction = |(i, (code, text)): (usize, (&u32, String))| {
        let (reads, writes) = accesses(&mut scratch, word::fuse(*code, &descriptors), i as u32);
        let mut more = Map::new();
        if let Some(number) = word::descriptor(*code) {
            more.insert("descriptor".into(), json!(number));
        }
        let (offset, bytes) = (start + 4 * i, format!("{code:08x}"));
        Instruction { offset, bytes, text: Some(text), reads, writes, more }
    };
    file.code.iter().zip(shisa_pica200::texts(file)).enumerate().map(instruction).collect()
}

/// The registers that a word reads and writes; none for a word that is not an instruction.
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

/// The name of a register in the text; `None` for internal registers of the hardware.
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
