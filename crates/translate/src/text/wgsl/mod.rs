//! WGSL, printed from the module.
//!
//! Expressions and statements carry the number of their instruction as their place in the source, so that lines
//! are mapped, and comments written, while they are printed. What is used once stands where it is used; what has
//! the name of a register, is used more often or depends on its place becomes a `let`. Names are unique within
//! their function.

mod expression;
mod labels;
mod survey;

use super::body::Made;
use super::helpers::{Helper, Helpers};
use super::names::{Name, decimal};
use super::types::Types;
use crate::{Mapping, Source};
use expression::Bond;
use labels::{Label, Labels};
use naga::{
    AddressSpace, ArraySize, Binding, Block, BuiltIn, Expression, Function, Handle, ImageClass,
    ImageDimension, Interpolation, Module, ScalarKind, ShaderStage, Span, Statement, StorageAccess,
    SwitchValue, Type, TypeInner,
};
use shisa_diag::Diagnostic;
use std::sync::OnceLock;
use survey::{Fact, survey};

/// Prints a module whose last function and helpers are `made`: the text and its source map. Helpers may be empty.
/// `comments` are the instructions to write as comments.
pub(super) fn print(
    module: &Module,
    made: &Made,
    comments: &[Source],
) -> Result<(String, Vec<Mapping>), Diagnostic> {
    let empty = &Function::default();
    let mut p = Printer::new(module, empty, comments);
    if module.diagnostic_filters.iter().len() > 0 {
        p.out.push_str("diagnostic(off, derivative_uniformity);");
        p.end();
    }
    p.module(made);
    match p.unknown {
        false => Ok((p.out, p.map)),
        true => {
            Err(Diagnostic::error("translate-refused", "the module holds what the printer does not know"))
        }
    }
}

/// The text of a helper, which is the same in every program and printed once.
fn helper(helper: Helper) -> &'static str {
    static TEXTS: [OnceLock<String>; Helper::COUNT] = [const { OnceLock::new() }; Helper::COUNT];
    TEXTS[helper.number()].get_or_init(|| {
        let (mut types, mut helpers) = (Types::default(), Helpers::default());
        let made = helpers.get(&mut types, helper);
        let module = Module { types: types.arena, functions: helpers.functions, ..Module::default() };
        let empty = &Function::default();
        let mut p = Printer::new(&module, empty, &[]);
        p.name_helpers(&helpers.made);
        p.function(&module.functions[made], p.functions[made.index()], &[]);
        p.out
    })
}

struct Printer<'a> {
    module: &'a Module,
    comments: &'a [Source<'a>],
    out: String,
    /// The line that is being printed, counted from 1.
    line: u32,
    indent: usize,
    map: Vec<Mapping>,
    /// The instruction that was written as a comment last.
    told: Option<u32>,
    labels: Labels,
    /// Names of types; only structures have one.
    structures: Vec<Label>,
    /// Members of the structure.
    members: Vec<Label>,
    globals: Vec<Label>,
    functions: Vec<Label>,
    /// The function that is being printed.
    fun: &'a Function,
    names: &'a [Option<Name<'a>>],
    facts: Vec<Fact>,
    arguments: Vec<Label>,
    locals: Vec<Label>,
    /// Whether there was something that programs do not have.
    unknown: bool,
}

/// The name of the kind with 32 bits.
const fn scalar(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::Sint => "i32",
        ScalarKind::Uint => "u32",
        ScalarKind::Bool => "bool",
        _ => "f32",
    }
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module, empty: &'a Function, comments: &'a [Source<'a>]) -> Printer<'a> {
        Printer {
            module,
            comments,
            out: String::with_capacity(4096),
            line: 1,
            indent: 0,
            map: Vec::with_capacity(32),
            told: None,
            labels: Labels::new(),
            structures: vec![Label::default(); module.types.len()],
            members: Vec::new(),
            globals: Vec::with_capacity(module.global_variables.len()),
            functions: vec![Label::default(); module.functions.len()],
            fun: empty,
            names: &[],
            facts: Vec::new(),
            arguments: Vec::new(),
            locals: Vec::new(),
            unknown: false,
        }
    }

    /// Helpers are named before all else, so that their names are always the same.
    fn name_helpers(&mut self, helpers: &[(Helper, Handle<Function>)]) {
        for (helper, h) in helpers {
            self.functions[h.index()] = self.labels.unique(helper.name().into());
        }
    }

    fn module(&mut self, made: &'a Made) {
        let module = self.module;
        let helper_of = |h| made.helpers.iter().find(|m| m.1 == h).map(|m| m.0);
        self.name_helpers(&made.helpers);
        for (h, ty) in module.types.iter() {
            if let (TypeInner::Struct { .. }, Some(name)) = (&ty.inner, &ty.name)
                && !self.is_known(h)
            {
                self.structures[h.index()] = self.labels.unique(name.as_str().into());
            }
        }
        for (_, g) in module.global_variables.iter() {
            self.globals.push(self.labels.unique(g.name.as_deref().unwrap_or("global").into()));
        }
        for (h, f) in module.functions.iter().filter(|f| helper_of(f.0).is_none()) {
            self.functions[h.index()] = self.labels.unique(f.name.as_deref().unwrap_or("function").into());
        }
        let entries: Vec<Label> =
            module.entry_points.iter().map(|e| self.labels.unique(e.name.as_str().into())).collect();
        for (h, ty) in module.types.iter() {
            if let TypeInner::Struct { members, .. } = &ty.inner
                && !self.is_known(h)
            {
                self.structure(self.structures[h.index()], members);
            }
        }
        for (h, g) in module.global_variables.iter() {
            self.global(self.globals[h.index()], g);
        }
        if !self.globals.is_empty() {
            self.end();
        }
        let last = module.functions.len().wrapping_sub(1);
        for (h, f) in module.functions.iter() {
            match helper_of(h).map(helper) {
                Some(text) => {
                    self.out.push_str(text);
                    self.line += text.lines().count() as u32;
                }
                None => {
                    let names: &[_] = if h.index() == last { &made.names } else { &[] };
                    self.function(f, self.functions[h.index()], names);
                }
            }
            self.end();
        }
        for (entry, label) in module.entry_points.iter().zip(entries) {
            match entry.stage {
                ShaderStage::Vertex => self.out.push_str("@vertex"),
                ShaderStage::Fragment => self.out.push_str("@fragment"),
                _ => {
                    self.out.push_str("@compute @workgroup_size(");
                    for (i, n) in entry.workgroup_size.into_iter().enumerate() {
                        self.out.push_str(if i > 0 { ", " } else { "" });
                        decimal(&mut self.out, n);
                    }
                    self.out.push(')');
                }
            }
            self.end();
            self.function(&entry.function, label, &[]);
        }
    }

    /// Whether the language has the type without declaring it.
    fn is_known(&self, ty: Handle<Type>) -> bool {
        self.module.special_types.predeclared_types.values().any(|known| *known == ty)
    }

    fn structure(&mut self, name: Label, members: &[naga::StructMember]) {
        self.labels.open();
        self.out.push_str("struct ");
        self.push_label(name);
        self.out.push_str(" {");
        self.end();
        for m in members {
            let label = self.labels.unique(m.name.as_deref().unwrap_or("member").into());
            self.members.push(label);
            self.out.push_str("    ");
            self.binding(m.binding.as_ref());
            self.declaration(label, m.ty);
            self.out.push(',');
            self.end();
        }
        self.out.push('}');
        self.end();
        self.end();
    }

    fn global(&mut self, name: Label, g: &naga::GlobalVariable) {
        if let Some(b) = g.binding {
            self.attribute("@group(", b.group);
            self.attribute("@binding(", b.binding);
        }
        self.out.push_str(match g.space {
            AddressSpace::Uniform => "var<uniform> ",
            AddressSpace::Private => "var<private> ",
            AddressSpace::WorkGroup => "var<workgroup> ",
            AddressSpace::Storage { access } if access.contains(StorageAccess::STORE) => {
                "var<storage, read_write> "
            }
            AddressSpace::Storage { .. } => "var<storage> ",
            _ => "var ",
        });
        self.declaration(name, g.ty);
        self.out.push(';');
        self.end();
    }

    /// An attribute with a number, such as `@location(`.
    fn attribute(&mut self, head: &str, n: u32) {
        self.out.push_str(head);
        decimal(&mut self.out, n);
        self.out.push_str(") ");
    }

    fn binding(&mut self, binding: Option<&Binding>) {
        match binding {
            None => {}
            Some(Binding::Location { location, interpolation, sampling, .. }) => {
                self.attribute("@location(", *location);
                use naga::Sampling::{Centroid, Sample};
                self.out.push_str(match (interpolation, sampling) {
                    (Some(Interpolation::Flat), _) => "@interpolate(flat) ",
                    (Some(Interpolation::Linear), Some(Centroid)) => "@interpolate(linear, centroid) ",
                    (Some(Interpolation::Linear), Some(Sample)) => "@interpolate(linear, sample) ",
                    (Some(Interpolation::Linear), _) => "@interpolate(linear) ",
                    (_, Some(Centroid)) => "@interpolate(perspective, centroid) ",
                    (_, Some(Sample)) => "@interpolate(perspective, sample) ",
                    _ => "",
                });
            }
            Some(Binding::BuiltIn(b)) => self.out.push_str(match b {
                BuiltIn::Position { .. } => "@builtin(position) ",
                BuiltIn::FragDepth => "@builtin(frag_depth) ",
                BuiltIn::FrontFacing => "@builtin(front_facing) ",
                BuiltIn::SampleIndex => "@builtin(sample_index) ",
                BuiltIn::SampleMask => "@builtin(sample_mask) ",
                BuiltIn::InstanceIndex => "@builtin(instance_index) ",
                BuiltIn::VertexIndex => "@builtin(vertex_index) ",
                BuiltIn::GlobalInvocationId => "@builtin(global_invocation_id) ",
                BuiltIn::LocalInvocationId => "@builtin(local_invocation_id) ",
                BuiltIn::LocalInvocationIndex => "@builtin(local_invocation_index) ",
                BuiltIn::WorkGroupId => "@builtin(workgroup_id) ",
                _ => {
                    self.unknown = true;
                    ""
                }
            }),
        }
    }

    fn declaration(&mut self, name: Label, ty: Handle<Type>) {
        self.push_label(name);
        self.out.push_str(": ");
        self.ty(ty);
    }

    fn ty(&mut self, h: Handle<Type>) {
        match self.module.types[h].inner {
            TypeInner::Scalar(s) => self.vector(scalar(s.kind), 1),
            TypeInner::Vector { size, scalar: s } => self.vector(scalar(s.kind), size as u8),
            TypeInner::Array { base, size, .. } => {
                self.out.push_str("array<");
                self.ty(base);
                if let ArraySize::Constant(n) = size {
                    self.out.push_str(", ");
                    decimal(&mut self.out, n.get());
                }
                self.out.push('>');
            }
            TypeInner::Struct { .. } => self.push_label(self.structures[h.index()]),
            TypeInner::Atomic(s) => {
                self.out.push_str("atomic<");
                self.out.push_str(scalar(s.kind));
                self.out.push('>');
            }
            TypeInner::Image { dim, arrayed, class } => self.image(dim, arrayed, class),
            TypeInner::Sampler { comparison: true } => self.out.push_str("sampler_comparison"),
            TypeInner::Sampler { comparison: false } => self.out.push_str("sampler"),
            _ => self.unknown = true,
        }
    }

    /// The type of a texture.
    fn image(&mut self, dim: ImageDimension, arrayed: bool, class: ImageClass) {
        let (kind, texel) = match class {
            ImageClass::Sampled { multi: false, kind: ScalarKind::Uint } => ("texture_", "<u32>"),
            ImageClass::Sampled { multi: true, kind: ScalarKind::Uint } => ("texture_multisampled_", "<u32>"),
            ImageClass::Sampled { multi: false, .. } => ("texture_", "<f32>"),
            ImageClass::Sampled { multi: true, .. } => ("texture_multisampled_", "<f32>"),
            ImageClass::Depth { multi: false } => ("texture_depth_", ""),
            ImageClass::Storage { .. } => ("texture_storage_", "<rgba32float, write>"),
            _ => return self.unknown = true,
        };
        self.out.push_str(kind);
        self.out.push_str(match dim {
            ImageDimension::D1 => "1d",
            ImageDimension::D2 => "2d",
            ImageDimension::D3 => "3d",
            ImageDimension::Cube => "cube",
        });
        self.out.push_str(if arrayed { "_array" } else { "" });
        self.out.push_str(texel);
    }

    /// A scalar, or a vector of it.
    fn vector(&mut self, scalar: &str, size: u8) {
        if size <= 1 {
            return self.out.push_str(scalar);
        }
        self.out.push_str(["vec2<", "vec3<", "vec4<"][usize::from(size.min(4)) - 2]);
        self.out.push_str(scalar);
        self.out.push('>');
    }

    fn function(&mut self, fun: &'a Function, name: Label, names: &'a [Option<Name<'a>>]) {
        self.fun = fun;
        self.names = names;
        self.facts = survey(self.module, fun, |h| {
            names.get(h.index()).is_some_and(Option::is_some) || fun.named_expressions.contains_key(&h)
        });
        self.labels.open();
        self.arguments.clear();
        self.locals.clear();
        self.out.push_str("fn ");
        self.push_label(name);
        self.out.push('(');
        for (i, a) in fun.arguments.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.binding(a.binding.as_ref());
            let label = self.labels.unique(a.name.as_deref().unwrap_or("argument").into());
            self.arguments.push(label);
            self.declaration(label, a.ty);
        }
        self.out.push(')');
        if let Some(result) = &fun.result {
            self.out.push_str(" -> ");
            self.binding(result.binding.as_ref());
            self.ty(result.ty);
        }
        self.out.push_str(" {");
        self.end();
        self.indent = 1;
        for (_, l) in fun.local_variables.iter() {
            let label = self.labels.unique(l.name.as_deref().unwrap_or("variable").into());
            self.locals.push(label);
            self.begin(Span::UNDEFINED);
            self.out.push_str("var ");
            self.declaration(label, l.ty);
            self.out.push(';');
            self.end();
        }
        if !fun.local_variables.is_empty() {
            self.end();
        }
        self.block(&fun.body);
        self.out.push('}');
        self.end();
        self.indent = 0;
    }

    /// Begins a line that comes from an instruction, or from none.
    fn begin(&mut self, span: Span) {
        const BLANKS: &str = "                                ";
        let blanks = |out: &mut String, mut n: usize| {
            while n > 0 {
                out.push_str(&BLANKS[..n.min(BLANKS.len())]);
                n = n.saturating_sub(BLANKS.len());
            }
        };
        let instruction = span.to_range().map(|r| r.start as u32);
        if let Some(instruction) = instruction {
            if self.told.replace(instruction) != Some(instruction)
                && let Some(s) = self.comments.get(instruction as usize).filter(|s| !s.text.is_empty())
            {
                blanks(&mut self.out, 4 * self.indent);
                self.out.push_str("// ");
                self.out.push_str(&shisa_diag::escape(s.text));
                self.end();
            }
            match self.map.last_mut() {
                Some(m) if m.instruction == instruction && m.end == self.line => m.end += 1,
                _ => self.map.push(Mapping { start: self.line, end: self.line + 1, instruction }),
            }
        }
        blanks(&mut self.out, 4 * self.indent);
    }

    /// Ends a line.
    fn end(&mut self) {
        self.out.push('\n');
        self.line += 1;
    }

    fn push_label(&mut self, label: Label) {
        self.out.push_str(self.labels.text(label));
    }

    /// A block one level deeper.
    fn inner(&mut self, block: &'a Block) {
        self.out.push_str(" {");
        self.end();
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
        self.begin(Span::UNDEFINED);
        self.out.push('}');
    }

    fn block(&mut self, block: &'a Block) {
        let mut statements = block.span_iter().peekable();
        while let Some((statement, &span)) = statements.next() {
            match statement {
                Statement::Emit(range) => {
                    for h in range.clone() {
                        if self.facts[h.index()].declared {
                            self.declare(h);
                        }
                    }
                    continue;
                }
                Statement::Call { function, arguments, result } => {
                    let returned = |(next, _): &(&Statement, &Span)| match next {
                        Statement::Return { value } => value.is_some() && value == result,
                        _ => false,
                    };
                    if statements.next_if(returned).is_some() {
                        self.begin(span);
                        self.out.push_str("return ");
                    } else if let Some(result) = result.filter(|r| self.facts[r.index()].uses > 0) {
                        let label = self.begin_let(result, span);
                        self.facts[result.index()].label = Some(label);
                    } else {
                        self.begin(span);
                    }
                    self.push_label(self.functions[function.index()]);
                    self.arguments(arguments);
                }
                Statement::Atomic { pointer, fun, value, result } => {
                    match result.filter(|r| self.facts[r.index()].uses > 0) {
                        Some(result) => {
                            let label = self.begin_let(result, span);
                            self.facts[result.index()].label = Some(label);
                        }
                        None => self.begin(span),
                    }
                    self.atomic(*fun, *pointer, *value);
                }
                _ => self.statement(statement, span),
            }
            self.out.push_str(if self.out.ends_with('}') { "" } else { ";" });
            self.end();
        }
    }

    fn statement(&mut self, statement: &'a Statement, span: Span) {
        self.begin(span);
        match statement {
            Statement::Store { pointer, value } if self.is_atomic(*pointer) => {
                self.atomic_call("Store", *pointer, &[*value]);
            }
            Statement::Store { pointer, value } => {
                self.expression(*pointer, Bond::Whole);
                self.out.push_str(" = ");
                self.expression(*value, Bond::Order);
            }
            Statement::ImageStore { image, coordinate, array_index, value } => {
                self.store_texel(*image, *coordinate, *array_index, *value);
            }
            Statement::If { condition, accept, reject } => {
                self.out.push_str("if ");
                self.expression(*condition, Bond::Order);
                self.inner(accept);
                if !reject.is_empty() {
                    self.out.push_str(" else");
                    self.inner(reject);
                }
            }
            Statement::Loop { body, .. } => {
                self.out.push_str("loop");
                self.inner(body);
            }
            Statement::Switch { selector, cases } => {
                self.out.push_str("switch ");
                self.expression(*selector, Bond::Order);
                self.out.push_str(" {");
                self.end();
                self.indent += 1;
                for case in cases {
                    self.begin(Span::UNDEFINED);
                    match case.value {
                        SwitchValue::Default => self.out.push_str("default:"),
                        SwitchValue::I32(n) => {
                            self.out.push_str("case ");
                            decimal(&mut self.out, n as u32);
                            self.out.push(':');
                        }
                        SwitchValue::U32(_) => self.unknown = true,
                    }
                    self.inner(&case.body);
                    self.end();
                }
                self.indent -= 1;
                self.begin(Span::UNDEFINED);
                self.out.push('}');
            }
            Statement::ControlBarrier(barrier) => {
                let both = naga::Barrier::STORAGE | naga::Barrier::WORK_GROUP;
                self.out.push_str(match *barrier & both {
                    naga::Barrier::STORAGE => "storageBarrier()",
                    naga::Barrier::WORK_GROUP => "workgroupBarrier()",
                    _ => "storageBarrier(); workgroupBarrier()",
                });
            }
            Statement::Break => self.out.push_str("break"),
            Statement::Continue => self.out.push_str("continue"),
            Statement::Kill => self.out.push_str("discard"),
            Statement::Return { value } => {
                self.out.push_str("return");
                if let Some(value) = value {
                    self.out.push(' ');
                    self.expression(*value, Bond::Order);
                }
            }
            _ => self.unknown = true,
        }
    }

    /// Declares an expression where it is made.
    fn declare(&mut self, h: Handle<Expression>) {
        let label = self.begin_let(h, self.fun.expressions.get_span(h));
        self.expression(h, Bond::Order);
        self.out.push(';');
        self.end();
        self.facts[h.index()].label = Some(label);
    }

    /// Prints `let`, a new name for an expression, and `=`.
    fn begin_let(&mut self, h: Handle<Expression>, span: Span) -> Label {
        let label = self.labels.unique(self.name(h, span));
        self.begin(span);
        self.out.push_str("let ");
        self.push_label(label);
        self.out.push_str(" = ");
        label
    }

    /// The name that an expression is to have: its own, that of the variable it loads, or a number.
    fn name(&self, h: Handle<Expression>, span: Span) -> Name<'a> {
        let own = self.names.get(h.index()).copied().flatten();
        if let Some(name) = own.or_else(|| Some(self.fun.named_expressions.get(&h)?.as_str().into())) {
            return name;
        }
        let loaded = match self.fun.expressions[h] {
            Expression::Load { pointer } => match self.fun.expressions[pointer] {
                Expression::LocalVariable(l) => self.fun.local_variables[l].name.as_deref(),
                Expression::GlobalVariable(g) => self.module.global_variables[g].name.as_deref(),
                _ => None,
            },
            _ => None,
        };
        match (loaded, span.to_range()) {
            (Some(name), _) => name.into(),
            (None, Some(r)) => Name::numbered("t", r.start as u32),
            (None, None) => "t".into(),
        }
    }
}
