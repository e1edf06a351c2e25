//! Effects of rows, from the lifts of their examples.

use crate::described::Described;
use shisa_ir::{Class, ControlOp, Lifted, Node, Op, Space, Ternary};
use shisa_rows::{Form, Insn};
use std::collections::BTreeSet;

/// The effects of a row.
#[derive(Default)]
pub(crate) struct Effects {
    /// Effects other than writing registers, and dependences on other lanes.
    pub(crate) list: BTreeSet<String>,
    /// Operations with the kind of their result.
    pub(crate) operations: BTreeSet<String>,
}

/// The effects of all examples of a row whose effect is stated, and the operations of the example that has the fewest:
/// modifiers of operands add more.
pub(crate) fn effects<I: Described>(form: &Form<I>) -> Effects {
    let mut effects = Effects::default();
    let ctx = (I::SUITE.ctx)(form);
    for insn in form.examples.iter().filter_map(|(_, word)| Insn::<I>::decode(*word)) {
        let mut lifted = Lifted::new((I::SUITE.files)(form));
        if shisa_rows::lift(&mut lifted, insn, ctx, 0, 1).is_err() {
            continue;
        }
        lifted.nodes.list.iter().for_each(|node| effects.add(node));
        let operations: BTreeSet<String> =
            lifted.nodes.list.iter().filter_map(|node| operation(&lifted, node)).collect();
        if effects.operations.is_empty() || operations.len() < effects.operations.len() {
            effects.operations = operations;
        }
        if lifted.steps.iter().any(|step| step.control.op != ControlOp::Next) {
            effects.list.insert("determines which instruction runs next, or in which lanes".to_owned());
        }
    }
    effects
}

impl Effects {
    fn add(&mut self, node: &Node) {
        self.list.extend(effect(&node.op));
        self.list.extend(match node.op.class() {
            Class::Lane => None,
            Class::Convergent => Some("depends on which lanes are active".to_owned()),
            Class::WholeWave => Some("reads or changes inactive lanes, too".to_owned()),
        });
    }
}

/// The effect of an operation besides its value.
fn effect(op: &Op) -> Option<String> {
    let plain = match op {
        Op::Load { space, .. } => return Some(format!("reads {}", memory(*space).1)),
        Op::Store { space, .. } => return Some(format!("writes {}", memory(*space).1)),
        Op::Atomic { .. } => "changes memory atomically",
        Op::Texture(_) => "reads a texture",
        Op::TextureStore(_) => "writes a texture",
        Op::TextureAtomic(_) => "changes a texture atomically",
        Op::Kill { .. } => "ends pixels: they are not written",
        Op::SetEmit { .. } => "chooses the next vertex of a primitive",
        Op::Emit | Op::EmitVertex { .. } => "outputs a vertex",
        Op::EndStrip { .. } => "ends a strip of vertices",
        Op::Barrier | Op::Arrive { .. } => "waits for threads of the workgroup, or arrives at a barrier",
        _ => return None,
    };
    Some(plain.to_owned())
}

/// A memory: its word in names of operations, and its name in sentences.
fn memory(space: Space) -> (&'static str, &'static str) {
    match space {
        Space::Global | Space::Buffer(_) => ("device", "device memory"),
        Space::Shared => ("workgroup", "memory of the workgroup"),
        Space::Local => ("lane", "memory of the lane"),
        Space::Uniforms => ("uniforms", "uniforms"),
        Space::Outputs => ("outputs", "outputs of the vertex"),
        Space::States => ("states", "states of textures and samplers"),
        Space::Texels => ("texels", "texels"),
        Space::Constant(_) | Space::Constants => ("constants", "constants"),
    }
}

/// An operation that computes, with the kind of its first operand, or of its result if it has none. Copies, conversions
/// and effects yield `None`.
fn operation(lifted: &Lifted, node: &Node) -> Option<String> {
    let of = |value| lifted.nodes.ty(value);
    let (name, ty) = match node.op {
        Op::Unary { op, a, .. } => (op.name().to_owned(), of(a)),
        Op::Binary { op, a, .. } => (op.name().to_owned(), of(a)),
        Op::Ternary { op: Ternary::Fma, a, .. } => (Ternary::Fma.name().to_owned(), of(a)),
        Op::Combine { combine, a, .. } => (format!("combine_{}", combine.op.name()), of(a)),
        Op::Lane { op, a, .. } => (op.name().to_owned(), of(a)),
        Op::Derivative { axis, a } => (axis.name().to_owned(), of(a)),
        Op::Atomic { value, .. } => ("atomic".to_owned(), of(value)),
        Op::Store { space, value, .. } => (format!("store_{}", memory(space).0), of(value)),
        Op::Load { space, .. } => (format!("load_{}", memory(space).0), node.ty),
        Op::Texture(_) => ("texture".to_owned(), node.ty),
        _ => return None,
    };
    Some(format!("{name} {}", ty.scalar.name()))
}
