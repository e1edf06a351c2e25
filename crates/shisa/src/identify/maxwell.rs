//! What Maxwell files are.

use super::{Identity, Part};
use crate::{Isa, Result, Settings};
use shisa_diag::Confidence;
use shisa_maxwell::container::{Container, Image, NvnControl, Program};

/// Whether bytes hold code, and which programs. A damaged container is still named.
pub(super) fn identify(bytes: &[u8], settings: &Settings) -> Option<Identity> {
    let container = Container::sniff(bytes, &settings.limits)?;
    if container == Container::NvnControl
        && let Ok(control) = NvnControl::read(bytes, &settings.limits)
    {
        let stage = Some(control.stage.name());
        return Some(Identity { stage, confidence: Some(Confidence::Certain), ..named(container) });
    }
    Some(match Image::read_as(bytes, container, &settings.limits) {
        Ok(image) => of(&image),
        Err(_) => Identity { confidence: Some(Confidence::Possible), ..named(container) },
    })
}

/// What a code file of NVN is, with what its control file tells: where its code ends.
///
/// # Errors
/// `nvn-magic`, `nvn-cut` and `nvn-range` where it is no code file, or not that one; a limit that is exceeded.
pub fn identify_nvn(bytes: &[u8], control: NvnControl, settings: &Settings) -> Result<Identity> {
    Ok(of(&Image::read_pair(bytes, control, &settings.limits)?))
}

fn named(container: Container) -> Identity {
    Identity { container: Some(container.name()), isa: Some(Isa::Maxwell), ..Identity::default() }
}

fn of(image: &Image<'_>) -> Identity {
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
    Identity {
        isa: first.map(|_| Isa::Maxwell),
        chip: first
            .and_then(|f| f.chip.clone())
            .filter(|c| programs.iter().all(|p| p.chip.as_ref() == Some(c))),
        stage: first.and_then(|f| f.stage).filter(|s| programs.iter().all(|p| p.stage == Some(s))),
        confidence: Some(confidence),
        programs,
        ..named(image.container)
    }
}
