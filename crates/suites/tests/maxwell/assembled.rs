//! Programs from lines of text.

use shisa_ir::Stage;
use shisa_maxwell::{Ctx, Maxwell, Program, bundle};
use shisa_rows::{Names, Scan};
use std::collections::BTreeMap;
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
