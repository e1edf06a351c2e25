//! Operations that become more than one loop, or none.

use super::{Checked, Planner, Val, malformed, unsupported};
use crate::micro::{Fast, Micro, P, Slow, Wide, ZERO};
use crate::select;
use shisa_ir::scalar::{DotOrder, DotSteps};
use shisa_ir::{
    Axis, Binary, Convert, FloatRule, LaneOp, Lod, NanRule, Node, SamplerRef, Scalar, Ternary, TexKind,
    TexOp, TextureRef, Type, Unary, Value,
};

impl Planner<'_> {
    pub(super) fn dot(&mut self, rule: FloatRule, a: Val, b: Val) -> Wide {
        let none = [ZERO; 2];
        let scalar = a.ty.scalar;
        let step = FloatRule { saturate: false, ..rule };
        let mut sum = if self.model.dot_steps == DotSteps::Once && self.model.is_f24(step, scalar) {
            let (dst, first) = (self.alloc(1), |v: Val| v.at.map(|at| at[0]));
            let count = a.ty.count;
            self.ops.push(Micro::Dot { rule: step, dst, count, a: first(a), b: first(b) });
            [dst, ZERO]
        } else {
            let mut products = [none; 4];
            for (i, product) in products.iter_mut().enumerate().take(a.count()) {
                let factors = [a.at[i], b.at[i], none];
                *product = self.compute(Slow::Binary(Binary::FMul, step, scalar), scalar, factors);
            }
            let order = if step.model { self.model.dot_order } else { DotOrder::Forward };
            let add = |a, b| self.compute(Slow::Binary(Binary::FAdd, step, scalar), scalar, [a, b, none]);
            order.sums(a.count(), |i| products[i], add).unwrap_or(none)
        };
        if rule.saturate {
            sum = self.compute(Slow::Unary(Unary::FSat, step, scalar), scalar, [sum, none, none]);
        }
        sum
    }

    pub(super) fn select(
        &mut self,
        scalar: Scalar,
        rule: FloatRule,
        cond: Wide,
        yes: Wide,
        no: Wide,
    ) -> Wide {
        if scalar.bits() == 64 {
            return self.compute(Slow::Ternary(Ternary::Select, rule, scalar), scalar, [cond, yes, no]);
        }
        [self.fast(Fast::Select, [cond[0], yes[0], no[0]]), ZERO]
    }

    pub(super) fn convert(
        &mut self,
        op: Convert,
        rule: FloatRule,
        from: Scalar,
        to: Scalar,
        a: Wide,
    ) -> Wide {
        match op {
            // The same planes: bits stay, zeros above are there already.
            Convert::Bits if from.bits() == to.bits() => a,
            Convert::ZeroExtend if from.bits() <= to.bits() => a,
            Convert::Truncate if to.bits() == 32 && from.bits() >= 32 => [a[0], ZERO],
            Convert::Truncate if to.bits() < 32 => {
                [self.fast(Fast::Extract { shift: 0, bits: to.bits() }, [a[0], ZERO, ZERO]), ZERO]
            }
            _ => {
                self.saturating(rule, to, [a, [ZERO; 2], [ZERO; 2]], |rule| Slow::Convert(op, rule, from, to))
            }
        }
    }

    /// An operation on integers of 64 bits as loops over their halves, where there are such.
    pub(super) fn halves(&mut self, op: Slow, [a, b, c]: [Wide; 3]) -> Option<Wide> {
        let each = |p: &mut Self, op: Fast| [0, 1].map(|i| p.fast(op, [a[i], b[i], ZERO]));
        match op {
            Slow::Binary(op, _, Scalar::I64) => Some(match op {
                Binary::And => each(self, Fast::And),
                Binary::Or => each(self, Fast::Or),
                Binary::Xor => each(self, Fast::Xor),
                Binary::IAdd => {
                    let low = self.fast(Fast::IAdd, [a[0], b[0], ZERO]);
                    let carry = self.fast(Fast::ULt, [low, a[0], ZERO]);
                    let high = self.fast(Fast::IAdd, [a[1], b[1], ZERO]);
                    [low, self.fast(Fast::IAdd, [high, carry, ZERO])]
                }
                Binary::ISub => {
                    let low = self.fast(Fast::ISub, [a[0], b[0], ZERO]);
                    let borrow = self.fast(Fast::ULt, [a[0], b[0], ZERO]);
                    let high = self.fast(Fast::ISub, [a[1], b[1], ZERO]);
                    [low, self.fast(Fast::ISub, [high, borrow, ZERO])]
                }
                Binary::IMul => {
                    let low = self.fast(Fast::IMul, [a[0], b[0], ZERO]);
                    let mut high = self.fast(Fast::UMulHi, [a[0], b[0], ZERO]);
                    for [x, y] in [[a[0], b[1]], [a[1], b[0]]] {
                        if x != ZERO && y != ZERO {
                            let part = self.fast(Fast::IMul, [x, y, ZERO]);
                            high = self.fast(Fast::IAdd, [high, part, ZERO]);
                        }
                    }
                    [low, high]
                }
                Binary::IEq | Binary::INe => {
                    let [low, high] = each(self, Fast::Xor);
                    let differ = self.fast(Fast::Or, [low, high, ZERO]);
                    let compare = if op == Binary::IEq { Fast::IEq } else { Fast::INe };
                    [self.fast(compare, [differ, ZERO, ZERO]), ZERO]
                }
                Binary::ULt => [self.less(Fast::ULt, a, b), ZERO],
                Binary::SLt => [self.less(Fast::SLt, a, b), ZERO],
                Binary::ULe | Binary::SLe => {
                    let less = self.less(if op == Binary::ULe { Fast::ULt } else { Fast::SLt }, b, a);
                    [self.fast(Fast::LogicalNot, [less, ZERO, ZERO]), ZERO]
                }
                Binary::UMin | Binary::UMax | Binary::SMin | Binary::SMax => {
                    let signed = matches!(op, Binary::SMin | Binary::SMax);
                    let less = self.less(if signed { Fast::SLt } else { Fast::ULt }, a, b);
                    let (yes, no) = if matches!(op, Binary::UMin | Binary::SMin) { (a, b) } else { (b, a) };
                    [0, 1].map(|i| self.fast(Fast::Select, [less, yes[i], no[i]]))
                }
                Binary::Shl => {
                    let by = self.constant(b).filter(|by| *by < 32)? as u8;
                    if by == 0 {
                        return Some(a);
                    }
                    let low = self.fast(Fast::Insert { shift: by }, [ZERO, a[0], ZERO]);
                    let over = self.fast(Fast::Extract { shift: 32 - by, bits: by }, [a[0], ZERO, ZERO]);
                    [low, self.fast(Fast::Insert { shift: by }, [over, a[1], ZERO])]
                }
                _ => return None,
            }),
            Slow::Ternary(Ternary::Select, _, Scalar::I64) => {
                Some([0, 1].map(|i| self.fast(Fast::Select, [a[0], b[i], c[i]])))
            }
            Slow::Convert(Convert::SignExtend, _, from, Scalar::I64) if from.bits() <= 32 => {
                let last = self.constants.get(&31).copied()?;
                let bits = from.bits();
                let low =
                    if bits == 32 { a[0] } else { self.fast(Fast::SignExtend { bits }, [a[0], ZERO, ZERO]) };
                Some([low, self.fast(Fast::AShr, [low, last, ZERO])])
            }
            _ => None,
        }
    }

    /// Whether the first of two numbers of 64 bits is less than the second, their high halves compared so.
    fn less(&mut self, high: Fast, a: Wide, b: Wide) -> P {
        let low = self.fast(Fast::ULt, [a[0], b[0], ZERO]);
        let above = self.fast(high, [a[1], b[1], ZERO]);
        let same = self.fast(Fast::IEq, [a[1], b[1], ZERO]);
        self.fast(Fast::Select, [same, low, above])
    }

    /// An operation on a number of less than 32 bits by way of one on words or binary32, where there is such.
    pub(super) fn narrow(&mut self, op: Slow, args: [P; 3]) -> Option<P> {
        use Binary::*;
        let [a, b, _] = args;
        let one = |p: &mut Self, op: Fast, a: P| p.fast(op, [a, ZERO, ZERO]);
        Some(match op {
            Slow::Unary(op @ (Unary::INeg | Unary::Not), rule, kind @ (Scalar::I8 | Scalar::I16)) => {
                let word = select::fast(Slow::Unary(op, rule, Scalar::I32), self.model)?;
                let v = one(self, word, a);
                one(self, Fast::Extract { shift: 0, bits: kind.bits() }, v)
            }
            Slow::Binary(op, rule, kind @ (Scalar::I8 | Scalar::I16)) => {
                let bits = kind.bits();
                let word = select::fast(Slow::Binary(op, rule, Scalar::I32), self.model)?;
                let (a, b) = match op {
                    IAdd | ISub | IMul | Shl => (a, b),
                    AShr => (one(self, Fast::SignExtend { bits }, a), b),
                    SMin | SMax | SLt | SLe => {
                        let wide = [a, b].map(|v| one(self, Fast::SignExtend { bits }, v));
                        (wide[0], wide[1])
                    }
                    _ => return None,
                };
                let v = self.fast(word, [a, b, ZERO]);
                if op.compares() { v } else { one(self, Fast::Extract { shift: 0, bits }, v) }
            }
            // Binary32 has more than twice the digits, so rounding twice is rounding once.
            Slow::Unary(
                op @ (Unary::FSat
                | Unary::FFloor
                | Unary::FCeil
                | Unary::FTrunc
                | Unary::FRound
                | Unary::FSqrt
                | Unary::FRcp),
                rule,
                Scalar::F16,
            ) => {
                let float = select::fast(Slow::Unary(op, rule, Scalar::F32), self.model)?;
                let v = one(self, Fast::FromHalf, a);
                let v = one(self, float, v);
                one(self, Fast::ToHalf, v)
            }
            Slow::Binary(op, rule, Scalar::F16) => {
                match op {
                    FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => {}
                    FMin | FMax if rule.nan != NanRule::Second => {}
                    _ => return None,
                }
                let float = select::fast(Slow::Binary(op, rule, Scalar::F32), self.model)?;
                let wide = [a, b].map(|v| one(self, Fast::FromHalf, v));
                let v = self.fast(float, [wide[0], wide[1], ZERO]);
                if op.compares() { v } else { one(self, Fast::ToHalf, v) }
            }
            Slow::Convert(Convert::SignExtend, _, Scalar::I8, Scalar::I16) => {
                let v = one(self, Fast::SignExtend { bits: 8 }, a);
                one(self, Fast::Extract { shift: 0, bits: 16 }, v)
            }
            Slow::Convert(
                op @ Convert::SignedToFloat,
                rule,
                from @ (Scalar::I8 | Scalar::I16),
                Scalar::F32,
            ) => {
                let float = select::fast(Slow::Convert(op, rule, Scalar::I32, Scalar::F32), self.model)?;
                let v = one(self, Fast::SignExtend { bits: from.bits() }, a);
                one(self, float, v)
            }
            Slow::Convert(
                op @ (Convert::FloatToSigned | Convert::FloatToUnsigned),
                rule,
                Scalar::F16,
                to,
            ) => {
                let whole = select::fast(Slow::Convert(op, rule, Scalar::F32, to), self.model)?;
                let v = one(self, Fast::FromHalf, a);
                one(self, whole, v)
            }
            _ => return None,
        })
    }

    /// The number that a component is in every lane, if it is a constant.
    fn constant(&self, v: Wide) -> Option<u64> {
        let bits = |p: P| self.constants.iter().find(|(_, at)| **at == p).map(|(&bits, _)| u64::from(bits));
        Some(bits(v[0])? | bits(v[1])? << 32)
    }

    /// A derivative's operand in the second or the first of the two lanes it is taken between.
    pub(super) fn neighbour(&mut self, axis: Axis, second: bool, a: Wide) -> Wide {
        a.map(|a| match a {
            ZERO => ZERO,
            a => {
                let dst = self.alloc(1);
                self.ops.push(Micro::Neighbour { axis, second, dst, a });
                dst
            }
        })
    }

    pub(super) fn lane(&mut self, node: &Node, op: LaneOp, a: Value, b: Value, out: &mut Val) -> Checked<()> {
        let ty = node.ty;
        let votes = matches!(op, LaneOp::Any | LaneOp::All | LaneOp::Ballot);
        let result = match op {
            LaneOp::Any | LaneOp::All => Type::BOOL,
            LaneOp::Ballot => Type::I32,
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch | LaneOp::QuadOr => ty,
        };
        if result != ty {
            return Err(malformed(node, "the result has the wrong type"));
        }
        let a = self.typed(node, a, if votes { Type::BOOL } else { ty })?;
        let b = if votes || op == LaneOp::QuadOr { ZERO } else { self.typed(node, b, Type::I32)?.at[0][0] };
        let wide = ty.scalar.bits() == 64;
        for i in 0..out.count() {
            let dst = self.alloc(1 + P::from(wide));
            self.ops.push(Micro::Lane { op, dst, wide, a: a.at[i], b });
            out.at[i] = [dst, if wide { dst + 1 } else { ZERO }];
        }
        Ok(())
    }

    pub(super) fn address(&self, node: &Node, v: Value) -> Checked<Wide> {
        let a = self.operand(node, v)?;
        if a.ty.count != 1 || a.ty.scalar.is_float() {
            return Err(malformed(node, "an address is one integer"));
        }
        Ok(a.at[0])
    }

    pub(super) fn sample(&mut self, node: &Node, op: &TexOp) -> Checked<[Wide; 4]> {
        if node.ty != Scalar::F32.by(4) {
            return Err(unsupported("texture results other than four components of binary32"));
        }
        if matches!(op.kind, TexKind::Store(_)) {
            return Err(malformed(node, "a texture operation yields nothing"));
        }
        let sample = self.texture_plan(node, op)?;
        let dst = self.alloc(4);
        self.ops.push(Micro::Texture { dst, sample });
        Ok([0, 1, 2, 3].map(|i| [dst + i, ZERO]))
    }

    /// The number of the plan of a texture operation. Floats are binary32, integers have 32 bits.
    pub(super) fn texture_plan(&mut self, node: &Node, op: &TexOp) -> Checked<u32> {
        let coordinates = op.shape.dim.coordinates();
        let kind = if op.is_exact() { Scalar::I32 } else { Scalar::F32 };
        let fits = |v: Value, ty: Type, what| match self.operand(node, v)?.ty == ty {
            true => Ok(()),
            false => Err(malformed(node, what)),
        };
        fits(op.coord, kind.by(coordinates), "a coordinate has the wrong type")?;
        let lod = "a level of detail has the wrong type";
        match op.lod {
            Lod::Zero | Lod::Implicit => {}
            Lod::Bias(v) | Lod::Level(v) => fits(v, kind.by(1), lod)?,
            Lod::Gradient(x, y) => {
                fits(x, kind.by(coordinates), lod)?;
                fits(y, kind.by(coordinates), lod)?;
            }
        }
        let floats = op.least.iter().chain(&op.compare).try_for_each(|v| fits(*v, Type::F32, "no number"));
        floats?;
        let numbers = op.layer.iter().chain(&op.sample).try_for_each(|v| fits(*v, Type::I32, "no integer"));
        numbers?;
        op.offset.map_or(Ok(()), |v| fits(v, Scalar::I32.by(coordinates), "an offset has the wrong type"))?;
        if let TextureRef::Numbered(v) = op.texture {
            fits(v, Type::I32, "the number of a texture is no integer")?;
        }
        if let SamplerRef::Handle(v) = op.sampler {
            fits(v, Type::I32, "a sampler is no integer")?;
        }
        if let TexKind::Store(v) = op.kind {
            fits(v, Scalar::F32.by(4), "a texel has the wrong type")?;
        }
        if op.layer.is_some() != op.shape.arrayed || op.sample.is_some() != op.shape.multisampled {
            return Err(malformed(node, "a texture operation does not fit its shape"));
        }
        let mut failed = Ok(());
        let plan = op.map(|v| match self.operand(node, *v) {
            Ok(v) if v.ty.scalar.bits() == 64 => [v.at[0][0], v.at[0][1], ZERO, ZERO],
            Ok(v) => v.at.map(|at| at[0]),
            Err(e) => {
                failed = Err(e);
                [ZERO; 4]
            }
        });
        failed?;
        self.samples.push(plan);
        Ok(self.samples.len() as u32 - 1)
    }
}

/// [`Convert::Pair`] in either direction.
pub(super) fn pair(node: &Node, a: &Val) -> Checked<[Wide; 4]> {
    let none = [ZERO; 2];
    let ty = node.ty;
    match (a.ty.scalar.bits(), a.ty.count, ty.scalar.bits(), ty.count) {
        (32, 2, 64, 1) => Ok([[a.at[0][0], a.at[1][0]], none, none, none]),
        (64, 1, 32, 2) => Ok([[a.at[0][0], ZERO], [a.at[0][1], ZERO], none, none]),
        _ => Err(malformed(node, "a pair is two components of 32 bits and one of 64")),
    }
}
