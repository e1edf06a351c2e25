//! Special registers: what S2R and CS2R read.

pub use super::description::{Bits, Knowledge, Scope, SpecialRegister};
use super::specials::ALL;
use crate::Chip;

/// All special registers that have a name, by number. The others are reserved and read as zero.
pub const SPECIAL_REGISTERS: &[SpecialRegister] = ALL;

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

/// The name that nvdisasm gives a number on a chip.
pub(crate) fn name(number: u8, chip: Chip) -> Option<&'static str> {
    special_register(number).filter(|s| s.named_since <= chip).map(|s| s.name)
}

/// The number of a name on a chip. Their description writes `SR_LaneId` where nvdisasm writes `SR_LANEID`.
pub(crate) fn number(name: &str, chip: Chip) -> Option<u8> {
    let known = |s: &&SpecialRegister| s.name.eq_ignore_ascii_case(name) && s.named_since <= chip;
    ALL.iter().find(known).map(|s| s.number)
}
