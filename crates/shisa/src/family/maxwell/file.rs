//! A file that holds Maxwell programs.

use super::stages::GraphicsProgram;
use crate::identity;
use crate::{File, Result, Settings};
use shisa_diag::Diagnostic;
use shisa_maxwell::container::{Container, Image, NvnControl};
use shisa_maxwell::flow::Targets;
use shisa_maxwell::text::Layout;
use shisa_maxwell::{Chip, rules};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A file.
pub(super) enum MaxwellFile<'b> {
    /// The caller's bytes, read once.
    Read(Image<'b>, &'b [u8], Stages),
    /// Our own bytes: an assembled source, or bare code. They are code of programs without a container, or a
    /// container that a listing spells out, and are read by each verb.
    Own(Own),
}

/// The programs of a file as those of graphics stages, each read when it is first used; `None` for those of none.
pub(super) type Stages = Vec<OnceLock<Option<GraphicsProgram>>>;

/// Programs that are not read yet.
fn unread(programs: usize) -> Stages {
    (0..programs).map(|_| OnceLock::new()).collect()
}

/// Our own bytes.
pub(super) struct Own {
    bytes: Vec<u8>,
    pub(super) container: Container,
    /// The number of programs.
    pub(super) programs: usize,
    /// The chip of programs whose container does not state it.
    chip: Option<Chip>,
    /// Targets of branches through a register in raw code, by the offset of the code.
    targets: BTreeMap<usize, Targets>,
    stages: Stages,
}

/// The container in the terms of the identity.
pub(super) fn kind(container: Container) -> identity::Container {
    match container {
        Container::Cubin => identity::Container::Cubin,
        Container::Fatbin => identity::Container::Fatbin,
        Container::Host => identity::Container::CudaHost,
        Container::Dksh => identity::Container::Dksh,
        Container::NvnControl => identity::Container::NvnControl,
        Container::NvnCode => identity::Container::NvnCode,
        Container::Sph => identity::Container::Sph,
        Container::Bundles => identity::Container::Bundles,
    }
}

/// Opens an NVN code file with the facts in its control file: the stage, and where the code ends.
///
/// # Errors
/// `nvn-magic`, `nvn-cut` and `nvn-range` if it is not a code file, or not the one of the control file;
/// `limit-exceeded`.
pub fn open_pair<'b>(code: &'b [u8], control: NvnControl, settings: &Settings) -> Result<File<'b>> {
    let image = Image::read_pair(code, control, &settings.limits)?;
    Ok(File::new(Box::new(MaxwellFile::read_from(image, code)), settings, Vec::new()))
}

impl<'b> MaxwellFile<'b> {
    /// Reads a file; bytes of no other kind are raw code.
    pub(super) fn read(bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<MaxwellFile<'b>> {
        let limits = &settings.limits;
        let container = Container::sniff(&bytes, limits).unwrap_or_else(|| Container::of_code(&bytes));
        match bytes {
            Cow::Borrowed(bytes) => {
                let image = Image::read_as(bytes, container, limits)?;
                Ok(MaxwellFile::read_from(image, bytes))
            }
            Cow::Owned(bytes) => MaxwellFile::own(bytes, container, settings),
        }
    }

    /// A file of the caller's bytes.
    pub(super) fn read_from(image: Image<'b>, bytes: &'b [u8]) -> MaxwellFile<'b> {
        let stages = unread(image.programs.len());
        MaxwellFile::Read(image, bytes, stages)
    }

    /// A file of our own bytes.
    pub(super) fn own(bytes: Vec<u8>, container: Container, settings: &Settings) -> Result<MaxwellFile<'b>> {
        let programs = Image::read_as(&bytes, container, &settings.limits)?.programs.len();
        let (targets, stages) = (BTreeMap::new(), unread(programs));
        Ok(MaxwellFile::Own(Own { bytes, container, programs, chip: None, targets, stages }))
    }

    /// Sets the facts that an assembled source states but its bytes do not.
    pub(super) fn say(&mut self, layout: &Layout) {
        if let MaxwellFile::Own(own) = self {
            own.chip = Some(layout.chip);
            own.targets = layout.sections.iter().map(|s| (s.range.start, s.targets.clone())).collect();
        }
    }

    /// The programs.
    pub(super) fn image(&self, settings: &Settings) -> Result<Cow<'_, Image<'_>>> {
        match self {
            MaxwellFile::Read(image, ..) => Ok(Cow::Borrowed(image)),
            MaxwellFile::Own(own) => {
                let mut image = Image::read_as(&own.bytes, own.container, &settings.limits)?;
                for program in &mut image.programs {
                    program.chip = program.chip.or(own.chip);
                    if let (true, Some(targets)) =
                        (program.targets.is_empty(), own.targets.get(&program.code.start))
                    {
                        program.targets = targets.clone();
                    }
                }
                Ok(Cow::Owned(image))
            }
        }
    }

    /// The bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            MaxwellFile::Read(_, bytes, _) => bytes,
            MaxwellFile::Own(own) => &own.bytes,
        }
    }

    /// A program as one of a graphics stage; `None` if nothing states that it is one.
    ///
    /// # Errors
    /// The faults of the container.
    pub(super) fn graphics(&self, index: usize, settings: &Settings) -> Result<Option<&GraphicsProgram>> {
        let (MaxwellFile::Read(.., stages) | MaxwellFile::Own(Own { stages, .. })) = self;
        let Some(stage) = stages.get(index) else { return Ok(None) };
        if let Some(read) = stage.get() {
            return Ok(read.as_ref());
        }
        let program = GraphicsProgram::of(self.bytes(), &*self.image(settings)?, index, settings)?;
        Ok(stage.get_or_init(|| program).as_ref())
    }

    /// The faults of the file; `chip` applies if the file does not state it.
    pub(super) fn checked(
        &self,
        which: Option<usize>,
        chip: Option<Chip>,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>> {
        let image = self.image(settings)?;
        let check = |image: &Image<'_>| rules::check(image, chip, settings.maxwell.options, &settings.limits);
        let Some(index) = which else { return Ok(check(&image)) };
        let mut image = image.into_owned();
        if index < image.programs.len() {
            image.programs.swap(0, index);
        }
        image.programs.truncate(1);
        Ok(check(&image))
    }
}

/// The chip of a program.
pub(super) fn chip(image: &Image<'_>, index: usize, settings: &Settings) -> Chip {
    let said = image.programs.get(index).and_then(|p| p.chip);
    said.or(settings.maxwell.chip).unwrap_or_default()
}
