//! PICA200's instructions as data.

use super::explain::bit_names;
use super::file::Pica200File;
use crate::Result;
use crate::family::{Each, Head, pass_on};
use crate::fields::{self, Field};
use crate::instruction::{Instruction, vector};
use serde_json::{Map, json};
use shisa_ir::{Lifted, Stage};
use shisa_pica200::container::Shbin;
use shisa_pica200::{FILES, Options, Pica200, word};
use shisa_rows::{Access, Facts, Insn};

/// The binary that contains a program, which other programs share, its offset, and the number of the program in it;
/// without a number, the binary that the file is, and its first program.
fn binary<'f>(whole: &'f Pica200File<'_>, which: Option<usize>) -> Result<(usize, &'f Shbin, usize)> {
    match (which, whole.whole()) {
        (None, Some((binary, file))) => Ok((binary.offset, file, 0)),
        _ => {
            let (binary, file, number) = whole.program(which.unwrap_or(0))?;
            Ok((binary.offset, file, number))
        }
    }
}

/// The version and stage of a program.
pub(super) fn head(whole: &Pica200File<'_>, which: Option<usize>) -> Result<Head> {
    let (_, file, number) = binary(whole, which)?;
    let dvle = file.programs.get(number);
    let stage = dvle.and_then(|d| d.stage()).unwrap_or(Stage::Vertex);
    Ok(Head { chip: dvle.map(|d| format!("{:#x}", d.version)), stage: Some(stage.name()) })
}

/// Passes on the words of the binary that contains a program.
pub(super) fn list(whole: &Pica200File<'_>, which: Option<usize>, each: &mut Each<'_>) -> Result<()> {
    let (offset, file, _) = binary(whole, which)?;
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
    pass_on(file.code.iter().zip(shisa_pica200::texts(file)).enumerate().map(instruction), each);
    Ok(())
}

/// The fields of the word at an offset, with those of its operand descriptor; none for a word that is no instruction.
///
/// # Errors
/// `no-program`.
pub(super) fn fields(whole: &Pica200File<'_>, index: usize, offset: usize) -> Result<Vec<Field>> {
    let (start, file, _) = binary(whole, Some(index))?;
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let number = offset.saturating_sub(start + file.code_at()) / 4;
    let word = file.code.get(number).map(|code| word::fuse(*code, &descriptors));
    let insn = word.and_then(Insn::<Pica200>::decode);
    Ok(insn.map_or(Vec::new(), |insn| fields::of(&insn, u8::MAX, bit_names)))
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
