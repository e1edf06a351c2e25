//! A function.

use super::expression::{Expr, Expression, Fetch, Level, List, LocalId, Query, Sample};
use super::name::Name;
use super::spare::emptied;
use super::statement::Statement;
use super::types::{Binding, TypeId};

/// A function: its expressions, each after its operands, and its statements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) arguments: Vec<Argument<'p>>,
    pub(crate) result: Option<TypeId>,
    pub(crate) locals: Vec<Local<'p>>,
    pub(crate) expressions: Vec<Node>,
    pub(crate) statements: Vec<Step>,
    pub(crate) samples: Vec<Sample>,
    pub(crate) fetches: Vec<Fetch>,
    /// The operands that [`List`]s are ranges of.
    pub(super) operands: Vec<Expr>,
    /// The names that [`Node::name`] indexes.
    pub(super) names: Vec<Name<'p>>,
}

/// An argument; that of an entry point has a binding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) ty: TypeId,
    pub(crate) binding: Option<Binding>,
}

/// A variable of a function, initially zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) ty: TypeId,
}

/// An expression with its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) expression: Expression,
    /// The instruction that it comes from, or [`Node::NOWHERE`].
    pub(super) origin: u32,
    /// One more than the position of its name; 0 for none.
    pub(super) name: u32,
}

impl Node {
    /// The origin of nodes that come from no instruction.
    pub(super) const NOWHERE: u32 = u32::MAX;

    /// Whether the expression gets a name.
    pub(crate) const fn is_named(&self) -> bool {
        self.name != 0
    }
}

/// A statement with its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) statement: Statement,
    pub(super) origin: u32,
    /// The number of expressions that come before it.
    pub(crate) made: u32,
}

impl Step {
    /// The instruction that the statement comes from.
    pub(crate) fn origin(&self) -> Option<u32> {
        (self.origin != Node::NOWHERE).then_some(self.origin)
    }
}

impl<'p> Function<'p> {
    /// An empty function with the memory of this one.
    pub(crate) fn emptied<'q>(mut self) -> Function<'q> {
        self.expressions.clear();
        self.statements.clear();
        self.samples.clear();
        self.fetches.clear();
        self.operands.clear();
        Function {
            name: Name::default(),
            arguments: emptied(self.arguments),
            result: None,
            locals: emptied(self.locals),
            expressions: self.expressions,
            statements: self.statements,
            samples: self.samples,
            fetches: self.fetches,
            operands: self.operands,
            names: emptied(self.names),
        }
    }

    /// An expression.
    pub(crate) fn get(&self, e: Expr) -> Expression {
        self.expressions[e.index()].expression
    }

    /// The instruction that an expression comes from.
    pub(crate) fn origin(&self, e: Expr) -> Option<u32> {
        let origin = self.expressions[e.index()].origin;
        (origin != Node::NOWHERE).then_some(origin)
    }

    /// The name that an expression gets.
    pub(crate) fn name_of(&self, e: Expr) -> Option<Name<'p>> {
        self.names.get((self.expressions[e.index()].name as usize).wrapping_sub(1)).copied()
    }

    /// The number of expressions that get a name.
    #[cfg(feature = "naga")]
    pub(crate) fn named(&self) -> usize {
        self.names.len()
    }

    /// Whether an expression gets a name.
    pub(crate) fn is_named(&self, e: Expr) -> bool {
        self.expressions[e.index()].is_named()
    }

    /// The operands of a list.
    pub(crate) fn list(&self, list: List) -> &[Expr] {
        &self.operands[list.start as usize..list.end as usize]
    }

    /// A variable.
    pub(crate) fn local(&self, local: LocalId) -> &Local<'p> {
        &self.locals[local.index()]
    }

    /// Calls `f` with each operand of an expression, except for textures and samplers.
    pub(crate) fn operands(&self, e: &Expression, mut f: impl FnMut(Expr)) {
        match *e {
            Expression::Compose { parts, .. } => self.list(parts).iter().copied().for_each(f),
            Expression::Splat { value: a, .. }
            | Expression::Swizzle { vector: a, .. }
            | Expression::AccessIndex { base: a, .. }
            | Expression::Load { pointer: a }
            | Expression::Unary { a, .. }
            | Expression::Convert { a, .. }
            | Expression::Bits { a, .. }
            | Expression::Derivative { a, .. } => f(a),
            Expression::Access { base: a, index: b } | Expression::Binary { a, b, .. } => {
                f(a);
                f(b);
            }
            Expression::Select { condition, yes, no } => {
                f(condition);
                f(yes);
                f(no);
            }
            Expression::Math { a, b, c, .. } => {
                f(a);
                [b, c].into_iter().flatten().for_each(f);
            }
            Expression::Sample(n) => {
                let s = &self.samples[n as usize];
                f(s.coordinate);
                [s.layer, s.reference].into_iter().flatten().for_each(&mut f);
                match s.level {
                    Level::Exact(a) | Level::Bias(a) => f(a),
                    Level::Gradient { x, y } => {
                        f(x);
                        f(y);
                    }
                    Level::Implicit | Level::Zero => {}
                }
                s.offset.into_iter().for_each(f);
            }
            Expression::Fetch(n) => {
                let t = &self.fetches[n as usize];
                f(t.coordinate);
                [t.layer, t.sample, t.level].into_iter().flatten().for_each(f);
            }
            Expression::Query { what: Query::Size(Some(level)), .. } => f(level),
            Expression::Literal(_)
            | Expression::Query { .. }
            | Expression::Zero(_)
            | Expression::Argument(_)
            | Expression::Global(_)
            | Expression::Local(_)
            | Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::LaneResult { .. } => {}
        }
    }
}
