//! DKSH: shaders for the Switch as deko3d takes them (after uam's sources).
//!
//! A control section holds the header and 64 bytes for each program; the code section after it holds code
//! and constants. Offsets of programs count from the start of the code section. Graphics programs begin with
//! their Shader Program Header. Both sections are multiples of 256 bytes.

use super::edit::Edit;
use super::reader::{Reader, within};
use super::sph::SPH_BYTES;
use crate::ShaderStage;
use crate::bundle::BUNDLE_BYTES;
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::bytes::{outside, part, put};
use shisa_diag::{Diagnostic, Limit, Limits, Record};
use shisa_ir::{Division, DivisionOutput, Domain, Spacing};

/// Bytes of the header.
const HEADER: usize = 0x18;
/// Bytes of a program's header.
const PROGRAM: usize = 0x40;
/// What sections and constants begin at multiples of.
const ALIGN: usize = 0x100;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dksh<'a> {
    /// All bytes.
    pub bytes: &'a [u8],
    /// The range of the code section.
    pub section: Range<usize>,
    /// In the order of the file.
    pub programs: Vec<DkshProgram>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DkshProgram {
    /// Its stage.
    pub stage: ShaderStage,
    /// How many registers it uses.
    pub registers: u32,
    /// The range of its Shader Program Header in the file; compute programs have none.
    pub header: Option<Range<usize>>,
    /// The range of its code in the file, without zeros after it.
    pub code: Range<usize>,
    /// The range of the constants of bank 1 in the file; empty if it has none.
    pub constants: Range<usize>,
    /// Bytes of scratch memory of a warp.
    pub scratch: u32,
    /// Fields that only programs of this stage have.
    pub own: Own,
    /// The range of its entry in the table of programs in the file.
    pub entry: Range<usize>,
}

/// Fields that only programs of one stage have. Numbered names are of undocumented fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// Of vertex programs.
    Vertex {
        /// The offset of another entry in the code section; 0 if there is none.
        other_entry: u32,
        /// The registers of that entry.
        other_registers: u32,
    },
    /// Of fragment programs.
    Fragment {
        /// Whether `table_3d1` counts, depth and stencil are tested first, coverage is known after that, and
        /// the program runs for each sample: bits 0, 8, 16, 24.
        flags: u32,
        /// Not described.
        table_3d1: [u32; 4],
        /// Not described.
        param_d8: u32,
        /// Not described: 65b in the low half, 489 in the high one.
        params: u32,
    },
    /// Of geometry programs.
    Geometry {
        /// Bit 0: not described. Bit 8: whether `table_490` counts.
        flags: u32,
        /// Not described.
        table_490: [u32; 8],
    },
    /// Of tessellation evaluation programs.
    TessellationEvaluation {
        /// Tessellation of the domain. Bits 0 to 3: 0 lines, 1 triangles, 2 quads. From bit 4: spacing, 0 equal. From
        /// bit 8: output primitive.
        mode: u32,
    },
    /// Of compute programs.
    Compute {
        /// Items of a group in each direction.
        block: [u32; 3],
        /// Bytes of shared memory.
        shared: u32,
        /// Bytes of local memory at low addresses.
        local_low: u32,
        /// Bytes of local memory at high addresses.
        local_high: u32,
        /// Bytes of the stack of calls and divergence.
        stack: u32,
        /// How many barriers are used.
        barriers: u32,
    },
    /// Tessellation control programs have nothing.
    None,
}

impl<'a> Dksh<'a> {
    /// Whether bytes begin like such a file.
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(b"DKSH")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All its faults: `dksh-magic`, `dksh-cut`, `dksh-range`, `dksh-stage`, `limit-exceeded`.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Dksh<'a>, Vec<Diagnostic>> {
        let mut reader = Reader::limited(bytes, limits, ["dksh-cut", "dksh-range"])?;
        let file = Dksh::of(&mut reader);
        reader.finish(file)
    }

    fn of(reader: &mut Reader<'a, '_>) -> Option<Dksh<'a>> {
        let bytes = reader.bytes;
        let header = reader.record::<HEADER>(0, "the header")?;
        if !Dksh::sniff(header.bytes()) {
            let d = Diagnostic::error("dksh-magic", "this does not begin with DKSH");
            reader.sink.push(d.at_bytes(0..4, ""));
            return None;
        }
        let [control, code, table, count] = header.words::<8, 4>();
        reader.limit(Limit::Programs, "programs", count as usize)?;
        let section = reader.part(control.into(), code.into(), 8..16, "the code section");
        let table =
            reader.part(table.into(), u64::from(count) * PROGRAM as u64, 16..24, "the table of programs")?;
        let mut file = Dksh { bytes, section: section?, programs: Vec::new() };
        for number in 0..count as usize {
            let at = table.start + number * PROGRAM;
            if let Some(program) = program(reader, &file.section, at) {
                file.programs.push(program);
            }
        }
        let starts: Vec<usize> = file.boundaries();
        for program in &mut file.programs {
            let end = next(&starts, program.code.start, file.section.end);
            program.code.end = trimmed(bytes, program.code.start..end);
        }
        Some(file)
    }

    /// The starts of programs and constants, in order.
    fn boundaries(&self) -> Vec<usize> {
        let starts = self.programs.iter().flat_map(|p| {
            let constants = (!p.constants.is_empty()).then_some(p.constants.start);
            let other = match p.own {
                Own::Vertex { other_entry, .. } if other_entry != 0 => {
                    self.section.start.checked_add(other_entry as usize)
                }
                _ => None,
            };
            [Some(p.header.as_ref().map_or(p.code.start, |h| h.start)), constants, other]
        });
        let mut starts: Vec<usize> = starts.flatten().collect();
        starts.sort_unstable();
        starts
    }

    /// The file with some programs replaced, by their numbers. Longer code uses the space up to the next part, which
    /// moves only if there is not enough.
    ///
    /// # Errors
    /// `dksh-range` if an offset would no longer fit into 32 bits.
    pub fn write(&self, edits: &BTreeMap<usize, Edit<'_>>) -> Result<Vec<u8>, Diagnostic> {
        let boundaries = self.boundaries();
        let edits = edits.iter().filter_map(|(n, edit)| Some((self.programs.get(*n)?, edit)));
        let edits: Vec<(&DkshProgram, &Edit<'_>)> = edits.collect();
        let mut made = BTreeMap::new();
        for (program, edit) in &edits {
            let end = next(&boundaries, program.code.start, self.section.end);
            let more = (program.code.start + edit.code.len()).saturating_sub(end).next_multiple_of(ALIGN);
            let room: &mut usize = made.entry(end).or_default();
            *room = more.max(*room);
        }
        let room = Room::of(&made);
        let Ok(size) = u32::try_from(room.moved(self.section.end) - self.section.start) else {
            let d = Diagnostic::error("dksh-range", "the code section would not fit into 32 bits");
            return Err(d.at_bytes(12..16, "its size"));
        };
        let mut out = room.bytes(self.bytes)?;
        put(&mut out, 12, &size.to_le_bytes())?;
        for (program, edit) in &edits {
            let start = room.moved(program.code.start);
            put(&mut out, start, &vec![0; program.code.len()])?;
            put(&mut out, start, edit.code)?;
            if let (Some(header), Some(place)) = (edit.header, &program.header) {
                put(&mut out, room.moved(place.start), &header.0)?;
            }
        }
        for program in &self.programs {
            let Some(entry) = Record::<PROGRAM>::at(self.bytes, program.entry.start) else {
                return Err(outside(program.entry.clone(), self.bytes.len()));
            };
            let mut fields = vec![(4, entry.word::<4>())];
            if !program.constants.is_empty() {
                fields.push((12, entry.word::<12>()));
            }
            if matches!(program.own, Own::Vertex { other_entry, .. } if other_entry != 0) {
                fields.push((24, entry.word::<24>()));
            }
            for (field, offset) in fields {
                let at = program.entry.start + field;
                let old = self.section.start.saturating_add(offset as usize);
                let new = (room.moved(old) - self.section.start) as u32;
                put(&mut out, room.moved(at), &new.to_le_bytes())?;
            }
        }
        Ok(out)
    }
}

/// Space that is inserted in a file: before which offset, how much there, and how much before.
struct Room(Vec<(usize, usize)>);

impl Room {
    /// Space of some bytes before some offsets.
    fn of(made: &BTreeMap<usize, usize>) -> Room {
        let mut all = 0;
        let sum = |(at, more): (&usize, &usize)| {
            all += more;
            (*at, all)
        };
        Room(made.iter().map(sum).collect())
    }

    /// The new offset of the bytes at an offset.
    fn moved(&self, at: usize) -> usize {
        let number = self.0.partition_point(|(start, _)| *start <= at);
        at + number.checked_sub(1).and_then(|n| self.0.get(n)).map_or(0, |(_, all)| *all)
    }

    /// The file with zeros in the inserted space.
    fn bytes(&self, file: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        let mut out = Vec::with_capacity(self.moved(file.len()));
        let mut done = 0;
        for (at, all) in &self.0 {
            out.extend_from_slice(part(file, done..*at)?);
            out.resize(at + all, 0);
            done = *at;
        }
        out.extend_from_slice(part(file, done..file.len())?);
        Ok(out)
    }
}

/// The first boundary after an offset, or the end.
fn next(starts: &[usize], at: usize, end: usize) -> usize {
    starts.get(starts.partition_point(|s| *s <= at)).map_or(end, |s| *s.min(&end)).max(at)
}

/// The end of code whose last bundles are zeros, which are not code.
pub(super) fn trimmed(bytes: &[u8], range: Range<usize>) -> usize {
    let (bundles, _) = bytes.get(range.clone()).unwrap_or_default().as_chunks::<BUNDLE_BYTES>();
    let zeros = bundles.iter().rev().take_while(|bundle| bundle.iter().all(|b| *b == 0)).count();
    range.start + (bundles.len() - zeros) * BUNDLE_BYTES
}

/// The stages as the Switch's compilers number them.
pub(super) fn stage(number: u32) -> Option<ShaderStage> {
    use ShaderStage::{Compute, Fragment, Geometry, TessellationControl, TessellationEvaluation, Vertex};
    let all = [Vertex, Fragment, Geometry, TessellationControl, TessellationEvaluation, Compute];
    all.get(number as usize).copied()
}

fn program(reader: &mut Reader<'_, '_>, section: &Range<usize>, at: usize) -> Option<DkshProgram> {
    let header = reader.record::<PROGRAM>(at, "the header of a program")?;
    let Some(stage) = stage(header.word::<0>()) else {
        let d = Diagnostic::error("dksh-stage", format!("no stage has the number {}", header.word::<0>()));
        reader.sink.push(d.at_bytes(at..at + 4, ""));
        return None;
    };
    let graphics = if stage == ShaderStage::Compute { 0 } else { SPH_BYTES };
    let mut inside = |offset: u32, len: u64, place: usize, what: &str| {
        let found = within(section.len(), offset.into(), len);
        if found.is_none() {
            let d = Diagnostic::error(
                "dksh-range",
                format!("{what} of a program is outside of the code section"),
            );
            reader.sink.push(d.at_bytes(at + place..at + place + 4, "its offset"));
        }
        found.map(|r| section.start + r.start..section.start + r.end)
    };
    let start = inside(header.word::<4>(), graphics as u64, 4, "the entry");
    let constants = match header.word::<16>() {
        0 => Some(0..0),
        size => inside(header.word::<12>(), size.into(), 12, "the bank of constants"),
    };
    let (start, constants) = (start?, constants?);
    Some(DkshProgram {
        stage,
        registers: header.word::<8>(),
        header: (graphics > 0).then(|| start.clone()),
        code: start.end..start.end,
        constants,
        scratch: header.word::<20>(),
        own: own(stage, header),
        entry: at..at + PROGRAM,
    })
}

impl Own {
    /// How patches are divided; `None` in other stages than tessellation evaluation, and for unknown numbers. The order of
    /// vertices is that of GLSL, as uam takes it from there: 2 is counterclockwise.
    pub fn division(&self) -> Option<Division> {
        let Own::TessellationEvaluation { mode } = *self else { return None };
        let domain = match mode & 3 {
            0 => Domain::Isolines,
            1 => Domain::Triangles,
            2 => Domain::Quads,
            _ => return None,
        };
        let spacing = match mode >> 4 & 3 {
            0 => Spacing::Equal,
            1 => Spacing::FractionalOdd,
            2 => Spacing::FractionalEven,
            _ => return None,
        };
        let output = match mode >> 8 & 3 {
            0 => DivisionOutput::Points,
            1 => DivisionOutput::Lines,
            2 => DivisionOutput::Counterclockwise,
            _ => DivisionOutput::Clockwise,
        };
        Some(Division { domain, spacing, output })
    }
}

fn own(stage: ShaderStage, header: Record<'_, PROGRAM>) -> Own {
    match stage {
        ShaderStage::Vertex => {
            Own::Vertex { other_entry: header.word::<24>(), other_registers: header.word::<28>() }
        }
        ShaderStage::Fragment => Own::Fragment {
            flags: header.word::<24>(),
            table_3d1: header.words::<28, 4>(),
            param_d8: header.word::<44>(),
            params: header.word::<48>(),
        },
        ShaderStage::Geometry => {
            Own::Geometry { flags: header.word::<24>(), table_490: header.words::<28, 8>() }
        }
        ShaderStage::TessellationControl => Own::None,
        ShaderStage::TessellationEvaluation => Own::TessellationEvaluation { mode: header.word::<24>() },
        ShaderStage::Compute => Own::Compute {
            block: header.words::<24, 3>(),
            shared: header.word::<36>(),
            local_low: header.word::<40>(),
            local_high: header.word::<44>(),
            stack: header.word::<48>(),
            barriers: header.word::<52>(),
        },
    }
}
