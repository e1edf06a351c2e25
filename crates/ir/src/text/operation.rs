//! Parses operations.

use super::lexer::{Lexer, Token};
use super::parse::Parser;
use super::words::{Parsed, fault, mask, number, one_of, rule, sign, space, swizzle, word};
use crate::*;
use alloc::format;
use shisa_diag::Span;

impl Parser {
    pub(super) fn op(&mut self, l: &mut Lexer<'_>, ty: Type) -> Parsed<Op> {
        let (Token::Word(text), span) = l.next()? else {
            return fault(Span::default(), "expected an operation");
        };
        let (name, flags) = text.split_once('.').unwrap_or((text, ""));
        if let Some(op) = self.ruled(name, rule(flags, span)?, l)? {
            return Ok(op);
        }
        if let Some(op) = atomic(text, span)? {
            let (space, address, value) = (space(l)?, self.value(l)?, self.value(l)?);
            let expected = if op == Atomic::CompareExchange { self.value(l)? } else { value };
            return Ok(Op::Atomic { op, space, address, value, expected });
        }
        if !flags.is_empty() {
            return fault(span, format!("`{name}` has no rule"));
        }
        if let Some(op) = LaneOp::from_name(name) {
            return Ok(Op::Lane { op, a: self.value(l)?, b: self.value(l)? });
        }
        if let Some(axis) = Axis::from_name(name) {
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
            "texture_atomic" => Op::TextureAtomic(number(l, 0, u32::MAX.into())? as u32),
            "texture_store" => Op::TextureStore(number(l, 0, u32::MAX.into())? as u32),
            "load" => Op::Load { space: space(l)?, address: self.value(l)? },
            "store" => Op::Store { space: space(l)?, address: self.value(l)?, value: self.value(l)? },
            "kill" => Op::Kill { cond: self.value(l)? },
            "set_emit" => {
                let vertex = number(l, 0, 255)? as u8;
                Op::SetEmit { vertex, primitive: word(l, "primitive"), flip: word(l, "flip") }
            }
            "emit" => Op::Emit,
            "emit_vertex" => {
                Op::EmitVertex { cond: self.value(l)?, vertex: self.value(l)?, stream: self.value(l)? }
            }
            "end_strip" => Op::EndStrip { cond: self.value(l)?, vertex: self.value(l)? },
            "barrier" => Op::Barrier,
            "arrive" => {
                let how = one_of(l, Arrival::from_name, "what is done at the barrier, such as wait")?;
                Op::Arrive { how, number: self.value(l)?, threads: self.value(l)?, vote: self.value(l)? }
            }
            "reduced" => Op::Reduced,
            _ => return fault(span, format!("`{name}` is not an operation")),
        })
    }

    /// An operation that can have a rule.
    fn ruled(&mut self, name: &str, rule: FloatRule, l: &mut Lexer<'_>) -> Parsed<Option<Op>> {
        let combining = name.strip_prefix("combine_").and_then(Binary::from_name);
        Ok(Some(if let Some(op) = Unary::from_name(name) {
            Op::Unary { op, rule, a: self.value(l)? }
        } else if let Some(op) = Binary::from_name(name) {
            Op::Binary { op, rule, a: self.value(l)?, b: self.value(l)? }
        } else if let Some(op) = Ternary::from_name(name) {
            Op::Ternary { op, rule, a: self.value(l)?, b: self.value(l)?, c: self.value(l)? }
        } else if let Some(op) = Convert::from_name(name) {
            Op::Convert { op, rule, a: self.value(l)? }
        } else if let Some(op) = combining {
            let combine = Combine { op, quad: word(l, "quad"), before: word(l, "before") };
            Op::Combine { combine, rule, a: self.value(l)? }
        } else {
            return Ok(None);
        }))
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
}

/// The atomic operation that a word names, such as `atomic_fadd.flush`; `None` for other words.
pub(super) fn atomic(text: &str, span: Span) -> Parsed<Option<Atomic>> {
    let (name, flags) = text.split_once('.').unwrap_or((text, ""));
    let op = match name {
        "exchange" => Atomic::Exchange,
        "compare_exchange" => Atomic::CompareExchange,
        "increment" => Atomic::Increment,
        "decrement" => Atomic::Decrement,
        _ => match name.strip_prefix("atomic_").and_then(Binary::from_name) {
            Some(op) if op.is_float() => return Ok(Some(Atomic::CombineFloats(op, rule(flags, span)?))),
            Some(op) => Atomic::Combine(op),
            None => return Ok(None),
        },
    };
    if !flags.is_empty() {
        return fault(span, format!("`{name}` has no rule"));
    }
    Ok(Some(op))
}
