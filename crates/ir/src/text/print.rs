//! Prints functions.

use crate::*;
use alloc::{string::String, vec, vec::Vec};
use core::fmt::{Result, Write as _};

/// The function as text. If [`verify`](crate::verify) accepts the function, [`super::parse_func`] parses the text
/// into an equal function.
pub fn print_func(func: &Func) -> String {
    let mut p = Printer::new(func.files, &func.nodes);
    // Writing to a string cannot fail.
    let _ = p.func(func);
    p.out
}

pub(super) struct Printer<'a> {
    files: &'static [File],
    nodes: &'a Nodes,
    pub(super) out: String,
    /// The current origin, as the parser tracks it.
    origin: u32,
    /// The operations that some block or step contains.
    placed: Vec<bool>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(files: &'static [File], nodes: &'a Nodes) -> Self {
        Printer { files, nodes, out: String::new(), origin: 0, placed: vec![false; nodes.list.len()] }
    }

    fn func(&mut self, func: &Func) -> Result {
        self.textures()?;
        for (b, block) in func.blocks.iter().enumerate() {
            write!(self.out, "b{b}")?;
            for (i, &p) in block.params.iter().enumerate() {
                self.mark(p);
                self.out.push_str(if i == 0 { "(" } else { ", " });
                if let Some(node) = self.nodes.list.get(p.index()) {
                    write!(self.out, "{p:?}: {}", node.ty)?;
                    self.origin(node)?;
                }
            }
            self.out.push_str(if block.params.is_empty() { ":\n" } else { "):\n" });
            block.body.iter().try_for_each(|&v| self.line(v))?;
            self.end(&block.end)?;
        }
        self.unused()
    }

    pub(super) fn textures(&mut self) -> Result {
        for (i, t) in self.nodes.textures.iter().enumerate() {
            write!(self.out, "texture {i}: ")?;
            self.texture(t)?;
        }
        Ok(())
    }

    /// The operations that no block or step contains.
    pub(super) fn unused(&mut self) -> Result {
        if self.placed.contains(&false) {
            self.out.push_str("unused:\n");
            for i in 0..self.placed.len() {
                if !self.placed[i] {
                    self.line(Value(i as u32))?;
                }
            }
        }
        Ok(())
    }

    fn mark(&mut self, v: Value) {
        if let Some(placed) = self.placed.get_mut(v.index()) {
            *placed = true;
        }
    }

    fn end(&mut self, end: &End) -> Result {
        match end {
            End::Exit => self.out.push_str("  exit"),
            End::Jump(e) => {
                self.out.push_str("  jump ");
                self.edge(e)?;
            }
            End::Branch { cond, yes, no } => {
                write!(self.out, "  branch {cond:?} ")?;
                self.edge(yes)?;
                self.out.push(' ');
                self.edge(no)?;
            }
        }
        self.out.push('\n');
        Ok(())
    }

    fn edge(&mut self, e: &Edge) -> Result {
        write!(self.out, "b{}", e.to.0)?;
        for (i, a) in e.args.iter().enumerate() {
            write!(self.out, "{}{a:?}", if i == 0 { "(" } else { ", " })?;
        }
        self.out.push_str(if e.args.is_empty() { "" } else { ")" });
        Ok(())
    }

    fn origin(&mut self, node: &Node) -> Result {
        if core::mem::replace(&mut self.origin, node.origin) != node.origin {
            write!(self.out, " @{}", node.origin)?;
        }
        Ok(())
    }

    pub(super) fn line(&mut self, v: Value) -> Result {
        let Some(&node) = self.nodes.list.get(v.index()) else { return Ok(()) };
        self.mark(v);
        write!(self.out, "  {v:?}")?;
        if node.ty != Type::NONE {
            write!(self.out, ": {}", node.ty)?;
        }
        self.out.push_str(" = ");
        self.op(&node)?;
        self.origin(&node)?;
        if let Op::Const(bits) = node.op
            && node.ty.scalar.is_float()
        {
            let bits = scalar::convert(Convert::Float, FloatRule::IEEE, node.ty.scalar, Scalar::F64, bits);
            write!(self.out, " ; {:?}", f64::from_bits(bits))?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn op(&mut self, node: &Node) -> Result {
        let out = &mut self.out;
        match node.op {
            Op::Const(bits) => write!(out, "const {bits:#x}"),
            Op::Param => write!(out, "param"),
            Op::Read { reg, swizzle } => {
                write!(out, "read ")?;
                self.place(reg)?;
                write!(self.out, " {swizzle:?}")
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                write!(out, "read_at ")?;
                self.place(Reg::new(file, base))?;
                write!(self.out, " + {index:?} * {stride} {swizzle:?}")
            }
            Op::Write { reg, mask, value } => {
                write!(out, "write ")?;
                self.place(reg)?;
                write!(self.out, " {mask:?} {value:?}")
            }
            Op::Unary { op, rule, a } => {
                out.push_str(op.name());
                self.rule(rule);
                write!(self.out, " {a:?}")
            }
            Op::Binary { op, rule, a, b } => {
                out.push_str(op.name());
                self.rule(rule);
                write!(self.out, " {a:?} {b:?}")
            }
            Op::Ternary { op, rule, a, b, c } => {
                out.push_str(op.name());
                self.rule(rule);
                write!(self.out, " {a:?} {b:?} {c:?}")
            }
            Op::Convert { op, rule, a } => {
                out.push_str(op.name());
                self.rule(rule);
                write!(self.out, " {a:?}")
            }
            Op::Swizzle { a, swizzle } => write!(out, "swizzle {a:?} {swizzle:?}"),
            Op::Join { parts } => {
                out.push_str("join");
                parts[..usize::from(node.ty.count.clamp(1, 4))].iter().try_for_each(|p| write!(out, " {p:?}"))
            }
            Op::Texture(t) => write!(out, "texture {t}"),
            Op::TextureAtomic(t) => write!(out, "texture_atomic {t}"),
            Op::TextureStore(t) => write!(out, "texture_store {t}"),
            Op::Derivative { axis, a } => write!(out, "{} {a:?}", axis.name()),
            Op::Lane { op, a, b } => write!(out, "{} {a:?} {b:?}", op.name()),
            Op::Combine { combine: Combine { op, quad, before }, rule, a } => {
                write!(out, "combine_{}", op.name())?;
                self.rule(rule);
                let quad = if quad { " quad" } else { "" };
                write!(self.out, "{quad}{} {a:?}", if before { " before" } else { "" })
            }
            Op::Atomic { op, space, address, value, expected } => {
                self.atomic(op)?;
                self.space(space)?;
                write!(self.out, " {address:?} {value:?}")?;
                if op == Atomic::CompareExchange { write!(self.out, " {expected:?}") } else { Ok(()) }
            }
            Op::Load { space, address } => {
                write!(out, "load ")?;
                self.space(space)?;
                write!(self.out, " {address:?}")
            }
            Op::Store { space, address, value } => {
                write!(out, "store ")?;
                self.space(space)?;
                write!(self.out, " {address:?} {value:?}")
            }
            Op::Kill { cond } => write!(out, "kill {cond:?}"),
            Op::SetEmit { vertex, primitive, flip } => {
                let primitive = if primitive { " primitive" } else { "" };
                write!(out, "set_emit {vertex}{primitive}{}", if flip { " flip" } else { "" })
            }
            Op::Emit => write!(out, "emit"),
            Op::EmitVertex { cond, vertex, stream } => {
                write!(out, "emit_vertex {cond:?} {vertex:?} {stream:?}")
            }
            Op::EndStrip { cond, vertex } => write!(out, "end_strip {cond:?} {vertex:?}"),
            Op::Barrier => write!(out, "barrier"),
            Op::Arrive { how, number, threads, vote } => {
                write!(out, "arrive {} {number:?} {threads:?} {vote:?}", how.name())
            }
            Op::Reduced => write!(out, "reduced"),
        }
    }

    fn rule(&mut self, rule: FloatRule) {
        let FloatRule { round, flush, saturate, zero_product, nan, model } = rule;
        let mut flag = |on: bool, word: &str| {
            if on {
                self.out.push('.');
                self.out.push_str(word);
            }
        };
        flag(round != Round::Nearest, round.name());
        flag(flush, "ftz");
        flag(saturate, "sat");
        flag(zero_product, "fmz");
        flag(nan != NanRule::Any, nan.name());
        flag(model, "model");
    }

    fn place(&mut self, reg: Reg) -> Result {
        let i = usize::from(reg.file.0);
        match self.files.get(i) {
            Some(f) => write!(self.out, "{}:{}", f.name, reg.unit),
            None => write!(self.out, "?{i}:{}", reg.unit),
        }
    }

    fn space(&mut self, space: Space) -> Result {
        match space.word() {
            (word, Some(n)) => write!(self.out, "{word} {n}"),
            (word, None) => write!(self.out, "{word}"),
        }
    }

    /// The name of an atomic operation, and a space.
    fn atomic(&mut self, op: Atomic) -> Result {
        let out = &mut self.out;
        match op {
            Atomic::Combine(op) => write!(out, "atomic_{} ", op.name()),
            Atomic::CombineFloats(op, rule) => {
                write!(out, "atomic_{}", op.name())?;
                self.rule(rule);
                write!(self.out, " ")
            }
            Atomic::Increment => write!(out, "increment "),
            Atomic::Decrement => write!(out, "decrement "),
            Atomic::Exchange => write!(out, "exchange "),
            Atomic::CompareExchange => write!(out, "compare_exchange "),
        }
    }

    fn texture(&mut self, t: &TexOp) -> Result {
        let out = &mut self.out;
        match t.kind {
            TexKind::Sample => {}
            TexKind::Gather(component) => write!(out, "gather {component} ")?,
            TexKind::Fetch => write!(out, "fetch ")?,
            TexKind::Detail => write!(out, "detail ")?,
            TexKind::Size => write!(out, "size ")?,
            TexKind::Samples => write!(out, "samples ")?,
            TexKind::Location => write!(out, "location ")?,
            TexKind::Store(v) => write!(out, "store {v:?} ")?,
            TexKind::Bits { value, bytes } => write!(out, "bits {bytes} {value:?} ")?,
            TexKind::Atomic { op, value, expected } => {
                write!(out, "atomic ")?;
                self.atomic(op)?;
                write!(self.out, "{value:?} ")?;
                if op == Atomic::CompareExchange {
                    write!(self.out, "{expected:?} ")?;
                }
            }
        }
        let out = &mut self.out;
        match t.texture {
            TextureRef::Unit(n) => write!(out, "unit {n}")?,
            TextureRef::Numbered(v) => write!(out, "numbered {v:?}")?,
            TextureRef::Handle(v) => write!(out, "handle {v:?}")?,
        }
        write!(out, " {} {:?} ", t.shape.name(), t.coord)?;
        match t.lod {
            Lod::Zero => write!(out, "zero")?,
            Lod::Implicit => write!(out, "implicit")?,
            Lod::Bias(v) => write!(out, "bias {v:?}")?,
            Lod::Level(v) => write!(out, "level {v:?}")?,
            Lod::Gradient(x, y) => write!(out, "gradient {x:?} {y:?}")?,
        }
        let further = [
            ("layer", t.layer),
            ("sample", t.sample),
            ("least", t.least),
            ("compare", t.compare),
            ("offset", t.offset),
        ];
        for (name, v) in further {
            v.map_or(Ok(()), |v| write!(out, " {name} {v:?}"))?;
        }
        match t.sampler {
            SamplerRef::Texture => {}
            SamplerRef::Unit(n) => write!(out, " sampler unit {n}")?,
            SamplerRef::Handle(v) => write!(out, " sampler handle {v:?}")?,
            SamplerRef::State(s) => {
                let mip = s.mip.map_or("none", Filter::name);
                let [u, v, w] = s.wrap.map(Wrap::name);
                write!(out, " sampler {} mip {mip} wrap {u} {v} {w}", s.filter.name())?;
                write!(out, " anisotropy {} bias {}", s.anisotropy, s.bias_eighths)?;
            }
        }
        self.out.push_str(if t.towards_zero { " towards_zero" } else { "" });
        self.out.push_str(if t.traps { " traps\n" } else { "\n" });
        Ok(())
    }
}
