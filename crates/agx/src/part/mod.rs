//! Shader parts: a compiler's output for one stage, a prolog, or an epilog, with its metadata.

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

/// Bytes of a unit in which metadata counts stacks: Mesa's compiler rounds spilled bytes up to words of 32 bits, adds
/// ten, and passes the same number to `stack_adjust`.
pub const STACK_UNIT: u32 = 4;

/// A part: its bytes and its metadata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// All bytes: constants, a preamble, and the code itself.
    pub code: Vec<u8>,
    /// The compiler's metadata.
    pub meta: Meta,
}

/// The role of a part in a program.
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
    /// Whether this is a prolog, a main part or an epilog: the name determines it, and without a name whether the
    /// part is secondary. Secondary parts of fragment programs without a name are epilogs if they end the program or
    /// run in the loop of samples.
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

    /// The range of the main code.
    ///
    /// # Errors
    /// `agx-part-range` if it is not within the bytes.
    pub fn main(&self) -> Result<Range<usize>, Diagnostic> {
        self.range("main", self.meta.main_offset, self.meta.main_size)
    }

    /// The bytes of the preamble: up to the end, since its size is not stored.
    ///
    /// # Errors
    /// `agx-part-range` if it is not within the bytes.
    pub fn preamble(&self) -> Result<Option<Range<usize>>, Diagnostic> {
        self.meta
            .preamble_offset
            .map(|at| self.range("preamble", at, (self.code.len() as u32).saturating_sub(at)))
            .transpose()
    }

    /// The range of the constants that the driver loads into uniforms; `None` if there are none.
    ///
    /// # Errors
    /// `agx-part-range` if it is not within the bytes.
    pub fn constants(&self) -> Result<Option<Range<usize>>, Diagnostic> {
        let constants = self.meta.rodata;
        (constants.size_16 > 0)
            .then(|| self.range("constant", constants.offset, constants.size_16.saturating_mul(2)))
            .transpose()
    }

    /// The layout of the part's bytes: constants, the preamble, the main code.
    pub fn layout(&self) -> Layout {
        let section = |name: &str, code, range| Section { name: name.into(), code, range };
        let mut sections: Vec<Section> = [
            self.constants().ok().flatten().map(|range| section("rodata", false, range)),
            self.main().ok().map(|range| section("main", true, range)),
            self.preamble().ok().flatten().map(|range| section("preamble", true, range)),
        ]
        .into_iter()
        .flatten()
        .collect();
        sections.sort_by_key(|s| s.range.start);
        // The preamble's size is not known: it ends where the next section begins.
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
