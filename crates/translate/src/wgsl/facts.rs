//! Facts about a function's expressions: how often they are used, which become a `let`, and how many components vectors
//! have.

use super::labels::Label;
use crate::syntax::{
    AddressSpace, AtomicOp, Dimension, Expr, Expression, Function, LaneOp, MathFunction, Module, Query,
    Statement, Type, TypeId,
};

/// Expressions nested deeper than this are declared, so that printing does not recurse far.
const DEEPEST: u8 = 24;

/// Facts about an expression.
#[derive(Clone, Copy, Default)]
pub(super) struct Fact {
    /// How often it would be printed if it had no name.
    pub(super) uses: u32,
    /// Its type, or the type that it points to, unless it is a component of a vector.
    pub(super) ty: Option<TypeId>,
    /// Components of its vector; 1 for everything else.
    pub(super) size: u8,
    /// Depth of the expression that it is an operand of; 0 if it has a name.
    above: u8,
    /// Its name, once it is declared.
    pub(super) label: Option<Label>,
}

/// Counts the uses of the expressions of a function.
pub(super) fn uses(fun: &Function, facts: &mut Vec<Fact>) {
    facts.clear();
    facts.resize(fun.expressions.len(), Fact::default());
    count(fun, facts);
    let (list, facts) = (&fun.expressions[..], &mut facts[..fun.expressions.len()]);
    for i in (0..list.len()).rev() {
        let (node, uses) = (&list[i], facts[i].uses);
        if uses > 0 {
            let e = &node.expression;
            let times = if uses > 1 && is_short(e) && !node.is_named() { uses } else { 1 };
            fun.operands(e, |o| {
                let of = &mut facts[o.index()].uses;
                *of = of.saturating_add(times);
            });
        }
    }
}

/// Finds the other facts about an expression whose operands have theirs. Returns whether the expression is declared
/// before the statement that comes after it; others are printed where they are used, or declared by the statement that
/// yields them.
pub(super) fn declares(module: &Module, fun: &Function, facts: &mut [Fact], i: usize) -> bool {
    let node = &fun.expressions[i];
    let e = &node.expression;
    let (ty, size) = shape(module, fun, facts, e);
    let fact = &mut facts[i];
    (fact.ty, fact.size) = (ty, size);
    if fact.uses == 0 {
        return false;
    }
    if !e.is_computed() {
        fact.above = u8::from(!e.is_yielded());
        return false;
    }
    let mut depth = 0;
    fun.operands(e, |o| depth = depth.max(facts[o.index()].above));
    let fact = &mut facts[i];
    let deep = depth >= DEEPEST;
    let declared = match *e {
        Expression::Load { pointer } => match changes(module, fun, pointer) {
            false if matches!(fun.get(pointer), Expression::AccessIndex { .. }) => deep,
            false => fact.uses > 1 || node.is_named() || deep,
            true => true,
        },
        // These depend on which lanes are active.
        Expression::Derivative { .. } | Expression::Sample(_) | Expression::Fetch(_) => true,
        Expression::Access { .. } => false,
        _ if node.is_named() || deep => true,
        _ => fact.uses > 1 && !is_short(e),
    };
    fact.above = if declared { 0 } else { depth.saturating_add(1) };
    declared
}

/// Whether an expression is short enough to be printed at each use; its operands are then used as often.
const fn is_short(e: &Expression) -> bool {
    matches!(
        e,
        Expression::Swizzle { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Unary { .. }
    )
}

/// Whether the target of a pointer may change while the program runs.
fn changes(module: &Module, fun: &Function, mut pointer: Expr) -> bool {
    loop {
        pointer = match fun.get(pointer) {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => base,
            Expression::Global(g) => {
                return !matches!(
                    module.global(g).space,
                    AddressSpace::Uniform | AddressSpace::Storage { written: false }
                );
            }
            _ => return true,
        };
    }
}

/// Counts uses by statements.
fn count(fun: &Function, facts: &mut [Fact]) {
    let mut used = |e: Expr| facts[e.index()].uses += 1;
    for step in &fun.statements {
        match step.statement {
            Statement::Store { pointer, value } => {
                used(pointer);
                used(value);
            }
            Statement::StoreTexel { coordinate, layer, value, .. } => {
                used(coordinate);
                used(value);
                layer.into_iter().for_each(&mut used);
            }
            Statement::Return(value) => value.into_iter().for_each(&mut used),
            Statement::Call { arguments, .. } => fun.list(arguments).iter().copied().for_each(&mut used),
            Statement::Atomic { op, pointer, value, .. } => {
                used(pointer);
                used(value);
                if let AtomicOp::CompareExchange(compare) = op {
                    used(compare);
                }
            }
            Statement::Lane { op, value, .. } => {
                used(value);
                if let LaneOp::Shuffle(lane) = op {
                    used(lane);
                }
            }
            Statement::If(e) | Statement::Switch(e) => used(e),
            Statement::Nothing
            | Statement::Barrier { .. }
            | Statement::Else
            | Statement::Loop
            | Statement::Case(_)
            | Statement::End
            | Statement::Break
            | Statement::Continue
            | Statement::Discard => {}
        }
    }
}

/// Type and size of an expression's value, or of the value that it points to.
fn shape(module: &Module, fun: &Function, facts: &[Fact], e: &Expression) -> (Option<TypeId>, u8) {
    let same = |e: Expr| (facts[e.index()].ty, facts[e.index()].size);
    let of = |e: Expr| (None, facts[e.index()].size);
    let ty = match *e {
        Expression::Zero(ty)
        | Expression::Compose { ty, .. }
        | Expression::AtomicResult { ty, .. }
        | Expression::LaneResult { ty, .. } => Some(ty),
        Expression::Argument(i) => fun.arguments.get(i as usize).map(|a| a.ty),
        Expression::Global(g) => Some(module.global(g).ty),
        Expression::Local(l) => Some(fun.local(l).ty),
        Expression::CallResult(f) => module.function(f).result,
        Expression::Access { base, .. } => element(module, facts[base.index()].ty, 0),
        Expression::AccessIndex { base, index } => element(module, facts[base.index()].ty, index),
        Expression::Load { pointer } => return same(pointer),
        Expression::Splat { count, .. } | Expression::Swizzle { count, .. } => return (None, count),
        Expression::Unary { a, .. }
        | Expression::Convert { a, .. }
        | Expression::Bits { a, .. }
        | Expression::Derivative { a, .. } => return of(a),
        Expression::Binary { a, b, .. } => {
            return (None, facts[a.index()].size.max(facts[b.index()].size));
        }
        Expression::Select { yes, .. } => return of(yes),
        Expression::Math { function: MathFunction::Dot, .. } | Expression::Literal(_) => None,
        Expression::Math { a, .. } => return of(a),
        Expression::Sample(n) => {
            let sample = &fun.samples[n as usize];
            let one = sample.gather.is_none() && sample.reference.is_some();
            return (None, if one { 1 } else { 4 });
        }
        Expression::Fetch(_) => return (None, 4),
        Expression::Query { image, what: Query::Size(_) } => {
            let of = facts[image.index()].ty.map(|ty| module.types.get(ty));
            let size = match of {
                Some(Type::Texture { dimension: Dimension::D1, .. }) => 1,
                Some(Type::Texture { dimension: Dimension::D3, .. }) => 3,
                _ => 2,
            };
            return (None, size);
        }
        Expression::Query { .. } => None,
    };
    match ty.map(|ty| module.types.get(ty)) {
        Some(Type::Value { count, .. }) => (ty, count),
        _ => (ty, 1),
    }
}

/// The type of a part, unless it is a component of a vector.
fn element(module: &Module, ty: Option<TypeId>, index: u32) -> Option<TypeId> {
    match module.types.get(ty?) {
        Type::Array { base, .. } => Some(base),
        Type::Structure => Some(module.types.structure.as_ref()?.members.get(index as usize)?.ty),
        _ => None,
    }
}
