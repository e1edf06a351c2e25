//! The body of the program's function: statements, and the expressions they stand on.

use super::{
    annotate::Mark,
    helpers::{Helper, Helpers},
    module::Globals,
    names::Name,
    plan::Plan,
    types,
    types::Types,
};
use crate::{Form, GlslVersion, Options, Program, Target};
use naga::{
    BinaryOperator, Block, Expression, Handle, Literal, LocalVariable, MathFunction, Span, Statement,
    SwitchCase, SwitchValue,
};
use shisa_ir::{Axis, BlockId, Cond, Io, Mask, Node, Op, Reg, Stmt, TexOp, Type, Value, Var, VarKind};

/// A component of a value: the expression that holds it, its place there, and how many the expression has.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub(super) base: Handle<Expression>,
    pub(super) index: u8,
    pub(super) count: u8,
}

/// Builds one function of a program (`'p`) with tables that live as long as the building (`'b`).
pub(super) struct Body<'p, 'b> {
    pub(super) program: &'p Program<'p>,
    pub(super) options: &'p Options,
    pub(super) target: Target,
    pub(super) plan: &'b Plan,
    pub(super) types: &'b mut Types,
    pub(super) globals: &'b Globals<'p>,
    pub(super) helpers: &'b mut Helpers,
    pub(super) fun: naga::Function,
    /// Names of expressions, by number.
    pub(super) names: Vec<Option<Name<'p>>>,
    /// What the source map is made from where naga prints, in the order of the statements.
    marks: Vec<Mark<'p>>,
    /// The instruction that what is made comes from, as a place in the source.
    at: Span,
    /// Derivatives of a texture operation's coordinate, made at the start.
    pub(super) gradients: Vec<(Value, Handle<Expression>, Handle<Expression>)>,
    values: Vec<Option<Handle<Expression>>>,
    block: Block,
    /// Where the expressions begin that no statement emits yet.
    start: usize,
    literals: Vec<(Literal, Handle<Expression>)>,
    /// Uniform vectors loaded in a scope that is still open, by uniform array and vector.
    loads: Vec<Vec<Option<Handle<Expression>>>>,
    /// What to forget of `loads` when a scope closes.
    loaded: Vec<(usize, usize)>,
    /// The variables of the tree with their names.
    variables: Vec<(Handle<Expression>, &'p str)>,
    /// The number of a block parameter's variable, by value.
    parameters: Vec<usize>,
    /// Variables of values that are used outside the scope that makes them; empty while there are none.
    kept: Vec<Option<Handle<Expression>>>,
    /// Values with such a variable that were made or loaded in a scope that is still open.
    scoped: Vec<Value>,
    outputs: Vec<[Option<Part>; 4]>,
    output_variables: Vec<Handle<Expression>>,
    /// The instruction that wrote outputs last.
    written: Option<u32>,
    killed: Option<Handle<Expression>>,
    zero: Option<Handle<Expression>>,
    arguments: Vec<Handle<Expression>>,
    uniforms: Vec<Handle<Expression>>,
    /// Of arrays that are part of what a lane reads, the variable that tells where they begin.
    firsts: Vec<Option<Handle<Expression>>>,
    textures: Vec<(Handle<Expression>, Option<Handle<Expression>>)>,
    samplers: Vec<Handle<Expression>>,
    memory: Vec<Handle<Expression>>,
    /// For each switch being written, the variable that tells to break the loop around it.
    switches: Vec<Option<Option<Handle<Expression>>>>,
}

/// The program's function.
pub(super) struct Made<'p> {
    pub(super) function: naga::Function,
    /// Names of its expressions, by number.
    pub(super) names: Vec<Option<Name<'p>>>,
    /// What the source map is made from where naga prints, in the order of the statements.
    pub(super) marks: Vec<Mark<'p>>,
    /// The helpers that it calls, directly or not.
    pub(super) helpers: Vec<(Helper, Handle<naga::Function>)>,
}

/// Expressions that an operation becomes, on average.
const EXPRESSIONS: usize = 3;

/// An instruction as a place in the source.
fn place(origin: u32) -> Span {
    Span::new(origin, origin.saturating_add(1))
}

impl<'p, 'b> Body<'p, 'b> {
    pub(super) fn new(
        program: &'p Program<'p>,
        options: &'p Options,
        target: Target,
        plan: &'b Plan,
        types: &'b mut Types,
        globals: &'b Globals<'p>,
        helpers: &'b mut Helpers,
    ) -> Body<'p, 'b> {
        let n = program.func.nodes.list.len();
        let interface = program.interface;
        let mut body = Body {
            program,
            options,
            target,
            plan,
            types,
            globals,
            helpers,
            fun: naga::Function::default(),
            names: Vec::with_capacity(n * EXPRESSIONS),
            marks: Vec::with_capacity(n),
            at: Span::UNDEFINED,
            gradients: Vec::new(),
            values: vec![None; n],
            block: Block::with_capacity(16),
            start: 0,
            literals: Vec::with_capacity(16),
            loads: globals.uniforms.iter().map(|u| vec![None; u.vectors as usize]).collect(),
            loaded: Vec::new(),
            variables: Vec::new(),
            parameters: Vec::new(),
            kept: Vec::new(),
            scoped: Vec::new(),
            outputs: vec![[None; 4]; interface.outputs.len()],
            output_variables: Vec::new(),
            written: None,
            killed: None,
            zero: None,
            arguments: Vec::new(),
            uniforms: Vec::new(),
            firsts: Vec::new(),
            textures: Vec::new(),
            samplers: Vec::new(),
            memory: Vec::new(),
            switches: Vec::new(),
        };
        body.arguments =
            (0..interface.inputs.len() as u32).map(|i| body.raw(Expression::FunctionArgument(i))).collect();
        body.uniforms =
            globals.uniforms.iter().map(|u| body.raw(Expression::GlobalVariable(u.variable))).collect();
        body.firsts = globals
            .uniforms
            .iter()
            .map(|u| u.first.map(|first| body.raw(Expression::GlobalVariable(first))))
            .collect();
        body.memory = globals.memory.iter().map(|&(_, g)| body.raw(Expression::GlobalVariable(g))).collect();
        for t in &globals.textures {
            let image = body.raw(Expression::GlobalVariable(t.image));
            let sampler = t.sampler.map(|s| body.raw(Expression::GlobalVariable(s)));
            body.textures.push((image, sampler));
        }
        body.samplers = globals.samplers.iter().map(|s| body.raw(Expression::GlobalVariable(*s))).collect();
        body.declare();
        body
    }

    /// Declares variables.
    fn declare(&mut self) {
        let names = self.parameter_names();
        for (i, &(ty, kind)) in (0..).zip(&self.program.tree.vars) {
            let (name, ty) = match kind {
                VarKind::Param(v) => {
                    self.parameters[v.index()] = i;
                    (names[v.index()], self.types.ir(ty))
                }
                VarKind::Flag => ("leave", self.types.of(naga::Scalar::BOOL, 1)),
                VarKind::Next => ("next", self.types.of(naga::Scalar::I32, 1)),
            };
            let v = self.variable(name.into(), ty);
            self.variables.push((v, name));
        }
        if self.plan.stored_outputs {
            for io in &self.program.interface.outputs {
                let ty = self.types.of(types::scalar(io.scalar), io.count);
                let v = self.variable(io.name.to_string(), ty);
                self.output_variables.push(v);
            }
        }
        if self.plan.kills && (self.plan.late_kill || self.options.form == Form::Compute) {
            let ty = self.types.of(naga::Scalar::BOOL, 1);
            self.killed = Some(self.variable("killed".into(), ty));
        }
    }

    /// For each block parameter, the name of an instruction's result that goes into it. Makes room for
    /// [`Body::parameters`].
    fn parameter_names(&mut self) -> Vec<&'p str> {
        if self.program.tree.vars.is_empty() {
            return Vec::new();
        }
        let (func, source) = (self.program.func, self.program.source);
        let mut names = vec!["v"; func.nodes.list.len()];
        self.parameters = vec![0; names.len()];
        for edge in func.blocks.iter().flat_map(|b| b.end.edges()) {
            let Some(to) = func.blocks.get(edge.to.index()) else { continue };
            for (arg, parameter) in edge.args.iter().zip(&to.params) {
                let origin = func.nodes.list[arg.index()].origin as usize;
                if let Some(s) = source.get(origin).filter(|s| !s.result.is_empty()) {
                    names[parameter.index()] = s.result;
                }
            }
        }
        names
    }

    pub(super) fn variable(&mut self, name: String, ty: Handle<naga::Type>) -> Handle<Expression> {
        let local = self
            .fun
            .local_variables
            .append(LocalVariable { name: Some(name), ty, init: None }, Span::UNDEFINED);
        self.raw(Expression::LocalVariable(local))
    }

    /// Builds the statements of the whole program and gives the function back.
    pub(super) fn finish(mut self) -> Made<'p> {
        for &v in &self.plan.hoisted {
            self.make(v, &[]);
        }
        for &v in &self.plan.gradients {
            if let Op::Texture(t) = self.program.func.nodes.op(v) {
                let coordinate = self.get(self.program.func.nodes.textures[t as usize].coord);
                let x = self.derivative(Axis::X, coordinate);
                let y = self.derivative(Axis::Y, coordinate);
                self.gradients.push((v, x, y));
            }
        }
        if !self.list(&self.program.tree.body) {
            self.exit();
        }
        self.flush();
        self.fun.body = self.block;
        let helpers = std::mem::take(&mut self.helpers.made);
        Made { function: self.fun, names: self.names, marks: self.marks, helpers }
    }

    /// Writes statements; answers whether the end of the list cannot be reached.
    fn list(&mut self, list: &[Stmt]) -> bool {
        for stmt in list {
            match stmt {
                Stmt::Block(b) => self.run(*b),
                Stmt::Set(var, v) => {
                    let value = self.get(*v);
                    let origin = self.program.func.nodes.list[v.index()].origin;
                    let (pointer, name) = self.variables[var.0 as usize];
                    self.mark(name.into(), origin);
                    self.store(pointer, value);
                }
                Stmt::SetConst(var, bits) => {
                    let value = match self.program.tree.vars[var.0 as usize].1 {
                        VarKind::Flag => self.literal(Literal::Bool(*bits != 0)),
                        _ => self.literal(Literal::I32(*bits as i32)),
                    };
                    self.at = Span::UNDEFINED;
                    self.store(self.variables[var.0 as usize].0, value);
                }
                Stmt::If { cond, yes, no } => {
                    if self.branch(cond, yes, no) {
                        return true;
                    }
                }
                Stmt::Loop(body) => {
                    self.switches.push(None);
                    let (body, _) = self.nested(body);
                    self.switches.pop();
                    self.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
                }
                Stmt::Switch(var, lists) => self.switch(*var, lists),
                Stmt::Break => {
                    if let Some(&Some(leave)) = self.switches.last() {
                        // A break inside a switch only leaves the switch.
                        let flag = match leave {
                            Some(flag) => flag,
                            None => {
                                let ty = self.types.of(naga::Scalar::BOOL, 1);
                                self.variable("leave".into(), ty)
                            }
                        };
                        if let Some(last) = self.switches.last_mut() {
                            *last = Some(Some(flag));
                        }
                        let yes = self.literal(Literal::Bool(true));
                        self.store(flag, yes);
                    }
                    self.statement(Statement::Break);
                    return true;
                }
                Stmt::Continue => {
                    self.statement(Statement::Continue);
                    return true;
                }
                Stmt::Exit => {
                    self.exit();
                    return true;
                }
            }
        }
        false
    }

    fn branch(&mut self, cond: &Cond, yes: &[Stmt], no: &[Stmt]) -> bool {
        let (condition, origin) = match cond {
            Cond::Value(v) => (self.get(*v), Some(self.program.func.nodes.list[v.index()].origin)),
            Cond::Flag(var) => {
                (self.push(Expression::Load { pointer: self.variables[var.0 as usize].0 }), None)
            }
        };
        self.at = Span::UNDEFINED;
        if let Some(origin) = origin {
            self.mark("if".into(), origin);
        }
        let at = self.at;
        let (accept, left_yes) = self.nested(yes);
        let (reject, left_no) = self.nested(no);
        self.at = at;
        self.statement(Statement::If { condition, accept, reject });
        left_yes && left_no
    }

    fn switch(&mut self, var: Var, lists: &[Vec<Stmt>]) {
        let selector = self.push(Expression::Load { pointer: self.variables[var.0 as usize].0 });
        self.switches.push(Some(None));
        let mut cases = Vec::with_capacity(lists.len() + 1);
        for (list, i) in lists.iter().zip(0..) {
            let (body, _) = self.nested(list);
            cases.push(SwitchCase { value: SwitchValue::I32(i), body, fall_through: false });
        }
        cases.push(SwitchCase { value: SwitchValue::Default, body: Block::new(), fall_through: false });
        let leave = self.switches.pop().flatten().flatten();
        if let Some(flag) = leave {
            let no = self.literal(Literal::Bool(false));
            self.store(flag, no);
        }
        self.statement(Statement::Switch { selector, cases });
        if let Some(flag) = leave {
            let condition = self.push(Expression::Load { pointer: flag });
            let accept = Block::from_vec(vec![Statement::Break]);
            self.statement(Statement::If { condition, accept, reject: Block::new() });
        }
    }

    /// The block that `f` fills.
    pub(super) fn inner(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.flush();
        let outer = std::mem::take(&mut self.block);
        f(self);
        self.flush();
        std::mem::replace(&mut self.block, outer)
    }

    /// Writes a list into a block of its own.
    fn nested(&mut self, list: &[Stmt]) -> (Block, bool) {
        let (mark, scoped) = (self.loaded.len(), self.scoped.len());
        let mut left = false;
        let block = self.inner(|body| left = body.list(list));
        for (array, vector) in self.loaded.drain(mark..) {
            self.loads[array][vector] = None;
        }
        for v in self.scoped.drain(scoped..) {
            self.values[v.index()] = None;
        }
        (block, left)
    }

    /// Writes a block's operations.
    fn run(&mut self, id: BlockId) {
        let block = &self.program.func.blocks[id.index()];
        self.at = Span::UNDEFINED;
        for &p in &block.params {
            let value = self.push(Expression::Load { pointer: self.variables[self.parameters[p.index()]].0 });
            self.set(p, value);
        }
        let mut rest = &block.body[..];
        while let Some((&v, behind)) = rest.split_first() {
            rest = behind;
            if !self.plan.is_hoisted(v) {
                self.make(v, rest);
            }
        }
    }

    /// Makes a value, names it where that is due, and remembers it. `rest` is made behind it.
    fn make(&mut self, v: Value, rest: &[Value]) {
        let origin = self.program.func.nodes.list[v.index()].origin;
        self.at = place(origin);
        let Some(expr) = self.node(v) else { return };
        if self.plan.named(self.program, v) {
            let name = match self.program.source.get(origin as usize) {
                Some(s) if !s.result.is_empty() && self.is_result(v, rest) => s.result.into(),
                _ => Name::numbered("t", origin),
            };
            self.name(expr, name, origin);
        }
        self.set(v, expr);
    }

    /// Whether a value is what its instruction computes, or a part of it; what only serves as an operand,
    /// such as an index, is not. A vector that was joined to be an operand may serve later ones too, but its
    /// instruction computes something in `rest`.
    fn is_result(&self, v: Value, rest: &[Value]) -> bool {
        let nodes = &self.program.func.nodes;
        let origin = nodes.list[v.index()].origin;
        let computes = |n: &Node| !matches!(n.op, Op::Const(_) | Op::Swizzle { .. } | Op::Write { .. });
        let behind = || rest.iter().map(|v| &nodes.list[v.index()]).take_while(|n| n.origin == origin);
        self.plan.crosses(v) && !(matches!(nodes.op(v), Op::Join { .. }) && behind().any(computes))
    }

    /// Names an expression that has no name yet.
    fn name(&mut self, expr: Handle<Expression>, name: Name<'p>, origin: u32) {
        if self.fun.expressions[expr].needs_no_name() {
            return;
        }
        if self.names.len() <= expr.index() {
            self.names.resize(self.fun.expressions.len(), None);
        }
        let slot = &mut self.names[expr.index()];
        if slot.is_none() {
            *slot = Some(name);
            let call = super::is_result(&self.fun.expressions[expr]);
            self.marks.push(Mark { name, call: call.then_some(expr.index()), origin });
        }
    }

    fn set(&mut self, v: Value, expr: Handle<Expression>) {
        self.values[v.index()] = Some(expr);
        if !self.plan.escapes(v) {
            return;
        }
        self.scoped.push(v);
        let variable = self.keeper(v);
        self.store(variable, expr);
    }

    /// The variable of a value that is used outside the scope that makes it.
    fn keeper(&mut self, v: Value) -> Handle<Expression> {
        self.kept.resize(self.values.len(), None);
        if let Some(variable) = self.kept[v.index()] {
            return variable;
        }
        let ty = self.types.ir(self.program.func.nodes.ty(v));
        let variable = self.variable("kept".into(), ty);
        self.kept[v.index()] = Some(variable);
        variable
    }

    /// The expression of a value. Constants are made where they are used.
    pub(super) fn get(&mut self, v: Value) -> Handle<Expression> {
        if let Some(e) = self.values[v.index()] {
            return e;
        }
        let node = &self.program.func.nodes.list[v.index()];
        if let Op::Const(bits) = node.op {
            return self.constant(node.ty, bits);
        }
        if self.plan.escapes(v) {
            let pointer = self.keeper(v);
            let e = self.push(Expression::Load { pointer });
            self.values[v.index()] = Some(e);
            self.scoped.push(v);
            return e;
        }
        // Only a use that no definition dominates comes here; it reads zero.
        let ty = self.types.ir(node.ty);
        self.raw(Expression::ZeroValue(ty))
    }

    /// Writes outputs.
    pub(super) fn write(&mut self, reg: Reg, mask: Mask, value: Value, origin: u32) {
        let outputs = &self.program.interface.outputs;
        self.written = Some(origin);
        for (o, io) in outputs.iter().enumerate().filter(|(_, io)| io.reg.file == reg.file) {
            let mut parts = [None; 4];
            for (i, c) in (0..).zip(mask.iter()) {
                let component = (reg.unit + u16::from(c)).checked_sub(io.reg.unit).map(usize::from);
                if let Some(component) = component.filter(|&c| c < usize::from(io.count.min(4))) {
                    parts[component] = Some(self.part(value, i));
                }
            }
            if self.plan.stored_outputs {
                self.store_output(o, io, &parts, origin);
            } else {
                for (to, from) in self.outputs[o].iter_mut().zip(parts) {
                    *to = from.or(*to);
                }
            }
        }
    }

    /// Stores components of an output in its variable.
    fn store_output(&mut self, o: usize, io: &'p Io, parts: &[Option<Part>; 4], origin: u32) {
        let (variable, count) = (self.output_variables[o], usize::from(io.count.clamp(1, 4)));
        if parts[..count].iter().all(|p| p.is_some()) {
            let value = self.assemble(io.scalar.by(io.count), &parts[..count]);
            self.mark((&*io.name).into(), origin);
            self.store(variable, value);
            return;
        }
        for (index, part) in (0..).zip(parts) {
            let Some(part) = part else { continue };
            let pointer = self.push(Expression::AccessIndex { base: variable, index });
            let value = self.component(*part);
            self.mark((&*io.name).into(), origin);
            self.store(pointer, value);
        }
    }

    /// Hands on the outputs as a vertex.
    pub(super) fn emit_vertex(&mut self, origin: u32) {
        let Some(function) = self.globals.emission.as_ref().map(|e| e.function) else { return };
        let vertex = self.outputs();
        self.mark("emit_vertex".into(), origin);
        let arguments = vertex.into_iter().collect();
        self.statement(Statement::Call { function, arguments, result: None });
    }

    /// The structure of outputs.
    fn outputs(&mut self) -> Option<Handle<Expression>> {
        let ty = self.globals.result?;
        let mut components = Vec::new();
        for (i, io) in self.program.interface.outputs.iter().enumerate() {
            let parts = std::mem::take(&mut self.outputs[i]);
            components.push(self.assemble(io.scalar.by(io.count), &parts[..usize::from(io.count)]));
        }
        Some(self.push(Expression::Compose { ty, components }))
    }

    /// Ends the lane.
    fn exit(&mut self) {
        let interface = self.program.interface;
        let written = self.written.take();
        self.at = written.map_or(Span::UNDEFINED, place);
        if self.globals.emission.is_some() {
            return self.statement(Statement::Return { value: None });
        }
        let killed = self.killed.map(|k| self.push(Expression::Load { pointer: k }));
        let mut members = Vec::with_capacity(interface.outputs.len() + 1);
        for (i, io) in interface.outputs.iter().enumerate() {
            let expr = if self.plan.stored_outputs {
                self.push(Expression::Load { pointer: self.output_variables[i] })
            } else {
                let ty = io.scalar.by(io.count);
                let parts = std::mem::take(&mut self.outputs[i]);
                self.assemble(ty, &parts[..usize::from(io.count)])
            };
            members.push(expr);
        }
        match (self.options.form, killed) {
            (Form::Stage, Some(condition)) => {
                let accept = Block::from_vec(vec![Statement::Kill]);
                self.statement(Statement::If { condition, accept, reject: Block::new() });
            }
            (Form::Compute, Some(killed)) => members.push(killed),
            _ => {}
        }
        if let Some(ty) = self.globals.no_position {
            members.push(self.raw(Expression::ZeroValue(ty)));
        }
        let value = self.globals.result.map(|ty| self.push(Expression::Compose { ty, components: members }));
        if let Some(origin) = written {
            self.mark("return".into(), origin);
        }
        self.statement(Statement::Return { value });
    }

    /// Kills lanes.
    pub(super) fn kill(&mut self, cond: Value, origin: u32) {
        let condition = self.get(cond);
        self.mark("if".into(), origin);
        let accept = match self.killed {
            Some(pointer) => {
                let value = self.literal(Literal::Bool(true));
                Block::from_vec(vec![Statement::Store { pointer, value }])
            }
            None => Block::from_vec(vec![Statement::Kill]),
        };
        self.statement(Statement::If { condition, accept, reject: Block::new() });
    }

    /// Does something unless the lane has been killed and goes on for its neighbours.
    pub(super) fn unless_killed(&mut self, effect: Statement) {
        let Some(pointer) = self.killed else { return self.statement(effect) };
        let condition = self.push(Expression::Load { pointer });
        let reject = Block::from_vec(vec![effect]);
        self.statement(Statement::If { condition, accept: Block::new(), reject });
    }

    /// Tells that the next statement comes from an instruction, and how it begins.
    fn mark(&mut self, name: Name<'p>, origin: u32) {
        self.at = place(origin);
        self.marks.push(Mark { name, call: None, origin });
    }

    pub(super) fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        self.statement(Statement::Store { pointer, value });
    }

    pub(super) fn statement(&mut self, statement: Statement) {
        self.flush();
        self.block.push(statement, self.at);
    }

    fn flush(&mut self) {
        emit(&mut self.block, &self.fun, &mut self.start);
    }

    /// Appends an expression that statements emit.
    pub(super) fn push(&mut self, e: Expression) -> Handle<Expression> {
        self.fun.expressions.append(e, self.at)
    }

    /// An expression that was appended.
    pub(super) fn expression(&self, e: Handle<Expression>) -> &Expression {
        &self.fun.expressions[e]
    }

    /// Appends an expression that needs no emission: a literal, an argument, a variable.
    pub(super) fn raw(&mut self, e: Expression) -> Handle<Expression> {
        self.flush();
        let handle = self.fun.expressions.append(e, Span::UNDEFINED);
        self.start = self.fun.expressions.len();
        handle
    }

    pub(super) fn literal(&mut self, literal: Literal) -> Handle<Expression> {
        let same = |l: &Literal| match (l, &literal) {
            (Literal::F32(a), Literal::F32(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        };
        if let Some(&(_, handle)) = self.literals.iter().rev().take(16).find(|(l, _)| same(l)) {
            return handle;
        }
        let handle = self.raw(Expression::Literal(literal));
        self.literals.push((literal, handle));
        handle
    }

    pub(super) fn f32(&mut self, value: f32) -> Handle<Expression> {
        self.literal(Literal::F32(value))
    }

    pub(super) fn u32(&mut self, value: u32) -> Handle<Expression> {
        self.literal(Literal::U32(value))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Binary { op, left, right })
    }

    pub(super) fn add(&mut self, a: Handle<Expression>, b: Handle<Expression>) -> Handle<Expression> {
        self.binary(BinaryOperator::Add, a, b)
    }

    pub(super) fn mul(&mut self, a: Handle<Expression>, b: Handle<Expression>) -> Handle<Expression> {
        self.binary(BinaryOperator::Multiply, a, b)
    }

    pub(super) fn math(&mut self, fun: MathFunction, arg: Handle<Expression>) -> Handle<Expression> {
        self.push(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None })
    }

    pub(super) fn math2(
        &mut self,
        fun: MathFunction,
        arg: Handle<Expression>,
        arg1: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Math { fun, arg, arg1: Some(arg1), arg2: None, arg3: None })
    }

    pub(super) fn select(
        &mut self,
        condition: Handle<Expression>,
        accept: Handle<Expression>,
        reject: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Select { condition, accept, reject })
    }

    /// What a function of this module gives.
    pub(super) fn call(
        &mut self,
        function: Handle<naga::Function>,
        arguments: Vec<Handle<Expression>>,
    ) -> Handle<Expression> {
        let result = self.raw(Expression::CallResult(function));
        self.statement(Statement::Call { function, arguments, result: Some(result) });
        result
    }

    /// A scalar in `count` components.
    pub(super) fn splat(&mut self, value: Handle<Expression>, count: u8) -> Handle<Expression> {
        match count {
            0 | 1 => value,
            n => self.push(Expression::Splat { size: types::size(n), value }),
        }
    }

    /// A zero that compilers cannot see: the value of a variable that is never written.
    pub(super) fn zero(&mut self) -> Handle<Expression> {
        let pointer = match self.zero {
            Some(z) => z,
            None => {
                let ty = self.types.of(naga::Scalar::U32, 1);
                let z = self.variable("zero".into(), ty);
                self.zero = Some(z);
                z
            }
        };
        self.push(Expression::Load { pointer })
    }

    /// The texture and sampler of an operation.
    pub(super) fn texture(&mut self, t: &TexOp) -> (Handle<Expression>, Handle<Expression>) {
        let interface = self.program.interface;
        let i = interface.textures.iter().position(|x| Some(x.unit) == t.unit() && x.shape == t.shape);
        let (image, paired) = self.textures[i.unwrap_or(0)];
        let own = match t.sampler {
            shisa_ir::SamplerRef::Unit(n) => interface.samplers.iter().position(|s| s.unit == n),
            _ => None,
        };
        (image, own.map(|i| self.samplers[i]).or(paired).unwrap_or(image))
    }

    /// The memory of a space.
    pub(super) fn memory(&self, space: shisa_ir::Space) -> Handle<Expression> {
        let i = self.globals.memory.iter().position(|&(s, _)| s == space);
        self.memory[i.unwrap_or(0)]
    }

    /// The argument that holds a unit of an input file, and the component there.
    pub(super) fn input(&self, reg: Reg) -> Option<Part> {
        let inputs = &self.program.interface.inputs;
        let i = inputs.iter().position(|io| {
            io.reg.file == reg.file && reg.unit >= io.reg.unit && reg.unit < io.reg.unit + u16::from(io.count)
        })?;
        let index = (reg.unit - inputs[i].reg.unit) as u8;
        Some(Part { base: self.arguments[i], index, count: inputs[i].count })
    }

    /// A vector of a uniform array.
    pub(super) fn uniform(&mut self, array: usize, vector: usize) -> Option<Handle<Expression>> {
        let loaded = *self.loads[array].get(vector)?;
        if loaded.is_some() {
            return loaded;
        }
        let value = if self.firsts[array].is_some() {
            let index = self.u32(vector as u32);
            self.uniform_at(array, index)
        } else {
            let base = self.uniforms[array];
            let pointer = self.push(Expression::AccessIndex { base, index: vector as u32 });
            self.push(Expression::Load { pointer })
        };
        let name = Name::numbered(self.globals.uniforms[array].name, vector as u32);
        self.names.resize(self.fun.expressions.len(), None);
        self.names[value.index()] = Some(name);
        self.loads[array][vector] = Some(value);
        self.loaded.push((array, vector));
        Some(value)
    }

    /// A vector of a uniform array by a computed number.
    pub(super) fn uniform_at(&mut self, array: usize, index: Handle<Expression>) -> Handle<Expression> {
        let (base, first) = (self.uniforms[array], self.firsts[array]);
        let Some(pointer) = first else {
            let pointer = self.push(Expression::Access { base, index });
            return self.push(Expression::Load { pointer });
        };
        let first = self.push(Expression::Load { pointer });
        let index = self.add(first, index);
        let pointer = self.push(Expression::Access { base, index });
        let words = self.push(Expression::Load { pointer });
        self.float(words)
    }

    /// The number of a uniform array.
    pub(super) fn uniform_array(&self, file: shisa_ir::FileId) -> Option<usize> {
        self.globals.uniforms.iter().position(|u| u.file == file)
    }

    /// Whether the target's `mix` takes only numbers with a fraction.
    pub(super) fn selects_floats_only(&self) -> bool {
        matches!(self.target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300 | GlslVersion::Es310))
    }
}

/// Emits the expressions from `start` on.
fn emit(block: &mut Block, fun: &naga::Function, start: &mut usize) {
    if fun.expressions.len() > *start {
        block.push(Statement::Emit(fun.expressions.range_from(*start)), Span::UNDEFINED);
        *start = fun.expressions.len();
    }
}

/// The literal with these bits; `None` for a number that is not finite.
pub(super) fn literal(ty: Type, bits: u64) -> Option<Literal> {
    Some(match ty.scalar {
        shisa_ir::Scalar::I1 => Literal::Bool(bits & 1 != 0),
        shisa_ir::Scalar::F32 => {
            let f = f32::from_bits(bits as u32);
            return f.is_finite().then_some(Literal::F32(f));
        }
        _ => Literal::U32(bits as u32),
    })
}

/// Expressions whose text is a name already.
trait Nameless {
    fn needs_no_name(&self) -> bool;
}

impl Nameless for Expression {
    fn needs_no_name(&self) -> bool {
        matches!(
            self,
            Expression::Literal(_)
                | Expression::FunctionArgument(_)
                | Expression::ZeroValue(_)
                | Expression::GlobalVariable(_)
                | Expression::LocalVariable(_)
        )
    }
}
