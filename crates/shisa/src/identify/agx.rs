//! What AGX files are.

use super::{Identity, Part};
use crate::parts::file::{AgxFile, sniff};
use crate::{Isa, Settings};
use shisa_agx::container::Container;
use shisa_diag::Confidence;
use shisa_ir::Stage;

/// Whether bytes are a part, a container or code. A damaged file is still named.
pub(super) fn identify(bytes: &[u8], settings: &Settings) -> Option<Identity> {
    if !sniff(bytes) {
        return None;
    }
    let Ok(file) = AgxFile::read(bytes, settings) else {
        let container = Container::sniff(bytes).map_or("agx-part", Container::name);
        let confidence = Some(Confidence::Possible);
        return Some(Identity {
            container: Some(container),
            isa: Some(Isa::Agx),
            confidence,
            ..Identity::default()
        });
    };
    let part = |container, name: &str, stage: Option<Stage>, confidence| Part {
        name: name.to_owned(),
        container,
        chip: None,
        stage: stage.map(|s| s.name()),
        offset: 0,
        size: file.bytes().len(),
        confidence,
    };
    let alone = |part| Some(Identity::alone(Isa::Agx, part));
    match &file {
        AgxFile::Part(of) => {
            let stage = of.part.meta.stage;
            let name = format!("{} {}", stage.name(), of.part.role());
            alone(part("agx-part", &name, Some(stage), Confidence::Certain))
        }
        AgxFile::Linked(of) => {
            let stage = of.linked.meta.fragment.then_some(Stage::Fragment);
            alone(part("agx-linked", "program made of parts", stage, Confidence::Certain))
        }
        AgxFile::Code(_) => alone(part("agx", "", None, shisa_agx::sniff(bytes)?)),
        AgxFile::Image(image) => {
            let sure = if image.faults.is_empty() { Confidence::Certain } else { Confidence::Likely };
            let of = |p: &shisa_agx::container::Program| Part {
                offset: p.code.start,
                size: p.code.len(),
                ..part("agx", &p.name, p.stage, sure)
            };
            let programs: Vec<Part> = image.programs.iter().map(of).collect();
            let stage = programs.first().and_then(|p| p.stage);
            Some(Identity {
                container: Some(image.container.name()),
                isa: Some(Isa::Agx),
                chip: None,
                stage: stage.filter(|_| programs.iter().all(|p| p.stage == stage)),
                programs,
                confidence: Some(sure),
            })
        }
    }
}
