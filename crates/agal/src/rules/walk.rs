//! The walk over the tokens.

use super::blocks::Blocks;
use super::shape::{Nesting, Want, Wants};
use super::{Findings, Part};
use crate::{Agal, Program, RegType, Source, Token, max_tokens, token};
use core::ops::ControlFlow::{self, Break, Continue};
use shisa_ir::Stage;
use shisa_rows::{Form, Insn};

/// `Break` when enough has been found.
pub(super) type Go = ControlFlow<()>;

/// The last opcode of AGAL 1.
const LAST_OPCODE: u32 = 0x2d;

/// What is known in front of a token.
pub(super) struct Walk<'p> {
    pub(super) program: &'p Program,
    pub(super) stage: Stage,
    /// 1 to 4.
    pub(super) version: u32,
    /// The token looked at, counted from 1.
    pub(super) number: u32,
    pub(super) word: Token,
    /// The row of the token, if it has one.
    pub(super) form: Option<&'static Form<Agal>>,
    /// Components written so far of each temporary.
    pub(super) temporaries: [u8; 26],
    /// Bits of the first use of each sampler; 0 where there was none.
    pub(super) samplers: [u64; 16],
    /// Colours written so far, one bit each.
    pub(super) colours: u8,
    pub(super) blocks: Blocks,
    found: Findings,
    limit: usize,
    /// Whether the first finding is all that is wanted.
    once: bool,
}

/// What is wrong with a program, in Flash's order: at most `limit` findings, the rest counted; of `once`
/// only the first.
pub(super) fn walk(program: &Program, limit: usize, once: bool) -> Findings {
    let mut walk = Walk {
        program,
        stage: program.stage,
        version: program.version.max(1),
        number: 0,
        word: Token::default(),
        form: None,
        temporaries: [0; 26],
        samplers: [0; 16],
        colours: 0,
        blocks: Blocks::default(),
        found: Findings::default(),
        limit,
        once,
    };
    // `Break` only says that the findings are complete.
    let _ = walk.program();
    walk.found
}

impl Walk<'_> {
    /// Takes a finding about a part of the token, or about all of it.
    pub(super) fn report(&mut self, number: u16, part: Option<Part>) -> Go {
        if self.found.list.len() < self.limit {
            let finding = super::advice::finding(self, number, part);
            self.found.list.push(finding);
        } else {
            self.found.more += 1;
        }
        if self.once { Break(()) } else { Continue(()) }
    }

    fn program(&mut self) -> Go {
        let max = max_tokens(self.version);
        for (number, word) in (1u32..).zip(&self.program.tokens) {
            (self.number, self.word) = (number, *word);
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
        self.form = Insn::<Agal>::decode(self.word).map(|i| i.form());
        self.opcode()?;
        let Some(form) = self.form else { return Continue(()) };
        let wants = Wants::of(form);
        let nesting = wants.nesting(form);
        self.nest(form, nesting)?;
        self.source(Part::Source1, wants.a)?;
        self.source(Part::Source2, wants.b)?;
        self.sources_together(form, nesting, wants)?;
        self.destination(wants)?;
        if wants.b == Want::Sampler { self.sampler_again() } else { Continue(()) }
    }

    fn opcode(&mut self) -> Go {
        let part = Some(Part::Opcode);
        let Some(form) = self.form else {
            let inside = token::opcode(&self.word) <= LAST_OPCODE;
            return self.report(if inside { 3621 } else { 3620 }, part);
        };
        if u32::from(form.attr.since) > self.version {
            let number = match (form.name, self.version) {
                ("sgn", _) => 3621,
                ("tld", 1) => 3620,
                ("tld", _) => 3805,
                _ => 3726,
            };
            self.report(number, part)?;
        }
        match form.attr.stage {
            Some(Stage::Fragment) if self.stage != Stage::Fragment => self.report(3622, part),
            Some(Stage::Vertex) if self.stage != Stage::Vertex => self.report(3803, part),
            _ => Continue(()),
        }
    }

    fn sources_together(&mut self, form: &Form<Agal>, nesting: Nesting, wants: Wants) -> Go {
        let constant = |s: Source| (s.0 >> 32) as u8 == RegType::CONSTANT.0;
        let (first, second) = (Source(self.word[1]), Source(self.word[2]));
        match (wants.a, wants.b) {
            (Want::Nothing, _) => return Continue(()),
            (_, Want::Nothing) => {
                if constant(first) && form.name != "mov" {
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
        if nesting == Nesting::If && first == second {
            self.report(3758, None)?;
        }
        if self.blocks.depth > 0 && form.name == "tex" && first.kind() != RegType::VARYING {
            self.report(3741, Some(Part::Source1))?;
        }
        Continue(())
    }

    /// The number for a register that does not exist, if it does not. Constants are measured against
    /// the range of `stage`.
    pub(super) fn out_of_range(&self, kind: RegType, number: u32, stage: Stage) -> Option<u16> {
        let count = |stage| kind.count(self.version, stage);
        let (count, fault) = match kind {
            RegType::ATTRIBUTE => (count(Stage::Vertex), 3658),
            RegType::CONSTANT => (count(stage), 3659),
            RegType::TEMPORARY => (count(stage), 3661),
            RegType::OUTPUT => (count(self.stage), 3660),
            RegType::VARYING => (count(stage), 3657),
            RegType::SAMPLER if self.version < 4 => (count(Stage::Fragment), 3656),
            RegType::SAMPLER => (count(self.stage), 3656),
            RegType::DEPTH => (count(Stage::Fragment), 3749),
            RegType::INSTANCE if self.version < 3 => (0, 3789),
            RegType::INSTANCE => (1, 3655),
            _ => (0, 3655),
        };
        (number >= count).then_some(fault)
    }
}
