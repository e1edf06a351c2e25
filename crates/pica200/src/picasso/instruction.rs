//! Instructions: the row of a mnemonic states its arguments and their bits.

use super::assembler::Assembler;
use super::block::Kind;
use super::conditions::{address_mask, comparison};
use super::descriptors::Full;
use super::mnemonics::{Mnemonic, Row, unknown};
use super::number;
use super::register::{Bank, Register};
use super::source_text::{Args, Piece};
use crate::Pica200;
use crate::attributes::Role;
use crate::operand::{B, D, Destination, EMISSION, NUMBER, SOURCES, Source, SourceBits, VERTEX, X, Y};
use crate::word::{self, DESCRIPTORS};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::Mask;
use shisa_rows::{Operand, Slot};

/// Names of an instruction's sources in messages.
const ORDINALS: [&str; 3] = ["first", "second", "third"];

/// Sets the bits of an operand, if the row has it.
pub(super) fn set(word: &mut u64, row: Row, slot: Slot, bits: u64) {
    if let Some(op) = row.operand(slot) {
        op.field.set(word, bits);
    }
}

impl<'s> Assembler<'_, 's> {
    /// Assembles an instruction. Even a faulty one becomes a word.
    pub(super) fn instruction(&mut self, mut args: Args<'s>) -> Result<(), Diagnostic> {
        if self.blocks.is_empty() {
            let d = args.command.error("pica-block", "an instruction must be in a procedure");
            return Err(d.help("open one with .proc"));
        }
        self.closed = None;
        self.part();
        let before = self.code.len();
        let result = match self.mnemonics.find(args.command.text) {
            Some(m) => match m.row.attr.role {
                Role::Compute | Role::Address | Role::Compare => self.arithmetic(m, &mut args),
                Role::Call | Role::Jump => self.goes(m.row, &mut args),
                Role::Condition => self.opens(m.row, Kind::Condition(None), &mut args),
                Role::Loop => self.opens(m.row, Kind::Loop, &mut args),
                Role::SetEmit => self.set_emit(m.row, &mut args),
                Role::Break | Role::Nop | Role::End | Role::Emit => self.plain(m.row, &mut args),
            },
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
                D if m.row.attr.role == Role::Address => {
                    written = Some(Destination::Address.field(0, address_mask(text)?));
                }
                D => written = Some(self.destination(text)?),
                slot @ (X | Y) => named.push((slot, comparison(text)?)),
                slot => {
                    let source = Some(self.register(text, true)?);
                    for (of, to) in SOURCES.iter().zip(&mut sources) {
                        if *of == slot {
                            *to = source;
                        }
                    }
                }
            }
        }
        let row = m.inverted.filter(|_| later(&sources)).unwrap_or(m.row);
        let mut word = row.template();
        set(&mut word, row, D, written.unwrap_or(0));
        named.iter().for_each(|&(slot, n)| set(&mut word, row, slot, n));
        for (nth, (slot, source)) in ORDINALS.into_iter().zip(SOURCES.into_iter().zip(&sources)) {
            if let (Some(source), Some(op)) = (source, row.operand(slot)) {
                let bits = self.source(m.row, (nth, op), source)?;
                op.field.set(&mut word, bits);
            }
        }
        // The comparison is checked with the other hazards of the hardware.
        if m.row.attr.role != Role::Compare {
            two_inputs(&sources)?;
        }
        let ((_, bits), (_, known)) = (word::split(word), word::split(row.known()));
        let (_, unread) = word::split(unread(row, word));
        let number = self.descriptor(m.row, bits, known & !unread, descriptor)?;
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
        Ok(Destination::Register.field(r.number as u64, r.mask().into()))
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

    /// The bits of a source for an operand of a row: the `nth` source.
    fn source(
        &mut self,
        row: Row,
        (nth, op): (&str, &Operand<Pica200>),
        r: &Register<'s>,
    ) -> Result<u64, Diagnostic> {
        let Some(kind) = Source::of(op) else {
            return Err(Diagnostic::error(
                "internal-pica-source",
                format!("the {nth} source of {} has another operand's kind", row.name),
            ));
        };
        if !u32::try_from(r.number).is_ok_and(|n| n < kind.reach()) {
            let text = format!("{} cannot be the {nth} source of {}", r.bank.name(), row.name);
            let d = r.place.error("pica-operand", text);
            return Err(match r.bank {
                Bank::Float if row.attr.exchangeable && op.slot == B => {
                    d.help("exchange the sources, or copy the uniform into a temporary first")
                }
                Bank::Float => d.help("copy the uniform into a temporary first"),
                _ => d,
            });
        }
        if r.index != 0 && !kind.indexed {
            return Err(r.place.error("pica-operand", "this source cannot be indexed by a register"));
        }
        if r.bank == Bank::Output {
            let d = r.place.error("pica-register-bank", "an output cannot be read");
            self.quirk(d.note(format!("picasso reads v{}", r.number)))?;
        }
        let bits =
            SourceBits { number: r.number as u32, negated: r.negated, selector: r.selector, index: r.index };
        Ok(bits.bits(kind.wide))
    }

    /// The number of a descriptor with these bits.
    fn descriptor(
        &mut self,
        row: Row,
        bits: u32,
        read: u32,
        chosen: Option<(usize, Piece<'s>)>,
    ) -> Result<usize, Diagnostic> {
        let reached = row.operand(NUMBER).map_or(0, |op| 1usize << op.field.width());
        if let Some((number, place)) = chosen {
            if number >= reached {
                let text = format!("{} reaches descriptors 0 to {}", row.name, reached - 1);
                return Err(place.error("pica-descriptors", text));
            }
            let (wanted, whole) = (bits & read, row.known() >> 32);
            // A stated descriptor is used as it is, including bits that picasso ignores.
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
                Full::All => {
                    ("more than 128 operand descriptors", "use the same masks and swizzles more often")
                }
                Full::Mad => (
                    "more than 32 operand descriptors for three sources",
                    "use the same masks and swizzles more often, or use mul and add",
                ),
            };
            Diagnostic::error("pica-descriptors", text).at_text(self.line.span(), "").help(help)
        };
        let number = self.descriptors.find(bits, read).map_err(full)?;
        if reached == DESCRIPTORS {
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
            let d = text.error("pica-number", "this is not a number");
            self.quirk(d.note(format!("picasso takes {}", read.value)))?;
        }
        Ok(read.value)
    }
}

/// The descriptor that follows the operands, if the source chooses one.
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

/// Refuses two different inputs: the hardware reads only one in an instruction.
fn two_inputs(sources: &[Option<Register<'_>>; 3]) -> Result<(), Diagnostic> {
    let mut inputs = sources.iter().flatten().filter(|s| s.number < 0x10);
    let Some(first) = inputs.next() else { return Ok(()) };
    match inputs.find(|s| s.number != first.number) {
        None => Ok(()),
        Some(second) => Err(Diagnostic::error("pica-two-inputs", "two different inputs in one instruction")
            .at_text(second.place.span(), "the second")
            .at_text(first.place.span(), "the first")
            .note("the hardware reads wrong values")
            .help("copy one into a temporary first")),
    }
}

/// The bits of the descriptor that the instruction could read but does not: components of sources that its mask or
/// its operation leaves out.
fn unread(row: Row, word: u64) -> u64 {
    let written = row.operand(D).map_or(Mask(0), |op| Destination::components(op, word));
    let sources = SOURCES.into_iter().zip(row.attr.reads).filter_map(|(slot, reads)| {
        let op = row.operand(slot)?;
        let mut unread = 0;
        op.field.set(&mut unread, Source::of(op)?.selections(Mask(!reads.components(written).0)));
        Some(unread)
    });
    sources.fold(0, |all, unread| all | unread)
}
