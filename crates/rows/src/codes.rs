//! The diagnostic codes of text and of lifting.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("asm-alias-row", "With these operands, the encoding of the instruction is that of another instruction."),
    ("asm-comment", "A comment begins with /* and never ends."),
    ("asm-condition", "A condition does not follow the syntax of the language."),
    (
        "asm-directive",
        "A directive (a line of the listing that begins with a dot) is unknown, or its values do not fit.",
    ),
    ("asm-mask", "A mask consists of x, y, z, w in this order, each at most once."),
    ("asm-operand", "This operand is not allowed here."),
    ("asm-operand-count", "The number of operands is wrong for the instruction."),
    ("asm-range", "A number is larger than its field holds."),
    ("asm-raw", "Raw bits are written in hexadecimal, with as many digits as in the listing."),
    ("asm-register-range", "There is no register of this number in this version."),
    ("asm-swizzle", "A swizzle is one to four of x, y, z, w."),
    ("asm-too-many", "The program has more instructions than its version allows."),
    ("asm-unexpected", "The statement should have ended here, or continued with other text."),
    ("asm-unknown-modifier", "The instruction has no suffix of this name."),
    ("asm-unknown-opcode", "No instruction has this name."),
    ("asm-unknown-register", "No register has this name."),
    ("asm-word", "A word is written as eight hexadecimal digits, a colon, and its operand descriptor."),
    ("lift-destination", "The destination is a register that cannot be written."),
    ("lift-opcode", "An instruction has no known opcode, so it has no meaning."),
    ("lift-operand", "An operand cannot be used as this instruction uses it."),
    ("lift-register", "A register number is past the last register of its kind."),
    ("lift-sampler", "A sampler operand does not name a texture that can be sampled."),
];
