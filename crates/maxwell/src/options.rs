//! Named choices for behaviour that nothing published settles, each with a documented default.

use shisa_diag::{choices, values};

choices! {
    /// Choices that checks and runs obey.
    Options {
        /// What an instruction with control bits `{--:-:-:Y:0}` (0x7e0) waits for. No stall, barrier or wait is stated.
        /// The assembler nxas, the first code of nouveau and Mesa's built-in library have these bits in every
        /// instruction, and run on hardware.
        "plain-control" plain_control: PlainControl,
        /// What OUT and AST of a geometry program do besides leaving everything as it is, if the register with the state of
        /// emission is damaged. The hardware has an optional trap.
        "damaged-state" damaged_state: DamagedState,
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

values! {
    /// `damaged-state=ignores|traps`.
    DamagedState {
        /// Nothing: the program continues.
        Ignores = "ignores",
        /// The program stops with an error.
        Traps = "traps",
    }
}
