//! Fields of Shader Program Headers.

use super::super::{Explanation, Section};
use shisa_maxwell::ShaderStage;
use shisa_maxwell::container::sph::{FIELDS, Field, Kind, Maps};

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    FIELDS.iter().filter(|f| f.name == word).map(field).collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    FIELDS.iter().map(|f| f.name.to_owned())
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
