//! The tree of a program's text ([`crate::syntax`]), made from the program in two steps: a plan, then the module.
//!
//! Files import one another in this order only: `mark`, `locations`, `outlets`, `natives`, `helpers`, `plan`, `emission`,
//! `globals`, `entry`, `body` and the operations that extend it (`float`, `wide`, `integer`, `components`, `read`, `memory`,
//! `texel`, `sample`), `module`.

mod body;
mod emission;
mod entry;
mod globals;
mod helpers;
mod locations;
mod mark;
mod module;
mod natives;
mod outlets;
mod plan;

pub(crate) use body::Made;
#[cfg(feature = "naga")]
pub(crate) use emission::{EMIT_VERTEX, END_STRIP, STREAM};
#[cfg(feature = "glsl")]
pub(crate) use globals::{ALL, OF_PATCH, OWN, stand_in};
pub(crate) use helpers::{Helper, Helpers};
#[cfg(feature = "naga")]
pub(crate) use locations::{stencil_location, system_location};
#[cfg(feature = "naga")]
pub(crate) use mark::Mark;
#[cfg(feature = "naga")]
pub(crate) use natives::{DoubleOp, Int64Op, Native, TEXEL_ARGUMENTS, TexelChange, WIDE_ARGUMENTS, WideOp};

use crate::syntax::Module;
use crate::{Options, Program, Target};
use shisa_diag::{Diagnostic, Limits};

/// A module, and what its printer needs besides.
pub(crate) struct Built<'p> {
    pub(crate) module: Module<'p>,
    pub(crate) made: Made<'p>,
    /// The memory spaces in use.
    pub(crate) memory: Vec<crate::memory::Use>,
    /// Warnings for the output.
    pub(crate) warnings: Vec<Diagnostic>,
}

/// The memory of programs that were translated, for the next one.
#[derive(Default)]
pub(crate) struct Spare {
    plan: plan::Tables,
    module: module::Spare,
}

impl Spare {
    /// Takes the memory of a module that is no longer needed.
    #[cfg(feature = "wgsl")]
    pub(crate) fn take(&mut self, module: Module) {
        self.module.take(module);
    }
}

/// Plans a program and builds its module for a language. `outlines` leaves the helpers empty. The module takes its memory from
/// `spare`.
///
/// # Errors
/// Everything that the language cannot express; `internal-translate` where the translator contradicts itself.
pub(crate) fn build<'p>(
    program: &'p Program<'p>,
    target: Target,
    options: &'p Options,
    outlines: bool,
    spare: &mut Spare,
    limits: &Limits,
) -> Result<Built<'p>, Vec<Diagnostic>> {
    let plan = plan::Plan::new(program, target, options, std::mem::take(&mut spare.plan), limits)?;
    let helpers = Helpers::new(outlines);
    let module = module::build(program, target, options, &plan, helpers, &mut spare.module);
    let (module, made) = module.map_err(|d| vec![d])?;
    spare.plan = plan.tables;
    Ok(Built { module, made, memory: plan.memory, warnings: plan.warnings })
}
