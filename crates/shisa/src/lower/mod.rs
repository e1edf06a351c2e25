//! From bytes to what translators read: structured operations on values.

#[cfg(feature = "agal")]
pub(crate) mod agal;
#[cfg(feature = "agx")]
mod agx;
#[cfg(feature = "pica200")]
mod pica200;

use crate::{Isa, Result, Settings, identify};
use shisa_diag::Diagnostic;
use shisa_ir::{Func, Interface, Name, Tree};

/// A program as translators read it.
#[derive(Clone, Debug)]
pub struct Lowered {
    kind: Kind,
    /// Its operations on values; registers are only inputs, uniforms and outputs.
    pub func: Func,
    /// The order in which its blocks run.
    pub tree: Tree,
    /// What it exchanges with the outside.
    pub interface: Interface,
    /// What of its meaning depends on where it runs.
    pub warnings: Vec<Diagnostic>,
}

/// Where a program comes from.
#[derive(Clone, Debug)]
enum Kind {
    #[cfg(feature = "agal")]
    Agal(shisa_agal::Program),
    #[cfg(feature = "pica200")]
    Pica200(shisa_pica200::container::Shbin, shisa_pica200::Program),
    #[cfg(feature = "agx")]
    Agx(shisa_agx::Program),
}

/// What of a file is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Which program, numbered from 1, of a file that holds several; `None` is the first.
    pub program: Option<usize>,
    /// Which outputs a PICA200 program is to have.
    #[cfg(feature = "pica200")]
    pub outputs: shisa_pica200::Outputs,
    /// Threads of a workgroup of an AGX compute program in each dimension; `None` takes what the file says, else
    /// 32, 1, 1.
    #[cfg(feature = "agx")]
    pub workgroup: Option<[u32; 3]>,
    /// The tile of a workgroup of an AGX compute program; `None` takes what the file says, else the default one.
    #[cfg(feature = "agx")]
    pub imageblock: Option<shisa_agx::Imageblock>,
    /// Samples of a pixel of an AGX fragment program, 1, 2 or 4; `None` takes those that a loop in it runs for, else 1.
    #[cfg(feature = "agx")]
    pub samples: Option<u16>,
}

impl Lowered {
    /// Lifts the first program of a file, recovers its graph, turns registers into values and nests its
    /// blocks.
    ///
    /// # Errors
    /// What the container, the lift and the passes refuse.
    pub fn new(bytes: &[u8], settings: &Settings) -> Result<Lowered> {
        Lowered::select(bytes, &Selection::default(), settings)
    }

    /// As [`Lowered::new`], of the program that is meant.
    ///
    /// # Errors
    /// As [`Lowered::new`]; `no-program` if there is none of this number.
    pub fn select(bytes: &[u8], selection: &Selection, settings: &Settings) -> Result<Lowered> {
        match identify::program_isa(bytes, settings)? {
            #[cfg(feature = "agal")]
            Isa::Agal => {
                crate::program::only(selection.program)?;
                agal::lower(bytes, settings)
            }
            #[cfg(feature = "pica200")]
            Isa::Pica200 => pica200::select(bytes, selection, settings),
            #[cfg(feature = "maxwell")]
            Isa::Maxwell => Err(identify::not_built("lifting Maxwell code")),
            #[cfg(feature = "agx")]
            Isa::Agx => agx::lower(bytes, selection, settings),
        }
    }

    /// The name of the register that each instruction writes; empty for one that writes none.
    pub fn results(&self) -> Vec<Name> {
        match &self.kind {
            #[cfg(feature = "agal")]
            Kind::Agal(program) => agal::results(program),
            #[cfg(feature = "pica200")]
            Kind::Pica200(_, program) => pica200::results(program),
            #[cfg(feature = "agx")]
            Kind::Agx(program) => agx::results(program),
        }
    }

    /// The text of each instruction.
    pub fn texts(&self) -> Vec<String> {
        match &self.kind {
            #[cfg(feature = "agal")]
            Kind::Agal(program) => agal::texts(program),
            #[cfg(feature = "pica200")]
            Kind::Pica200(file, _) => pica200::texts(file),
            #[cfg(feature = "agx")]
            Kind::Agx(program) => agx::texts(program),
        }
    }
}
