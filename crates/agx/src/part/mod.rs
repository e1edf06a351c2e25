//! Shader parts: what a compiler makes of one stage, a prolog, or an epilog, with what it says of it.

mod meta;
mod program;

pub use meta::{Coefficient, Coefficients, Key, Meta, Rodata, Stats};
pub use program::{Linked, LinkedMeta, Parts, PassType};

use crate::text::{Layout, Section};
use alloc::{format, vec::Vec};
use core::fmt;
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// A part: its bytes and what the compiler says of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// All bytes: constants, a preamble, and the code itself.
    pub code: Vec<u8>,
    /// What the compiler says.
    pub meta: Meta,
}

/// What a part does in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Runs first.
    Prolog,
    /// The shader itself.
    Main,
    /// Runs last.
    Epilog,
}

impl Role {
    /// All roles, in the order in which they run.
    pub const ALL: [Role; 3] = [Role::Prolog, Role::Main, Role::Epilog];

    /// `prolog`, `main` or `epilog`.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Prolog => "prolog",
            Role::Main => "main",
            Role::Epilog => "epilog",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Part {
    /// Whether this is a prolog, a main part or an epilog: what its name says, and without one whether it is
    /// secondary. Of secondary parts without a name those of fragment programs that end the program, or run
    /// in the loop of samples, are epilogs.
    pub fn role(&self) -> Role {
        let named = |role: &Role| self.meta.name.ends_with(role.name());
        match Role::ALL.iter().copied().find(named) {
            Some(role) => role,
            None if !self.meta.key.secondary => Role::Main,
            None if self.meta.stage == Stage::Fragment
                && (!self.meta.key.no_stop || self.meta.key.inside_sample_loop) =>
            {
                Role::Epilog
            }
            None => Role::Prolog,
        }
    }

    /// Where the code itself lies.
    ///
    /// # Errors
    /// `agx-part-range` when that is not within the bytes.
    pub fn main(&self) -> Result<Range<usize>, Diagnostic> {
        self.range("main", self.meta.main_offset, self.meta.main_size)
    }

    /// The bytes of the preamble: up to the end, since its size is not stored.
    ///
    /// # Errors
    /// `agx-part-range` when that is not within the bytes.
    pub fn preamble(&self) -> Result<Option<Range<usize>>, Diagnostic> {
        self.meta
            .preamble_offset
            .map(|at| self.range("preamble", at, (self.code.len() as u32).saturating_sub(at)))
            .transpose()
    }

    /// What lies where in the part's bytes: constants, the preamble, the code itself.
    pub fn layout(&self) -> Layout {
        let constants = self.meta.rodata;
        let constants = (constants.size_16 > 0)
            .then(|| self.range("constant", constants.offset, constants.size_16.saturating_mul(2)).ok())
            .flatten();
        let section = |name: &str, code, range| Section { name: name.into(), code, range };
        let mut sections: Vec<Section> = [
            constants.map(|range| section("rodata", false, range)),
            self.main().ok().map(|range| section("main", true, range)),
            self.preamble().ok().flatten().map(|range| section("preamble", true, range)),
        ]
        .into_iter()
        .flatten()
        .collect();
        sections.sort_by_key(|s| s.range.start);
        // The preamble's size is not known: it ends where the next begins.
        for i in 1..sections.len() {
            let start = sections[i].range.start;
            let end = &mut sections[i - 1].range.end;
            *end = (*end).min(start);
        }
        Layout { sections }
    }

    fn range(&self, what: &str, offset: u32, size: u32) -> Result<Range<usize>, Diagnostic> {
        let (start, size) = (offset as usize, size as usize);
        let end = start.checked_add(size).filter(|end| *end <= self.code.len());
        end.map(|end| start..end).ok_or_else(|| {
            let have = self.code.len();
            let text =
                format!("the {what} code, {size} bytes at {start}, is not within the part's {have} bytes");
            Diagnostic::error("agx-part-range", text)
        })
    }
}
