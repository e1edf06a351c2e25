//! Pseudocode for people: what one lifted step does, as assignments.
//!
//! Expressions come out as written on paper: infix operators, function names, `a ? b : c`. A value used
//! once stands where it is used; others are named `t0`, `t1`, … Where an operation reads its operand as
//! a number with or without a sign, the unsigned operators carry a `u` (`a <u b`) and the arithmetic
//! shift is `>>s`. Rounding other than to nearest and saturation are shown; flush, the float model and
//! NaN rules are properties of a whole instruction set and left to its text.

#[cfg(test)]
mod tests;

use crate::{
    Atomic, Axis, Binary, Control, ControlOp, Convert, File, LaneOp, Lod, Nodes, Op, Reg, Round, SamplerRef,
    Scalar, Space, Step, Swizzle, Ternary, TexKind, TextureRef, Type, Unary, Value, scalar,
};
use alloc::{format, string::String, vec, vec::Vec};

/// Deeper expressions are split by names.
const DEPTH: u8 = 12;

/// Components of a register, as an operation reads or writes them.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The first unit of component 0.
    pub reg: Reg,
    /// The components in the order they are read or written.
    pub components: &'a [u8],
    /// Their kind.
    pub scalar: Scalar,
    /// The expression that chooses the register, and how many units one step of it is.
    pub index: Option<(&'a str, u8)>,
}

/// How pseudocode names what it refers to.
pub trait Names {
    /// Components of a register, such as `vt0.xyz` or `dst`.
    fn place(&self, access: &Access<'_>) -> String;

    /// What a control operation does, without its condition; `None` to leave it out.
    fn control(&self, control: &Control) -> Option<String> {
        Some(match control.op {
            ControlOp::Next => return None,
            ControlOp::Branch if control.place.is_some() => "go".into(),
            ControlOp::Branch => format!("go to {:#x}", control.target),
            ControlOp::Push(_) => format!("push {:#x}", control.target),
            ControlOp::Pop(_) => "pop".into(),
            ControlOp::Call if control.place.is_some() => "call".into(),
            ControlOp::Call => format!("call {:#x}", control.target),
            ControlOp::Return => "return".into(),
            ControlOp::Loop => "begin a loop".into(),
            ControlOp::Again => "next iteration".into(),
            ControlOp::Counter(_) => "set the lane's counter".into(),
            ControlOp::Exit => "end".into(),
            ControlOp::Invalid => "no instruction".into(),
        })
    }
}

/// Names registers by their file: name, number, components.
impl Names for &[File] {
    fn place(&self, access: &Access<'_>) -> String {
        let Some(f) = self.get(usize::from(access.reg.file.0)) else { return format!("{:?}", access.reg) };
        let per = u16::from(f.units_per_register.max(1));
        let step = u16::from(f.units_of(access.scalar));
        let number = access.reg.unit / per;
        let number = match access.index {
            None => format!("{number}"),
            Some((index, stride)) if u16::from(stride) == per && number == 0 => format!("[{index}]"),
            Some((index, stride)) if u16::from(stride) == per => format!("[{index} + {number}]"),
            Some((index, stride)) => format!("[({index} * {stride} + {}) / {per}]", access.reg.unit),
        };
        let first = access.reg.unit % per / step;
        let letters: String = access.components.iter().map(|&c| letter(c + first as u8)).collect();
        let whole = per / step <= 1 && access.components == [0];
        if whole { format!("{}{number}", f.name) } else { format!("{}{number}.{letters}", f.name) }
    }
}

fn letter(component: u8) -> char {
    char::from(*b"xyzw".get(usize::from(component)).unwrap_or(&b'?'))
}

/// What the step does, one statement a line, without a line break at the end.
pub fn pseudocode(nodes: &Nodes, step: &Step, names: &dyn Names) -> String {
    let mut range = step.nodes.clone();
    range.end = range.end.min(nodes.list.len() as u32);
    let mut printer = Printer {
        nodes,
        names,
        start: range.start,
        exprs: Vec::new(),
        bound: bound(nodes, step),
        lines: Vec::new(),
        indent: "",
        names_used: 0,
    };
    for v in range.map(Value) {
        printer.node(v);
        if step.guard == Some(v) {
            let guard = printer.operand(v, 0);
            printer.line(format!("if {guard}:"));
            printer.indent = "    ";
        }
    }
    // Control operations have the guard in their condition.
    printer.indent = "";
    if let Some(text) = names.control(&step.control) {
        let text = match step.control.place {
            Some(place) => format!("{text}, to {}", printer.operand(place, 0)),
            None => text,
        };
        let line = match step.control.cond {
            Some(cond) => format!("if {}: {text}", printer.operand(cond, 0)),
            None => text,
        };
        printer.line(line);
    }
    printer.lines.join("\n")
}

/// Which values get a name: those used several times, and those whose source changes before they are used.
fn bound(nodes: &Nodes, step: &Step) -> Vec<bool> {
    let (start, end) = (step.nodes.start, step.nodes.end.min(nodes.list.len() as u32));
    let count = end.saturating_sub(start) as usize;
    let mut uses = vec![0u32; count];
    let mut depth = vec![0u8; count];
    // The statement that each value ends up in, were it not named.
    let mut shown = vec![start; count];
    let index = |v: Value| v.0.checked_sub(start).map(|i| i as usize).filter(|&i| i < count);
    let of_control = || step.control.cond.into_iter().chain(step.control.place);
    for v in (start..end).map(Value) {
        nodes.operands(v, |o| uses[index(o).unwrap_or(0)] += 1);
    }
    of_control().chain(step.guard).filter_map(index).for_each(|i| uses[i] += 1);
    of_control().filter_map(index).for_each(|i| shown[i] = end);
    for v in (start..end).rev().map(Value) {
        let own = if nodes.op(v).has_effect() { v.0 } else { shown[(v.0 - start) as usize].max(v.0) };
        nodes.operands(v, |o| {
            if let Some(i) = index(o) {
                shown[i] = shown[i].max(own);
            }
        });
    }
    // How many effects come before each node.
    let mut effects = vec![0u32; count + 1];
    for i in 0..count {
        effects[i + 1] = effects[i] + u32::from(nodes.op(Value(start + i as u32)).has_effect());
    }
    let mut bound = vec![false; count];
    for i in 0..count {
        let v = Value(start + i as u32);
        let op = nodes.op(v);
        nodes.operands(v, |o| {
            if let Some(o) = index(o).filter(|&o| !bound[o]) {
                depth[i] = depth[i].max(depth[o] + 1);
            }
        });
        let reads = matches!(op, Op::Read { .. } | Op::ReadAt { .. } | Op::Load { .. });
        let until = (shown[i] - start) as usize;
        let stale = reads && effects[until.min(count)] > effects[i];
        let simple = matches!(op, Op::Const(_) | Op::Read { .. });
        bound[i] = !op.has_effect() && (stale || uses[i] > 1 && !simple || depth[i] >= DEPTH);
        if bound[i] {
            depth[i] = 0;
        }
    }
    bound
}

/// How tightly an expression holds together, the loosest first.
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

struct Printer<'a> {
    nodes: &'a Nodes,
    names: &'a dyn Names,
    start: u32,
    /// Text and level of each value.
    exprs: Vec<(String, u8)>,
    bound: Vec<bool>,
    lines: Vec<String>,
    indent: &'static str,
    names_used: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: String) {
        self.lines.push(format!("{}{text}", self.indent));
    }

    /// The text of a value, in parentheses if it holds together less than `level`.
    fn operand(&self, v: Value, level: u8) -> String {
        let i = v.0.checked_sub(self.start).map(|i| i as usize);
        match i.and_then(|i| self.exprs.get(i)) {
            Some((text, own)) if *own >= level => text.clone(),
            Some((text, _)) => format!("({text})"),
            None => format!("{v:?}"),
        }
    }

    fn node(&mut self, v: Value) {
        let mut expr = (String::new(), level::ATOM);
        if self.nodes.op(v).has_effect() {
            let text = self.effect(v);
            self.line(text);
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

    fn effect(&self, v: Value) -> String {
        let arg = |v| self.operand(v, 0);
        match self.nodes.op(v) {
            Op::Write { reg, mask, value } => {
                let components: Vec<u8> = mask.iter().collect();
                let scalar = self.nodes.ty(value).scalar;
                let place = self.names.place(&Access { reg, components: &components, scalar, index: None });
                format!("{place} = {}", arg(value))
            }
            Op::Store { space, address, value } => {
                format!("{}[{}] = {}", space_name(space), arg(address), arg(value))
            }
            Op::Atomic { op, space, address, value, expected } => {
                let name = match op {
                    Atomic::Combine(op) => binary_form(op).sign(),
                    Atomic::Exchange | Atomic::CompareExchange => "exchange",
                };
                let where_equal = match op {
                    Atomic::CompareExchange => format!(" where it is {}", arg(expected)),
                    _ => String::new(),
                };
                let place = format!("{}[{}]", space_name(space), arg(address));
                format!("old = atomic {name} {place}, {}{where_equal}", arg(value))
            }
            Op::Kill { cond } => format!("if {}: kill", arg(cond)),
            Op::SetEmit { vertex, primitive, flip } => {
                let triangle = if primitive { ", completing a triangle" } else { "" };
                let flipped = if flip { ", flipped" } else { "" };
                format!("next vertex goes to slot {vertex}{triangle}{flipped}")
            }
            Op::Emit => "emit vertex".into(),
            Op::TextureStore(t) => self.texture(t),
            _ => "barrier".into(),
        }
    }

    fn expression(&self, v: Value) -> (String, u8) {
        let node = &self.nodes.list[v.index()];
        let ty = node.ty;
        let arg = |v| self.operand(v, 0);
        let call = |name: &str, args: &[Value]| {
            let args: Vec<String> = args.iter().map(|&a| arg(a)).collect();
            (format!("{name}({})", args.join(", ")), level::ATOM)
        };
        match node.op {
            Op::Const(bits) => number(bits, ty.scalar),
            Op::Param => (format!("{v:?}"), level::ATOM),
            Op::Read { reg, swizzle } => (self.read(reg, swizzle, ty, None), level::ATOM),
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let index = self.operand(index, level::SIGN);
                (self.read(Reg::new(file, base), swizzle, ty, Some((&index, stride))), level::ATOM)
            }
            Op::Unary { op, rule, a } => {
                let sign = |sign| (format!("{sign}{}", self.operand(a, level::SIGN)), level::SIGN);
                let expr = match op {
                    Unary::FNeg | Unary::INeg => sign("-"),
                    Unary::Not if ty.scalar == Scalar::I1 => sign("!"),
                    Unary::Not => sign("~"),
                    Unary::FRcp => (format!("1 / {}", self.operand(a, level::SIGN)), level::PRODUCT),
                    named => call(unary_name(named), &[a]),
                };
                ruled(expr, rule.round, rule.saturate)
            }
            Op::Binary { op, rule, a, b } => {
                let infix = |symbol: &str, own: u8, left: u8, right: u8| {
                    (format!("{} {symbol} {}", self.operand(a, left), self.operand(b, right)), own)
                };
                let expr = match binary_form(op) {
                    Form::Function(name) => call(name, &[a, b]),
                    Form::Sum(symbol) => infix(symbol, level::SUM, level::SUM, level::PRODUCT),
                    Form::Product(symbol) => infix(symbol, level::PRODUCT, level::PRODUCT, level::SIGN),
                    Form::Shift(symbol) => infix(symbol, level::SHIFT, level::SUM, level::SUM),
                    Form::Bits(symbol) => infix(symbol, level::BITS, level::SHIFT, level::SHIFT),
                    Form::Compare(symbol) => infix(symbol, level::COMPARE, level::BITS, level::BITS),
                };
                ruled(expr, rule.round, rule.saturate && !op.compares())
            }
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } => {
                ruled(call("fma", &[a, b, c]), rule.round, rule.saturate)
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                let side = |v| self.operand(v, level::COMPARE);
                (format!("{} ? {} : {}", side(a), side(b), side(c)), level::CHOICE)
            }
            Op::Convert { op, rule, a } => {
                let name = convert_name(op, ty);
                ruled(call(&name, &[a]), rule.round, rule.saturate)
            }
            Op::Swizzle { a, swizzle } => {
                // A read that stands here takes the components itself.
                let inline = a.0.checked_sub(self.start).is_some_and(|i| !self.bound[i as usize]);
                match self.nodes.op(a) {
                    Op::Read { reg, swizzle: first } if inline => {
                        (self.read(reg, first.then(swizzle), ty, None), level::ATOM)
                    }
                    _ => {
                        let letters: String = (0..ty.count).map(|i| letter(swizzle.get(i))).collect();
                        (format!("{}.{letters}", self.operand(a, level::ATOM)), level::ATOM)
                    }
                }
            }
            Op::Join { parts } => call("", &parts[..usize::from(ty.count.clamp(1, 4))]),
            Op::Texture(t) => (self.texture(t), level::ATOM),
            Op::Derivative { axis: Axis::X, a } => call("ddx", &[a]),
            Op::Derivative { axis: Axis::Y, a } => call("ddy", &[a]),
            Op::Lane { op, a, b } => match op {
                LaneOp::Any => call("any lane", &[a]),
                LaneOp::All => call("all lanes", &[a]),
                LaneOp::Ballot => call("ballot", &[a]),
                LaneOp::Shuffle => call("of lane", &[b, a]),
                LaneOp::ShuffleXor => call("of lane xor", &[b, a]),
                LaneOp::Fetch => call("of any lane", &[b, a]),
                LaneOp::QuadOr => call("quad or", &[a]),
            },
            Op::Combine { combine, a, .. } => {
                let name = binary_form(combine.op).sign();
                let lanes = if combine.before { "lanes before" } else { "all lanes" };
                let of = if combine.quad { " of the quad" } else { "" };
                (format!("{name} over {lanes}{of} ({})", arg(a)), level::ATOM)
            }
            Op::Atomic { .. } => ("old".into(), level::ATOM),
            Op::Load { space, address } => (format!("{}[{}]", space_name(space), arg(address)), level::ATOM),
            Op::Write { .. }
            | Op::Store { .. }
            | Op::TextureStore(_)
            | Op::Kill { .. }
            | Op::SetEmit { .. }
            | Op::Emit
            | Op::Barrier => (String::new(), level::ATOM),
        }
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
            TexKind::Store(_) => "texel(",
        };
        let place = format!("{call}{texture}, {}{extra})", arg(t.coord));
        match t.kind {
            TexKind::Store(v) if t.towards_zero => format!("{place} = round to zero({})", arg(v)),
            TexKind::Store(v) => format!("{place} = {}", arg(v)),
            _ => place,
        }
    }
}

/// The expression with what the rule adds to it.
fn ruled((text, own): (String, u8), round: Round, saturate: bool) -> (String, u8) {
    let name = match round {
        Round::Nearest => "",
        Round::Zero => "round to zero",
        Round::Up => "round up",
        Round::Down => "round down",
    };
    let (text, own) = if name.is_empty() { (text, own) } else { (format!("{name}({text})"), level::ATOM) };
    if saturate { (format!("saturate({text})"), level::ATOM) } else { (text, own) }
}

fn number(bits: u64, kind: Scalar) -> (String, u8) {
    let text = match kind {
        Scalar::I1 => {
            if bits & 1 != 0 {
                "true".into()
            } else {
                "false".into()
            }
        }
        k if k.is_float() => {
            let wide = scalar::convert(Convert::Float, crate::FloatRule::IEEE, k, Scalar::F64, bits);
            let (x, narrow) = (f64::from_bits(wide), f32::from_bits(bits as u32));
            if k == Scalar::F32 { format!("{narrow:?}") } else { format!("{x:?}") }
        }
        _ if bits < 10_000 => format!("{bits}"),
        _ => format!("{bits:#x}"),
    };
    let own = if text.starts_with('-') { level::SIGN } else { level::ATOM };
    (text, own)
}

fn space_name(space: Space) -> String {
    match space {
        Space::Global => "global".into(),
        Space::Shared => "shared".into(),
        Space::Local => "local".into(),
        Space::Uniforms => "uniforms".into(),
        Space::Outputs => "outputs".into(),
        Space::States => "states".into(),
        Space::Constant(n) => format!("constant{n}"),
    }
}

fn unary_name(op: Unary) -> &'static str {
    match op {
        Unary::FNeg | Unary::INeg => "negate",
        Unary::FAbs => "abs",
        Unary::FSat => "saturate",
        Unary::FFloor => "floor",
        Unary::FCeil => "ceil",
        Unary::FTrunc => "trunc",
        Unary::FRound => "round",
        Unary::FSqrt => "sqrt",
        Unary::FRsqrt => "rsqrt",
        Unary::FRcp => "rcp",
        Unary::FExp2 => "exp2",
        Unary::FLog2 => "log2",
        Unary::FSin => "sin",
        Unary::FCos => "cos",
        Unary::FSinc => "sinc",
        Unary::Not => "not",
        Unary::PopCount => "popcount",
        Unary::LeadingZeros => "leading_zeros",
        Unary::ReverseBits => "reverse_bits",
    }
}

/// How an operation of two operands is written.
enum Form {
    Function(&'static str),
    Sum(&'static str),
    Product(&'static str),
    Shift(&'static str),
    Bits(&'static str),
    Compare(&'static str),
}

impl Form {
    /// Its name or sign by itself.
    fn sign(&self) -> &'static str {
        match self {
            Form::Function(name)
            | Form::Sum(name)
            | Form::Product(name)
            | Form::Shift(name)
            | Form::Bits(name)
            | Form::Compare(name) => name,
        }
    }
}

fn binary_form(op: Binary) -> Form {
    use Form::*;
    match op {
        Binary::FAdd | Binary::IAdd => Sum("+"),
        Binary::FSub | Binary::ISub => Sum("-"),
        Binary::FMul | Binary::IMul => Product("*"),
        Binary::FDiv => Product("/"),
        Binary::FMin => Function("min"),
        Binary::FMax => Function("max"),
        Binary::FPow => Function("pow"),
        Binary::FDot => Function("dot"),
        Binary::UMulHi => Function("high_umul"),
        Binary::SMulHi => Function("high_mul"),
        Binary::UMin => Function("umin"),
        Binary::UMax => Function("umax"),
        Binary::SMin => Function("min"),
        Binary::SMax => Function("max"),
        Binary::And => Bits("&"),
        Binary::Or => Bits("|"),
        Binary::Xor => Bits("^"),
        Binary::Shl => Shift("<<"),
        Binary::LShr => Shift(">>"),
        Binary::AShr => Shift(">>s"),
        Binary::FEq | Binary::IEq => Compare("=="),
        Binary::FNe | Binary::INe => Compare("!="),
        Binary::FLt | Binary::SLt => Compare("<"),
        Binary::FLe | Binary::SLe => Compare("<="),
        Binary::ULt => Compare("<u"),
        Binary::ULe => Compare("<=u"),
    }
}

fn convert_name(op: Convert, ty: Type) -> String {
    let to = ty.scalar.name();
    match op {
        Convert::Bits => format!("bits as {to}"),
        Convert::Float => format!("to {to}"),
        Convert::FloatToSigned => format!("to signed {to}"),
        Convert::FloatToUnsigned => format!("to unsigned {to}"),
        Convert::SignedToFloat => format!("signed to {to}"),
        Convert::UnsignedToFloat => format!("unsigned to {to}"),
        Convert::Truncate => format!("low {} bits", ty.scalar.bits()),
        Convert::ZeroExtend => format!("zero extend to {to}"),
        Convert::SignExtend => format!("sign extend to {to}"),
        Convert::Pair if ty.count == 2 => "halves".into(),
        Convert::Pair => "pair".into(),
    }
}
