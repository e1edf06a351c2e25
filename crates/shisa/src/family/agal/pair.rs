//! Pairs of a vertex and a fragment program.

use crate::{Error, Program, Result};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Io, Mask};
use shisa_translate::{Options, Output, Target};

/// Translates a vertex and a fragment program that belong together, in this order. The names of their functions are
/// the options' name with the suffixes `_vs` and `_fs`. The fragment program takes every varying that the vertex
/// program writes, in the same order, so that the interfaces are equal.
///
/// # Errors
/// The findings of [`super::check_pair`]; otherwise the errors of [`Program::translate`].
pub fn translate_pair(
    vertex: &Program<'_>,
    fragment: &Program<'_>,
    target: Target,
    options: &Options,
) -> Result<[Output; 2]> {
    let faults: Vec<Diagnostic> =
        super::check_pair(vertex, fragment)?.into_iter().map(|f| f.diagnostic).collect();
    if !faults.is_empty() {
        return Err(Error::from(faults));
    }
    let vertex = vertex.lower()?;
    let mut fragment = fragment.lower()?;
    let varyings = vertex.interface.outputs.iter().filter(|o| matches!(o.binding, Binding::Location(_)));
    let read = std::mem::take(&mut fragment.interface.inputs);
    let input = |written: &Io| {
        let same = read.iter().find(|i| i.binding == written.binding);
        same.cloned().unwrap_or_else(|| Io { used: Mask(0), ..written.clone() })
    };
    fragment.interface.inputs = varyings.map(input).collect();
    let named = |stage| Options { name: format!("{}_{stage}", options.name), ..options.clone() };
    Ok([vertex.translate(target, &named("vs"))?, fragment.translate(target, &named("fs"))?])
}
