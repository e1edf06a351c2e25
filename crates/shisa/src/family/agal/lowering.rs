//! Lowers AGAL for translators.

use crate::lower::{Lowered, Origin};
use crate::{Result, Settings};
use shisa_agal::{Agal, Ctx, Options, Program, Sequencer, destination, print_token};
use shisa_diag::{Diagnostic, Limits, Severity, Sink};
use shisa_ir::{Func, Lifted, Name, Scratch};
use shisa_rows::{Insn, Line};
use std::sync::Arc;

/// Lowers a program in the memory of programs before it.
pub(super) fn lower(program: &Program, settings: &Settings, scratch: &mut Scratch) -> Result<Lowered> {
    let limits = &settings.limits;
    let lifted = shisa_agal::lift_in(program, &settings.agal, scratch)?;
    let interface = shisa_agal::interface(program, &lifted);
    let sequencer = Sequencer::new(program, limits);
    let mut func = shisa_ir::recover_in(lifted, &sequencer, 0, scratch, limits)?;
    shisa_ir::simplify_in(&mut func, scratch, limits)?;
    let tree = shisa_ir::structurise_in(&mut func, scratch, limits)?;
    let warnings = breaches(program, limits);
    let (origin, limits) = (Arc::new(program.clone()), limits.clone());
    Ok(Lowered { func, tree, interface, warnings, origin, limits })
}

/// A warning for each rule that the program breaks and that a text would be refused for.
fn breaches(program: &Program, limits: &Limits) -> Vec<Diagnostic> {
    let findings = shisa_agal::rules::check_program(program, limits);
    if findings.is_empty() {
        return Vec::new();
    }
    let mut sink = Sink::new(limits.diagnostics);
    for finding in findings.into_iter().filter(|f| !f.doubtful) {
        let mut diagnostic = finding.diagnostic;
        diagnostic.severity = Severity::Warning;
        sink.push(diagnostic.note("players refuse the program"));
    }
    sink.finish()
}

impl Origin for Program {
    fn results(&self) -> Vec<Name> {
        let writes = |token| {
            let dest = destination(&Insn::<Agal>::decode(token)?)?;
            dest.kind().register(dest.number(), self.stage)
        };
        self.tokens.iter().map(|t| writes(*t).unwrap_or_default().into()).collect()
    }

    fn texts(&self) -> Vec<String> {
        texts(self)
    }
}

/// The graph of a program.
pub(super) fn recover(program: &Program, lifted: Lifted, settings: &Settings) -> Result<Func> {
    let sequencer = Sequencer::new(program, &settings.limits);
    Ok(shisa_ir::recover(lifted, &sequencer, 0, &settings.limits)?)
}

/// The text of each instruction.
pub(super) fn texts(program: &Program) -> Vec<String> {
    let options = Options::default();
    let ctx = Ctx { version: program.version, stage: program.stage, options: &options };
    let text = |token: &shisa_agal::Token| {
        let mut text = Vec::new();
        print_token(token, ctx, &mut Line::new(&mut text));
        String::from_utf8(text).unwrap_or_default()
    };
    program.tokens.iter().map(text).collect()
}
