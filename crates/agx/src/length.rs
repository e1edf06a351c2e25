//! How long instructions are.

use crate::{Agx, Attr, Ctx, Syntax, forms::LENGTHS, operand::AgxLift};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Insn, Kind, Line, Operand, Scan};

/// Bytes of the longest instruction.
const MOST: usize = 12;

/// What so many bytes of a word leave.
static MASKS: [u128; MOST + 1] = {
    let (mut masks, mut bytes) = ([0; MOST + 1], 1);
    while bytes <= MOST {
        masks[bytes] = masks[bytes - 1] << 8 | 0xff;
        bytes += 1;
    }
    masks
};

/// Bytes of an instruction.
#[inline]
pub fn length(insn: &Insn<Agx>) -> usize {
    LENGTHS.get(insn.number()).map_or(0, |attr| bytes(attr, insn.word))
}

#[inline]
fn bytes(attr: &Attr, word: u128) -> usize {
    let long = word as u64 >> (attr.bit & 63) & 1 != 0;
    usize::from(if long { attr.long } else { attr.short })
}

/// The instruction at the start of `code`; `None` when there is none or it is cut off.
#[inline]
pub fn fetch(code: &[u8]) -> Option<Insn<Agx>> {
    match code.first_chunk() {
        Some(bytes) => decode(u128::from_le_bytes(*bytes), MOST),
        None => last(code),
    }
}

/// The same near the end of the code.
#[cold]
fn last(code: &[u8]) -> Option<Insn<Agx>> {
    let mut bytes = [0; 16];
    bytes[..code.len()].copy_from_slice(code);
    decode(u128::from_le_bytes(bytes), code.len())
}

/// The instruction at the start of a word of which so many bytes are there.
#[inline]
fn decode(word: u128, there: usize) -> Option<Insn<Agx>> {
    Insn::decode_part(word, |row| {
        let length = bytes(LENGTHS.get(row)?, word);
        (length <= there).then_some(word & MASKS.get(length)?)
    })
}

/// The instructions of code with their offsets, up to bytes that are none.
pub fn instructions(code: &[u8]) -> impl Iterator<Item = (usize, Insn<Agx>)> + '_ {
    let mut next = 0;
    core::iter::from_fn(move || {
        let (at, insn) = (next, fetch(code.get(next..)?)?);
        next += length(&insn);
        Some((at, insn))
    })
}

/// Code up to the first `trap`, which stands behind every program.
pub fn up_to_trap(code: &[u8]) -> &[u8] {
    let trap = instructions(code).find(|(_, insn)| insn.form().name == "trap");
    trap.and_then(|(at, _)| code.get(..at)).unwrap_or(code)
}

/// The bit that chooses the long form.
#[derive(Debug)]
pub(crate) struct Long {
    /// Bytes of the short form.
    pub(crate) short: u32,
    /// Whether the long form is taken where the short one would do.
    pub(crate) usual: bool,
}

impl Long {
    /// Whether only the long form can hold the word.
    fn needed(&self, word: u128) -> bool {
        word >> (8 * self.short) != 0
    }
}

impl Kind<Agx> for Long {
    fn describe(&self) -> &'static str {
        "length"
    }

    /// All bits behind the short form do, where it is written.
    fn decided_by(&self, _: &Operand<Agx>, ctx: Ctx) -> Option<u128> {
        (ctx.syntax != Syntax::Full).then_some(0)
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text(if op.field.get(&insn.word) != 0 { "long" } else { "short" });
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let long = match text.word() {
            "long" => true,
            "short" if !self.needed(*word) => false,
            "short" => {
                return Err(Diagnostic::error("asm-length", "the short form cannot hold these operands")
                    .at_text(text.since(at), ""));
            }
            _ => {
                return Err(
                    Diagnostic::error("asm-operand", "expected long or short").at_text(text.since(at), "")
                );
            }
        };
        op.field.set(word, u64::from(long));
        Ok(())
    }

    /// The short form has nothing behind its end. Other tools do not write the length.
    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        let long = op.field.get(&insn.word) != 0;
        ctx.syntax == Syntax::Full && (long || !self.needed(insn.word))
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Agx>, word: &mut u128) {
        op.field.set(word, u64::from(self.usual || self.needed(*word)));
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        ctx.syntax == Syntax::Full && self.unusual(op, insn)
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Long {
    /// Whether the form is not the one taken when nothing is said.
    fn unusual(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> bool {
        let bit = op.field.get(&insn.word);
        let mut bare = insn.word;
        op.field.set(&mut bare, 0);
        (bit != 0) != (self.usual || self.needed(bare))
    }
}
