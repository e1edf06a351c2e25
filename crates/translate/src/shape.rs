//! Checks that a program has the shape that [`Program`] states, as far as the writers rely on it.

use crate::Program;
use shisa_diag::Diagnostic;
use shisa_ir::{Op, Value};

/// The error for a program that does not have the shape that [`Program`] states.
pub(crate) fn wrong(what: &str) -> Diagnostic {
    Diagnostic::error("translate-shape", what).help("verify the program first")
}

/// Checks that a value exists in the program.
pub(crate) fn value(program: &Program, v: Value) -> Result<(), Diagnostic> {
    if v.index() < program.func.nodes.list.len() {
        return Ok(());
    }
    Err(wrong("a value is named that does not exist"))
}

/// Checks the node of a value: its type, and that everything it refers to exists.
pub(crate) fn node(program: &Program, v: Value) -> Result<(), Diagnostic> {
    value(program, v)?;
    let (nodes, files) = (&program.func.nodes, program.func.files.len());
    let node = &nodes.list[v.index()];
    if node.ty.count > 4 {
        return Err(wrong("a value has more than four components"));
    }
    let named = match node.op {
        Op::Read { reg, .. } | Op::Write { reg, .. } => usize::from(reg.file.0) < files,
        Op::ReadAt { file, .. } => usize::from(file.0) < files,
        Op::Texture(t) | Op::TextureStore(t) => (t as usize) < nodes.textures.len(),
        _ => true,
    };
    let mut exists = named;
    nodes.operands(v, |a| exists &= a.index() < nodes.list.len());
    if exists {
        Ok(())
    } else {
        Err(wrong("an operation names a value, register file or texture that does not exist"))
    }
}
