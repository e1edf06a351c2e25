//! What must be known of a function's expressions before it is printed: which become a `let`, and how large
//! vectors are.

use super::labels::Label;
use naga::{
    AddressSpace, AtomicFunction, Block, Expression, Function, Handle, MathFunction, Module, SampleLevel,
    StorageAccess, Type, TypeInner, VectorSize,
};

/// Expressions deeper than this are declared, so that printing does not recurse far.
const DEEPEST: u8 = 24;

/// What is known of an expression.
#[derive(Clone, Copy, Default)]
pub(super) struct Fact {
    /// How often it would be printed where it stands for itself.
    pub(super) uses: u32,
    /// Its type, or what it points to, where that is not a part of a vector.
    pub(super) ty: Option<Handle<Type>>,
    /// Components of its vector; 1 for all else.
    pub(super) size: u8,
    depth: u8,
    /// Whether it is declared where it is made.
    pub(super) declared: bool,
    /// Its name, once it is declared.
    pub(super) label: Option<Label>,
}

/// Surveys a function; `named` tells which expressions have a name to show.
pub(super) fn survey(
    module: &Module,
    fun: &Function,
    named: impl Fn(Handle<Expression>) -> bool,
) -> Vec<Fact> {
    let mut facts = vec![Fact::default(); fun.expressions.len()];
    count(&fun.body, &mut facts);
    for (h, e) in fun.expressions.iter().rev() {
        let uses = facts[h.index()].uses;
        if uses > 0 {
            let times = if stands_for_itself(e) && !named(h) { uses } else { 1 };
            operands(e, |o| {
                let of = &mut facts[o.index()].uses;
                *of = of.saturating_add(times);
            });
        }
    }
    for (h, e) in fun.expressions.iter() {
        let mut depth = 0;
        operands(e, |o| {
            let of = &facts[o.index()];
            depth = depth.max(if of.declared { 0 } else { of.depth + 1 });
        });
        let (ty, size) = shape(module, fun, &facts, e);
        let fact = &facts[h.index()];
        let declared = fact.uses > 0
            && match e {
                Expression::CallResult(_) | Expression::AtomicResult { .. } => true,
                Expression::Load { pointer } => match changes(module, fun, *pointer) {
                    Changes::Never if matches!(fun.expressions[*pointer], Expression::AccessIndex { .. }) => {
                        depth >= DEEPEST
                    }
                    Changes::Never => fact.uses > 1 || named(h) || depth >= DEEPEST,
                    Changes::Perhaps => true,
                },
                // These depend on which lanes are here.
                Expression::Derivative { .. }
                | Expression::ImageSample { .. }
                | Expression::ImageLoad { .. } => true,
                Expression::Literal(_)
                | Expression::ZeroValue(_)
                | Expression::FunctionArgument(_)
                | Expression::GlobalVariable(_)
                | Expression::LocalVariable(_)
                | Expression::Access { .. } => false,
                _ if named(h) || depth >= DEEPEST => true,
                e => fact.uses > 1 && !stands_for_itself(e),
            };
        facts[h.index()] = Fact { ty, size, depth, declared, ..*fact };
    }
    facts
}

/// Whether an expression is short enough to be printed as often as it is used; what it is made of is then used as
/// often.
const fn stands_for_itself(e: &Expression) -> bool {
    matches!(
        e,
        Expression::Swizzle { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Unary { .. }
    )
}

/// Whether what a pointer points to may change while the program runs.
enum Changes {
    Never,
    Perhaps,
}

fn changes(module: &Module, fun: &Function, mut pointer: Handle<Expression>) -> Changes {
    loop {
        pointer = match fun.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => base,
            Expression::GlobalVariable(g) => {
                let reads = match module.global_variables[g].space {
                    AddressSpace::Uniform => true,
                    AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                    _ => false,
                };
                return if reads { Changes::Never } else { Changes::Perhaps };
            }
            _ => return Changes::Perhaps,
        };
    }
}

/// Counts uses by statements.
fn count(block: &Block, facts: &mut [Fact]) {
    use naga::Statement as S;
    for statement in block.iter() {
        match statement {
            S::Store { pointer, value } => used(facts, [pointer, value]),
            S::ImageStore { coordinate, array_index, value, .. } => {
                used(facts, [coordinate, value]);
                used(facts, array_index);
            }
            S::Return { value } => used(facts, value),
            S::Call { arguments, .. } => used(facts, arguments),
            S::Atomic { pointer, fun, value, .. } => {
                used(facts, [pointer, value]);
                if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                    used(facts, [compare]);
                }
            }
            S::If { condition, accept, reject } => {
                used(facts, [condition]);
                count(accept, facts);
                count(reject, facts);
            }
            S::Switch { selector, cases } => {
                used(facts, [selector]);
                cases.iter().for_each(|c| count(&c.body, facts));
            }
            S::Loop { body, .. } => count(body, facts),
            _ => {}
        }
    }
}

fn used<'a>(facts: &mut [Fact], all: impl IntoIterator<Item = &'a Handle<Expression>>) {
    all.into_iter().for_each(|e| facts[e.index()].uses += 1);
}

/// Hands what an expression is made of to `f`.
fn operands(e: &Expression, mut f: impl FnMut(Handle<Expression>)) {
    match e {
        Expression::Compose { components, .. } => components.iter().copied().for_each(f),
        Expression::Splat { value: a, .. }
        | Expression::Swizzle { vector: a, .. }
        | Expression::AccessIndex { base: a, .. }
        | Expression::Load { pointer: a }
        | Expression::Unary { expr: a, .. }
        | Expression::As { expr: a, .. }
        | Expression::Derivative { expr: a, .. } => f(*a),
        Expression::Access { base: a, index: b } | Expression::Binary { left: a, right: b, .. } => {
            f(*a);
            f(*b);
        }
        Expression::Select { condition, accept, reject } => {
            f(*condition);
            f(*accept);
            f(*reject);
        }
        Expression::Math { arg, arg1, arg2, .. } => {
            f(*arg);
            [arg1, arg2].into_iter().flatten().copied().for_each(f);
        }
        Expression::ImageSample { coordinate, array_index, offset, level, depth_ref, .. } => {
            f(*coordinate);
            [array_index, depth_ref].into_iter().flatten().copied().for_each(&mut f);
            match level {
                SampleLevel::Exact(a) | SampleLevel::Bias(a) => f(*a),
                SampleLevel::Gradient { x, y } => {
                    f(*x);
                    f(*y);
                }
                SampleLevel::Auto | SampleLevel::Zero => {}
            }
            offset.iter().copied().for_each(f);
        }
        Expression::ImageLoad { coordinate, array_index, sample, level, .. } => {
            f(*coordinate);
            [array_index, sample, level].into_iter().flatten().copied().for_each(f);
        }
        _ => {}
    }
}

/// Type and size of what an expression yields or points to.
fn shape(module: &Module, fun: &Function, facts: &[Fact], e: &Expression) -> (Option<Handle<Type>>, u8) {
    let same = |e: Handle<Expression>| (facts[e.index()].ty, facts[e.index()].size);
    let of = |e: Handle<Expression>| (None, facts[e.index()].size);
    let ty = match *e {
        Expression::ZeroValue(ty) | Expression::Compose { ty, .. } | Expression::AtomicResult { ty, .. } => {
            Some(ty)
        }
        Expression::FunctionArgument(i) => fun.arguments.get(i as usize).map(|a| a.ty),
        Expression::GlobalVariable(g) => Some(module.global_variables[g].ty),
        Expression::LocalVariable(l) => Some(fun.local_variables[l].ty),
        Expression::CallResult(f) => module.functions[f].result.as_ref().map(|r| r.ty),
        Expression::Access { base, .. } => element(module, facts[base.index()].ty, 0),
        Expression::AccessIndex { base, index } => element(module, facts[base.index()].ty, index),
        Expression::Load { pointer } => return same(pointer),
        Expression::Splat { size, .. } | Expression::Swizzle { size, .. } => return (None, components(size)),
        Expression::Unary { expr, .. }
        | Expression::As { expr, .. }
        | Expression::Derivative { expr, .. } => {
            return of(expr);
        }
        Expression::Binary { left, right, .. } => {
            return (None, facts[left.index()].size.max(facts[right.index()].size));
        }
        Expression::Select { accept, .. } => return of(accept),
        Expression::Math { fun: MathFunction::Dot, .. } => None,
        Expression::Math { arg, .. } => return of(arg),
        Expression::ImageSample { gather: None, depth_ref: Some(_), .. } => None,
        Expression::ImageSample { .. } | Expression::ImageLoad { .. } => return (None, 4),
        _ => None,
    };
    match ty.map(|ty| &module.types[ty].inner) {
        Some(TypeInner::Vector { size, .. }) => (ty, components(*size)),
        _ => (ty, 1),
    }
}

/// The type of a part, where it is not a part of a vector.
fn element(module: &Module, ty: Option<Handle<Type>>, index: u32) -> Option<Handle<Type>> {
    match &module.types[ty?].inner {
        TypeInner::Array { base, .. } => Some(*base),
        TypeInner::Struct { members, .. } => members.get(index as usize).map(|m| m.ty),
        _ => None,
    }
}

const fn components(size: VectorSize) -> u8 {
    size as u8
}
