//! Opening and closing blocks, and the NOPs that are needed at their ends.

use super::assembler::{Assembler, Procedure};
use super::block::{Block, Kind, LONGEST};
use super::source_text::{Args, Piece};
use crate::attributes::Role;
use crate::operand::{self, COUNT, TO};
use crate::{forms, word};
use alloc::format;
use shisa_diag::{Diagnostic, Limit};
use shisa_rows::Slot;

/// The deepest nesting of blocks that picasso allows.
const DEPTH: usize = 32;

impl<'s> Assembler<'_, 's> {
    /// Opens a block at the next word.
    pub(super) fn open(&mut self, kind: Kind<'s>) -> Result<(), Diagnostic> {
        if self.blocks.len() >= DEPTH {
            return Err(self.line.error("pica-block", format!("blocks are nested more than {DEPTH} deep")));
        }
        self.blocks.push(Block { kind, at: self.code.len(), place: self.line });
        Ok(())
    }

    /// `.proc NAME`
    pub(super) fn procedure(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want_comma("a name");
        if let Ok(name) = &name {
            self.first_procedure.get_or_insert(*name);
        }
        let opened = self.open(Kind::Procedure(name.as_ref().copied().unwrap_or_default()));
        let name = name?;
        args.end()?;
        opened?;
        self.limits.check(Limit::Labels, "procedures", self.procedures.len() + 1)?;
        if let Some(before) = self.procedures.get(name.text) {
            let d = name.error("pica-duplicate-name", format!("there is a procedure {} already", name.text));
            return Err(self.refer(d, before.source, before.place, "the first"));
        }
        Ok(())
    }

    /// Inserts a NOP, or reports that one is missing. It belongs to the block that just closed, if one did.
    fn pad(&mut self, closed: Option<(Piece<'s>, u32)>) {
        if self.padding {
            let here = (self.line, self.line_number);
            (self.line, self.line_number) = closed.unwrap_or(here);
            self.emit(forms::NOP);
            (self.line, self.line_number) = here;
        } else if !self.silent {
            let d = Diagnostic::warning("pica-flow-at-end", "a NOP is required here, or this has no effect");
            let last = self.places.last().map_or(self.line.span(), |p| p.span());
            self.report(d.at_text(last, "last word of a block").help("assemble without --no-nop"));
        }
    }

    /// Whether a block of `length` words, with the word that opens it, needs a NOP at its end.
    fn needs_nop(&self, lengths: core::ops::Range<usize>, breaks: bool, length: usize) -> bool {
        let Some(last) = self.code.last() else { return false };
        let moves = match word::decode(*last, &[]).map(|insn| insn.form().attr.role) {
            Some(Role::Call | Role::Jump) => true,
            Some(Role::Break) => breaks,
            // Conditions and loops open blocks, whose ends need a NOP themselves.
            Some(
                Role::Condition
                | Role::Loop
                | Role::Compute
                | Role::Address
                | Role::Compare
                | Role::Nop
                | Role::End
                | Role::SetEmit
                | Role::Emit,
            )
            | None => false,
        };
        moves || lengths.contains(&length)
    }

    /// `.else`
    pub(super) fn otherwise(&mut self, args: &Args<'s>) -> Result<(), Diagnostic> {
        args.end()?;
        let place = args.command;
        let (at, before) = match self.blocks.last() {
            Some(Block { kind: Kind::Condition(before), at, .. }) => (*at, *before),
            _ => return Err(place.error("pica-block", "this .else does not belong to a condition")),
        };
        if before.is_some() {
            return Err(place.error("pica-block", "this condition has an .else already"));
        }
        let length = self.code.len() - at;
        let closed = self.closed.take();
        if closed.is_some() || self.needs_nop(0..2, false, length) {
            self.pad(closed);
        }
        let here = self.code.len();
        if let Some(Block { kind: Kind::Condition(other), .. }) = self.blocks.last_mut() {
            *other = Some(here);
        }
        self.set_operand(at, TO, here);
        Ok(())
    }

    /// `.end`
    pub(super) fn end(&mut self, args: &Args<'s>) -> Result<(), Diagnostic> {
        args.end()?;
        let Some(block) = self.blocks.pop() else {
            return Err(args.command.error("pica-block", "this .end closes nothing"));
        };
        let length = self.code.len() - block.at;
        let needed = match block.kind {
            Kind::Array(array) => return self.end_array(array),
            _ if self.closed.is_some() => true,
            Kind::Procedure(_) => self.needs_nop(0..1, false, length),
            Kind::Loop => self.needs_nop(0..2, true, length),
            Kind::Condition(_) => self.needs_nop(0..2, false, length),
        };
        if needed {
            let closed = self.closed.take();
            self.pad(closed);
        }
        let here = self.code.len();
        match block.kind {
            Kind::Procedure(name) => {
                let length = here - block.at;
                let nested = self.blocks.iter().any(|b| matches!(b.kind, Kind::Procedure(_)));
                let source = self.source;
                let found = Procedure { at: block.at, length, place: name, source, called: nested };
                self.procedures.entry(name.text).or_insert(found);
                self.defined.push(name.text);
            }
            Kind::Loop => {
                self.set_operand(block.at, TO, here - 1);
                self.closed = Some((self.line, self.line_number));
            }
            Kind::Condition(None) => {
                self.set_operand(block.at, TO, here);
                self.closed = Some((self.line, self.line_number));
            }
            Kind::Condition(Some(other)) => {
                let words = here - other;
                if words > LONGEST {
                    let text = format!("the .else part has {words} words, {LONGEST} fit");
                    let d = block.place.error("pica-block-length", text);
                    self.quirk(d.help("move a part of it into a procedure"))?;
                }
                self.set_operand(block.at, COUNT, words);
                self.closed = Some((self.line, self.line_number));
            }
            Kind::Array(_) => {}
        }
        Ok(())
    }

    /// Sets an operand of an instruction: a target, or a number of words. Bits of a number that is too large for the
    /// operand change those above it, as in picasso.
    pub(super) fn set_operand(&mut self, word: usize, slot: Slot, number: usize) {
        let Some(word) = self.code.get_mut(word) else { return };
        let Some(insn) = word::decode(*word, &[]) else { return };
        if let Some(op) = insn.form().operand(slot) {
            *word &= !word::split(op.field.mask()).0;
            *word |= word::split(operand::spilled(op, number as u64)).0;
        }
    }

    /// Reports the blocks that are open at the end of a file.
    pub(super) fn unclosed(&mut self) {
        for block in core::mem::take(&mut self.blocks) {
            let what = match block.kind {
                Kind::Procedure(name) => {
                    // Its name is defined, so that its uses are not faults too.
                    let found = Procedure {
                        at: block.at,
                        length: self.code.len() - block.at,
                        place: name,
                        source: self.source,
                        called: true,
                    };
                    self.procedures.entry(name.text).or_insert(found);
                    "procedure"
                }
                Kind::Loop => "loop",
                Kind::Condition(_) => "condition",
                Kind::Array(_) => "array",
            };
            let d = block.place.error("pica-block", format!("this {what} is not closed"));
            self.report(d.help("close it with .end"));
        }
    }
}
