//! Instructions that test something or move control.

use super::assembler::{Assembler, Reference};
use super::block::Kind;
use super::conditions::condition;
use super::instruction::set;
use super::mnemonics::Row;
use super::register::{Bank, INTEGERS, Register};
use super::source_text::{Args, Piece, identifier};
use crate::attributes::Role;
use crate::operand::{self, COUNT, TEST, TO, Tested};
use alloc::format;
use shisa_diag::Diagnostic;

impl<'s> Assembler<'_, 's> {
    /// An instruction that opens no block and has no target word.
    pub(super) fn plain(&mut self, row: Row, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let mut word = row.template();
        self.test(row, args, &mut word)?;
        args.end()?;
        self.emit(word as u32);
        Ok(())
    }

    /// A call or a jump: to a name, or to a word by its number.
    pub(super) fn goes(&mut self, row: Row, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let mut word = row.template();
        self.test(row, args, &mut word)?;
        let name = args.want_comma("a name")?;
        if name.text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.go_to_number(row, word, name, args);
        }
        args.end()?;
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be a name"));
        }
        let at = self.code.len();
        self.emit(word as u32);
        let list = if row.attr.role == Role::Call { &mut self.calls } else { &mut self.jumps };
        list.push(Reference { word: at, name, source: self.source });
        Ok(())
    }

    /// A condition or a loop: opens a block, or has word numbers. It opens the block even if its test is faulty, so
    /// that its `.end` is not a fault, too.
    pub(super) fn opens(&mut self, row: Row, block: Kind<'s>, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let mut word = row.template();
        let test = self.test(row, args, &mut word);
        if let (Ok(()), false) = (&test, args.rest.is_empty()) {
            let to = args.want_comma("a word")?;
            return self.go_to_number(row, word, to, args);
        }
        self.open(block)?;
        self.emit(word as u32);
        test
    }

    /// Numbers in place of a name or a block.
    fn go_to_number(
        &mut self,
        row: Row,
        mut word: u64,
        to: Piece<'s>,
        args: &mut Args<'s>,
    ) -> Result<(), Diagnostic> {
        let to = self.integer(to, 0..=0xfff)?;
        set(&mut word, row, TO, to as u64);
        if row.operand(COUNT).is_some() {
            let words = args.want_comma("how many words")?;
            let words = self.integer(words, 0..=0xff)?;
            set(&mut word, row, COUNT, words as u64);
        }
        args.end()?;
        self.emit(word as u32);
        Ok(())
    }

    /// Reads the condition, boolean or integer vector that an instruction tests, if it tests one.
    fn test(&mut self, row: Row, args: &mut Args<'s>, word: &mut u64) -> Result<(), Diagnostic> {
        let Some(op) = row.operand(TEST) else { return Ok(()) };
        match Tested::of(op) {
            Some(Tested::Integer) => {
                let text = args.want_comma("an integer uniform")?;
                let r = self.plain_register(text)?;
                if !(INTEGERS..INTEGERS + 8).contains(&r.number) {
                    return Err(text.error("pica-operand", "an integer uniform is expected"));
                }
                self.whole(&r)?;
                *word |= operand::spilled(op, (r.number - INTEGERS) as u64);
            }
            Some(Tested::Boolean { negatable }) => {
                let text = args.want_comma("a boolean uniform")?;
                let not = text.text.starts_with('!');
                if not && !negatable {
                    let d = text.error("pica-condition", format!("{} cannot test for false", row.name));
                    return Err(d.help("only jmpu can; or exchange the two parts"));
                }
                let name = text.skip(usize::from(not)).trim_start();
                let r = self.plain_register(name)?;
                let number = r.number - Bank::Boolean.base();
                if !(0..16).contains(&number) {
                    return Err(name.error("pica-operand", "a boolean uniform is expected"));
                }
                self.whole(&r)?;
                op.field.set(word, operand::boolean(number as u64, !not));
            }
            Some(Tested::Flags) => {
                let text = args.want_comma("a condition")?;
                op.field.set(word, condition(text)?);
            }
            None => {}
        }
        Ok(())
    }

    /// Integer and boolean uniforms have no sign and no components.
    fn whole(&mut self, r: &Register<'s>) -> Result<(), Diagnostic> {
        if r.negated || !r.letters.is_empty() {
            let text = format!("{} has no sign and no components", r.bank.name());
            self.quirk(r.place.error("pica-operand", text))?;
        }
        Ok(())
    }
}
