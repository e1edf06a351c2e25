//! Maxwell's instructions.

use super::{Described, Facts, names};
use crate::data::{Bits, Piece};
use shisa_ir::Stage;
use shisa_maxwell::{Chip, Latency, Maxwell, SUITE};
use shisa_rows::{Form, testing::Suite};

impl Described for Maxwell {
    const ISA: shisa::Isa = shisa::Isa::Maxwell;
    const EXTENSION: &'static str = "maxwell";
    const WORD: &'static str =
        "64 bits of the instruction word; above them its 21 control bits from the first word of its bundle";
    const PIECES: &'static [Piece] = &[
        Piece { name: "Instruction word", lo: 0, width: 64 },
        Piece { name: "Control bits", lo: 64, width: 21 },
    ];
    const OPCODE: Bits = (48, 16);
    const SUITE: Suite<'static, Maxwell> = SUITE;

    fn facts(form: &Form<Maxwell>) -> Facts {
        let attr = form.attr;
        let class = attr.class.name();
        Facts {
            group: class,
            chips: Chip::ALL.into_iter().filter(|chip| *chip >= attr.since).map(|c| c.to_string()).collect(),
            stages: names(attr.stages.unwrap_or(&Stage::ALL)),
            timing: Some(match (attr.latency, attr.slow) {
                (Latency::Variable, _) => "variable: the instruction raises a barrier when it is done".into(),
                (Latency::Fixed, None) => "fixed: a number of cycles that stall counts cover".into(),
                (Latency::Fixed, Some(_)) => {
                    "fixed: a number of cycles that stall counts cover; variable with some modifiers or operands".into()
                }
            }),
            length: None,
        }
    }

    fn program(_: &Form<Maxwell>, text: &str) -> String {
        format!("// maxwell\n.chip {}\n\n.code \"example\"\n    {text}\n    EXIT ;\n", Chip::default())
    }
}
