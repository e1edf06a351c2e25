//! Rules that programs obey beyond what each word says by itself.
//!
//! [`check`] reads all programs of a file and holds them to each kind of rule: what words may hold
//! (`encoding`), where control may go (`structure`), what the Shader Program Header allows (`header`,
//! `attributes`, `outputs`), how geometry programs emit vertices (`emit`), which special registers have a value
//! (`special`), how much room is asked for
//! (`room`), and what must be waited for ([`crate::hazards`]). Only instructions that may run are checked: what compilers put after the end is no finding.

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
pub use header::{needs, stages};

use crate::container::Image;
use crate::{Chip, hazards};
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

/// All that is wrong with the programs of a file, one after the other; what is wrong with the container and was
/// passed over comes first. Labels count bytes of the file, notes name the instruction. `chip` is taken where nothing else states
/// the chip; without it that is 5.3. At most [`Limits::diagnostics`] findings, and a note that counts the rest.
pub fn check(image: &Image<'_>, chip: Option<Chip>, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    sink.extend(image.faults.iter().cloned());
    sink.extend(image.check(limits));
    for (number, program) in image.programs.iter().enumerate() {
        let chip = program.chip.or(chip).unwrap_or_default();
        let code = Code::new(program, image.header(number), image.code(number), chip);
        let mut found = Found::new(image, &code, limits, &mut sink);
        for rule in RULES {
            rule(&code, &mut found);
        }
    }
    sink.finish()
}

/// What instructions do not wait for.
fn waits(code: &Code<'_>, found: &mut Found<'_>) {
    hazards::check(&code.graph, |finding| {
        if code.graph.may_run(finding.insn) {
            found.with(finding.insn, finding.other, finding.diagnostic);
        }
    });
}
