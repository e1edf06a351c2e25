//! Kinds of files; attributes and relocations of cubins.

use crate::explain::{Explanation, Section};
use shisa_maxwell::container::{ATTRIBUTES, Container, KINDS, Kind, Known, Shape, Written};

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let attribute = ATTRIBUTES.iter().filter(|k| k.name == word).map(attribute);
    let relocation = KINDS.iter().enumerate().filter(|(_, k)| k.name == word).map(relocation);
    let container = Container::ALL.iter().filter(|c| c.name() == word).map(|c| Explanation {
        word: c.name().into(),
        kind: "container of Maxwell code",
        summary: c.about().into(),
        sections: Vec::new(),
    });
    container.chain(attribute).chain(relocation).collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let attributes = ATTRIBUTES.iter().map(|k| k.name);
    let containers = Container::ALL.iter().map(|c| c.name());
    containers.chain(attributes).chain(KINDS.iter().map(|k| k.name)).map(String::from)
}

fn attribute(known: &Known) -> Explanation {
    let value = match known.shape {
        Shape::Nothing => "none",
        Shape::Words => "numbers",
        Shape::Places { words: 1, .. } => "offsets of instructions in the kernel's code, in bytes",
        Shape::Places { words, at } => {
            &format!("groups of {words} numbers; number {} is the offset of an instruction, in bytes", at + 1)
        }
        Shape::Symbols => "symbols",
        Shape::SymbolNumber => "a symbol and a number",
        Shape::ParameterBank => {
            "a section's symbol, then the offset and the size of the parameters in bytes, 16 bits each"
        }
        Shape::Parameter => {
            "index, number (16 bits), offset (16 bits), then the size from bit 18 of the last word"
        }
        Shape::Branches => {
            "for each instruction its offset, a number that is 0, the number of targets, the targets"
        }
    };
    Explanation {
        word: known.name.into(),
        kind: "attribute of .nv.info",
        summary: known.meaning.into(),
        sections: vec![Section {
            heading: "Encoding",
            lines: vec![format!("code {:#04x}", known.code), format!("value: {value}")],
        }],
    }
}

fn relocation((number, kind): (usize, &Kind)) -> Explanation {
    let field = match kind.width {
        0 => "no field is described".into(),
        width => format!("bits {} to {} at its offset", kind.bit, kind.bit + width - 1),
    };
    let summary = match kind.written {
        Written::Nothing => "Nothing is filled in.".into(),
        Written::Value(0) => "The symbol's value is filled in.".into(),
        Written::Value(shift) => format!("The symbol's value from bit {shift} on is filled in."),
        Written::Constant => {
            "An offset in a bank of constants is filled in: 14 bits that count 4-byte words, with the bank above them."
                .into()
        }
        Written::ConstantBytes => {
            "An offset in a bank of constants is filled in: 16 bits that count bytes, with the bank above them.".into()
        }
        Written::SomeConstant | Written::Unknown => "How it is filled in is not described publicly.".into(),
    };
    Explanation {
        word: kind.name.into(),
        kind: "relocation of cubins",
        summary,
        sections: vec![Section { heading: "Encoding", lines: vec![format!("number {number}"), field] }],
    }
}
