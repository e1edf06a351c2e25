//! Facts about a program's memory that all writers need.

use crate::{Form, Options, Program, Resource, unsupported};
use shisa_diag::Diagnostic;
use shisa_ir::{Interface, Op, Space, Stage};

/// How a program uses a memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) space: Space,
    pub(crate) written: bool,
    /// Whether atomic operations change some of its words.
    pub(crate) atomic: bool,
}

/// The spaces that a program touches.
pub(crate) fn uses(program: &Program) -> Vec<Use> {
    let mut all: Vec<Use> = Vec::new();
    let nodes = &program.func.nodes.list;
    for node in program.func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| nodes.get(v.index())) {
        let (space, written, atomic) = match node.op {
            Op::Load { space, .. } => (space, false, false),
            Op::Store { space, .. } => (space, true, false),
            Op::Atomic { space, .. } => (space, true, true),
            _ => continue,
        };
        match all.iter_mut().find(|u| u.space == space) {
            Some(u) => (u.written, u.atomic) = (u.written | written, u.atomic | atomic),
            None => all.push(Use { space, written, atomic }),
        }
    }
    all
}

/// The buffer of a space; `None` for memory that is not a buffer.
pub(crate) const fn buffer(space: Space) -> Option<Resource> {
    match space {
        Space::Global => Some(Resource::Memory),
        Space::Constant(n) => Some(Resource::Bank(n)),
        Space::Shared
        | Space::Local
        | Space::Uniforms
        | Space::Outputs
        | Space::States
        | Space::Texels
        | Space::Constants => None,
    }
}

/// The number of a space's buffer among those of memory: 0 for global memory, 1 + n for bank n.
#[cfg(any(feature = "glsl", feature = "msl"))]
pub(crate) const fn number(space: Space) -> Option<u32> {
    match buffer(space) {
        Some(Resource::Memory) => Some(0),
        Some(Resource::Bank(n)) => Some(1 + n as u32),
        _ => None,
    }
}

/// Size in 32-bit words of memory that is not a buffer.
pub(crate) fn words(interface: &Interface, space: Space) -> u32 {
    let bytes = if space == Space::Shared { interface.shared } else { interface.local };
    bytes.div_ceil(4)
}

/// Refuses memory accesses that the target cannot express.
pub(crate) fn check(program: &Program, options: &Options, u: Use) -> Result<(), Diagnostic> {
    match u.space {
        Space::Uniforms => Err(unsupported("a write of uniforms by a computed number")),
        Space::Outputs => Err(unsupported("a write of outputs by a computed number")),
        Space::States => Err(unsupported("a choice of textures or samplers while the program runs")),
        Space::Texels => Err(unsupported("the bits of texels as memory")),
        Space::Constants => Err(unsupported("a choice of constant banks while the program runs")),
        Space::Constant(_) if u.written => Err(unsupported("a write of constant memory")),
        Space::Local if u.atomic => Err(unsupported("an atomic operation on a lane's own memory")),
        Space::Shared if !together(program, options) => Err(alone()),
        Space::Shared | Space::Local if words(program.interface, u.space) == 0 => {
            let whose = if u.space == Space::Shared { "workgroup" } else { "lane" };
            let text = format!("the program uses memory of a {whose}, but does not say how much");
            Err(Diagnostic::error("translate-memory-size", text))
        }
        Space::Shared | Space::Local => within(program, u.space),
        _ => Ok(()),
    }
}

/// Refuses constant addresses past the end of a space that is not a buffer: languages reject such a constant index.
fn within(program: &Program, space: Space) -> Result<(), Diagnostic> {
    let nodes = &program.func.nodes;
    let words = u64::from(words(program.interface, space));
    for &v in program.func.blocks.iter().flat_map(|b| &b.body) {
        let (of, address, ty) = match nodes.op(v) {
            Op::Load { space, address } => (space, address, nodes.ty(v)),
            Op::Store { space, address, value } | Op::Atomic { space, address, value, .. } => {
                (space, address, nodes.ty(value))
            }
            _ => continue,
        };
        if let Op::Const(at) = nodes.op(address)
            && of == space
            && at / 4 + u64::from(ty.count) > words
        {
            let text =
                format!("an access at {at:#x} is past the end of this memory, which has {} bytes", 4 * words);
            let origin = nodes.list[v.index()].origin;
            return Err(
                Diagnostic::error("translate-memory-size", text).note(format!("instruction {origin}"))
            );
        }
    }
    Ok(())
}

/// Whether lanes run in the program's own workgroups.
pub(crate) fn together(program: &Program, options: &Options) -> bool {
    options.form == Form::Stage && program.interface.stage == Stage::Compute
}

/// The error for workgroup operations in a form whose lanes run alone or in another stage.
pub(crate) fn alone() -> Diagnostic {
    unsupported("what a workgroup does together, in another stage or in the compute form,")
        .help("use the stage form")
}
