//! What AGAL files are.

use super::{Identity, Part};
use crate::{Isa, Settings};
use shisa_agal::{AsmOptions, Program};
use shisa_diag::Confidence;

/// Whether bytes are a program, its source or a SWF, and what is in it.
pub(super) fn identify(bytes: &[u8], settings: &Settings) -> Option<Identity> {
    #[cfg(feature = "swf")]
    if shisa_swf::sniff(bytes) {
        return Some(swf(bytes, settings));
    }
    if bytes.starts_with(b"// agal ") && std::str::from_utf8(bytes).is_ok() {
        return Some(Identity::alone(Isa::Agal, listing(bytes, settings)));
    }
    let agal = |container, name, stage: Option<shisa_ir::Stage>, version: u32, confidence| {
        let (chip, stage) = (Some(version.to_string()), stage.map(|s| s.name()));
        let size = bytes.len();
        Identity::alone(Isa::Agal, Part { name, container, chip, stage, offset: 0, size, confidence })
    };
    Some(match shisa_agal::identify(bytes)? {
        shisa_agal::Identity::Program { version, stage, confidence, .. } => {
            let name = Program::new(version, stage).describe();
            agal("agal", name, Some(stage), version, confidence)
        }
        shisa_agal::Identity::Source(guess) => {
            agal("agal-text", "AGAL source".into(), guess.stage, guess.version, guess.confidence)
        }
        shisa_agal::Identity::EmbeddedGlsl { .. } => Identity {
            container: Some("openfl-glsl"),
            confidence: Some(Confidence::Likely),
            ..Identity::default()
        },
    })
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
