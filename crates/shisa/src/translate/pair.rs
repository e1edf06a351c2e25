//! Pairs of a vertex and a fragment program.

use super::of;
use crate::{Error, Lowered, Result, Settings};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Io, Mask};
use shisa_translate::{Options, Output, Target};

/// Translates a vertex and a fragment program that belong together, in this order. Functions are called
/// after the options' name with `_vs` and `_fs` behind it. The fragment program takes every varying
/// that the vertex program writes, in the same order, so that the interfaces are equal.
///
/// # Errors
/// What [`crate::check_pair`] finds; otherwise as [`crate::translate()`].
pub fn translate_pair(
    vertex: &[u8],
    fragment: &[u8],
    target: Target,
    options: &Options,
    settings: &Settings,
) -> Result<[Output; 2]> {
    let faults: Vec<Diagnostic> =
        crate::check_pair(vertex, fragment, settings)?.into_iter().map(|f| f.diagnostic).collect();
    if !faults.is_empty() {
        return Err(Error::from(faults));
    }
    let vertex = Lowered::new(vertex, settings)?;
    let mut fragment = Lowered::new(fragment, settings)?;
    let varyings = vertex.interface.outputs.iter().filter(|o| matches!(o.binding, Binding::Location(_)));
    let read = std::mem::take(&mut fragment.interface.inputs);
    let input = |written: &Io| {
        let same = read.iter().find(|i| i.binding == written.binding);
        same.cloned().unwrap_or_else(|| Io { used: Mask(0), ..written.clone() })
    };
    fragment.interface.inputs = varyings.map(input).collect();
    let named = |stage| Options { name: format!("{}_{stage}", options.name), ..options.clone() };
    Ok([of(&vertex, target, &named("vs"), settings)?, of(&fragment, target, &named("fs"), settings)?])
}
