//! A function under construction.

use super::expression::{
    BinaryOp, Expr, Expression, Fetch, FunctionId, GlobalId, List, Literal, LocalId, MathFunction, Sample,
    UnaryOp,
};
use super::function::{Argument, Function, Local, Node, Step};
use super::name::Name;
use super::statement::Statement;
use super::types::{Binding, Kind, TypeId, Types, kind_of};
use shisa_ir::{Io, Scalar};

/// A function to which expressions and statements are added, and the types of its module.
#[derive(Debug)]
pub(crate) struct Draft<'p, 't> {
    pub(crate) types: &'t mut Types<'p>,
    function: Function<'p>,
    /// The instruction that new expressions and statements come from, or [`Node::NOWHERE`].
    at: u32,
}

impl<'p, 't> Draft<'p, 't> {
    /// A function that is empty, with room for this many expressions.
    pub(crate) fn new(
        types: &'t mut Types<'p>,
        mut function: Function<'p>,
        name: Name<'p>,
        room: usize,
    ) -> Draft<'p, 't> {
        function.name = name;
        function.expressions.reserve(room);
        function.statements.reserve(room / 4);
        function.operands.reserve(room / 4);
        function.names.reserve(room / 3);
        Draft { types, function, at: Node::NOWHERE }
    }

    /// The function.
    pub(crate) fn finish(self) -> Function<'p> {
        self.function
    }

    /// Sets the instruction that new expressions and statements come from.
    pub(crate) fn comes_from(&mut self, origin: Option<u32>) {
        self.at = origin.unwrap_or(Node::NOWHERE);
    }

    /// The instruction that new expressions and statements come from.
    pub(crate) fn origin(&self) -> Option<u32> {
        (self.at != Node::NOWHERE).then_some(self.at)
    }

    pub(crate) fn push(&mut self, expression: Expression) -> Expr {
        let e = Expr::new(self.function.expressions.len());
        self.function.expressions.push(Node { expression, origin: self.at, name: 0 });
        e
    }

    /// The expression with a number.
    pub(crate) fn expression(&self, e: Expr) -> Expression {
        self.function.get(e)
    }

    /// Whether an expression has a name.
    pub(crate) fn is_named(&self, e: Expr) -> bool {
        self.function.is_named(e)
    }

    /// Gives an expression a name.
    pub(crate) fn name(&mut self, e: Expr, name: Name<'p>) {
        self.function.names.push(name);
        self.function.expressions[e.index()].name = self.function.names.len() as u32;
    }

    pub(crate) fn statement(&mut self, statement: Statement) {
        let made = self.function.expressions.len() as u32;
        self.function.statements.push(Step { statement, origin: self.at, made });
    }

    /// The number of statements.
    pub(crate) fn statements(&self) -> usize {
        self.function.statements.len()
    }

    /// Replaces an earlier statement.
    pub(crate) fn replace(&mut self, position: usize, statement: Statement) {
        if let Some(step) = self.function.statements.get_mut(position) {
            step.statement = statement;
        }
    }

    /// Ends the first list of an `if` and begins the other one. An empty first list is left out: the other one runs under
    /// the opposite condition.
    pub(crate) fn otherwise(&mut self) {
        let Some(Statement::If(condition)) = self.just_begun() else {
            return self.statement(Statement::Else);
        };
        self.function.statements.pop();
        let opposite = match self.expression(condition) {
            Expression::Unary { op: UnaryOp::LogicalNot, a } => a,
            _ => self.unary(UnaryOp::LogicalNot, condition),
        };
        self.statement(Statement::If(opposite));
    }

    /// Ends the lists of an `if`. An empty second list is left out, and so is an `if` without any other list.
    pub(crate) fn end_if(&mut self) {
        match self.just_begun() {
            Some(Statement::If(_)) => {
                self.function.statements.pop();
            }
            Some(Statement::Else) => {
                self.function.statements.pop();
                self.statement(Statement::End);
            }
            _ => self.statement(Statement::End),
        }
    }

    /// The last statement, if nothing was computed after it.
    fn just_begun(&self) -> Option<Statement> {
        let last = self.function.statements.last()?;
        let since = &self.function.expressions[last.made as usize..];
        (!since.iter().any(|n| n.expression.is_computed())).then_some(last.statement)
    }

    pub(crate) fn list(&mut self, all: &[Expr]) -> List {
        let start = self.function.operands.len() as u32;
        self.function.operands.extend_from_slice(all);
        List { start, end: self.function.operands.len() as u32 }
    }

    pub(crate) fn sample(&mut self, sample: Sample) -> Expr {
        self.function.samples.push(sample);
        self.push(Expression::Sample(self.function.samples.len() as u32 - 1))
    }

    pub(crate) fn fetch(&mut self, fetch: Fetch) -> Expr {
        self.function.fetches.push(fetch);
        self.push(Expression::Fetch(self.function.fetches.len() as u32 - 1))
    }

    /// Declares an argument without an expression for it.
    pub(crate) fn declare(&mut self, name: Name<'p>, ty: TypeId) {
        self.function.arguments.push(Argument { name, ty, binding: None });
    }

    pub(crate) fn argument(&mut self, name: Name<'p>, ty: TypeId, binding: Option<Binding>) -> Expr {
        let n = self.function.arguments.len() as u32;
        self.function.arguments.push(Argument { name, ty, binding });
        self.push(Expression::Argument(n))
    }

    /// Sets the type of the result.
    pub(crate) fn yields(&mut self, result: Option<TypeId>) {
        self.function.result = result;
    }

    pub(crate) fn local(&mut self, name: Name<'p>, ty: TypeId) -> Expr {
        self.function.locals.push(Local { name, ty });
        self.push(Expression::Local(LocalId(self.function.locals.len() as u32 - 1)))
    }

    pub(crate) fn global(&mut self, id: GlobalId) -> Expr {
        self.push(Expression::Global(id))
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> Expr {
        self.push(Expression::Literal(literal))
    }

    pub(crate) fn u32(&mut self, value: u32) -> Expr {
        self.literal(Literal::U32(value))
    }

    pub(crate) fn member(&mut self, base: Expr, index: u32) -> Expr {
        self.push(Expression::AccessIndex { base, index })
    }

    pub(crate) fn element(&mut self, base: Expr, index: Expr) -> Expr {
        self.push(Expression::Access { base, index })
    }

    pub(crate) fn load(&mut self, pointer: Expr) -> Expr {
        self.push(Expression::Load { pointer })
    }

    pub(crate) fn store(&mut self, pointer: Expr, value: Expr) {
        self.statement(Statement::Store { pointer, value });
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, a: Expr) -> Expr {
        self.push(Expression::Unary { op, a })
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.push(Expression::Binary { op, a, b })
    }

    pub(crate) fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Add, a, b)
    }

    pub(crate) fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Multiply, a, b)
    }

    pub(crate) fn math(&mut self, function: MathFunction, a: Expr) -> Expr {
        self.push(Expression::Math { function, a, b: None, c: None })
    }

    pub(crate) fn math2(&mut self, function: MathFunction, a: Expr, b: Expr) -> Expr {
        self.push(Expression::Math { function, a, b: Some(b), c: None })
    }

    pub(crate) fn math3(&mut self, function: MathFunction, a: Expr, b: Expr, c: Expr) -> Expr {
        self.push(Expression::Math { function, a, b: Some(b), c: Some(c) })
    }

    pub(crate) fn select(&mut self, condition: Expr, yes: Expr, no: Expr) -> Expr {
        self.push(Expression::Select { condition, yes, no })
    }

    /// Converts to another kind.
    pub(crate) fn converted(&mut self, a: Expr, kind: Kind) -> Expr {
        self.push(Expression::Convert { kind, a })
    }

    /// Reinterprets the bits as another kind.
    pub(crate) fn bits_as(&mut self, a: Expr, kind: Kind) -> Expr {
        self.push(Expression::Bits { kind, a })
    }

    /// A vector or structure from its parts.
    pub(crate) fn composed(&mut self, ty: TypeId, parts: &[Expr]) -> Expr {
        let parts = self.list(parts);
        self.push(Expression::Compose { ty, parts })
    }

    /// A scalar in `count` components.
    pub(crate) fn splat(&mut self, value: Expr, count: u8) -> Expr {
        match count {
            0 | 1 => value,
            n => self.push(Expression::Splat { count: n.min(4), value }),
        }
    }

    /// Calls a function and returns its result.
    pub(crate) fn call(&mut self, function: FunctionId, arguments: &[Expr]) -> Expr {
        let result = self.push(Expression::CallResult(function));
        let arguments = self.list(arguments);
        self.statement(Statement::Call { function, arguments, result: Some(result) });
        result
    }

    /// Calls a function that yields nothing.
    pub(crate) fn run(&mut self, function: FunctionId, arguments: &[Expr]) {
        let arguments = self.list(arguments);
        self.statement(Statement::Call { function, arguments, result: None });
    }

    /// `count` components: `first`, then zeros.
    pub(crate) fn extend(&mut self, kind: Kind, first: Expr, count: u8) -> Expr {
        if count <= 1 {
            return first;
        }
        let one = self.types.of(kind, 1);
        let zero = self.push(Expression::Zero(one));
        let ty = self.types.of(kind, count);
        self.composed(ty, &[first, zero, zero, zero][..usize::from(count.min(4))])
    }

    /// The first components of a vector of four.
    pub(crate) fn first(&mut self, vector: Expr, count: u8) -> Expr {
        match count {
            0 | 1 => self.member(vector, 0),
            4.. => vector,
            count => self.push(Expression::Swizzle { count, vector, pattern: [0, 1, 2, 2] }),
        }
    }

    /// The value of an input or output from four 32-bit words.
    pub(crate) fn unpacked(&mut self, vector: Expr, io: &Io) -> Expr {
        let words = self.first(vector, io.count);
        match io.scalar {
            Scalar::F32 => self.bits_as(words, Kind::Float),
            Scalar::I1 => self.converted(words, Kind::Bool),
            _ => words,
        }
    }

    /// An input or output as four 32-bit words.
    pub(crate) fn packed(&mut self, value: Expr, io: &Io) -> Expr {
        let words = match kind_of(io.scalar) {
            Kind::Float => self.bits_as(value, Kind::Uint),
            Kind::Bool => self.converted(value, Kind::Uint),
            _ => value,
        };
        match io.count {
            0 | 1 => self.extend(Kind::Uint, words, 4),
            4.. => words,
            n => {
                let zero = self.u32(0);
                let ty = self.types.of(Kind::Uint, 4);
                self.composed(ty, &[words, zero, zero][..usize::from(5 - n)])
            }
        }
    }
}
