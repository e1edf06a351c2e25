//! Terms of the Maxwell hardware.

use crate::explain::{Explanation, Section};

/// Each word with a summary and lines of detail; the first spelling is the reference's.
#[rustfmt::skip]
const CONCEPTS: &[(&[&str], &str, &[&str])] = &[
    (
        &["control-codes", "control-bits", "control"],
        "Scheduling bits: 21 bits for each instruction, which state when it may issue. The control word of a bundle has three of them. The hardware does not detect dependences; these bits encode them.",
        &[
            "Written after the instruction as {wait:read:write:yield:stall}, such as {01:-:2:Y:4}; left out, they are {--:-:-:Y:0}.",
            "wait: barriers waited for, a mask in hexadecimal, -- for none (bits 11-16)",
            "read: barrier raised when sources have been read, - for none (bits 8-10)",
            "write: barrier raised when results are written, - for none (bits 5-7)",
            "yield: Y where another warp may be scheduled in between, else - (bit 4, inverted)",
            "stall: cycles until the next instruction, one hexadecimal digit (bits 0-3)",
            "reuse: four flags (bits 17-20), written .reuse after registers; after a plus sign those that belong to no operand",
        ],
    ),
    (
        &["stall"],
        "Cycles until the next instruction of the warp may issue, 0 to 15. The stall count covers results of fixed latency.",
        &["0 without a yield and without barriers issues the next instruction together with this one."],
    ),
    (&["yield"], "Lets another warp be scheduled after the instruction. Bit 4 of the control bits is 0 where it may be.", &[]),
    (
        &["barrier", "barriers", "scoreboard"],
        "One of six, 0 to 5, that signal when an instruction of variable latency is done.",
        &[
            "The write barrier is raised when results are there, the read barrier when sources have been read and may be overwritten.",
            "An instruction waits with its wait mask; DEPBAR waits for barriers, or until no more than so many uses of one are open.",
            "Instructions of fixed latency raise none: maxwell-barrier.",
        ],
    ),
    (
        &["latency", "fixed-latency", "variable-latency"],
        "How long a result takes. Fixed: a number of cycles that stall counts must add up to. Variable: until a barrier is raised.",
        &["Nobody publishes the numbers; the smallest distance seen in the output of compilers is a lower bound."],
    ),
    (
        &["reuse", "operand-cache"],
        "Keeps a source register in the operand cache, for the next instruction to read in the same operand slot: R2.reuse.",
        &["Flags 17, 18, 19 of the control bits are for the slots of the first, second and third source; flag 20 belongs to no operand."],
    ),
    (
        &["bundle"],
        "32 bytes: a control word, then three instruction words of 64 bits, little endian.",
        &[
            "Bits 0-20, 21-41 and 42-62 of the control word are the control bits of the three; bit 63 means nothing (.spare in listings).",
            "The first instruction of a program is at address 8; a branch to a control word runs the instruction after it.",
        ],
    ),
    (
        &["dual-issue"],
        "Two instructions that issue in one cycle. nvdisasm writes braces around them.",
        &["The first has stall 0 and no yield, and raises no barrier; both are in one bundle."],
    ),
    (
        &["guard"],
        "The predicate before the mnemonic, such as @P0 or @!P3. Lanes where it does not hold do nothing.",
        &["Bits 16-18 are its number, bit 19 negates it. PT is always true and not written."],
    ),
    (
        &["divergence-stack", "token"],
        "Tracks where lanes of a warp diverge and reconverge. A warp has one stack of tokens: kind, address, lanes that will continue there.",
        &[
            "SSY pushes the target of SYNC, PBK that of BRK, PCNT that of CONT, PRET and CAL that of RET.",
            "SYNC, BRK and CONT send lanes to the nearest token of their kind; they wait there, removed from the tokens above.",
            "A divergent branch pushes a token for the lanes that do not take it. When no lane is left, the top token is popped.",
        ],
    ),
    (
        &["R", "register", "RZ"],
        "R0 to R254 have 32 bits; RZ, number 255, is zero, and what is written there is lost.",
        &["Wider values are in registers side by side: two from an even number on, four from a multiple of four on."],
    ),
    (&["predicate", "PT"], "P0 to P6 are truth values, one for each lane; PT, number 7, is true.", &[]),
    (
        &["condition-codes", "CC"],
        "Zero, sign, carry and overflow of a result. Written after a destination as .CC; .X adds the carry, and branches may test them.",
        &[],
    ),
    (
        &["constant-bank", "c[]"],
        "Constants by bank, 0 to 31, and offset: c[0x2][0x10]. The driver fills them before the program runs.",
        &[
            "Bits 20-33 are the offset in words of four bytes, bits 34-38 the bank, in most instructions.",
            "nvdisasm reads the offset's highest bit as a sign; the hardware reaches 64 KiB without one.",
        ],
    ),
    (
        &["chip", "sm_50", "sm_52", "sm_53"],
        "The chips of the family, by the version of their instruction set: 5.0, 5.2 and 5.3, which is the Switch's.",
        &[
            "sm_50 lacks arithmetic on halves (HADD2, HFMA2, HMUL2, HSET2, HSETP2) and loads and atomics that write a predicate.",
            "Files state theirs, listings by .chip sm_53. Otherwise --sm states it; the default is sm_53.",
        ],
    ),
    (
        &["raw-word", "{raw"],
        "If assembling an instruction's text would yield another word, its listing ends with the word: {raw 0x...}.",
        &["`.word 0x...` is a word that is not an instruction. So a listing of any code assembles to the same code."],
    ),
];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let word = general(word);
    let (names, summary, details) = CONCEPTS.iter().find(|(names, ..)| names.contains(&word))?;
    let lines: Vec<String> = details.iter().map(|l| (*l).into()).collect();
    let details = (!lines.is_empty()).then_some(Section { heading: "Details", lines });
    Some(Explanation {
        word: names.join(", "),
        kind: "Maxwell concept",
        summary: (*summary).into(),
        sections: Vec::from_iter(details),
    })
}

/// The reference's word for an operand of a program, such as `R12` or `c[0x0][0x140]`.
fn general(word: &str) -> &str {
    let numbered = |letter: &str, count: u8| {
        let number = word.strip_prefix(letter).and_then(|n| n.parse::<u8>().ok());
        number.is_some_and(|n| n < count && word == format!("{letter}{n}"))
    };
    match () {
        () if numbered("R", 255) => "R",
        () if numbered("P", 7) => "predicate",
        () if numbered("SB", 6) => "barrier",
        () if word.starts_with("c[") => "c[]",
        () => word.strip_prefix('.').filter(|bare| *bare == "reuse").unwrap_or(word),
    }
}

pub(super) fn words() -> impl Iterator<Item = String> {
    CONCEPTS.iter().flat_map(|(names, ..)| names.iter().copied()).map(String::from)
}
