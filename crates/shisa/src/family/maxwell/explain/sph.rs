//! Fields of Shader Program Headers.

use crate::explain::{Explanation, Section};
use shisa_maxwell::ShaderStage;
use shisa_maxwell::container::sph::{FIELDS, Field, Kind, Maps};

/// Names of the header itself.
const NAMES: &[&str] = &["SPH", "shader-program-header"];

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let header = NAMES.contains(&word).then(header);
    header.into_iter().chain(FIELDS.iter().filter(|f| f.name == word).map(field)).collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    NAMES.iter().copied().chain(FIELDS.iter().map(|f| f.name)).map(str::to_owned)
}

/// The header, with all its fields.
fn header() -> Explanation {
    let line = |f: &Field| format!("{}: {}", f.name, f.meaning);
    let of = |maps| FIELDS.iter().filter(|f| f.maps == maps).map(line).collect();
    Explanation {
        word: "SPH".into(),
        kind: "Maxwell concept",
        summary: "The Shader Program Header: 80 bytes before graphics code, which describe the program to the hardware.".into(),
        sections: vec![
            Section {
                heading: "Written",
                lines: vec![
                    ".sph FIELD VALUE in listings, a line a field; fields that are zero are left out.".into(),
                    "SphType comes first: it determines whether the fields are those of pixel programs or of the others.".into(),
                ],
            },
            Section { heading: "Fields of all headers", lines: of(None) },
            Section { heading: "Fields of vertex, tessellation and geometry programs", lines: of(Some(Maps::Vtg)) },
            Section { heading: "Fields of pixel programs", lines: of(Some(Maps::Pixel)) },
        ],
    }
}

fn field(field: &Field) -> Explanation {
    let last = field.bit + field.width * field.count - 1;
    let mut bits = vec![format!("bits {} to {last} of the header", field.bit)];
    if field.count > 1 {
        bits.push(format!("{} elements of {} bits", field.count, field.width));
    }
    let headers = match field.maps {
        None => "all",
        Some(Maps::Vtg) => "those of vertex, tessellation and geometry programs",
        Some(Maps::Pixel) => "those of pixel programs",
        Some(Maps::Unknown) => "those of an unknown type",
    };
    let stages = match field.stages {
        [] => "all that have the field".to_owned(),
        stages => stages.iter().map(|s| ShaderStage::name(*s)).collect::<Vec<_>>().join(", "),
    };
    let values = match field.kind {
        Kind::Named(names) => names.iter().map(|(n, name)| format!("{n} {name}")).collect(),
        _ => vec![field.values()],
    };
    Explanation {
        word: field.name.into(),
        kind: "field of the Shader Program Header",
        summary: field.meaning.into(),
        sections: vec![
            Section { heading: "Bits", lines: bits },
            Section { heading: "Headers", lines: vec![headers.into()] },
            Section { heading: "Stages", lines: vec![stages] },
            Section { heading: "Values", lines: values },
        ],
    }
}
