//! WGSL, printed from the syntax tree.
//!
//! Expressions and statements carry the number of their instruction, so that lines are mapped, and comments written,
//! while they are printed. An expression that is used once is printed at its use. An expression that has the name of
//! a register, is used more often, or depends on its position becomes a `let`. Names are unique within their
//! function.
//!
//! Files import one another in this order only: `text`, `words`, `labels`, `facts`, `printer`, `types`, `expression`,
//! `statement`, `module`.

mod expression;
mod facts;
mod labels;
mod module;
mod printer;
mod statement;
mod text;
mod types;
mod words;

use crate::{Code, Options, Output, Program, Reflection, Target, build};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The memory of programs that were translated, for the next one.
#[derive(Default)]
pub(crate) struct Spare {
    build: build::Spare,
    tables: printer::Tables,
}

/// Translates to WGSL. Most of the memory comes from `spare`.
pub(crate) fn translate(
    program: &Program,
    options: &Options,
    spare: &mut Spare,
    limits: &Limits,
) -> Result<Output, Vec<Diagnostic>> {
    let built = build::build(program, Target::Wgsl, options, true, &mut spare.build, limits)?;
    let comments = if options.comments { program.source } else { &[] };
    let printed = module::print(&built.module, &built.made, comments, &mut spare.tables);
    let (text, source_map) = printed.map_err(|d| vec![d])?;
    spare.build.take(built.module);
    limits.check(Limit::TextOut, "bytes of text", text.len()).map_err(|d| vec![d])?;
    let reflection = Reflection::new(program, Target::Wgsl, options, &built.memory);
    Ok(Output { code: Code::Text(text), reflection, source_map, warnings: built.warnings })
}
