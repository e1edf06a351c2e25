//! Facts about a program's memory that all writers need.

use crate::{Banks, Form, Options, Program, Resource, unsupported};
use shisa_diag::Diagnostic;
use shisa_ir::{Interface, Op, Space, Stage, Type};

/// How a program uses a memory space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) space: Space,
    pub(crate) written: bool,
    /// Whether atomic operations change some of its words.
    pub(crate) atomic: bool,
    /// Whether some of these have 64 bits.
    pub(crate) long: bool,
    /// Bytes up to the end of the last access; `None` if some address is computed.
    pub(crate) end: Option<u32>,
}

impl Use {
    /// Whether it is a uniform buffer: an array of vectors of four words.
    pub(crate) fn is_uniform(&self, options: &Options) -> bool {
        is_uniform(self.space, options)
    }

    /// Vectors of four words of a uniform buffer: up to the last one that the program reads, or the whole bank.
    pub(crate) fn vectors(&self) -> u32 {
        self.end.unwrap_or(BANK).min(BANK).div_ceil(16).max(1)
    }
}

/// Bytes of a bank of constants.
const BANK: u32 = 1 << 16;

/// Whether a space is a uniform buffer.
pub(crate) fn is_uniform(space: Space, options: &Options) -> bool {
    matches!(space, Space::Constant(_)) && options.banks == Banks::Uniform
}

/// The spaces that a program touches.
pub(crate) fn uses(program: &Program) -> Vec<Use> {
    let mut all: Vec<Use> = Vec::new();
    let nodes = &program.func.nodes.list;
    let control = program.interface.stage == Stage::TessellationControl;
    let accesses = |op: Op| matches!(op, Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. });
    for node in nodes.iter().filter(|node| accesses(node.op)) {
        let (space, written, atomic, address, ty) = match node.op {
            Op::Load { space, address } => (space, false, false, address, node.ty),
            Op::Store { space, address, value } => {
                (space, true, false, address, nodes.get(value.index()).map_or(Type::I32, |n| n.ty))
            }
            Op::Atomic { space, address, .. } => (space, true, true, address, node.ty),
            _ => continue,
        };
        // They are outputs.
        if control && space == Space::Shared {
            continue;
        }
        let end = match nodes.get(address.index()).map(|n| n.op) {
            Some(Op::Const(at)) => {
                u32::try_from(at).ok().map(|at| (at & !3).saturating_add(4 * u32::from(ty.count)))
            }
            _ => None,
        };
        let long = atomic && ty == Type::I64;
        match all.iter_mut().find(|u| u.space == space) {
            Some(u) => {
                u.long |= long;
                (u.written, u.atomic) = (u.written | written, u.atomic | atomic);
                u.end = u.end.zip(end).map(|(a, b)| a.max(b));
            }
            None => all.push(Use { space, written, atomic, long, end }),
        }
    }
    all
}

/// The buffer of a space; `None` for memory that is not a buffer.
pub(crate) const fn buffer(space: Space) -> Option<Resource> {
    match space {
        Space::Global => Some(Resource::Memory),
        Space::Constant(n) => Some(Resource::Bank(n)),
        Space::Buffer(n) => Some(Resource::Buffer(n)),
        Space::Shared
        | Space::Local
        | Space::Uniforms
        | Space::Outputs
        | Space::States
        | Space::Texels
        | Space::Constants => None,
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
    options.form == Form::Stage
        && matches!(program.interface.stage, Stage::Compute | Stage::TessellationControl)
}

/// The error for workgroup operations in a form whose lanes run alone or in another stage.
pub(crate) fn alone() -> Diagnostic {
    unsupported("what a workgroup does together, in another stage or in the compute form,")
        .help("use the stage form")
}
