//! Functions from text.

use super::lexer::{Lexer, Token};
use super::names::*;
use crate::*;
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span};

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// The function that the text describes, over these register files. What it says is well-formed; whether
/// it makes sense is the question of [`verify`](crate::verify).
///
/// # Errors
/// Every faulty line with its place, code `ir-text`.
pub fn parse_func(text: &str, files: &'static [File], limits: &Limits) -> Result<Func, Vec<Diagnostic>> {
    let p = Parser::read(text, files, Kind::Func, limits)?;
    Ok(Func { files, nodes: p.arena, blocks: p.blocks })
}

/// The lifted program that the text describes, as [`parse_func`].
///
/// # Errors
/// As [`parse_func`].
pub fn parse_lifted(text: &str, files: &'static [File], limits: &Limits) -> Result<Lifted, Vec<Diagnostic>> {
    let p = Parser::read(text, files, Kind::Lifted, limits)?;
    Ok(Lifted { files, nodes: p.arena, steps: p.steps, implied: p.implied })
}

/// What the text describes.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Func,
    Lifted,
}

/// Where in the program a line lies.
#[derive(PartialEq)]
pub(super) enum Section {
    Start,
    /// In the last block or step, before its end.
    Block,
    /// Behind the end of a block or step.
    Between,
    Unused,
}

pub(super) struct Parser {
    files: &'static [File],
    sink: Sink,
    kind: Kind,
    blocks: Vec<Block>,
    pub(super) steps: Vec<Step>,
    pub(super) implied: Vec<Step>,
    textures: Vec<(u32, TexOp, Span)>,
    nodes: Vec<(Value, Node, Span)>,
    /// The operations and texture operations in order, in the end.
    arena: Nodes,
    /// Everything that names a value, with its place.
    uses: Vec<(Value, Span)>,
    edges: Vec<(BlockId, Span)>,
    origin: u32,
    pub(super) section: Section,
}

pub(super) fn fault<T>(span: Span, text: impl Into<String>) -> Parsed<T> {
    Err(Diagnostic::error("ir-text", text).at_text(span, ""))
}

impl Parser {
    fn read(
        text: &str,
        files: &'static [File],
        kind: Kind,
        limits: &Limits,
    ) -> Result<Parser, Vec<Diagnostic>> {
        let mut p = Parser {
            files,
            sink: Sink::new(limits.diagnostics),
            kind,
            blocks: Vec::new(),
            steps: Vec::new(),
            implied: Vec::new(),
            textures: Vec::new(),
            nodes: Vec::new(),
            arena: Nodes::default(),
            uses: Vec::new(),
            edges: Vec::new(),
            origin: 0,
            section: if kind == Kind::Lifted { Section::Between } else { Section::Start },
        };
        if let Err(d) = limits.check(Limit::File, "bytes of text", text.len()) {
            return Err(vec![d]);
        }
        let mut start = 0;
        loop {
            let mut lexer = Lexer::new(text, start);
            if let Err(d) = p.line(&mut lexer) {
                p.sink.push(d);
            }
            if lexer.is_last() {
                break;
            }
            start = lexer.next_line();
        }
        p.finish(text.len())
    }

    fn finish(mut self, end: usize) -> Result<Parser, Vec<Diagnostic>> {
        if !matches!(self.section, Section::Between | Section::Unused) {
            let at = Span::new(end, end);
            self.sink.push(Diagnostic::error("ir-text", "the text ends inside a program").at_text(at, ""));
        }
        let (nodes, textures) = (core::mem::take(&mut self.nodes), core::mem::take(&mut self.textures));
        let nodes = nodes.into_iter().map(|(v, n, span)| (v.0, n, span)).collect();
        self.arena.list = self.place("value", nodes);
        self.arena.textures = self.place("texture", textures);
        let (values, blocks) = (self.arena.list.len(), self.blocks.len());
        for (v, span) in core::mem::take(&mut self.uses) {
            if v.index() >= values {
                self.sink.push(Diagnostic::error("ir-text", format!("there is no {v:?}")).at_text(span, ""));
            }
        }
        for (b, span) in core::mem::take(&mut self.edges) {
            if b.index() >= blocks {
                self.sink
                    .push(Diagnostic::error("ir-text", format!("there is no b{}", b.0)).at_text(span, ""));
            }
        }
        if self.sink.errors() > 0 { Err(self.sink.finish()) } else { Ok(self) }
    }

    /// The items by their numbers, which must be all from 0.
    fn place<T>(&mut self, what: &str, mut items: Vec<(u32, T, Span)>) -> Vec<T> {
        items.sort_by_key(|i| i.0);
        for (want, (number, _, span)) in (0..).zip(&items) {
            if *number != want {
                let text = if *number < want {
                    format!("{what} {number} is made twice")
                } else {
                    format!("{what} {number} comes, but {what} {want} is missing")
                };
                self.sink.push(Diagnostic::error("ir-text", text).at_text(*span, ""));
                break;
            }
        }
        items.into_iter().map(|i| i.1).collect()
    }

    fn line(&mut self, l: &mut Lexer<'_>) -> Parsed<()> {
        let (token, span) = l.next()?;
        match token {
            Token::End => return Ok(()),
            Token::Value(v) => {
                if !matches!(self.section, Section::Block | Section::Unused) {
                    return fault(span, "this line belongs to no block");
                }
                self.value_line(Value(v), span, l)?;
            }
            Token::Word("texture") if self.is_start() => self.texture_line(l)?,
            Token::Word("unused") => {
                sign(l, ':')?;
                self.section = Section::Unused;
            }
            Token::Word(word) if self.kind == Kind::Lifted => self.step_line(word, span, l)?,
            Token::Word(end @ ("exit" | "jump" | "branch")) => {
                if self.section != Section::Block {
                    return fault(span, "this end belongs to no block");
                }
                self.section = Section::Between;
                let end = match end {
                    "exit" => End::Exit,
                    "jump" => End::Jump(self.edge(l)?),
                    _ => End::Branch { cond: self.value(l)?, yes: self.edge(l)?, no: self.edge(l)? },
                };
                if let Some(block) = self.blocks.last_mut() {
                    block.end = end;
                }
            }
            Token::Word(word) => self.header(word, span, l)?,
            _ => return fault(span, "a line begins with a value, or what stands around values"),
        }
        match l.next()? {
            (Token::End, _) => Ok(()),
            (_, span) => fault(span, "nothing more is expected on this line"),
        }
    }

    /// `b3(%1: f32, %2: i1):`
    fn header(&mut self, word: &str, span: Span, l: &mut Lexer<'_>) -> Parsed<()> {
        if block_number(word) != Some(self.blocks.len() as u32) {
            return fault(span, format!("expected the header of b{}", self.blocks.len()));
        }
        if self.section == Section::Block {
            return fault(span, "the block before has no end");
        }
        self.section = Section::Block;
        self.blocks.push(Block { params: Vec::new(), body: Vec::new(), end: End::Exit });
        if l.peek() == Token::Sign('(') {
            loop {
                l.next()?;
                let (v, span) = self.new_value(l)?;
                sign(l, ':')?;
                let ty = type_of(l)?;
                self.origin_of(l)?;
                self.nodes.push((v, Node { op: Op::Param, ty, origin: self.origin }, span));
                self.blocks.last_mut().into_iter().for_each(|b| b.params.push(v));
                if l.peek() != Token::Sign(',') {
                    break;
                }
            }
            sign(l, ')')?;
        }
        sign(l, ':')
    }

    fn new_value(&mut self, l: &mut Lexer<'_>) -> Parsed<(Value, Span)> {
        match l.next()? {
            (Token::Value(v), span) => Ok((Value(v), span)),
            (_, span) => fault(span, "expected a value, such as %0"),
        }
    }

    fn origin_of(&mut self, l: &mut Lexer<'_>) -> Parsed<()> {
        if l.peek() == Token::Sign('@') {
            l.next()?;
            self.origin = number(l, 0, u32::MAX.into())? as u32;
        }
        Ok(())
    }

    fn value_line(&mut self, v: Value, span: Span, l: &mut Lexer<'_>) -> Parsed<()> {
        let mut ty = Type::NONE;
        if l.peek() == Token::Sign(':') {
            l.next()?;
            ty = type_of(l)?;
        }
        sign(l, '=')?;
        let op = self.op(l, ty)?;
        self.origin_of(l)?;
        self.nodes.push((v, Node { op, ty, origin: self.origin }, span));
        match (&self.section, self.kind) {
            (Section::Block, Kind::Func) => self.blocks.last_mut().into_iter().for_each(|b| b.body.push(v)),
            (Section::Block, Kind::Lifted) => self.step_value(v, span)?,
            _ => {}
        }
        Ok(())
    }

    /// Whether nothing but texture operations stands before.
    fn is_start(&self) -> bool {
        self.nodes.is_empty() && self.blocks.is_empty() && self.steps.is_empty() && self.implied.is_empty()
    }

    pub(super) fn value(&mut self, l: &mut Lexer<'_>) -> Parsed<Value> {
        let (v, span) = self.new_value(l)?;
        self.uses.push((v, span));
        Ok(v)
    }

    fn edge(&mut self, l: &mut Lexer<'_>) -> Parsed<Edge> {
        let to = match l.next()? {
            (Token::Word(w), span) if block_number(w).is_some() => {
                let to = BlockId(block_number(w).unwrap_or(0));
                self.edges.push((to, span));
                to
            }
            (_, span) => return fault(span, "expected a block, such as b1"),
        };
        let mut args = Vec::new();
        if l.peek() == Token::Sign('(') {
            while l.peek() == Token::Sign(if args.is_empty() { '(' } else { ',' }) {
                l.next()?;
                args.push(self.value(l)?);
            }
            sign(l, ')')?;
        }
        Ok(Edge { to, args })
    }

    fn op(&mut self, l: &mut Lexer<'_>, ty: Type) -> Parsed<Op> {
        let (Token::Word(text), span) = l.next()? else {
            return fault(Span::default(), "expected an operation");
        };
        let (name, flags) = text.split_once('.').unwrap_or((text, ""));
        let rule = rule(flags, span)?;
        if let Some(op) = value(UNARY, name) {
            return Ok(Op::Unary { op, rule, a: self.value(l)? });
        }
        if let Some(op) = value(BINARY, name) {
            return Ok(Op::Binary { op, rule, a: self.value(l)?, b: self.value(l)? });
        }
        if let Some(op) = value(TERNARY, name) {
            return Ok(Op::Ternary { op, rule, a: self.value(l)?, b: self.value(l)?, c: self.value(l)? });
        }
        if let Some(op) = value(CONVERT, name) {
            return Ok(Op::Convert { op, rule, a: self.value(l)? });
        }
        if let Some(op) = name.strip_prefix("combine_").and_then(|name| value(BINARY, name)) {
            let mut flag = |word| l.peek() == Token::Word(word) && l.next().is_ok();
            let combine = Combine { op, quad: flag("quad"), before: flag("before") };
            return Ok(Op::Combine { combine, rule, a: self.value(l)? });
        }
        if !flags.is_empty() {
            return fault(span, format!("`{name}` has no rule"));
        }
        if let Some(op) = value(LANE, name) {
            return Ok(Op::Lane { op, a: self.value(l)?, b: self.value(l)? });
        }
        let combining = name.strip_prefix("atomic_").and_then(|name| value(BINARY, name));
        let atomic = match name {
            "exchange" => Some(Atomic::Exchange),
            "compare_exchange" => Some(Atomic::CompareExchange),
            _ => combining.map(Atomic::Combine),
        };
        if let Some(op) = atomic {
            let (space, address, value) = (space(l)?, self.value(l)?, self.value(l)?);
            let expected = if op == Atomic::CompareExchange { self.value(l)? } else { value };
            return Ok(Op::Atomic { op, space, address, value, expected });
        }
        if let Some(axis) = value(AXIS, name) {
            return Ok(Op::Derivative { axis, a: self.value(l)? });
        }
        Ok(match name {
            "const" => Op::Const(number(l, 0, u64::MAX.into())? as u64),
            "param" => Op::Param,
            "read" => Op::Read { reg: self.place_of(l)?, swizzle: swizzle(l)? },
            "read_at" => {
                let Reg { file, unit: base } = self.place_of(l)?;
                sign(l, '+')?;
                let index = self.value(l)?;
                sign(l, '*')?;
                Op::ReadAt { file, base, index, stride: number(l, 0, 255)? as u8, swizzle: swizzle(l)? }
            }
            "write" => Op::Write { reg: self.place_of(l)?, mask: mask(l)?, value: self.value(l)? },
            "swizzle" => Op::Swizzle { a: self.value(l)?, swizzle: swizzle(l)? },
            "join" => {
                let mut parts = [self.value(l)?; 4];
                for i in 1..4 {
                    parts[i] = if i < usize::from(ty.count) { self.value(l)? } else { parts[i - 1] };
                }
                Op::Join { parts }
            }
            "texture" => Op::Texture(number(l, 0, u32::MAX.into())? as u32),
            "texture_store" => Op::TextureStore(number(l, 0, u32::MAX.into())? as u32),
            "load" => Op::Load { space: space(l)?, address: self.value(l)? },
            "store" => Op::Store { space: space(l)?, address: self.value(l)?, value: self.value(l)? },
            "kill" => Op::Kill { cond: self.value(l)? },
            "set_emit" => {
                let vertex = number(l, 0, 255)? as u8;
                let mut flag = |word| l.peek() == Token::Word(word) && l.next().is_ok();
                Op::SetEmit { vertex, primitive: flag("primitive"), flip: flag("flip") }
            }
            "emit" => Op::Emit,
            "barrier" => Op::Barrier,
            _ => return fault(span, format!("`{name}` is not an operation")),
        })
    }

    /// `t:4`
    fn place_of(&mut self, l: &mut Lexer<'_>) -> Parsed<Reg> {
        let (token, span) = l.next()?;
        let file = match token {
            Token::Word(name) => self.files.iter().position(|f| f.name == name),
            _ => None,
        };
        let Some(file) = file else { return fault(span, "expected a register file") };
        sign(l, ':')?;
        Ok(Reg::new(FileId(file as u8), number(l, 0, u16::MAX.into())? as u16))
    }

    fn texture_line(&mut self, l: &mut Lexer<'_>) -> Parsed<()> {
        let (token, span) = l.next()?;
        let Token::Number(index @ 0..=0xffff_ffff) = token else { return fault(span, "expected a number") };
        sign(l, ':')?;
        let kind = if word(l, "gather") {
            TexKind::Gather(number(l, 0, 3)? as u8)
        } else if word(l, "fetch") {
            TexKind::Fetch
        } else if word(l, "detail") {
            TexKind::Detail
        } else if word(l, "store") {
            TexKind::Store(self.value(l)?)
        } else {
            TexKind::Sample
        };
        let texture = match l.next()? {
            (Token::Word("unit"), _) => TextureRef::Unit(number(l, 0, u16::MAX.into())? as u16),
            (Token::Word("numbered"), _) => TextureRef::Numbered(self.value(l)?),
            (Token::Word("handle"), _) => TextureRef::Handle(self.value(l)?),
            (_, span) => return fault(span, "expected unit, numbered or handle"),
        };
        let (token, shape_at) = l.next()?;
        let shape = Shape::ALL.into_iter().find(|s| token == Token::Word(s.name()));
        let Some(shape) = shape else { return fault(shape_at, "expected a shape such as 2d or cube_array") };
        let coord = self.value(l)?;
        let lod = match l.next()? {
            (Token::Word("zero"), _) => Lod::Zero,
            (Token::Word("implicit"), _) => Lod::Implicit,
            (Token::Word("bias"), _) => Lod::Bias(self.value(l)?),
            (Token::Word("level"), _) => Lod::Level(self.value(l)?),
            (Token::Word("gradient"), _) => Lod::Gradient(self.value(l)?, self.value(l)?),
            (_, span) => return fault(span, "expected zero, implicit, bias, level or gradient"),
        };
        let mut further = |name| match word(l, name) {
            true => self.value(l).map(Some),
            false => Ok(None),
        };
        let (layer, sample, least) = (further("layer")?, further("sample")?, further("least")?);
        let (compare, offset) = (further("compare")?, further("offset")?);
        let sampler = self.sampler(l)?;
        let towards_zero = word(l, "towards_zero");
        let op = TexOp {
            kind,
            texture,
            shape,
            coord,
            layer,
            sample,
            lod,
            least,
            compare,
            offset,
            sampler,
            towards_zero,
        };
        self.textures.push((index as u32, op, span));
        Ok(())
    }

    /// What stands behind `sampler`, if that is written.
    fn sampler(&mut self, l: &mut Lexer<'_>) -> Parsed<SamplerRef> {
        if !word(l, "sampler") {
            return Ok(SamplerRef::Texture);
        }
        if word(l, "unit") {
            return Ok(SamplerRef::Unit(number(l, 0, u16::MAX.into())? as u16));
        }
        if word(l, "handle") {
            return Ok(SamplerRef::Handle(self.value(l)?));
        }
        let filter = one_of(l, FILTER, "nearest or linear")?;
        keyword(l, "mip")?;
        let mip = match l.peek() {
            Token::Word("none") => l.next().map(|_| None)?,
            _ => Some(one_of(l, FILTER, "none, nearest or linear")?),
        };
        keyword(l, "wrap")?;
        let mut wrap = || one_of(l, WRAP, "clamp, repeat or mirror");
        let wrap = [wrap()?, wrap()?, wrap()?];
        keyword(l, "anisotropy")?;
        let anisotropy = number(l, 0, 255)? as u8;
        keyword(l, "bias")?;
        let bias_eighths = number(l, -128, 127)? as i8;
        Ok(SamplerRef::State(Sampler { filter, mip, wrap, anisotropy, bias_eighths }))
    }
}

fn block_number(word: &str) -> Option<u32> {
    word.strip_prefix('b').filter(|d| d.bytes().all(|c| c.is_ascii_digit()))?.parse().ok()
}

pub(super) fn sign(l: &mut Lexer<'_>, want: char) -> Parsed<()> {
    match l.next()? {
        (Token::Sign(c), _) if c == want => Ok(()),
        (_, span) => fault(span, format!("expected `{want}`")),
    }
}

/// Whether this word comes next; it is taken then.
fn word(l: &mut Lexer<'_>, word: &str) -> bool {
    l.peek() == Token::Word(word) && l.next().is_ok()
}

fn keyword(l: &mut Lexer<'_>, want: &str) -> Parsed<()> {
    match l.next()? {
        (Token::Word(w), _) if w == want => Ok(()),
        (_, span) => fault(span, format!("expected `{want}`")),
    }
}

fn one_of<T: Copy>(l: &mut Lexer<'_>, table: Table<T>, what: &str) -> Parsed<T> {
    match l.next()? {
        (Token::Word(w), span) => match value(table, w) {
            Some(v) => Ok(v),
            None => fault(span, format!("expected {what}")),
        },
        (_, span) => fault(span, format!("expected {what}")),
    }
}

pub(super) fn number(l: &mut Lexer<'_>, low: i128, high: i128) -> Parsed<i128> {
    match l.next()? {
        (Token::Number(n), _) if (low..=high).contains(&n) => Ok(n),
        (_, span) => fault(span, format!("expected a number from {low} to {high}")),
    }
}

/// `f32x4`
fn type_of(l: &mut Lexer<'_>) -> Parsed<Type> {
    let (token, span) = l.next()?;
    let Token::Word(word) = token else { return fault(span, "expected a type, such as f32x4") };
    let (name, count) = match word.split_once('x') {
        Some((name, count @ ("2" | "3" | "4"))) => (name, count.as_bytes()[0] - b'0'),
        Some(_) => return fault(span, format!("`{word}` is not a type")),
        None => (word, 1),
    };
    match Scalar::ALL.iter().find(|s| s.name() == name) {
        Some(s) => Ok(s.by(count)),
        None => fault(span, format!("`{word}` is not a type")),
    }
}

fn components(l: &mut Lexer<'_>) -> Parsed<(Vec<u8>, Span)> {
    let (token, span) = l.next()?;
    let index = |c: u8| b"xyzw".iter().position(|&x| x == c).map(|i| i as u8);
    let list = match token {
        Token::Word(w) if w.len() <= 4 => w.bytes().map(index).collect(),
        _ => None,
    };
    match list {
        Some(list) => Ok((list, span)),
        None => fault(span, "expected components, such as xyzw"),
    }
}

fn swizzle(l: &mut Lexer<'_>) -> Parsed<Swizzle> {
    match components(l)? {
        (list, _) if list.len() == 4 => Ok(Swizzle::from_slice(&list)),
        (_, span) => fault(span, "a swizzle has four components"),
    }
}

fn mask(l: &mut Lexer<'_>) -> Parsed<Mask> {
    let (list, span) = components(l)?;
    if list.windows(2).any(|w| w[0] >= w[1]) {
        return fault(span, "the components of a mask come in order");
    }
    Ok(Mask(list.iter().fold(0, |m, c| m | 1 << c)))
}

fn space(l: &mut Lexer<'_>) -> Parsed<Space> {
    if l.peek() == Token::Word("constant") {
        l.next()?;
        return Ok(Space::Constant(number(l, 0, 255)? as u8));
    }
    one_of(l, SPACE, "global, shared, local, uniforms or constant")
}

fn rule(flags: &str, span: Span) -> Parsed<FloatRule> {
    let mut rule = FloatRule::IEEE;
    for flag in flags.split('.').filter(|f| !f.is_empty()) {
        match flag {
            "ftz" => rule.flush = true,
            "sat" => rule.saturate = true,
            "fmz" => rule.zero_product = true,
            "model" => rule.model = true,
            _ => match (value(ROUND, flag), value(NAN, flag)) {
                (Some(round), _) => rule.round = round,
                (None, Some(nan)) => rule.nan = nan,
                (None, None) => return fault(span, format!("`{flag}` is not a rule")),
            },
        }
    }
    Ok(rule)
}
