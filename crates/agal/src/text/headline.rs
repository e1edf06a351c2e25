//! The breach of a rule in one line, with the operand as it is written.

use super::parse::extent;
use crate::operand::{B, SourceKind};
use crate::rules::Part;
use crate::shape::Shape;
use crate::{Agal, MAX_NESTING, Program, RegType, SamplerBits, Source, Token, max_tokens};
use alloc::{format, string::String};
use core::any::Any;
use shisa_ir::Stage;
use shisa_rows::Form;

/// The subject of a headline.
pub(super) struct Subject<'a> {
    pub(super) number: u16,
    pub(super) program: &'a Program,
    pub(super) token: Token,
    pub(super) form: Option<&'static Form<Agal>>,
    /// The operand as written; the whole instruction if the finding is not about a part.
    pub(super) operand: &'a str,
    pub(super) part: Option<Part>,
    /// The line that the second label points at.
    pub(super) second_line: Option<u32>,
}

/// The headline; `None` for a number whose Flash text is clear enough.
#[cold]
pub(super) fn write(s: &Subject<'_>) -> Option<String> {
    let (op, reg) = (s.form.map_or("this", |f| f.name), s.register());
    let version = s.program.version;
    let text = match s.number {
        3621 | 3726 | 3805 if s.part == Some(Part::Opcode) => {
            format!("{op} needs AGAL {}", s.form.map_or(2, |f| f.attr.since))
        }
        3622 => format!("{op} is only allowed in fragment programs"),
        3623 => format!("{op} without if"),
        3624 => format!("conditions nest more than {MAX_NESTING} deep"),
        3625 if s.form.is_some_and(|f| f.operand(B).is_some()) => "both sources are constants".into(),
        3625 => format!("the only source of {op} is a constant"),
        3626 => "both sources are indirect".into(),
        3628 => format!("{op} writes three components: mask w"),
        3629 => {
            format!("{} instructions: AGAL {version} allows {}", s.program.tokens.len(), max_tokens(version))
        }
        3637 => format!("{reg}: only fragment programs read textures before AGAL 4"),
        3638 => format!("{reg} can only be the last operand of a texture instruction"),
        3639 => "indirect addressing is only allowed in vertex programs".into(),
        3640 => "only vc can be indexed".into(),
        3641 => "a texture coordinate cannot be indirect".into(),
        3642 => format!("{reg} cannot be an index: only va, vc and vt can"),
        3644 => format!("{reg} can only be read in a fragment program"),
        3645 | 3788 => format!("{reg} can only be read in a vertex program"),
        3646 => format!("{reg} cannot be read"),
        3647 => format!("{reg} is read before it is written"),
        3648 => format!("components of {reg} are read before they are written"),
        3649 | 3651 | 3652 | 3786 => format!("{reg} cannot be written"),
        3650 => format!("{reg} can only be written in a vertex program"),
        3656..=3661 | 3749 => s.range(reg),
        3662 => "cube maps must clamp".into(),
        3664 => format!("players do not accept {} textures", s.options().next().unwrap_or("such")),
        3665..=3668 => format!("players of AGAL {version} do not accept these sampler options"),
        3689 => format!("the matrix operand of {op} cannot be swizzled"),
        3693 => format!("the third operand of {op} must be a sampler register, not {reg}"),
        3696 => match s.second_line {
            Some(line) => format!("{reg} was used with other options in line {line}"),
            None => format!("{reg} was used with other options before"),
        },
        3701 => format!("{reg} must be written whole"),
        3703 => format!("{op} needs one component"),
        3739 => "if without eif".into(),
        3740 => format!("{op} has no bias"),
        3741 => format!("the coordinate of {op} in a condition must be a varying"),
        3742 => format!("{op} is not allowed in a condition"),
        3743 => format!("{op} needs a mip mode"),
        3744 => format!("{reg} is written a second time"),
        3748 => format!("the branch before {op} is empty"),
        3750 => format!("{reg} can only be used in a fragment program"),
        3751 => format!("{reg} cannot be written in a condition"),
        3752 => format!("{op} without if, or a second time"),
        3756 => format!("{reg} must be written as {reg}.x"),
        3758 => format!("{op} compares an operand with itself"),
        3775 => "colours are written with a gap between them".into(),
        3789 => format!("{reg} needs AGAL 3"),
        3803 => format!("{op} is only allowed in vertex programs"),
        3804 => "vertex textures cannot have an anisotropic filter".into(),
        3805 => format!("{reg} needs AGAL 4"),
        _ => return None,
    };
    Some(format!("{text} (#{})", s.number))
}

impl<'a> Subject<'a> {
    /// The register as written, without components. For an indirect operand it is the index register, if the number
    /// is about that.
    fn register(&self) -> &'a str {
        let about_index = matches!(self.number, 3642 | 3647 | 3648 | 3656..=3661 | 3749);
        let text = match self.operand.split_once('[') {
            Some((_, index)) if about_index => index,
            _ => self.operand,
        };
        text.split(['.', '[', ' ', '\t', '<']).next().unwrap_or(text)
    }

    fn options(&self) -> impl Iterator<Item = &'a str> {
        let dimensions = super::names::WRITTEN.iter().take(1).flat_map(|g| g.labels);
        let value = SamplerBits(self.token[2]).dimension();
        dimensions.skip(usize::from(value)).map(|n| n.as_str()).take(1)
    }

    fn range(&self, reg: &str) -> String {
        let (version, stage) = (self.program.version, self.program.stage);
        let source = match self.part {
            Some(Part::Source1) => Some(Source(self.token[1])),
            Some(Part::Source2) => Some(Source(self.token[2])),
            _ => None,
        };
        let kind = match (self.number, source) {
            (3656, _) => RegType::SAMPLER,
            (3657, _) => RegType::VARYING,
            (3658, _) => RegType::ATTRIBUTE,
            (3659, _) => RegType::CONSTANT,
            (3660, _) => RegType::OUTPUT,
            (3661, _) => RegType::TEMPORARY,
            _ => RegType::DEPTH,
        };
        // Attributes are counted as in vertex programs: no other program has them.
        let stage = if kind == RegType::ATTRIBUTE { Stage::Vertex } else { stage };
        let count = kind.count(version, stage);
        if kind == RegType::DEPTH && count == 0 {
            return format!("{reg} needs AGAL 2");
        }
        if let Some(source) = source
            && !source.indirect()
            && u32::from(source.number()) < count
        {
            let kind_of_b: Option<&dyn Any> =
                self.form.and_then(|f| f.operand(B)).map(|o| o.kind as &dyn Any);
            let rows = match kind_of_b.and_then(|k| k.downcast_ref()) {
                Some(SourceKind(Shape::Matrix(rows, _))) => u32::from(*rows),
                _ => 1,
            };
            let name = kind.name(stage).unwrap_or_default();
            let last = u32::from(source.number()) + rows - 1;
            return format!("{reg} to {name}{last}: AGAL {version} ends at {name}{}", count - 1);
        }
        format!("{reg} out of range: {}", extent(kind, version, stage))
    }
}
