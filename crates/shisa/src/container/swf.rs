//! AGAL in SWF files.

use super::Container;
use super::bundle::{Bundle, Content, Member};
use crate::family::{Opened, Sniffed};
use crate::identity::{self, Entry, Identity};
use crate::{Language, Result, Settings};
use shisa_diag::Confidence;
use shisa_swf::Found;
use std::sync::OnceLock;

/// Flash's format of animations and applications.
pub(super) struct Swf;

impl Container for Swf {
    fn sniff(&self, bytes: &[u8], settings: &Settings) -> Option<Sniffed<'static>> {
        let damaged = || Identity::damaged(identity::Container::Swf, None);
        shisa_swf::sniff(bytes).then(|| Sniffed::of(open(bytes, settings), damaged))
    }
}

fn open(bytes: &[u8], settings: &Settings) -> Result<Box<dyn Opened>> {
    let found = shisa_swf::extract(bytes, &settings.limits)?;
    let sure = if found.diagnostics.is_empty() { Confidence::Certain } else { Confidence::Likely };
    let count = found.found.len();
    Ok(Box::new(Bundle {
        container: identity::Container::Swf,
        confidence: sure,
        isa: Language::Agal.isa(),
        title: format!("// SWF {}, {} bytes, AGAL programs: {count}\n", found.version, found.size),
        faults: found.diagnostics,
        members: (1..).zip(found.found).map(member).collect(),
    }))
}

fn member((number, found): (usize, Found)) -> Member {
    let name = found.to_string();
    let (content, kind, container, size) = match found.content {
        shisa_swf::Content::Program(bytes) => {
            let size = bytes.len();
            (Content::Code(bytes), "program", identity::Container::Agal, size)
        }
        shisa_swf::Content::Source(text) => {
            let size = text.len();
            (Content::Source(text, Language::Agal), "source", identity::Container::AgalText, size)
        }
    };
    let (chip, offset, confidence) = (found.version.to_string(), found.offset, found.confidence);
    let stage = found.stage.map_or(String::new(), |s| format!("{} ", s.name()));
    let sure = confidence.name();
    let heading = format!(
        "\n// {number}: {name}\n// AGAL {chip} {stage}{kind}, {sure}, at {offset:#x}, {size} bytes\n"
    );
    Member {
        entry: Entry {
            name,
            container,
            chip: Some(chip),
            stage: found.stage.map(Into::into),
            offset,
            size,
            confidence,
        },
        heading,
        content,
        stage: found.stage,
        version: found.version,
        file: OnceLock::new(),
    }
}
