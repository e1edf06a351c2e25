//! What an AGX file is: a part, a program made of parts, a container, or code by itself.

use super::{AgxLinked, AgxPart};
use crate::text::no_program;
use crate::{Result, Settings};
use shisa_agx::abi;
use shisa_agx::container::{Container, Image};
use shisa_agx::rules::{self, Expect};
use shisa_agx::text::{Layout, Section};
use shisa_agx::up_to_trap;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;
use std::collections::BTreeMap;
use std::ops::Range;

/// An AGX file.
pub(crate) enum AgxFile<'a> {
    /// A part as JSON.
    Part(Box<AgxPart>),
    /// A program made of parts, as JSON.
    Linked(Box<AgxLinked>),
    /// Several programs.
    Image(Image<'a>),
    /// Code and nothing else.
    Code(&'a [u8]),
}

/// The instructions of a program.
pub(crate) struct AgxCode<'a> {
    /// Where they begin in [`AgxFile::bytes`].
    pub(crate) start: usize,
    /// The instructions.
    pub(crate) bytes: &'a [u8],
    /// The stage, where the file tells it.
    pub(crate) stage: Option<Stage>,
}

/// Whether bytes are an AGX file, as far as can be seen.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    Container::sniff(bytes).is_some() || AgxPart::sniff(bytes) || shisa_agx::sniff(bytes).is_some()
}

impl<'a> AgxFile<'a> {
    /// Reads a file; what is nothing else is code.
    ///
    /// # Errors
    /// What is wrong with a container or with JSON.
    pub(crate) fn read(bytes: &'a [u8], settings: &Settings) -> Result<AgxFile<'a>> {
        if Container::sniff(bytes).is_some() {
            return Ok(AgxFile::Image(Image::read(bytes, &settings.limits)?));
        }
        if !AgxPart::sniff(bytes) {
            return Ok(AgxFile::Code(bytes));
        }
        match AgxLinked::sniff(bytes) {
            true => Ok(AgxFile::Linked(Box::new(AgxLinked::read(bytes, settings)?))),
            false => Ok(AgxFile::Part(Box::new(AgxPart::read(bytes, settings)?))),
        }
    }

    /// The bytes that hold the code.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            AgxFile::Part(file) => &file.part.code,
            AgxFile::Linked(file) => &file.linked.code,
            AgxFile::Image(image) => &image.bytes,
            AgxFile::Code(bytes) => bytes,
        }
    }

    /// What lies where in [`AgxFile::bytes`].
    pub(crate) fn layout(&self) -> Layout {
        match self {
            AgxFile::Part(file) => file.part.layout(),
            AgxFile::Linked(_) | AgxFile::Code(_) => Layout::raw(self.bytes().len()),
            AgxFile::Image(image) => {
                let mut sections: Vec<Section> = Vec::new();
                for program in &image.programs {
                    // Damaged files may tell of programs within programs.
                    if sections.last().is_none_or(|s| s.range.end <= program.code.start) {
                        let (name, range) = (program.name.clone(), program.code.clone());
                        sections.push(Section { name, code: true, range });
                    }
                }
                Layout { sections }
            }
        }
    }

    /// What the listing says above instructions.
    pub(crate) fn notes(&self, settings: &Settings) -> BTreeMap<usize, Vec<String>> {
        match self {
            AgxFile::Part(file) => abi::notes(&file.part, &settings.limits),
            _ => BTreeMap::new(),
        }
    }

    /// The programs, where there are several.
    pub(crate) fn programs(&self) -> usize {
        match self {
            AgxFile::Image(image) => image.programs.len(),
            _ => 1,
        }
    }

    /// What the file calls a program; may be empty.
    pub(crate) fn name(&self, number: usize) -> &str {
        match self {
            AgxFile::Part(file) => &file.part.meta.name,
            AgxFile::Image(image) => {
                number.checked_sub(1).and_then(|i| image.programs.get(i)).map_or("", |p| &p.name)
            }
            AgxFile::Linked(_) | AgxFile::Code(_) => "",
        }
    }

    /// Where the code of a program lies in [`AgxFile::bytes`], and its stage where that is known. Of a part this is
    /// its main code.
    ///
    /// # Errors
    /// `no-program`, and `agx-part-range` where a part's code lies outside of its bytes.
    pub(crate) fn program(&self, number: usize) -> Result<(Range<usize>, Option<Stage>)> {
        let index = number.checked_sub(1).filter(|i| *i < self.programs());
        let index = index.ok_or_else(|| no_program(number, self.programs()))?;
        Ok(match self {
            AgxFile::Part(file) => (file.part.main()?, Some(file.part.meta.stage)),
            AgxFile::Linked(file) => {
                let stage = if file.linked.meta.fragment { Stage::Fragment } else { Stage::Vertex };
                (0..file.linked.code.len(), Some(stage))
            }
            AgxFile::Image(image) => (image.programs[index].code.clone(), image.programs[index].stage),
            AgxFile::Code(bytes) => (0..bytes.len(), None),
        })
    }

    /// The instructions of a program, up to the traps behind it.
    ///
    /// # Errors
    /// As [`AgxFile::program`].
    pub(crate) fn code(&self, number: usize) -> Result<AgxCode<'_>> {
        let (range, stage) = self.program(number)?;
        let start = range.start;
        let bytes = up_to_trap(self.bytes().get(range).unwrap_or_default());
        Ok(AgxCode { start, bytes, stage })
    }

    /// Everything that is wrong.
    pub(crate) fn check(&self, settings: &Settings) -> Vec<Diagnostic> {
        let limits = &settings.limits;
        match self {
            AgxFile::Part(file) => abi::check_part(&file.part, limits),
            AgxFile::Linked(file) => abi::check_linked(&file.linked.code, &file.linked.meta, limits),
            AgxFile::Code(bytes) => rules::check(bytes, 0..bytes.len(), &Expect::default(), limits),
            AgxFile::Image(image) => {
                let mut found = image.faults.clone();
                for program in &image.programs {
                    let of = rules::check(&image.bytes, program.code.clone(), &Expect::default(), limits);
                    found.extend(of.into_iter().map(|d| d.note(format!("in program \"{}\"", program.name))));
                    found.truncate(limits.diagnostics);
                }
                found
            }
        }
    }
}
