//! Rules about control flow.

use super::found::{Checked, Found};
use crate::code::target;
use crate::facts::{Control, Role};
use alloc::format;
use shisa_diag::Diagnostic;

/// Traps after the last stop.
const TRAPS: usize = 8;

const STOP: Role = Role::Control(Control::Stop);
const TRAP: Role = Role::Control(Control::Trap);

pub(super) fn check(checked: &Checked<'_>, found: &mut Found<'_>) {
    let code = &checked.code;
    for step in code.running() {
        let to = target(&step.insn).map(|distance| step.bytes().start as i64 + distance);
        if let Some(to) = to.filter(|to| !code.begins(*to)) {
            let offset = to - code.range.start as i64;
            let text = format!("no instruction begins at {offset:#x}, the target of this {}", step.name());
            found.at(&step, Diagnostic::error("agx-target", text));
        }
        if step.role() == TRAP {
            let d = Diagnostic::error("agx-trap", "control reaches this trap");
            found.at(&step, d.help("a program ends in `stop`"));
        }
    }
    let end = code.range.end;
    if let Some(unknown) = code.unknown().filter(|_| code.reaches_unknown()) {
        let at = unknown.start;
        let first = code.file().get(at).copied().unwrap_or_default();
        let text = format!("control reaches {first:#04x}, with which no instruction begins");
        found.at_bytes(at..at + 1, Diagnostic::error("agx-code", text));
    } else if code.runs_out() && checked.expect.ends {
        let d = Diagnostic::error("agx-past-end", "control runs past the end of the program");
        found.at_bytes(end..end, d.help("a program ends in `stop`"));
    }
    if checked.expect.ends {
        traps(checked, found);
    }
}

/// Checks the bytes after the last reachable stop.
fn traps(checked: &Checked<'_>, found: &mut Found<'_>) {
    let Some(stop) = checked.code.running().filter(|step| step.role() == STOP).last() else { return };
    let traps = checked.code.steps().skip(stop.number + 1).take_while(|step| step.role() == TRAP).count();
    let more = checked.code.steps().nth(stop.number + 1 + traps).is_some();
    if traps < TRAPS && !more {
        let text = format!(
            "{traps} traps follow the last stop; the hardware reads ahead over {TRAPS}, so there must be as many"
        );
        found.at(&stop, Diagnostic::warning("agx-stop-traps", text));
    }
}
