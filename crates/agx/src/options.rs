//! Named choices for behaviour that nothing published settles, each with a documented default.

use crate::operand::AgxLift;
use alloc::format;
use shisa_diag::{Diagnostic, choices, values};
use shisa_rows::UNSTATED;

choices! {
    /// Choices that lifting obeys.
    Options {
        /// The effect of `doorbell`, `jmp_if_skipping_doorbell`, `map` and `unmap`. The driver's helper programs have
        /// them; they act outside of the program.
        "driver-ops" driver_ops: DriverOps,
        /// The effect of `uniform_store_unk`, which no known compiler writes.
        "uniform-elements" uniform_elements: UniformElements,
        /// The texture that a number with a heap selects, if it is not 0. Mesa selects textures of a heap by the
        /// offset in a register.
        "heap-numbers" heap_numbers: HeapNumbers,
        /// Where `sparse` writes whether all texels are resident, if fewer than four components are read. Mesa reads
        /// four.
        "sparse-answer" sparse_answer: SparseAnswer,
    }
}

values! {
    /// `driver-ops=refuse|ignore`.
    DriverOps {
        /// Programs that have them do not run.
        Refuse = "refuse",
        /// Nothing; doorbells are not skipped, and `unmap` leaves 0 in its register.
        Ignore = "ignore",
    }
}
values! {
    /// `uniform-elements=refuse|memory`.
    UniformElements {
        /// Programs that have it do not run.
        Refuse = "refuse",
        /// It stores as if to memory that begins at u0l, two bytes for a half.
        Memory = "memory",
    }
}
values! {
    /// `heap-numbers=refuse|descriptors|bytes`.
    HeapNumbers {
        /// Programs that have one do not run.
        Refuse = "refuse",
        /// Descriptors are consecutive, 24 bytes each.
        Descriptors = "descriptors",
        /// The number is the offset in bytes.
        Bytes = "bytes",
    }
}
values! {
    /// `sparse-answer=next|fifth`.
    SparseAnswer {
        /// In the register after the components that are written.
        Next = "next",
        /// In the fifth register, as after four components.
        Fifth = "fifth",
    }
}

/// Refuses an instruction whose meaning depends on a choice, and names the choice.
pub(crate) fn left_open(l: &mut AgxLift<'_, '_>, what: &str, choices: &[&str]) {
    let text = format!("nothing published settles {what}");
    let choices: alloc::vec::Vec<_> = choices.iter().map(|c| format!("`--set {c}`")).collect();
    l.refuse(Diagnostic::error(UNSTATED, text).help(format!("{} settles it", choices.join(" or "))));
}
