//! `maxwell/ptx`: kernels made by ptxas, as nvdisasm prints their cubins (each section's instructions and labels, and
//! the whole text) and their code as raw files.

use super::{instruction, instructions};
use crate::{Data, Error, Tally};
use shisa::diag::Limits;
use shisa::maxwell::container::Cubin;
use shisa::maxwell::{Chip, text};
use std::collections::BTreeMap;

/// Judges every kernel of every cubin in both forms.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for name in data.list("maxwell/ptx", ".cubin")? {
        let stem = crate::data::stem(&name);
        let bytes = data.read(&name)?;
        let limits = Limits::default();
        let cubin = Cubin::read(&bytes, &limits).map_err(|found| format!("{name}: {found:?}"))?;
        let chip = Chip::of(u32::from(cubin.chip())).ok_or("the chip is known")?;
        let options = text::NvdisasmOptions { novliw: true, ..Default::default() };
        let code: BTreeMap<&str, &[u8]> = cubin.functions.iter().map(|f| (f.name, f.code)).collect();
        for value in data.values(&format!("maxwell/ptx/{stem}.raw.jsonl"))? {
            let kernel = value["kernel"].as_str().unwrap_or_default();
            let expected: Vec<&str> =
                value["text"].as_array().into_iter().flatten().filter_map(|t| t.as_str()).collect();
            let code = code.get(kernel).copied().unwrap_or_default();
            let outcome = match text::nvdisasm(code, chip, &options, &limits) {
                Err(found) => Err(format!("{found:?}")),
                Ok(got) => equal(&expected, &instructions(&got)),
            };
            tally.row(&format!("{stem} {kernel} raw"), outcome);
        }
        // The corpus has the listings of one chip: those of the other differ in nothing that raw files do not show.
        let listing = format!("maxwell/ptx/{stem}.listing.txt");
        if !data.has(&listing) {
            continue;
        }
        let expected = data.text(&listing)?;
        let whole: Vec<&str> = expected.lines().collect();
        let expected = sections(expected.lines());
        let options = text::NvdisasmOptions { hex: true, no_dataflow: true, ..options };
        let listing =
            text::nvdisasm_cubin(&cubin, chip, &options, &limits).map_err(|f| format!("{name}: {f:?}"))?;
        // A small corpus has only the sections of code.
        if whole.first().is_some_and(|line| line.starts_with("\t.headerflags")) {
            tally.row(&format!("{stem} whole"), equal(&whole, &listing.lines().collect::<Vec<_>>()));
        }
        let got = sections(listing.lines());
        for (section, expected) in expected {
            let outcome = equal(&expected, got.get(section).map_or(&[], Vec::as_slice));
            tally.row(&format!("{stem} {section}"), outcome);
        }
    }
    Ok(())
}

/// The instructions and labels of each section of code.
fn sections<'t>(lines: impl Iterator<Item = &'t str>) -> BTreeMap<&'t str, Vec<&'t str>> {
    let (mut all, mut section) = (BTreeMap::new(), "");
    for line in lines {
        if let Some(rest) = line.strip_prefix("\t.section\t") {
            section = rest.split(',').next().unwrap_or_default();
        }
        if !section.starts_with(".text") {
            continue;
        }
        let label = line.strip_suffix(':').filter(|l| !l.starts_with([' ', '\t']));
        if let Some(text) = label.or_else(|| instruction(line)) {
            all.entry(section).or_insert_with(Vec::new).push(text);
        }
    }
    all
}

/// Passed when all lines are the same.
fn equal(expected: &[&str], got: &[&str]) -> Result<(), String> {
    match expected.iter().zip(got).find(|(e, g)| e != g) {
        Some((e, g)) => Err(format!("expected {e}, got {g}")),
        None if expected.len() == got.len() => Ok(()),
        None => Err(format!("expected {} lines, got {}", expected.len(), got.len())),
    }
}
