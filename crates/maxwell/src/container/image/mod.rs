//! Any file that holds Maxwell programs.

mod contents;
mod own;
mod programs;
mod write;

pub use own::OwnImage;

use self::contents::Contents;
use super::dksh::trimmed;
use super::sph::SPH_BYTES;
use super::{Container, Cubin, Dksh, Edit, Fatbin, Function, NvnControl, Raw, Sph, raw};
use crate::bundle::BUNDLE_BYTES;
use crate::flow::Targets;
use crate::{Chip, ShaderStage};
use alloc::string::String;
use alloc::{format, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::bytes::outside;
use shisa_diag::{Confidence, Diagnostic, Limit, Limits, Sink};

/// A file, and the programs in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<'a> {
    /// What kind of file it is.
    pub container: Container,
    /// In the order of the file.
    pub programs: Vec<Program>,
    /// Damaged parts that were skipped.
    pub faults: Vec<Diagnostic>,
    bytes: &'a [u8],
    /// The units that contain programs, one after the other.
    units: Vec<Unit<'a>>,
    /// The fatbins of the units, if this is a fatbin or contains some.
    fatbins: Vec<Fatbin>,
    /// The contents of the control file, if this is an NVN code file that was read with it.
    control: Option<NvnControl>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// In a cubin the function's name, in others the stage.
    pub name: String,
    /// The container that directly contains it: a cubin, if that is in a fatbin.
    pub container: Container,
    /// The chip; `None` if nothing states it.
    pub chip: Option<Chip>,
    /// The stage; `None` if nothing states it.
    pub stage: Option<ShaderStage>,
    /// Whether it runs by itself; others are called by it.
    pub entry: bool,
    /// The number of registers that it states; `None` if nothing states it.
    pub registers: Option<u32>,
    /// The number of barriers of the block that it states; `None` if nothing states it.
    pub barriers: Option<u32>,
    /// The range of its Shader Program Header, counted like `code`.
    pub header: Option<Range<usize>>,
    /// The range of its code: in the file, or in the decompressed cubin.
    pub code: Range<usize>,
    /// Targets of branches through a register, as its container lists them.
    pub targets: Targets,
    /// Whether the cubin was compressed.
    pub compressed: bool,
    /// Its number in its own container.
    number: usize,
    /// The number of its unit.
    unit: usize,
}

/// A unit that contains programs: the whole file, or a cubin of a fatbin.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unit<'a> {
    contents: Contents<'a>,
    /// The base of offsets in it: its offset in the file, or 0 if it was compressed.
    offset: usize,
    /// The fatbin and its entry, if it comes from one.
    entry: Option<(usize, usize)>,
}

impl<'a> Image<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// All its faults: the codes of its container, `maxwell-container` if it is not a known one, `limit-exceeded`.
    /// Faulty cubins of a fatbin are only left out.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Image<'a>, Vec<Diagnostic>> {
        match Container::sniff(bytes, limits) {
            Some(container) => Image::read_as(bytes, container, limits),
            None => {
                limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
                let found = Diagnostic::error("maxwell-container", "no Maxwell code was found");
                Err(vec![found.help("if it is raw code, state that")])
            }
        }
    }

    /// Reads a file of a known kind; [`Container::Sph`] and [`Container::Bundles`] accept any bytes.
    ///
    /// # Errors
    /// The errors of [`Image::read`].
    pub fn read_as(
        bytes: &'a [u8],
        container: Container,
        limits: &Limits,
    ) -> Result<Image<'a>, Vec<Diagnostic>> {
        Image::of(bytes, container, None, limits)
    }

    /// Reads an NVN code file with the contents of its control file, such as the offset of the constants after the
    /// code.
    ///
    /// # Errors
    /// `nvn-magic`, `nvn-cut`, `nvn-range`, `limit-exceeded`.
    pub fn read_pair(
        bytes: &'a [u8],
        control: NvnControl,
        limits: &Limits,
    ) -> Result<Image<'a>, Vec<Diagnostic>> {
        Image::of(bytes, Container::NvnCode, Some(control), limits)
    }

    fn of(
        bytes: &'a [u8],
        container: Container,
        control: Option<NvnControl>,
        limits: &Limits,
    ) -> Result<Image<'a>, Vec<Diagnostic>> {
        container.limit(bytes, limits).map_err(|d| vec![d])?;
        let mut image = Image {
            container,
            programs: Vec::new(),
            faults: Vec::new(),
            bytes,
            units: Vec::new(),
            fatbins: Vec::new(),
            control,
        };
        match container {
            Container::Cubin => image.read_cubin(limits)?,
            Container::Dksh => image.read_dksh(limits)?,
            Container::Fatbin => {
                image.fatbins = Fatbin::read(bytes, limits)?;
                image.entries(limits)?;
            }
            Container::Host => {
                image.fatbins = Fatbin::find(bytes, limits)?;
                image.entries(limits)?;
            }
            Container::NvnControl => drop(NvnControl::read(bytes, limits)?),
            Container::NvnCode => image.nvn(limits)?,
            Container::Sph | Container::Bundles => image.raw()?,
        }
        image.bounded(limits)
    }

    /// Refuses programs of too many instructions, and too much code in total. Ranges are checked here once for all.
    fn bounded(self, limits: &Limits) -> Result<Image<'a>, Vec<Diagnostic>> {
        let code = self.programs.iter().fold(0, |sum: usize, program| sum.saturating_add(program.code.len()));
        limits.check(Limit::File, "bytes of code", code).map_err(|d| vec![d])?;
        for program in &self.programs {
            for range in [Some(&program.code), program.header.as_ref()].into_iter().flatten() {
                if self.find(program, range).is_none() {
                    return Err(vec![outside(range.clone(), self.bytes.len())]);
                }
            }
            let instructions = program.code.len() / BUNDLE_BYTES * 3;
            limits.check(Limit::Instructions, "instructions", instructions).map_err(|d| vec![d])?;
        }
        Ok(self)
    }

    /// A program, by its number.
    ///
    /// # Errors
    /// `no-program`.
    pub fn program(&self, number: usize) -> Result<&Program, Diagnostic> {
        self.programs.get(number).ok_or_else(|| self.no_program(number))
    }

    /// The code of a program, by its number; empty if there is none of that number.
    pub fn code(&self, number: usize) -> &[u8] {
        self.programs.get(number).map_or(&[], |p| self.part(p, &p.code))
    }

    /// A program as a file of its own, by its number: its Shader Program Header, if it has one, and its code.
    ///
    /// # Errors
    /// `no-program`; `maxwell-extract` if the bytes alone would be another program.
    pub fn extract(&self, number: usize, limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
        let program = self.program(number)?;
        let header = self.header(number).map_or(Vec::new(), |h| h.0.to_vec());
        let bytes = [&header, self.code(number)].concat();
        let alone = Container::sniff(&bytes, limits).unwrap_or_else(|| Container::of_code(&bytes));
        let is_same = match (alone, Raw::of(&bytes).header) {
            (Container::Sph, header) => program.header.is_some() && header == Some(0..SPH_BYTES),
            // With a header that is damaged, the bytes are not whole bundles, and are refused.
            (Container::Bundles, _) => true,
            _ => false,
        };
        if !is_same {
            let text = format!(
                "the bytes of program {} alone would be another program: `{}`",
                number + 1,
                alone.name()
            );
            let found = Diagnostic::error("maxwell-extract", text);
            return Err(found.help("extract the file around it"));
        }
        Ok(bytes)
    }

    /// The edit that replaces a program, by its number, with bytes of the form that [`Image::extract`] returns. A
    /// program keeps its Shader Program Header if the bytes are whole bundles.
    pub fn edit<'e>(&self, number: usize, bytes: &'e [u8]) -> Edit<'e> {
        let has_header = self.programs.get(number).is_some_and(|p| p.header.is_some());
        match bytes.split_at_checked(SPH_BYTES) {
            Some((header, code)) if has_header && code.len().is_multiple_of(BUNDLE_BYTES) => {
                Edit { code, header: Sph::at(header, 0), targets: None }
            }
            _ => bytes.into(),
        }
    }

    fn no_program(&self, number: usize) -> Diagnostic {
        let d = Diagnostic::error("no-program", format!("there is no program {}", number + 1));
        d.note(format!("there are {}", self.programs.len()))
    }

    /// The Shader Program Header of a program, by its number, if it has one.
    pub fn header(&self, number: usize) -> Option<Sph> {
        let program = self.programs.get(number)?;
        Sph::at(self.part(program, program.header.as_ref()?), 0)
    }

    /// All bytes of the file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The file, if it is a cubin.
    pub fn cubin(&self) -> Option<&Cubin<'_>> {
        self.units.first().filter(|unit| unit.entry.is_none())?.contents.cubin()
    }

    /// The file, if it is a DKSH.
    pub fn dksh(&self) -> Option<&Dksh<'_>> {
        match &self.units.first()?.contents {
            Contents::Dksh(dksh) => Some(dksh),
            _ => None,
        }
    }

    /// The cubin that contains a program, if there is one, decompressed.
    pub fn cubin_of(&self, number: usize) -> Option<&Cubin<'_>> {
        self.units.get(self.programs.get(number)?.unit)?.contents.cubin()
    }

    /// The cubin that contains a program, if there is one, with the function that the program is.
    pub fn function(&self, number: usize) -> Option<(&Cubin<'_>, &Function<'_>)> {
        let (cubin, program) = (self.cubin_of(number)?, self.programs.get(number)?);
        Some((cubin, cubin.functions.get(program.number)?))
    }

    /// The faults that containers state about their programs: Shader Program Headers, and cubins. Offsets count in
    /// the file; for a compressed cubin they are that of its entry.
    pub fn check(&self, limits: &Limits) -> Vec<Diagnostic> {
        let mut sink = Sink::new(limits.diagnostics);
        for (number, program) in self.programs.iter().enumerate() {
            if let (Some(sph), Some(place)) = (self.header(number), &program.header) {
                sink.extend(sph.check(place.start));
            }
        }
        let cubins = self.programs.iter().filter(|p| p.container == Container::Cubin);
        let mut units: Vec<usize> = cubins.map(|p| p.unit).collect();
        units.dedup();
        for unit in units.into_iter().filter_map(|n| self.units.get(n)) {
            let Some(cubin) = unit.contents.cubin() else { continue };
            sink.extend(cubin.check(limits).into_iter().map(|d| self.placed(unit, d)));
        }
        sink.finish()
    }

    /// A finding about a unit with offsets of the file.
    fn placed(&self, unit: &Unit<'_>, mut found: Diagnostic) -> Diagnostic {
        let entry = unit.entry.and_then(|(f, e)| self.fatbins.get(f)?.entries.get(e));
        for label in &mut found.labels {
            match entry {
                Some(entry) if matches!(unit.contents, Contents::Unpacked(_)) => {
                    label.span = entry.payload.clone().into()
                }
                _ => label.span = (label.span.start + unit.offset..label.span.end + unit.offset).into(),
            }
        }
        found
    }

    /// The range of a program's bytes in the file; for a compressed program, the range of the whole entry.
    pub fn place(&self, program: &Program, range: Range<usize>) -> Range<usize> {
        let entry = self.units.get(program.unit).and_then(|u| u.entry).filter(|_| program.compressed);
        let found = entry.and_then(|(f, e)| self.fatbins.get(f)?.entries.get(e));
        found.map_or(range, |e| e.payload.clone())
    }

    /// The fatbins of the file with all their entries, including PTX and those for other chips.
    pub fn fatbins(&self) -> &[Fatbin] {
        &self.fatbins
    }

    /// A range of the unit that contains a program.
    fn part(&self, program: &Program, range: &Range<usize>) -> &[u8] {
        // `bounded` has found it before.
        self.find(program, range).unwrap_or_default()
    }

    fn find(&self, program: &Program, range: &Range<usize>) -> Option<&[u8]> {
        let unit = self.units.get(program.unit)?;
        let [start, end] = [range.start, range.end].map(|at| at.checked_sub(unit.offset));
        unit.contents.bytes().get(start?..end?)
    }

    /// The confidence that the programs are code: nothing is damaged, and every instruction is known.
    pub fn confidence(&self) -> Confidence {
        let programs = self.programs.iter().enumerate().filter(|(_, p)| !p.code.is_empty());
        let sure = programs.map(|(n, program)| {
            // Zeros at the end of raw code are padding.
            let code = self.code(n);
            let code = code.get(..trimmed(code, 0..code.len())).unwrap_or_default();
            let sure = raw::sure(code, program.chip.unwrap_or_default());
            sure.unwrap_or(Confidence::Possible)
        });
        let least = sure.min().unwrap_or(Confidence::Likely);
        let raw = self.programs.iter().all(|p| p.chip.is_none());
        let most = if raw || !self.faults.is_empty() { Confidence::Likely } else { Confidence::Certain };
        least.min(most)
    }
}
