//! Directives of our own, for contents of a shader binary that picasso cannot express.

use super::assembler::Assembler;
use super::number;
use super::part::{NameRef, Output, Part};
use super::register::{Alias, BOOLEANS, Bank, FLOATS, INTEGERS};
use super::source_text::{Args, Piece, blank, identifier};
use crate::container::{Constant, GeometryMode, Label, Layout, LineEntry, OutputEntry, Placement, Uniform};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit};

/// An entry's fields: numbers and names with blanks or commas between them.
impl<'s> Args<'s> {
    fn field(&mut self) -> Option<Piece<'s>> {
        let rest = self.rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let quoted = rest.text.starts_with('"');
        let end = match quoted {
            true => rest.skip(1).text.bytes().position(|b| b == b'"').map_or(rest.text.len(), |n| n + 2),
            false => rest.text.bytes().position(|b| blank(b) || b == b',').unwrap_or(rest.text.len()),
        };
        let behind = rest.skip(end).trim_start();
        self.rest = behind.skip(usize::from(behind.text.starts_with(',')));
        Some(rest.part(0, end))
    }

    fn want(&mut self, what: &'static str) -> Result<Piece<'s>, Diagnostic> {
        self.field().ok_or_else(|| self.missing(what))
    }
}

impl<'s> Assembler<'_, 's> {
    /// Executes a directive of our own; `None` if there is none with this name.
    pub(super) fn own_directive(
        &mut self,
        name: &[u8],
        args: &mut Args<'s>,
    ) -> Option<Result<(), Diagnostic>> {
        Some(match name {
            b"nopad" => args.end().map(|()| {
                self.padding = false;
                self.silent = true;
            }),
            b"pool" => self.numbers(args).map(|[version]| self.pool_version = Some(version)),
            b"opdesc" => self.given_descriptor(args),
            b"word" => self.numbers(args).map(|[word]| self.emit(word)),
            b"line" => self.line_entry(args),
            b"names" => self.bytes(args).map(|bytes| self.names = bytes),
            b"layout" => self.given_layout(args),
            b"dvle" => self.begin_program(args),
            b"masks" => self
                .numbers(args)
                .map(|[inputs, outputs]: [u16; 2]| self.part().masks = Some((inputs, outputs))),
            b"geometry" => self.numbers(args).map(|[mode, fixed_start, variable, fixed]: [u8; 4]| {
                self.part().mode = GeometryMode { mode, fixed_start, variable, fixed };
            }),
            b"constant" => self.given_constant(args),
            b"label" => self.given_label(args),
            b"output" => self.given_output(args),
            b"uniform" => self.given_uniform(args),
            b"symbols" => self.bytes(args).map(|bytes| self.part().names = Some(bytes)),
            _ => return None,
        })
    }

    /// A number of 32 bits.
    pub(super) fn number32(&mut self, text: Piece<'s>) -> Result<u32, Diagnostic> {
        self.number(text)
    }

    fn number<N: TryFrom<i64>>(&mut self, text: Piece<'s>) -> Result<N, Diagnostic> {
        let wrong = |what: String| text.error("pica-number", what);
        let read = number::integer(text.text, true).filter(|r| r.bytes == text.text.len());
        let read = read.ok_or_else(|| wrong("a decimal or hexadecimal number is expected".to_owned()))?;
        N::try_from(read.value).map_err(|_| {
            text.error("pica-value-range", format!("a number of {} bits is expected", 8 * size_of::<N>()))
        })
    }

    fn numbers<N: TryFrom<i64> + Default + Copy, const COUNT: usize>(
        &mut self,
        args: &mut Args<'s>,
    ) -> Result<[N; COUNT], Diagnostic> {
        let mut numbers = [N::default(); COUNT];
        for n in &mut numbers {
            let text = args.want("a number")?;
            *n = self.number(text)?;
        }
        args.end()?;
        Ok(numbers)
    }

    /// Text in quotes, with `\xNN` for bytes.
    fn quoted(&mut self, text: Piece<'s>) -> Result<Vec<u8>, Diagnostic> {
        let inside = text.text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        let Some(mut rest) = inside.filter(|_| text.text.len() > 1) else {
            return Err(text.error("pica-text", "text in quotes is expected"));
        };
        let mut bytes = Vec::with_capacity(rest.len());
        while let Some((before, behind)) = rest.split_once('\\') {
            bytes.extend_from_slice(before.as_bytes());
            let digits = behind.strip_prefix('x').and_then(|b| b.get(..2));
            let byte = digits.and_then(|d| u8::from_str_radix(d, 16).ok());
            let Some(byte) = byte else {
                return Err(
                    text.error("pica-text", "x and two hexadecimal digits are expected after a backslash")
                );
            };
            bytes.push(byte);
            rest = behind.get(3..).unwrap_or_default();
        }
        bytes.extend_from_slice(rest.as_bytes());
        Ok(bytes)
    }

    fn bytes(&mut self, args: &mut Args<'s>) -> Result<Vec<u8>, Diagnostic> {
        let text = args.want("text")?;
        args.end()?;
        self.quoted(text)
    }

    /// A name in quotes, or an offset.
    fn name_ref(&mut self, text: Piece<'s>) -> Result<NameRef, Diagnostic> {
        Ok(match text.text.starts_with('"') {
            true => NameRef::Text(self.quoted(text)?),
            false => NameRef::Offset(self.number(text)?),
        })
    }

    fn given_descriptor(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let place = args.want("the number of the descriptor")?;
        let bits = args.want("the bits")?;
        let flags = args.field();
        args.end()?;
        let number: u32 = self.number(place)?;
        let bits = self.number(bits)?;
        let flags = flags.map_or(Ok(0), |f| self.number(f))?;
        match self.descriptors.fix(number as usize, bits, flags) {
            true => Ok(()),
            false => Err(place.error("pica-descriptors", "descriptors are numbered from 0 to 127")),
        }
    }

    fn line_entry(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want("a file")?;
        let line = args.want("a line")?;
        args.end()?;
        let name = self.name_ref(name)?;
        let line = self.number(line)?;
        self.limits.check(Limit::Instructions, "lines", self.lines.len() + 1)?;
        let name = match name {
            NameRef::Offset(offset) => offset,
            NameRef::Text(bytes) => self.name_offset(&bytes),
        };
        self.lines.push(LineEntry { name, line });
        Ok(())
    }

    fn given_layout(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let what = args.want("what lies there")?;
        match what.text {
            "header" => {
                let [header] = self.numbers(args)?;
                self.lay(|l| l.header = header);
            }
            "pool" => {
                let pool = self.numbers(args)?;
                self.lay(|l| l.pool = pool);
            }
            "program" => {
                let [at, tables @ ..]: [u32; 6] = self.numbers(args)?;
                self.limits.check(Limit::Programs, "programs", self.parts.len())?;
                self.lay(|l| l.programs.push(Placement { at, tables }));
            }
            "size" => {
                let [size] = self.numbers(args)?;
                self.lay(|l| l.size = size);
            }
            "rest" => {
                let at = args.want("an offset")?;
                let at = self.number(at)?;
                let bytes = self.bytes(args)?;
                self.lay(|l| l.rest.push((at, bytes)));
            }
            _ => {
                let d = what.error("pica-unknown-name", "a layout has no part of this name");
                return Err(d.help("header, pool, program, size or rest"));
            }
        }
        Ok(())
    }

    fn lay(&mut self, f: impl FnOnce(&mut Layout)) {
        f(self.layout.get_or_insert_with(Layout::default));
    }

    fn begin_program(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        self.limits.check(Limit::Programs, "programs", self.parts.len() + 1)?;
        self.end_part();
        let mut part = Part::new(self.source);
        let mut next = || args.field();
        let (version, kind, flags) = (next(), next(), next());
        args.end()?;
        if let Some(text) = version {
            part.version = self.number(text)?;
        }
        part.kind = kind.map(|text| self.number(text)).transpose()?;
        part.flags = flags.map(|text| self.number(text)).transpose()?;
        self.current = Some(self.parts.len());
        self.parts.push(part);
        Ok(())
    }

    fn given_constant(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let [kind, register, data @ ..]: [u32; 6] = self.numbers(args)?;
        let half =
            |n: u32| u16::try_from(n).map_err(|_| args.command.error("pica-value-range", "16 bits fit"));
        let constant = Constant { kind: half(kind)?, register: half(register)?, data };
        self.part().constants.push(constant);
        Ok(())
    }

    fn given_label(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let mut texts = [Piece::default(); 4];
        for text in &mut texts {
            *text = args.want("a field of the label")?;
        }
        args.end()?;
        let [id, at, length, name] = texts;
        let (id, at, length) = (self.number(id)?, self.number(at)?, self.number(length)?);
        let name = self.name_ref(name)?;
        self.part().labels.push((name, Label { id, at, length, name: 0 }));
        Ok(())
    }

    fn given_output(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let place = args.command;
        let mut numbers = [0; 4];
        for (i, n) in numbers.iter_mut().enumerate() {
            match args.field() {
                Some(text) => *n = self.number(text)?,
                None if i == 3 => {}
                None => return Err(args.missing("a number")),
            }
        }
        args.end()?;
        let [kind, register, mask, unknown] = numbers;
        self.part().outputs.push(Output { entry: OutputEntry { kind, register, mask, unknown }, place });
        Ok(())
    }

    fn given_uniform(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let text = args.want("a name")?;
        let (first, last) = (args.want("the first register")?, args.want("the last register")?);
        args.end()?;
        let name = self.name_ref(text)?;
        let (first, last) = (self.number(first)?, self.number(last)?);
        self.part().uniform_entries.push((name, Uniform { name: 0, first, last }));
        // Names are written in the source's spelling, so only those that need no change can be used.
        let inside = text.part(1, text.text.len().saturating_sub(1));
        if text.text.starts_with('"') && identifier(inside.text) && !self.aliases.contains_key(inside.text) {
            let number = i32::from(first);
            let (bank, at) = match first {
                0..0x10 => (Bank::Input, number),
                0x10..0x70 => (Bank::Float, number - 0x10 + FLOATS),
                0x70..0x74 => (Bank::Integer, number - 0x70 + INTEGERS),
                0x78..0x88 => (Bank::Boolean, number - 0x78 + BOOLEANS),
                _ => return Ok(()),
            };
            self.define(inside, Alias::plain(at, bank, inside))?;
        }
        Ok(())
    }
}
