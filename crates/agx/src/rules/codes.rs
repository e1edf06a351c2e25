//! Codes of the rules' findings.

use shisa_diag::Code;

/// Findings of the rules: each code with its meaning.
pub const CODES: &[(Code, &str)] = &[
    ("agx-barrier-pending", "Accesses may still be pending at a barrier, so it does not order them."),
    ("agx-code", "A path through the program reaches bytes that are not an instruction."),
    (
        "agx-hint",
        "A register source has hint 0, which does not exist. 1 is no hint, 2 keeps the register in the cache, 3 marks its last use.",
    ),
    ("agx-past-end", "Control may run past the end of the code."),
    (
        "agx-pixel-wait",
        "Pixels in the tile are waited for with `pixwait`: 0x1 before samples are tested, 0x8 before ld_tile, 0xc before st_tile.",
    ),
    ("agx-register-count", "A register is used past the number that the program requests."),
    ("agx-register-odd", "Registers and uniforms of 32 and 64 bits begin at an even half."),
    ("agx-register-past", "Registers reach past r127h, or uniforms past u255h."),
    ("agx-sample-late", "A sample is killed or tested after a store to it; the store must not come before."),
    ("agx-sample-twice", "A sample is tested twice on a path through the program, or killed twice."),
    ("agx-stop-traps", "Eight traps follow the last stop, because the hardware reads ahead."),
    ("agx-target", "A jump leads out of the code, or into the middle of an instruction."),
    ("agx-trap", "A path through the program reaches a trap, which must never run."),
    ("agx-type", "A source has a type that does not exist, so it names nothing."),
    ("agx-uniform-count", "A uniform is read past those that the program is given."),
    (
        "agx-unknown-bits",
        "Bits without a meaning are set, most likely because the instruction is damaged; or it is a form of which only the encoding is known. A note: a released compiler sets them by mistake.",
    ),
    ("agx-value", "A field has a value without a meaning."),
    (
        "agx-wait-full",
        "More than eight loads, atomics and texture reads of a group are pending. Compilers wait before; the limit of the hardware is not published.",
    ),
    (
        "agx-wait-missing",
        "A register is read or overwritten while an access of a group may still write it; the group must be waited for before.",
    ),
    (
        "internal-agx-flow",
        "An analysis of the code does not settle. This is a fault of shisa; please report it.",
    ),
];
