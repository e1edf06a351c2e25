//! Rules for programs beyond single words.
//!
//! [`check`] reads all programs of a file and applies each kind of rule: the contents of words (`encoding`), control
//! flow (`structure`), what the Shader Program Header permits (`header`, `attributes`, `outputs`), emission of
//! vertices in geometry programs (`emit`), which special registers have a value (`special`), requested sizes
//! (`room`), and what must be waited for ([`crate::hazards`]). Only instructions that may run are checked: padding
//! after the end is not a finding.

mod attributes;
mod code;
mod codes;
mod emit;
mod encoding;
mod header;
mod outputs;
mod room;
mod special;
mod structure;
#[cfg(test)]
mod tests;

pub use codes::CODES;
pub(crate) use emit::without_state;
pub use header::{needs, stages};

use crate::container::Image;
use crate::{Chip, Options, hazards};
use alloc::vec::Vec;
use code::{Code, Found};
use shisa_diag::{Diagnostic, Limits, Sink};

/// Every kind of rule.
const RULES: &[fn(&Code<'_>, &mut Found<'_>)] = &[
    encoding::check,
    structure::check,
    header::check,
    attributes::check,
    outputs::check,
    emit::check,
    special::check,
    room::check,
    waits,
];

/// All faults of the programs of a file, one after the other; faults of skipped parts of the container come first.
/// Labels count bytes of the file, notes name the instruction. `chip` applies if nothing else states the chip; the
/// default is 5.3. At most [`Limits::diagnostics`] findings, and a note that counts the rest.
pub fn check(image: &Image<'_>, chip: Option<Chip>, options: Options, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    sink.extend(image.faults.iter().cloned());
    sink.extend(image.check(limits));
    for (number, program) in image.programs.iter().enumerate() {
        let chip = program.chip.or(chip).unwrap_or_default();
        let mut code = Code::new(program, image.header(number), image.code(number), chip);
        code.options = options;
        let mut found = Found::new(image, &code, limits, &mut sink);
        for rule in RULES {
            rule(&code, &mut found);
        }
    }
    sink.finish()
}

/// Missing waits.
fn waits(code: &Code<'_>, found: &mut Found<'_>) {
    let limits = found.limits();
    hazards::check(&code.graph, code.options, limits, |finding| {
        if code.graph.may_run(finding.insn) {
            found.with(finding.insn, finding.other, finding.diagnostic);
        }
    });
}
