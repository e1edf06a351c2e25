//! AGX's instructions.

use super::{Described, Facts, names};
use crate::data::{Bits, Length, Piece};
use shisa_agx::facts::{Cost, Length as Bytes, Role, Stages, Time, Unit};
use shisa_agx::{Agx, SUITE};
use shisa_ir::Stage;
use shisa_rows::{Form, testing::Suite};

impl Described for Agx {
    const ISA: shisa::Isa = shisa::Isa::Agx;
    const EXTENSION: &'static str = "agx";
    const WORD: &'static str = "the bytes of an instruction, the first one lowest";
    const PIECES: &'static [Piece] = &[Piece { name: "Instruction", lo: 0, width: 96 }];
    const OPCODE: Bits = (0, 16);
    const SUITE: Suite<'static, Agx> = SUITE;

    fn facts(form: &Form<Agx>) -> Facts {
        let Bytes { short, long, bit } = form.attr.length;
        Facts {
            group: group(form.attr.facts.role),
            chips: vec!["G13".into()],
            stages: names(match form.attr.facts.stages {
                Stages::Any => &[Stage::Vertex, Stage::Fragment, Stage::Compute],
                Stages::Vertex => &[Stage::Vertex],
                Stages::Fragment => &[Stage::Fragment],
                Stages::Compute => &[Stage::Compute],
                Stages::Tile => &[Stage::Fragment, Stage::Compute],
            }),
            timing: timing(form.attr.facts.cost),
            length: Some(Length { short, long, bit }),
        }
    }

    fn program(_: &Form<Agx>, text: &str) -> String {
        format!("// agx\n.code \"\"\n    {text}\n    stop\n")
    }
}

fn group(role: Role) -> &'static str {
    match role {
        Role::Compute | Role::Constant | Role::Select => "arithmetic",
        Role::Exchange(_) => "exchange between lanes",
        Role::Control(_) => "control flow",
        Role::Wait | Role::Barrier(_) => "waits and barriers",
        Role::Memory(_) => "memory and textures",
        Role::Pixel(_) => "pixels",
        Role::Coefficients(_) | Role::Varying(_) => "varyings",
        Role::Driver => "driver",
    }
}

fn timing(cost: Cost) -> Option<String> {
    let time = |unit: Unit, Time { latency, busy }: Time| {
        format!("unit {}: result after {latency} cycles, one instruction every {busy}", unit.name())
    };
    match cost {
        Cost::Measured(unit, measured) => Some(time(unit, measured)),
        Cost::Chosen { unit, zero, other, .. } => {
            Some(format!("{}; or after {} cycles, every {}", time(unit, zero), other.latency, other.busy))
        }
        Cost::Unmeasured | Cost::Memory | Cost::Control => None,
    }
}
