//! The walk over the tokens.

use super::finding::{Finding, Part};
use super::state::{Blocks, Go, Ranges, Walk};
use crate::shape::{Want, Wants};
use crate::{Agal, Effect, Program, RegType, Source, max_tokens, token};
use alloc::vec::Vec;
use core::ops::ControlFlow::Continue;
use shisa_ir::Stage;
use shisa_rows::Insn;

/// The last opcode of AGAL 1.
const LAST_OPCODE: u32 = 0x2d;

/// The breaches in a program, in Flash's order: the first `limit` of them with advice; with `once` only the first.
pub(super) fn walk(program: &Program, limit: usize, once: bool) -> Vec<Finding> {
    let mut walk = Walk {
        program,
        stage: program.stage,
        version: program.version.max(1),
        ranges: Ranges::of(program.version, program.stage),
        number: 0,
        word: &[0; 3],
        form: None,
        temporaries: [0; 26],
        samplers: [0; 16],
        colours: 0,
        blocks: Blocks::default(),
        found: Vec::new(),
        limit,
        once,
    };
    // `Break` only states that the findings are complete.
    let _ = walk.program();
    walk.found
}

impl Walk<'_> {
    fn program(&mut self) -> Go {
        let max = max_tokens(self.version);
        for (number, word) in (1u32..).zip(&self.program.tokens) {
            (self.number, self.word) = (number, word);
            self.token()?;
            if number as usize > max {
                return self.report(3629, None);
            }
        }
        if self.blocks.depth > 0 {
            self.report(3739, None)?;
        }
        // The written colours without the lowest run of ones.
        if self.version > 1 && self.colours & (self.colours + 1) != 0 {
            self.report(3775, None)?;
        }
        Continue(())
    }

    fn token(&mut self) -> Go {
        self.form = Insn::<Agal>::decode(*self.word).map(|i| i.form());
        self.opcode()?;
        let Some(form) = self.form else { return Continue(()) };
        let wants = form.attr.wants;
        self.nest(form.attr.effect)?;
        self.source(Part::Source1, wants.a)?;
        self.source(Part::Source2, wants.b)?;
        self.sources_together(form.attr.effect, wants)?;
        self.destination(wants)?;
        if wants.b == Want::Sampler { self.sampler_again() } else { Continue(()) }
    }

    fn opcode(&mut self) -> Go {
        let part = Some(Part::Opcode);
        let Some(form) = self.form else {
            let inside = token::opcode(self.word) <= LAST_OPCODE;
            return self.report(if inside { 3621 } else { 3620 }, part);
        };
        if u32::from(form.attr.since) > self.version {
            self.report(form.attr.too_new[usize::from(self.version > 1)], part)?;
        }
        match form.attr.stage {
            Some(Stage::Fragment) if self.stage != Stage::Fragment => self.report(3622, part),
            Some(Stage::Vertex) if self.stage != Stage::Vertex => self.report(3803, part),
            _ => Continue(()),
        }
    }

    fn sources_together(&mut self, effect: Effect, wants: Wants) -> Go {
        let constant = |s: Source| (s.0 >> 32) as u8 == RegType::CONSTANT.0;
        let (first, second) = (Source(self.word[1]), Source(self.word[2]));
        match (wants.a, wants.b) {
            (Want::Nothing, _) => return Continue(()),
            (_, Want::Nothing) => {
                if constant(first) && effect != Effect::Copy {
                    self.report(3625, None)?;
                }
                return Continue(());
            }
            _ => {}
        }
        if constant(first) && constant(second) {
            self.report(3625, None)?;
        }
        if matches!(wants.b, Want::Matrix(_)) && second.swizzle() != shisa_ir::Swizzle::IDENTITY {
            self.report(3689, Some(Part::Source2))?;
        }
        if wants.b != Want::Sampler && first.indirect() && second.indirect() {
            self.report(3626, None)?;
        }
        if effect == Effect::If && first == second {
            self.report(3758, None)?;
        }
        if self.blocks.depth > 0 && effect == Effect::Sample && first.kind() != RegType::VARYING {
            self.report(3741, Some(Part::Source1))?;
        }
        Continue(())
    }
}
