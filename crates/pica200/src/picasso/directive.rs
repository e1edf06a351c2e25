//! Directives: lookup by name, and those about a program's inputs and outputs.

use super::assembler::Assembler;
use super::directives::DIRECTIVES;
use super::part::{Entry, Output, Symbol, geometry_spaces};
use super::register::{Alias, Bank, FLOATS, Register, STRAIGHT, swizzle};
use super::source_text::{Args, Piece, identifier};
use crate::container::{DUMMY, OutputEntry};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::nearest;

/// Meanings of outputs: names and number.
pub const PROPERTIES: [(&str, u16); 16] = [
    ("position", 0),
    ("pos", 0),
    ("normalquat", 1),
    ("nquat", 1),
    ("color", 2),
    ("clr", 2),
    ("texcoord0", 3),
    ("tcoord0", 3),
    ("texcoord0w", 4),
    ("tcoord0w", 4),
    ("texcoord1", 5),
    ("tcoord1", 5),
    ("texcoord2", 6),
    ("tcoord2", 6),
    ("view", 8),
    ("dummy", DUMMY),
];
/// Outputs that can have a meaning.
const MEANT: i32 = 7;
/// Entries of the table of outputs.
const OUTPUTS: usize = 16;

/// Whether bytes look like a source: they begin like a listing, or the first line that is not a comment begins with a
/// directive. Old sources have comments in many encodings.
pub fn sniff(bytes: &[u8]) -> bool {
    if bytes.starts_with(crate::LISTING.as_bytes()) {
        return true;
    }
    let code = |line: &&[u8]| !matches!(line.first(), None | Some(b';' | b'#'));
    let first = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).find(code);
    let name = first.and_then(|line| line.strip_prefix(b".")).map(|line| {
        let end = line.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(line.len());
        &line[..end]
    });
    name.is_some_and(|name| DIRECTIVES.iter().any(|d| d.bare().as_bytes().eq_ignore_ascii_case(name)))
        && !bytes.contains(&0)
}

impl<'s> Assembler<'_, 's> {
    /// Executes a directive.
    pub(super) fn directive(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.command.skip(1);
        let mut lower = [0; 8];
        let Some(place) = lower.get_mut(..name.text.len()) else { return Err(unknown(args.command)) };
        place.copy_from_slice(name.text.as_bytes());
        place.make_ascii_lowercase();
        match &*place {
            b"proc" => self.procedure(args),
            b"else" => self.otherwise(args),
            b"end" => self.end(args),
            b"alias" => self.alias(args),
            b"fvec" => self.uniforms(Bank::Float, args),
            b"ivec" => self.uniforms(Bank::Integer, args),
            b"bool" => self.uniforms(Bank::Boolean, args),
            b"constf" => self.part_then(args, |a, args| a.constant(Bank::Float, args)),
            b"consti" => self.part_then(args, |a, args| a.constant(Bank::Integer, args)),
            b"constfa" => self.constant_array(args),
            b"in" => self.part_then(args, Self::input),
            b"out" => self.part_then(args, Self::output),
            b"entry" => self.part_then(args, Self::entry),
            b"nodvle" => self.part_then(args, Self::no_dvle),
            b"gsh" => self.part_then(args, Self::geometry),
            b"setf" => self.set_vector(Bank::Float, args),
            b"seti" => self.set_vector(Bank::Integer, args),
            b"setb" => self.set_boolean(args),
            _ => match self.own_directive(place, args) {
                Some(done) => done,
                None => Err(unknown(args.command)),
            },
        }
    }

    /// Executes a directive that creates a program even if it is faulty.
    fn part_then(
        &mut self,
        args: &mut Args<'s>,
        obey: impl FnOnce(&mut Self, &mut Args<'s>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.part();
        obey(self, args)
    }

    /// `.in NAME REGISTER`; the register is optional.
    fn input(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want_word("a name")?;
        let register = args.word();
        args.end()?;
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be a name"));
        }
        let found = match register {
            Some(text) => self.input_register(text),
            None => (0..16)
                .find(|n| self.part().inputs >> n & 1 == 0)
                .ok_or_else(|| name.error("pica-interface", "there are only 16 inputs")),
        };
        let at = found.as_ref().copied().unwrap_or(0);
        let mut alias = Alias::plain(at, Bank::Input, name);
        alias.declares = true;
        self.define(name, alias)?;
        found?;
        self.part().inputs |= 1 << at;
        self.part().symbols.push(Symbol { name: name.text, register: at, size: 1 });
        Ok(())
    }

    fn input_register(&mut self, text: Piece<'s>) -> Result<i32, Diagnostic> {
        let r = self.plain_register(text)?;
        if !(0..16).contains(&r.number) {
            return Err(text.error("pica-operand", "an input is expected"));
        }
        if r.bank != Bank::Input {
            let d = text.error("pica-register-bank", "this is an output");
            self.quirk(d.note(format!("picasso takes v{}", r.number)))?;
        }
        Ok(r.number)
    }

    /// `.out NAME PROPERTY REGISTER`; the register is optional; `-` for no name.
    fn output(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want_word("a name")?;
        let property = args.want_word("what it means")?;
        let register = args.word();
        args.end()?;
        let name = (name.text != "-").then_some(name);
        if let Some(name) = name.filter(|n| !identifier(n.text)) {
            return Err(name.error("pica-name", "this cannot be a name"));
        }
        let made = self.make_output(property, register);
        if let Some(name) = name {
            let at = made.as_ref().copied().unwrap_or(0);
            self.define(name, Alias::plain(at, Bank::Output, name))?;
        }
        made.map(drop)
    }

    /// The register of a new output.
    fn make_output(&mut self, property: Piece<'s>, register: Option<Piece<'s>>) -> Result<i32, Diagnostic> {
        let mut chosen = None;
        let (mut selector, mut letters) = (STRAIGHT, "");
        let mut kind = property;
        if let Some(text) = register {
            let r = self.output_register(text)?;
            (selector, letters, chosen) = (r.selector, r.letters, Some((r.number, text)));
        } else if let (before, Some(behind)) = property.cut(b".") {
            let Some(read) = swizzle(behind.text) else {
                return Err(behind.error("pica-swizzle", "a mask is one to four of xyzw, rgba or stpq"));
            };
            if behind.is_empty() {
                let d = property.error("pica-swizzle", "there is no component after the dot");
                self.quirk(d.note("picasso takes x"))?;
            }
            (selector, letters, kind) = (read, behind.text, before);
        }
        self.check_mask(letters, register.unwrap_or(property));
        let found = PROPERTIES.iter().find(|p| kind.is(p.0));
        let Some(&(_, kind)) = found else { return Err(self.unknown_property(kind, register)) };
        if self.part().outputs.len() >= OUTPUTS {
            return Err(property.error("pica-interface", format!("there are at most {OUTPUTS} outputs")));
        }
        let mask = (0..4).fold(0u16, |m, i| m | 1 << (selector >> (2 * i) & 3));
        let outputs = self.outputs();
        let at = match chosen {
            Some((at, _)) => at,
            None => (0..outputs).find(|n| self.part().output_mask >> n & 1 == 0).ok_or_else(|| {
                property.error("pica-interface", format!("there are only {outputs} outputs"))
            })?,
        };
        let place = chosen.map_or(property, |c| c.1);
        let taken = |o: &&Output<'s>| i32::from(o.entry.register) == at && o.entry.mask & mask != 0;
        if let Some(before) = self.part().outputs.iter().find(taken).copied() {
            let d = place.error("pica-output-taken", "these components have a meaning already");
            return Err(d.at_text(before.place.span(), "here"));
        }
        if at >= MEANT && kind != DUMMY {
            let d = place.error("pica-output-register", format!("o{at} can only be a dummy"));
            return Err(d.note("only o0 to o6 leave the shader with a meaning"));
        }
        let before = self.part().outputs.iter().find(|o| o.entry.kind == kind && kind != DUMMY).copied();
        if let Some(before) = before.filter(|b| i32::from(b.entry.register) != at) {
            let d = Diagnostic::warning("pica-property-twice", "another output has this meaning already");
            self.report(d.at_text(property.span(), "").at_text(before.place.span(), "the other"));
        }
        let part = self.part();
        let entry = OutputEntry { kind, register: at as u16, mask, unknown: 0 };
        part.outputs.push(Output { entry, place: property });
        part.output_mask |= 1 << at;
        part.merge |= kind == DUMMY && part.own_uniforms();
        part.first_output.get_or_insert(property);
        Ok(at)
    }

    fn output_register(&mut self, text: Piece<'s>) -> Result<Register<'s>, Diagnostic> {
        let r = self.plain_register(text)?;
        let outputs = self.outputs();
        if !(0..outputs).contains(&r.number) {
            return Err(
                text.error("pica-operand", format!("an output from o0 to o{} is expected", outputs - 1))
            );
        }
        if r.bank != Bank::Output {
            let d = text.error("pica-register-bank", "this is an input");
            self.quirk(d.note(format!("picasso takes o{}", r.number)))?;
        }
        Ok(r)
    }

    fn unknown_property(&self, name: Piece<'s>, register: Option<Piece<'s>>) -> Diagnostic {
        let d = name.error("pica-property", "an output cannot have this meaning");
        let stem = name.cut(b".").0;
        match nearest(stem.text, PROPERTIES.iter().map(|p| p.0)) {
            Some(_) if register.is_some() && stem.text != name.text => {
                d.help("the mask follows the register if there is one: o2.xy")
            }
            Some(near) => d.did_you_mean(near),
            None => d.help(
                "position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or dummy",
            ),
        }
    }

    /// `.entry NAME`, or `.entry WORD END`
    fn entry(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want_word("a name")?;
        if name.text.starts_with(|c: char| c.is_ascii_digit()) {
            let end = args.want_word("where it ends")?;
            args.end()?;
            let (start, end) = (self.number32(name)?, self.number32(end)?);
            self.part().entry = Entry::Words(start, end);
            return Ok(());
        }
        args.end()?;
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be a name"));
        }
        self.part().entry = Entry::Named(name);
        Ok(())
    }

    /// `.nodvle`
    fn no_dvle(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        args.end()?;
        let place = args.command;
        self.part().hidden.get_or_insert(place);
        Ok(())
    }

    /// `.gsh MODE FIRST …`
    fn geometry(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let Some(mode) = args.word() else {
            let part = self.part();
            (part.geometry, part.legacy) = (true, true);
            return Ok(());
        };
        let wrong = |text| args.command.error("pica-geometry-mode", text);
        let part = self.part();
        if part.geometry {
            return Err(wrong("this is a geometry program already"));
        }
        if !(part.constants.is_empty() && part.symbols.is_empty() && part.output_mask == 0) {
            let d = wrong("this must come before all constants, uniforms, inputs and outputs");
            return Err(d.note("it determines their registers"));
        }
        let number = match () {
            () if mode.is("point") => 0,
            () if mode.is("variable") || mode.is("subdivision") => 1,
            () if mode.is("fixed") || mode.is("particle") => 2,
            () => {
                let d = mode.error("pica-geometry-mode", "there is no such mode");
                return Err(d.help("point, variable or fixed"));
            }
        };
        part.geometry = true;
        part.mode.mode = number;
        let text = args.want_word("the first free uniform")?;
        let first = self.float_uniform(text)?;
        self.part().spaces = geometry_spaces(first);
        match number {
            1 => {
                let vertices = args.want_word("how many vertices")?;
                args.end()?;
                self.part().mode.variable = self.integer(vertices, 0..=255)? as u8;
            }
            2 => {
                let start_text = args.want_word("the first uniform with vertices")?;
                let text = args.want_word("how many vertices")?;
                args.end()?;
                let start = self.float_uniform(start_text)?;
                let vertices = self.integer(text, 0..=255)?;
                if start >= first {
                    let d = start_text.error("pica-geometry-mode", "this is within the free uniforms");
                    return Err(d.help("vertices come before the first free uniform"));
                }
                if i64::from(start) + vertices > i64::from(first) {
                    let d = Diagnostic::warning(
                        "pica-geometry-mode",
                        "the vertices reach into the free uniforms, even with one register each",
                    );
                    self.report(d.at_text(text.span(), ""));
                }
                let mode = &mut self.part().mode;
                (mode.fixed_start, mode.fixed) = ((start - FLOATS) as u8, vertices as u8);
            }
            _ => args.end()?,
        }
        Ok(())
    }

    fn float_uniform(&mut self, text: Piece<'s>) -> Result<i32, Diagnostic> {
        let r = self.plain_register(text)?;
        match (FLOATS..FLOATS + 96).contains(&r.number) {
            true => Ok(r.number),
            false => Err(text.error("pica-operand", "a float uniform is expected")),
        }
    }
}

fn unknown(name: Piece<'_>) -> Diagnostic {
    let d = name.error("pica-unknown-instruction", "unknown directive");
    match nearest(name.text, DIRECTIVES.iter().map(|d| d.name)) {
        Some(near) => d.did_you_mean(near),
        None => d,
    }
}
