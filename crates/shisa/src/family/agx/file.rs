//! AGX files: a part, a program made of parts, a container, or bare code.

use super::partial::PartialPart;
use super::parts::{LinkedFile, PartFile};
use crate::identity;
use crate::{Error, Result, Settings, error};
use serde_json::Value;
use shisa_agx::abi;
use shisa_agx::container::{Container, Image};
use shisa_agx::text::{Layout, Section};
use shisa_agx::up_to_trap;
use shisa_diag::bytes::part;
use shisa_diag::{Limit, without_mark};
use shisa_ir::Stage;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The container in the terms of the identity.
pub(super) fn kind(container: Container) -> identity::Container {
    match container {
        Container::MetalArchive => identity::Container::MetalArchive,
        Container::MetalLibrary => identity::Container::MetalLibrary,
        Container::Dump => identity::Container::AgxDump,
    }
}

/// An AGX file.
pub(super) enum AgxFile<'a> {
    /// A part as JSON.
    Part(Box<PartFile>),
    /// A program made of parts, as JSON.
    Linked(Box<LinkedFile>),
    /// Several programs.
    Image(Image<'a>),
    /// Bare code, and its stage if the caller knows it.
    Code(Cow<'a, [u8]>, Option<Stage>),
}

/// The reason why a known file is not an [`AgxFile`].
pub(super) enum Unread {
    /// A part or linked program that lacks metadata: it can still run.
    Partial(Box<PartialPart>),
    /// Faults.
    Damaged(Error),
}

/// The instructions of a program.
pub(super) struct AgxCode<'a> {
    /// Their offset in [`AgxFile::bytes`].
    pub(super) start: usize,
    /// The instructions.
    pub(super) bytes: &'a [u8],
    /// The stage, if the file states it.
    pub(super) stage: Option<Stage>,
}

impl<'a> AgxFile<'a> {
    /// Reads a file that is a container or JSON; `None` for other bytes.
    ///
    /// # Errors
    /// Faults of the container or of the JSON; a part or linked program that lacks metadata.
    pub(super) fn known(
        bytes: &'a [u8],
        settings: &Settings,
    ) -> Option<std::result::Result<AgxFile<'a>, Unread>> {
        let limits = &settings.limits;
        if Container::sniff(bytes).is_some() {
            let image = Image::read(bytes, limits).map(AgxFile::Image);
            return Some(image.map_err(|faults| Unread::Damaged(faults.into())));
        }
        let text = without_mark(bytes).trim_ascii_start();
        if text.first() != Some(&b'{') {
            return None;
        }
        if let Err(d) = limits.check(Limit::File, "bytes", bytes.len()) {
            return Some(Err(Unread::Damaged(d.into())));
        }
        let json: Value = serde_json::from_slice(text).ok()?;
        let partial = |json, error| Unread::Partial(Box::new(PartialPart { json, error, size: bytes.len() }));
        if LinkedFile::is(&json) {
            return Some(match LinkedFile::of(&json) {
                Ok(file) => Ok(AgxFile::Linked(Box::new(file))),
                Err(error) => Err(partial(json, error)),
            });
        }
        let part = PartFile::is(&json).then(|| PartFile::of(json))?;
        Some(part.map(|file| AgxFile::Part(Box::new(file))).map_err(|(json, error)| partial(json, error)))
    }

    /// Reads a file; bytes of no other kind are code.
    ///
    /// # Errors
    /// The errors of [`AgxFile::known`].
    pub(super) fn read(
        bytes: Cow<'a, [u8]>,
        settings: &Settings,
    ) -> std::result::Result<AgxFile<'a>, Unread> {
        match bytes {
            Cow::Borrowed(bytes) => {
                AgxFile::known(bytes, settings).unwrap_or(Ok(AgxFile::Code(Cow::Borrowed(bytes), None)))
            }
            Cow::Owned(bytes) => match AgxFile::known(&bytes, settings).transpose()? {
                None => Ok(AgxFile::Code(Cow::Owned(bytes), None)),
                Some(AgxFile::Part(file)) => Ok(AgxFile::Part(file)),
                Some(AgxFile::Linked(file)) => Ok(AgxFile::Linked(file)),
                Some(AgxFile::Code(code, stage)) => Ok(AgxFile::Code(Cow::Owned(code.into_owned()), stage)),
                Some(AgxFile::Image(image)) => {
                    let bytes = Cow::Owned(image.bytes.clone().into_owned());
                    let Image { container, programs, others, faults, .. } = image;
                    Ok(AgxFile::Image(Image { container, bytes, programs, others, faults }))
                }
            },
        }
    }

    /// The bytes that hold the code.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            AgxFile::Part(file) => &file.part.code,
            AgxFile::Linked(file) => &file.linked.code,
            AgxFile::Image(image) => &image.bytes,
            AgxFile::Code(bytes, _) => bytes,
        }
    }

    /// The layout of [`AgxFile::bytes`].
    pub(super) fn layout(&self) -> Layout {
        match self {
            AgxFile::Part(file) => file.part.layout(),
            AgxFile::Linked(_) | AgxFile::Code(..) => Layout::raw(self.bytes().len()),
            AgxFile::Image(image) => {
                let mut sections: Vec<Section> = Vec::new();
                for program in &image.programs {
                    // Damaged files may have overlapping programs.
                    if sections.last().is_none_or(|s| s.range.end <= program.code.start) {
                        let (name, range) = (program.name.clone(), program.code.clone());
                        sections.push(Section { name, code: true, range });
                    }
                }
                Layout { sections }
            }
        }
    }

    /// The notes above instructions in the listing.
    pub(super) fn notes(&self, settings: &Settings) -> BTreeMap<usize, Vec<String>> {
        match self {
            AgxFile::Part(file) => abi::notes(&file.part, &settings.limits),
            _ => BTreeMap::new(),
        }
    }

    /// The number of programs, if there are several.
    pub(super) fn programs(&self) -> usize {
        match self {
            AgxFile::Image(image) => image.programs.len(),
            _ => 1,
        }
    }

    /// The name of a program in the file; may be empty.
    pub(super) fn name(&self, index: usize) -> &str {
        match self {
            AgxFile::Part(file) => &file.part.meta.name,
            AgxFile::Image(image) => image.programs.get(index).map_or("", |p| &p.name),
            AgxFile::Linked(_) | AgxFile::Code(..) => "",
        }
    }

    /// The range of a program's code in [`AgxFile::bytes`], and its stage if known. The code of a part is its main
    /// code.
    ///
    /// # Errors
    /// `no-program`, and `agx-part-range` if a part's code is outside of its bytes.
    pub(super) fn program(&self, index: usize) -> Result<(Range<usize>, Option<Stage>)> {
        Ok(match self {
            AgxFile::Part(file) => (file.part.main()?, Some(file.part.meta.stage)),
            AgxFile::Linked(file) => {
                let stage = if file.linked.meta.fragment { Stage::Fragment } else { Stage::Vertex };
                (0..file.linked.code.len(), Some(stage))
            }
            AgxFile::Image(image) => {
                let program = image.programs.get(index);
                let program = program.ok_or_else(|| error::no_program(index + 1, image.programs.len()))?;
                (program.code.clone(), program.stage)
            }
            AgxFile::Code(bytes, stage) => (0..bytes.len(), *stage),
        })
    }

    /// The instructions of a program, up to the traps after it.
    ///
    /// # Errors
    /// The errors of [`AgxFile::program`].
    pub(super) fn code(&self, index: usize) -> Result<AgxCode<'_>> {
        let (range, stage) = self.program(index)?;
        let start = range.start;
        let bytes = up_to_trap(part(self.bytes(), range)?);
        Ok(AgxCode { start, bytes, stage })
    }
}
