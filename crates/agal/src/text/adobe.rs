//! The syntax of the disassembler in Adobe's C++ tools.
//!
//! Fragment programs have the components r g b a. A swizzle has four letters. A matrix always has its swizzle, and an
//! index its offset. Opcode 0x19 is called `m43`, and the flag `ignoresampler` is called `depth`.

use super::names::{Group, SPECIAL, WRITTEN};
use super::print::{hex, print_register};
use crate::operand::{A, B, D, SourceKind};
use crate::shape::Shape;
use crate::{Agal, Ctx, Dest, SamplerBits, Source, Token};
use core::any::Any;
use shisa_ir::{Mask, Stage, Swizzle};
use shisa_rows::{Insn, LETTERS, Line, Name, Operand};

/// Writes the first line.
pub(super) fn first_line(ctx: Ctx<'_>, line: &mut Line<'_>) {
    line.text("//");
    line.text(ctx.stage.name());
    line.text(" program (agal ");
    line.dec(u64::from(ctx.version));
    line.text(")");
    line.end();
}

/// Writes a token's text.
pub(super) fn print_token(token: &Token, ctx: Ctx<'_>, line: &mut Line<'_>) {
    let Some(insn) = Insn::<Agal>::decode(*token) else {
        line.text("// unknown opcode ");
        return hex(token, line);
    };
    let form = insn.form();
    line.text(form.spelling.map_or(form.name, |spelling| spelling.name));
    for (i, operand) in form.operands.iter().enumerate() {
        line.text(if i == 0 { " " } else { ", " });
        print_operand(operand, token, ctx, line);
    }
}

fn letter(i: u8, stage: Stage) -> u8 {
    let letters = if stage == Stage::Vertex { LETTERS } else { b"rgba" };
    letters[usize::from(i & 3)]
}

fn print_operand(operand: &Operand<Agal>, token: &Token, ctx: Ctx<'_>, line: &mut Line<'_>) {
    let kind: &dyn Any = operand.kind;
    match operand.slot {
        D => {
            let dest = Dest::of(token);
            print_register(dest.kind(), dest.number(), ctx.stage, line);
            if dest.mask() != Mask::ALL {
                line.byte(b'.');
                dest.mask().iter().for_each(|i| line.byte(letter(i, ctx.stage)));
            }
        }
        A | B if kind.is::<SourceKind>() => {
            let always = matches!(kind.downcast_ref(), Some(SourceKind(Shape::Matrix(..))));
            print_source(Source(operand.field.get(token)), always, ctx.stage, line);
        }
        _ => print_sampler(SamplerBits(operand.field.get(token)), ctx.stage, line),
    }
}

fn print_source(source: Source, always: bool, stage: Stage, line: &mut Line<'_>) {
    if source.indirect() {
        line.text(source.kind().name(stage).unwrap_or("?"));
        line.byte(b'[');
        print_register(source.index_kind(), source.number(), stage, line);
        line.byte(b'.');
        line.byte(letter(source.index_component(), stage));
        let offset = source.offset() as i8;
        line.byte(if offset < 0 { b'-' } else { b'+' });
        line.dec(u64::from(offset.unsigned_abs()));
        line.byte(b']');
    } else {
        print_register(source.kind(), source.number(), stage, line);
    }
    if always || source.swizzle() != Swizzle::IDENTITY {
        line.byte(b'.');
        (0..4).for_each(|i| line.byte(letter(source.swizzle().get(i), stage)));
    }
}

fn print_sampler(sampler: SamplerBits, stage: Stage, line: &mut Line<'_>) {
    print_register(sampler.kind(), sampler.number(), stage, line);
    let mut separator = " <";
    let mut option = |name: &str, line: &mut Line<'_>| {
        line.text(core::mem::replace(&mut separator, ", "));
        line.text(name);
    };
    for Group { shift, labels } in &WRITTEN {
        let name = labels.get(usize::from(sampler.group(*shift))).map_or("?", Name::as_str);
        option(name, line);
    }
    for (bit, name) in SPECIAL.iter().enumerate() {
        if sampler.special() >> bit & 1 != 0 {
            option(if bit == 2 { "depth" } else { name.as_str() }, line);
        }
    }
    if sampler.bias() != 0 {
        option(if sampler.bias() < 0 { "-" } else { "" }, line);
        let eighths = u64::from(sampler.bias().unsigned_abs());
        line.dec(eighths / 8);
        line.byte(b'.');
        let fraction = eighths % 8 * 125;
        [100, 10, 1].iter().for_each(|d| line.byte(b'0' + (fraction / d % 10) as u8));
        line.text("000");
    }
    line.byte(b'>');
}
