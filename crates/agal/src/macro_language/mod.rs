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
//! A sum with a product stores the product in the target if no other code can observe it, as Adobe's tool always
//! does. Other intermediate values use temporaries that the source does not name. A target with a mask is read back
//! component by component: `ft0.yz *= v0` reads `ft0.yyzz`, where Adobe's tool reads `ft0.yzzz`.

mod conditions;
mod expression;
mod lexer;
mod lower;
mod opcodes;
mod output;
mod preprocess;
mod scope;

use crate::text::{AsmOptions, Assembly, FirstLine, assemble, fits};
use shisa_diag::{Diagnostic, Limits, Severity};

/// The maximum nesting depth of expressions, calls and conditions, whatever the limits say: the parsers recurse once
/// for each level.
const MOST_NESTING: usize = 256;

/// The nesting depth that the limits allow.
fn nesting(limits: &Limits) -> usize {
    limits.nesting.min(MOST_NESTING)
}

/// Assembles a program in the macro language, and reports every fault in it. [`AsmOptions::lenient`] does not apply.
pub fn assemble_macros(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    if let Err(d) = fits(source, limits) {
        return Assembly { diagnostics: alloc::vec![d], ..Assembly::default() };
    }
    let first = FirstLine::of(source);
    let options = AsmOptions {
        version: options.version.or(first.map(|f| f.version)),
        stage: options.stage.or(first.map(|f| f.stage)),
        lenient: false,
        unchecked: options.unchecked || first.is_some_and(|f| f.unchecked),
    };
    let Some(stage) = options.stage else { return assemble(source, &options, limits) };
    let (statements, found) = preprocess::run(source, limits);
    let mut lower = lower::Lower::new(source, options.version.unwrap_or(1), stage, limits);
    lower.found = found;
    lower.program(&statements);
    let (text, found) = (lower.out, lower.found);
    let broken = found.errors() > 0;
    // Rule checks of a program with missing parts would mislead.
    let options = AsmOptions { unchecked: options.unchecked || broken, ..options };
    let mut assembly = assemble(&text.text, &options, limits);
    let reported = core::mem::take(&mut assembly.diagnostics);
    assembly.diagnostics = found.finish();
    assembly.diagnostics.extend(reported.into_iter().map(|d| text.in_source(d)));
    assembly.diagnostics.sort_by_key(|d: &Diagnostic| (d.severity == Severity::Note, d.offset()));
    assembly.diagnostics.truncate(limits.diagnostics.saturating_add(1));
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
