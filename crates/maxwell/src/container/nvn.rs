//! The pair of files for a shader in NVN: a control file and a code file (after homebrew sources).
//!
//! The code file begins with its magic; the Shader Program Header is at 0x30, the code at 0x80, and the constants of
//! bank 1 at the next multiple of 256. The control file states the sizes, stage and registers. Code can be read
//! without it, but then nothing states the offset of the constants.

use super::bytes::u32_at;
use super::dksh::{stage, trimmed};
use super::reader::{Reader, within};
use super::sph::{SPH_BYTES, Sph};
use crate::ShaderStage;
use crate::bundle::BUNDLE_BYTES;
use alloc::{format, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::bytes::{outside, put, spliced};
use shisa_diag::{Diagnostic, Limits, Record};

/// The magic of a control file.
const CONTROL: u32 = 0x9876_1234;
/// The magic of a code file.
const CODE: u32 = 0x1234_5678;
/// The offset of a program in a code file.
const START: usize = 0x30;
/// Bytes of a control file up to the last known field.
const CONTROL_BYTES: usize = 0x768;
/// What constants begin at multiples of.
const ALIGN: usize = 0x100;

/// Offsets of fields in a control file.
mod at {
    pub(super) const PROGRAM_SIZE: usize = 0x6f8;
    pub(super) const CONSTANT_SIZE: usize = 0x6fc;
    pub(super) const CONSTANT_OFFSET: usize = 0x700;
    pub(super) const SIZE: usize = 0x704;
    pub(super) const PROGRAM_OFFSET: usize = 0x708;
    pub(super) const REGISTERS: usize = 0x70c;
    pub(super) const SCRATCH: usize = 0x710;
    pub(super) const STAGE: usize = 0x714;
    pub(super) const BLOCK: usize = 0x748;
    pub(super) const SHARED: usize = 0x754;
}

/// The contents of a control file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NvnControl {
    /// Major and minor.
    pub version: [u32; 2],
    /// The stage.
    pub stage: ShaderStage,
    /// How many registers it uses.
    pub registers: u32,
    /// Bytes of scratch memory of a warp.
    pub scratch: u32,
    /// The offset of the program in the code file, including its header.
    pub program_offset: u32,
    /// Bytes of header and code.
    pub program_size: u32,
    /// The offset of the constants of bank 1 in the code file.
    pub constant_offset: u32,
    /// Bytes of constants; 0 if there are none.
    pub constant_size: u32,
    /// In compute programs: items of a group in each direction.
    pub block: [u32; 3],
    /// In compute programs: bytes of shared memory.
    pub shared: u32,
}

impl NvnControl {
    /// Whether bytes begin like a control file.
    pub fn sniff(bytes: &[u8]) -> bool {
        u32_at(bytes, 0) == Some(CONTROL)
    }

    /// Reads a control file.
    ///
    /// # Errors
    /// All its faults: `nvn-magic`, `nvn-cut`, `nvn-stage`, `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<NvnControl, Vec<Diagnostic>> {
        let mut reader = Reader::limited(bytes, limits, ["nvn-cut", "nvn-range"])?;
        let control = NvnControl::of(&mut reader);
        reader.finish(control)
    }

    fn of(reader: &mut Reader<'_, '_>) -> Option<NvnControl> {
        let magic = reader.head(0, 4, "the control file")?;
        if !NvnControl::sniff(magic) {
            let d = Diagnostic::error("nvn-magic", "this is not a control file of NVN");
            reader.sink.push(d.at_bytes(0..4, "0x98761234 is expected"));
            return None;
        }
        let control = reader.record::<CONTROL_BYTES>(0, "the control file")?;
        let number = control.word::<{ at::STAGE }>();
        let Some(stage) = stage(number) else {
            let d = Diagnostic::error("nvn-stage", format!("no stage has the number {number}"));
            reader.sink.push(d.at_bytes(at::STAGE..at::STAGE + 4, ""));
            return None;
        };
        Some(NvnControl {
            version: control.words::<4, 2>(),
            stage,
            registers: control.word::<{ at::REGISTERS }>(),
            scratch: control.word::<{ at::SCRATCH }>(),
            program_offset: control.word::<{ at::PROGRAM_OFFSET }>(),
            program_size: control.word::<{ at::PROGRAM_SIZE }>(),
            constant_offset: control.word::<{ at::CONSTANT_OFFSET }>(),
            constant_size: control.word::<{ at::CONSTANT_SIZE }>(),
            block: control.words::<{ at::BLOCK }, 3>(),
            shared: control.word::<{ at::SHARED }>(),
        })
    }
}

/// A code file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nvn<'a> {
    /// All bytes.
    pub bytes: &'a [u8],
    /// The contents of the control file, if there is one.
    pub control: Option<NvnControl>,
    /// The stage; compute, if neither a control file nor a header states another.
    pub stage: ShaderStage,
    /// The range of the Shader Program Header; compute programs have none.
    pub header: Option<Range<usize>>,
    /// The range of the code, without zeros after it.
    pub code: Range<usize>,
    /// The range of the constants of bank 1; empty if there are none, or nothing states them.
    pub constants: Range<usize>,
}

impl<'a> Nvn<'a> {
    /// Whether bytes begin like a code file.
    pub fn sniff(bytes: &[u8]) -> bool {
        u32_at(bytes, 0) == Some(CODE) && bytes.len() > START
    }

    /// Reads a code file, with the contents of its control file if there is one.
    ///
    /// # Errors
    /// All its faults: `nvn-magic`, `nvn-cut`, `nvn-range`, `limit-exceeded`.
    pub fn read(
        bytes: &'a [u8],
        control: Option<NvnControl>,
        limits: &Limits,
    ) -> Result<Nvn<'a>, Vec<Diagnostic>> {
        let mut reader = Reader::limited(bytes, limits, ["nvn-cut", "nvn-range"])?;
        let file = Nvn::of(&mut reader, control);
        reader.finish(file)
    }

    fn of(reader: &mut Reader<'a, '_>, control: Option<NvnControl>) -> Option<Nvn<'a>> {
        let bytes = reader.bytes;
        if !Nvn::sniff(reader.head(0, START + 1, "the code file").map(|_| bytes)?) {
            let d = Diagnostic::error("nvn-magic", "this is not a code file of NVN");
            reader.sink.push(d.at_bytes(0..4, "0x12345678 is expected"));
            return None;
        }
        let [mut program, mut constants] = [START..bytes.len(), 0..0];
        if let Some(c) = &control {
            program = range(reader, c.program_offset, c.program_size, "the program")?;
            if c.constant_size > 0 {
                constants = range(reader, c.constant_offset, c.constant_size, "the bank of constants")?;
            }
        }
        let sph = Sph::at(bytes.get(..program.end).unwrap_or_default(), program.start);
        let stated = sph.filter(Sph::sniff).and_then(|s| s.stage());
        let stage = control.map(|c| c.stage).or(stated).unwrap_or(ShaderStage::Compute);
        let header = (stage != ShaderStage::Compute).then(|| program.start..program.start + SPH_BYTES);
        if header.as_ref().is_some_and(|h| h.end > program.end) {
            reader.head(bytes.len(), SPH_BYTES, "the Shader Program Header")?;
        }
        let start = match &header {
            Some(header) => header.end,
            None => first_bundle(bytes, program.clone()),
        };
        let code = start..trimmed(bytes, start..program.end);
        Some(Nvn { bytes, control, stage, header, code, constants })
    }

    /// The file with new code and a new header. Longer code uses the space up to the constants, which move if there
    /// is not enough; `control`, the bytes of the control file, is then changed with it.
    ///
    /// # Errors
    /// `internal-range`.
    pub fn write(
        &self,
        code: &[u8],
        header: Option<Sph>,
        control: Option<&mut [u8]>,
    ) -> Result<Vec<u8>, Diagnostic> {
        let mut out = self.bytes.to_vec();
        if let (Some(header), Some(place)) = (header, &self.header) {
            put(&mut out, place.start, &header.0)?;
        }
        put(&mut out, self.code.start, &vec![0; self.code.len()])?;
        let end = if self.constants.is_empty() { self.bytes.len() } else { self.constants.start };
        let room = end.saturating_sub(self.code.start);
        let more = code.len().saturating_sub(room).next_multiple_of(ALIGN);
        if more > 0 {
            out = spliced(&out, end..end, &vec![0; more])?;
        }
        put(&mut out, self.code.start, code)?;
        if let Some(control) = control {
            let Some(old) = Record::<CONTROL_BYTES>::at(control, 0) else {
                return Err(outside(0..CONTROL_BYTES, control.len()));
            };
            let program = old.word::<{ at::PROGRAM_OFFSET }>();
            let [offset, whole] = [old.word::<{ at::CONSTANT_OFFSET }>(), old.word::<{ at::SIZE }>()];
            if code.len() != self.code.len() {
                let end = (self.code.start + code.len()) as u32;
                let size = end.wrapping_sub(program);
                put(control, at::PROGRAM_SIZE, &size.to_le_bytes())?;
            }
            let constants = if self.constants.is_empty() { 0 } else { more };
            for (at, old, by) in [(at::CONSTANT_OFFSET, offset, constants), (at::SIZE, whole, more)] {
                let new = old.wrapping_add(by as u32);
                put(control, at, &new.to_le_bytes())?;
            }
        }
        Ok(out)
    }
}

/// A range that the control file states.
fn range(reader: &mut Reader<'_, '_>, at: u32, size: u32, what: &str) -> Option<Range<usize>> {
    let found = within(reader.bytes.len(), at.into(), size.into());
    if found.is_none() {
        let text = format!("{what} of the control file is outside of the code file");
        let note = format!("{size:#x} bytes from {at:#x} on, of {:#x}", reader.bytes.len());
        reader
            .sink
            .push(Diagnostic::error("nvn-range", text).note(note).help("use the two files of one shader"));
    }
    found
}

/// The start of the first bundle of a range that is not all zeros; the end, if there is none.
fn first_bundle(bytes: &[u8], range: Range<usize>) -> usize {
    let start = range.start.next_multiple_of(BUNDLE_BYTES);
    let all = bytes.get(start..range.end).unwrap_or_default().chunks_exact(BUNDLE_BYTES);
    let zeros = all.take_while(|b| b.iter().all(|b| *b == 0)).count();
    (start + zeros * BUNDLE_BYTES).min(range.end)
}
