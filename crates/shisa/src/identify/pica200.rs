//! What PICA200 files are.

use super::{Identity, Part};
use crate::{Isa, Settings};

/// Whether bytes are a container of programs or the text of one, and what is in it.
pub(super) fn identify(bytes: &[u8], settings: &Settings) -> Option<Identity> {
    let found = shisa_pica200::identify(bytes, &settings.limits)?;
    let part = |p: shisa_pica200::Part| Part {
        name: p.name,
        container: p.container,
        chip: p.version.map(|v| format!("{v:#x}")),
        stage: p.stage.map(|s| s.name()),
        offset: p.offset,
        size: p.size,
        confidence: p.confidence,
    };
    let programs: Vec<Part> = found.programs.into_iter().map(part).collect();
    let first = programs.first();
    Some(Identity {
        container: Some(found.container),
        isa: Some(Isa::Pica200),
        chip: first
            .and_then(|f| f.chip.clone())
            .filter(|c| programs.iter().all(|p| p.chip.as_ref() == Some(c))),
        stage: first.and_then(|f| f.stage).filter(|s| programs.iter().all(|p| p.stage == Some(s))),
        programs,
        confidence: Some(found.confidence),
    })
}
