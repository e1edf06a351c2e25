//! Facts about a program that are needed before its first expression is built: which values get names, which values
//! are used outside the scope that makes them, where control flow diverges, and what cannot be translated at all.

use crate::{
    Form, GlslVersion, Options, Program, Target, hoist::Hoisted, lanes, memory, shape, texture, unsupported,
};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use shisa_ir::{
    Arrival, Atomic, Binary, BlockId, Cond, Convert, FileKind, FloatRule, Node, Nodes, Op, Round, Scalar,
    Stage, Stmt, TexKind, TextureAccess, Type, Unary, Value, Var, is_double_arithmetic, is_int64_arithmetic,
};

const CROSSES: u8 = 1;
const UNIFORM: u8 = 2;
const CONST: u8 = 4;
const ESCAPES: u8 = 8;
const SEEN: u8 = 32;
/// Flag: an operation on constants only, or one that is translated to such an operation and others.
const FOLDS: u8 = 64;
/// Flag: the last of many nested expressions.
const DEEP: u8 = 128;

/// Expressions nested deeper than this get a name, so that no printer recurses far.
const DEEPEST: u8 = 12;

/// Facts about a value.
#[derive(Clone, Copy, Default)]
struct Fact {
    /// Number of uses, including uses through swizzles.
    uses: u8,
    flags: u8,
    /// The value that a chain of swizzles picks from; the value itself for other operations.
    root: u32,
    /// The scope that made it most recently.
    scope: u32,
    /// The instruction of the root.
    origin: u32,
    /// Depth of its expression within its instruction.
    depth: u8,
}

/// The memory of a planner. It serves the next one.
#[derive(Default)]
pub(super) struct Tables {
    /// By value.
    facts: Vec<Fact>,
    /// The scopes that are open.
    open: Vec<bool>,
}

/// The plan for one program.
pub(super) struct Plan {
    pub(super) tables: Tables,
    /// Values that are computed at the start of the function.
    pub(super) hoisted: Hoisted,
    /// Texture operations whose derivatives are computed at the start of the function.
    pub(super) gradients: Vec<Value>,
    /// Whether lanes can be killed.
    pub(super) kills: bool,
    /// Whether derivatives are needed after a kill, so that the kill is deferred to the end.
    pub(super) late_kill: bool,
    /// Whether outputs are stored in variables because their writes are not directly followed by an end.
    pub(super) stored_outputs: bool,
    /// Whether a convergent operation stays in divergent control flow.
    pub(super) diverges: bool,
    /// Whether lanes of a subgroup exchange values.
    pub(super) subgroups: bool,
    /// Whether there are operations on values of 64 bits.
    pub(super) wide: bool,
    /// The memory spaces in use.
    pub(super) memory: Vec<memory::Use>,
    /// Warnings for the output.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Plan {
    /// Plans a program, or reports everything in it that cannot be translated.
    pub(super) fn new(
        program: &Program,
        target: Target,
        options: &Options,
        mut tables: Tables,
        limits: &Limits,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let n = program.func.nodes.list.len();
        tables.facts.clear();
        let nodes = program.func.nodes.list.iter().zip(0..);
        tables.facts.extend(nodes.map(|(node, root)| Fact { root, origin: node.origin, ..Fact::default() }));
        tables.open.clear();
        tables.open.push(true);
        let plan = Plan {
            tables,
            hoisted: Hoisted::new(n),
            gradients: Vec::new(),
            kills: false,
            late_kill: false,
            stored_outputs: false,
            diverges: false,
            subgroups: false,
            wide: false,
            memory: memory::uses(program),
            warnings: Vec::new(),
        };
        let mut planner = Planner {
            program,
            options,
            limits,
            target,
            old: matches!(target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300)),
            plan,
            fuel: limits.fuel,
            diverged: false,
            ended: false,
            convergent: Vec::new(),
            any_convergent: false,
            faults: Sink::new(limits.diagnostics),
        };
        for u in &planner.plan.memory {
            if let Err(fault) = memory::check(program, options, *u) {
                planner.faults.push(fault);
            }
        }
        if program.interface.textures.iter().any(|t| t.access == TextureAccess::Changed(8)) {
            let what = "an atomic operation on a texel of eight bytes";
            planner.faults.push(texture::cannot(what, target.name()));
        }
        if let Err(stop) = planner.list(&program.tree.body, 0, 0) {
            planner.faults.push(stop);
        }
        planner.settle();
        if planner.faults.errors() > 0 { Err(planner.faults.finish()) } else { Ok(planner.plan) }
    }

    /// Whether the value of an operation gets a name of its own.
    pub(super) fn named(&self, op: &Op, v: Value) -> bool {
        match op {
            Op::Const(_) | Op::Param | Op::Read { .. } | Op::Swizzle { .. } | Op::Write { .. } => false,
            Op::Texture(_) | Op::Load { .. } => true,
            _ => self.fact(v).flags & (CROSSES | DEEP) != 0 || self.fact(v).uses > 1,
        }
    }

    /// Facts about a value. The planner has checked that the values of all operations exist.
    fn fact(&self, v: Value) -> Fact {
        self.tables.facts[v.index()]
    }

    /// Whether nothing uses the value.
    pub(super) fn is_unused(&self, v: Value) -> bool {
        self.fact(v).uses == 0
    }

    /// Whether an instruction other than the one that makes the value uses it.
    pub(super) fn crosses(&self, v: Value) -> bool {
        self.fact(v).flags & CROSSES != 0
    }

    /// Whether the value is an operation on constants only, or translated to one: a compiler would evaluate it, and
    /// refuse a constant outside of the function's domain.
    pub(super) fn folds(&self, v: Value) -> bool {
        self.fact(v).flags & FOLDS != 0
    }

    /// Whether the value is used outside the statement list that makes it.
    pub(super) fn escapes(&self, v: Value) -> bool {
        self.fact(v).flags & ESCAPES != 0
    }

    /// Whether the value is among [`Plan::hoisted`].
    pub(super) fn is_hoisted(&self, v: Value) -> bool {
        self.hoisted.has(v)
    }
}

struct Planner<'a> {
    program: &'a Program<'a>,
    options: &'a Options,
    limits: &'a Limits,
    target: Target,
    /// Whether the target is a GLSL without bit counting and storage buffers.
    old: bool,
    plan: Plan,
    fuel: u64,
    /// Whether lanes may have diverged at the current position.
    diverged: bool,
    /// Whether some lanes may have ended while others continue.
    ended: bool,
    /// Convergent operations in divergent control flow.
    convergent: Vec<Value>,
    any_convergent: bool,
    faults: Sink,
}

impl Planner<'_> {
    /// Walks statements.
    fn list(&mut self, list: &[Stmt], scope: u32, depth: usize) -> Result<(), Diagnostic> {
        self.limits.check(Limit::PrintedNesting, "nesting of statements", depth)?;
        for (i, stmt) in list.iter().enumerate() {
            self.burn(1)?;
            match stmt {
                Stmt::Block(b) => {
                    let ends =
                        matches!(list.get(i + 1), Some(Stmt::Exit)) || depth == 0 && i + 1 == list.len();
                    self.block(*b, scope, ends)?;
                }
                Stmt::Set(var, v) => {
                    self.variable(*var)?;
                    self.used_here(*v)?;
                }
                Stmt::SetConst(var, _) => self.variable(*var)?,
                Stmt::If { cond, yes, no } => {
                    let uniform = match cond {
                        Cond::Value(v) => {
                            self.used_here(*v)?;
                            self.has(*v, UNIFORM)
                        }
                        Cond::Flag(var) => {
                            self.variable(*var)?;
                            false
                        }
                    };
                    let before = self.diverged;
                    self.diverged |= !uniform;
                    self.scope(yes, depth)?;
                    self.scope(no, depth)?;
                    self.diverged = before || self.ended;
                }
                Stmt::Loop(body) => {
                    let before = self.diverged;
                    self.diverged = true;
                    self.scope(body, depth)?;
                    self.diverged = before || self.ended;
                }
                Stmt::Switch(var, lists) => {
                    self.variable(*var)?;
                    let before = self.diverged;
                    self.diverged = true;
                    for l in lists {
                        self.scope(l, depth)?;
                    }
                    self.diverged = before || self.ended;
                }
                Stmt::Break | Stmt::Continue => break,
                Stmt::Exit => {
                    self.ended |= self.diverged;
                    break;
                }
            }
        }
        Ok(())
    }

    fn scope(&mut self, list: &[Stmt], depth: usize) -> Result<(), Diagnostic> {
        let scope = self.plan.tables.open.len() as u32;
        self.plan.tables.open.push(true);
        let walked = self.list(list, scope, depth + 1);
        self.plan.tables.open[scope as usize] = false;
        walked
    }

    fn burn(&mut self, amount: usize) -> Result<(), Diagnostic> {
        match self.fuel.checked_sub(amount as u64) {
            Some(rest) => self.fuel = rest,
            None => {
                return Err(self.limits.exceeded(Limit::Fuel, "the number of operations"));
            }
        }
        Ok(())
    }

    fn block(&mut self, id: BlockId, scope: u32, ends: bool) -> Result<(), Diagnostic> {
        let Some(block) = self.program.func.blocks.get(id.index()) else {
            return Err(shape::wrong("a statement names a block that does not exist"));
        };
        self.burn(block.body.len() + block.params.len())?;
        for &p in &block.params {
            shape::value(self.program, p)?;
            let fact = &mut self.plan.tables.facts[p.index()];
            (fact.scope, fact.root) = (scope, p.0);
            fact.flags |= SEEN;
        }
        for &v in &block.body {
            self.node(v, scope, ends)?;
        }
        Ok(())
    }

    fn has(&self, v: Value, flag: u8) -> bool {
        self.plan.tables.facts[v.index()].flags & flag != 0
    }

    /// Records a use of `v` by a statement, which needs no name for it.
    fn used_here(&mut self, v: Value) -> Result<(), Diagnostic> {
        shape::value(self.program, v)?;
        let of = self.reach(v);
        self.used(of, Some(of.origin));
        Ok(())
    }

    /// Checks that a variable is one of the tree.
    fn variable(&self, var: Var) -> Result<(), Diagnostic> {
        if (var.0 as usize) < self.program.tree.vars.len() {
            return Ok(());
        }
        Err(shape::wrong("a statement names a variable that does not exist"))
    }

    /// Records whether `v` is used outside the scope that makes it, or above its operation in the text (a dispatch
    /// loop runs its lists in any order). Returns what is known about it.
    #[inline]
    fn reach(&mut self, v: Value) -> Fact {
        let fact = &mut self.plan.tables.facts[v.index()];
        if fact.flags & SEEN == 0 || !self.plan.tables.open[fact.scope as usize] {
            fact.flags |= ESCAPES;
        }
        *fact
    }

    /// Records a use of a value by an instruction (`None` is one other than its own); returns the instruction that made
    /// it.
    #[inline]
    fn used(&mut self, of: Fact, by: Option<u32>) -> u32 {
        let fact = &mut self.plan.tables.facts[of.root as usize];
        fact.uses = fact.uses.saturating_add(1);
        if by != Some(of.origin) {
            fact.flags |= CROSSES;
        }
        of.origin
    }

    #[inline(always)]
    fn node(&mut self, v: Value, scope: u32, ends: bool) -> Result<(), Diagnostic> {
        let nodes = &self.program.func.nodes;
        let node = shape::node(self.program, v)?;
        let (mut all, mut root, mut depth, mut origin) = (UNIFORM | CONST, v.0, 0, node.origin);
        if let Op::Swizzle { a, .. } = node.op {
            shape::value(self.program, a)?;
            let of = self.reach(a);
            (root, depth, origin) = (of.root, of.depth, of.origin);
            all &= of.flags;
        } else {
            let by = (!matches!(node.op, Op::Write { .. })).then_some(node.origin);
            let mut exist = true;
            nodes.operands(v, |a| {
                if a.index() >= self.plan.tables.facts.len() {
                    exist = false;
                    return;
                }
                let of = self.reach(a);
                all &= of.flags;
                // A value of another instruction has a name.
                if self.used(of, by) == node.origin {
                    depth = depth.max(of.depth + 1);
                }
            });
            if !exist {
                return Err(shape::wrong("an operation names a value that does not exist"));
            }
        }
        let mut derives = false;
        match node.op {
            Op::Read { reg, .. } => {
                all = if self.kind(reg.file) == Some(FileKind::Uniform) { UNIFORM } else { 0 };
            }
            Op::Texture(t) => {
                all = 0;
                derives = texture::derives(&nodes.textures[t as usize], self.program, self.options);
            }
            Op::Derivative { .. } => (all, derives) = (0, true),
            Op::Lane { .. } => (all, self.plan.subgroups) = (0, true),
            Op::Load { .. } | Op::Param | Op::Combine { .. } | Op::Atomic { .. } | Op::TextureAtomic(_) => {
                all = 0
            }
            Op::Kill { .. } => self.plan.kills = true,
            // A geometry program outputs what it writes with the next vertex, before it ends.
            Op::Write { .. } if !ends && self.program.interface.geometry.is_none() => {
                self.plan.stored_outputs = true;
            }
            Op::Const(_) | Op::Swizzle { .. } | Op::Join { .. } => {}
            // The logarithm in a power has the base alone as its operand.
            Op::Binary { op: Binary::FPow, a, .. } if self.plan.fact(a).flags & CONST != 0 => {
                all = all & !CONST | FOLDS;
            }
            _ if all & CONST != 0 => all = all & !CONST | FOLDS,
            _ => {}
        }
        if depth >= DEEPEST && !matches!(node.op, Op::Swizzle { .. }) {
            all |= DEEP;
            depth = 0;
        }
        let fact = &mut self.plan.tables.facts[v.index()];
        *fact = Fact { uses: fact.uses, flags: fact.flags | all | SEEN, root, scope, origin, depth };
        if derives {
            self.any_convergent = true;
            if self.diverged {
                self.convergent.push(v);
            }
        }
        if let Err(fault) = self.check(v, node) {
            let fault = match self.program.source.get(node.origin as usize) {
                Some(s) if !s.text.is_empty() => {
                    fault.note(format!("instruction {}: {}", node.origin, s.text))
                }
                _ => fault.note(format!("instruction {}", node.origin)),
            };
            self.faults.push(fault);
        }
        Ok(())
    }

    fn kind(&self, file: shisa_ir::FileId) -> Option<FileKind> {
        self.program.func.files.get(usize::from(file.0)).map(|f| f.kind)
    }

    /// Refuses operations that cannot be translated.
    fn check(&mut self, v: Value, node: &Node) -> Result<(), Diagnostic> {
        let nodes = &self.program.func.nodes;
        let fragment = self.program.interface.stage == Stage::Fragment;
        if is_wide(nodes, node, self.target) {
            self.plan.wide = true;
            return Ok(());
        }
        if node.ty != Type::NONE {
            carried(node.ty.scalar)?;
        }
        if let Op::Const(_) | Op::Swizzle { .. } | Op::Join { .. } = node.op {
            return Ok(());
        }
        node.op.rounding().map_or(Ok(()), rounds)?;
        crate::patch::check(self.program, node)?;
        match node.op {
            Op::Read { reg, .. } => match self.kind(reg.file) {
                Some(FileKind::Input | FileKind::Uniform) => self.units(reg.file)?,
                _ => return Err(shape::wrong("a register is read that is neither input nor uniform")),
            },
            Op::ReadAt { file, base, stride, .. } => {
                self.units(file)?;
                if self.kind(file) != Some(FileKind::Uniform) {
                    return Err(unsupported("an indirect read of anything but uniforms"));
                }
                if self.program.func.files[usize::from(file.0)].unit_bits != 32
                    || !base.is_multiple_of(4)
                    || !stride.is_multiple_of(4)
                {
                    return Err(unsupported("an indirect read that does not step by whole vectors"));
                }
            }
            Op::Write { reg, .. } => match self.kind(reg.file) {
                Some(FileKind::Output) => self.units(reg.file)?,
                _ => return Err(shape::wrong("a register is written that is not an output")),
            },
            Op::Unary { op: Unary::PopCount | Unary::LeadingZeros | Unary::ReverseBits, .. } if self.old => {
                return Err(unsupported("bit counting in this version of GLSL"));
            }
            Op::TextureStore(_) | Op::TextureAtomic(_) if self.old => {
                return Err(unsupported("writing texels in this version of GLSL"));
            }
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } | Op::Barrier | Op::Arrive { .. }
                if self.old =>
            {
                return Err(unsupported("memory in this version of GLSL"));
            }
            Op::Convert { op, a, .. } => {
                carried(nodes.ty(a).scalar)?;
                if op == Convert::Pair {
                    return Err(unsupported("a 64-bit number"));
                }
            }
            Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => {
                let t = &nodes.textures[t as usize];
                if let TexKind::Atomic {
                    op: Atomic::Increment | Atomic::Decrement | Atomic::CombineFloats(..),
                    ..
                } = t.kind
                {
                    return Err(unsupported("an atomic operation of this kind"));
                }
                texture::listed(self.program, t, node.ty).map_err(|fault| match fault {
                    texture::Unlisted::Interface(what) => shape::wrong(what),
                    texture::Unlisted::Language(what) => unsupported(what),
                })?;
                let derives = texture::derives(t, self.program, self.options);
                texture::check_text(self.program, (v, t), (self.target, self.options.form), derives)?;
                if self.options.form == Form::Compute && fragment && texture::implicit(t, self.options) {
                    return Err(Diagnostic::error(
                        "translate-compute-lod",
                        "a sample with an implicit level of detail cannot run in the compute form",
                    )
                    .help("use the stage form, or a sampler without mip filter"));
                }
            }
            Op::Derivative { .. } if self.options.form == Form::Compute || !fragment => {
                return Err(Diagnostic::error(
                    "translate-compute-derivative",
                    "a derivative needs the quads of a fragment stage",
                )
                .help("use the stage form"));
            }
            Op::Lane { op, .. } => lanes::check(self.program, self.options, op, node.ty, self.target)?,
            Op::Combine { .. } => return Err(lanes::unsupported()),
            Op::Atomic { op: Atomic::Increment | Atomic::Decrement | Atomic::CombineFloats(..), .. } => {
                return Err(unsupported("an atomic operation of this kind"));
            }
            Op::Atomic { address, .. } | Op::Load { address, .. } => is_address(nodes.ty(address))?,
            Op::Store { address, value, .. } => {
                carried(nodes.ty(value).scalar)?;
                is_address(nodes.ty(address))?;
            }
            Op::Emit if self.program.interface.geometry.is_some_and(|g| g.strips.is_none()) => {}
            Op::EmitVertex { .. } | Op::EndStrip { .. }
                if self.program.interface.geometry.is_some_and(|g| g.strips.is_some()) => {}
            Op::SetEmit { .. } | Op::Emit | Op::EmitVertex { .. } | Op::EndStrip { .. } => {
                return Err(unsupported("emitting vertices"));
            }
            Op::Arrive { how, number, threads, .. } if !is_whole(nodes, how, [number, threads]) => {
                return Err(unsupported("a barrier for some threads of the workgroup, or one with a result"));
            }
            Op::Reduced => return Err(unsupported("the result of a barrier")),
            Op::Barrier | Op::Arrive { .. } if !memory::together(self.program, self.options) => {
                return Err(memory::alone());
            }
            Op::Kill { .. } if !fragment => {
                return Err(unsupported("killing lanes outside of fragment programs"));
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn units(&self, file: shisa_ir::FileId) -> Result<(), Diagnostic> {
        match self.program.func.files.get(usize::from(file.0)) {
            Some(f) if f.unit_bits == 32 || f.unit_bits == 1 && f.kind == FileKind::Uniform => Ok(()),
            Some(f) => Err(unsupported(format_args!("an interface register of {} bits", f.unit_bits))),
            None => Err(shape::wrong("a register file does not exist")),
        }
    }

    /// Decides what happens to convergent operations in divergent control flow: their coordinates move to the start
    /// of the function where possible.
    fn settle(&mut self) {
        self.plan.late_kill = self.plan.kills && self.any_convergent;
        for v in std::mem::take(&mut self.convergent) {
            let nodes = &self.program.func.nodes;
            let (source, gradient) = match nodes.op(v) {
                Op::Texture(t) => (nodes.textures[t as usize].coord, true),
                _ => (v, false),
            };
            // A comparison cannot use derivatives that were computed elsewhere.
            let compares = match nodes.op(v) {
                Op::Texture(t) => nodes.textures[t as usize].compare.is_some(),
                _ => false,
            };
            if !compares && self.plan.hoisted.add(nodes, source) {
                if gradient {
                    self.plan.gradients.push(v);
                }
            } else {
                self.plan.diverges = true;
                let text = "a derivative is taken where the lanes of a quad may be apart";
                let node = nodes.list[v.index()];
                self.plan.warnings.push(
                    Diagnostic::warning("translate-divergent-derivative", text)
                        .note(format!("instruction {}", node.origin))
                        .help("its value is undefined for quads that diverge there"),
                );
            }
        }
    }
}

/// Whether an operation is one on values of 64 bits that the language has, or takes one apart or together.
fn is_wide(nodes: &Nodes, node: &Node, target: Target) -> bool {
    if !target.has_doubles() && !target.has_int64() {
        return false;
    }
    let has = |ty: Type| match ty.scalar {
        Scalar::F64 => target.has_doubles(),
        Scalar::I64 => target.has_int64(),
        _ => false,
    };
    match node.op {
        Op::Convert { op: Convert::Pair, a, .. } => has(node.ty) || has(nodes.ty(a)),
        op if is_double_arithmetic(nodes, op, node.ty) => target.has_doubles(),
        op => target.has_int64() && is_int64_arithmetic(nodes, op, node.ty),
    }
}

/// Whether a barrier waits for all threads, and nothing else.
fn is_whole(nodes: &Nodes, how: Arrival, [number, threads]: [Value; 2]) -> bool {
    let known = matches!(nodes.op(number), Op::Const(_));
    how == Arrival::Wait && known && nodes.op(threads) == Op::Const(0)
}

fn is_address(ty: Type) -> Result<(), Diagnostic> {
    if ty.scalar == Scalar::I32 { Ok(()) } else { Err(unsupported("a 64-bit address")) }
}

fn rounds(rule: FloatRule) -> Result<(), Diagnostic> {
    if rule.round == Round::Nearest {
        return Ok(());
    }
    let text = format!("shading languages cannot round toward {:?}", rule.round).to_lowercase();
    Err(Diagnostic::error("translate-rounding", text))
}

/// Whether translators support this kind: 32-bit numbers and truth values.
fn carried(scalar: Scalar) -> Result<(), Diagnostic> {
    match scalar {
        Scalar::I1 | Scalar::I32 | Scalar::F32 => Ok(()),
        _ => Err(unsupported(format_args!("a value of kind {}", scalar.name()))),
    }
}
