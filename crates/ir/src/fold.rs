//! Constant folding, simplification, and sharing of what is computed twice. Every change is exact: same bits, NaN and signs of zero included.

use crate::graph::Graph;
use crate::share::Firsts;
use crate::{
    Binary, BlockId, Convert, Edge, End, Func, Node, Nodes, Op, Swizzle, Ternary, Type, Unary, Value, scalar,
};
use alloc::{vec, vec::Vec};

/// Computes what constants determine, looks through swizzles, joins and changes of kind that cancel
/// out, and replaces branches on constants by jumps. What becomes unused is left to
/// [`crate::remove_dead`]. Operations whose rule names a float model stay: the model is chosen later.
pub fn fold(func: &mut Func) {
    walk(func, None);
}

/// As [`fold`], and lets uses of an address that a block computes twice name the first.
pub fn fold_and_share(func: &mut Func) {
    let firsts = Firsts::worthwhile(func);
    walk(func, firsts);
}

fn walk(func: &mut Func, mut firsts: Option<Firsts>) {
    let order = match func.blocks.len() {
        0 => return,
        1 => vec![BlockId(0)],
        _ => Graph::new(func).order,
    };
    let mut replaced: Vec<Value> = (0..func.nodes.list.len() as u32).map(Value).collect();
    let mut body = Vec::with_capacity(func.blocks.iter().map(|b| b.body.len()).max().unwrap_or(0) + 4);
    for &id in &order {
        let old = core::mem::take(&mut func.blocks[id.index()].body);
        if let Some(firsts) = &mut firsts {
            firsts.begin(old.len());
        }
        for &v in &old {
            func.nodes.map(v, |o| replaced[o.index()]);
            let node = func.nodes.list[v.index()];
            if never_kills(&func.nodes, &node) {
                continue;
            }
            match simplify(&mut func.nodes, &node, &mut body) {
                Some(Simple::Value(other)) => {
                    replaced[v.index()] = other;
                    continue;
                }
                Some(Simple::Op(op)) => func.nodes.list[v.index()].op = op,
                None => {}
            }
            let first = firsts.as_mut().map_or(v, |firsts| firsts.like(func, v));
            if first != v {
                replaced[v.index()] = first;
                continue;
            }
            body.push(v);
        }
        // New constants have numbers of their own.
        replaced.extend((replaced.len() as u32..func.nodes.list.len() as u32).map(Value));
        func.blocks[id.index()].body = core::mem::replace(&mut body, old);
        body.clear();
    }
    // Arguments on the way back may be replaced only after the block they leave from.
    for block in &mut func.blocks {
        if let End::Branch { cond, yes, no } = &mut block.end {
            *cond = replaced[cond.index()];
            let taken: Option<&Edge> = match func.nodes.op(*cond) {
                Op::Const(bits) => Some(if bits & 1 != 0 { yes } else { no }),
                _ if yes == no => Some(yes),
                _ => None,
            };
            if let Some(edge) = taken {
                block.end = End::Jump(edge.clone());
            }
        }
        block.end.edges_mut().flat_map(|e| &mut e.args).for_each(|a| *a = replaced[a.index()]);
        choose(&func.nodes, &mut block.end);
    }
}

fn never_kills(nodes: &Nodes, node: &Node) -> bool {
    matches!(node.op, Op::Kill { cond } if matches!(nodes.op(cond), Op::Const(bits) if bits & 1 == 0))
}

/// What an argument selects by the condition of its branch is known on each way.
fn choose(nodes: &Nodes, end: &mut End) {
    let End::Branch { cond, yes, no } = end else { return };
    let chosen = |arg: &Value, holds: bool| match nodes.op(*arg) {
        Op::Ternary { op: Ternary::Select, a, b, c, .. } if a == *cond => Some(if holds { b } else { c }),
        _ => None,
    };
    for (edge, holds) in [(yes, true), (no, false)] {
        for arg in &mut edge.args {
            if let Some(value) = chosen(arg, holds) {
                *arg = value;
            }
        }
    }
}

/// What an operation comes to.
enum Simple {
    /// A value that exists.
    Value(Value),
    /// A simpler operation.
    Op(Op),
}

fn simplify(nodes: &mut Nodes, node: &Node, body: &mut Vec<Value>) -> Option<Simple> {
    use Simple::{Op as Becomes, Value as Is};
    let ty = node.ty;
    match node.op {
        Op::Swizzle { a, swizzle } => swizzled(nodes, a, swizzle, ty),
        Op::Join { parts } => joined(nodes, &parts[..usize::from(ty.count.clamp(1, 4))], ty),
        Op::Ternary { op: Ternary::Select, a, b, c, .. } => match nodes.op(a) {
            _ if b == c => Some(Is(b)),
            Op::Const(bits) => Some(Is(if bits & 1 != 0 { b } else { c })),
            _ => computed(nodes, node, body),
        },
        Op::Convert { op, a, .. } => converted(nodes, op, a, ty).or_else(|| computed(nodes, node, body)),
        Op::Unary { op, rule, a } => match (op, nodes.op(a)) {
            (Unary::INeg | Unary::Not | Unary::FNeg, Op::Unary { op: inner, a: x, .. }) if inner == op => {
                Some(Is(x))
            }
            (Unary::FAbs, Op::Unary { op: Unary::FAbs, .. }) => Some(Is(a)),
            (Unary::FAbs, Op::Unary { op: Unary::FNeg, a: x, .. }) => {
                Some(Becomes(Op::Unary { op, rule, a: x }))
            }
            _ => computed(nodes, node, body),
        },
        Op::Binary { op, a, b, .. } => {
            neutral(nodes, op, a, b).or_else(|| masked(nodes, node)).or_else(|| computed(nodes, node, body))
        }
        Op::Ternary { .. } => computed(nodes, node, body),
        _ => None,
    }
}

fn swizzled(nodes: &Nodes, a: Value, swizzle: Swizzle, ty: Type) -> Option<Simple> {
    let picks = |i: u8| swizzle.get(i);
    match nodes.op(a) {
        Op::Const(bits) => return Some(Simple::Op(Op::Const(bits))),
        Op::Swizzle { a: inner, swizzle: first } => {
            let op = Op::Swizzle { a: inner, swizzle: first.then(swizzle) };
            return Some(swizzled(nodes, inner, first.then(swizzle), ty).unwrap_or(Simple::Op(op)));
        }
        Op::Join { parts } => {
            let parts: [Value; 4] = core::array::from_fn(|i| parts[usize::from(picks(i as u8))]);
            let count = usize::from(ty.count.clamp(1, 4));
            let op = Op::Join { parts: core::array::from_fn(|i| parts[i.min(count - 1)]) };
            return Some(joined(nodes, &parts[..count], ty).unwrap_or(Simple::Op(op)));
        }
        // Of a vector that was changed only the component that is wanted.
        Op::Convert { op, rule, a: inner } if ty.count == 1 && op != Convert::Pair => {
            if let Op::Join { parts } = nodes.op(inner) {
                let a = parts[usize::from(picks(0))];
                return Some(Simple::Op(Op::Convert { op, rule, a }));
            }
        }
        _ => {}
    }
    let whole = nodes.ty(a) == ty && (0..ty.count).all(|i| picks(i) == i);
    whole.then_some(Simple::Value(a))
}

fn joined(nodes: &Nodes, parts: &[Value], ty: Type) -> Option<Simple> {
    if let [one] = parts {
        return Some(Simple::Value(*one));
    }
    if let Op::Const(bits) = nodes.op(parts[0])
        && parts.iter().all(|&p| nodes.op(p) == Op::Const(bits))
    {
        return Some(Simple::Op(Op::Const(bits)));
    }
    let origin = |v: Value| match nodes.op(v) {
        Op::Swizzle { a, swizzle } => (a, swizzle.get(0)),
        _ => (v, 0),
    };
    let (a, _) = origin(parts[0]);
    if parts.iter().any(|&p| origin(p).0 != a) {
        return None;
    }
    let mut picks = [0; 4];
    picks.iter_mut().zip(parts).for_each(|(pick, &p)| *pick = origin(p).1);
    let swizzle = Swizzle::from_slice(&picks[..parts.len()]);
    Some(swizzled(nodes, a, swizzle, ty).unwrap_or(Simple::Op(Op::Swizzle { a, swizzle })))
}

fn converted(nodes: &Nodes, op: Convert, a: Value, ty: Type) -> Option<Simple> {
    if op == Convert::Bits && nodes.ty(a) == ty {
        return Some(Simple::Value(a));
    }
    let Op::Convert { op: inner, rule, a: x } = nodes.op(a) else { return None };
    let back = nodes.ty(x) == ty;
    match (op, inner) {
        (Convert::Bits, Convert::Bits) | (Convert::Pair, Convert::Pair) if back => Some(Simple::Value(x)),
        (Convert::Truncate, Convert::ZeroExtend | Convert::SignExtend) if back => Some(Simple::Value(x)),
        (Convert::Bits, Convert::Bits)
        | (Convert::ZeroExtend, Convert::ZeroExtend)
        | (Convert::SignExtend, Convert::SignExtend)
        | (Convert::Truncate, Convert::Truncate) => Some(Simple::Op(Op::Convert { op, rule, a: x })),
        _ => None,
    }
}

/// Integer operations that one constant operand or equal operands decide.
fn neutral(nodes: &Nodes, op: Binary, a: Value, b: Value) -> Option<Simple> {
    use Binary::*;
    let ones = u64::MAX >> (64 - nodes.ty(a).scalar.bits());
    let constant = |v| match nodes.op(v) {
        Op::Const(bits) => Some(bits & ones),
        _ => None,
    };
    if a == b {
        match op {
            And | Or | UMin | UMax | SMin | SMax => return Some(Simple::Value(a)),
            ISub | Xor | INe | ULt | SLt => return Some(Simple::Op(Op::Const(0))),
            IEq | ULe | SLe => return Some(Simple::Op(Op::Const(1))),
            _ => {}
        }
    }
    // What `x op c` comes to; `Ok` for x, `Err` for a constant.
    let right = |c: u64| match (op, c) {
        (IAdd | ISub | Or | Xor | Shl | LShr | AShr, 0) | (IMul, 1) => Some(Ok(())),
        (And, c) if c == ones => Some(Ok(())),
        (IMul | And | UMin, 0) => Some(Err(0)),
        (Or | UMax, c) if c == ones => Some(Err(ones)),
        _ => None,
    };
    let commutes = matches!(op, IAdd | IMul | And | Or | Xor | UMin | UMax);
    let (x, decided) = match (constant(b).and_then(right), constant(a).filter(|_| commutes).and_then(right)) {
        (Some(d), _) => (a, d),
        (None, Some(d)) => (b, d),
        (None, None) => return None,
    };
    Some(match decided {
        Ok(()) => Simple::Value(x),
        Err(bits) => Simple::Op(Op::Const(bits)),
    })
}

/// A value and the constant by which it is masked.
fn mask(nodes: &Nodes, op: Op) -> Option<(Value, u64)> {
    let Op::Binary { op: Binary::And, a, b, .. } = op else { return None };
    match (nodes.op(a), nodes.op(b)) {
        (_, Op::Const(bits)) => Some((a, bits)),
        (Op::Const(bits), _) => Some((b, bits)),
        _ => None,
    }
}

/// Of bits that were put beside others only those that are wanted.
fn masked(nodes: &Nodes, node: &Node) -> Option<Simple> {
    let (v, wanted) = mask(nodes, node.op)?;
    let Op::Binary { op: Binary::Or, a, b, .. } = nodes.op(v) else { return None };
    let none = |part: Value| mask(nodes, nodes.op(part)).is_some_and(|(_, bits)| bits & wanted == 0);
    let left = if none(a) {
        b
    } else if none(b) {
        a
    } else {
        return None;
    };
    let mut op = node.op;
    if let Op::Binary { a, b, .. } = &mut op {
        *(if *a == v { a } else { b }) = left;
    }
    Some(Simple::Op(op))
}

/// The components of a constant, which may be a join of constants.
fn constant(nodes: &Nodes, v: Value) -> Option<[u64; 4]> {
    match nodes.op(v) {
        Op::Const(bits) => Some([bits; 4]),
        Op::Join { parts } => {
            let mut bits = [0; 4];
            for (b, &p) in bits.iter_mut().zip(&parts) {
                let Op::Const(part) = nodes.op(p) else { return None };
                *b = part;
            }
            Some(bits)
        }
        _ => None,
    }
}

/// The operation on constants.
fn computed(nodes: &mut Nodes, node: &Node, body: &mut Vec<Value>) -> Option<Simple> {
    let kind = |v: Value| nodes.ty(v).scalar;
    let at = |v: Value| constant(nodes, v);
    let bits: [u64; 4] = match node.op {
        Op::Unary { rule, .. }
        | Op::Binary { rule, .. }
        | Op::Ternary { rule, .. }
        | Op::Convert { rule, .. }
            if rule.model =>
        {
            return None;
        }
        Op::Unary { op, rule, a } => at(a)?.map(|x| scalar::unary(op, rule, kind(a), x)),
        Op::Binary { op: Binary::FDot, rule, a, b } => {
            let count = usize::from(nodes.ty(a).count).min(4);
            [scalar::dot(rule, kind(a), &at(a)?[..count], &at(b)?[..count]); 4]
        }
        Op::Binary { op, rule, a, b } => {
            let (x, y) = (at(a)?, at(b)?);
            core::array::from_fn(|i| scalar::binary(op, rule, kind(a), x[i], y[i]))
        }
        Op::Ternary { op, rule, a, b, c } => {
            let (x, y, z) = (at(a)?, at(b)?, at(c)?);
            core::array::from_fn(|i| scalar::ternary(op, rule, node.ty.scalar, x[i], y[i], z[i]))
        }
        Op::Convert { op: Convert::Pair, a, .. } if node.ty.count == 2 => {
            let [low, high] = scalar::halves(at(a)?[0]);
            [low, high, high, high]
        }
        Op::Convert { op: Convert::Pair, a, .. } => {
            let parts = at(a)?;
            [scalar::pair([parts[0], parts[1]]); 4]
        }
        Op::Convert { op, rule, a } => at(a)?.map(|x| scalar::convert(op, rule, kind(a), node.ty.scalar, x)),
        _ => return None,
    };
    let count = usize::from(node.ty.count.clamp(1, 4));
    if bits[..count].iter().all(|&b| b == bits[0]) {
        return Some(Simple::Op(Op::Const(bits[0])));
    }
    let mut part = |i: usize| {
        let v = nodes.push(Op::Const(bits[i]), node.ty.with_count(1), node.origin);
        body.push(v);
        v
    };
    let mut parts = [part(0); 4];
    for i in 1..4 {
        parts[i] = if i < count { part(i) } else { parts[i - 1] };
    }
    Some(Simple::Op(Op::Join { parts }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FILES, Machine, Random, random_func};
    use crate::{Builder, FileId, Mask, Reg, Scalar, registers_to_values};
    use shisa_diag::Limits;

    /// The operations left of a block that stores what `make` yields.
    fn folded(make: impl FnOnce(&mut Builder<'_>) -> Value) -> Func {
        let mut func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
        let mut builder = Builder::new(&mut func.nodes, 0);
        let v = make(&mut builder);
        builder.write(Reg::new(FileId(3), 0), Mask::first(builder.ty(v).count), v);
        let body = (0..func.nodes.list.len() as u32).map(Value).collect();
        func.blocks.push(crate::Block { params: Vec::new(), body, end: End::Exit });
        fold(&mut func);
        crate::remove_dead(&mut func);
        func
    }

    fn result(func: &Func) -> Op {
        match func.blocks[0].body.last().map(|&v| func.nodes.op(v)) {
            Some(Op::Write { value, .. }) => func.nodes.op(value),
            other => panic!("{other:?}"),
        }
    }

    fn input(b: &mut Builder<'_>, ty: Type) -> Value {
        b.read(Reg::new(FileId(4), 0), Swizzle::IDENTITY, ty)
    }

    #[test]
    fn constants_are_computed() {
        let sum = folded(|b| {
            let (x, y) = (b.f32(1.5, 3), b.f32(2.0, 3));
            b.fadd(x, y)
        });
        assert_eq!(result(&sum), Op::Const(3.5f32.to_bits().into()));
        let vector = folded(|b| {
            let (x, y) = (b.i32(1), b.i32(2));
            let both = b.join(&[x, y]);
            b.iadd(both, both)
        });
        let Op::Join { parts } = result(&vector) else { panic!() };
        assert_eq!(parts.map(|p| vector.nodes.op(p)), [2, 4, 4, 4].map(Op::Const));
        let model = folded(|b| {
            b.rule.model = true;
            let x = b.f32(1.5, 1);
            b.fadd(x, x)
        });
        assert!(matches!(result(&model), Op::Binary { .. }), "a model's arithmetic is not known yet");
    }

    #[test]
    fn lanes_that_never_end_are_not_asked() {
        let kills =
            |func: &Func| func.blocks[0].body.iter().any(|v| matches!(func.nodes.op(*v), Op::Kill { .. }));
        for (ends, kept) in [(0, false), (1, true)] {
            let func = folded(|b| {
                let cond = b.constant(Type::BOOL, ends);
                b.kill(cond);
                b.i32(0)
            });
            assert_eq!(kills(&func), kept);
        }
    }

    #[test]
    fn float_identities_that_are_not_exact_stay() {
        let plus_zero = folded(|b| {
            let (x, zero) = (input(b, Type::F32), b.f32(0.0, 1));
            b.fadd(x, zero)
        });
        assert!(matches!(result(&plus_zero), Op::Binary { .. }), "-0 + 0 is +0");
        let negated = folded(|b| {
            let x = input(b, Type::F32);
            let y = b.fneg(x);
            b.fneg(y)
        });
        assert!(matches!(result(&negated), Op::Read { .. }));
    }

    #[test]
    fn swizzles_and_joins_cancel_out() {
        let whole = folded(|b| {
            let v = input(b, Scalar::F32.by(3));
            let parts: Vec<Value> = (0..3).map(|i| b.component(v, i)).collect();
            b.join(&parts)
        });
        assert!(matches!(result(&whole), Op::Read { .. }));
        let turned = folded(|b| {
            let v = input(b, Scalar::F32.by(4));
            let w = b.swizzle(v, Swizzle::from_slice(&[3, 2, 1, 0]), 4);
            b.swizzle(w, Swizzle::from_slice(&[3, 2, 1, 0]), 4)
        });
        assert!(matches!(result(&turned), Op::Read { .. }));
        let part = folded(|b| {
            let (x, y) = (input(b, Type::F32), b.f32(1.0, 1));
            let j = b.join(&[y, x, y]);
            b.component(j, 1)
        });
        assert!(matches!(result(&part), Op::Read { .. }));
    }

    #[test]
    fn integers_selects_and_conversions() {
        for (op, c, stays) in [
            (Binary::IAdd, 0, true),
            (Binary::IMul, 1, true),
            (Binary::And, 0xffff_ffff, true),
            (Binary::AShr, 0, true),
            (Binary::IMul, 0, false),
            (Binary::Or, 0xffff_ffff, false),
        ] {
            let func = folded(|b| {
                let (x, c) = (input(b, Type::I32), b.constant(Type::I32, c));
                b.binary(op, x, c)
            });
            assert_eq!(matches!(result(&func), Op::Read { .. }), stays, "{op:?} {c}");
            assert_eq!(matches!(result(&func), Op::Const(_)), !stays, "{op:?} {c}");
        }
        let byte = folded(|b| {
            let (x, high, low) = (input(b, Type::I32), b.i32(0xff00), b.i32(0xff));
            let (kept, by) = (b.and(x, high), b.i32(24));
            let other = b.lshr(x, by);
            let both = b.or(kept, other);
            b.and(low, both)
        });
        let Op::Binary { op: Binary::And, b: left, .. } = result(&byte) else { panic!() };
        assert!(matches!(byte.nodes.op(left), Op::Binary { op: Binary::LShr, .. }));
        let select = folded(|b| {
            let (x, y, c) = (input(b, Type::I32), b.i32(3), b.constant(Type::BOOL, 1));
            b.select(c, x, y)
        });
        assert!(matches!(result(&select), Op::Read { .. }));
        let bits = folded(|b| {
            let x = input(b, Type::F32);
            let y = b.convert(Convert::Bits, x, Scalar::I32);
            b.convert(Convert::Bits, y, Scalar::F32)
        });
        assert!(matches!(result(&bits), Op::Read { .. }));
    }

    #[test]
    fn random_functions_do_the_same_folded() {
        let mut random = Random::new(31);
        let (mut before_count, mut after_count, mut shorter) = (0, 0, 0);
        for round in 0..2000 {
            let size = 1 + random.below(8);
            let mut func = random_func(&mut random, size);
            registers_to_values(&mut func, &Limits::default()).unwrap();
            let mut after = func.clone();
            walk(&mut after, None);
            let folded = after.clone();
            crate::remove_dead(&mut after);
            let mut shared = func.clone();
            walk(&mut shared, Some(Firsts::default()));
            crate::remove_dead(&mut shared);
            shorter += usize::from(shared.nodes.list.len() < after.nodes.list.len());
            before_count += func.blocks.iter().map(|b| b.body.len()).sum::<usize>();
            after_count += after.nodes.list.len();
            for seed in 0..3 {
                let a = Machine::new(&func, seed, 60).run();
                let b = Machine::new(&folded, seed, 60).run();
                let c = Machine::new(&after, seed, 60).run();
                let d = Machine::new(&shared, seed, 60).run();
                assert!(a.agrees(&b), "round {round}, folded\n{func:?}");
                assert!(a.agrees(&c), "round {round}, dead code removed\n{func:?}");
                assert!(a.agrees(&d), "round {round}, shared\n{func:?}");
            }
        }
        assert!(after_count * 4 < before_count * 3, "{before_count} -> {after_count}");
        assert!(shorter > 100, "{shorter}");
    }
}
