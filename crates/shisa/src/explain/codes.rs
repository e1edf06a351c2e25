//! Codes of diagnostics that belong to no instruction set alone.

use super::Explanation;

/// Each code with what it means.
const CODES: &[(&str, &str)] = &[
    ("agal-run-condition", "An `els` or `eif` of AGAL runs where no condition is open."),
    ("asm-alias", "A macro program's alias is a register, a comma and a name."),
    (
        "asm-alias-row",
        "The encoding of the instruction with these operands belongs to another one, with operands that mean nothing.",
    ),
    ("asm-bias", "A sampler's level-of-detail bias is a number between -16 and 15.875."),
    ("asm-bias-rounded", "A sampler's bias is stored in eighths of a level, so the number was rounded."),
    ("asm-bracket", "A bracket is not closed, or closed without having been opened."),
    ("asm-comment", "A comment begins with /* and never ends."),
    ("asm-component", "Components are x, y, z, w or r, g, b, a, as many as the operand takes."),
    ("asm-condition", "A condition is not written as the language has it."),
    ("asm-constant", "A number has no constant register that holds it; declare one."),
    ("asm-directive", "A line of the listing that begins with a dot is not known, or its values do not fit."),
    ("asm-expression", "An expression of the macro language is not written as the language has it."),
    ("asm-first-line", "What the first line says of stage or version differs from what was asked for."),
    ("asm-index", "An indexed register is a bank, brackets, and one component of an index register."),
    ("asm-indirect", "Only constants of vertex programs can be indexed."),
    ("asm-macro", "A macro is unknown, defined twice, or called with other operands than it has."),
    ("asm-macro-recursion", "A macro uses itself, on its own or through others."),
    ("asm-mask", "A mask is some of x, y, z, w in this order, each once."),
    ("asm-no-opcode", "A line does not begin with an opcode."),
    (
        "asm-no-stage",
        "Neither options nor the first line tell whether this is a vertex or a fragment program.",
    ),
    ("asm-no-temporary", "An expression needs more temporaries for what lies between than are free."),
    ("asm-offset", "The offset of an indexed register does not fit its eight bits."),
    ("asm-operand", "This operand cannot stand here."),
    ("asm-operand-count", "The instruction has another number of operands."),
    ("asm-range", "A number is larger than its field holds."),
    ("asm-raw", "Raw bits are written in hexadecimal, as many digits as the listing has."),
    ("asm-register-range", "There is no register of this number in this version."),
    ("asm-register-stage", "The register belongs to the other stage."),
    ("asm-sampler-option", "An option of a sampler is unknown, given twice, or excludes another one."),
    ("asm-skipped", "Adobe's assembler skips this without a word, and so it was skipped."),
    ("asm-stage", "The opcode belongs to the other stage."),
    ("asm-swizzle", "A swizzle is one to four of x, y, z, w."),
    ("asm-too-many", "The program has more instructions than its version takes."),
    ("asm-unexpected", "Text stands where the statement should have ended or gone on otherwise."),
    ("asm-unknown-modifier", "The instruction has no suffix of this name."),
    ("asm-unknown-opcode", "No instruction has this name."),
    ("asm-unknown-register", "No register has this name."),
    ("asm-version", "The version does not have this, or does not exist."),
    ("asm-word", "A word is written as eight hexadecimal digits, a colon, and its operand descriptor."),
    ("dis-live", "What is live is told in the default listing, not in the text of other tools."),
    ("eval-batch", "Inputs and outputs of a batch have different numbers of lanes."),
    ("eval-buffer", "A buffer of memory overlaps another one or lies outside of its space."),
    (
        "eval-dispatch",
        "A workgroup has no threads or too many, or waits at a barrier that some of it never reach.",
    ),
    ("eval-malformed", "The program is not well formed, so the evaluator cannot plan it."),
    ("eval-memory-constant", "A program writes memory that is constant."),
    ("eval-memory-outside", "A program reads or writes memory that was not given to it."),
    ("eval-no-environment", "The program uses something outside of it that was not given."),
    (
        "eval-off-program",
        "A lane runs to where the program has no instruction. The option past-end says what PICA200 programs find there.",
    ),
    ("eval-register", "There is no such register, or no such lane."),
    ("eval-unsupported", "The evaluator does not do this operation."),
    (
        "exchange-divergent",
        "Lanes exchange numbers where only some lanes of the workgroup may come. In other languages they do so through memory that the workgroup shares, and all of it waits there.",
    ),
    ("exchange-kind", "Lanes exchange vectors of 64 bits, which has no form in other languages."),
    ("explain-unknown", "The reference does not know the word."),
    ("flow-depth", "Calls are nested deeper than is followed."),
    (
        "flow-divergent",
        "Lanes of a wave call or return to different places that registers tell. What AGX does then is not known, so only lanes that agree go on.",
    ),
    ("flow-guard", "A conditional branch also does something that its condition does not hold back."),
    (
        "flow-indirect",
        "Where a call or return goes is a number in a register. The evaluator follows it; translators must know it before: it is known where the straight code in front of it moves a constant to the register.",
    ),
    (
        "flow-off-program",
        "Some way through the program leads to where it has no instruction. The option past-end says what PICA200 programs find there.",
    ),
    ("flow-return", "The program comes back from a call that it never made."),
    (
        "flow-states",
        "The stacks of the machine multiply the states of the program beyond the limit structure-growth.",
    ),
    ("ir-divergent", "An operation that sees other lanes stands where not all lanes that it may see are."),
    ("extract-cubin", "A program was to be extracted with its cubin, but lies in none."),
    ("isa-other", "A file is certainly of another instruction set than `--isa` says."),
    ("ir-invalid", "Operations break a rule of the intermediate representation."),
    ("ir-text", "The text of the intermediate representation is not written as it is printed."),
    ("lift-destination", "The destination is a register that cannot be written."),
    ("lift-opcode", "An instruction has no known opcode, so it has no meaning."),
    ("lift-operand", "An operand cannot be used as this instruction uses it."),
    ("lift-register", "A register lies behind the last one of its kind."),
    ("lift-sampler", "A sampler operand does not name a texture that can be sampled."),
    ("limit-diagnostics", "There were more findings than the limit diagnostics; the rest is only counted."),
    ("limit-exceeded", "The input is larger than a limit; --limit NAME=N raises it."),
    (
        "narrow-register",
        "A register of 16 bits is chosen by a computed number, and the target language has none so small.",
    ),
    ("no-program", "The file has no program of this number."),
    ("not-built", "This verb does not know the instruction set yet."),
    (
        "not-recognised",
        "The file is none that this build knows. A source is assembled first; `run`, `check` and `translate` do so themselves where its name or first line tells its language.",
    ),
    ("run-input", "An input names what the program does not have, or has another shape."),
    ("run-output", "A vertex gives on an output by a computed number that no output has."),
    ("run-steps", "The program ran for more instructions than the limit; it may never end."),
    (
        "structure-convergent",
        "Operations that see other lanes would have to move into a loop that not all lanes are in.",
    ),
    ("structure-growth", "Turning jumps into statements would copy the program too often."),
    ("swf-abc", "The byte code in a SWF could not be read."),
    ("swf-compression", "A SWF could not be decompressed."),
    ("swf-header", "The header of a SWF is cut off or wrong."),
    ("swf-magic", "The file is no SWF."),
    ("swf-size", "A SWF has another size than its header says."),
    ("swf-tag", "A tag of a SWF is cut off or wrong."),
    ("texture-missing", "The program samples a texture that was not given."),
    ("texture-shape", "The texture given has another shape than the program samples."),
    ("texture-store", "The program writes texels of a texture whose format the evaluator only reads."),
    (
        "translate-bindless",
        "A handle that names a texture or a sampler, or is loaded into a state register, depends on more than constants, uniforms and the memory found through them, or on the way that the program takes, so it may stand for several while the program runs. Other languages bind each by a number.",
    ),
    (
        "translate-compute-derivative",
        "A program that runs over lanes has no neighbouring pixels to take derivatives from.",
    ),
    (
        "translate-compute-lod",
        "A program that runs over lanes has no neighbouring pixels to choose a level of detail from.",
    ),
    (
        "translate-divergent-derivative",
        "A derivative is taken where not all pixels of a quad may be; its value is undefined there.",
    ),
    (
        "translate-geometry-input",
        "No geometry stage takes the vertices as the program does: its number of vertices varies, or is none of the usual ones. It becomes a compute kernel, a lane a primitive, where the language has those.",
    ),
    (
        "translate-lanes",
        "Lanes of a program that draws exchange values. Other languages do not say which pixels or vertices run together: each is translated as a wave of its own, and exchange among the four pixels of a quad is refused.",
    ),
    (
        "translate-memory-size",
        "A program uses memory of a workgroup or a thread, and nothing says how much it has, or a place behind all of it.",
    ),
    ("translate-name", "A name asked for is no name in the target language."),
    ("translate-refused", "The printer of the target language refused the program."),
    ("translate-rounding", "The target language cannot round as the program does."),
    (
        "translate-sample",
        "A fragment program reads what belongs to another sample of the pixel. In other languages it runs for each sample by itself.",
    ),
    ("translate-shape", "A value has a shape that the target language does not have."),
    ("translate-special", "A program reads a special register that holds nothing other languages know."),
    (
        "translate-stage",
        "An instruction is for programs of another stage, such as stores to the tile in a vertex program.",
    ),
    (
        "translate-texture",
        "The target language cannot say a texture operation: offsets must be constants, comparisons in text languages are at level 0 or at the computed one, texels are written at level 0, and WGSL has fewer shapes. Or a program uses one texture in two ways: of two shapes, read and written, with comparisons and without.",
    ),
    (
        "translate-tile",
        "A fragment program does what other languages cannot where it draws: reads or stores a colour in two formats, has more than eight, or writes a block of the tile to an image, and where in the tile it lies is decided while the program runs.",
    ),
    ("translate-unsupported", "The target language cannot say this."),
];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let (code, text) = CODES.iter().find(|(code, _)| *code == word)?;
    Some(Explanation {
        word: (*code).into(),
        kind: "error code",
        summary: (*text).into(),
        sections: Vec::new(),
    })
}

pub(super) fn words() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|(code, _)| *code)
}
