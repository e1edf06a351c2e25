//! Occupancy.
//!
//! The numbers are those of Mesa's model (`agx_performance.c`), which were measured on G13G.

/// The most halves of registers that a thread may have, ascending, and the number of threads that then run at a time
/// on a core.
const OCCUPANCY: [(u32, u32); 10] = [
    (104, 1024),
    (112, 896),
    (128, 832),
    (136, 768),
    (144, 704),
    (160, 640),
    (184, 576),
    (208, 512),
    (232, 448),
    (256, 384),
];

/// The occupancy, and the number of halves of registers at which it would rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Threads of a core.
    pub threads: u32,
    /// The most halves with which more threads run, if any number does.
    pub better: Option<u32>,
}

/// The occupancy of a program with the given number of halves of registers.
pub fn occupancy(halves: u32) -> Occupancy {
    let i = OCCUPANCY.iter().position(|(most, _)| halves <= *most).unwrap_or(OCCUPANCY.len() - 1);
    Occupancy { threads: OCCUPANCY[i].1, better: i.checked_sub(1).map(|i| OCCUPANCY[i].0) }
}
