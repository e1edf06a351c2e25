//! The data of each instruction set.

use crate::data::{Family, FormData, Isa, VERSION};
use crate::described::Described;
use crate::form::form;
use crate::sections;
use shisa::explain::Explanation;
use shisa_agal::Agal;
use shisa_agx::Agx;
use shisa_diag::Diagnostic;
use shisa_maxwell::Maxwell;
use shisa_pica200::Pica200;
use shisa_rows::Word;
use std::collections::BTreeMap;

/// The reference as data: `isa.json`.
///
/// # Errors
/// A word that has no explanation, which is a defect of the reference.
pub fn isa() -> Result<Isa, shisa::Error> {
    let shared = general()?;
    let families = vec![
        family::<Agal>(&shared)?,
        family::<Pica200>(&shared)?,
        family::<Maxwell>(&shared)?,
        family::<Agx>(&shared)?,
    ];
    Ok(Isa { version: VERSION, families, words: shared })
}

fn family<I: Described>(shared: &[Explanation]) -> Result<Family, shisa::Error> {
    let words = words(I::ISA, shared)?;
    Ok(Family {
        name: I::ISA.name(),
        about: I::ISA.about(),
        extension: I::EXTENSION,
        bits: I::Word::BITS,
        word: I::WORD,
        pieces: I::PIECES,
        opcode: I::OPCODE,
        forms: forms::<I>(&words)?,
        words,
    })
}

/// The rows, each with its part of the explanation of its instruction.
fn forms<I: Described>(words: &[Explanation]) -> Result<Vec<FormData>, shisa::Error> {
    let parts = words.iter().map(|word| (&word.word[..], sections::forms(word).into_iter()));
    let mut parts: BTreeMap<&str, _> = parts.filter(|(_, parts)| parts.len() > 0).collect();
    let rows = I::table().forms().iter();
    rows.map(|row| match parts.get_mut(row.name).and_then(Iterator::next) {
        Some(part) => Ok(form(row, part)),
        None => {
            Err(Diagnostic::error("explain-unknown", format!("a form of {} is not explained", row.name))
                .into())
        }
    })
    .collect()
}

/// The explanations of an instruction set's words, without those that all instruction sets share, and without those of
/// names that another tool gives to some forms of an instruction.
fn words(isa: shisa::Isa, shared: &[Explanation]) -> Result<Vec<Explanation>, shisa::Error> {
    let mut list = Vec::new();
    for word in shisa::explain::words(Some(isa)) {
        list.extend(shisa::explain(&word, Some(isa))?.into_iter().filter(|e| !shared.contains(e)));
    }
    let mut list = distinct(list);
    let is_whole = |explanation: &Explanation| {
        let Ok(own) = shisa::explain(&explanation.word, Some(isa)) else { return true };
        let same = |own: &Explanation| (own.kind, &own.word) == (explanation.kind, &explanation.word);
        own.contains(explanation) || !own.iter().any(same)
    };
    list.retain(is_whole);
    Ok(list)
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
