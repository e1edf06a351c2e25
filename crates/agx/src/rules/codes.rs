//! Codes of what the rules find.

use shisa_diag::Code;

/// What rules find: each code with what it means.
pub const CODES: &[(Code, &str)] = &[
    ("agx-barrier-pending", "Accesses may still be under way at a barrier, so it does not order them."),
    ("agx-code", "A way through the program leads to bytes that are no instruction."),
    (
        "agx-hint",
        "A register source has the hint 0, which does not exist: 1 is none, 2 keeps it in the cache, 3 tells its last use.",
    ),
    ("agx-past-end", "Control may run past the end of the code."),
    (
        "agx-pixel-wait",
        "Pixels in the tile are waited for with `pixwait`: 0x1 before samples are tested, 0x8 before ld_tile, 0xc before st_tile.",
    ),
    ("agx-register-count", "A register is used past the number that the program asks for."),
    ("agx-register-odd", "Registers and uniforms of 32 and 64 bits begin at an even half."),
    ("agx-register-past", "Registers reach past r127h, or uniforms past u255h."),
    (
        "agx-sample-late",
        "A sample is killed or tested behind a store to it; the store must not come before that.",
    ),
    ("agx-sample-twice", "A sample is tested twice on a way through the program."),
    ("agx-stop-traps", "Eight traps stand behind the last stop: the machine reads ahead."),
    ("agx-target", "A jump leads out of the code, or into the middle of an instruction."),
    ("agx-trap", "A way through the program runs into a trap, which stands where nothing may run."),
    ("agx-type", "A source has a type that does not exist, so it names nothing."),
    ("agx-uniform-count", "A uniform is read past those that the program is given."),
    ("agx-unknown-bits", "Bits are set to which nothing gives a meaning; most likely the word is damaged."),
    ("agx-value", "A field has a value that nothing defines."),
    (
        "agx-wait-full",
        "More than eight accesses of a group are under way; the group must be waited for before.",
    ),
    (
        "agx-wait-missing",
        "A register is read or overwritten that an access of a group may still write; the group must be waited for before.",
    ),
];
