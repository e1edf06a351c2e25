//! Programs from lines of text.

use shisa_diag::Diagnostic;
use shisa_ir::{Lifted, Stage};
use shisa_maxwell::{Ctx, FILES, Maxwell, Program, bundle};
use shisa_rows::{Names, Scan};
use std::collections::BTreeMap;

/// The operations of these lines, which semicolons separate, and of an EXIT; or the first refusal.
pub(crate) fn lifted(lines: &str) -> Result<Lifted, Diagnostic> {
    let (names, mut lifted) = (Names::<Maxwell>::new(), Lifted::new(FILES));
    let all = lines.split(';').map(str::trim).filter(|line| !line.is_empty()).chain(["EXIT"]);
    for (n, line) in all.enumerate() {
        let [pc, next] = [n, n + 1].map(|n| bundle::address(n as u32));
        let ctx = Ctx { pc, ..Ctx::default() };
        let insn = shisa_rows::parse(&names, &mut Scan::new(line, 0), ctx);
        let insn = insn.unwrap_or_else(|d| panic!("{line}: {d}"));
        shisa_rows::lift(&mut lifted, insn, ctx, pc, next)?;
    }
    Ok(lifted)
}

/// Code from text; `name:` defines a label for the next instruction, `{name}` is replaced by its address.
pub(crate) fn assemble(lines: &[&str]) -> Program {
    let (mut labels, mut n) = (BTreeMap::new(), 0);
    for line in lines {
        match line.strip_suffix(':') {
            Some(name) => {
                labels.insert(format!("{{{name}}}"), bundle::address(n));
            }
            None => n += 1,
        }
    }
    let names = Names::<Maxwell>::new();
    let mut code = Vec::new();
    for line in lines.iter().filter(|l| !l.ends_with(':')) {
        let text =
            labels.iter().fold(String::from(*line), |t, (name, at)| t.replace(name, &format!("{at:#x}")));
        let ctx = Ctx { pc: bundle::address(code.len() as u32), ..Ctx::default() };
        let insn = shisa_rows::parse(&names, &mut Scan::new(&text, 0), ctx);
        code.push(insn.unwrap_or_else(|d| panic!("{text}: {d}")).word);
    }
    Program { stage: Stage::Compute, code, workgroup: [32, 1, 1], drawing: None }
}
