//! AGAL in SWF files, and in archives of them.

mod bundle;

use crate::family::{Opened, Sniffed};
use crate::identity::{self, Entry, Identity};
use crate::{Language, Result, Settings};
use bundle::{Bundle, Member};
use shisa_diag::Confidence;
use shisa_swf::{Content, Found, Package};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Opens a SWF, or an archive of SWFs; `None` for other bytes.
pub(super) fn sniff<'b>(bytes: &'b [u8], settings: &Settings) -> Option<Sniffed<'b>> {
    let container = container(bytes)?;
    match open(Cow::Borrowed(bytes), settings) {
        // Archives contain anything: one without AGAL is not of this instruction set.
        Ok(file) if container == identity::Container::Zip && file.count() == 0 => {
            let limits = file.diagnostics().iter().filter(|d| d.code == "limit-exceeded");
            let limits: Vec<_> = limits.cloned().collect();
            (!limits.is_empty()).then(|| Sniffed::Damaged(Identity::default(), limits.into()))
        }
        Ok(file) => Some(Sniffed::Open(file)),
        Err(e)
            if container == identity::Container::Zip
                && e.diagnostics.iter().all(|d| d.code != "limit-exceeded") =>
        {
            None
        }
        Err(error) => Some(Sniffed::Damaged(Identity::damaged(container, Some(super::ISA)), error)),
    }
}

/// The container that the first bytes state.
pub(super) fn container(bytes: &[u8]) -> Option<identity::Container> {
    let kind = if bytes.starts_with(b"PK") { identity::Container::Zip } else { identity::Container::Swf };
    shisa_swf::sniff(bytes).then_some(kind)
}

/// Opens a SWF or an archive.
pub(super) fn open<'b>(bytes: Cow<'b, [u8]>, settings: &Settings) -> Result<Box<dyn Opened + 'b>> {
    let mut all = shisa_swf::extract(&bytes, &settings.limits)?;
    let sure = if all.diagnostics.is_empty() { Confidence::Certain } else { Confidence::Likely };
    let whole = all.found.iter().filter(|f| f.whole).count();
    let pieces = all.found.len() - whole;
    if !settings.pieces {
        all.found.truncate(whole);
    }
    let mut title = match all.package {
        None => format!("// SWF {}, {} bytes, AGAL programs: {whole}", all.version, all.size),
        Some(package) => format!("// {}, {} bytes, AGAL programs: {whole}", package.name(), all.size),
    };
    if pieces > 0 {
        title.push_str(&format!(", pieces of programs: {pieces}"));
    }
    title.push('\n');
    let mut partners: Vec<Vec<usize>> = vec![Vec::new(); all.found.len()];
    for (vertex, fragment) in &all.pairs {
        for (one, other) in [(vertex, fragment), (fragment, vertex)] {
            if let Some(list) = partners.get_mut(*one) {
                list.push(other + 1);
            }
        }
    }
    Ok(Box::new(Bundle {
        bytes,
        container: match all.package {
            None => identity::Container::Swf,
            Some(Package::Swc) => identity::Container::Swc,
            Some(Package::Air) => identity::Container::Air,
            Some(Package::Zip) => identity::Container::Zip,
        },
        confidence: sure,
        isa: Language::Agal.isa(),
        title,
        faults: all.diagnostics,
        members: (1..).zip(all.found).zip(partners).map(|((n, f), p)| member(n, f, &p)).collect(),
        pairs: all.pairs.iter().map(|(vertex, fragment)| [vertex + 1, fragment + 1]).collect(),
    }))
}

fn member(number: usize, found: Found, pairs: &[usize]) -> Member {
    let name = found.to_string();
    let piece = if found.whole { "" } else { "piece of " };
    let (kind, container, size) = match &found.content {
        Content::Program(bytes) => ("program", identity::Container::Agal, bytes.len()),
        Content::Source(text) => ("source", identity::Container::AgalText, text.len()),
    };
    let (chip, offset, confidence) = (found.version.to_string(), found.offset, found.confidence);
    let stage = found.stage.map_or(String::new(), |s| format!("{} ", s.name()));
    let sure = confidence.name();
    let with = match pairs {
        [] => String::new(),
        list => format!(", pairs with {}", list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    };
    let heading = format!(
        "\n// {number}: {name}\n// {piece}AGAL {chip} {stage}{kind}, {sure}, at {offset:#x}, {size} bytes{with}\n"
    );
    Member {
        entry: Entry { name, container, chip: Some(chip), stage: found.stage, offset, size, confidence },
        heading,
        found,
        file: OnceLock::new(),
    }
}
