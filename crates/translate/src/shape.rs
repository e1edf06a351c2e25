//! Checks that a program has the shape that [`Program`] states, as far as the writers rely on it.

use crate::Program;
use shisa_diag::Diagnostic;
use shisa_ir::{Node, Value};

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

/// The node of a value. Its operands are not checked, nor the register file that it names.
pub(crate) fn node<'p>(program: &Program<'p>, v: Value) -> Result<&'p Node, Diagnostic> {
    value(program, v)?;
    let nodes = &program.func.nodes;
    let node = &nodes.list[v.index()];
    if node.ty.count > 4 {
        return Err(wrong("a value has more than four components"));
    }
    if node.op.texture().is_some_and(|t| t as usize >= nodes.textures.len()) {
        return Err(wrong("an operation names a texture operation that does not exist"));
    }
    Ok(node)
}
