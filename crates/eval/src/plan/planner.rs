//! The state that all parts of the planner share: the values of the current step and the operations planned so far.

use super::constants::Constants;
use super::layout::Layout;
use super::micro::{Computed, Micro, TexPlan};
use super::planes::{PlaneId, ScratchId, Wide, ZERO};
use crate::loops::Loop;
use shisa_diag::Diagnostic;
use shisa_ir::{File, FloatModel, Node, Nodes, Scalar, TexOp, Type, Value, map_operands};

pub(super) struct Planner<'a> {
    pub(super) nodes: &'a Nodes,
    pub(super) model: FloatModel,
    pub(super) layout: &'a Layout,
    pub(super) constants: &'a Constants,
    pub(super) ops: Vec<Micro>,
    pub(super) samples: Vec<TexPlan>,
    /// Values of the current step.
    pub(super) values: Vec<Val>,
    /// For each node of the current step, the last node that reads its planes.
    pub(super) last: Vec<usize>,
    /// For each scratch plane of the current step, whether something reads it.
    pub(super) used: Vec<bool>,
    /// First node of the current step.
    pub(super) first: u32,
    /// The next free plane.
    pub(super) next: u32,
}

/// The planes of a value.
#[derive(Clone, Copy)]
pub(super) struct Val {
    pub(super) ty: Type,
    /// By component.
    pub(super) at: [Wide; 4],
}

impl Val {
    pub(super) const NONE: Val = Val { ty: Type::NONE, at: [NARROW_ZERO; 4] };

    pub(super) fn count(&self) -> usize {
        usize::from(self.ty.count)
    }
}

/// Zero, in place of an operand that an operation does not have.
pub(super) const NARROW_ZERO: Wide = [ZERO; 2];

/// The result of a check; the error is that of an operation that does not fit.
pub(super) type Checked<T> = Result<T, Diagnostic>;

#[cold]
pub(super) fn malformed(node: &Node, why: &str) -> Diagnostic {
    Diagnostic::error("eval-malformed", format!("the lifted program is malformed: {why}"))
        .note(format!("in {:?} of type {}", node.op, node.ty))
}

#[cold]
pub(super) fn unsupported(what: &str) -> Diagnostic {
    Diagnostic::error("eval-unsupported", format!("the evaluator does not support {what}"))
}

/// Number of units of a file that a component takes.
pub(super) fn units(file: &File, scalar: Scalar) -> u16 {
    u16::from(scalar.bits()).div_ceil(u16::from(file.unit_bits.max(1)))
}

impl Planner<'_> {
    /// The value of an earlier node of the step.
    fn value(&self, v: Value) -> Option<&Val> {
        self.values.get(v.0.checked_sub(self.first)? as usize)
    }

    /// The plane of a scalar of the step that has this type.
    pub(super) fn scalar(&self, v: Value, ty: Type) -> Option<PlaneId> {
        self.value(v).filter(|value| value.ty == ty).map(|value| value.at[0][0])
    }

    pub(super) fn operand(&self, node: &Node, v: Value) -> Checked<Val> {
        match self.value(v) {
            Some(v) if v.ty.count > 0 => Ok(*v),
            _ => Err(malformed(node, "an operand is not an earlier value of its instruction")),
        }
    }

    /// An operand that must have this type.
    pub(super) fn typed(&self, node: &Node, v: Value, ty: Type) -> Checked<Val> {
        let value = self.operand(node, v)?;
        if value.ty != ty {
            return Err(malformed(node, "an operand has the wrong type"));
        }
        Ok(value)
    }

    /// The first of this many new planes, which lie above all others.
    pub(super) fn alloc(&mut self, planes: u32) -> ScratchId {
        let at = ScratchId::new(self.next);
        self.next += planes;
        at
    }

    /// Allocates the planes of a component of this kind.
    pub(super) fn component(&mut self, scalar: Scalar) -> Computed {
        let wide = scalar.bits() == 64;
        Computed { first: self.alloc(1 + u32::from(wide)), wide }
    }

    /// Plans a loop.
    pub(super) fn run(&mut self, run: Loop, args: [PlaneId; 3]) -> PlaneId {
        let dst = self.alloc(1);
        self.ops.push(Micro::Loop { run, dst, args });
        dst.into()
    }

    /// Plans a loop of one operand.
    pub(super) fn run1(&mut self, run: Loop, a: PlaneId) -> PlaneId {
        self.run(run, [a, ZERO, ZERO])
    }

    /// Plans a loop of two operands.
    pub(super) fn run2(&mut self, run: Loop, a: PlaneId, b: PlaneId) -> PlaneId {
        self.run(run, [a, b, ZERO])
    }

    /// Calls `f` with every operand of a node.
    pub(super) fn operands(&self, node: &Node, mut f: impl FnMut(Value)) {
        let mut texture = self.texture(node).copied();
        let mut node = *node;
        map_operands(&mut node, texture.as_mut(), |v| {
            f(v);
            v
        });
    }

    pub(super) fn texture(&self, node: &Node) -> Option<&TexOp> {
        node.op.texture().and_then(|t| self.nodes.textures.get(t as usize))
    }
}

impl Computed {
    /// The planes of the component.
    pub(super) fn planes(self) -> Wide {
        [self.first.into(), if self.wide { self.first.above(1).into() } else { ZERO }]
    }
}
