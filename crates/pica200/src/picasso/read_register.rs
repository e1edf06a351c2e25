//! Reading registers: names, indexes, signs, swizzles.

use super::assembler::Assembler;
use super::number;
use super::register::{Bank, Register, STRAIGHT, swizzle};
use super::source_text::{Piece, identifier};
use alloc::format;
use shisa_diag::Diagnostic;

/// The index register with this name, 0 if it is not one.
fn index_register(name: Piece<'_>) -> u8 {
    const NAMES: [(&str, u8); 7] =
        [("a0", 1), ("a0.x", 1), ("a1", 2), ("a0.y", 2), ("a2", 3), ("lcnt", 3), ("aL", 3)];
    NAMES.iter().find(|(n, _)| name.is(n)).map_or(0, |n| n.1)
}

/// The contents of brackets.
#[derive(Clone, Copy, Debug, Default)]
struct Index {
    register: u8,
    offset: i32,
}

impl<'s> Assembler<'_, 's> {
    /// Reads a register without index register.
    pub(super) fn plain_register(&mut self, text: Piece<'s>) -> Result<Register<'s>, Diagnostic> {
        self.register(text, false)
    }

    /// Reads a register; with an index register only if `indexed` allows one.
    pub(super) fn register(&mut self, place: Piece<'s>, indexed: bool) -> Result<Register<'s>, Diagnostic> {
        let negated = place.text.starts_with('-');
        let text = place.skip(usize::from(negated));
        let (before, inside) = text.cut(b"[");
        let (mut name, mut tail, mut index) = (text, text, Index::default());
        if let Some(inside) = inside {
            let (inside, behind) = inside.cut(b"]");
            let Some(behind) = behind else {
                return Err(place.error("pica-index", "the bracket is not closed"));
            };
            index = self.index(inside.trim(), indexed)?;
            (name, tail) = (before, behind);
        }
        let (head, letters) = tail.cut(b".");
        if inside.is_none() {
            name = head;
        } else if !head.trim().is_empty() {
            self.quirk(head.trim().error("pica-text-ignored", "picasso ignores the text after the bracket"))?;
        }
        let name = name.trim_end();
        let mut selector = STRAIGHT;
        if let Some(letters) = letters {
            let Some(read) = swizzle(letters.text) else {
                return Err(letters.error("pica-swizzle", "a swizzle is one to four of xyzw, rgba or stpq"));
            };
            if letters.is_empty() {
                let d = text.error("pica-swizzle", "there is no component after the dot");
                self.quirk(d.note("picasso takes x"))?;
            }
            selector = read;
        }
        let mut register = Register {
            number: 0,
            bank: Bank::Output,
            negated,
            selector,
            index: index.register,
            letters: letters.map_or("", |l| l.text),
            named: false,
            place,
        };
        let length = self.resolve(name, &mut register)?;
        let within = register.number - register.bank.base() + index.offset;
        if index.offset != 0 && !(0..register.bank.count()).contains(&within) {
            let last = register.bank.row();
            let d = place.error("pica-index-range", format!("there is no {}{within}", last.1));
            let d = d.note(format!("registers are {0}0 to {0}{1}", last.1, last.3 - 1));
            self.quirk(d)?;
        } else if length > 0 && index.register == 0 && !(0..length).contains(&index.offset) {
            let text = format!("{} has {length} registers", name.text);
            self.report(Diagnostic::warning("pica-index-range", text).at_text(place.span(), "reads another"));
        }
        register.number += index.offset;
        Ok(register)
    }

    /// Reads what is between brackets.
    fn index(&mut self, inside: Piece<'s>, indexed: bool) -> Result<Index, Diagnostic> {
        let mut index = Index { register: index_register(inside), offset: 0 };
        let mut offset = (index.register == 0).then_some(inside);
        if index.register == 0
            && let (name, Some(behind)) = inside.cut(b"+")
        {
            index.register = index_register(name.trim());
            if index.register == 0 {
                let d = name.trim().error("pica-index", "this is not an index register");
                return Err(d.help("index registers are a0.x, a0.y and aL, and come before the number"));
            }
            offset = Some(behind.trim());
        }
        if index.register != 0 && !indexed {
            return Err(inside.error("pica-operand", "an index register cannot be used here"));
        }
        let Some(offset) = offset else { return Ok(index) };
        index.offset = number::atoi(offset.text);
        let exact = number::integer(offset.text, false).is_some_and(|r| r.bytes == offset.text.len());
        if !exact {
            let minus = offset.cut(b"-").0.trim();
            let d = if index_register(minus) != 0 {
                let d = offset.error("pica-index", "an index register accepts only an offset with a plus");
                d.help("subtract from the register's number instead: c3[a0.x], not c4[a0.x-1]")
            } else {
                offset.error("pica-number", "this is not a decimal number")
            };
            self.quirk(d.note(format!("picasso takes {}", index.offset)))?;
        }
        Ok(index)
    }

    /// Resolves a name; returns the length of the array that it declares.
    fn resolve(&mut self, name: Piece<'s>, out: &mut Register<'s>) -> Result<i32, Diagnostic> {
        if let Some(alias) = self.aliases.get_mut(name.text) {
            alias.used = true;
            let alias = *alias;
            out.number = alias.register;
            out.bank = alias.bank;
            out.negated ^= alias.negated;
            out.named = true;
            let pick = |shift: u8| alias.selector >> (6 - 2 * (out.selector >> shift & 3)) & 3;
            out.selector = [6, 4, 2, 0].iter().fold(0, |s, shift| s << 2 | pick(*shift));
            if out.index != 0 && alias.bank != Bank::Float {
                let text = format!("{} cannot be indexed by a register", alias.bank.name());
                self.quirk(
                    out.place.error("pica-register-bank", text).note("the hardware ignores the index"),
                )?;
            }
            return Ok(alias.length);
        }
        let Some(read) = self.register_name(name)? else { return Err(self.unknown(name)) };
        (out.number, out.bank) = read;
        if out.index != 0 && out.bank != Bank::Float {
            let text = format!("{} cannot be indexed by a register", out.bank.name());
            return Err(out.place.error("pica-operand", text));
        }
        Ok(0)
    }

    /// A register by its letter and number; `None` if it does not look like one.
    fn register_name(&mut self, name: Piece<'s>) -> Result<Option<(i32, Bank)>, Diagnostic> {
        let mut bytes = name.text.bytes();
        let (Some(letter), Some(b'0'..=b'9')) = (bytes.next(), bytes.next()) else { return Ok(None) };
        let lower = char::from(letter.to_ascii_lowercase());
        let Some(&(bank, _, base, count)) = Bank::ALL.iter().find(|b| b.1 == lower) else { return Ok(None) };
        let digits = name.skip(1);
        let Some(read) = number::integer(digits.text, true) else { return Ok(None) };
        if read.bytes < digits.text.len() {
            let ignored = digits.skip(read.bytes);
            // The comma in `.setb b0, true` does not change the meaning.
            if ignored.text == "," {
                let text = "a comma is not needed here, and picasso ignores it";
                self.report(Diagnostic::warning("pica-text-ignored", text).at_text(ignored.span(), ""));
            } else {
                self.quirk(ignored.error("pica-text-ignored", "picasso ignores the text after the number"))?;
            }
        }
        if number::integer(digits.text, false).is_some_and(|d| d.bytes == read.bytes && d.value != read.value)
        {
            let d = name.error("pica-number", "a number that begins with 0 is octal");
            self.quirk(d.note(format!("picasso takes {}", read.value)))?;
        }
        let outputs = if bank == Bank::Output { self.outputs() } else { count };
        // picasso accepts four more integer vectors; their numbers overflow the field.
        let passes = if bank == Bank::Integer { 8 } else { outputs };
        let absent = || {
            let d = name.error("pica-no-register", format!("there is no {}", name.text));
            d.note(format!("registers are {lower}0 to {lower}{}", outputs - 1))
        };
        if !(0..i64::from(passes)).contains(&read.value) {
            return Err(absent());
        }
        let value = read.value as i32;
        if value >= outputs {
            self.quirk(absent())?;
        }
        if char::from(letter) != lower {
            let d = name.error("pica-register-bank", "registers are written in lower case");
            self.quirk(d.note(format!("picasso uses input or output {value}")))?;
            return Ok(Some((value, Bank::Input)));
        }
        Ok(Some((base + value, bank)))
    }

    fn unknown(&self, name: Piece<'s>) -> Diagnostic {
        let shown = if name.is_empty() { "a register is expected" } else { "unknown register or name" };
        let d = name.error("pica-unknown-name", shown);
        match self.near(name.text, self.aliases.keys().copied()) {
            Some(near) => d.did_you_mean(near),
            None if identifier(name.text) => {
                d.help("names are declared with .fvec, .in, .out, .constf, .alias and the like")
            }
            None => d,
        }
    }
}
