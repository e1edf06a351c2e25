//! The codes of the assembler's findings that are no [rules](crate::rules) of finished programs.

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
        "A call and an `.else` part run at most 255 words: the number of words has eight bits. picasso lets it run over into other bits in silence, and the program goes elsewhere.",
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
        "A component does not fit: float24 reaches from 2^-62 to just below 2^64, components of integer vectors have eight bits. Just past these limits picasso writes NaN or another number in silence.",
    ),
    (
        "pica-duplicate-name",
        "The name is taken. Labels, aliases, uniforms, inputs and outputs belong to a file; procedures to all files.",
    ),
    (
        "pica-emit-flag",
        "`setemit` takes prim (a triangle is complete) and inv (its winding is inverted). picasso reports an unknown flag but goes on.",
    ),
    (
        "pica-index",
        "An index is written in brackets: a number, an index register (a0.x, a0.y, aL), or an index register, a plus and a number.",
    ),
    (
        "pica-index-range",
        "An index leads past the registers of its kind; picasso goes on into the next kind in silence. As a warning: it leads past the array that was declared.",
    ),
    (
        "pica-interface",
        "There are 16 inputs, 16 outputs for a vertex program and 7 for a geometry program, and at most 16 entries in the table of outputs.",
    ),
    (
        "pica-mask-order",
        "Letters of a destination's mask out of order or twice. The mask only says which components are written.",
    ),
    (
        "pica-name",
        "Names consist of letters, digits, `_` and `$` and do not begin with a digit. One that looks like a register hides it.",
    ),
    (
        "pica-no-program",
        "All sources are marked `.nodvle`, or there is nothing in them; at least one makes a program.",
    ),
    (
        "pica-no-register",
        "Registers are v0 to v15, r0 to r15, c0 to c95, i0 to i3, b0 to b15 and o0 to o15, in geometry programs o0 to o6. picasso lets i4 to i7 pass, whose numbers spill out of their field.",
    ),
    (
        "pica-number",
        "A number is expected. picasso reads as far as it understands, and what is no number counts as 0.",
    ),
    (
        "pica-operand",
        "This kind of register is not allowed here. Uniforms fit one source of an instruction: the first, of dph, dst, sge, slt also the second, of mad the second or third.",
    ),
    ("pica-operand-count", "Something is missing or too much on the line."),
    ("pica-output-register", "Only o0 to o6 can have a meaning; the others can only be dummies."),
    ("pica-output-taken", "Two meanings for one component of an output."),
    (
        "pica-property",
        "Outputs mean position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or dummy.",
    ),
    (
        "pica-register-bank",
        "The register is of the wrong kind for what is done with it: an input written, an output read, an index on a temporary, a name in upper case. picasso takes the register of the same number in silence.",
    ),
    ("pica-swizzle", "Swizzles and masks are one to four letters of xyzw, rgba or stpq."),
    ("pica-text", "Text of our own directives is written in quotes, with `\\xNN` for other bytes."),
    ("pica-text-ignored", "picasso drops this text in silence."),
    (
        "pica-undefined-name",
        "A label, procedure or point of entry that does not exist. Labels belong to their file.",
    ),
    (
        "pica-uniform-mismatch",
        "Vertex programs that are linked share uniforms of the same name, which must have one kind, size and register.",
    ),
    (
        "pica-uniform-space",
        "There are 96 float, 4 integer and 16 boolean uniforms (in geometry programs 15). Constants of a file are taken from the top.",
    ),
    ("pica-unknown-instruction", "No instruction or directive has this name."),
    ("pica-unknown-name", "A name that is neither a register nor declared in this file."),
    ("pica-value-range", "The number does not fit."),
];
