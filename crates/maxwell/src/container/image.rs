//! Any file that holds Maxwell programs.

use super::dksh::trimmed;
use super::moved::Moved;
use super::reader::within;
use super::tables::{self, Code};
use super::{
    Cubin, Dksh, Entry, Fatbin, Function, Nvn, NvnControl, Own, Raw, Sph, bytes::put, bytes::spliced, elf,
    fatbin,
};
use crate::bundle::BUNDLE_BYTES;
use crate::flow::Targets;
use crate::{Chip, ShaderStage};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::{Confidence, Diagnostic, Limit, Limits, Sink};

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// An ELF file of CUDA code.
    Cubin,
    /// Programs for several chips.
    Fatbin,
    /// A program or library of the host that holds fatbins.
    Host,
    /// The Switch, for deko3d.
    Dksh,
    /// The Switch: the control file of NVN's pair, without code.
    NvnControl,
    /// The Switch: the code file of NVN's pair.
    NvnCode,
    /// Bundles behind a Shader Program Header.
    Sph,
    /// Bundles.
    Bundles,
}

impl Container {
    /// All kinds.
    pub const ALL: [Container; 8] = [
        Container::Cubin,
        Container::Fatbin,
        Container::Host,
        Container::Dksh,
        Container::NvnControl,
        Container::NvnCode,
        Container::Sph,
        Container::Bundles,
    ];

    /// What such a file is, and how it is laid out.
    pub const fn about(self) -> &'static str {
        match self {
            Container::Cubin => {
                "CUDA code for one chip: an ELF file of 64 bits for machine 190. A function K has its code in section .text.K (bits 24 to 31 of sh_info: how many registers), attributes in .nv.info.K, constants in .nv.constantN.K. Bits 0 to 7 of e_flags are the chip."
            }
            Container::Fatbin => {
                "The same CUDA program for several chips. A header of 16 bytes (0xba55ed50, version 1, its size, the bytes behind it), then entries: a header with kind (1 PTX, 2 cubin), chip and flags, and the payload, which may be compressed by LZ4 (flag 0x2000) or Zstandard (flag 0x8000)."
            }
            Container::Host => {
                "A program, library or object of the host (ELF, PE, Mach-O, archive) with fatbins in it, found wherever they begin at a multiple of 8 bytes. A fatbin in it keeps its size when code is put back."
            }
            Container::Dksh => {
                "Shaders for the Switch as uam compiles them for deko3d: a control section with 64 bytes for each program, and a code section. Graphics programs begin with their Shader Program Header; the bank of constants 1 lies behind the code."
            }
            Container::NvnControl => {
                "The control file of a shader for NVN on the Switch (0x98761234): stage, registers and where code and constants lie in the code file that belongs to it."
            }
            Container::NvnCode => {
                "The code file of a shader for NVN on the Switch (0x12345678): the Shader Program Header at 0x30, code at 0x80, then the bank of constants 1. Only the control file tells where constants begin."
            }
            Container::Sph => {
                "Graphics code behind a Shader Program Header of 80 bytes, which stands at the start or, in a code section of the Switch by itself, at 0x30."
            }
            Container::Bundles => {
                "Code without a container: bundles of 32 bytes, each a control word and three instructions. It is taken for code if nearly all instructions are known, with control bits that they can have."
            }
        }
    }

    /// The name, such as `cubin` or `nvn-code`.
    pub const fn name(self) -> &'static str {
        match self {
            Container::Cubin => "cubin",
            Container::Fatbin => "fatbin",
            Container::Host => "cuda-host",
            Container::Dksh => "dksh",
            Container::NvnControl => "nvn-control",
            Container::NvnCode => "nvn-code",
            Container::Sph => "sph",
            Container::Bundles => "bundles",
        }
    }

    /// What bytes begin as, or hold; `None` if they are nothing known. Bytes of no known container are code if
    /// nearly all words of them are.
    pub fn sniff(bytes: &[u8], limits: &Limits) -> Option<Container> {
        let raw = Raw::of(bytes);
        Some(match () {
            () if Cubin::sniff(bytes) => Container::Cubin,
            () if Fatbin::sniff(bytes) => Container::Fatbin,
            () if Dksh::sniff(bytes) => Container::Dksh,
            () if NvnControl::sniff(bytes) => Container::NvnControl,
            () if Nvn::sniff(bytes) => Container::NvnCode,
            () if host(bytes) && Fatbin::find(bytes, limits).is_ok_and(|f| !f.is_empty()) => Container::Host,
            () if raw.sniff(bytes).is_some() => match raw.header {
                Some(_) => Container::Sph,
                None => Container::Bundles,
            },
            () => return None,
        })
    }
}

/// Whether bytes begin as a program, library, object or archive of a usual host does.
fn host(bytes: &[u8]) -> bool {
    let archive = bytes.starts_with(b"!<arch>\n");
    let windows = bytes.starts_with(b"MZ");
    let object = bytes.starts_with(b"\x64\x86");
    elf::machine(bytes).is_some() || archive || windows || object || bytes.starts_with(b"\xcf\xfa\xed\xfe")
}

/// A file, and the programs in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<'a> {
    /// What kind of file it is.
    pub container: Container,
    /// In the order of the file.
    pub programs: Vec<Program>,
    /// What is damaged and was passed over.
    pub faults: Vec<Diagnostic>,
    bytes: &'a [u8],
    /// What programs lie in, one behind the other.
    units: Vec<Unit<'a>>,
    /// Where they come from, if this is a fatbin or holds some.
    fatbins: Vec<Fatbin>,
    /// What the control file tells, if this is a code file of NVN that was read with it.
    control: Option<NvnControl>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Of a cubin the function's name, of others the stage.
    pub name: String,
    /// The container that it lies in itself: a cubin, if that lies in a fatbin.
    pub container: Container,
    /// The chip; `None` if nothing tells it.
    pub chip: Option<Chip>,
    /// The stage; `None` if nothing tells it.
    pub stage: Option<ShaderStage>,
    /// Whether it runs by itself; others are called by it.
    pub entry: bool,
    /// How many registers it says it uses; `None` if nothing tells it.
    pub registers: Option<u32>,
    /// How many barriers of the block it says it uses; `None` if nothing tells it.
    pub barriers: Option<u32>,
    /// Where its Shader Program Header lies, counted like `code`.
    pub header: Option<Range<usize>>,
    /// Where its code lies: in the file, or once decompressed in the cubin that was compressed.
    pub code: Range<usize>,
    /// Where branches may go that a register tells, as its container lists them.
    pub targets: Targets,
    /// Whether the cubin was compressed.
    pub compressed: bool,
    /// Which function or program it is in its own container.
    number: usize,
    /// Which unit it lies in.
    unit: usize,
}

/// What programs lie in: the whole file, or a cubin of a fatbin.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unit<'a> {
    bytes: Cow<'a, [u8]>,
    /// Where places in it are counted from: where it begins in the file, or 0 if it was compressed.
    offset: usize,
    /// The fatbin and its entry, if it comes from one.
    entry: Option<(usize, usize)>,
}

/// What a program is to be replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// Its code: whole bundles.
    pub code: &'e [u8],
    /// Its Shader Program Header, if that changes and it has one.
    pub header: Option<Sph>,
    /// Where its branches by a register go, if that is told; else they go where the old code went.
    pub targets: Option<&'e Targets>,
}

impl<'e> From<&'e [u8]> for Edit<'e> {
    fn from(code: &'e [u8]) -> Edit<'e> {
        Edit { code, header: None, targets: None }
    }
}

impl<'a> Image<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// All that is wrong with it: the codes of its container, `maxwell-container` if it is none that is known,
    /// `limit-exceeded`. What is wrong with single cubins of a fatbin only leaves those out.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Image<'a>, Vec<Diagnostic>> {
        limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
        match Container::sniff(bytes, limits) {
            Some(container) => Image::read_as(bytes, container, limits),
            None => Err(vec![
                Diagnostic::error("maxwell-container", "this holds no Maxwell code that can be found")
                    .help("say that it is raw code, if it is"),
            ]),
        }
    }

    /// Reads a file of a kind that is known; [`Container::Sph`] and [`Container::Bundles`] take any bytes.
    ///
    /// # Errors
    /// As [`Image::read`].
    pub fn read_as(
        bytes: &'a [u8],
        container: Container,
        limits: &Limits,
    ) -> Result<Image<'a>, Vec<Diagnostic>> {
        Image::of(bytes, container, None, limits)
    }

    /// Reads a code file of NVN with what its control file tells, such as where constants begin behind the code.
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
        limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
        let whole = Unit { bytes: Cow::Borrowed(bytes), offset: 0, entry: None };
        let mut image = Image {
            container,
            programs: Vec::new(),
            faults: Vec::new(),
            bytes,
            units: vec![whole],
            fatbins: Vec::new(),
            control,
        };
        match container {
            Container::Cubin => image.cubin(limits)?,
            Container::Fatbin => {
                image.fatbins = Fatbin::read(bytes, limits)?;
                image.entries(limits)?;
            }
            Container::Host => {
                image.fatbins = Fatbin::find(bytes, limits)?;
                image.entries(limits)?;
            }
            Container::Dksh => image.dksh(&Dksh::read(bytes, limits)?),
            Container::NvnControl => drop(NvnControl::read(bytes, limits)?),
            Container::NvnCode => image.nvn(limits)?,
            Container::Sph | Container::Bundles => image.raw()?,
        }
        image.bounded(limits)
    }

    /// Refuses programs of too many instructions.
    fn bounded(self, limits: &Limits) -> Result<Image<'a>, Vec<Diagnostic>> {
        for program in &self.programs {
            let instructions = program.code.len() / BUNDLE_BYTES * 3;
            limits.check(Limit::Instructions, "instructions", instructions).map_err(|d| vec![d])?;
        }
        Ok(self)
    }

    /// The code of a program, by its number; empty if there is none of that number.
    pub fn code(&self, number: usize) -> &[u8] {
        self.programs.get(number).map_or(&[], |p| self.part(p, &p.code))
    }

    /// The Shader Program Header of a program, by its number, if it has one.
    pub fn header(&self, number: usize) -> Option<Sph> {
        let program = self.programs.get(number)?;
        Sph::at(self.part(program, program.header.as_ref()?), 0)
    }

    /// The cubin that a program lies in, if it lies in one.
    pub fn cubin_of(&self, number: usize, limits: &Limits) -> Option<Cubin<'_>> {
        Cubin::read(self.cubin_bytes(number)?, limits).ok()
    }

    /// The bytes of the cubin that a program lies in, if it lies in one, decompressed.
    pub fn cubin_bytes(&self, number: usize) -> Option<&[u8]> {
        let program = self.programs.get(number).filter(|p| p.container == Container::Cubin)?;
        self.units.get(program.unit).map(|unit| &*unit.bytes)
    }

    /// What the containers say of their programs that is wrong: Shader Program Headers, and cubins. Places count in
    /// the file; of a compressed cubin it is that.
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
            let Ok(cubin) = Cubin::read(&unit.bytes, limits) else { continue };
            sink.extend(cubin.check(limits).into_iter().map(|d| self.placed(unit, d)));
        }
        sink.finish()
    }

    /// A finding about a unit with places of the file.
    fn placed(&self, unit: &Unit<'_>, mut found: Diagnostic) -> Diagnostic {
        let entry = unit.entry.and_then(|(f, e)| self.fatbins.get(f)?.entries.get(e));
        for label in &mut found.labels {
            match entry {
                Some(entry) if matches!(unit.bytes, Cow::Owned(_)) => {
                    label.span = entry.payload.clone().into()
                }
                _ => label.span = (label.span.start + unit.offset..label.span.end + unit.offset).into(),
            }
        }
        found
    }

    /// Where bytes of a program lie in the file; of one that was compressed, where all of it lies.
    pub fn place(&self, program: &Program, range: Range<usize>) -> Range<usize> {
        let entry = self.units.get(program.unit).and_then(|u| u.entry).filter(|_| program.compressed);
        let found = entry.and_then(|(f, e)| self.fatbins.get(f)?.entries.get(e));
        found.map_or(range, |e| e.payload.clone())
    }

    /// The fatbins of the file with all their entries, those for other chips and PTX too.
    pub fn fatbins(&self) -> &[Fatbin] {
        &self.fatbins
    }

    /// The file with some programs replaced, by their numbers. All else keeps its bytes, but for what tells of
    /// places and sizes where code has another length.
    ///
    /// # Errors
    /// `maxwell-bundles` if code is not whole bundles, `no-program` if there is none of a number, and what the
    /// containers say: `cubin-layout`, `dksh-range`, `fatbin-space`.
    pub fn write(
        &self,
        edits: &BTreeMap<usize, Edit<'_>>,
        limits: &Limits,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let mut sink = Sink::new(limits.diagnostics);
        for (number, edit) in edits {
            if *number >= self.programs.len() {
                let d = Diagnostic::error("no-program", format!("there is no program {}", number + 1));
                sink.push(d.note(format!("there are {}", self.programs.len())));
            }
            if !edit.code.len().is_multiple_of(BUNDLE_BYTES) {
                let text = format!("code of {:#x} bytes is not whole bundles", edit.code.len());
                sink.push(Diagnostic::error("maxwell-bundles", text));
            }
        }
        if sink.errors() > 0 {
            return Err(sink.finish());
        }
        let changed = |(n, e): &(&usize, &Edit<'_>)| {
            e.code != self.code(**n) || e.header.is_some_and(|h| Some(h) != self.header(**n))
        };
        let edits: Vec<(&usize, &Edit<'_>)> = edits.iter().filter(changed).collect();
        let of_unit = |unit: usize| {
            let own = edits.iter().filter_map(move |(n, e)| Some((self.programs.get(**n)?, **e)));
            own.filter(move |(p, _)| p.unit == unit)
        };
        match self.container {
            Container::Cubin => self.cubin_with(0, of_unit(0), limits),
            Container::Fatbin | Container::Host => {
                let mut payloads = BTreeMap::new();
                for (number, unit) in self.units.iter().enumerate() {
                    if let (Some(entry), true) = (unit.entry, of_unit(number).next().is_some()) {
                        payloads.insert(entry, self.cubin_with(number, of_unit(number), limits)?);
                    }
                }
                let host = self.container == Container::Host;
                fatbin::write(self.bytes, &self.fatbins, &payloads, host).map_err(|d| vec![d])
            }
            Container::Dksh => {
                let edits = of_unit(0).map(|(program, edit)| (program.number, edit)).collect();
                Dksh::read(self.bytes, limits)?.write(&edits).map_err(|d| vec![d])
            }
            Container::NvnCode => match of_unit(0).next() {
                Some((_, edit)) => Ok(self.nvn_file(limits)?.write(edit.code, edit.header, None)),
                None => Ok(self.bytes.to_vec()),
            },
            Container::Sph | Container::Bundles => {
                let mut bytes = self.bytes.to_vec();
                if let Some((program, edit)) = of_unit(0).next() {
                    if let (Some(sph), Some(place)) = (edit.header, &program.header) {
                        put(&mut bytes, place.start, &sph.0);
                    }
                    bytes = spliced(&bytes, program.code.clone(), edit.code);
                }
                Ok(bytes)
            }
            Container::NvnControl => Ok(self.bytes.to_vec()),
        }
        .and_then(|bytes| {
            limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
            Ok(bytes)
        })
    }

    /// What does not follow code that [`Image::write`] would write, as warnings: `maxwell-jump-table`.
    pub fn lost(&self, edits: &BTreeMap<usize, Edit<'_>>, limits: &Limits) -> Vec<Diagnostic> {
        let lost = |(number, edit): (&usize, &Edit<'_>)| -> Option<Vec<Diagnostic>> {
            let program = self.programs.get(*number)?;
            Some(match self.cubin_of(*number, limits) {
                Some(cubin) => cubin.lost(&BTreeMap::from([(program.number, *edit)])),
                None => {
                    let before =
                        Code { name: &program.name, offset: program.code.start, bytes: self.code(*number) };
                    let moved = Moved::new(before.bytes, edit.code);
                    tables::follow(&before, *edit, &moved, None, |_| None).1
                }
            })
        };
        edits.iter().filter_map(lost).flatten().collect()
    }

    /// The code file as [`Image::write`] writes it, and the control file, given as it was, with what it tells of
    /// that.
    ///
    /// # Errors
    /// As [`Image::write`] and [`Image::read_pair`].
    pub fn write_pair(
        &self,
        control: &[u8],
        edits: &BTreeMap<usize, Edit<'_>>,
        limits: &Limits,
    ) -> Result<(Vec<u8>, Vec<u8>), Vec<Diagnostic>> {
        let code = self.write(edits, limits)?;
        let mut control = control.to_vec();
        if let Some(edit) = edits.get(&0) {
            self.nvn_file(limits)?.write(edit.code, edit.header, Some(&mut control));
        }
        Ok((code, control))
    }

    /// A unit that is a cubin with some functions replaced.
    fn cubin_with<'p, 'e>(
        &self,
        unit: usize,
        edits: impl Iterator<Item = (&'p Program, Edit<'e>)>,
        limits: &Limits,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let bytes = self.units.get(unit).map_or(&[][..], |u| &u.bytes);
        let code: BTreeMap<usize, Edit<'_>> = edits.map(|(p, e)| (p.number, e)).collect();
        Cubin::read(bytes, limits)?.write(&code).map_err(|d| vec![d])
    }

    /// A part of the unit that a program lies in.
    fn part(&self, program: &Program, range: &Range<usize>) -> &[u8] {
        let Some(unit) = self.units.get(program.unit) else { return &[] };
        let range = range.start.saturating_sub(unit.offset)..range.end.saturating_sub(unit.offset);
        unit.bytes.get(range).unwrap_or_default()
    }

    fn cubin(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        match functions(&Cubin::read(self.bytes, limits)?, 0, 0, false) {
            Ok(programs) => self.programs = programs,
            Err(fault) => self.faults.push(fault),
        }
        Ok(())
    }

    /// The cubins of all fatbins that are for this family.
    fn entries(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        self.units.clear();
        let mut sink = Sink::new(limits.diagnostics);
        let mut memory = 0u64;
        let fatbins = core::mem::take(&mut self.fatbins);
        let all = fatbins.iter().enumerate();
        let all =
            all.flat_map(|(f, fatbin)| fatbin.entries.iter().enumerate().map(move |(e, x)| ((f, e), x)));
        for (place, entry) in all.filter(|(_, e)| e.is_cubin() && Chip::of(e.chip).is_some()) {
            memory = memory.saturating_add(entry.size);
            limits.check(Limit::Memory, "bytes once decompressed", memory).map_err(|d| vec![d])?;
            let found = self.entry(place, entry, limits);
            found.unwrap_or_else(|faults| sink.extend(faults));
            limits.check(Limit::Programs, "programs", self.programs.len()).map_err(|d| vec![d])?;
        }
        self.fatbins = fatbins;
        sink.extend(core::mem::take(&mut self.faults));
        self.faults = sink.finish();
        Ok(())
    }

    fn entry(
        &mut self,
        place: (usize, usize),
        entry: &Entry,
        limits: &Limits,
    ) -> Result<(), Vec<Diagnostic>> {
        let bytes = entry.unpack(self.bytes, limits).map_err(|d| vec![d])?;
        let compressed = matches!(bytes, Cow::Owned(_));
        let offset = if compressed { 0 } else { entry.payload.start };
        let found = Cubin::read(&bytes, limits)
            .and_then(|cubin| functions(&cubin, self.units.len(), offset, compressed).map_err(|d| vec![d]));
        // Places are those of the cubin; all that can be pointed at in the file is the entry.
        let whole =
            |d: Diagnostic| Diagnostic { labels: Vec::new(), ..d }.at_bytes(entry.payload.clone(), "here");
        self.programs.extend(found.map_err(|faults| faults.into_iter().map(whole).collect::<Vec<_>>())?);
        self.units.push(Unit { bytes, offset, entry: Some(place) });
        Ok(())
    }

    fn dksh(&mut self, file: &Dksh<'_>) {
        for (number, program) in file.programs.iter().enumerate() {
            let barriers = match program.own {
                Own::Compute { barriers, .. } => Some(barriers),
                _ => None,
            };
            let told = [Some(program.registers), barriers];
            self.shader(number, program.stage, told, &program.header, &program.code);
        }
    }

    fn nvn(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let file = self.nvn_file(limits)?;
        let registers = file.control.map(|c| c.registers);
        self.shader(0, file.stage, [registers, None], &file.header, &file.code);
        Ok(())
    }

    fn nvn_file(&self, limits: &Limits) -> Result<Nvn<'a>, Vec<Diagnostic>> {
        Nvn::read(self.bytes, self.control, limits)
    }

    /// A program of a container of the Switch, whose chip is known, and how many registers and barriers it uses.
    fn shader(
        &mut self,
        number: usize,
        stage: ShaderStage,
        [registers, barriers]: [Option<u32>; 2],
        header: &Option<Range<usize>>,
        code: &Range<usize>,
    ) {
        self.programs.push(Program {
            name: stage.name().into(),
            container: self.container,
            chip: Some(Chip::Sm53),
            stage: Some(stage),
            entry: true,
            registers,
            barriers,
            header: header.clone(),
            code: code.clone(),
            targets: Targets::new(),
            compressed: false,
            number,
            unit: 0,
        });
    }

    fn raw(&mut self) -> Result<(), Vec<Diagnostic>> {
        let raw = match self.container {
            Container::Bundles => Raw { header: None, stage: None, code: 0..self.bytes.len() },
            _ => Raw::of(self.bytes),
        };
        if within(self.bytes.len(), raw.code.start as u64, raw.code.len() as u64).is_none()
            || !raw.code.len().is_multiple_of(BUNDLE_BYTES)
        {
            let text = format!("code of {:#x} bytes is not whole bundles", raw.code.len());
            return Err(vec![Diagnostic::error("maxwell-bundles", text).at_bytes(raw.code, "")]);
        }
        self.programs.push(Program {
            name: raw.stage.map_or("code", ShaderStage::name).into(),
            container: self.container,
            chip: None,
            stage: raw.stage,
            entry: true,
            registers: None,
            barriers: None,
            header: raw.header,
            code: raw.code,
            targets: Targets::new(),
            compressed: false,
            number: 0,
            unit: 0,
        });
        Ok(())
    }

    /// How sure it is that the programs are code: nothing damaged, and every instruction known.
    pub fn confidence(&self) -> Confidence {
        let programs = self.programs.iter().enumerate().filter(|(_, p)| !p.code.is_empty());
        let sure = programs.map(|(n, program)| {
            // Zeros at the end of raw code fill it up.
            let code = self.code(n);
            let code = code.get(..trimmed(code, 0..code.len())).unwrap_or_default();
            let sure = super::raw::sure(code, program.chip.unwrap_or_default());
            sure.unwrap_or(Confidence::Possible)
        });
        let least = sure.min().unwrap_or(Confidence::Likely);
        let raw = self.programs.iter().all(|p| p.chip.is_none());
        let most = if raw || !self.faults.is_empty() { Confidence::Likely } else { Confidence::Certain };
        least.min(most)
    }
}

/// The functions of a cubin, in unit `unit`, which begins at `offset` of the file.
fn functions(
    cubin: &Cubin<'_>,
    unit: usize,
    offset: usize,
    compressed: bool,
) -> Result<Vec<Program>, Diagnostic> {
    let Some(chip) = Chip::of(cubin.chip().into()) else {
        let text = format!("a cubin for sm_{}, which is no Maxwell, is left out", cubin.chip());
        return Err(Diagnostic::warning("maxwell-other-chip", text).at_bytes(48..52, "its flags"));
    };
    let mut targets = cubin.targets();
    let program = |(number, function): (usize, &Function<'_>)| Program {
        name: function.name.to_string(),
        container: Container::Cubin,
        chip: Some(chip),
        stage: Some(ShaderStage::Compute),
        entry: function.kernel,
        registers: Some(function.registers.into()),
        barriers: function.kernel.then(|| function.barriers.into()),
        header: None,
        code: offset + function.offset..offset + function.offset + function.code.len(),
        targets: targets.remove(function.name).unwrap_or_default(),
        compressed,
        number,
        unit,
    };
    Ok(cubin.functions.iter().enumerate().map(program).collect())
}
