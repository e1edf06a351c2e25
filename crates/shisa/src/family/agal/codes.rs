//! Diagnostic codes of AGAL's assembler, of its runs and of SWF files.

/// Each code with its meaning.
pub(super) const CODES: &[(&str, &str)] = &[
    ("agal-run-condition", "An `els` or `eif` runs without an open condition."),
    ("asm-alias", "An alias in a macro program must be a register, a comma and a name."),
    ("asm-bias", "A sampler's level-of-detail bias is a number between -16 and 15.875."),
    ("asm-bias-rounded", "A sampler's bias is stored in eighths of a level, so the number was rounded."),
    ("asm-bracket", "A bracket is not closed, or closed without having been opened."),
    ("asm-component", "Components are x, y, z, w or r, g, b, a, as many as the operand has."),
    ("asm-constant", "No constant register holds this number; declare one."),
    ("asm-expression", "An expression does not follow the syntax of the macro language."),
    ("asm-first-line", "The first line states another stage or version than the requested one."),
    ("asm-index", "An indexed register is a bank, brackets, and one component of an index register."),
    ("asm-indirect", "Only constants of vertex programs can be indexed."),
    ("asm-macro", "A macro is unknown, defined twice, or called with other operands than it has."),
    ("asm-macro-recursion", "A macro uses itself, on its own or through others."),
    ("asm-no-opcode", "A line does not begin with an opcode."),
    (
        "asm-no-stage",
        "Neither options nor the first line state whether this is a vertex or a fragment program.",
    ),
    (
        "asm-mask-read",
        "A statement of the macro language reads its target with the components of the mask as a swizzle, as Adobe's tool does, and so reads other components than it writes.",
    ),
    ("asm-no-temporary", "An expression needs more temporaries for intermediate values than are free."),
    ("asm-offset", "The offset of an indexed register does not fit its eight bits."),
    ("asm-register-stage", "The register belongs to the other stage."),
    ("asm-sampler-option", "An option of a sampler is unknown, given twice, or excludes another one."),
    ("asm-skipped", "Adobe's assembler skips this silently, so it was skipped here too."),
    ("asm-stage", "The opcode belongs to the other stage."),
    ("asm-version", "The version does not have this, or does not exist."),
    (
        "internal-swf",
        "A fault of shisa: a SWF lacks bytes that were there when it was read. Please report it with the file.",
    ),
    ("swf-abc", "The byte code in a SWF could not be read."),
    ("swf-archive", "A ZIP archive, or a file in it, could not be read."),
    ("swf-compression", "A SWF could not be decompressed."),
    (
        "swf-fuel",
        "The byte code of a SWF was not executed as a whole, because it is too large: programs that it builds may be \
         missing.",
    ),
    ("swf-header", "The header of a SWF is cut off or wrong."),
    ("swf-magic", "The file is not a SWF."),
    ("swf-nesting", "Files are nested in each other too deep; the inner ones were not searched."),
    (
        "swf-put",
        "A program of a SWF cannot be replaced: byte code builds it, it is a source, or it is in a file inside of the \
         SWF.",
    ),
    ("swf-size", "The size of a SWF differs from the size in its header."),
    ("swf-tag", "A tag of a SWF is cut off or wrong."),
];
