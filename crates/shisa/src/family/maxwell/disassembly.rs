//! Maxwell as text.

use super::facts::Facts;
use super::file::{MaxwellFile, chip};
use super::graph::Graph;
use crate::family::names::Syntax;
use crate::{Listing, Result, Settings, error};
use shisa_diag::{Limit, escape};
use shisa_maxwell::Chip;
use shisa_maxwell::container::{Image, Program};
use shisa_maxwell::text::{
    DisOptions, Layout, NvdisasmOptions, Section, disassemble as listing_of, nvdisasm, nvdisasm_cubin,
};
use std::fmt::Write as _;

/// The listing of a file, or of one of its programs.
pub(super) fn disassemble(
    file: &MaxwellFile<'_>,
    which: Option<usize>,
    how: &Listing,
    settings: &Settings,
) -> Result<String> {
    let image = file.image();
    if how.syntax == Syntax::Nvdisasm {
        return as_nvdisasm(image, which, how, settings);
    }
    let (text, shown) = match which {
        Some(index) => (alone(image, index, how, settings)?, vec![index]),
        None => {
            let shown = shown(image);
            (whole(image, &shown, how, settings)?, shown)
        }
    };
    if how.live { annotate(&text, image, &shown, how, settings) } else { Ok(text) }
}

/// nvdisasm's text of a file, or of one of its programs.
fn as_nvdisasm(
    image: &Image<'_>,
    which: Option<usize>,
    how: &Listing,
    settings: &Settings,
) -> Result<String> {
    if how.live {
        return Err(error::not_live("nvdisasm").into());
    }
    let limits = &settings.limits;
    let options =
        NvdisasmOptions { hex: how.bytes, novliw: how.novliw, code_only: how.code, no_dataflow: how.ndf };
    let one = |index: usize| nvdisasm(image.code(index), chip(image, index, settings), &options, limits);
    match (which, image.cubin()) {
        (Some(index), _) => Ok(one(index)?),
        // A cubin may have no program.
        (None, Some(cubin)) => {
            let chip = Chip::of(cubin.chip().into()).unwrap_or_else(|| chip(image, 0, settings));
            Ok(nvdisasm_cubin(cubin, chip, &options, limits)?)
        }
        (None, None) => {
            let mut out = String::new();
            for (i, program) in image.programs.iter().enumerate() {
                if image.programs.len() > 1 {
                    let _ = writeln!(out, "// {}: {}", i + 1, escape(&program.name));
                }
                out.push_str(&one(i)?);
            }
            Ok(out)
        }
    }
}

fn options(how: &Listing) -> DisOptions {
    DisOptions { offsets: how.offsets, bytes: how.bytes }
}

/// The listing of one program with its header and nothing else.
fn alone(image: &Image<'_>, index: usize, how: &Listing, settings: &Settings) -> Result<String> {
    let limits = &settings.limits;
    let program = image.program(index)?;
    let header = image.header(index).map_or(Vec::new(), |h| h.0.to_vec());
    let code = image.code(index);
    let section = Section {
        name: program.name.clone(),
        header: (!header.is_empty()).then_some(0),
        range: header.len()..header.len() + code.len(),
        targets: program.targets.clone(),
    };
    let chip = chip(image, index, settings);
    let layout = Layout { container: "raw", chip, sections: vec![section] };
    let mut text = listing_of(&[&header, code].concat(), &layout, &options(how), limits)?;
    if let Some((cubin, function)) = image.function(index) {
        Facts::of(cubin, function, limits).function(&mut text, function)?;
    }
    Ok(text)
}

/// The programs in the listing of a whole file, in the order of their code. Compressed programs stay bytes, and
/// programs may share code.
fn shown(image: &Image<'_>) -> Vec<usize> {
    let mut open: Vec<_> = image.programs.iter().enumerate().filter(|(_, p)| !p.compressed).collect();
    open.sort_by_key(|(_, p)| p.code.start);
    open.dedup_by(|(_, later), (_, first)| later.code.start < first.code.end);
    open.into_iter().map(|(i, _)| i).collect()
}

/// The listing of the whole file.
fn whole(image: &Image<'_>, shown: &[usize], how: &Listing, settings: &Settings) -> Result<String> {
    let limits = &settings.limits;
    let section = |p: &Program| Section {
        name: p.name.clone(),
        header: p.header.as_ref().map(|h| h.start),
        range: p.code.clone(),
        targets: p.targets.clone(),
    };
    let sections = shown.iter().filter_map(|i| image.programs.get(*i)).map(section).collect();
    let layout = Layout { container: image.container.name(), chip: chip(image, 0, settings), sections };
    let mut text = listing_of(image.bytes(), &layout, &options(how), limits)?;
    if let Some(cubin) = image.cubin().filter(|_| !image.programs.is_empty()) {
        Facts::new(cubin, limits).all(&mut text)?;
    }
    let packed: Vec<_> = image.programs.iter().enumerate().filter(|(_, p)| p.compressed).collect();
    if !packed.is_empty() {
        text.push_str("\n// Compressed; --program N lists one:\n");
        for (i, program) in packed {
            let chip = program.chip.map_or(String::new(), |c| format!(", {c}"));
            let _ = writeln!(text, "// {}: {}{chip}", i + 1, escape(&program.name));
        }
    }
    Ok(text)
}

/// Column of the comments after instructions.
const COMMENT: usize = 76;

/// A listing of some programs with a column of live registers.
fn annotate(
    text: &str,
    image: &Image<'_>,
    shown: &[usize],
    how: &Listing,
    settings: &Settings,
) -> Result<String> {
    let live = |i: &usize| Ok(Graph::new(image, *i, chip(image, *i, settings))?.all_live());
    let mut sets = shown.iter().map(live).collect::<Result<Vec<_>>>()?.into_iter().flatten();
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        // Only instructions are indented, or follow their address.
        let set = (line.starts_with("/*") || line.starts_with(' ')).then(|| sets.next()).flatten().flatten();
        match set.map(|names| names.join(" ")) {
            None => out.push_str(line),
            Some(names) if how.bytes => out.push_str(format!("{line}  live: {names}").trim_end()),
            Some(names) => out.push_str(format!("{line:COMMENT$} // live: {names}").trim_end()),
        }
        out.push('\n');
        settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(out)
}
