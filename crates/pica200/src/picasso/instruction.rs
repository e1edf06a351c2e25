//! Instructions: the row of a mnemonic says what arguments it takes and where their bits lie.

use super::assembler::Assembler;
use super::block::Kind;
use super::descriptors::Full;
use super::number;
use super::piece::{Args, Piece, identifier};
use super::register::{Bank, INTEGERS, Register};
use crate::Pica200;
use crate::operand::{A, B, C, COUNT, D, EMISSION, NUMBER, SourceBits, TEST, TO, VERTEX, X, Y};
use crate::text::COMPARISONS;
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::{Form, Isa, Slot, nearest};

type Row = &'static Form<Pica200>;

/// A mnemonic in lower case as a number, so that comparing is cheap; `None` if it is too long for one.
const fn key(name: &str) -> Option<u64> {
    let (bytes, mut key, mut i) = (name.as_bytes(), 0, 0);
    if bytes.len() > 8 {
        return None;
    }
    while i < bytes.len() {
        key = key << 8 | bytes[i].to_ascii_lowercase() as u64;
        i += 1;
    }
    Some(key)
}

/// A mnemonic with the rows that it may mean.
#[derive(Clone, Copy)]
struct Mnemonic {
    key: u64,
    row: Row,
    /// The row that reaches the constants with a later source.
    inverted: Option<Row>,
}

/// All mnemonics. Rows that differ only in which source reaches the constants have both names.
pub(super) struct Mnemonics(Vec<Mnemonic>);

impl Mnemonics {
    pub(super) fn new() -> Mnemonics {
        let keyed = |row: Row| Some(Mnemonic { key: key(row.name)?, row, inverted: None });
        let mut all: Vec<Mnemonic> = Pica200::table().forms().iter().filter_map(keyed).collect();
        for i in 0..all.len() {
            // `sgei` is the row of `sge` that reaches the constants later.
            let inverted = all[i];
            let straight = all.iter().position(|m| m.key == inverted.key >> 8);
            if let Some(straight) = straight.filter(|_| inverted.key as u8 == b'i') {
                all[straight].inverted = Some(inverted.row);
                all[i] = Mnemonic { key: inverted.key, ..all[straight] };
            }
        }
        Mnemonics(all)
    }

    fn find(&self, name: &str) -> Option<Mnemonic> {
        let key = key(name)?;
        self.0.iter().find(|m| m.key == key).copied()
    }
}

/// How flow control is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    Call,
    Jump,
    If,
    For,
    Break,
}

fn goes(row: Row) -> Goes {
    match row.name {
        "call" | "callc" | "callu" => Goes::Call,
        "jmpc" | "jmpu" => Goes::Jump,
        "ifc" | "ifu" => Goes::If,
        "for" => Goes::For,
        _ => Goes::Break,
    }
}

fn set(word: &mut u64, row: Row, slot: Slot, bits: u64) {
    if let Some(op) = row.operand(slot) {
        op.field.set(word, bits);
    }
}

impl<'s> Assembler<'_, 's> {
    /// Assembles an instruction. Whatever is wrong with it, a word takes its place.
    pub(super) fn instruction(&mut self, mut args: Args<'s>) -> Result<(), Diagnostic> {
        if self.blocks.is_empty() {
            let d = args.command.error("pica-block", "instructions stand in procedures");
            return Err(d.help("open one with .proc"));
        }
        self.closed = None;
        self.part();
        let before = self.code.len();
        let result = match self.mnemonics.find(args.command.text) {
            Some(m) if m.row.operand(TEST).is_some() || m.row.operand(TO).is_some() => {
                self.flow(m.row, &mut args)
            }
            Some(m) if m.row.operand(VERTEX).is_some() => self.set_emit(m.row, &mut args),
            Some(m) if m.row.operands.is_empty() => args.end().map(|()| self.emit(m.row.template() as u32)),
            Some(m) => self.arithmetic(m, &mut args),
            None => Err(unknown(args.command)),
        };
        if self.code.len() == before {
            self.emit(0);
        }
        result
    }

    fn arithmetic(&mut self, m: Mnemonic, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let mut texts = [Piece::default(); 4];
        let wanted = m.row.operands.iter().filter(|o| o.slot != NUMBER);
        for (text, op) in texts.iter_mut().zip(wanted.clone()) {
            *text = args.want_comma(op.kind.describe())?;
        }
        let descriptor = chosen(args)?;
        let mut written = None;
        let mut sources: [Option<Register<'s>>; 3] = [None; 3];
        let mut named = Vec::new();
        for (text, op) in texts.into_iter().zip(wanted) {
            match op.slot {
                D if m.row.name == "mova" => written = Some(u64::from(address_mask(text)?)),
                D => written = Some(self.destination(text)?),
                slot @ (X | Y) => named.push((slot, comparison(text)?)),
                slot => sources[usize::from(slot.0 - A.0)] = Some(self.register(text, true)?),
            }
        }
        let row = m.inverted.filter(|_| later(&sources)).unwrap_or(m.row);
        let mut word = row.template();
        set(&mut word, row, D, written.unwrap_or(0));
        named.iter().for_each(|&(slot, n)| set(&mut word, row, slot, n));
        for (slot, source) in [A, B, C].into_iter().zip(&sources) {
            if let (Some(source), Some(op)) = (source, row.operand(slot)) {
                let bits = self.source(m, row, slot, source)?;
                op.field.set(&mut word, bits);
            }
        }
        // The comparison is judged with the other hazards of the machine.
        if m.row.name != "cmp" {
            two_inputs(&sources)?;
        }
        let (bits, known) = ((word >> 32) as u32, (row.known() >> 32) as u32);
        let number = self.descriptor(m.row, bits, known & !unread(m.row, bits), descriptor)?;
        set(&mut word, row, NUMBER, number as u64);
        self.emit(word as u32);
        Ok(())
    }

    /// A destination's number and mask as its field has them.
    fn destination(&mut self, text: Piece<'s>) -> Result<u64, Diagnostic> {
        let r = self.register(text, false)?;
        if !(0..0x20).contains(&r.number) {
            let d = text.error("pica-operand", format!("{} cannot be written", r.bank.name()));
            return Err(d.help("results go to outputs and temporaries"));
        }
        if r.bank == Bank::Input {
            let d = text.error("pica-register-bank", "an input cannot be written");
            self.quirk(d.note(format!("picasso writes o{}", r.number)))?;
        }
        if r.negated {
            self.quirk(text.error("pica-operand", "a destination has no sign"))?;
        }
        self.check_mask(r.letters, text);
        Ok(r.number as u64 | u64::from(r.mask()) << 5)
    }

    /// Warns of letters that a mask does not need or has in another order.
    pub(super) fn check_mask(&mut self, letters: &str, place: Piece<'s>) {
        let component =
            |b: u8| super::register::swizzle(core::str::from_utf8(&[b]).unwrap_or("")).unwrap_or(0) & 3;
        let mut last = None;
        let ordered = letters.bytes().all(|b| {
            let c = component(b);
            last.replace(c).is_none_or(|l| l < c)
        });
        if !ordered {
            let text = "the order of a mask's letters has no effect, nor has a letter written twice";
            self.report(Diagnostic::warning("pica-mask-order", text).at_text(place.span(), ""));
        }
    }

    /// A source's bits for its field in the row.
    fn source(&mut self, m: Mnemonic, row: Row, slot: Slot, r: &Register<'s>) -> Result<u64, Diagnostic> {
        let runs = row.operand(slot).map_or(&[][..], |op| op.field.runs());
        let wide = runs.first().is_some_and(|run| run.1 == 7);
        let indexed = runs.len() > 2;
        if !(0..if wide { 0x80 } else { 0x20 }).contains(&r.number) {
            let place = ["first", "second", "third"][usize::from(slot.0 - A.0)];
            let text = format!("{} cannot be the {place} source of {}", r.bank.name(), m.row.name);
            let d = r.place.error("pica-operand", text);
            return Err(match m.row.name {
                _ if !matches!(r.bank, Bank::Float) => d,
                "add" | "mul" | "dp3" | "dp4" if slot == B => {
                    d.help("exchange the sources, or copy the uniform into a temporary first")
                }
                _ => d.help("copy the uniform into a temporary first"),
            });
        }
        if r.index != 0 && !indexed {
            return Err(r.place.error("pica-operand", "this source cannot be indexed by a register"));
        }
        if r.bank == Bank::Output {
            let d = r.place.error("pica-register-bank", "an output cannot be read");
            self.quirk(d.note(format!("picasso reads v{}", r.number)))?;
        }
        let bits =
            SourceBits { number: r.number as u32, negated: r.negated, selector: r.selector, index: r.index };
        Ok(bits.bits(wide))
    }

    /// The number of a descriptor with these bits.
    fn descriptor(
        &mut self,
        row: Row,
        bits: u32,
        read: u32,
        chosen: Option<(usize, Piece<'s>)>,
    ) -> Result<usize, Diagnostic> {
        let mad = row.operand(C).is_some();
        if let Some((number, place)) = chosen {
            let reached = if mad { 32 } else { 128 };
            if number >= reached {
                let text = format!("{} reaches descriptors 0 to {}", row.name, reached - 1);
                return Err(place.error("pica-descriptors", text));
            }
            let (wanted, whole) = (bits & read, row.known() >> 32);
            // A descriptor of the source is as the source says, bits that picasso does not look at too.
            return match self.descriptors.take(number, bits, whole as u32) {
                true => Ok(number),
                false => {
                    let d = place.error("pica-descriptors", "this descriptor says something else");
                    Err(d.note(format!("the operands need {wanted:#x}")))
                }
            };
        }
        let full = |full| {
            let (text, help) = match full {
                Full::All => ("more than 128 operand descriptors", "write masks and swizzles alike"),
                Full::Mad => (
                    "more than 32 operand descriptors for three sources",
                    "write their masks and swizzles alike, or use mul and add",
                ),
            };
            Diagnostic::error("pica-descriptors", text).at_text(self.line.span(), "").help(help)
        };
        let number = self.descriptors.find(bits, read).map_err(full)?;
        if !mad {
            return Ok(number);
        }
        self.descriptors.reach_by_mad(number, &mut self.code).map_err(full)
    }

    fn set_emit(&mut self, row: Row, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let vertex = args.want_comma("the number of a vertex")?;
        let flags = args.comma();
        args.end()?;
        let number = self.integer(vertex, 0..=2)?;
        let mut bits = 0;
        let mut rest = Args { command: args.command, rest: flags.unwrap_or_default() };
        while let Some(flag) = rest.word() {
            if flag.is("prim") || flag.is("primitive") {
                bits |= 2;
            } else if flag.is("inv") || flag.is("invert") {
                bits |= 1;
            } else {
                let d = flag.error("pica-emit-flag", "unknown flag");
                self.quirk(d.help("flags are prim and inv"))?;
            }
        }
        self.part().by_setemit();
        let mut word = row.template();
        set(&mut word, row, VERTEX, number as u64);
        set(&mut word, row, EMISSION, bits);
        self.emit(word as u32);
        Ok(())
    }

    fn flow(&mut self, row: Row, args: &mut Args<'s>) -> Result<(), Diagnostic> {
        let goes = goes(row);
        // What opens a block does so even if its condition is wrong, so that its .end is not wrong too.
        let mut word = row.template();
        let test = match row.operand(TEST) {
            Some(_) => self.test(row, args, &mut word),
            None => Ok(()),
        };
        match goes {
            Goes::Call | Goes::Jump => {
                test?;
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
                let list = if goes == Goes::Call { &mut self.calls } else { &mut self.jumps };
                list.push(super::assembler::Reference { word: at, name, source: self.source });
            }
            Goes::Break => {
                test?;
                args.end()?;
                self.emit(word as u32);
            }
            Goes::If | Goes::For => {
                if let (Ok(()), false) = (&test, args.rest.is_empty()) {
                    let to = args.want_comma("a word")?;
                    return self.go_to_number(row, word, to, args);
                }
                self.open(if goes == Goes::For { Kind::Loop } else { Kind::Condition(None) })?;
                self.emit(word as u32);
                test?;
            }
        }
        Ok(())
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

    /// Reads the condition, boolean or integer vector that an instruction asks.
    fn test(&mut self, row: Row, args: &mut Args<'s>, word: &mut u64) -> Result<(), Diagnostic> {
        match row.name {
            "for" => {
                let text = args.want_comma("an integer uniform")?;
                let r = self.plain_register(text)?;
                if !(INTEGERS..INTEGERS + 8).contains(&r.number) {
                    return Err(text.error("pica-operand", "an integer uniform is expected"));
                }
                self.bare(&r)?;
                // What is past the field goes where picasso lets it go.
                *word |= ((r.number - INTEGERS) as u64) << 22;
            }
            "callu" | "ifu" | "jmpu" => {
                let text = args.want_comma("a boolean uniform")?;
                let not = text.text.starts_with('!');
                if not && row.name != "jmpu" {
                    let d = text.error("pica-condition", format!("{} cannot ask for false", row.name));
                    return Err(d.help("only jmpu can; or exchange the two parts"));
                }
                let name = text.skip(usize::from(not)).trim_start();
                let r = self.plain_register(name)?;
                let number = r.number - Bank::Boolean.base();
                if !(0..16).contains(&number) {
                    return Err(name.error("pica-operand", "a boolean uniform is expected"));
                }
                self.bare(&r)?;
                set(word, row, TEST, number as u64 | u64::from(not) << 4);
            }
            _ => {
                let text = args.want_comma("a condition")?;
                set(word, row, TEST, condition(text)?);
            }
        }
        Ok(())
    }

    /// Integer and boolean uniforms have no sign and no components.
    fn bare(&mut self, r: &Register<'s>) -> Result<(), Diagnostic> {
        if r.negated || !r.letters.is_empty() {
            let text = format!("{} has no sign and no components", r.bank.name());
            self.quirk(r.place.error("pica-operand", text))?;
        }
        Ok(())
    }

    /// Reads a number in a range.
    pub(super) fn integer(
        &mut self,
        text: Piece<'s>,
        range: core::ops::RangeInclusive<i64>,
    ) -> Result<i64, Diagnostic> {
        let Some(read) = number::integer(text.text, true) else {
            return Err(text.error("pica-number", "a number is expected"));
        };
        if !range.contains(&read.value) {
            let text_of = format!("a number from {} to {} is expected", range.start(), range.end());
            return Err(text.error("pica-value-range", text_of));
        }
        if read.bytes != text.text.len() {
            let d = text.error("pica-number", "this is no number");
            self.quirk(d.note(format!("picasso takes {}", read.value)))?;
        }
        Ok(read.value)
    }
}

fn unknown(name: Piece<'_>) -> Diagnostic {
    let d = name.error("pica-unknown-instruction", "unknown instruction");
    match nearest(name.text, Pica200::table().forms().iter().map(|f| f.name)) {
        _ if name.is("jmp") => d.help("there is no unconditional jump; jmpu jumps by a boolean uniform"),
        _ if name.is("loop") => d.help("loops are opened with for and closed with .end"),
        _ if name.is("sub") => d.help("add a source with a minus sign"),
        Some(near) => d.help(format!("did you mean {near}?")),
        None => d,
    }
}

/// The descriptor that stands behind the operands.
fn chosen<'s>(args: &mut Args<'s>) -> Result<Option<(usize, Piece<'s>)>, Diagnostic> {
    let left = *args;
    let Some(text) = args.comma() else { return Ok(None) };
    let digits = text.text.strip_prefix('d').unwrap_or_default();
    let number = digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    match number {
        Some(number) => args.end().map(|()| Some((number, text))),
        None => left.end().map(|()| None),
    }
}

/// Whether the constants are reached by a later source than usual.
fn later(sources: &[Option<Register<'_>>; 3]) -> bool {
    match sources {
        [_, Some(b), Some(c)] => b.number < 0x20 && (c.number >= 0x20 || c.index != 0 && b.index == 0),
        [Some(a), Some(b), None] => a.number < 0x20 && b.number >= 0x20,
        _ => false,
    }
}

/// The machine reads one input in an instruction.
fn two_inputs(sources: &[Option<Register<'_>>; 3]) -> Result<(), Diagnostic> {
    let mut inputs = sources.iter().flatten().filter(|s| s.number < 0x10);
    let Some(first) = inputs.next() else { return Ok(()) };
    match inputs.find(|s| s.number != first.number) {
        None => Ok(()),
        Some(second) => Err(Diagnostic::error("pica-two-inputs", "two different inputs in one instruction")
            .at_text(second.place.span(), "the second")
            .at_text(first.place.span(), "the first")
            .note("the machine reads wrong values")
            .help("copy one into a temporary first")),
    }
}

/// The bits of the descriptor that the instruction does not look at although it could: components of
/// sources that its mask or its meaning leaves out.
fn unread(row: Row, bits: u32) -> u32 {
    let components =
        |unread: u32| (0..4).filter(|i| unread >> i & 1 != 0).fold(0u32, |m, i| m | 3 << (6 - 2 * i));
    // Component i of the mask is bit 3 - i.
    let masked = components((!bits & 15).reverse_bits() >> 28);
    let (a, b, c) = match row.name {
        "add" | "mul" | "sge" | "slt" | "flr" | "max" | "min" | "mov" | "mad" => (masked, masked, masked),
        "dp3" => (components(0b1000), components(0b1000), 0),
        "dph" => (components(0b1000), 0, 0),
        "ex2" | "lg2" | "rcp" | "rsq" => (components(0b1110), 0, 0),
        "mova" => (masked | components(0b1100), 0, 0),
        "cmp" => (components(0b1100), 0, 0),
        _ => (0, 0, 0),
    };
    a << 5 | b << 14 | c << 23
}

/// The mask of an address register.
fn address_mask(text: Piece<'_>) -> Result<u32, Diagnostic> {
    const NAMES: [(&str, u32); 6] =
        [("a0", 8), ("a0.x", 8), ("a1", 4), ("a0.y", 4), ("a01", 12), ("a0.xy", 12)];
    match NAMES.iter().find(|(name, _)| text.is(name)) {
        Some(&(_, mask)) => Ok(mask),
        None => Err(text
            .error("pica-operand", "an address register is expected")
            .help("a0.x, a0.y or a0.xy; aL is set only by loops")),
    }
}

fn comparison(text: Piece<'_>) -> Result<u64, Diagnostic> {
    let found = COMPARISONS.iter().position(|c| text.is(c));
    found.map(|n| n as u64).ok_or_else(|| {
        text.error("pica-condition", "a comparison is expected").help("one of eq, ne, lt, le, gt, ge")
    })
}

/// One or two flags: how they are joined (bits 0 and 1), then what y (bit 2) and x (bit 3) are compared
/// with.
fn condition(text: Piece<'_>) -> Result<u64, Diagnostic> {
    let (first, behind) = text.cut(b"&|");
    let Some(behind) = behind else {
        let (flag, wanted) = flag(text)?;
        // The flag that is not asked is compared with true.
        let asked = if wanted { 8 >> flag } else { 0 };
        return Ok((2 + flag) | 0b1100 & !(8 >> flag) | asked);
    };
    let sign = text.part(first.text.len(), first.text.len() + 1);
    let second = behind.skip(usize::from(behind.text.starts_with(sign.text)));
    let (b, second_wanted) = flag(second.trim())?;
    let (a, first_wanted) = flag(first.trim())?;
    if a == b {
        return Err(second.trim().error("pica-condition", "a condition asks each flag once"));
    }
    let wants = |flag: u64, wanted| if wanted { 8 >> flag } else { 0 };
    Ok(u64::from(sign.text == "&") | wants(a, first_wanted) | wants(b, second_wanted))
}

/// 0 for `cmp.x`, 1 for `cmp.y`, and whether it must hold.
fn flag(text: Piece<'_>) -> Result<(u64, bool), Diagnostic> {
    let nots = text.text.bytes().take_while(|b| *b == b'!').count();
    let name = text.skip(nots);
    let wanted = nots % 2 == 0;
    if name.is("cmp.x") {
        Ok((0, wanted))
    } else if name.is("cmp.y") {
        Ok((1, wanted))
    } else {
        Err(text.error("pica-condition", "cmp.x or cmp.y is expected"))
    }
}
