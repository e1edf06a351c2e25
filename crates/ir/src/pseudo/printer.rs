//! Prints values as expressions, and effects as statements.

use super::bound::bound;
use super::operators::{Form, binary_form, convert_name, space_name, unary_name};
use super::{Access, Names, letter};
use crate::{
    Arrival, Atomic, Axis, Binary, Combine, Convert, FloatRule, LaneOp, Lod, Nodes, Op, Reg, Round,
    SamplerRef, Scalar, Step, Swizzle, Ternary, TexKind, TextureRef, Type, Unary, Value, scalar,
};
use alloc::{format, string::String, vec::Vec};

/// Operator precedence, from the loosest to the tightest.
mod level {
    pub(super) const CHOICE: u8 = 1;
    pub(super) const COMPARE: u8 = 2;
    pub(super) const BITS: u8 = 3;
    pub(super) const SHIFT: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const SIGN: u8 = 7;
    pub(super) const ATOM: u8 = 8;
}

pub(super) struct Printer<'a> {
    nodes: &'a Nodes,
    names: &'a dyn Names,
    start: u32,
    /// Text and precedence of each value.
    exprs: Vec<(String, u8)>,
    bound: Vec<bool>,
    pub(super) lines: Vec<String>,
    pub(super) indent: &'static str,
    names_used: usize,
    /// Number of previous values of memory that have names.
    olds: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(nodes: &'a Nodes, step: &Step, names: &'a dyn Names) -> Printer<'a> {
        Printer {
            nodes,
            names,
            start: step.nodes.start,
            exprs: Vec::new(),
            bound: bound(nodes, step),
            lines: Vec::new(),
            indent: "",
            names_used: 0,
            olds: 0,
        }
    }

    pub(super) fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", self.indent));
    }

    /// The text of a value, in parentheses if its precedence is lower than `level`.
    pub(super) fn operand(&self, v: Value, level: u8) -> String {
        let i = v.0.checked_sub(self.start).map(|i| i as usize);
        match i.and_then(|i| self.exprs.get(i)) {
            Some((text, own)) if *own >= level => text.clone(),
            Some((text, _)) => format!("({text})"),
            None => format!("{v:?}"),
        }
    }

    /// The name of the next previous value of memory: `old`, `old2` and so on.
    fn old_name(&mut self) -> String {
        self.olds += 1;
        if self.olds == 1 { "old".into() } else { format!("old{}", self.olds) }
    }

    pub(super) fn node(&mut self, v: Value) {
        let mut expr = (String::new(), level::ATOM);
        if self.nodes.op(v).has_effect() {
            let text = self.effect(v);
            match self.nodes.ty(v) {
                Type::NONE => self.line(text),
                _ => {
                    let name = self.old_name();
                    self.line(format!("{name} = {text}"));
                    expr = (name, level::ATOM);
                }
            }
        } else {
            expr = self.expression(v);
            if self.bound[(v.0 - self.start) as usize] {
                let name = format!("t{}", self.names_used);
                self.names_used += 1;
                self.line(format!("{name} = {}", expr.0));
                expr = (name, level::ATOM);
            }
        }
        self.exprs.push(expr);
    }

    /// An atomic operation on what is at a location.
    fn atomic(&self, op: Atomic, location: &str, (value, expected): (Value, Value)) -> String {
        let name = match op {
            Atomic::Combine(op) | Atomic::CombineFloats(op, _) => binary_form(op).sign(),
            Atomic::Increment => "wrapping increment",
            Atomic::Decrement => "wrapping decrement",
            Atomic::Exchange | Atomic::CompareExchange => "exchange",
        };
        let where_equal = match op {
            Atomic::CompareExchange => format!(" where it is {}", self.operand(expected, 0)),
            _ => String::new(),
        };
        format!("atomic {name} {location}, {}{where_equal}", self.operand(value, 0))
    }

    fn effect(&self, v: Value) -> String {
        let arg = |v| self.operand(v, 0);
        match self.nodes.op(v) {
            Op::Write { reg, mask, value } => {
                let components: Vec<u8> = mask.iter().collect();
                let scalar = self.nodes.ty(value).scalar;
                let register =
                    self.names.place(&Access { reg, components: &components, scalar, index: None });
                format!("{register} = {}", arg(value))
            }
            Op::Store { space, address, value } => {
                format!("{}[{}] = {}", space_name(space), arg(address), arg(value))
            }
            Op::Atomic { op, space, address, value, expected } => {
                let location = format!("{}[{}]", space_name(space), arg(address));
                self.atomic(op, &location, (value, expected))
            }
            Op::Kill { cond } => format!("if {}: kill", arg(cond)),
            Op::SetEmit { vertex, primitive, flip } => {
                let triangle = if primitive { ", completing a triangle" } else { "" };
                let flipped = if flip { ", flipped" } else { "" };
                format!("next vertex goes to slot {vertex}{triangle}{flipped}")
            }
            Op::Emit => "emit vertex".into(),
            Op::EmitVertex { cond, vertex, stream } => {
                format!("if {}: emit vertex {} to stream {}", arg(cond), arg(vertex), arg(stream))
            }
            Op::EndStrip { cond, vertex } => {
                format!("if {}: end the strip before vertex {}", arg(cond), arg(vertex))
            }
            Op::TextureStore(t) | Op::TextureAtomic(t) => self.texture(t),
            Op::Arrive { how, number, threads, vote } => {
                let what = match how {
                    Arrival::Wait => "wait".into(),
                    Arrival::Pass => "arrive".into(),
                    _ => format!("wait, with {} of {},", how.name(), arg(vote)),
                };
                let count = match self.nodes.op(threads) {
                    Op::Const(0) => "all".into(),
                    _ => arg(threads),
                };
                format!("{what} at barrier {} of {count} threads", arg(number))
            }
            _ => "barrier".into(),
        }
    }

    fn expression(&self, v: Value) -> (String, u8) {
        let node = &self.nodes.list[v.index()];
        let ty = node.ty;
        let atom = |text| (text, level::ATOM);
        match node.op {
            Op::Const(bits) => number(bits, ty.scalar),
            Op::Param => atom(format!("{v:?}")),
            Op::Read { reg, swizzle } => atom(self.read(reg, swizzle, ty, None)),
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let index = self.operand(index, level::SIGN);
                atom(self.read(Reg::new(file, base), swizzle, ty, Some((&index, stride))))
            }
            Op::Unary { op, rule, a } => ruled(self.unary(op, a, ty), rule, ty),
            Op::Binary { op, rule, a, b } => ruled(self.binary(op, a, b), rule, ty),
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } => ruled(self.call("fma", &[a, b, c]), rule, ty),
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                let side = |v| self.operand(v, level::COMPARE);
                (format!("{} ? {} : {}", side(a), side(b), side(c)), level::CHOICE)
            }
            Op::Convert { op, rule, a } => ruled(self.call(&convert_name(op, ty), &[a]), rule, ty),
            Op::Swizzle { a, swizzle } => atom(self.swizzle(a, swizzle, ty)),
            Op::Join { parts } => self.call("", &parts[..usize::from(ty.count.clamp(1, 4))]),
            Op::Texture(t) => atom(self.texture(t)),
            Op::Derivative { axis: Axis::X, a } => self.call("ddx", &[a]),
            Op::Derivative { axis: Axis::Y, a } => self.call("ddy", &[a]),
            Op::Lane { op, a, b } => self.lane(op, a, b),
            Op::Combine { combine, a, .. } => atom(self.combine(combine, a)),
            Op::Load { space, address } => {
                atom(format!("{}[{}]", space_name(space), self.operand(address, 0)))
            }
            Op::Write { .. }
            | Op::Store { .. }
            | Op::Atomic { .. }
            | Op::TextureStore(_)
            | Op::TextureAtomic(_)
            | Op::Kill { .. }
            | Op::SetEmit { .. }
            | Op::Emit
            | Op::EmitVertex { .. }
            | Op::EndStrip { .. }
            | Op::Barrier
            | Op::Arrive { .. } => atom(String::new()),
            Op::Reduced => atom("result of the barrier".into()),
        }
    }

    fn call(&self, name: &str, args: &[Value]) -> (String, u8) {
        let args: Vec<String> = args.iter().map(|&a| self.operand(a, 0)).collect();
        (format!("{name}({})", args.join(", ")), level::ATOM)
    }

    fn unary(&self, op: Unary, a: Value, ty: Type) -> (String, u8) {
        let sign = |sign| (format!("{sign}{}", self.operand(a, level::SIGN)), level::SIGN);
        match op {
            Unary::FNeg | Unary::INeg => sign("-"),
            Unary::Not if ty.scalar == Scalar::I1 => sign("!"),
            Unary::Not => sign("~"),
            Unary::FRcp => (format!("1 / {}", self.operand(a, level::SIGN)), level::PRODUCT),
            named => self.call(unary_name(named), &[a]),
        }
    }

    fn binary(&self, op: Binary, a: Value, b: Value) -> (String, u8) {
        let infix = |symbol: &str, own: u8, left: u8, right: u8| {
            (format!("{} {symbol} {}", self.operand(a, left), self.operand(b, right)), own)
        };
        match binary_form(op) {
            Form::Function(name) => self.call(name, &[a, b]),
            Form::Sum(symbol) => infix(symbol, level::SUM, level::SUM, level::PRODUCT),
            Form::Product(symbol) => infix(symbol, level::PRODUCT, level::PRODUCT, level::SIGN),
            Form::Shift(symbol) => infix(symbol, level::SHIFT, level::SUM, level::SUM),
            Form::Bits(symbol) => infix(symbol, level::BITS, level::SHIFT, level::SHIFT),
            Form::Compare(symbol) => infix(symbol, level::COMPARE, level::BITS, level::BITS),
        }
    }

    fn swizzle(&self, a: Value, swizzle: Swizzle, ty: Type) -> String {
        // A read that is printed here selects the components itself.
        let inline = a.0.checked_sub(self.start).is_some_and(|i| !self.bound[i as usize]);
        match self.nodes.op(a) {
            Op::Read { reg, swizzle: first } if inline => self.read(reg, first.then(swizzle), ty, None),
            _ => {
                let letters: String = (0..ty.count).map(|i| letter(swizzle.get(i))).collect();
                format!("{}.{letters}", self.operand(a, level::ATOM))
            }
        }
    }

    fn lane(&self, op: LaneOp, a: Value, b: Value) -> (String, u8) {
        match op {
            LaneOp::Any => self.call("any lane", &[a]),
            LaneOp::All => self.call("all lanes", &[a]),
            LaneOp::Ballot => self.call("ballot", &[a]),
            LaneOp::Shuffle => self.call("of lane", &[b, a]),
            LaneOp::ShuffleXor => self.call("of lane xor", &[b, a]),
            LaneOp::Fetch => self.call("of any lane", &[b, a]),
            LaneOp::QuadOr => self.call("quad or", &[a]),
        }
    }

    fn combine(&self, combine: Combine, a: Value) -> String {
        let name = binary_form(combine.op).sign();
        let lanes = if combine.before { "lanes before" } else { "all lanes" };
        let of = if combine.quad { " of the quad" } else { "" };
        format!("{name} over {lanes}{of} ({})", self.operand(a, 0))
    }

    fn read(&self, reg: Reg, swizzle: Swizzle, ty: Type, index: Option<(&str, u8)>) -> String {
        let components: Vec<u8> = (0..ty.count).map(|i| swizzle.get(i)).collect();
        self.names.place(&Access { reg, components: &components, scalar: ty.scalar, index })
    }

    fn texture(&self, t: u32) -> String {
        let Some(t) = self.nodes.textures.get(t as usize) else { return "sample()".into() };
        let arg = |v| self.operand(v, 0);
        let mut extra = match t.lod {
            Lod::Zero | Lod::Implicit => String::new(),
            Lod::Bias(v) => format!(", bias {}", arg(v)),
            Lod::Level(v) => format!(", level {}", arg(v)),
            Lod::Gradient(x, y) => format!(", gradient {}, {}", arg(x), arg(y)),
        };
        let further = [
            ("layer", t.layer),
            ("sample", t.sample),
            ("at least", t.least),
            ("compared with", t.compare),
            ("offset", t.offset),
        ];
        for (name, v) in further {
            if let Some(v) = v {
                extra.push_str(&format!(", {name} {}", arg(v)));
            }
        }
        match t.sampler {
            SamplerRef::Unit(n) => extra.push_str(&format!(", sampler {n}")),
            SamplerRef::Handle(v) => extra.push_str(&format!(", sampler {}", arg(v))),
            SamplerRef::Texture | SamplerRef::State(_) => {}
        }
        let texture = match t.texture {
            TextureRef::Unit(n) => format!("texture {n}"),
            TextureRef::Numbered(v) => format!("texture {}", arg(v)),
            TextureRef::Handle(v) => format!("texture at {}", arg(v)),
        };
        let call = match t.kind {
            TexKind::Sample => "sample(",
            TexKind::Gather(c) => ["gather x(", "gather y(", "gather z(", "gather w("][usize::from(c & 3)],
            TexKind::Fetch => "fetch(",
            TexKind::Detail => "level of detail(",
            TexKind::Size => "size of a level(",
            TexKind::Samples => "number of samples(",
            TexKind::Location => "location of a texel(",
            TexKind::Store(_) | TexKind::Atomic { .. } => "texel(",
            TexKind::Bits { .. } => "bits of texel(",
        };
        let call = format!("{call}{texture}, {}{extra})", arg(t.coord));
        match t.kind {
            TexKind::Store(v) if t.towards_zero => format!("{call} = round to zero({})", arg(v)),
            TexKind::Store(v) | TexKind::Bits { value: v, .. } => format!("{call} = {}", arg(v)),
            TexKind::Atomic { op, value, expected } => self.atomic(op, &call, (value, expected)),
            _ => call,
        }
    }
}

/// The expression wrapped in the functions that the rule adds. Only floats are rounded and saturated.
fn ruled((text, own): (String, u8), rule: FloatRule, ty: Type) -> (String, u8) {
    if !ty.scalar.is_float() {
        return (text, own);
    }
    let name = match rule.round {
        Round::Nearest => "",
        Round::Zero => "round to zero",
        Round::Up => "round up",
        Round::Down => "round down",
    };
    let (text, own) = if name.is_empty() { (text, own) } else { (format!("{name}({text})"), level::ATOM) };
    if rule.saturate { (format!("saturate({text})"), level::ATOM) } else { (text, own) }
}

fn number(bits: u64, kind: Scalar) -> (String, u8) {
    let text = match kind {
        Scalar::I1 => format!("{}", bits & 1 != 0),
        k if k.is_float() => {
            let wide = scalar::convert(Convert::Float, FloatRule::IEEE, k, Scalar::F64, bits);
            let (x, narrow) = (f64::from_bits(wide), f32::from_bits(bits as u32));
            if k == Scalar::F32 { format!("{narrow:?}") } else { format!("{x:?}") }
        }
        _ if bits < 10_000 => format!("{bits}"),
        _ => format!("{bits:#x}"),
    };
    let own = if text.starts_with('-') { level::SIGN } else { level::ATOM };
    (text, own)
}
