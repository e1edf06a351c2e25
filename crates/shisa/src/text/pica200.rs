//! PICA200 as text.

use super::{Listing, no_program};
use crate::{Cfg, Result, Settings};
use shisa_diag::{Diagnostic, Limit, Limits, escape};
use shisa_pica200::container::{Object, Shbin, Wrapper, embedded};
use std::borrow::Cow;

/// A shader binary of a file.
#[derive(Clone, Debug)]
pub(crate) struct Binary {
    /// What it is called in the file; empty for a file that is nothing else.
    pub(crate) name: String,
    /// Where it, or its base64, begins.
    pub(crate) offset: usize,
    /// Its contents, or what is wrong with it.
    pub(crate) file: std::result::Result<Shbin, Vec<Diagnostic>>,
}

/// Whether bytes begin as a container of PICA200 programs.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    Shbin::sniff(bytes) || Object::sniff(bytes) || Wrapper::sniff(bytes).is_some()
}

/// The shader binaries of a file, and what is wrong with it besides.
pub(crate) fn binaries(bytes: &[u8], limits: &Limits) -> Result<(Vec<Binary>, Vec<Diagnostic>)> {
    let alone = |file| vec![Binary { name: String::new(), offset: 0, file: Ok(file) }];
    if Object::sniff(bytes) {
        return Ok((alone(Object::read(bytes, limits)?.linked), Vec::new()));
    }
    let Some(wrapper) = Wrapper::sniff(bytes) else {
        return Ok((alone(Shbin::read(bytes, limits)?), Vec::new()));
    };
    let (found, faults) = embedded(wrapper, bytes, limits)?;
    let binary = |e: shisa_pica200::container::Embedded<'_>| Binary {
        file: Shbin::read(&e.bytes, limits),
        name: e.name,
        offset: e.offset,
    };
    Ok((found.into_iter().map(binary).collect(), faults))
}

/// The binary that holds a program, and which of its programs it is, from 0. Programs are counted over all
/// binaries.
pub(crate) fn program(bytes: &[u8], number: usize, settings: &Settings) -> Result<(Binary, Shbin, usize)> {
    let (binaries, _) = binaries(bytes, &settings.limits)?;
    let mut before = 0;
    for binary in binaries {
        let Ok(file) = &binary.file else { continue };
        let count = file.programs.len();
        if let Some(index) = number.checked_sub(before + 1).filter(|i| *i < count) {
            let file = file.clone();
            return Ok((binary, file, index));
        }
        before += count;
    }
    Err(no_program(number, before).into())
}

/// The bytes of the binary with a program and no other; without a number of the first binary as it is.
pub(crate) fn binary<'b>(
    bytes: &'b [u8],
    number: Option<usize>,
    settings: &Settings,
) -> Result<Cow<'b, [u8]>> {
    if number.is_none() && Shbin::sniff(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let (binary, file, index) = program(bytes, number.unwrap_or(1), settings)?;
    let file = match number {
        Some(_) => alone(file, index),
        None => binary.file?,
    };
    Ok(Cow::Owned(file.write(&settings.limits)?))
}

/// A binary without its other programs. The words stay, since nobody knows whose they are.
pub(crate) fn alone(mut file: Shbin, index: usize) -> Shbin {
    file.layout = None;
    file.programs = file.programs.get(index).cloned().into_iter().collect();
    file
}

/// The listing of a file; see [`crate::disassemble`].
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    if let Some(number) = listing.program {
        let (_, file, index) = program(bytes, number, settings)?;
        return text(&alone(file, index), listing, settings);
    }
    if Shbin::sniff(bytes) {
        return text(&Shbin::read(bytes, &settings.limits)?, listing, settings);
    }
    let (binaries, faults) = binaries(bytes, &settings.limits)?;
    let mut out = String::new();
    let kind = Wrapper::sniff(bytes).map_or("DVOJ", Wrapper::name);
    out.push_str(&format!("; {kind}, {} bytes, shader binaries: {}\n", bytes.len(), binaries.len()));
    faults.iter().for_each(|d| out.push_str(&format!("; {}\n", escape(&d.to_string()))));
    for Binary { name, offset, file } in binaries {
        out.push_str(&format!("\n; {} at {offset:#x}\n", escape(&name)));
        match file {
            Ok(file) => out.push_str(&text(&file, listing, settings)?),
            Err(found) => found.iter().for_each(|d| out.push_str(&format!("; {}\n", escape(&d.to_string())))),
        }
        settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(out)
}

/// The listing of a binary.
pub(crate) fn text(file: &Shbin, listing: &Listing, settings: &Settings) -> Result<String> {
    let mut live = Vec::new();
    if listing.live {
        // A word that several programs run has the sets of all of them.
        for index in 0..file.programs.len() {
            let sets = Cfg::of_program(file, index, 0, settings)?.live();
            live.resize(live.len().max(sets.len()), None);
            for (all, set) in live.iter_mut().zip(sets) {
                let Some(set) = set else { continue };
                let known: &mut Vec<String> = all.get_or_insert_default();
                known.extend(set);
            }
        }
    }
    Ok(shisa_pica200::disassemble(file, &listing.pica200, &live, &settings.limits)?)
}
