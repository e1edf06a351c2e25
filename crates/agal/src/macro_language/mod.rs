//! AGALMacroAssembler's language: expressions, macros and conditions on top of AGALMiniAssembler's.
//!
//! # Concepts
//!
//! Statements end at the end of a line or at `;`; comments are `// …` and `/* … */`.
//!
//! | statement | meaning |
//! |---|---|
//! | `ft0 = v0 * fc0 + fc1`, also `+=` `-=` `*=` `/=` | `+ - * /`, negation and parentheses, on registers |
//! | `ft0 = v0 >= fc0`, also `<` `<=` `>` `==` `!=` | 1 where it holds, else 0; not in Adobe's tool, but in the copy that Scratch has |
//! | `ft0 = rcp(v0)`, `ft0 = tex<2d,linear>(v0, fs0)` | every opcode is a function; `mul3x3` is `m33`, `mul4x4` is `m44` |
//! | `alias va0, pos` | another name for a register or some of its components |
//! | `alias vc0, CONST_0(0.5, 1)` | the same, and numbers in expressions use its components |
//! | `macro Half(a) { out = a * 0.5 }` | `x = Half(y)` inserts the body; macros are distinguished by their number of arguments |
//! | `#define A 2`, `#define A`, `#undef A` | a value for conditions; names without a value count as 0 |
//! | `#if A > 1 && !B` … `#elif` … `#else` … `#endif` | leaves statements out |
//! | anything else | an instruction, with aliases and numbers replaced |
//!
//! The language is lowered to AGALMiniAssembler's text, piece by piece with its origin, and that text is assembled
//! strictly: findings point into the source, at the expression and at the calls that led to it.
//!
//! Statements that Adobe's tool accepts yield its bytes, except where those compute something else than the statement
//! says:
//!
//! | statement | Adobe's tool | here |
//! |---|---|---|
//! | `ft0 = v0 * fc0 + ft0` | stores the product in `ft0`, and adds it to itself | the product is stored in a temporary that the source does not name |
//! | `oc = v0 * fc0 + fc1` | reads the output `oc` back, which players refuse | the same temporary |
//! | `ft0 = -0.5` | negates the constant 0.5 | copies the constant -0.5 |
//! | `pos.y`, where `alias va0.xy, pos` | ignores the second components | selects from the first ones |
//!
//! [`AsmOptions::lenient`] makes none of these exceptions. A target that is also a source keeps its components:
//! `ft0.yz *= v0` is `mul ft0.yz, ft0.yz, v0`, and reads `ft0.z` for both, which is a warning. Intermediate values of
//! other expressions use temporaries that the source does not name.

mod conditions;
mod expression;
mod lexer;
mod lower;
mod opcodes;
mod output;
mod preprocess;
mod scope;

use crate::text::{AsmOptions, Assembly, FirstLine, assemble, fits};
use shisa_diag::{Bound, Limits, Severity};

/// The maximum nesting depth of expressions, calls and conditions, whatever the limits say: the parsers recurse once
/// for each level.
const MOST_NESTING: u64 = 256;

/// The levels of nesting that a limit allows.
fn levels(nesting: Bound) -> u64 {
    nesting.value().min(MOST_NESTING)
}

/// Assembles a program in the macro language, and reports every fault in it.
pub fn assemble_macros(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    if let Err(d) = fits(source, limits) {
        return Assembly { diagnostics: alloc::vec![d], ..Assembly::default() };
    }
    let first = FirstLine::of(source);
    let options = AsmOptions {
        version: options.version.or(first.map(|f| f.version)),
        stage: options.stage.or(first.map(|f| f.stage)),
        unchecked: options.unchecked || first.is_some_and(|f| f.unchecked),
        ..*options
    };
    let Some(stage) = options.stage else { return assemble(source, &options, limits) };
    let (statements, found) = preprocess::run(source, limits);
    let mut lower = lower::Lower::new(source, &options, stage, limits);
    lower.found = found;
    lower.program(&statements);
    let (text, mut found) = (lower.out, lower.found);
    let broken = found.errors() > 0;
    // Rule checks of a program with missing parts would mislead.
    let options = AsmOptions { unchecked: options.unchecked || broken, ..options };
    let mut assembly = assemble(&text.text, &options, limits);
    found.extend(core::mem::take(&mut assembly.diagnostics).into_iter().map(|d| text.in_source(d)));
    assembly.diagnostics = found.finish_by(|d| (d.severity == Severity::Note, d.offset()));
    for line in &mut assembly.lines {
        let span = text.origin(line.start as usize..line.end as usize);
        (line.start, line.end) = (span.start as u32, span.end as u32);
        line.line = text.line(line.line);
    }
    if broken {
        assembly.program = None;
    }
    assembly
}
