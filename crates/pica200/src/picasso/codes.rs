//! The codes of the assembler's findings that are not [rules](crate::rules) of finished programs.

/// Each code with what it means.
pub const CODES: &[(&str, &str)] = &[
    (
        "internal-pica-source",
        "The assembler met an operand that no row has. This is a defect of shisa: please report it.",
    ),
    (
        "pica-block",
        "Procedures, conditions, loops and arrays are opened and closed in pairs, each with `.end`; only a condition has an `.else`, and only one. Instructions are written within procedures.",
    ),
    (
        "pica-block-length",
        "A call and an `.else` part run at most 255 words: the number of words has eight bits. picasso silently lets the number overflow into other bits, and the program runs other words.",
    ),
    (
        "pica-condition",
        "Conditions test `cmp.x` and `cmp.y`, each once, with `!` before and `&&` or `||` between them. Comparisons are eq, ne, lt, le, gt and ge. Only `jmpu` can test a boolean for false.",
    ),
    (
        "pica-constant-array",
        "An array of constants has brackets with its size or nothing in them, at least one element, and no more than its size.",
    ),
    (
        "pica-constant-range",
        "A component does not fit: float24 reaches from 2^-62 to just below 2^64, components of integer vectors have eight bits. Just past these limits picasso silently writes NaN or another number.",
    ),
    (
        "pica-duplicate-name",
        "The name is in use. Labels, aliases, uniforms, inputs and outputs belong to a file; procedures to all files.",
    ),
    (
        "pica-emit-flag",
        "`setemit` accepts prim (a triangle is complete) and inv (its winding is inverted). picasso reports an unknown flag but continues.",
    ),
    (
        "pica-index",
        "An index is written in brackets: a number, an index register (a0.x, a0.y, aL), or an index register, a plus and a number.",
    ),
    (
        "pica-index-range",
        "An index is past the registers of its kind; picasso silently continues in the next kind. As a warning: it is past the declared array.",
    ),
    (
        "pica-interface",
        "There are 16 inputs, 16 outputs for a vertex program and 7 for a geometry program, and at most 16 entries in the table of outputs.",
    ),
    (
        "pica-mask-order",
        "Letters of a destination's mask are out of order or repeated. The mask only states which components are written.",
    ),
    (
        "pica-name",
        "Names consist of letters, digits, `_` and `$` and do not begin with a digit. One that looks like a register hides it.",
    ),
    ("pica-no-program", "All sources are marked `.nodvle` or are empty; at least one must make a program."),
    (
        "pica-no-register",
        "Registers are v0 to v15, r0 to r15, c0 to c95, i0 to i3, b0 to b15 and o0 to o15, in geometry programs o0 to o6. picasso accepts i4 to i7, whose numbers overflow their field.",
    ),
    (
        "pica-number",
        "A number is expected. picasso reads as many characters as form a number; other text counts as 0.",
    ),
    (
        "pica-operand",
        "This kind of register is not allowed here. Uniforms fit one source of an instruction: the first; of dph, dst, sge and slt also the second; of mad the second or third.",
    ),
    ("pica-operand-count", "The line lacks something or has too much."),
    ("pica-output-register", "Only o0 to o6 can have a meaning; the others can only be dummies."),
    ("pica-output-taken", "One component of an output has two meanings."),
    (
        "pica-property",
        "The meaning of an output is position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or dummy.",
    ),
    (
        "pica-register-bank",
        "The register has the wrong kind for its use: an input is written, an output is read, a temporary is indexed, or a name is in upper case. picasso silently uses the register of the same number.",
    ),
    ("pica-swizzle", "Swizzles and masks are one to four letters of xyzw, rgba or stpq."),
    ("pica-text", "Text of our own directives is written in quotes, with `\\xNN` for other bytes."),
    (
        "pica-text-ignored",
        "picasso silently ignores this text. A comma after a register is a warning, because it does not change the meaning.",
    ),
    (
        "pica-undefined-name",
        "The label, procedure or entry point does not exist. Labels belong to their file.",
    ),
    (
        "pica-uniform-mismatch",
        "Vertex programs that are linked share uniforms of the same name, which must have one kind, size and register.",
    ),
    (
        "pica-uniform-space",
        "There are 96 float, 4 integer and 16 boolean uniforms (in geometry programs 15). Constants of a file are allocated from the top.",
    ),
    ("pica-unknown-instruction", "No instruction or directive has this name."),
    ("pica-unknown-name", "The name is neither a register nor declared in this file."),
    ("pica-value-range", "The number does not fit."),
];
