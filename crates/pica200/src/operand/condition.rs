//! The tests of conditional instructions: flags, booleans.

use super::{PicaLift, TEST, parts};
use crate::{BOOLEANS, FLAGS, Options, Pica200, text};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Swizzle, Type, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Part, Scan};

/// The kind of an operand in slot [`TEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tested {
    /// Flags.
    Flags,
    /// A boolean. `negatable`: whether the instruction can test for false.
    Boolean { negatable: bool },
    /// An integer vector, which counts iterations.
    Integer,
}

impl Tested {
    /// The kind of an operand; `None` if it is in another slot.
    pub(crate) fn of(op: &Operand<Pica200>) -> Option<Tested> {
        let kind: &dyn core::any::Any = op.kind;
        let boolean = kind.downcast_ref::<Boolean>().map(|b| Tested::Boolean { negatable: b.negated });
        (op.slot == TEST).then(|| match boolean {
            Some(boolean) => boolean,
            None if kind.is::<FlagTest>() => Tested::Flags,
            None => Tested::Integer,
        })
    }
}

/// The condition of a conditional instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A boolean that must have this value.
    Boolean(u8, bool),
    /// The pairs of flags for which the condition holds: bit `x + 2 * y` for each pair.
    Flags(u8),
}

impl Condition {
    /// The condition of an instruction; `None` if it is unconditional.
    pub(crate) fn of(insn: &Insn<Pica200>) -> Option<Condition> {
        let op = insn.form().operand(TEST)?;
        let bits = op.field.get(&insn.word);
        match Tested::of(op)? {
            Tested::Integer => None,
            Tested::Boolean { .. } => Some(Condition::Boolean((bits & 15) as u8, bits & 16 == 0)),
            Tested::Flags => {
                let holds = |pair: u8| {
                    let x = u64::from(pair & 1) == bits >> 3 & 1;
                    let y = u64::from(pair >> 1) == bits >> 2 & 1;
                    match bits & 3 {
                        0 => x || y,
                        1 => x && y,
                        2 => x,
                        _ => y,
                    }
                };
                Some(Condition::Flags((0..4).filter(|p| holds(*p)).fold(0, |m, p| m | 1 << p)))
            }
        }
    }
}

/// A condition on the flags: how they are combined (bits 0 and 1), then the reference value of each, y first.
#[derive(Debug)]
pub(crate) struct FlagTest;

impl Kind<Pica200> for FlagTest {
    fn describe(&self) -> &'static str {
        "condition"
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        text::print_test(op.field.get(&insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let bits = text::parse_test(text)?;
        op.field.set(word, bits);
        Ok(())
    }

    /// A flag that is not tested must be compared with true, as assemblers write it.
    fn faithful(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options) -> bool {
        let bits = op.field.get(&insn.word);
        match bits & 3 {
            2 => bits & 4 != 0,
            3 => bits & 8 != 0,
            _ => true,
        }
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let flag = |l: &mut PicaLift<'_, '_>, unit: u16, wanted: bool| {
            let flag = l.read(Reg::new(FLAGS, unit), Swizzle::IDENTITY, Type::BOOL);
            if wanted { flag } else { l.not(flag) }
        };
        let (x, y) = (bits & 8 != 0, bits & 4 != 0);
        match bits & 3 {
            2 => flag(l, 0, x),
            3 => flag(l, 1, y),
            join => {
                let (x, y) = (flag(l, 0, x), flag(l, 1, y));
                if join == 0 { l.or(x, y) } else { l.and(x, y) }
            }
        }
    }
}

impl Details<Pica200> for FlagTest {
    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 2, parts::JOIN), Part::new(2, 1, parts::Y), Part::new(3, 1, parts::X)] }
    }
}

impl Hints<Pica200> for FlagTest {}

/// The field of a boolean that must be true (`wanted`) or false.
pub(crate) const fn boolean(number: u64, wanted: bool) -> u64 {
    number | (!wanted as u64) << 4
}

/// A boolean. Bit 4, if there is one, is set if the boolean must be false.
#[derive(Debug)]
pub(crate) struct Boolean {
    /// Whether the field has bit 4.
    pub(crate) negated: bool,
}

impl Kind<Pica200> for Boolean {
    fn describe(&self) -> &'static str {
        "boolean"
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        if bits & 16 != 0 {
            out.byte(b'!');
        }
        out.byte(b'b');
        out.dec(bits & 15);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let not = self.negated && text.eat(b'!');
        let n = text::parse_register(text, &[(b'b', 0, 16)])?;
        op.field.set(word, boolean(n.into(), !not));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Pica200>, _: &Insn<Pica200>, _: &Options) -> bool {
        true
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let held = l.read(Reg::new(BOOLEANS, bits as u16 & 15), Swizzle::IDENTITY, Type::BOOL);
        if bits & 16 == 0 { held } else { l.not(held) }
    }
}

impl Details<Pica200> for Boolean {
    fn parts(&self) -> &'static [Part] {
        const ALL: &[Part] = &[Part::new(0, 4, parts::REGISTER), Part::new(4, 1, parts::FALSE)];
        if self.negated { ALL } else { &ALL[..1] }
    }
}

impl Hints<Pica200> for Boolean {}
