//! Effects of rows, from the lifts of their examples.

use crate::described::Described;
use shisa_ir::{Class, ControlOp, Lifted, Node, Op, Space, Ternary};
use shisa_rows::{Form, Insn};
use std::collections::BTreeSet;

/// The effects of a row.
#[derive(Default)]
pub(crate) struct Effects {
    /// Effects other than writing registers, and dependences on other lanes.
    pub(crate) list: BTreeSet<&'static str>,
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
            effects.list.insert("determines which instruction runs next, or in which lanes");
        }
    }
    effects
}

impl Effects {
    fn add(&mut self, node: &Node) {
        self.list.extend(effect(&node.op));
        self.list.extend(match node.op.class() {
            Class::Lane => None,
            Class::Convergent => Some("depends on which lanes are active"),
            Class::WholeWave => Some("reads or changes inactive lanes, too"),
        });
    }
}

/// The effect of an operation besides its value.
fn effect(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::Load { space, .. } => reads(*space),
        Op::Store { space, .. } => writes(*space),
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
    })
}

fn reads(space: Space) -> &'static str {
    match space {
        Space::Global | Space::Buffer(_) => "reads device memory",
        Space::Shared => "reads memory of the workgroup",
        Space::Local => "reads memory of the lane",
        Space::Uniforms => "reads uniforms",
        Space::Outputs => "reads outputs of the vertex",
        Space::States => "reads states of textures and samplers",
        Space::Texels => "reads texels",
        Space::Constant(_) | Space::Constants => "reads constants",
    }
}

fn writes(space: Space) -> &'static str {
    match space {
        Space::Global | Space::Buffer(_) => "writes device memory",
        Space::Shared => "writes memory of the workgroup",
        Space::Local => "writes memory of the lane",
        Space::Uniforms => "writes uniforms",
        Space::Outputs => "writes outputs of the vertex",
        Space::States => "writes states of textures and samplers",
        Space::Texels => "writes texels",
        Space::Constant(_) | Space::Constants => "writes constants",
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
        Op::Store { value, .. } => ("store".to_owned(), of(value)),
        Op::Load { .. } => ("load".to_owned(), node.ty),
        Op::Texture(_) => ("texture".to_owned(), node.ty),
        _ => return None,
    };
    Some(format!("{name} {}", ty.scalar.name()))
}
