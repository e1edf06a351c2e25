//! Converts our syntax tree to a naga module. Types, variables, functions and expressions have the same numbers in
//! both.

use crate::internal;
use crate::syntax::{
    self, AddressSpace, AtomicOp, Axis, BinaryOp, BuiltIn, Dimension, EntryStage, Expr, Expression,
    Interpolation, Kind, LaneOp, Level, Literal, MathFunction, Query, Statement, Step, TexelClass, TypeId,
    UnaryOp,
};
use crate::texture::TexelFormat;
use naga::{Block, Handle, Span, UniqueArena};
use shisa_diag::Diagnostic;
use std::iter::Peekable;

/// The converted items, by their numbers in the tree.
struct Made {
    types: Vec<Handle<naga::Type>>,
    globals: Vec<Handle<naga::GlobalVariable>>,
    functions: Vec<Handle<naga::Function>>,
}

/// Converts a module.
///
/// # Errors
/// `internal-translate` where the module contradicts itself.
pub(super) fn module(from: &syntax::Module) -> Result<naga::Module, Diagnostic> {
    let mut to = naga::Module::default();
    let mut made = Made { types: Vec::new(), globals: Vec::new(), functions: Vec::new() };
    for ty in from.types.list() {
        let handle = made.ty(&mut to, from, *ty)?;
        made.types.push(handle);
    }
    for g in &from.globals {
        let variable = naga::GlobalVariable {
            name: Some(g.name.into()),
            space: space(g.space),
            binding: g.slot.map(|s| naga::ResourceBinding { group: s.group, binding: s.binding }),
            ty: made.types[g.ty.index()],
            init: None,
            memory_decorations: Default::default(),
        };
        made.globals.push(to.global_variables.append(variable, Span::UNDEFINED));
    }
    let filter = from.diverges.then(|| to.diagnostic_filters.append(derivatives_anywhere(), Span::UNDEFINED));
    for (i, f) in from.functions.iter().enumerate() {
        let mut function = made.function(f)?;
        function.name = Some(f.name.into());
        if i + 1 == from.functions.len() {
            function.diagnostic_filter_leaf = filter;
        }
        made.functions.push(to.functions.append(function, Span::UNDEFINED));
    }
    let mut function = made.function(&from.entry.function)?;
    function.diagnostic_filter_leaf = filter;
    let (stage, workgroup_size) = match from.entry.stage {
        EntryStage::Vertex => (naga::ShaderStage::Vertex, [0; 3]),
        EntryStage::Fragment => (naga::ShaderStage::Fragment, [0; 3]),
        EntryStage::Compute => (naga::ShaderStage::Compute, from.entry.workgroup),
    };
    to.entry_points.push(naga::EntryPoint {
        name: from.entry.function.name.into(),
        stage,
        early_depth_test: None,
        workgroup_size,
        workgroup_size_overrides: None,
        function,
        mesh_info: None,
        task_payload: None,
        incoming_ray_payload: None,
    });
    Ok(to)
}

/// Allows derivatives where lanes may have diverged.
fn derivatives_anywhere() -> naga::diagnostic_filter::DiagnosticFilterNode {
    use naga::diagnostic_filter::*;
    DiagnosticFilterNode {
        inner: DiagnosticFilter {
            new_severity: Severity::Off,
            triggering_rule: FilterableTriggeringRule::Standard(
                StandardFilterableTriggeringRule::DerivativeUniformity,
            ),
        },
        parent: None,
    }
}

const fn space(space: AddressSpace) -> naga::AddressSpace {
    match space {
        AddressSpace::Uniform => naga::AddressSpace::Uniform,
        AddressSpace::Storage { written } => {
            let access = match written {
                true => naga::StorageAccess::LOAD.union(naga::StorageAccess::STORE),
                false => naga::StorageAccess::LOAD,
            };
            naga::AddressSpace::Storage { access }
        }
        AddressSpace::Private => naga::AddressSpace::Private,
        AddressSpace::Workgroup => naga::AddressSpace::WorkGroup,
        AddressSpace::Handle => naga::AddressSpace::Handle,
    }
}

const fn kind(kind: Kind) -> naga::ScalarKind {
    match kind {
        Kind::Bool => naga::ScalarKind::Bool,
        Kind::Uint => naga::ScalarKind::Uint,
        Kind::Sint => naga::ScalarKind::Sint,
        Kind::Float => naga::ScalarKind::Float,
    }
}

const fn scalar(kind: Kind) -> naga::Scalar {
    match kind {
        Kind::Bool => naga::Scalar::BOOL,
        Kind::Uint => naga::Scalar::U32,
        Kind::Sint => naga::Scalar::I32,
        Kind::Float => naga::Scalar::F32,
    }
}

const fn storage_format(format: TexelFormat) -> naga::StorageFormat {
    match format {
        TexelFormat::Rgba32Float => naga::StorageFormat::Rgba32Float,
        TexelFormat::R8Uint => naga::StorageFormat::R8Uint,
        TexelFormat::R16Uint => naga::StorageFormat::R16Uint,
        TexelFormat::R32Uint => naga::StorageFormat::R32Uint,
        TexelFormat::Rg32Uint => naga::StorageFormat::Rg32Uint,
        TexelFormat::Rgba32Uint => naga::StorageFormat::Rgba32Uint,
        TexelFormat::R64Uint => naga::StorageFormat::R64Uint,
    }
}

/// The size of a vector; anything but 2 and 3 counts as 4.
const fn size(count: u8) -> naga::VectorSize {
    match count {
        2 => naga::VectorSize::Bi,
        3 => naga::VectorSize::Tri,
        _ => naga::VectorSize::Quad,
    }
}

fn component(n: u8) -> naga::SwizzleComponent {
    naga::SwizzleComponent::XYZW[usize::from(n & 3)]
}

fn binding(binding: syntax::Binding) -> naga::Binding {
    match binding {
        syntax::Binding::Location { location, interpolation, sampling } => naga::Binding::Location {
            location,
            interpolation: interpolation.map(|i| match i {
                Interpolation::Perspective => naga::Interpolation::Perspective,
                Interpolation::Linear => naga::Interpolation::Linear,
                Interpolation::Flat => naga::Interpolation::Flat,
            }),
            sampling: sampling.map(|s| match s {
                syntax::Sampling::Centre => naga::Sampling::Center,
                syntax::Sampling::Centroid => naga::Sampling::Centroid,
                syntax::Sampling::Sample => naga::Sampling::Sample,
            }),
            blend_src: None,
            per_primitive: false,
        },
        syntax::Binding::BuiltIn(b) => naga::Binding::BuiltIn(match b {
            BuiltIn::Position => naga::BuiltIn::Position { invariant: false },
            BuiltIn::PointSize => naga::BuiltIn::PointSize,
            BuiltIn::ClipDistances => naga::BuiltIn::ClipDistances,
            BuiltIn::PointCoordinate => naga::BuiltIn::PointCoord,
            BuiltIn::PrimitiveIndex => naga::BuiltIn::PrimitiveIndex,
            BuiltIn::FragmentDepth => naga::BuiltIn::FragDepth,
            BuiltIn::FrontFacing => naga::BuiltIn::FrontFacing,
            BuiltIn::SampleIndex => naga::BuiltIn::SampleIndex,
            BuiltIn::SampleMask => naga::BuiltIn::SampleMask,
            BuiltIn::InstanceIndex => naga::BuiltIn::InstanceIndex,
            BuiltIn::VertexIndex => naga::BuiltIn::VertexIndex,
            BuiltIn::GlobalInvocationId => naga::BuiltIn::GlobalInvocationId,
            BuiltIn::LocalInvocationId => naga::BuiltIn::LocalInvocationId,
            BuiltIn::LocalInvocationIndex => naga::BuiltIn::LocalInvocationIndex,
            BuiltIn::WorkgroupId => naga::BuiltIn::WorkGroupId,
        }),
    }
}

fn member(
    name: impl Into<String>,
    ty: Handle<naga::Type>,
    offset: u32,
    bound: Option<syntax::Binding>,
) -> naga::StructMember {
    naga::StructMember { name: Some(name.into()), ty, binding: bound.map(binding), offset }
}

impl Made {
    /// A type whose parts are converted already.
    fn ty(
        &self,
        to: &mut naga::Module,
        from: &syntax::Module,
        ty: syntax::Type,
    ) -> Result<Handle<naga::Type>, Diagnostic> {
        use naga::TypeInner;
        let insert = |types: &mut UniqueArena<naga::Type>, name, inner| {
            types.insert(naga::Type { name, inner }, Span::UNDEFINED)
        };
        let inner = match ty {
            syntax::Type::Value { kind, count: 0 | 1 } => TypeInner::Scalar(scalar(kind)),
            syntax::Type::Value { kind, count } => {
                TypeInner::Vector { size: size(count), scalar: scalar(kind) }
            }
            syntax::Type::AtomicWord => TypeInner::Atomic(naga::Scalar::U32),
            syntax::Type::Array { base, length, stride } => TypeInner::Array {
                base: self.types[base.index()],
                size: length.map_or(naga::ArraySize::Dynamic, naga::ArraySize::Constant),
                stride,
            },
            syntax::Type::Structure => {
                let Some(structure) = &from.types.structure else {
                    return Err(internal("a module has the type of a structure, but no structure"));
                };
                let members = structure.members.iter();
                let members =
                    members.map(|m| member(m.name, self.types[m.ty.index()], m.offset, m.binding)).collect();
                let inner = TypeInner::Struct { members, span: structure.span };
                return Ok(insert(&mut to.types, Some(structure.name.into()), inner));
            }
            syntax::Type::Exchanged => {
                let mut one = |scalar| insert(&mut to.types, None, TypeInner::Scalar(scalar));
                let (word, truth) = (one(naga::Scalar::U32), one(naga::Scalar::BOOL));
                let predeclared = naga::PredeclaredType::AtomicCompareExchangeWeakResult(naga::Scalar::U32);
                let members = vec![member("old_value", word, 0, None), member("exchanged", truth, 4, None)];
                let inner = TypeInner::Struct { members, span: 8 };
                let handle = insert(&mut to.types, Some(predeclared.struct_name()), inner);
                to.special_types.predeclared_types.insert(predeclared, handle);
                return Ok(handle);
            }
            syntax::Type::Texture { dimension, arrayed, class } => TypeInner::Image {
                dim: match dimension {
                    Dimension::D1 => naga::ImageDimension::D1,
                    Dimension::D2 => naga::ImageDimension::D2,
                    Dimension::D3 => naga::ImageDimension::D3,
                    Dimension::Cube => naga::ImageDimension::Cube,
                },
                arrayed,
                class: match class {
                    TexelClass::Sampled { kind: of, multisampled } => {
                        naga::ImageClass::Sampled { kind: kind(of), multi: multisampled }
                    }
                    TexelClass::Depth { multisampled } => naga::ImageClass::Depth { multi: multisampled },
                    TexelClass::Written(format) => naga::ImageClass::Storage {
                        format: storage_format(format),
                        access: naga::StorageAccess::STORE,
                    },
                    TexelClass::Changed(format) => naga::ImageClass::Storage {
                        format: storage_format(format),
                        access: naga::StorageAccess::LOAD.union(naga::StorageAccess::STORE),
                    },
                },
            },
            syntax::Type::Sampler { comparison } => TypeInner::Sampler { comparison },
        };
        Ok(insert(&mut to.types, None, inner))
    }

    /// A function without its name.
    fn function(&self, from: &syntax::Function) -> Result<naga::Function, Diagnostic> {
        let mut to = naga::Function::default();
        to.arguments.reserve(from.arguments.len());
        to.named_expressions.reserve(from.named());
        for a in &from.arguments {
            let ty = self.types[a.ty.index()];
            let argument =
                naga::FunctionArgument { name: Some(a.name.into()), ty, binding: a.binding.map(binding) };
            to.arguments.push(argument);
        }
        to.result = from.result.map(|ty| naga::FunctionResult { ty: self.types[ty.index()], binding: None });
        let mut locals = Vec::with_capacity(from.locals.len());
        for l in &from.locals {
            let ty = self.types[l.ty.index()];
            let local = naga::LocalVariable { name: Some(l.name.into()), ty, init: None };
            locals.push(to.local_variables.append(local, Span::UNDEFINED));
        }
        let mut expressions = Expressions { made: self, from, locals, handles: Vec::new() };
        expressions.handles.reserve(from.expressions.len());
        for (i, node) in from.expressions.iter().enumerate() {
            let converted = expressions.convert(&node.expression);
            let handle = to.expressions.append(converted, Span::UNDEFINED);
            expressions.handles.push(handle);
            let yielded = node.expression.is_yielded();
            // naga names the results of statements by their numbers.
            if !yielded && let Some(name) = from.name_of(Expr::new(i)) {
                to.named_expressions.insert(handle, name.into());
            }
        }
        let mut statements = Statements { expressions: &expressions, emitted: 0 };
        let mut steps = from.statements.iter().peekable();
        let body = statements.block(&mut steps)?;
        if steps.peek().is_some() {
            return Err(internal("a list of statements ends that was never begun"));
        }
        to.body = body;
        Ok(to)
    }
}

/// The expressions of a function that are converted so far.
struct Expressions<'a> {
    made: &'a Made,
    from: &'a syntax::Function<'a>,
    locals: Vec<Handle<naga::LocalVariable>>,
    handles: Vec<Handle<naga::Expression>>,
}

impl Expressions<'_> {
    fn get(&self, e: Expr) -> Handle<naga::Expression> {
        self.handles[e.index()]
    }

    fn ty(&self, ty: TypeId) -> Handle<naga::Type> {
        self.made.types[ty.index()]
    }

    fn convert(&self, e: &Expression) -> naga::Expression {
        use naga::Expression as E;
        match *e {
            Expression::Literal(literal) => E::Literal(match literal {
                Literal::Bool(b) => naga::Literal::Bool(b),
                Literal::U32(n) => naga::Literal::U32(n),
                Literal::I32(n) => naga::Literal::I32(n),
                Literal::F32(f) => naga::Literal::F32(f),
            }),
            Expression::Zero(ty) => E::ZeroValue(self.ty(ty)),
            Expression::Argument(n) => E::FunctionArgument(n),
            Expression::Global(g) => E::GlobalVariable(self.made.globals[g.index()]),
            Expression::Local(l) => E::LocalVariable(self.locals[l.index()]),
            Expression::CallResult(f) => E::CallResult(self.made.functions[f.index()]),
            Expression::AtomicResult { ty, comparison } => E::AtomicResult { ty: self.ty(ty), comparison },
            Expression::LaneResult { ballot: true, .. } => E::SubgroupBallotResult,
            Expression::LaneResult { ty, ballot: false } => E::SubgroupOperationResult { ty: self.ty(ty) },
            Expression::Load { pointer } => E::Load { pointer: self.get(pointer) },
            Expression::Compose { ty, parts } => E::Compose {
                ty: self.ty(ty),
                components: self.from.list(parts).iter().map(|p| self.get(*p)).collect(),
            },
            Expression::Splat { count, value } => E::Splat { size: size(count), value: self.get(value) },
            Expression::Swizzle { count, vector, pattern } => {
                E::Swizzle { size: size(count), vector: self.get(vector), pattern: pattern.map(component) }
            }
            Expression::Access { base, index } => E::Access { base: self.get(base), index: self.get(index) },
            Expression::AccessIndex { base, index } => E::AccessIndex { base: self.get(base), index },
            Expression::Unary { op, a } => {
                let op = match op {
                    UnaryOp::Negate => naga::UnaryOperator::Negate,
                    UnaryOp::LogicalNot => naga::UnaryOperator::LogicalNot,
                    UnaryOp::BitwiseNot => naga::UnaryOperator::BitwiseNot,
                };
                E::Unary { op, expr: self.get(a) }
            }
            Expression::Binary { op, a, b } => {
                E::Binary { op: operator(op), left: self.get(a), right: self.get(b) }
            }
            Expression::Select { condition, yes, no } => {
                E::Select { condition: self.get(condition), accept: self.get(yes), reject: self.get(no) }
            }
            Expression::Derivative { axis, a } => {
                let axis = match axis {
                    Axis::X => naga::DerivativeAxis::X,
                    Axis::Y => naga::DerivativeAxis::Y,
                };
                E::Derivative { axis, ctrl: naga::DerivativeControl::Fine, expr: self.get(a) }
            }
            Expression::Math { function, a, b, c } => E::Math {
                fun: math(function),
                arg: self.get(a),
                arg1: b.map(|b| self.get(b)),
                arg2: c.map(|c| self.get(c)),
                arg3: None,
            },
            Expression::Convert { kind: to, a } => {
                let width = if to == Kind::Bool { 1 } else { 4 };
                E::As { expr: self.get(a), kind: kind(to), convert: Some(width) }
            }
            Expression::Bits { kind: to, a } => E::As { expr: self.get(a), kind: kind(to), convert: None },
            Expression::Sample(n) => {
                let s = &self.from.samples[n as usize];
                E::ImageSample {
                    image: self.get(s.image),
                    sampler: self.get(s.sampler),
                    gather: s.gather.map(component),
                    coordinate: self.get(s.coordinate),
                    array_index: s.layer.map(|e| self.get(e)),
                    offset: s.offset.map(|e| self.get(e)),
                    level: match s.level {
                        Level::Implicit => naga::SampleLevel::Auto,
                        Level::Zero => naga::SampleLevel::Zero,
                        Level::Exact(e) => naga::SampleLevel::Exact(self.get(e)),
                        Level::Bias(e) => naga::SampleLevel::Bias(self.get(e)),
                        Level::Gradient { x, y } => {
                            naga::SampleLevel::Gradient { x: self.get(x), y: self.get(y) }
                        }
                    },
                    depth_ref: s.reference.map(|e| self.get(e)),
                    clamp_to_edge: false,
                }
            }
            Expression::Query { image, what } => E::ImageQuery {
                image: self.get(image),
                query: match what {
                    Query::Size(level) => naga::ImageQuery::Size { level: level.map(|e| self.get(e)) },
                    Query::Layers => naga::ImageQuery::NumLayers,
                    Query::Levels => naga::ImageQuery::NumLevels,
                    Query::Samples => naga::ImageQuery::NumSamples,
                },
            },
            Expression::Fetch(n) => {
                let f = &self.from.fetches[n as usize];
                E::ImageLoad {
                    image: self.get(f.image),
                    coordinate: self.get(f.coordinate),
                    array_index: f.layer.map(|e| self.get(e)),
                    sample: f.sample.map(|e| self.get(e)),
                    level: f.level.map(|e| self.get(e)),
                }
            }
        }
    }
}

/// The statements of a function that are converted so far.
struct Statements<'a> {
    expressions: &'a Expressions<'a>,
    /// The number of expressions that a statement computes already, or that need none.
    emitted: usize,
}

impl Statements<'_> {
    /// Converts statements up to the end of the list, which is not consumed.
    fn block<'s>(
        &mut self,
        steps: &mut Peekable<impl Iterator<Item = &'s Step>>,
    ) -> Result<Block, Diagnostic> {
        let mut block = Block::new();
        while let Some(step) = steps.peek() {
            self.emit(&mut block, step.made as usize);
            if matches!(step.statement, Statement::End | Statement::Else | Statement::Case(_)) {
                break;
            }
            let statement = step.statement;
            steps.next();
            if let Some(statement) = self.statement(statement, steps)? {
                block.push(statement, Span::UNDEFINED);
            }
        }
        Ok(block)
    }

    /// Writes a statement that computes the expressions up to `end`.
    fn emit(&mut self, block: &mut Block, end: usize) {
        while self.emitted < end {
            let start = self.emitted;
            let computed = |i: usize| self.expressions.from.expressions[i].expression.is_computed();
            let stop = (start..end).find(|i| !computed(*i)).unwrap_or(end);
            if stop > start {
                let handles = &self.expressions.handles;
                let range = naga::Range::new_from_bounds(handles[start], handles[stop - 1]);
                block.push(naga::Statement::Emit(range), Span::UNDEFINED);
            }
            self.emitted = (stop + 1).min(end);
        }
    }

    fn statement<'s>(
        &mut self,
        statement: Statement,
        steps: &mut Peekable<impl Iterator<Item = &'s Step>>,
    ) -> Result<Option<naga::Statement>, Diagnostic> {
        use naga::Statement as S;
        let get = |e| self.expressions.get(e);
        Ok(Some(match statement {
            Statement::Nothing => return Ok(None),
            Statement::Store { pointer, value } => S::Store { pointer: get(pointer), value: get(value) },
            Statement::StoreTexel { image, coordinate, layer, value } => S::ImageStore {
                image: get(image),
                coordinate: get(coordinate),
                array_index: layer.map(get),
                value: get(value),
            },
            Statement::Call { function, arguments, result } => S::Call {
                function: self.expressions.made.functions[function.index()],
                arguments: self.expressions.from.list(arguments).iter().map(|a| get(*a)).collect(),
                result: result.map(get),
            },
            Statement::Atomic { op, pointer, value, result } => S::Atomic {
                pointer: get(pointer),
                fun: match op {
                    AtomicOp::Add => naga::AtomicFunction::Add,
                    AtomicOp::Subtract => naga::AtomicFunction::Subtract,
                    AtomicOp::And => naga::AtomicFunction::And,
                    AtomicOp::ExclusiveOr => naga::AtomicFunction::ExclusiveOr,
                    AtomicOp::InclusiveOr => naga::AtomicFunction::InclusiveOr,
                    AtomicOp::Min => naga::AtomicFunction::Min,
                    AtomicOp::Max => naga::AtomicFunction::Max,
                    AtomicOp::Exchange => naga::AtomicFunction::Exchange { compare: None },
                    AtomicOp::CompareExchange(e) => naga::AtomicFunction::Exchange { compare: Some(get(e)) },
                },
                value: get(value),
                result: result.map(get),
            },
            Statement::Lane { op, value, result } => lane(op, get, value, result),
            Statement::Barrier { storage, workgroup } => {
                let mut flags = naga::Barrier::empty();
                flags.set(naga::Barrier::STORAGE, storage);
                flags.set(naga::Barrier::WORK_GROUP, workgroup);
                S::ControlBarrier(flags)
            }
            Statement::If(condition) => {
                let condition = get(condition);
                let accept = self.block(steps)?;
                let mut reject = Block::new();
                if steps.next_if(|s| s.statement == Statement::Else).is_some() {
                    reject = self.block(steps)?;
                }
                end(steps)?;
                S::If { condition, accept, reject }
            }
            Statement::Loop => {
                let body = self.block(steps)?;
                end(steps)?;
                S::Loop { body, continuing: Block::new(), break_if: None }
            }
            Statement::Switch(selector) => {
                let selector = get(selector);
                let mut cases = Vec::new();
                while let Some(&&Step { statement: Statement::Case(n), .. }) = steps.peek() {
                    steps.next();
                    let body = self.block(steps)?;
                    end(steps)?;
                    let value = match n {
                        Some(n) => naga::SwitchValue::I32(n as i32),
                        None => naga::SwitchValue::Default,
                    };
                    cases.push(naga::SwitchCase { value, body, fall_through: false });
                }
                end(steps)?;
                S::Switch { selector, cases }
            }
            Statement::Break => S::Break,
            Statement::Continue => S::Continue,
            Statement::Discard => S::Kill,
            Statement::Return(value) => S::Return { value: value.map(get) },
            Statement::Else | Statement::Case(_) | Statement::End => {
                return Err(internal("a list of statements ends that was never begun"));
            }
        }))
    }
}

/// Consumes the end of a list.
fn end<'s>(steps: &mut Peekable<impl Iterator<Item = &'s Step>>) -> Result<(), Diagnostic> {
    match steps.next_if(|s| s.statement == Statement::End) {
        Some(_) => Ok(()),
        None => Err(internal("a list of statements has no end")),
    }
}

const fn operator(op: BinaryOp) -> naga::BinaryOperator {
    use naga::BinaryOperator as B;
    match op {
        BinaryOp::Add => B::Add,
        BinaryOp::Subtract => B::Subtract,
        BinaryOp::Multiply => B::Multiply,
        BinaryOp::Divide => B::Divide,
        BinaryOp::Equal => B::Equal,
        BinaryOp::NotEqual => B::NotEqual,
        BinaryOp::Less => B::Less,
        BinaryOp::LessEqual => B::LessEqual,
        BinaryOp::Greater => B::Greater,
        BinaryOp::GreaterEqual => B::GreaterEqual,
        BinaryOp::And => B::And,
        BinaryOp::InclusiveOr => B::InclusiveOr,
        BinaryOp::ExclusiveOr => B::ExclusiveOr,
        BinaryOp::LogicalAnd => B::LogicalAnd,
        BinaryOp::LogicalOr => B::LogicalOr,
        BinaryOp::ShiftLeft => B::ShiftLeft,
        BinaryOp::ShiftRight => B::ShiftRight,
    }
}

const fn math(function: MathFunction) -> naga::MathFunction {
    use naga::MathFunction as M;
    match function {
        MathFunction::Abs => M::Abs,
        MathFunction::Ceil => M::Ceil,
        MathFunction::Clamp => M::Clamp,
        MathFunction::Cos => M::Cos,
        MathFunction::CountLeadingZeros => M::CountLeadingZeros,
        MathFunction::CountOneBits => M::CountOneBits,
        MathFunction::Dot => M::Dot,
        MathFunction::Exp2 => M::Exp2,
        MathFunction::Floor => M::Floor,
        MathFunction::Fma => M::Fma,
        MathFunction::InverseSqrt => M::InverseSqrt,
        MathFunction::Log2 => M::Log2,
        MathFunction::Max => M::Max,
        MathFunction::Min => M::Min,
        MathFunction::ReverseBits => M::ReverseBits,
        MathFunction::Round => M::Round,
        MathFunction::Saturate => M::Saturate,
        MathFunction::Sin => M::Sin,
        MathFunction::Sqrt => M::Sqrt,
        MathFunction::Trunc => M::Trunc,
    }
}

/// An operation of subgroups.
fn lane(
    op: LaneOp,
    get: impl Fn(Expr) -> Handle<naga::Expression>,
    value: Expr,
    result: Expr,
) -> naga::Statement {
    use naga::Statement as S;
    let vote = |op| S::SubgroupCollectiveOperation {
        op,
        collective_op: naga::CollectiveOperation::Reduce,
        argument: get(value),
        result: get(result),
    };
    match op {
        LaneOp::Any => vote(naga::SubgroupOperation::Any),
        LaneOp::All => vote(naga::SubgroupOperation::All),
        LaneOp::Ballot => S::SubgroupBallot { result: get(result), predicate: Some(get(value)) },
        LaneOp::Shuffle(lane) => S::SubgroupGather {
            mode: naga::GatherMode::Shuffle(get(lane)),
            argument: get(value),
            result: get(result),
        },
    }
}
