//! What a file is, by its content.

use crate::{Isa, Settings};
use serde::Serialize;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The container: `agal`, `agal-text`, or `null` when nothing is recognised.
    pub container: Option<&'static str>,
    /// The instruction set of the programs.
    pub isa: Option<Isa>,
    /// The chip, or the version of the instruction set.
    pub chip: Option<String>,
    /// The stage, when all programs are for the same.
    pub stage: Option<&'static str>,
    /// The programs in the order of their offsets.
    pub programs: Vec<Part>,
    /// How sure that is.
    pub confidence: Confidence,
}

/// Where a program lies in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// What the container calls it, or what it is.
    pub name: String,
    /// First byte, counted in the file (or in its contents once decompressed).
    pub offset: usize,
    /// Bytes.
    pub size: usize,
}

/// How sure an identification is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Nothing is recognised.
    None,
    /// The marks are there, but something does not fit.
    Likely,
    /// Everything fits.
    Certain,
}

impl Confidence {
    /// `none`, `likely` or `certain`.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::None => "none",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        }
    }
}

impl Identity {
    const UNKNOWN: Identity = Identity {
        container: None,
        isa: None,
        chip: None,
        stage: None,
        programs: Vec::new(),
        confidence: Confidence::None,
    };
}

/// Says what bytes are. Never fails: what is not recognised is [`Confidence::None`].
pub fn identify(bytes: &[u8], settings: &Settings) -> Identity {
    #[cfg(feature = "agal")]
    if shisa_agal::Program::sniff(bytes) {
        return agal(bytes, settings);
    }
    #[cfg(feature = "agal")]
    if crate::is_source(bytes) {
        return agal_source(bytes, settings);
    }
    let _ = (bytes, settings);
    Identity::UNKNOWN
}

/// The refusal of bytes of no known kind.
pub(crate) fn not_recognised() -> crate::Error {
    let kinds: Vec<&str> = Isa::ALL.iter().map(|i| i.name()).collect();
    let d = shisa_diag::Diagnostic::error("not-recognised", "this is no program of a known kind");
    crate::Error::from(d.note(format!("known are: {}", kinds.join(", "))))
}

#[cfg(feature = "agal")]
fn agal(bytes: &[u8], settings: &Settings) -> Identity {
    let read = shisa_agal::Program::read(bytes, &settings.limits);
    let part = |name: String| vec![Part { name, offset: 0, size: bytes.len() }];
    let (chip, stage, name, confidence) = match &read {
        Ok(p) => {
            let sound = p.version > 0 && p.trailing.is_empty();
            let confidence = if sound { Confidence::Certain } else { Confidence::Likely };
            (Some(p.version.to_string()), Some(p.stage.name()), p.describe(), confidence)
        }
        Err(_) => (None, None, "damaged AGAL program".into(), Confidence::Likely),
    };
    Identity { container: Some("agal"), isa: Some(Isa::Agal), chip, stage, programs: part(name), confidence }
}

#[cfg(feature = "agal")]
fn agal_source(bytes: &[u8], settings: &Settings) -> Identity {
    let source = std::str::from_utf8(bytes).unwrap_or_default();
    let done = shisa_agal::assemble(source, &shisa_agal::AsmOptions::default(), &settings.limits);
    let program = done.program.as_ref();
    let name = program.map_or("AGAL source with errors".into(), |p| p.describe());
    Identity {
        container: Some("agal-text"),
        isa: Some(Isa::Agal),
        chip: program.map(|p| p.version.to_string()),
        stage: program.map(|p| p.stage.name()),
        programs: vec![Part { name, offset: 0, size: bytes.len() }],
        confidence: if program.is_some() { Confidence::Certain } else { Confidence::Likely },
    }
}
