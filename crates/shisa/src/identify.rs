//! What a file is, by its content.

use crate::{Isa, Settings};
use serde::{Serialize, Serializer};
use shisa_agal::{AsmOptions, Confidence, Program};

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The container: `agal`, `agal-text`, `openfl-glsl` or `swf`; `None` when nothing is recognised.
    pub container: Option<&'static str>,
    /// The instruction set of the programs.
    pub isa: Option<Isa>,
    /// The chip, or the version of the instruction set, when it is the same for all programs.
    pub chip: Option<String>,
    /// The stage, when all programs are for the same.
    pub stage: Option<&'static str>,
    /// The programs in the order of the container.
    pub programs: Vec<Part>,
    /// How sure that is; `None` when nothing is recognised.
    #[serde(serialize_with = "or_none")]
    pub confidence: Option<Confidence>,
}

/// A program in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Where in the container it is, or what it is.
    pub name: String,
    /// Its own container, `agal` or `agal-text`.
    pub container: &'static str,
    /// The chip, or the version of the instruction set.
    pub chip: Option<String>,
    /// The stage; `None` where it fits several.
    pub stage: Option<&'static str>,
    /// First byte, counted in the file; once decompressed, and in the innermost, of a SWF in a SWF.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// How sure that is.
    #[serde(serialize_with = "name")]
    pub confidence: Confidence,
}

fn name<S: Serializer>(confidence: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.name())
}

fn or_none<S: Serializer>(confidence: &Option<Confidence>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.map_or("none", Confidence::name))
}

impl Identity {
    /// A file that is one program and nothing else.
    fn alone(part: Part) -> Identity {
        Identity {
            container: Some(part.container),
            isa: Some(Isa::Agal),
            chip: part.chip.clone(),
            stage: part.stage,
            confidence: Some(part.confidence),
            programs: vec![part],
        }
    }
}

/// Says what bytes are. Never fails: of what is not recognised, all is `None`.
pub fn identify(bytes: &[u8], settings: &Settings) -> Identity {
    #[cfg(feature = "swf")]
    if shisa_swf::sniff(bytes) {
        return swf(bytes, settings);
    }
    if crate::is_source(bytes) {
        return Identity::alone(listing(bytes, settings));
    }
    let agal = |container, name, stage: Option<shisa_ir::Stage>, version: u32, confidence| {
        let (chip, stage) = (Some(version.to_string()), stage.map(|s| s.name()));
        let size = bytes.len();
        Identity::alone(Part { name, container, chip, stage, offset: 0, size, confidence })
    };
    match shisa_agal::identify(bytes) {
        Some(shisa_agal::Identity::Program { version, stage, confidence, .. }) => {
            let name = Program::new(version, stage).describe();
            agal("agal", name, Some(stage), version, confidence)
        }
        Some(shisa_agal::Identity::Source(guess)) => {
            agal("agal-text", "AGAL source".into(), guess.stage, guess.version, guess.confidence)
        }
        Some(shisa_agal::Identity::EmbeddedGlsl { .. }) => Identity {
            container: Some("openfl-glsl"),
            confidence: Some(Confidence::Likely),
            ..Identity::default()
        },
        None => Identity::default(),
    }
}

/// The refusal of bytes of no known kind.
pub(crate) fn not_recognised() -> crate::Error {
    let kinds: Vec<&str> = Isa::ALL.iter().map(|i| i.name()).collect();
    let d = shisa_diag::Diagnostic::error("not-recognised", "this is no program of a known kind");
    crate::Error::from(d.note(format!("known are: {}", kinds.join(", "))))
}

/// Source text whose first line says what it is.
fn listing(bytes: &[u8], settings: &Settings) -> Part {
    let source = std::str::from_utf8(bytes).unwrap_or_default();
    let program = shisa_agal::assemble(source, &AsmOptions::default(), &settings.limits).program;
    Part {
        name: program.as_ref().map_or("AGAL source with errors".into(), Program::describe),
        container: "agal-text",
        chip: program.as_ref().map(|p| p.version.to_string()),
        stage: program.as_ref().map(|p| p.stage.name()),
        offset: 0,
        size: bytes.len(),
        confidence: if program.is_some() { Confidence::Certain } else { Confidence::Likely },
    }
}

/// A SWF that is refused may still be one.
#[cfg(feature = "swf")]
fn swf(bytes: &[u8], settings: &Settings) -> Identity {
    let mut identity = Identity { container: Some("swf"), ..Identity::default() };
    let Ok(extraction) = shisa_swf::extract(bytes, &settings.limits) else {
        return Identity { confidence: Some(Confidence::Possible), ..identity };
    };
    let sound = extraction.diagnostics.is_empty();
    identity.confidence = Some(if sound { Confidence::Certain } else { Confidence::Likely });
    identity.programs = extraction.found.iter().map(part).collect();
    if let Some((first, rest)) = identity.programs.split_first() {
        identity.isa = Some(Isa::Agal);
        identity.chip = first.chip.clone().filter(|_| rest.iter().all(|p| p.chip == first.chip));
        identity.stage = first.stage.filter(|_| rest.iter().all(|p| p.stage == first.stage));
    }
    identity
}

/// What a find in a SWF is.
#[cfg(feature = "swf")]
pub(crate) fn part(found: &shisa_swf::Found) -> Part {
    let (container, size) = match &found.content {
        shisa_swf::Content::Program(bytes) => ("agal", bytes.len()),
        shisa_swf::Content::Source(text) => ("agal-text", text.len()),
    };
    Part {
        name: found.to_string(),
        container,
        chip: Some(found.version.to_string()),
        stage: found.stage.map(|s| s.name()),
        offset: found.offset,
        size,
        confidence: found.confidence,
    }
}
