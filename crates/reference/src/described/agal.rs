//! AGAL's opcodes.

use super::{Described, Facts, names};
use crate::data::{Bits, Piece};
use shisa_agal::{Agal, Effect, SUITE};
use shisa_ir::Stage;
use shisa_rows::{Form, testing::Suite};

/// The versions of the instruction set.
const VERSIONS: core::ops::RangeInclusive<u8> = 1..=4;

impl Described for Agal {
    const ISA: shisa::Isa = shisa::Isa::Agal;
    const EXTENSION: &'static str = "agal";
    const WORD: &'static str = "the 24 bytes of a token, the first one lowest: 32 bits of opcode, 32 of destination, 64 of each source";
    const PIECES: &'static [Piece] = &[
        Piece { name: "Opcode", lo: 0, width: 32 },
        Piece { name: "Destination", lo: 32, width: 32 },
        Piece { name: "First source", lo: 64, width: 64 },
        Piece { name: "Second source", lo: 128, width: 64 },
    ];
    const OPCODE: Bits = (0, 8);
    const SUITE: Suite<'static, Agal> = SUITE;

    fn facts(form: &Form<Agal>) -> Facts {
        Facts {
            group: match form.attr.effect {
                Effect::Compute | Effect::Copy => "arithmetic",
                Effect::Derivative => "derivatives",
                Effect::If | Effect::Else | Effect::EndIf => "conditions",
                Effect::Discard => "pixels",
                Effect::Sample | Effect::SampleAnywhere | Effect::SampleLevel => "textures",
            },
            chips: VERSIONS.filter(|v| *v >= form.attr.since).map(|v| format!("AGAL {v}")).collect(),
            stages: match form.attr.stage {
                Some(stage) => names(&[stage]),
                None => names(&[Stage::Vertex, Stage::Fragment]),
            },
            timing: None,
            length: None,
        }
    }

    fn program(form: &Form<Agal>, text: &str) -> String {
        let stage = (SUITE.ctx)(form).stage.name();
        format!("// agal {} {stage}, unchecked\n{text}\n", VERSIONS.end())
    }
}
