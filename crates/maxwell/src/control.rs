//! Control bits: when an instruction may issue. They follow the instruction in its text.

use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Lift, Line, Operand, Part, Scan, Slot, Word};

/// The location of the control bits in the text of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlText {
    /// Not in the text: they are those of [`Schedule::PLAIN`].
    #[default]
    Nowhere,
    /// After the semicolon.
    After,
    /// Separate from the instruction: the caller writes them.
    Apart,
}

/// The control bits of one instruction, except its reuse flags, which belong to operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule(pub u32);

impl Schedule {
    /// The lowest of its bits in a word, and how many there are.
    const LO: u8 = 64;
    const WIDTH: u8 = 17;

    /// No stall, no barriers: the control bits of single words.
    pub const PLAIN: Schedule = Schedule(0x7e0);

    /// The control bits of a word. Decoding reads them of every word, so their location is a constant here.
    #[inline]
    pub fn of(word: u128) -> Schedule {
        Schedule(word.get(Self::LO.into(), Self::WIDTH.into()) as u32)
    }

    /// The bits that are all set where no write barrier is raised.
    pub(crate) const NO_WRITE_BARRIER: u32 = 7 << Self::WRITE;
    /// The bits that are all set where no read barrier is raised.
    pub(crate) const NO_READ_BARRIER: u32 = 7 << Self::READ;
    /// The lowest bit of the write barrier.
    pub(crate) const WRITE: u32 = 5;
    /// The lowest bit of the read barrier.
    pub(crate) const READ: u32 = 8;
    const WAIT: u32 = 11;

    /// The bit that waits for a barrier.
    pub(crate) const fn waiting(barrier: u32) -> u32 {
        1 << (Self::WAIT + barrier)
    }

    /// Cycles until the next instruction may issue, 0 to 15.
    pub const fn stall(self) -> u32 {
        self.0 & 15
    }

    /// Whether another warp may be scheduled after it.
    pub const fn yields(self) -> bool {
        self.0 & 16 == 0
    }

    /// The barrier that the result raises, if any.
    pub const fn write_barrier(self) -> Option<u32> {
        barrier(self.0 >> Self::WRITE)
    }

    /// The barrier raised when the sources have been read, if any.
    pub const fn read_barrier(self) -> Option<u32> {
        barrier(self.0 >> Self::READ)
    }

    /// Whether it raises a barrier.
    pub const fn raises(self) -> bool {
        const NONE: u32 = Schedule::NO_WRITE_BARRIER | Schedule::NO_READ_BARRIER;
        self.0 & NONE != NONE
    }

    /// The barriers waited for, bit n for barrier n.
    pub const fn wait(self) -> u32 {
        self.0 >> Self::WAIT & 63
    }
}

const fn barrier(bits: u32) -> Option<u32> {
    if bits & 7 == 7 { None } else { Some(bits & 7) }
}

/// The bits of [`Schedule`] above the instruction.
pub(crate) const SCHEDULE: Field = Field::at(Schedule::LO, Schedule::WIDTH);

/// Whether the fourth reuse flag is set, which belongs to no operand.
#[inline]
pub(crate) fn has_reuse3(word: u128) -> bool {
    reuse_flags(word) >> 3 != 0
}

/// The end of every instruction.
pub(crate) const CONTROL: &[Operand<Maxwell>] =
    &[Operand { slot: Slot(63), field: SCHEDULE, kind: &Control }];

/// The meaning of the bits of [`Schedule`].
const PARTS: &[Part] = &[
    Part::new(0, 4, "stall cycles"),
    Part::new(4, 1, "no other warp in between"),
    Part::new(5, 3, "write barrier, 7 for none"),
    Part::new(8, 3, "read barrier, 7 for none"),
    Part::new(11, 6, "barriers waited for"),
];

#[derive(Debug)]
struct Control;

impl Kind<Maxwell> for Control {
    fn describe(&self) -> &'static str {
        "control bits"
    }

    /// A semicolon, directly after the text only if nothing is scheduled, as in nvdisasm; then the control bits, if
    /// the context requests them.
    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx<'_>, out: &mut Line<'_>) {
        let bits = Schedule(op.field.get(&insn.word) as u32);
        out.text(if bits == Schedule::PLAIN { "" } else { " " });
        out.text(if ctx.unended { "" } else { ";" });
        if ctx.control == ControlText::After {
            out.byte(b' ');
            print(bits, 0, out);
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        text.eat(b';');
        text.blanks();
        let bits = parse(text)?;
        op.field.fill(word, u64::from(bits & 0x1_ffff));
        *word |= u128::from(bits >> 17) << REUSE;
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        ctx.control != ControlText::Nowhere || op.field.get(&insn.word) as u32 == Schedule::PLAIN.0
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut Lift<'_, '_, Maxwell>) -> Value {
        l.refuse(Diagnostic::error("lift-operand", "control bits are not a value"));
        l.i32(0)
    }
}

impl Details<Maxwell> for Control {
    fn parts(&self) -> &'static [Part] {
        PARTS
    }
}

impl Hints<Maxwell> for Control {
    fn special_value(&self, ctx: Ctx) -> Option<u64> {
        (ctx.control != ControlText::After).then_some(u64::from(Schedule::PLAIN.0))
    }
}

/// Where the four reuse flags of a fused word begin.
pub(crate) const REUSE: u32 = (Schedule::LO + Schedule::WIDTH) as u32;

/// The reuse flag among an operand's bits, if it has one.
pub(crate) fn reuse_flag(op: &Operand<Maxwell>) -> Option<u128> {
    let is_flag = |(lo, width): &&(u8, u8)| u32::from(*lo) >= REUSE && *width == 1;
    op.field.runs().iter().find(is_flag).map(|(lo, _)| 1 << lo)
}

/// The reuse flags of a word, bit n for its n-th source from 0: the operand cache keeps these sources.
#[inline]
pub fn reuse_flags(word: u128) -> u32 {
    word.get(REUSE, 4) as u32
}

/// Writes control bits: `{wait:read:write:yield:stall}`, and after a plus sign the reuse flags that belong to no
/// operand.
pub(crate) fn print(bits: Schedule, reuse: u64, out: &mut Line<'_>) {
    let hex = |n: u32| b"0123456789abcdef"[n as usize & 15];
    let barrier = |n: Option<u32>| n.map_or(b'-', hex);
    let [high, low] = match bits.wait() {
        0 => *b"--",
        wait => [hex(wait >> 4), hex(wait)],
    };
    let (read, write) = (barrier(bits.read_barrier()), barrier(bits.write_barrier()));
    let yields = if bits.yields() { b'Y' } else { b'-' };
    out.ascii(&[b'{', high, low, b':', read, b':', write, b':', yields, b':', hex(bits.stall())]);
    if reuse != 0 {
        out.byte(b'+');
        out.hex(reuse, 1);
    }
    out.byte(b'}');
}

/// Reads control bits, if there are any: 17 of them, and above those the reuse flags that belong to no operand.
pub(crate) fn parse(text: &mut Scan<'_>) -> Result<u32, Diagnostic> {
    let at = text.pos();
    if !text.eat(b'{') {
        return Ok(Schedule::PLAIN.0);
    }
    if text.eat_str("raw") {
        // A plain word, without control bits.
        text.rewind(at);
        return Ok(Schedule::PLAIN.0);
    }
    let (bits, length) = fields(text.bytes()).ok_or_else(|| {
        let inside = text.take(|b| b != b'}');
        Diagnostic::error("asm-control", "control bits are {wait:read:write:yield:stall}")
            .at_text(at..at + 1 + inside.len(), "")
            .help("such as {--:-:0:Y:2}: wait mask in hex, two barriers 0 to 6, Y or -, stall 0 to f")
    })?;
    text.skip(length);
    Ok(bits)
}

/// Reads the text within the braces, and the last brace: control bits, and their length in bytes.
fn fields(text: &[u8]) -> Option<(u32, usize)> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let barrier = |b: u8| if b == b'-' { Some(7) } else { digit(b).filter(|n| *n < 7) };
    let (wait, rest) = match text {
        [b'-', b'-', rest @ ..] => (0, rest),
        [low, b':', ..] => (digit(*low)?, text.get(1..)?),
        [high, low, rest @ ..] => (digit(*high)? << 4 | digit(*low)?, rest),
        _ => return None,
    };
    let [b':', read, b':', write, b':', stays @ (b'Y' | b'-'), b':', stall, rest @ ..] = rest else {
        return None;
    };
    let (reuse, rest) = match rest {
        [b'+', reuse, rest @ ..] => (digit(*reuse)?, rest),
        _ => (0, rest),
    };
    let [b'}', rest @ ..] = rest else { return None };
    let stays = u32::from(*stays == b'-');
    let bits =
        digit(*stall)? | stays << 4 | barrier(*write)? << 5 | barrier(*read)? << 8 | wait << 11 | reuse << 17;
    (wait < 64).then_some((bits, text.len() - rest.len()))
}
