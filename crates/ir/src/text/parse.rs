//! Parses functions and lifted programs.

use super::lexer::{Lexer, Token};
use super::words::{Parsed, fault, number, sign, type_of};
use crate::*;
use alloc::{format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span};

/// Parses a function over these register files. The result is well-formed; [`verify`](crate::verify) checks whether it
/// is valid.
///
/// # Errors
/// One error for every faulty line, with its location; code `ir-text`.
pub fn parse_func(text: &str, files: &'static [File], limits: &Limits) -> Result<Func, Vec<Diagnostic>> {
    let p = Parser::read(text, files, Kind::Func, limits)?;
    Ok(Func { files, nodes: p.arena, blocks: p.blocks })
}

/// Parses a lifted program, as [`parse_func`].
///
/// # Errors
/// As [`parse_func`].
pub fn parse_lifted(text: &str, files: &'static [File], limits: &Limits) -> Result<Lifted, Vec<Diagnostic>> {
    let p = Parser::read(text, files, Kind::Lifted, limits)?;
    Ok(Lifted { nodes: p.arena, steps: p.steps, implied: p.implied, ..Lifted::new(files) })
}

/// The kind of program that the text contains.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Func,
    Lifted,
}

/// The section of the program that a line belongs to.
#[derive(PartialEq)]
pub(super) enum Section {
    Start,
    /// In the last block or step, before its end.
    Block,
    /// After the end of a block or step.
    Between,
    Unused,
}

pub(super) struct Parser {
    pub(super) files: &'static [File],
    sink: Sink,
    kind: Kind,
    blocks: Vec<Block>,
    pub(super) steps: Vec<Step>,
    pub(super) implied: Vec<Step>,
    pub(super) textures: Vec<(u32, TexOp, Span)>,
    nodes: Vec<(Value, Node, Span)>,
    /// The finished arena of operations and texture operations.
    arena: Nodes,
    /// Every use of a value, with its location.
    uses: Vec<(Value, Span)>,
    edges: Vec<(BlockId, Span)>,
    origin: u32,
    pub(super) section: Section,
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
        self.arena.list = self.in_order("value", nodes);
        self.arena.textures = self.in_order("texture", textures);
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

    /// The items ordered by number; the numbers must be 0, 1, 2, … without gaps.
    fn in_order<T>(&mut self, what: &str, mut items: Vec<(u32, T, Span)>) -> Vec<T> {
        items.sort_by_key(|i| i.0);
        for (want, (number, _, span)) in (0..).zip(&items) {
            if *number != want {
                let text = if *number < want {
                    format!("{what} {number} is defined twice")
                } else {
                    format!("{what} {number} is defined, but {what} {want} is missing")
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
                    return fault(span, "a value must be in a block, a step or the section `unused`");
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
                    return fault(span, "the end of a block must follow the block's operations");
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
            _ => return fault(span, "expected a value, a header or the end of a block"),
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
            return fault(span, "the previous block has no end");
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

    /// Whether only texture operations have been read so far.
    fn is_start(&self) -> bool {
        self.nodes.is_empty() && self.blocks.is_empty() && self.steps.is_empty() && self.implied.is_empty()
    }

    pub(super) fn value(&mut self, l: &mut Lexer<'_>) -> Parsed<Value> {
        let (v, span) = self.new_value(l)?;
        self.uses.push((v, span));
        Ok(v)
    }

    fn edge(&mut self, l: &mut Lexer<'_>) -> Parsed<Edge> {
        let (token, span) = l.next()?;
        let number = match token {
            Token::Word(w) => block_number(w),
            _ => None,
        };
        let Some(number) = number else { return fault(span, "expected a block, such as b1") };
        let to = BlockId(number);
        self.edges.push((to, span));
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
}

fn block_number(word: &str) -> Option<u32> {
    word.strip_prefix('b').filter(|d| d.bytes().all(|c| c.is_ascii_digit()))?.parse().ok()
}
