//! A file that holds Maxwell programs.

use super::stages::GraphicsProgram;
use crate::identity;
use crate::{File, Result, Settings};
use shisa_diag::Diagnostic;
use shisa_maxwell::container::{Container, Image, NvnControl, OwnImage};
use shisa_maxwell::text::Layout;
use shisa_maxwell::{Chip, rules};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A file.
pub(super) struct MaxwellFile<'b> {
    whole: Whole<'b>,
    stages: Stages,
}

enum Whole<'b> {
    /// The caller's bytes.
    Borrowed(Image<'b>),
    /// Our own bytes: an assembled source, or bare code.
    Own(OwnImage),
}

/// The programs of a file as those of graphics stages, each read when it is first used; `None` for those of none.
type Stages = Vec<OnceLock<Option<GraphicsProgram>>>;

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
    Ok(File::new(Box::new(MaxwellFile::read_from(image)), settings, Vec::new()))
}

impl<'b> MaxwellFile<'b> {
    /// Reads a file; bytes of no other kind are raw code.
    pub(super) fn read(bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<MaxwellFile<'b>> {
        let limits = &settings.limits;
        let container = Container::sniff(&bytes, limits).unwrap_or_else(|| Container::of_code(&bytes));
        match bytes {
            Cow::Borrowed(bytes) => Ok(MaxwellFile::read_from(Image::read_as(bytes, container, limits)?)),
            Cow::Owned(bytes) => MaxwellFile::own(bytes, container, settings),
        }
    }

    /// A file of the caller's bytes.
    pub(super) fn read_from(image: Image<'b>) -> MaxwellFile<'b> {
        MaxwellFile::of(Whole::Borrowed(image))
    }

    /// A file of our own bytes.
    pub(super) fn own(bytes: Vec<u8>, container: Container, settings: &Settings) -> Result<MaxwellFile<'b>> {
        let image = OwnImage::read_as(bytes, container, &settings.limits)?;
        Ok(MaxwellFile::of(Whole::Own(image)))
    }

    fn of(whole: Whole<'b>) -> MaxwellFile<'b> {
        let stages = whole.image().programs.iter().map(|_| OnceLock::new()).collect();
        MaxwellFile { whole, stages }
    }

    /// Sets the facts that an assembled source states but its bytes do not: the chip of programs whose container does
    /// not state it, and the targets of branches through a register in raw code.
    pub(super) fn say(&mut self, layout: &Layout) {
        let Whole::Own(own) = &mut self.whole else { return };
        own.change(|image| {
            for program in &mut image.programs {
                program.chip = program.chip.or(Some(layout.chip));
                let section = layout.sections.iter().rfind(|s| s.range.start == program.code.start);
                if let (true, Some(section)) = (program.targets.is_empty(), section) {
                    program.targets = section.targets.clone();
                }
            }
        });
    }

    /// The file, read.
    pub(super) fn image(&self) -> &Image<'_> {
        self.whole.image()
    }

    /// A program as one of a graphics stage; `None` if nothing states that it is one.
    ///
    /// # Errors
    /// The faults of the container.
    pub(super) fn graphics(&self, index: usize, settings: &Settings) -> Result<Option<&GraphicsProgram>> {
        let Some(stage) = self.stages.get(index) else { return Ok(None) };
        if let Some(read) = stage.get() {
            return Ok(read.as_ref());
        }
        let program = GraphicsProgram::of(self.image(), index, settings)?;
        Ok(stage.get_or_init(|| program).as_ref())
    }

    /// The faults of the file; `chip` applies if the file does not state it.
    pub(super) fn checked(
        &self,
        which: Option<usize>,
        chip: Option<Chip>,
        settings: &Settings,
    ) -> Vec<Diagnostic> {
        let check = |image: &Image<'_>| rules::check(image, chip, settings.maxwell.options, &settings.limits);
        let Some(index) = which else { return check(self.image()) };
        let mut image = self.image().clone();
        if index < image.programs.len() {
            image.programs.swap(0, index);
        }
        image.programs.truncate(1);
        check(&image)
    }
}

impl Whole<'_> {
    fn image(&self) -> &Image<'_> {
        match self {
            Whole::Borrowed(image) => image,
            Whole::Own(own) => own.image(),
        }
    }
}

/// The chip of a program.
pub(super) fn chip(image: &Image<'_>, index: usize, settings: &Settings) -> Chip {
    let said = image.programs.get(index).and_then(|p| p.chip);
    said.or(settings.maxwell.chip).unwrap_or_default()
}
