//! Parses texture operations.

use super::lexer::{Lexer, Token};
use super::operation::atomic;
use super::parse::Parser;
use super::words::{Parsed, fault, keyword, number, one_of, sign, word};
use crate::*;
use shisa_diag::Span;

impl Parser {
    /// `0: unit 2 2d %4 implicit`, after the word `texture`.
    pub(super) fn texture_line(&mut self, l: &mut Lexer<'_>) -> Parsed<()> {
        let (token, span) = l.next()?;
        let Token::Number(index @ 0..=0xffff_ffff) = token else { return fault(span, "expected a number") };
        sign(l, ':')?;
        let kind = if word(l, "gather") {
            TexKind::Gather(number(l, 0, 3)? as u8)
        } else if word(l, "fetch") {
            TexKind::Fetch
        } else if word(l, "detail") {
            TexKind::Detail
        } else if word(l, "size") {
            TexKind::Size
        } else if word(l, "samples") {
            TexKind::Samples
        } else if word(l, "location") {
            TexKind::Location
        } else if word(l, "store") {
            TexKind::Store(self.value(l)?)
        } else if word(l, "bits") {
            TexKind::Bits { bytes: number(l, 1, 16)? as u8, value: self.value(l)? }
        } else if word(l, "atomic") {
            let (Token::Word(name), span) = l.next()? else {
                return fault(Span::default(), "expected an atomic operation");
            };
            let Some(op) = atomic(name, span)? else { return fault(span, "expected an atomic operation") };
            let value = self.value(l)?;
            let expected = if op == Atomic::CompareExchange { self.value(l)? } else { value };
            TexKind::Atomic { op, value, expected }
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
        let traps = word(l, "traps");
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
            traps,
        };
        self.textures.push((index as u32, op, span));
        Ok(())
    }

    /// The sampler, if the operation names one.
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
        let filter = one_of(l, Filter::from_name, "nearest or linear")?;
        keyword(l, "mip")?;
        let mip = match l.peek() {
            Token::Word("none") => l.next().map(|_| None)?,
            _ => Some(one_of(l, Filter::from_name, "none, nearest or linear")?),
        };
        keyword(l, "wrap")?;
        let mut wrap = || one_of(l, Wrap::from_name, "clamp, repeat or mirror");
        let wrap = [wrap()?, wrap()?, wrap()?];
        keyword(l, "anisotropy")?;
        let anisotropy = number(l, 0, 255)? as u8;
        keyword(l, "bias")?;
        let bias_eighths = number(l, -128, 127)? as i8;
        Ok(SamplerRef::State(Sampler { filter, mip, wrap, anisotropy, bias_eighths }))
    }
}
