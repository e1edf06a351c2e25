//! Arrays of constants: `.constfa`.

use super::assembler::Assembler;
use super::block::{Array, Kind};
use super::constant_values::FLOAT;
use super::register::{Alias, Bank, FLOATS};
use super::source_text::{Args, Piece, identifier};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;

impl<'s> Assembler<'_, 's> {
    /// `.constfa`: opens an array, or adds an element to it.
    pub(super) fn constant_array(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let inside = matches!(self.blocks.last(), Some(b) if matches!(b.kind, Kind::Array(_)));
        if inside { self.array_element(args) } else { self.open_array(args) }
    }

    fn open_array(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let text = args.want_comma("a name")?;
        let opened = self.array_head(text, args);
        let (name, size) = *opened.as_ref().unwrap_or(&(Piece::default(), None));
        self.open(Kind::Array(Array { name, size, elements: Vec::new() }))?;
        opened.map(drop)
    }

    fn array_head(
        &mut self,
        text: Piece<'s>,
        args: &Args<'s>,
    ) -> Result<(Piece<'s>, Option<usize>), Diagnostic> {
        args.end()?;
        let (name, inside) = text.cut(b"[");
        let Some(inside) = inside else {
            let d = text.error("pica-constant-array", "the array lacks brackets");
            return Err(d.help("write .constfa name[] or .constfa name[size]"));
        };
        let (inside, behind) = inside.cut(b"]");
        let Some(behind) = behind else { return Err(text.error("pica-index", "the bracket is not closed")) };
        if !behind.trim().is_empty() {
            return Err(behind.trim().error("pica-operand-count", "nothing more is expected here"));
        }
        let (name, inside) = (name.trim_end(), inside.trim());
        let mut size = None;
        if !inside.is_empty() {
            match self.size(inside) {
                Ok(read) => size = Some(read as usize),
                Err(d) => self.report(d),
            }
        }
        match identifier(name.text) {
            true => Ok((name, size)),
            false => Err(name.error("pica-name", "this cannot be the name of an array")),
        }
    }

    fn array_element(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let full = match self.blocks.last().map(|b| &b.kind) {
            Some(Kind::Array(a)) => a.size.filter(|s| *s <= a.elements.len()),
            _ => None,
        };
        if let Some(size) = full {
            let text = format!("the array has only {size} elements");
            return Err(self.line.error("pica-constant-array", text));
        }
        if !args.rest.text.starts_with('(') {
            return Err(args.rest.error("pica-operand-count", "four numbers in parentheses are expected"));
        }
        args.rest = args.rest.skip(1);
        let texts = args.numbers()?;
        let element = self.floats(texts);
        if let Some(Kind::Array(a)) = self.blocks.last_mut().map(|b| &mut b.kind) {
            // Elements past the last register are reported once, at the end.
            if a.elements.len() <= 96 {
                a.elements.push(element.as_ref().copied().unwrap_or_default());
            }
        }
        element?;
        self.dropped(args)
    }

    /// The `.end` of an array: its registers are now known.
    pub(super) fn end_array(&mut self, mut array: Array<'s>) -> Result<(), Diagnostic> {
        if array.name.is_empty() {
            return Ok(());
        }
        if array.size.is_none() && array.elements.is_empty() {
            return Err(self.line.error("pica-constant-array", "the array has no elements"));
        }
        let size = array.size.unwrap_or(array.elements.len());
        let place = self.keep(Bank::Float, size.min(97) as i32, None, array.name);
        let at = place.as_ref().copied().unwrap_or(FLOATS);
        let mut alias = Alias::plain(at, Bank::Float, array.name);
        alias.length = size as i32;
        self.define(array.name, alias)?;
        place?;
        array.elements.resize(size, [0; 4]);
        for (register, data) in (at..).zip(array.elements) {
            self.add_constant(register, (FLOAT, data), array.name);
        }
        Ok(())
    }
}
