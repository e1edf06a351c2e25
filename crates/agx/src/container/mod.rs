//! Files that contain AGX code: output of drivers and Metal's tools.
//!
//! Shader parts as JSON are not a container of bytes; [`crate::part`] has their contents.

mod dump;
mod macho;
#[cfg(test)]
mod tests;

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Code, Diagnostic, Limit, Limits, Sink};
use shisa_ir::Stage;

/// Faults of containers: each code with its meaning.
pub const CODES: &[(Code, &str)] = &[(
    "agx-container",
    "An archive of Metal or a dump of a driver is cut off, not of the form it should have, or without AGX code.",
)];

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Container {
    /// A binary archive of Metal, a library with code for a GPU in it, or one slice of these.
    MetalArchive,
    /// A library of Metal's intermediate language, which has no code for a GPU.
    MetalLibrary,
    /// Text that lists offset, bytes and text of an instruction in each line, as Mesa's driver with
    /// `AGX_MESA_DEBUG=shaders` and applegpu write it, among other text.
    Dump,
}

impl Container {
    /// `metal-archive`, `metal-library` or `agx-dump`.
    pub const fn name(self) -> &'static str {
        match self {
            Container::MetalArchive => "metal-archive",
            Container::MetalLibrary => "metal-library",
            Container::Dump => "agx-dump",
        }
    }

    /// Identifies bytes by their content.
    pub fn sniff(bytes: &[u8]) -> Option<Container> {
        if macho::sniff(bytes) {
            return Some(Container::MetalArchive);
        }
        if macho::is_intermediate(bytes) {
            return Some(Container::MetalLibrary);
        }
        dump::sniff(bytes).then_some(Container::Dump)
    }
}

/// A program in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its name in the file; may be empty.
    pub name: String,
    /// The stage, where the file states it.
    pub stage: Option<Stage>,
    /// Its code in [`Image::bytes`].
    pub code: Range<usize>,
}

/// A file and the programs in it.
#[derive(Clone, Debug)]
pub struct Image<'a> {
    /// What it is.
    pub container: Container,
    /// The bytes that programs are ranges of: the file, or the bytes that a text lists.
    pub bytes: Cow<'a, [u8]>,
    /// The programs in the order of the file.
    pub programs: Vec<Program>,
    /// Slices of the file with code for other generations of GPUs, named by their GPU. They are not decoded.
    pub others: Vec<Program>,
    /// Faults of parts of the file; its other parts are read in any case.
    pub faults: Vec<Diagnostic>,
}

impl<'a> Image<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// `agx-container` if nothing in it is AGX code, and limits that are exceeded.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Image<'a>, Vec<Diagnostic>> {
        limits.check(Limit::File, "bytes", bytes.len()).map_err(|d| Vec::from([d]))?;
        let mut sink = Sink::new(limits.diagnostics);
        let mut others = Vec::new();
        let (container, bytes, programs) = match Container::sniff(bytes) {
            Some(Container::MetalArchive) => {
                let programs;
                (programs, others) = macho::programs(bytes, limits, &mut sink);
                (Container::MetalArchive, Cow::Borrowed(bytes), programs)
            }
            Some(Container::MetalLibrary) => return Err(Vec::from([macho::intermediate()])),
            Some(Container::Dump) => {
                let (code, programs) = dump::programs(bytes, limits, &mut sink);
                (Container::Dump, Cow::Owned(code), programs)
            }
            None => {
                return Err(Vec::from([fault(
                    "this is neither an archive of Metal nor a driver's dump".into(),
                )]));
            }
        };
        if programs.is_empty() {
            sink.push(match others.as_slice() {
                [] => macho::nothing(),
                others => macho::other_generations(others),
            });
            return Err(sink.finish());
        }
        Ok(Image { container, bytes, programs, others, faults: sink.finish() })
    }

    /// The code of a program.
    pub fn code(&self, program: &Program) -> &[u8] {
        self.bytes.get(program.code.clone()).unwrap_or_default()
    }
}

fn fault(text: String) -> Diagnostic {
    Diagnostic::error("agx-container", text)
}
