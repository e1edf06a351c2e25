//! What Maxwell files are.

use super::{Identity, Part};
use crate::{Isa, Settings};
use shisa_diag::Confidence;
use shisa_maxwell::container::{Container, Image, NvnControl, Program};

/// Whether bytes hold code, and which programs. A damaged container is still named.
pub(super) fn identify(bytes: &[u8], settings: &Settings) -> Option<Identity> {
    let container = Container::sniff(bytes, &settings.limits)?;
    let named =
        Identity { container: Some(container.name()), isa: Some(Isa::Maxwell), ..Identity::default() };
    let Ok(image) = Image::read_as(bytes, container, &settings.limits) else {
        return Some(Identity { confidence: Some(Confidence::Possible), ..named });
    };
    if container == Container::NvnControl {
        let stage = NvnControl::read(bytes, &settings.limits).ok().map(|c| c.stage.name());
        return Some(Identity { stage, confidence: Some(Confidence::Certain), ..named });
    }
    let confidence = image.confidence();
    let part = |program: &Program| Part {
        name: program.name.clone(),
        container: program.container.name(),
        chip: program.chip.map(|c| c.to_string()),
        stage: program.stage.map(|s| s.name()),
        offset: program.header.as_ref().map_or(program.code.start, |h| h.start),
        size: program.code.len() + program.header.as_ref().map_or(0, |h| h.len()),
        confidence,
    };
    let programs: Vec<Part> = image.programs.iter().map(part).collect();
    let first = programs.first();
    // A container of CUDA code without any for this family is known, but its instruction set is not.
    Some(Identity {
        isa: first.map(|_| Isa::Maxwell),
        chip: first
            .and_then(|f| f.chip.clone())
            .filter(|c| programs.iter().all(|p| p.chip.as_ref() == Some(c))),
        stage: first.and_then(|f| f.stage).filter(|s| programs.iter().all(|p| p.stage == Some(s))),
        confidence: Some(confidence),
        programs,
        ..named
    })
}
