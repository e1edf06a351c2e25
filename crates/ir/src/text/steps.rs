//! Prints and parses lifted programs.

use super::lexer::{Lexer, Token};
use super::parse::{Parser, Section};
use super::print::Printer;
use super::words::{Parsed, fault, number, sign};
use crate::*;
use alloc::{format, string::String};
use core::fmt::{Result as Written, Write as _};
use shisa_diag::Span;

/// The program as text. If [`verify_lifted`](crate::verify_lifted) accepts the program and its steps are consecutive in
/// its arena, [`super::parse_lifted`] parses the text into an equal program.
pub fn print_lifted(lifted: &Lifted) -> String {
    let mut p = Printer::new(lifted.files, &lifted.nodes);
    // Writing to a string cannot fail.
    let _ = p.lifted(lifted);
    p.out
}

impl Printer<'_> {
    fn lifted(&mut self, lifted: &Lifted) -> Written {
        self.textures()?;
        let steps = lifted.steps.iter().map(|s| ("step", s));
        for (word, step) in steps.chain(lifted.implied.iter().map(|s| ("implied", s))) {
            write!(self.out, "{word} {:#x} next {:#x}", step.pc, step.next)?;
            if let Some(guard) = step.guard {
                write!(self.out, " guard {guard:?}")?;
            }
            self.out.push_str(if step.whole_wave { " whole_wave:\n" } else { ":\n" });
            let end = step.nodes.end.min(lifted.nodes.list.len() as u32);
            (step.nodes.start..end).try_for_each(|v| self.line(Value(v)))?;
            self.control(&step.control)?;
        }
        self.unused()
    }

    fn control(&mut self, control: &Control) -> Written {
        match control.op.word() {
            (word, Some(n)) => write!(self.out, "  {word} {n}"),
            (word, None) => write!(self.out, "  {word}"),
        }?;
        if let Some(cond) = control.cond {
            write!(self.out, " if {cond:?}")?;
        }
        if let Some(target) = control.place {
            write!(self.out, " at {target:?}")?;
        }
        for (word, n) in [("to", control.target), ("extra", control.extra)] {
            if n != 0 {
                write!(self.out, " {word} {n:#x}")?;
            }
        }
        self.out.push('\n');
        Ok(())
    }
}

impl Parser {
    /// A step header or a control operation.
    pub(super) fn step_line(&mut self, word: &str, span: Span, l: &mut Lexer<'_>) -> Parsed<()> {
        if let "step" | "implied" = word {
            return self.step_header(word == "implied", span, l);
        }
        let Some(op) = ControlOp::from_word(word, || number(l, 0, 255).map(|n| n as u8))? else {
            return fault(span, format!("`{word}` is neither a step nor its control operation"));
        };
        if self.section != Section::Block {
            return fault(span, "a control operation must follow a step");
        }
        self.section = Section::Between;
        let mut control = Control { op, ..Control::default() };
        while let Token::Word(word) = l.peek() {
            let (_, span) = l.next()?;
            match word {
                "if" => control.cond = Some(self.value(l)?),
                "at" => control.place = Some(self.value(l)?),
                "to" => control.target = number(l, 0, u32::MAX.into())? as u32,
                "extra" => control.extra = number(l, 0, u32::MAX.into())? as u32,
                _ => return fault(span, "expected if, at, to or extra"),
            }
        }
        self.last_step(|step| step.control = control);
        Ok(())
    }

    /// `step 0x4 next 0x5 guard %3 whole_wave:`
    fn step_header(&mut self, implied: bool, span: Span, l: &mut Lexer<'_>) -> Parsed<()> {
        if self.section == Section::Block {
            return fault(span, "the previous step has no control operation");
        }
        if self.section == Section::Unused || !implied && !self.implied.is_empty() {
            return fault(span, "steps come first, then implied ones, then what is unused");
        }
        let pc = number(l, 0, u32::MAX.into())? as u32;
        let (token, span) = l.next()?;
        if token != Token::Word("next") {
            return fault(span, "expected `next`");
        }
        let next = number(l, 0, u32::MAX.into())? as u32;
        let (mut guard, mut whole_wave) = (None, false);
        while let Token::Word(word) = l.peek() {
            let (_, span) = l.next()?;
            match word {
                "guard" => guard = Some(self.value(l)?),
                "whole_wave" => whole_wave = true,
                _ => return fault(span, "expected guard or whole_wave"),
            }
        }
        let start = self.steps.iter().chain(&self.implied).last().map_or(0, |s| s.nodes.end);
        let step = Step { pc, next, nodes: start..start, guard, whole_wave, control: Control::default() };
        if implied {
            self.implied.push(step)
        } else {
            self.steps.push(step)
        }
        self.section = Section::Block;
        sign(l, ':')
    }

    /// Appends an operation to the current step. The operations of a step have consecutive numbers.
    pub(super) fn step_value(&mut self, v: Value, span: Span) -> Parsed<()> {
        let mut fits = true;
        self.last_step(|step| {
            if step.nodes.is_empty() {
                step.nodes = v.0..v.0;
            }
            fits = step.nodes.end == v.0 && v.0 < u32::MAX;
            step.nodes.end = v.0.saturating_add(1);
        });
        if fits { Ok(()) } else { fault(span, "the operations of a step are numbered one after the other") }
    }

    fn last_step(&mut self, f: impl FnOnce(&mut Step)) {
        if let Some(step) = self.implied.last_mut().or(self.steps.last_mut()) {
            f(step);
        }
    }
}
