//! PICA200's opcodes.

use super::{Described, Facts, names};
use crate::data::{Bits, Piece};
use shisa_ir::Stage;
use shisa_pica200::{Pica200, Role, SUITE};
use shisa_rows::{Form, testing::Suite};

impl Described for Pica200 {
    const ISA: shisa::Isa = shisa::Isa::Pica200;
    const EXTENSION: &'static str = "pica";
    const WORD: &'static str = "32 bits of the instruction word; above them the 32 bits of the operand descriptor that it selects, or zero";
    const PIECES: &'static [Piece] = &[
        Piece { name: "Instruction word", lo: 0, width: 32 },
        Piece { name: "Operand descriptor", lo: 32, width: 32 },
    ];
    const OPCODE: Bits = (26, 6);
    const SUITE: Suite<'static, Pica200> = SUITE;

    fn facts(form: &Form<Pica200>) -> Facts {
        let emits = matches!(form.attr.role, Role::SetEmit | Role::Emit);
        Facts {
            group: match form.attr.role {
                Role::Compute | Role::Nop => "arithmetic",
                Role::Address | Role::Compare => "addresses and flags",
                Role::SetEmit | Role::Emit => "primitives",
                Role::Call | Role::Condition | Role::Loop | Role::Break | Role::Jump | Role::End => {
                    "control flow"
                }
            },
            chips: vec!["PICA200".into()],
            stages: if emits { names(&[Stage::Geometry]) } else { names(&[Stage::Vertex, Stage::Geometry]) },
            timing: None,
            length: None,
        }
    }

    fn program(form: &Form<Pica200>, text: &str) -> String {
        let geometry = if Self::facts(form).group == "primitives" { ".gsh\n" } else { "" };
        format!("{geometry}.proc main\n    {text}\n    end\n.end\n")
    }
}
