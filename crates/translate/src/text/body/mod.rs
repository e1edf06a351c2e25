//! The body of the program's function: statements, and the expressions they stand on.

mod expressions;
mod outputs;
mod resources;
mod statements;
mod values;

pub(super) use expressions::literal;

use super::{
    annotate::Mark,
    globals::Globals,
    helpers::{Helper, Helpers},
    names::Name,
    plan::Plan,
    types,
    types::Types,
};
use crate::{Form, Options, Program, Target};
use naga::{Block, Expression, Handle, Literal, LocalVariable, Span};
use shisa_ir::{Axis, Op, Value, VarKind};

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
        for &v in self.plan.hoisted.order() {
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
}
