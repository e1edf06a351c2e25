//! Locations of inputs and outputs that the host states.

use crate::Options;
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, Interface, Io};
use std::borrow::Cow;

/// The interface with the locations of [`Options::locations`].
///
/// # Errors
/// `translate-location` if two inputs, or two outputs, have the same location.
pub(crate) fn stated<'i>(
    interface: &'i Interface,
    options: &Options,
) -> Result<Cow<'i, Interface>, Diagnostic> {
    if options.locations.is_empty() && interface.tessellation.is_none() {
        return Ok(Cow::Borrowed(interface));
    }
    let mut moved = interface.clone();
    let Interface { inputs, outputs, vertex_inputs, vertex_outputs, patch_outputs, .. } = &mut moved;
    for io in [inputs, outputs, vertex_inputs, vertex_outputs, patch_outputs].into_iter().flatten() {
        let stated = options.locations.iter().find(|(name, _)| *name == io.name);
        if let (Some(&(_, number)), Some(location)) = (stated, location_mut(io)) {
            *location = number;
        }
    }
    unique(moved.inputs.iter().chain(&moved.vertex_inputs), "inputs")?;
    unique(moved.outputs.iter().chain(&moved.vertex_outputs).chain(&moved.patch_outputs), "outputs")?;
    Ok(Cow::Owned(moved))
}

/// The location of an input or output that has one.
fn location_mut(io: &mut Io) -> Option<&mut u32> {
    match &mut io.binding {
        Binding::Location(location)
        | Binding::Varying { location, .. }
        | Binding::PatchLocation(location) => Some(location),
        _ => None,
    }
}

fn unique<'i>(list: impl Iterator<Item = &'i Io>, what: &str) -> Result<(), Diagnostic> {
    let mut known: Vec<(u32, &Io)> = Vec::new();
    for io in list {
        let (Binding::Location(location)
        | Binding::Varying { location, .. }
        | Binding::PatchLocation(location)) = io.binding
        else {
            continue;
        };
        if let Some((_, other)) = known.iter().find(|(number, _)| *number == location) {
            let text = format!("the {what} `{}` and `{}` both have location {location}", other.name, io.name);
            return Err(Diagnostic::error("translate-location", text)
                .help("state another number in `Options::locations`"));
        }
        known.push((location, io));
    }
    Ok(())
}
