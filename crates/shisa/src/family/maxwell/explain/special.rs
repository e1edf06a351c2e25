//! Special registers.

use crate::explain::{Explanation, Section};
use shisa_maxwell::{
    Bits, Chip, Knowledge, SPECIAL_REGISTERS, ShaderStage, SpecialRegister, special_register,
};

/// By name, by number (`SR15`), or by the name of a field.
pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let named = |s: &&SpecialRegister| s.name.eq_ignore_ascii_case(word);
    let mut found: Vec<_> = SPECIAL_REGISTERS.iter().filter(named).map(register).collect();
    if let Some(n) = word.strip_prefix("SR").and_then(|n| n.parse().ok()) {
        found.push(special_register(n).map_or_else(|| reserved(n), register));
    }
    let holders = SPECIAL_REGISTERS.iter().filter(|s| s.fields.iter().any(|f| f.name == word));
    found.extend(holders.filter(|_| !word.is_empty()).map(|s| field(s, word)));
    found
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let fields = SPECIAL_REGISTERS.iter().flat_map(|s| s.fields).map(|f| f.name).filter(|n| !n.is_empty());
    SPECIAL_REGISTERS.iter().map(|s| s.name).chain(fields).map(String::from)
}

fn register(special: &SpecialRegister) -> Explanation {
    let mut names = vec![format!("number {}", special.number)];
    if special.named_since > Chip::Sm50 {
        names.push(format!(
            "named from {} on; before it is written SR{}",
            special.named_since, special.number
        ));
    }
    let reads = match (special.coupled, special.knowledge) {
        (true, _) => "S2R, and CS2R, which has a fixed latency",
        (false, Knowledge::NameOnly) => "S2R; whether CS2R reads it is not known",
        (false, _) => "S2R; CS2R reads 0",
    };
    let stages = match special.knowledge {
        Knowledge::Described
            if special.stages.contains(&ShaderStage::Compute) && special.stages.len() > 1 =>
        {
            "all".into()
        }
        Knowledge::Described => format!("{}; it reads as 0 in others", names_of(special.stages)),
        Knowledge::Zero => "none: it reads as 0".into(),
        Knowledge::NameOnly => "not known".into(),
    };
    let scope = special.scope.map_or("not known", |s| s.name());
    let mut sections = vec![
        Section { heading: "Encoding", lines: names },
        Section { heading: "Read by", lines: vec![reads.into()] },
        Section { heading: "Stages", lines: vec![stages] },
        Section { heading: "The same for each", lines: vec![scope.into()] },
    ];
    if !special.fields.is_empty() {
        sections.push(Section { heading: "Bits", lines: special.fields.iter().map(line).collect() });
    }
    if !special.disagreement.is_empty() {
        sections.push(Section { heading: "Sources disagree", lines: vec![special.disagreement.into()] });
    }
    Explanation {
        word: special.name.into(),
        kind: "Maxwell special register",
        summary: special.meaning.into(),
        sections,
    }
}

fn reserved(number: u8) -> Explanation {
    Explanation {
        word: format!("SR{number}"),
        kind: "Maxwell special register",
        summary: "Reserved; it reads as 0.".into(),
        sections: Vec::new(),
    }
}

/// The fields with this name; there are several if chips differ.
fn field(special: &SpecialRegister, name: &str) -> Explanation {
    let lines = special.fields.iter().filter(|f| f.name == name).map(line).collect();
    Explanation {
        word: format!("{}.{name}", special.name),
        kind: "field of a Maxwell special register",
        summary: special.meaning.into(),
        sections: vec![Section { heading: "Bits", lines }],
    }
}

fn line(bits: &Bits) -> String {
    let chips = match (bits.since, bits.until) {
        (Chip::Sm50, Chip::Sm53) => String::new(),
        (since, until) if since == until => format!(" ({since})"),
        (since, until) => format!(" ({since} to {until})"),
    };
    let name = if bits.name.is_empty() { String::new() } else { format!("{}, ", bits.name) };
    let last = bits.lo + bits.width - 1;
    let range = if bits.width == 1 { format!("bit {last}") } else { format!("bits {} to {last}", bits.lo) };
    format!("{range}: {name}{}{chips}", bits.meaning)
}

pub(super) fn names_of(stages: &[ShaderStage]) -> String {
    stages.iter().map(|s| s.name()).collect::<Vec<_>>().join(", ")
}
