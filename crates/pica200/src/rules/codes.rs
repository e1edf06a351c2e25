//! Every rule with its code: the meaning of a breach and its remedy.

use shisa_diag::{Code, Severity};

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The code of its findings.
    pub code: Code,
    /// The severity of a breach unless the finding states otherwise.
    pub severity: Severity,
    /// The meaning of a breach.
    pub meaning: &'static str,
    /// The remedy.
    pub help: &'static str,
}

macro_rules! rules {
    ($($name:ident $severity:ident $code:literal $meaning:literal $help:literal;)*) => {
        $(pub(super) const $name: Rule =
            Rule { code: $code, severity: Severity::$severity, meaning: $meaning, help: $help };)*
        /// Every rule, grouped by subject.
        pub const ALL: &[Rule] = &[$($name),*];
    };
}

#[rustfmt::skip]
rules! {
    // The pool that all programs of a file share.
    CODE_SIZE Error "pica-program-length"
        "A vertex shader unit holds 512 words, a geometry shader unit 4096. Words past that are not loaded. The words of all linked files count."
        "make the program shorter: share procedures, or move work to uniforms";
    DESCRIPTOR_COUNT Error "pica-descriptors"
        "A program has at most 128 operand descriptors (masks, swizzles and signs), of which instructions with three sources reach 32."
        "use fewer different combinations of mask, swizzle and sign";
    DESCRIPTOR Error "pica-descriptor"
        "An instruction names an operand descriptor that the file does not have. The hardware reads what the previous program left there."
        "write the descriptor into the table";
    OPCODE Error "pica-opcode"
        "The opcode has no known meaning."
        "replace the word; data in the code should follow the last end";
    UNUSED_BITS Note "pica-unused-bits"
        "Bits are set that have no meaning in the instruction. A number too large for its field leaves such bits."
        "clear the bits, if no tool needs them";
    EMPTY_MASK Warning "pica-empty-mask"
        "The mask names no component, so the instruction writes nothing."
        "remove the instruction, or give it a mask";
    INDEX_IGNORED Warning "pica-index-ignored"
        "Only constants can be indexed. The hardware ignores the index of another register."
        "index a constant, or remove the index";
    COMPARE_RESERVED Warning "pica-compare-reserved"
        "Comparisons 6 and 7 have no name; they are believed to be always true."
        "use one of eq, ne, lt, le, gt, ge";

    // Cases that freeze the hardware or make it compute something else. What released software does is a warning.
    TWO_INPUTS Error "pica-two-inputs"
        "The hardware reads one input register for each instruction: with two different ones the result is wrong. The same register twice is allowed."
        "copy one of them to a temporary first";
    ADJACENT_MOVA Error "pica-adjacent-mova"
        "Two mova that run one directly after the other freeze the hardware. The order of execution matters: the end of a procedure or of a loop may bring them together."
        "write both address registers with one mova a0.xy, or put another instruction between";
    OUTPUT_TWICE Warning "pica-output-twice"
        "Each enabled component of an output must be written exactly once, else the hardware freezes or outputs wrong vertices. In geometry programs this holds from emit to emit. The only source is 3dbrew's list of GPU pitfalls; released software for the console breaks the rule, so it does not always hold."
        "compute in a temporary and copy it to the output once";
    OUTPUT_MISSING Warning "pica-output-missing"
        "Each enabled component of an output must be written exactly once on every path through the program, else the hardware freezes. The only source is 3dbrew's list of GPU pitfalls; released software for the console breaks the rule, so it does not always hold."
        "write the component on every path, or leave it out of the output's mask";
    OUTPUT_KEPT Warning "pica-output-kept"
        "A component that is not written before an emit has its value of two emits ago: the output registers have two banks."
        "write all enabled outputs before each emit";
    OUTPUT_DISABLED Warning "pica-output-disabled"
        "The program writes a register that is not one of its outputs, so the value is lost."
        "declare the output, or write to a temporary";
    INPUT_DISABLED Warning "pica-input-disabled"
        "The program declares inputs and reads another register, which is probably never set. Programs that declare no inputs are not checked."
        "declare the input";
    GEOMETRY_ONLY Error "pica-geometry-only"
        "emit and setemit belong to geometry programs."
        "remove the instruction, or make this a geometry program";
    GEOMETRY_OUTPUT Error "pica-geometry-output"
        "A geometry program has the outputs o0 to o6."
        "use one of o0 to o6";
    VERTEX_SLOT Error "pica-vertex-slot"
        "setemit selects one of three vertex slots: 0, 1 or 2."
        "use 0, 1 or 2";
    EMIT_WITHOUT_SETEMIT Error "pica-emit-without-setemit"
        "On some path an emit runs before any setemit has selected a vertex slot."
        "put setemit before the first emit";
    NO_PRIMITIVE Warning "pica-no-primitive"
        "The geometry program emits no vertex that completes a triangle, so it draws nothing."
        "add prim to the setemit of every triangle's last vertex";

    // Control flow.
    ENTRY Error "pica-entry"
        "The first word of the program is not in the code."
        "use a word of the code as the entry point";
    NO_END Error "pica-no-end"
        "Control leaves the code: some path does not reach an end."
        "end every path through the program with end";
    FALLS_THROUGH Warning "pica-falls-through"
        "Control runs from the words before it into a procedure that is also called."
        "put end before the procedure";
    CALL_DEPTH Error "pica-call-depth"
        "The hardware stores four calls. A fifth overwrites the first one, which then never returns."
        "inline one of the procedures";
    RECURSION Error "pica-recursion"
        "A procedure calls itself, directly or through others. The hardware stores four calls."
        "use a loop";
    IF_DEPTH Error "pica-if-depth"
        "The hardware stores eight conditions. A ninth overwrites the first one, whose else part then runs, too."
        "combine conditions, or jump";
    LOOP_DEPTH Error "pica-loop-depth"
        "The hardware stores four loops. A fifth overwrites the first one, which then ends after this iteration."
        "unroll one of the loops";
    BREAK_OUTSIDE Error "pica-break-outside-loop"
        "break outside of any loop hangs the hardware."
        "move it into the loop, or jump";
    FLOW_AT_END Error "pica-flow-at-end"
        "A jump, call or block that begins at the last word of a loop, condition or procedure is lost: the end of the block determines where control goes. The assembler inserts a NOP after it, but not with --no-nop."
        "put nop after it";
    EMPTY_CALL Error "pica-empty-call"
        "A call of zero words does not return: its end is never reached, and a call of zero words at word 0 restarts the program forever. Assemblers whose length wraps at 256 words also emit such calls."
        "put nop into the procedure, or make it shorter than 256 words";
    BLOCK_RANGE Error "pica-block-range"
        "A block ends or a jump leads outside of the code."
        "correct the target or the length";
    BLOCK_ORDER Warning "pica-block-order"
        "A loop or condition ends before it begins, so its end is not reached by running through it."
        "put the end of the block after its beginning";
    BLOCK_CROSSES Warning "pica-block-crosses"
        "A block begins inside another one and ends outside of it. The hardware then leaves them in an order that was probably not intended."
        "end the inner block before the outer one";
    SHARED_END Error "pica-shared-end"
        "A loop or condition ends where the block around it ends, so the hardware does not notice one of the two ends."
        "put nop between the two ends";
    CONDITION_LEFT Warning "pica-condition-left"
        "A jump or break leaves a condition inside another one. The hardware still stores the inner one, misses the end of the outer one, and so runs its else part, too."
        "leave both conditions, or set a flag and leave after them";
    JUMP_INTO_BLOCK Warning "pica-jump-into-block"
        "A jump enters a loop or condition that was not begun: the end of the loop does not repeat it, and the else part of the condition runs, too."
        "jump to where the block begins, or out of blocks only";
    JUMP_OUT_OF_LOOP Note "pica-jump-out-of-loop"
        "A jump leaves a loop. The hardware still stores the loop until four newer ones have begun."
        "use break, if only one loop is to be left";
    JUMP_OUT_OF_PROCEDURE Warning "pica-jump-out-of-procedure"
        "A jump leaves a called procedure. The hardware still stores the call, and returns if it ever reaches the procedure's end."
        "jump to the end of the procedure";
    ENDLESS Warning "pica-endless-loop"
        "No path from here reaches an end."
        "give the loop an exit that can be taken";
    UNREACHABLE Warning "pica-unreachable"
        "No program of the file reaches these words; in a source, nothing calls this procedure."
        "remove them, or correct the path that should lead here";
    FLOW_STATES Note "pica-flow-states"
        "The program has too many control states to follow all its paths, so rules about paths were not checked."
        "make calls and jumps simpler";

    // Contents of registers.
    READ_BEFORE_WRITE Warning "pica-read-before-write"
        "A register is read that no path has written before: it holds what the last run left."
        "write it first";

    // The tables of a program.
    STAGE Error "pica-stage"
        "The kind of a program is 0 (vertex) or 1 (geometry)."
        "correct the DVLE's header";
    MAIN_END Warning "pica-main-end"
        "The end of the main procedure is not between its entry and the end of the code."
        "correct the DVLE's header";
    OUTPUT_TABLE Error "pica-output-table"
        "An entry of the output table has a register, meaning or mask that does not exist."
        "registers are 0 to 15 (only dummies above 6), meanings 0 to 9, masks 1 to 15";
    OUTPUT_COLLISION Error "pica-output-collision"
        "Two entries of the output table give a meaning to the same component of a register."
        "use different registers or components";
    OUTPUT_MASK Warning "pica-output-mask"
        "The mask of used outputs in the header and the output table do not name the same registers. The registers of both count. A mask of 0, which old assemblers write, is a note: libctru's loader reads only the table."
        "write both from the same list";
    PROPERTY_TWICE Warning "pica-property-twice"
        "Two output registers have the same meaning; one of them wins."
        "map each meaning once";
    NO_POSITION Warning "pica-no-position"
        "No output is mapped to the position."
        "declare an output as position";
    CONSTANT Error "pica-constant"
        "A constant has a kind or a register that does not exist."
        "kinds are 0 boolean, 1 integer vector, 2 float vector; registers b0 to b15, i0 to i3, c0 to c95";
    CONSTANT_TWICE Warning "pica-constant-twice"
        "A register gets its constant twice; the later one wins."
        "remove one of them";
    CONSTANT_OVER_UNIFORM Note "pica-constant-over-uniform"
        "A constant is in a register that a uniform has, too. It is the uniform's initial value, unless the register was chosen by number and they coincide by chance."
        "set the value by the uniform's name, or choose another register";
    CONSTANT_VALUE Warning "pica-constant-value"
        "A constant is not what was intended: not a number, a denormal (which arithmetic treats as zero), or bits outside its field. Assemblers write such things for numbers out of range."
        "use a value between 2^-62 and 2^64 (or its negative), bytes for integers, 0 or 1 for booleans";
    UNIFORM_RANGE Error "pica-uniform-range"
        "A uniform names registers that do not exist, ends before it begins, or spans two kinds of registers."
        "ranges are 0-0xf inputs, 0x10-0x6f floats, 0x70-0x73 integers, 0x78-0x87 booleans";
    UNIFORM_OVERLAP Warning "pica-uniform-overlap"
        "Two uniforms have a register in common."
        "give them different registers, or use one name";
    UNIFORM_TWICE Warning "pica-uniform-twice"
        "Two uniforms of a program have the same name; a loader finds only one of them."
        "rename one";
    UNUSED_UNIFORM Warning "pica-unused-uniform"
        "The program does not read this uniform."
        "remove it";
    UNUSED_INPUT Warning "pica-unused-input"
        "The program declares an input that it does not read."
        "remove it";
    SYMBOL Error "pica-symbol"
        "A name is not within the program's symbols, has no end, or is not text."
        "correct the offset; each name ends with a zero byte";
    LABEL Warning "pica-label"
        "A label names words that are not in the code."
        "correct the label table";
    GEOMETRY_MODE Warning "pica-geometry-mode"
        "The geometry mode is not known, does not belong to a vertex program, or its vertices do not fit the constants. In a source, .gsh comes once and before all declarations."
        "modes are 0 point, 1 variable, 2 fixed; fixed vertices must be below the uniforms";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_listed_once() {
        for (i, rule) in ALL.iter().enumerate() {
            assert!(rule.code.starts_with("pica-"), "{}", rule.code);
            assert!(!rule.meaning.is_empty() && !rule.help.is_empty(), "{}", rule.code);
            assert!(ALL[..i].iter().all(|r| r.code != rule.code), "{}", rule.code);
        }
    }
}
