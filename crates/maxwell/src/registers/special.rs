//! Special registers: what S2R and CS2R read.

use super::SPECIALS;
pub use super::description::{Bits, Knowledge, Scope, SpecialRegister};
use super::specials::ALL;
use crate::Chip;
use crate::launch::{Launch, Place};
use shisa_ir::Reg;

/// All special registers that have a name, by number. The others are reserved and read as zero.
pub const SPECIAL_REGISTERS: &[SpecialRegister] = ALL;

/// Special registers that show the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRegisters {
    /// The register of the low 32 bits.
    pub low: Reg,
    /// The register of the high 32 bits.
    pub high: Option<Reg>,
    /// The time advances in steps of this size.
    pub unit: u32,
}

const fn clock(low: u16, high: Option<u16>, unit: u32) -> ClockRegisters {
    let high = match high {
        Some(high) => Some(Reg::new(SPECIALS, high)),
        None => None,
    };
    ClockRegisters { low: Reg::new(SPECIALS, low), high, unit }
}

/// `SR_CLOCK`, `SR_CLOCKLO` and `SR_CLOCKHI` count cycles, `SR_GLOBALTIMERLO` and `SR_GLOBALTIMERHI` nanoseconds in steps
/// of 32. That `SR_CLOCK` is the low half of the same clock follows from its name only.
pub const CLOCKS: [ClockRegisters; 3] = [clock(1, None, 1), clock(80, Some(81), 1), clock(82, Some(83), 32)];

/// The number of the register that holds the number of the lane.
pub(crate) const LANE: u8 = 0;

/// No register: the number after the last one.
const NONE: u8 = ALL.len() as u8;
/// The position of the register of each number in the list.
static PLACES: [u8; 256] = {
    let (mut places, mut i) = ([NONE; 256], 0);
    while i < ALL.len() {
        places[ALL[i].number as usize] = i as u8;
        i += 1;
    }
    places
};

/// The special register of a number; `None` where it is reserved.
pub fn special_register(number: u8) -> Option<&'static SpecialRegister> {
    ALL.get(usize::from(PLACES[usize::from(number)]))
}

/// The number of `SR_LANEID`, which some instructions read that do not name it.
pub(crate) const LANE_ID: u16 = 0;

/// The value of a special register ([`SpecialRegister::value`]).
pub fn special_value(number: u8, launch: &Launch, lane: &Place) -> u32 {
    special_register(number).and_then(|register| register.value).map_or(0, |value| value(launch, lane))
}

/// The name that nvdisasm gives a number on a chip.
pub(crate) fn name(number: u8, chip: Chip) -> Option<&'static str> {
    special_register(number).filter(|s| s.named_since <= chip).map(|s| s.name)
}

/// The number of a name on a chip. Their description writes `SR_LaneId` where nvdisasm writes `SR_LANEID`.
pub(crate) fn number(name: &str, chip: Chip) -> Option<u8> {
    let known = |s: &&SpecialRegister| s.name.eq_ignore_ascii_case(name) && s.named_since <= chip;
    ALL.iter().find(known).map(|s| s.number)
}
