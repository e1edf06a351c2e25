//! Maxwell as text.

use super::cubin::Facts;
use super::{Listing, no_program, not_live};
use crate::cfg::maxwell::Graph;
use crate::{Isa, Result, Settings};
use shisa_diag::{Diagnostic, Limit, Limits, escape};
use shisa_maxwell::container::{Container, Edit, Image, NvnControl, Program};
use shisa_maxwell::text::{
    AsmOptions, Assembly, DisOptions, Layout, NvdisasmOptions, Section, assemble, disassemble as listing_of,
    nvdisasm, nvdisasm_cubin,
};
use shisa_maxwell::{Chip, Ctx, decode};
use shisa_rows::{Line, print};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Whose text of Maxwell to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaxwellSyntax {
    /// With control bits; what assembling takes.
    #[default]
    Default,
    /// That of nvdisasm 12. It has no words that are no instructions.
    Nvdisasm,
}

/// How to write Maxwell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxwellListing {
    /// Whose text.
    pub syntax: MaxwellSyntax,
    /// The chip, where the file does not tell it; without it 5.3.
    pub chip: Option<Chip>,
    /// Shows where instructions lie. nvdisasm always does.
    pub offsets: bool,
    /// Shows the words.
    pub bytes: bool,
    /// Instructions that issue together stand alone in nvdisasm's text.
    pub novliw: bool,
    /// What the control file tells; then the file is the code file of NVN that belongs to it.
    pub nvn: Option<NvnControl>,
}

/// Reads a file; one that is nothing known is raw code if the instruction set is given. What a control file tells makes
/// it a code file of NVN.
pub(crate) fn image<'b>(
    bytes: &'b [u8],
    isa: Option<Isa>,
    nvn: Option<NvnControl>,
    limits: &Limits,
) -> Result<Image<'b>> {
    Ok(match (nvn, isa, Container::sniff(bytes, limits)) {
        (Some(control), ..) => Image::read_pair(bytes, control, limits)?,
        (None, Some(_), None) => Image::read_as(bytes, Container::Bundles, limits)?,
        _ => Image::read(bytes, limits)?,
    })
}

/// The place of a program, numbered from 1, in a file's list.
pub(crate) fn index(image: &Image<'_>, number: usize) -> Result<usize> {
    let count = image.programs.len();
    let index = number.checked_sub(1).filter(|i| *i < count);
    Ok(index.ok_or_else(|| no_program(number, count))?)
}

/// The text of a word.
pub(crate) fn text(word: u128, ctx: Ctx<'_>) -> String {
    let Ok(insn) = decode(word, ctx) else { return format!(".word {:#018x}", word as u64) };
    let mut line = Vec::new();
    print(&insn, Ctx { unended: true, ..ctx }, &mut Line::new(&mut line));
    String::from_utf8_lossy(&line).trim_end().to_owned()
}

/// The chip of a program.
pub(crate) fn chip(image: &Image<'_>, number: usize, listing: &MaxwellListing) -> Chip {
    let told = image.programs.get(number).and_then(|p| p.chip);
    told.or(listing.chip).unwrap_or_default()
}

/// The listing of a file; see [`crate::disassemble`].
pub(super) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    let limits = &settings.limits;
    let image = image(bytes, settings.isa, listing.maxwell.nvn, limits)?;
    let how = &listing.maxwell;
    if let Some(number) = listing.program {
        return program(&image, number, listing, limits);
    }
    lives(listing)?;
    match (how.syntax, image.container) {
        (MaxwellSyntax::Nvdisasm, Container::Cubin) => match image.cubin_of(0, limits) {
            Some(cubin) => {
                let options = NvdisasmOptions { hex: how.bytes, novliw: how.novliw };
                Ok(nvdisasm_cubin(&cubin, chip(&image, 0, how), &options, limits)?)
            }
            None => Ok(String::new()),
        },
        (MaxwellSyntax::Nvdisasm, _) => {
            let mut out = String::new();
            for (i, program) in image.programs.iter().enumerate() {
                if image.programs.len() > 1 {
                    let _ = writeln!(out, "// {}: {}", i + 1, escape(&program.name));
                }
                out.push_str(&as_nvdisasm(image.code(i), chip(&image, i, how), how, limits)?);
            }
            Ok(out)
        }
        (MaxwellSyntax::Default, _) => {
            let shown = shown(&image);
            let text = whole(bytes, &image, &shown, how, limits)?;
            if listing.live { annotate(&text, &image, &shown, how, limits) } else { Ok(text) }
        }
    }
}

/// The listing of a program, numbered from 1, of a file that was read.
pub(crate) fn program(
    image: &Image<'_>,
    number: usize,
    listing: &Listing,
    limits: &Limits,
) -> Result<String> {
    lives(listing)?;
    let how = &listing.maxwell;
    let index = index(image, number)?;
    match how.syntax {
        MaxwellSyntax::Nvdisasm => as_nvdisasm(image.code(index), chip(image, index, how), how, limits),
        MaxwellSyntax::Default => {
            let text = alone(image, index, how, limits)?;
            if listing.live { annotate(&text, image, &[index], how, limits) } else { Ok(text) }
        }
    }
}

/// Refuses live registers where the text has no room for them.
fn lives(listing: &Listing) -> Result<()> {
    match listing.maxwell.syntax {
        MaxwellSyntax::Nvdisasm if listing.live => Err(not_live("nvdisasm").into()),
        _ => Ok(()),
    }
}

fn as_nvdisasm(code: &[u8], chip: Chip, how: &MaxwellListing, limits: &Limits) -> Result<String> {
    let options = NvdisasmOptions { hex: how.bytes, novliw: how.novliw };
    Ok(nvdisasm(code, chip, &options, limits)?)
}

fn options(how: &MaxwellListing) -> DisOptions {
    DisOptions { offsets: how.offsets, bytes: how.bytes }
}

/// The listing of one program with its header and nothing else.
fn alone(image: &Image<'_>, index: usize, how: &MaxwellListing, limits: &Limits) -> Result<String> {
    let header = image.header(index).map_or(Vec::new(), |h| h.0.to_vec());
    let (code, name) = (image.code(index), image.programs.get(index).map_or("", |p| &p.name));
    let section = Section {
        name: name.into(),
        header: (!header.is_empty()).then_some(0),
        range: header.len()..header.len() + code.len(),
        targets: image.programs.get(index).map(|p| p.targets.clone()).unwrap_or_default(),
    };
    let chip = chip(image, index, how);
    let layout = Layout { container: "raw", chip, sections: vec![section] };
    let mut text = listing_of(&[&header, code].concat(), &layout, &options(how), limits)?;
    if let Some(cubin) = image.cubin_of(index, limits)
        && let Some(function) = cubin.functions.iter().find(|f| f.name == name)
    {
        Facts::new(&cubin, limits).function(&mut text, function)?;
    }
    Ok(text)
}

/// The programs that the listing of a whole file shows, in the order of their code. Those that are compressed in
/// it stay bytes, and programs may share code.
fn shown(image: &Image<'_>) -> Vec<usize> {
    let range = |i: usize| image.programs.get(i).map_or(0..0, |p| p.code.clone());
    let open = image.programs.iter().enumerate().filter(|(_, p)| !p.compressed);
    let mut shown: Vec<usize> = open.map(|(i, _)| i).collect();
    shown.sort_by_key(|i| range(*i).start);
    shown.dedup_by(|later, first| range(*later).start < range(*first).end);
    shown
}

/// The listing of the whole file.
fn whole(
    bytes: &[u8],
    image: &Image<'_>,
    shown: &[usize],
    how: &MaxwellListing,
    limits: &Limits,
) -> Result<String> {
    let section = |p: &Program| Section {
        name: p.name.clone(),
        header: p.header.as_ref().map(|h| h.start),
        range: p.code.clone(),
        targets: p.targets.clone(),
    };
    let sections = shown.iter().filter_map(|i| image.programs.get(*i)).map(section).collect();
    let layout = Layout { container: image.container.name(), chip: chip(image, 0, how), sections };
    let mut text = listing_of(bytes, &layout, &options(how), limits)?;
    if let (Container::Cubin, Some(cubin)) = (image.container, image.cubin_of(0, limits)) {
        Facts::new(&cubin, limits).all(&mut text)?;
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

/// Column of the comments behind instructions.
const COMMENT: usize = 76;

/// A listing of some programs with a column of live registers.
fn annotate(
    text: &str,
    image: &Image<'_>,
    shown: &[usize],
    how: &MaxwellListing,
    limits: &Limits,
) -> Result<String> {
    let mut sets = shown.iter().flat_map(|i| Graph::new(image, *i, chip(image, *i, how)).live());
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        // Only instructions are indented, or stand behind their address.
        let set = (line.starts_with("/*") || line.starts_with(' ')).then(|| sets.next()).flatten().flatten();
        match set.map(|names| names.join(" ")) {
            None => out.push_str(line),
            Some(names) if how.bytes => out.push_str(format!("{line}  live: {names}").trim_end()),
            Some(names) => out.push_str(format!("{line:COMMENT$} // live: {names}").trim_end()),
        }
        out.push('\n');
        limits.check(Limit::TextOut, "bytes of text", out.len())?;
    }
    Ok(out)
}

/// Assembles Maxwell code. Given a file and one of its programs, numbered from 1, the code takes that program's
/// place; without, the bytes are those that the source describes.
///
/// # Errors
/// Every fault in the text; what the file's container refuses.
pub fn assemble_maxwell(
    source: &str,
    options: &AsmOptions,
    into: Option<(&[u8], usize)>,
    settings: &Settings,
) -> Result<Assembly> {
    let limits = &settings.limits;
    let mut done = assemble(source, options, limits);
    let Some(bytes) = &done.bytes else { return Err(done.diagnostics.into()) };
    let Some((file, number)) = into else { return Ok(done) };
    let image = Image::read(file, limits)?;
    let edits = edits(&done.layout, bytes, index(&image, number)?)?;
    let written = image.write(&edits, limits)?;
    done.diagnostics.extend(image.lost(&edits, limits));
    done.bytes = Some(written);
    Ok(done)
}

/// Assembles Maxwell code in place of the program of a code file of NVN. The bytes that are assembled are those of the
/// code file; those of its control file come beside them.
///
/// # Errors
/// As [`assemble_maxwell`]; `nvn-magic`, `nvn-cut`, `nvn-range` and `nvn-stage` where the files are no such pair.
pub fn assemble_maxwell_nvn(
    source: &str,
    options: &AsmOptions,
    code: &[u8],
    control: &[u8],
    settings: &Settings,
) -> Result<(Assembly, Vec<u8>)> {
    let limits = &settings.limits;
    let mut done = assemble(source, options, limits);
    let Some(bytes) = &done.bytes else { return Err(done.diagnostics.into()) };
    let image = Image::read_pair(code, NvnControl::read(control, limits)?, limits)?;
    let edits = edits(&done.layout, bytes, 0)?;
    let (code, control) = image.write_pair(control, &edits, limits)?;
    done.diagnostics.extend(image.lost(&edits, limits));
    done.bytes = Some(code);
    Ok((done, control))
}

/// The one program that was assembled, in place of a program of a file.
fn edits<'b>(layout: &'b Layout, bytes: &'b [u8], index: usize) -> Result<BTreeMap<usize, Edit<'b>>> {
    let [section] = layout.sections.as_slice() else {
        let text = format!("the source has {} programs where one is replaced", layout.sections.len());
        return Err(Diagnostic::error("maxwell-replace", text).into());
    };
    let code = bytes.get(section.range.clone()).unwrap_or_default();
    let header = section.header.and_then(|at| shisa_maxwell::container::sph::Sph::at(bytes, at));
    let targets = Some(&section.targets).filter(|targets| !targets.is_empty());
    Ok(BTreeMap::from([(index, Edit { code, header, targets })]))
}
