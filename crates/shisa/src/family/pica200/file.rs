//! A file that holds shader binaries, or words without a container.

use crate::identity;
use crate::{File, Result, Settings, error};
use shisa_diag::Diagnostic;
use shisa_pica200::container::{Object, Raw, Shbin, Wrapper, embedded};
use shisa_pica200::rules;
use std::borrow::Cow;
use std::sync::Arc;

/// The kind of a file.
pub(super) enum Kind {
    /// A shader binary.
    Shbin,
    /// An object, linked.
    Object,
    /// A file of this kind that contains shader binaries.
    Wrapper(Wrapper),
    /// Words without a container, and their findings.
    Raw(Vec<Diagnostic>),
}

/// A shader binary of a file.
pub(super) struct Binary {
    /// Its name in the file; empty if the file is the binary.
    pub(super) name: String,
    /// Its offset, or that of its base64.
    pub(super) offset: usize,
    /// Its contents, or its faults.
    pub(super) file: std::result::Result<Arc<Shbin>, Vec<Diagnostic>>,
}

/// A file.
pub(super) struct Pica200File<'b> {
    pub(super) bytes: Cow<'b, [u8]>,
    pub(super) kind: Kind,
    pub(super) binaries: Vec<Binary>,
    /// All faults, also those of binaries that cannot be read.
    pub(super) faults: Vec<Diagnostic>,
    /// The binary of each program, and its number there.
    pub(super) programs: Vec<(usize, usize)>,
}

/// The container that the first bytes identify.
pub(super) fn container(bytes: &[u8]) -> Option<identity::Container> {
    if Shbin::sniff(bytes) {
        return Some(identity::Container::Shbin);
    }
    if Object::sniff(bytes) {
        return Some(identity::Container::Dvoj);
    }
    Wrapper::sniff(bytes).map(wrapper)
}

pub(super) fn wrapper(kind: Wrapper) -> identity::Container {
    match kind {
        Wrapper::Cgfx => identity::Container::Cgfx,
        Wrapper::Csdr => identity::Container::Csdr,
        Wrapper::Bch => identity::Container::Bch,
        Wrapper::ThreeDsx => identity::Container::ThreeDsx,
        Wrapper::Elf => identity::Container::ArmElf,
        Wrapper::Ncch => identity::Container::Ncch,
        Wrapper::ExeFs => identity::Container::ExeFs,
        Wrapper::RomFs => identity::Container::RomFs,
        Wrapper::Ncsd => identity::Container::Ncsd,
        Wrapper::Cia => identity::Container::Cia,
    }
}

impl<'b> Pica200File<'b> {
    /// Reads a file; bytes of no other kind must be a shader binary.
    pub(super) fn read(bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Pica200File<'b>> {
        let limits = &settings.limits;
        let alone = |file| vec![Binary { name: String::new(), offset: 0, file: Ok(Arc::new(file)) }];
        if Object::sniff(&bytes) {
            let linked = Object::read(&bytes, limits)?.linked;
            return Ok(Pica200File::of(bytes, Kind::Object, alone(linked), Vec::new()));
        }
        let Some(wrapper) = Wrapper::sniff(&bytes) else {
            let file = Shbin::read(&bytes, limits)?;
            return Ok(Pica200File::of(bytes, Kind::Shbin, alone(file), Vec::new()));
        };
        let (found, faults) = embedded(wrapper, &bytes, limits)?;
        let binary = |e: shisa_pica200::container::Embedded<'_>| Binary {
            file: Shbin::read(&e.bytes, limits).map(Arc::new),
            name: e.name,
            offset: e.offset,
        };
        let binaries = found.into_iter().map(binary).collect();
        Ok(Pica200File::of(bytes, Kind::Wrapper(wrapper), binaries, faults))
    }

    fn of(
        bytes: Cow<'b, [u8]>,
        kind: Kind,
        binaries: Vec<Binary>,
        mut faults: Vec<Diagnostic>,
    ) -> Pica200File<'b> {
        for binary in &binaries {
            let named = |d: &Diagnostic| d.clone().note(format!("in shader binary \"{}\"", binary.name));
            faults.extend(binary.file.as_ref().err().into_iter().flatten().map(named));
        }
        let count = |b: &Binary| b.file.as_ref().map_or(0, |file| file.programs.len());
        let programs = binaries.iter().enumerate().flat_map(|(n, b)| (0..count(b)).map(move |i| (n, i)));
        let programs = programs.collect();
        Pica200File { bytes, kind, binaries, faults, programs }
    }

    /// The binary that holds a program, and the number of the program there.
    pub(super) fn program(&self, index: usize) -> Result<(&Binary, &Arc<Shbin>, usize)> {
        let found = self.programs.get(index).and_then(|(binary, number)| {
            let binary = self.binaries.get(*binary)?;
            Some((binary, binary.file.as_ref().ok()?, *number))
        });
        found.ok_or_else(|| error::no_program(index + 1, self.programs.len()).into())
    }

    /// The number of the binary that holds a program.
    pub(super) fn binary(&self, index: usize) -> Result<usize> {
        let found = self.programs.get(index).map(|(binary, _)| *binary);
        found.ok_or_else(|| error::no_program(index + 1, self.programs.len()).into())
    }

    /// A binary that is the whole file.
    pub(super) fn whole(&self) -> Option<(&Binary, &Arc<Shbin>)> {
        match (&self.kind, &self.binaries[..]) {
            (Kind::Wrapper(_), _) => None,
            (_, [binary]) => Some((binary, binary.file.as_ref().ok()?)),
            _ => None,
        }
    }

    /// Whether the words have no container, so that outputs have no meaning.
    pub(super) fn is_raw(&self) -> bool {
        matches!(self.kind, Kind::Raw(_))
    }
}

impl Pica200File<'static> {
    /// Words without a container, and without the zeros at their end.
    pub(super) fn raw(raw: &Raw<'_>, settings: &Settings) -> Result<Pica200File<'static>> {
        Pica200File::words(&raw.loaded(), settings)
    }

    /// Words without a container.
    fn words(raw: &Raw<'_>, settings: &Settings) -> Result<Pica200File<'static>> {
        let linked = raw.linked(&settings.limits)?;
        let bytes = Cow::Owned(linked.write(&settings.limits)?);
        let found = rules::check_raw(&raw.loaded(), &settings.limits).unwrap_or_else(|d| vec![d]);
        let binary = Binary { name: String::new(), offset: 0, file: Ok(Arc::new(linked)) };
        Ok(Pica200File::of(bytes, Kind::Raw(found), vec![binary], Vec::new()))
    }
}

/// Opens words without a container. With `whole`, the listing shows all of them, also zeros at their end; other verbs
/// ignore those zeros.
///
/// # Errors
/// `shbin-raw` for bytes that are not whole words; `limit-exceeded`.
pub fn raw(words: &Raw<'_>, whole: bool, settings: &Settings) -> Result<File<'static>> {
    let file = if whole { Pica200File::words(words, settings)? } else { Pica200File::raw(words, settings)? };
    Ok(File::new(Box::new(file), settings, Vec::new()))
}

/// The shader binary that a program is in.
///
/// # Errors
/// `program-isa` for a program of another instruction set.
pub fn shader_binary<'p>(program: &'p crate::Program<'_>) -> Result<&'p Shbin> {
    program.typed()
}

/// A binary without its other programs. All words are preserved, since which program runs them is unknown.
pub(super) fn alone(file: &Shbin, index: usize) -> Shbin {
    let programs = file.programs.get(index).cloned().into_iter().collect();
    Shbin { layout: None, programs, ..file.clone() }
}
