//! Uniforms, constants and other names for registers.

use super::allocation::Space;
use super::assembler::{Assembler, Shared, space_of};
use super::constant_values::{BOOLEAN, INTEGER};
use super::number;
use super::part::Symbol;
use super::register::{Alias, BOOLEANS, Bank, FLOATS, INTEGERS, Register};
use super::source_text::{Args, Piece, identifier};
use crate::container::Constant;
use alloc::format;
use shisa_diag::Diagnostic;

/// A declared uniform: its name, its number of registers, an optional register.
struct Declared<'s> {
    name: Piece<'s>,
    size: i32,
    register: Option<Register<'s>>,
}

impl<'s> Assembler<'_, 's> {
    fn space(&mut self, bank: Bank) -> &mut Space {
        let (own, space) = (self.part().own_uniforms(), space_of(bank));
        if own { &mut self.part().spaces[space] } else { &mut self.spaces[space] }
    }

    /// `.fvec`, `.ivec`, `.bool`: `NAME[SIZE] REGISTER, …`; size and register are optional.
    pub(super) fn uniforms(&mut self, bank: Bank, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        self.part();
        while let Some(text) = args.comma() {
            if let Err(d) = self.uniform(bank, text) {
                self.report(d);
            }
        }
        Ok(())
    }

    fn declared(&mut self, bank: Bank, text: Piece<'s>) -> Result<Declared<'s>, Diagnostic> {
        let (before, inside) = text.cut(b"[");
        let (name, mut behind) = before.cut(b" \t");
        let mut size = 1;
        if let Some(inside) = inside {
            let (inside, rest) = inside.cut(b"]");
            let Some(rest) = rest else { return Err(text.error("pica-index", "the bracket is not closed")) };
            if behind.is_some_and(|b| !b.trim().is_empty()) {
                return Err(before.error("pica-name", "this cannot be a name"));
            }
            // A wrong size is reported, but the name is defined.
            match self.size(inside.trim()) {
                Ok(read) => size = read,
                Err(d) => self.report(d),
            }
            behind = Some(rest);
        }
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be the name of a uniform"));
        }
        let behind = behind.unwrap_or_default().trim();
        if behind.is_empty() {
            return Ok(Declared { name, size, register: None });
        }
        let register = match self.options.picasso_compatible {
            true => None,
            false => Some(self.chosen(bank, behind)?),
        };
        if register.is_none() {
            self.quirk(behind.error("pica-text-ignored", "picasso ignores the text after the bracket"))?;
        }
        Ok(Declared { name, size, register })
    }

    /// The size of an array.
    pub(super) fn size(&mut self, text: Piece<'s>) -> Result<i32, Diagnostic> {
        let size = number::atoi(text.text);
        if size < 1 {
            return Err(text.error("pica-value-range", "an array has at least one register"));
        }
        let exact = number::integer(text.text, false).is_some_and(|r| r.bytes == text.text.len());
        if !exact {
            let d = text.error("pica-number", "this is not a decimal number");
            self.quirk(d.note(format!("picasso takes {size}")))?;
        }
        Ok(size)
    }

    /// The register that a declaration requests.
    fn chosen(&mut self, bank: Bank, text: Piece<'s>) -> Result<Register<'s>, Diagnostic> {
        let r = self.plain_register(text)?;
        if r.bank != bank || r.negated || !r.letters.is_empty() {
            return Err(text.error("pica-operand", format!("{} is expected", bank.name())));
        }
        Ok(r)
    }

    fn uniform(&mut self, bank: Bank, text: Piece<'s>) -> Result<(), Diagnostic> {
        let Declared { name, size, register } = self.declared(bank, text)?;
        let shares = !self.part().own_uniforms();
        let known = self.shared_by_name.get(name.text).filter(|_| shares).map(|i| self.shared[*i]);
        let place = match known {
            Some(known) => same(known, bank, size, register.as_ref(), name),
            None => self.place(bank, size, register, name),
        };
        // The name is defined even if there is no room for it, so that its uses are not faults too.
        let at = place.as_ref().copied().unwrap_or(bank.base());
        let mut alias = Alias::plain(at, bank, name);
        alias.length = size;
        alias.declares = true;
        self.define(name, alias)?;
        place?;
        self.owners.extend((at..at + size).map(|register| (register, name)));
        if shares {
            self.shared_by_name.entry(name.text).or_insert(self.shared.len());
            self.shared.push(Shared { name: name.text, register: at, size, bank });
        }
        if !name.text.starts_with('_') {
            self.part().symbols.push(Symbol { name: name.text, register: at, size });
        }
        Ok(())
    }

    /// Allocates registers for a uniform.
    fn place(
        &mut self,
        bank: Bank,
        size: i32,
        register: Option<Register<'s>>,
        name: Piece<'s>,
    ) -> Result<i32, Diagnostic> {
        let Some(r) = register else {
            return self.space(bank).share(size).ok_or_else(|| no_room(name, bank, size));
        };
        if r.number - bank.base() + size > bank.count() {
            let d = r.place.error("pica-uniform-space", format!("{size} registers do not fit here"));
            return Err(d.note(format!("there are {}", bank.count())));
        }
        match self.space(bank).share_at(r.number, size) {
            true => Ok(r.number),
            false => Err(r.place.error("pica-uniform-space", "these registers are taken already")),
        }
    }

    /// `.constf` and `.consti`: `NAME(X, Y, Z, W) REGISTER`; the register is optional.
    pub(super) fn constant(&mut self, bank: Bank, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let (name, values) = args.vector()?;
        if !identifier(name.text) {
            self.quirk(name.error("pica-name", "this cannot be the name of a constant"))?;
        }
        let data = self.values(bank, values);
        let register = self.after_parenthesis(bank, args)?;
        let place = self.keep(bank, 1, register, name);
        let at = place.as_ref().copied().unwrap_or(bank.base());
        let mut alias = Alias::plain(at, bank, name);
        alias.length = 1;
        self.define(name, alias)?;
        place?;
        self.add_constant(at, data?, name.trim());
        Ok(())
    }

    /// A register for a constant, for which picasso has no syntax.
    fn after_parenthesis(&mut self, bank: Bank, args: &Args<'s>) -> Result<Option<Register<'s>>, Diagnostic> {
        if args.rest.is_empty() {
            return Ok(None);
        }
        if self.options.picasso_compatible || !args.rest.text.starts_with(|c: char| "ci".contains(c)) {
            self.dropped(args)?;
            return Ok(None);
        }
        self.chosen(bank, args.rest).map(Some)
    }

    /// Reports text after a parenthesis, which picasso silently ignores.
    pub(super) fn dropped(&mut self, args: &Args<'s>) -> Result<(), Diagnostic> {
        match args.rest.is_empty() {
            true => Ok(()),
            false => {
                let text = "picasso ignores the text after the parenthesis";
                self.quirk(args.rest.error("pica-text-ignored", text))
            }
        }
    }

    /// Allocates registers that only this file uses.
    pub(super) fn keep(
        &mut self,
        bank: Bank,
        size: i32,
        register: Option<Register<'s>>,
        name: Piece<'s>,
    ) -> Result<i32, Diagnostic> {
        match register {
            None => self.space(bank).keep(size).ok_or_else(|| no_room(name, bank, size)),
            Some(r) if self.space(bank).keep_at(r.number, size) => Ok(r.number),
            Some(r) => Err(r.place.error("pica-uniform-space", "this register is taken already")),
        }
    }

    /// Adds an entry to the table of constants; warns if an earlier entry sets the same register.
    pub(super) fn add_constant(&mut self, register: i32, (kind, data): (u16, [u32; 4]), place: Piece<'s>) {
        let base = match kind {
            BOOLEAN => BOOLEANS,
            INTEGER => INTEGERS,
            _ => FLOATS,
        };
        let constant = Constant { kind, register: (register - base) as u16, data };
        if self.part().sets(register) {
            let text = "the register has a value already; this one is set last";
            self.report(Diagnostic::warning("pica-constant-twice", text).at_text(place.span(), ""));
        }
        self.part().constants.push(constant);
    }

    /// `.setf`, `.seti`: `REGISTER(X, Y, Z, W)`
    pub(super) fn set_vector(&mut self, bank: Bank, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        self.part();
        let (name, values) = args.vector()?;
        self.dropped(args)?;
        let r = self.plain_register(name)?;
        if !(bank.base()..bank.base() + bank.count()).contains(&r.number) {
            return Err(name.error("pica-operand", format!("{} is expected", bank.name())));
        }
        self.over_uniform(&r, name);
        let values = self.values(bank, values)?;
        self.add_constant(r.number, values, name);
        Ok(())
    }

    /// Warns of a register that belongs to a uniform but is not referred to by the uniform's name.
    fn over_uniform(&mut self, r: &Register<'s>, place: Piece<'s>) {
        if r.named {
            return;
        }
        if let Some(uniform) = self.owners.get(&r.number) {
            let d = Diagnostic::warning("pica-constant-over-uniform", "this register belongs to a uniform");
            let d = d.at_text(place.span(), "").at_text(uniform.span(), "the uniform");
            self.report(d);
        }
    }

    /// `.setb REGISTER VALUE`
    pub(super) fn set_boolean(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        self.part();
        let name = args.want_word("a boolean uniform")?;
        let value = args.want_word("a value")?;
        args.end()?;
        let r = self.plain_register(name)?;
        if !(BOOLEANS..BOOLEANS + 16).contains(&r.number) {
            return Err(name.error("pica-operand", "a boolean uniform is expected"));
        }
        let is = |words: [&str; 3]| words.iter().any(|w| value.is(w));
        let value = match (is(["true", "on", "1"]), is(["false", "off", "0"])) {
            (true, _) => 1,
            (_, true) => 0,
            _ => {
                let d = value.error("pica-number", "true or false is expected");
                return Err(d.help("also on, off, 1, 0"));
            }
        };
        self.over_uniform(&r, name);
        self.add_constant(r.number, (BOOLEAN, [value, 0, 0, 0]), name);
        Ok(())
    }

    /// `.alias NAME REGISTER`
    pub(super) fn alias(&mut self, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let name = args.want_word("a name")?;
        let text = args.want_word("a register")?;
        args.end()?;
        if !identifier(name.text) {
            return Err(name.error("pica-name", "this cannot be a name"));
        }
        let mut bytes = name.text.bytes();
        let letter = bytes.next().is_some_and(|b| b"ovrcib".contains(&b.to_ascii_lowercase()));
        if letter && bytes.next().is_some_and(|b| b.is_ascii_digit()) {
            return Err(name.error("pica-name", "registers keep their names"));
        }
        let register = self.plain_register(text);
        let mut alias = Alias::plain(0, Bank::Float, name);
        if let Ok(r) = &register {
            alias = Alias { negated: r.negated, selector: r.selector, ..alias };
            (alias.register, alias.bank) = (r.number, r.bank);
        }
        self.define(name, alias)?;
        register.map(drop)
    }
}

fn no_room(name: Piece<'_>, bank: Bank, size: i32) -> Diagnostic {
    let text = format!("no room for {} ({size} of {} registers)", name.text, bank.count());
    name.error("pica-uniform-space", text)
}

/// The register of a uniform that another file declares too.
fn same(
    known: Shared<'_>,
    bank: Bank,
    size: i32,
    register: Option<&Register<'_>>,
    name: Piece<'_>,
) -> Result<i32, Diagnostic> {
    let wrong = |text| Err(name.error("pica-uniform-mismatch", text));
    if known.bank != bank {
        return wrong(format!("{} is {} in another file", name.text, known.bank.name()));
    }
    if known.size != size {
        return wrong(format!("{} has {} registers in another file", name.text, known.size));
    }
    if register.is_some_and(|r| r.number != known.register) {
        return wrong(format!("{} has another register in another file", name.text));
    }
    Ok(known.register)
}
