//! Codes of the rules' findings, and of faults of shisa in analyses and translation.

use shisa_diag::Code;

/// Each code with its meaning.
pub const CODES: &[(Code, &str)] = &[
    (
        "internal-analysis",
        "An analysis of all paths through a program did not settle within the steps that it can need at most. This is a fault of shisa; please report it with the file.",
    ),
    (
        "internal-maxwell-origin",
        "An operation of a program that is translated belongs to no instruction of it. This is a fault of shisa; please report it with the file.",
    ),
    (
        "maxwell-attribute",
        "An attribute is read or written that the maps of the Shader Program Header do not have, or one of the patch past their number.",
    ),
    (
        "maxwell-barrier-count",
        "The number of a barrier is past the barriers that the program asks for, so none is set aside for it.",
    ),
    ("maxwell-header", "An instruction does what a flag of the Shader Program Header must allow first."),
    (
        "maxwell-ignored-bits",
        "Bits that the instruction does not use are not as compilers set them; most likely the word is damaged.",
    ),
    (
        "maxwell-interpolation",
        "A pixel program interpolates an attribute otherwise than the Shader Program Header states: IPA.CONSTANT goes with constant, IPA with perspective, IPA.PASS with any that is not constant.",
    ),
    (
        "maxwell-local-memory",
        "Local memory is accessed past what the Shader Program Header asks for: its low part lies from 0 on, its high part up to 0xffffff.",
    ),
    (
        "maxwell-mark-growth",
        "A loop makes marks (SSY, PBK, PCNT) that nothing takes, so that the stack overflows.",
    ),
    (
        "maxwell-mark-missing",
        "An instruction leaves for a mark, such as SYNC for that of SSY, that nothing has made.",
    ),
    ("maxwell-mark-unused", "A mark is made, such as by SSY, and no instruction after it leaves for one."),
    ("maxwell-no-exit", "No path through the program leads to EXIT, so it never ends."),
    (
        "maxwell-out-cut",
        "OUT.CUT takes RZ in place of a stream: it ends the strip of the stream of the last vertex.",
    ),
    (
        "maxwell-out-exit",
        "A regular geometry program may end where R0 does not hold the state that OUT left. The hardware ends the output by R0 then, and vertices are damaged or lost.",
    ),
    ("maxwell-out-fast", "OUT does nothing in geometry programs that the Shader Program Header calls fast."),
    (
        "maxwell-out-state",
        "OUT takes the state of emission from a register that does not hold it. The state is 0 at first, then what the last OUT wrote; nothing else may change it.",
    ),
    (
        "maxwell-out-store",
        "AST of a regular geometry program takes the state of emission as its last operand, unchanged; otherwise the hardware drops the store.",
    ),
    ("maxwell-out-stream", "There are four streams, so only the two lowest bits of a stream's number count."),
    (
        "maxwell-out-stream-change",
        "Where vertices go to another stream than the last one, the hardware ends the strip as OUT.CUT does.",
    ),
    (
        "maxwell-out-stream-mask",
        "A vertex goes to a stream that StreamOutMask of the Shader Program Header does not have.",
    ),
    (
        "maxwell-out-strip",
        "A strip ends with fewer vertices than one primitive of OutputTopology has, whatever path was taken: two for lines, three for triangles. The hardware discards them.",
    ),
    ("maxwell-out-type", "An OUT has the value 0 where it states whether to emit, to cut, or both."),
    (
        "maxwell-out-vertices",
        "A vertex is emitted after as many as MaxOutputVertexCount of the Shader Program Header allows, whatever path was taken. The hardware drops it.",
    ),
    ("maxwell-output-read", "ALD.O reads outputs, which geometry programs cannot."),
    (
        "maxwell-output-unset",
        "A pixel program may end where nothing has written any register that the hardware takes as the colour of a render target, the mask of samples or depth, as the Shader Program Header says.",
    ),
    ("maxwell-past-end", "Control may run past the end of the code."),
    (
        "maxwell-register-alignment",
        "Runs of two registers begin at an even one, runs of four at a multiple of four.",
    ),
    ("maxwell-register-count", "The program uses a register past the number that its header asks for."),
    ("maxwell-register-past", "A run of registers reaches past R254, the last one."),
    ("maxwell-special-coupled", "CS2R reads only registers that are coupled with execution, others as zero."),
    (
        "maxwell-special-number",
        "Source names a special register by its number, though it has a name. Numbers may mean other registers on other chips.",
    ),
    ("maxwell-special-reserved", "The special register is reserved or not implemented, and reads as zero."),
    ("maxwell-special-stage", "The special register has no value in this stage and reads as zero."),
    ("maxwell-stage", "The instruction means something in programs of another stage only."),
];
