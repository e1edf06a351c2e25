//! Operands and registers as messages name them.

use super::finding::Part;
use super::state::Walk;
use crate::{Dest, RegType, token};
use alloc::format;
use alloc::string::String;
use shisa_ir::{Mask, Stage};

/// A register as the text spells it.
pub(super) fn register(kind: RegType, number: u16, stage: Stage) -> String {
    match (kind, number, kind.name(stage)) {
        (RegType::OUTPUT, 0, _) if stage == Stage::Fragment => "oc".into(),
        (RegType::OUTPUT | RegType::DEPTH | RegType::INSTANCE, 0, Some(name)) => name.into(),
        (_, _, Some(name)) => format!("{name}{number}"),
        _ => format!("register {number} of kind {}", kind.0),
    }
}

/// An operand of the current token as the text spells it.
pub(super) fn operand_text(walk: &Walk<'_>, part: Part) -> String {
    match part {
        Part::Opcode => {
            walk.form.map_or_else(|| format!("{:#x}", token::opcode(walk.word)), |f| f.name.into())
        }
        Part::Destination => {
            let dest = Dest::of(walk.word);
            let mask = match dest.mask() {
                Mask::ALL => String::new(),
                Mask(0) => " with an empty mask".into(),
                mask => format!(".{mask:?}"),
            };
            format!("{}{mask}", register(dest.kind(), dest.number(), walk.stage))
        }
        _ => {
            let source = walk.source_bits(part);
            if source.indirect() && source.kind() != RegType::SAMPLER {
                let index = register(source.index_kind(), source.number(), walk.stage);
                let kind = source.kind().name(walk.stage).unwrap_or("?");
                return format!(
                    "{kind}[{index}.{}+{}]",
                    component(source.index_component()),
                    source.offset()
                );
            }
            register(source.kind(), source.number(), walk.stage)
        }
    }
}

/// The letter of a component.
pub(super) const fn component(i: u8) -> char {
    ['x', 'y', 'z', 'w'][(i & 3) as usize]
}

/// `ft0 to ft7`, or `none` for a kind that the version and stage lack.
pub(super) fn range(walk: &Walk<'_>, kind: RegType, stage: Stage) -> String {
    let count = kind.count(walk.version, stage);
    let (version, stage_name) = (walk.version, stage.name());
    let last = count.saturating_sub(1) as u16;
    match count {
        0 => format!("AGAL {version} has no such register in {stage_name} programs"),
        1 => format!("AGAL {version} {stage_name} programs have {} only", register(kind, 0, stage)),
        _ => format!(
            "AGAL {version} {stage_name} programs have {} to {}",
            register(kind, 0, stage),
            register(kind, last, stage)
        ),
    }
}
