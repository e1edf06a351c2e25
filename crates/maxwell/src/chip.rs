//! Chips: which instructions exist where.

use core::fmt;

/// A chip of the family, by compute capability. Unless stated otherwise, 5.2 behaves like 5.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Chip {
    /// GM107 and GM108: GTX 750, 840M.
    Sm50,
    /// GM200 to GM206: GTX 900, Titan X.
    Sm52,
    /// GM20B: Tegra X1, the Switch.
    #[default]
    Sm53,
}

impl Chip {
    /// All chips, oldest first.
    pub const ALL: [Chip; 3] = [Chip::Sm50, Chip::Sm52, Chip::Sm53];

    /// 50, 52 or 53.
    pub const fn number(self) -> u32 {
        match self {
            Chip::Sm50 => 50,
            Chip::Sm52 => 52,
            Chip::Sm53 => 53,
        }
    }

    /// The chip with this number.
    pub fn of(number: u32) -> Option<Chip> {
        Chip::ALL.into_iter().find(|c| c.number() == number)
    }
}

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}", self.number())
    }
}
