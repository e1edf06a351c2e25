//! Inputs of pixel programs.

use crate::component::RECIPROCAL_W;
use crate::operand::fixed_attribute;
use crate::registers::ATTRIBUTES;
use crate::role::{AttributeAct, Role};
use crate::{Maxwell, Program};
use alloc::collections::BTreeMap;
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Convert, Func, Nodes, Op, Reg, Sampling, Unary, Value};
use shisa_rows::Insn;

/// Removes the multiplication of attribute / w by w: languages interpolate the attribute itself.
pub(super) fn perspective(func: &mut Func) {
    func.rewrite(|b, v| {
        let Op::Binary { op: Binary::FMul, a, b: factor, .. } = b.nodes.op(v) else { return None };
        let whole = |divided: Value, w: Value| {
            let Op::Unary { op: Unary::FRcp, a, .. } = bits_of(b.nodes, w) else { return None };
            let Op::Binary { op: Binary::FMul, a: x, b: y, .. } = bits_of(b.nodes, divided) else {
                return None;
            };
            let reciprocal = |v: Value| is_reciprocal_w(b.nodes, v);
            (reciprocal(a) && reciprocal(y) && !reciprocal(x)).then_some(x)
        };
        whole(a, factor).or_else(|| whole(factor, a)).filter(|value| b.ty(*value) == b.ty(v))
    });
}

/// The operation that made the bits of a value.
fn bits_of(nodes: &Nodes, mut v: Value) -> Op {
    while let Op::Convert { op: Convert::Bits, a, .. } = nodes.op(v) {
        v = a;
    }
    nodes.op(v)
}

fn is_reciprocal_w(nodes: &Nodes, v: Value) -> bool {
    matches!(bits_of(nodes, v), Op::Read { reg, .. } if reg == Reg::new(ATTRIBUTES, RECIPROCAL_W))
}

/// The positions at which components are interpolated.
pub(super) struct Positions {
    /// Whether each component is interpolated at a position that the primitive covers, at the centre, or at both.
    centroid: BTreeMap<u16, [bool; 2]>,
}

impl Positions {
    /// Those of a program, by its instructions.
    pub(super) fn of(program: &Program) -> Positions {
        let mut centroid: BTreeMap<u16, [bool; 2]> = BTreeMap::new();
        for insn in program.code.iter().filter_map(|word| Insn::<Maxwell>::decode(*word)) {
            if let Role::Attribute(access) = insn.form().attr.role
                && let AttributeAct::Interpolate { centroid: is_centroid, .. } = access.act
                && let Some(address) = fixed_attribute(&insn)
            {
                let at = usize::from(is_centroid(&insn.word));
                if let Some(met) = centroid.entry(address / 4).or_default().get_mut(at) {
                    *met = true;
                }
            }
        }
        Positions { centroid }
    }

    /// The position of the four components from one on. All of them have one in other languages: the centre, unless all
    /// are interpolated at the centroid.
    pub(super) fn of_attribute(&self, first: u16) -> Sampling {
        let mut used = self.centroid.range(first..first + 4).map(|(_, met)| *met).peekable();
        if used.peek().is_some() && used.all(|met| met == [false, true]) {
            Sampling::Centroid
        } else {
            Sampling::Centre
        }
    }

    /// A warning about attributes that are interpolated at both positions.
    pub(super) fn warning(&self) -> Option<Diagnostic> {
        let both = self.centroid.values().any(|met| *met == [true; 2]);
        let text =
            "an attribute is interpolated at the centre and at the centroid: it is translated at the centre";
        both.then(|| Diagnostic::warning("translate-centroid", text))
    }
}
