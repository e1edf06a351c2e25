//! Distinguishes PICA200's containers from other bytes.

use crate::container::{Dvle, Object, Shbin, Wrapper, embedded};
use crate::{picasso, word};
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Confidence, Limits};
use shisa_ir::Stage;

/// The identity of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `shbin`, `dvoj`, `pica200-text` or the name of a [`Wrapper`].
    pub container: &'static str,
    /// The programs in it.
    pub programs: Vec<Part>,
    /// The confidence of the identification.
    pub confidence: Confidence,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the binary that contains it, if that has one, and then the words that it runs.
    pub name: String,
    /// `shbin`, `dvoj` or `pica200-text`.
    pub container: &'static str,
    /// The version in its header; objects have none.
    pub version: Option<u16>,
    /// Its stage, if that is known.
    pub stage: Option<Stage>,
    /// Its offset in the file; for a binary in base64, its offset in the binary.
    pub offset: usize,
    /// Bytes from its header to the end of its last table.
    pub size: usize,
    /// The confidence of the identification.
    pub confidence: Confidence,
}

/// Identifies a container of PICA200 programs and its contents. A damaged container is still identified.
pub fn identify(bytes: &[u8], limits: &Limits) -> Option<Identity> {
    if Shbin::sniff(bytes) {
        return Some(alone("shbin", programs(bytes, "", 0, limits)));
    }
    if Object::sniff(bytes) {
        return Some(alone("dvoj", Object::read(bytes, limits).ok().map(|o| alloc::vec![object(&o, bytes)])));
    }
    if picasso::sniff(bytes) {
        return Some(source(bytes, limits));
    }
    let wrapper = Wrapper::sniff(bytes)?;
    let damaged =
        Identity { container: wrapper.name(), programs: Vec::new(), confidence: Confidence::Possible };
    let Ok((found, faults)) = embedded(wrapper, bytes, limits) else { return Some(damaged) };
    if found.is_empty() && faults.is_empty() {
        // Models and the like come in these files, too.
        return (wrapper == Wrapper::Csdr).then_some(damaged);
    }
    let mut all = Vec::new();
    let mut whole = faults.is_empty();
    for e in &found {
        let base = if wrapper == Wrapper::Csdr { 0 } else { e.offset };
        match programs(&e.bytes, &e.name, base, limits) {
            Some(parts) => all.extend(parts),
            None => whole = false,
        }
    }
    let confidence = if whole { Confidence::Certain } else { Confidence::Likely };
    Some(Identity { programs: all, confidence, ..damaged })
}

/// A source in picasso's language.
fn source(bytes: &[u8], limits: &Limits) -> Identity {
    let text = String::from_utf8_lossy(bytes);
    let source = picasso::Source { name: "", text: &text };
    let shbin = picasso::assemble(&[source], &picasso::Options::default(), limits).shbin;
    let part = |d: &Dvle| Part {
        name: format!("words {} to {}", d.entry, d.end),
        container: "pica200-text",
        version: Some(d.version),
        stage: d.stage(),
        offset: 0,
        size: bytes.len(),
        confidence: Confidence::Certain,
    };
    alone("pica200-text", shbin.map(|file| file.programs.iter().map(part).collect()))
}

/// A container by itself; without programs it could not be read.
fn alone(container: &'static str, programs: Option<Vec<Part>>) -> Identity {
    let read = programs.is_some();
    let programs = programs.unwrap_or_default();
    let sure = programs.iter().map(|p| p.confidence).min().unwrap_or(Confidence::Certain);
    Identity { container, programs, confidence: if read { sure } else { Confidence::Possible } }
}

/// The programs of a binary; `None` if it cannot be read.
fn programs(bytes: &[u8], name: &str, base: usize, limits: &Limits) -> Option<Vec<Part>> {
    let file = Shbin::read(bytes, limits).ok()?;
    let prefix = if name.is_empty() { String::new() } else { format!("{name}: ") };
    let confidence = decodable(&file);
    let part = |(dvle, place): (&Dvle, Range<usize>)| Part {
        name: format!("{prefix}words {} to {}", dvle.entry, dvle.end),
        container: "shbin",
        version: Some(dvle.version),
        stage: dvle.stage(),
        offset: base + place.start,
        size: place.len(),
        confidence: if dvle.stage().is_some() { confidence } else { Confidence::Possible },
    };
    Some(file.programs.iter().zip(file.places()).map(part).collect())
}

fn object(object: &Object, bytes: &[u8]) -> Part {
    Part {
        name: format!("{} words", object.linked.code.len()),
        container: "dvoj",
        version: None,
        stage: None,
        offset: 0,
        size: bytes.len(),
        confidence: decodable(&object.linked),
    }
}

/// Certain if every word is an instruction.
fn decodable(file: &Shbin) -> Confidence {
    let decodes = |code: &u32| word::decode(*code, &[]).is_some();
    if file.code.iter().all(decodes) { Confidence::Certain } else { Confidence::Likely }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(&'static str, Option<Stage>, Confidence)> {
        let found = identify(text.as_bytes(), &Limits::default())?;
        Some((found.container, found.programs.first().and_then(|p| p.stage), found.confidence))
    }

    #[test]
    fn sources_are_told_by_their_first_directive() {
        let program = ".proc main\n\tmov o0, v0\n\tend\n.end\n";
        let vertex = format!("; caf\u{e9}\n\n  .Out pos position\n{program}");
        assert_eq!(told(&vertex), Some(("pica200-text", Some(Stage::Vertex), Confidence::Certain)));
        let geometry = format!(".gsh point c0\n{program}");
        assert_eq!(told(&geometry).map(|t| t.1), Some(Some(Stage::Geometry)));
        assert_eq!(told(".fvec a[4]\nnonsense"), Some(("pica200-text", None, Confidence::Possible)));
        for other in ["", "; a comment", ".text\nmov o0, v0", "mov op, va0\n.end", ".in\0"] {
            assert_eq!(told(other), None, "{other:?}");
        }
    }
}
