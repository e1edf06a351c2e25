//! The state of building the program's function.

use crate::build::globals::Globals;
use crate::build::helpers::{Helper, Helpers};
use crate::build::locations::io_type;
use crate::build::mark::Mark;
use crate::build::natives::Native;
use crate::build::plan::Plan;
use crate::syntax::{Draft, Expr, Function, FunctionId, Kind, Literal, Name};
use crate::{Form, Options, Program, Target, internal};
use shisa_diag::Diagnostic;
use shisa_ir::{Axis, Node, Op, Type, Value, VarKind};
use std::ops::{Deref, DerefMut};

/// A component of a value: the expression that holds it, its index there, and how many components the expression has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) base: Expr,
    pub(super) index: u8,
    pub(super) count: u8,
}

/// A value with the derivatives of its coordinate along x and y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gradient {
    pub(super) of: Value,
    pub(super) x: Expr,
    pub(super) y: Expr,
}

/// A switch or loop that is being built.
#[derive(Clone, Copy, Debug)]
pub(super) enum Breakable {
    Loop,
    /// A switch, with the variable that makes the enclosing loop break, once a list needs it.
    Switch(Option<Expr>),
}

/// A uniform array.
#[derive(Clone, Copy)]
pub(super) struct Array {
    pub(super) variable: Expr,
    /// If the array is part of a kernel lane's input: the variable with the index of its first element.
    pub(super) first: Option<Expr>,
}

/// A vector of a uniform array that was loaded.
#[derive(Clone, Copy)]
pub(super) struct Loaded {
    pub(super) array: usize,
    pub(super) vector: usize,
    pub(super) value: Expr,
}

/// What is known while a function is built. Its memory serves the next one.
#[derive(Default)]
pub(crate) struct Tables {
    /// The expression of each value, if one was made in a scope that is still open.
    pub(super) values: Vec<Option<Expr>>,
    pub(super) literals: Vec<(Literal, Expr)>,
    /// The vectors of uniform arrays that were loaded in a scope that is still open.
    pub(super) loaded: Vec<Loaded>,
    /// The variables of block parameters.
    pub(super) parameters: Vec<(Value, Expr)>,
    /// Variables of values that are used outside the scope that makes them; empty if there are none.
    pub(super) escaped: Vec<Option<Expr>>,
    /// Values with such a variable that were made or loaded in a scope that is still open.
    pub(super) scoped: Vec<Value>,
    /// The components of each output, if they are not in variables.
    pub(super) outputs: Vec<[Option<Part>; 4]>,
    pub(super) output_variables: Vec<Expr>,
    pub(super) uniforms: Vec<Array>,
    /// The arrays with the inputs that each vertex of a primitive has.
    pub(super) vertices: Vec<Expr>,
    pub(super) textures: Vec<(Expr, Option<Expr>)>,
    pub(super) samplers: Vec<Expr>,
    pub(super) memory: Vec<Expr>,
    /// Memory for the members of a structure.
    pub(super) members: Vec<Expr>,
}

impl Tables {
    /// Before a function of so many values and outputs.
    fn begin(&mut self, values: usize, outputs: usize) {
        self.values.clear();
        self.values.resize(values, None);
        self.literals.clear();
        self.literals.reserve(16);
        self.loaded.clear();
        self.loaded.reserve(16);
        self.parameters.clear();
        self.escaped.clear();
        self.scoped.clear();
        self.outputs.clear();
        self.outputs.resize(outputs, [None; 4]);
        self.output_variables.clear();
        self.uniforms.clear();
        self.vertices.clear();
        self.textures.clear();
        self.samplers.clear();
        self.memory.clear();
    }
}

/// The draft of a program's (`'p`) function, with tables that live while it is built (`'b`).
pub(crate) struct Body<'p, 'b> {
    pub(super) program: &'p Program<'p>,
    pub(super) options: &'p Options,
    pub(super) target: Target,
    pub(super) plan: &'b Plan,
    pub(super) globals: &'b Globals<'p>,
    pub(super) helpers: &'b mut Helpers<'p>,
    pub(super) draft: Draft<'p, 'b>,
    /// The marks from which the source map is made where naga prints, in the order of the statements.
    pub(super) marks: Vec<Mark<'p>>,
    /// Derivatives of texture operations' coordinates, computed at the start.
    pub(super) gradients: Vec<Gradient>,
    pub(super) tables: &'b mut Tables,
    /// The variables of the tree with their names.
    pub(super) variables: Vec<(Expr, &'p str)>,
    /// The instruction that last wrote outputs.
    pub(super) written: Option<u32>,
    /// The variable that records whether the lane was killed.
    pub(super) killed: Option<Expr>,
    /// The variable that is never written.
    pub(super) zero: Option<Expr>,
    /// The loops and switches that are being built, outermost first.
    pub(super) breakable: Vec<Breakable>,
    /// The first fault. Nothing is printed after one.
    fault: Option<Diagnostic>,
}

/// What printers need besides the function.
#[derive(Debug)]
pub(crate) struct Made<'p> {
    /// The marks from which the source map is made where naga prints, in the order of the statements.
    #[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
    pub(crate) marks: Vec<Mark<'p>>,
    /// The helpers that the function calls, directly or indirectly.
    pub(crate) helpers: Vec<(Helper, FunctionId)>,
    /// The functions whose bodies are text of the language.
    #[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
    pub(crate) natives: Vec<(Native<'p>, FunctionId)>,
}

/// Expressions per operation, on average.
pub(crate) const EXPRESSIONS: usize = 3;

impl<'p, 'b> Deref for Body<'p, 'b> {
    type Target = Draft<'p, 'b>;

    fn deref(&self) -> &Draft<'p, 'b> {
        &self.draft
    }
}

impl DerefMut for Body<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.draft
    }
}

impl<'p, 'b> Body<'p, 'b> {
    /// A function whose arguments, resources and variables have their expressions. It takes its memory from `tables` and
    /// the draft.
    pub(crate) fn new(
        program: &'p Program<'p>,
        options: &'p Options,
        target: Target,
        plan: &'b Plan,
        globals: &'b Globals<'p>,
        helpers: &'b mut Helpers<'p>,
        (draft, tables): (Draft<'p, 'b>, &'b mut Tables),
    ) -> Body<'p, 'b> {
        let n = program.func.nodes.list.len();
        tables.begin(n, program.interface.outputs.len());
        let mut body = Body {
            program,
            options,
            target,
            plan,
            globals,
            helpers,
            draft,
            marks: Vec::with_capacity(if target == Target::Wgsl { 0 } else { n }),
            gradients: Vec::new(),
            tables,
            variables: Vec::with_capacity(program.tree.vars.len()),
            written: None,
            killed: None,
            zero: None,
            breakable: Vec::new(),
            fault: None,
        };
        body.refer();
        body.variables();
        body
    }

    /// Makes expressions for the arguments and for the module's variables; the arguments come first.
    fn refer(&mut self) {
        let globals = self.globals;
        for i in 0..self.program.interface.inputs.len() as u32 {
            self.draft.push(crate::syntax::Expression::Argument(i));
        }
        for u in &globals.uniforms {
            let variable = self.draft.global(u.variable);
            self.tables.uniforms.push(Array { variable, first: None });
        }
        for (array, u) in self.tables.uniforms.iter_mut().zip(&globals.uniforms) {
            array.first = u.first.map(|first| self.draft.global(first));
        }
        for &input in globals.vertices.iter().flat_map(|(_, inputs)| inputs) {
            let input = self.draft.global(input);
            self.tables.vertices.push(input);
        }
        for &(_, memory) in &globals.memory {
            let memory = self.draft.global(memory);
            self.tables.memory.push(memory);
        }
        for t in &globals.textures {
            let image = self.draft.global(t.image);
            let sampler = t.sampler.map(|s| self.draft.global(s));
            self.tables.textures.push((image, sampler));
        }
        for &sampler in &globals.samplers {
            let sampler = self.draft.global(sampler);
            self.tables.samplers.push(sampler);
        }
    }

    /// Declares variables.
    fn variables(&mut self) {
        let names = self.parameter_names();
        for &(ty, kind) in &self.program.tree.vars {
            let (name, ty) = match kind {
                VarKind::Param(v) => (names.get(v.index()).copied().unwrap_or(NAMELESS), self.types.ir(ty)),
                VarKind::Flag => ("leave", self.types.of(Kind::Bool, 1)),
                VarKind::Next => ("next", self.types.of(Kind::Sint, 1)),
            };
            let variable = self.local(name.into(), ty);
            self.variables.push((variable, name));
            if let VarKind::Param(v) = kind {
                self.tables.parameters.push((v, variable));
            }
        }
        if self.plan.stored_outputs {
            for io in &self.program.interface.outputs {
                let ty = io_type(self.draft.types, io);
                let variable = self.local((&*io.name).into(), ty);
                self.tables.output_variables.push(variable);
            }
        }
        if self.plan.kills && (self.plan.late_kill || self.options.form == Form::Compute) {
            let ty = self.types.of(Kind::Bool, 1);
            self.killed = Some(self.local("killed".into(), ty));
        }
    }

    /// For each block parameter, the name of an instruction's result that is passed to it.
    fn parameter_names(&self) -> Vec<&'p str> {
        if self.program.tree.vars.is_empty() {
            return Vec::new();
        }
        let (func, source) = (self.program.func, self.program.source);
        let mut names = vec![NAMELESS; func.nodes.list.len()];
        for edge in func.blocks.iter().flat_map(|b| b.end.edges()) {
            let Some(to) = func.blocks.get(edge.to.index()) else { continue };
            for (arg, parameter) in edge.args.iter().zip(&to.params) {
                let made_by = func.nodes.list.get(arg.index()).and_then(|n| source.get(n.origin as usize));
                if let Some(s) = made_by.filter(|s| !s.result.is_empty())
                    && let Some(name) = names.get_mut(parameter.index())
                {
                    *name = s.result;
                }
            }
        }
        names
    }

    /// Builds the statements of the whole program.
    ///
    /// # Errors
    /// `internal-translate` where the plan and the program contradict each other.
    pub(crate) fn finish(mut self) -> Result<(Function<'p>, Made<'p>), Diagnostic> {
        let plan = self.plan;
        self.values(plan.hoisted.order(), true);
        for &of in &plan.gradients {
            if let Some(t) = self.texture_op(of) {
                let coordinate = self.get(t.coord);
                let x = self.derivative(Axis::X, coordinate);
                let y = self.derivative(Axis::Y, coordinate);
                self.gradients.push(Gradient { of, x, y });
            }
        }
        if !self.list(&self.program.tree.body) {
            self.exit();
        }
        for io in &self.program.interface.inputs {
            let ty = io_type(self.draft.types, io);
            self.draft.declare((&*io.name).into(), ty);
        }
        let result = self.globals.result.filter(|_| self.globals.emission.is_none());
        self.draft.yields(result);
        match self.fault {
            Some(fault) => Err(fault),
            None => {
                let helpers = std::mem::take(&mut self.helpers.made);
                let natives = std::mem::take(&mut self.helpers.natives);
                Ok((self.draft.finish(), Made { marks: self.marks, helpers, natives }))
            }
        }
    }

    /// Records a state that the planner rules out. Nothing is printed then.
    pub(super) fn impossible(&mut self, what: &str) {
        self.refuse(internal(what));
    }

    /// Ends the translation with a fault, unless it has one.
    pub(super) fn refuse(&mut self, fault: Diagnostic) {
        self.fault.get_or_insert(fault);
    }

    /// Calls [`Body::impossible`] and returns an expression, so that the caller can continue.
    pub(super) fn nothing(&mut self, what: &str) -> Expr {
        self.impossible(what);
        self.draft.u32(0)
    }

    /// The node of a value.
    pub(super) fn node(&mut self, v: Value) -> &'p Node {
        match self.program.func.nodes.list.get(v.index()) {
            Some(node) => node,
            None => {
                self.impossible("a value has no node");
                const { &Node { op: Op::Param, ty: Type::NONE, origin: 0 } }
            }
        }
    }

    /// The type of a value.
    pub(super) fn ty(&mut self, v: Value) -> Type {
        self.node(v).ty
    }

    /// Records how the next statement begins, for naga's text, and its instruction.
    pub(super) fn mark(&mut self, name: Name<'p>, origin: u32) {
        self.draft.comes_from(Some(origin));
        self.note(Mark { name, call: None, origin });
    }

    /// Adds a mark if marks are needed.
    pub(super) fn note(&mut self, mark: Mark<'p>) {
        if self.target != Target::Wgsl {
            self.marks.push(mark);
        }
    }
}

/// The name of a variable that receives no named result.
const NAMELESS: &str = "v";
