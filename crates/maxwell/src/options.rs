//! Named choices for behaviour that nothing published settles, each with a documented default.

use shisa_diag::{choices, values};

choices! {
    /// Choices that checks obey.
    Options {
        /// What an instruction with control bits `{--:-:-:Y:0}` (0x7e0) waits for. No stall, barrier or wait is stated.
        /// The assembler nxas, the first code of nouveau and Mesa's built-in library have these bits in every
        /// instruction, and run on hardware.
        "plain-control" plain_control: PlainControl,
    }
}

values! {
    /// `plain-control=waits|nothing`.
    PlainControl {
        /// The next instruction issues when its results are available and its sources have been read.
        Waits = "waits",
        /// For nothing: the next instruction may issue in the same cycle.
        Nothing = "nothing",
    }
}
