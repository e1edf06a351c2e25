//! The data of each instruction set.

use crate::data::{Family, FormData, Isa, Length, VERSION};
use crate::form::form;
use shisa::explain::Explanation;
use shisa_agal::Agal;
use shisa_agx::Agx;
use shisa_maxwell::Maxwell;
use shisa_pica200::Pica200;
use shisa_rows::Word;

/// The reference as data: `isa.json`.
///
/// # Errors
/// A word that has no explanation, which is a defect of the reference.
pub fn isa() -> Result<Isa, shisa::Error> {
    let agx = |attr: &<Agx as shisa_rows::Isa>::Attr| {
        let shisa_agx::facts::Length { short, long, bit } = attr.length;
        Some(Length { short, long, bit })
    };
    let shared = general()?;
    let families = vec![
        family::<Agal>(
            shisa::Isa::Agal,
            "the 24 bytes of a token, the first one lowest: 32 bits of opcode, 32 of destination, 64 of each source",
            |_| None,
            &shared,
        )?,
        family::<Pica200>(
            shisa::Isa::Pica200,
            "32 bits of the instruction word; above them the 32 bits of the operand descriptor that it selects, or zero",
            |_| None,
            &shared,
        )?,
        family::<Maxwell>(
            shisa::Isa::Maxwell,
            "64 bits of the instruction word; above them its 21 control bits from the first word of its bundle",
            |_| None,
            &shared,
        )?,
        family::<Agx>(shisa::Isa::Agx, "the bytes of an instruction, the first one lowest", agx, &shared)?,
    ];
    Ok(Isa { version: VERSION, families, words: shared })
}

fn family<I: shisa_rows::Isa>(
    isa: shisa::Isa,
    word: &'static str,
    length: impl Fn(&I::Attr) -> Option<Length>,
    shared: &[Explanation],
) -> Result<Family, shisa::Error> {
    let forms: Vec<FormData> = I::table().forms().iter().map(|row| form(row, length(&row.attr))).collect();
    Ok(Family { name: isa.name(), bits: I::Word::BITS, word, forms, words: words(isa, shared)? })
}

/// The explanations of an instruction set's words, without those that all instruction sets share.
fn words(isa: shisa::Isa, shared: &[Explanation]) -> Result<Vec<Explanation>, shisa::Error> {
    let mut list = Vec::new();
    for word in shisa::explain::words(Some(isa)) {
        list.extend(shisa::explain(&word, Some(isa))?.into_iter().filter(|e| !shared.contains(e)));
    }
    Ok(distinct(list))
}

/// The explanations of words that all instruction sets share.
fn general() -> Result<Vec<Explanation>, shisa::Error> {
    let all: Vec<Vec<String>> = shisa::Isa::ALL.iter().map(|isa| shisa::explain::words(Some(*isa))).collect();
    let mut list = Vec::new();
    let Some((first, others)) = all.split_first() else { return Ok(list) };
    for word in first.iter().filter(|word| others.iter().all(|words| words.contains(word))) {
        let mut found = shisa::explain(word, None)?;
        for isa in shisa::Isa::ALL {
            let own = shisa::explain(word, Some(*isa))?;
            found.retain(|explanation| own.contains(explanation));
        }
        list.extend(found);
    }
    Ok(distinct(list))
}

/// Explanations in the order of their words, each once: several words may have the same one.
fn distinct(mut list: Vec<Explanation>) -> Vec<Explanation> {
    list.sort_by(|a, b| (a.kind, &a.word).cmp(&(b.kind, &b.word)));
    list.dedup();
    list
}
