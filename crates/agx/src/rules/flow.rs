//! Where control may go.

use super::code::{Code, Found};
use alloc::format;
use shisa_diag::Diagnostic;

/// Traps behind the last stop.
const TRAPS: usize = 8;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (_, step) in code.running() {
        if let Some(target) = step.target().filter(|t| code.index(*t).is_none()) {
            let at = target - code.range.start as i64;
            let text = format!("no instruction begins at {at:#x}, where this jumps to");
            found.at(step, Diagnostic::error("agx-target", text));
        }
        if step.name() == "trap" {
            let d = Diagnostic::error("agx-trap", "control runs into this trap");
            found.at(step, d.help("a program ends in `stop`"));
        }
    }
    let whole = code.end() == code.range.end;
    if code.runs_out() && !whole {
        let at = code.end();
        let text = format!("no instruction begins with {:#04x} here, and control comes here", found.byte(at));
        found.at_bytes(at..at + 1, Diagnostic::error("agx-code", text));
    } else if code.runs_out() && code.expect.ends {
        let text = "control runs past the end of the program";
        let d = Diagnostic::error("agx-past-end", text).help("a program ends in `stop`");
        found.at_bytes(code.range.end..code.range.end, d);
    }
    if code.expect.ends {
        traps(code, found);
    }
}

/// What stands behind the last stop that may run.
fn traps(code: &Code<'_>, found: &mut Found<'_>) {
    let last = code.running().filter(|(_, s)| s.name() == "stop").last();
    let Some((i, stop)) = last else { return };
    let traps = code.steps[i + 1..].iter().take_while(|s| s.name() == "trap").count();
    let behind = code.steps.get(i + 1 + traps).is_some();
    if traps < TRAPS && !behind {
        let text =
            format!("{traps} traps stand behind the last stop, and the machine reads ahead over {TRAPS}");
        found.at(stop, Diagnostic::warning("agx-stop-traps", text));
    }
}
