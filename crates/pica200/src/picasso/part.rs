//! The state of one program: of a source file, or of the text after a `.dvle`.

use super::allocation::Space;
use super::register::{Bank, FLOATS, INTEGERS};
use super::source_text::Piece;
use crate::container::{Constant, GeometryMode, Label, OutputEntry, Uniform};
use alloc::vec::Vec;

/// A named run of registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol<'s> {
    pub(super) name: &'s str,
    pub(super) register: i32,
    pub(super) size: i32,
}

/// The entry of a program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry<'s> {
    /// At `main`.
    Usual,
    Named(Piece<'s>),
    /// At a word; and its end.
    Words(u32, u32),
}

/// An output as declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output<'s> {
    pub(super) entry: OutputEntry,
    pub(super) place: Piece<'s>,
}

/// A name in a table: text, or an offset into stated names.
#[derive(Clone, Debug)]
pub(super) enum NameRef {
    Text(Vec<u8>),
    Offset(u32),
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Part<'s> {
    pub(super) source: usize,
    /// A `.nodvle`: the file only serves others.
    pub(super) hidden: Option<Piece<'s>>,
    pub(super) entry: Entry<'s>,
    /// The first output and the first procedure, as locations for findings.
    pub(super) first_output: Option<Piece<'s>>,
    pub(super) first_procedure: Option<Piece<'s>>,
    pub(super) geometry: bool,
    /// A geometry program that shares uniforms with vertex programs, as old ones did.
    pub(super) legacy: bool,
    pub(super) merge: bool,
    pub(super) mode: GeometryMode,
    pub(super) inputs: u16,
    pub(super) output_mask: u16,
    pub(super) symbols: Vec<Symbol<'s>>,
    pub(super) constants: Vec<Constant>,
    pub(super) outputs: Vec<Output<'s>>,
    /// Registers that constants set, one bit each.
    set: [u64; 3],
    /// Uniforms of a geometry program that shares none.
    pub(super) spaces: [Space; 3],
    // Set by directives of our own.
    pub(super) version: u16,
    pub(super) kind: Option<u8>,
    pub(super) flags: Option<u8>,
    pub(super) masks: Option<(u16, u16)>,
    pub(super) uniform_entries: Vec<(NameRef, Uniform)>,
    pub(super) labels: Vec<(NameRef, Label)>,
    pub(super) names: Option<Vec<u8>>,
}

impl<'s> Part<'s> {
    pub(super) fn new(source: usize) -> Part<'s> {
        Part {
            source,
            hidden: None,
            entry: Entry::Usual,
            first_output: None,
            first_procedure: None,
            set: [0; 3],
            geometry: false,
            legacy: false,
            merge: false,
            mode: GeometryMode::default(),
            inputs: 0,
            output_mask: 0,
            symbols: Vec::new(),
            constants: Vec::new(),
            outputs: Vec::new(),
            spaces: geometry_spaces(FLOATS),
            version: 0x1002,
            kind: None,
            flags: None,
            masks: None,
            uniform_entries: Vec::new(),
            labels: Vec::new(),
            names: None,
        }
    }

    /// Whether it is a geometry program.
    pub(super) fn geometry_stage(&self) -> bool {
        self.kind.map_or(self.geometry, |k| k == 1)
    }

    /// Whether it has uniforms of its own.
    pub(super) fn own_uniforms(&self) -> bool {
        self.geometry && !self.legacy
    }

    /// Records that a constant sets a register; returns whether an earlier one does.
    pub(super) fn sets(&mut self, register: i32) -> bool {
        let Some(bits) = self.set.get_mut(register as usize / 64) else { return false };
        let before = *bits;
        *bits |= 1 << (register % 64);
        before == *bits
    }

    /// `setemit` makes a program a geometry program of the old kind.
    pub(super) fn by_setemit(&mut self) {
        if !self.geometry {
            self.geometry = true;
            self.legacy = true;
        }
    }
}

/// The uniforms of a geometry program. Its last boolean is not free: the hardware sets it.
pub(super) fn geometry_spaces(first: i32) -> [Space; 3] {
    let booleans = Bank::Boolean.base();
    [
        Space::new(FLOATS, first, FLOATS + 96),
        Space::new(INTEGERS, INTEGERS, INTEGERS + 4),
        Space::new(booleans, booleans, booleans + 15),
    ]
}
