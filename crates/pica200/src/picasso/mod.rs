//! The language of picasso, the assembler that 3DS homebrew is written for.
//!
//! # What picasso cannot say
//!
//! A listing must bring back any shader binary, so there are directives for what picasso leaves no
//! choice about. Their numbers are decimal or `0x` hexadecimal, with blanks or commas between them. Names
//! stand in quotes; in them `\xNN` is a byte, and must be written for what is no printable ASCII and for
//! `"`, `\`, `;` and `:`. The order of lines of one kind is the order in the file.
//!
//! | of the file | |
//! |---|---|
//! | `.nopad` | no NOP is put in from here on, as with `--no-nop` and without its warnings |
//! | `.pool VERSION` | the version of the DVLP; with it a file may be without programs |
//! | `.opdesc N BITS [FLAGS]` | descriptor number N and its second word |
//! | `.word BITS` | a word as it is; needs no procedure around it |
//! | `.line "FILE" LINE` | an entry of the line table; an offset may stand for the name |
//! | `.names "BYTES"` | the line table's names as they are, for offsets |
//! | `.layout header N` | bytes of the DVLP's header |
//! | `.layout pool CODE DESCRIPTORS LINES NAMES` | their offsets in the DVLP |
//! | `.layout program AT CONSTANTS LABELS OUTPUTS UNIFORMS SYMBOLS` | of each DVLE, and of its tables |
//! | `.layout size N` | bytes of the file |
//! | `.layout rest AT "BYTES"` | bytes that belong to no table |
//!
//! | of a program | |
//! |---|---|
//! | `.dvle [VERSION [KIND [FLAGS]]]` | what follows is as a further source file, and makes a DVLE |
//! | `.entry WORD END` | where it begins and ends, for a name |
//! | `.masks INPUTS OUTPUTS` | the masks of registers |
//! | `.geometry MODE START VARIABLE FIXED` | the four bytes behind them |
//! | `.constant KIND REGISTER W0 W1 W2 W3` | an entry of the table of constants |
//! | `.label ID WORD LENGTH "NAME"` | an entry of the table of labels; or an offset |
//! | `.output KIND REGISTER MASK [UNKNOWN]` | an entry of the table of outputs |
//! | `.uniform "NAME" FIRST LAST` | an entry of the table of uniforms, with the table's numbers; or an offset |
//! | `.symbols "BYTES"` | the names as they are, for offsets |
//!
//! Entries given this way stand behind those of picasso's directives. A name in quotes goes to the end of
//! the names. The name of a `.uniform` may be used as a register if it is written like one of picasso's
//! (`$` for `.`) and is not used already.
//!
//! Instructions take numbers for names: `call 12, 3` runs three words from word 12 on, `jmpc cmp.x, 26`,
//! `ifc cmp.x, 9, 2` and `for i0, 13` open no block. Behind all operands `d13` chooses a descriptor. If it
//! is one of `.opdesc` the operands must agree with it in the bits that the instruction reads. Without it
//! the first that agrees is taken, as picasso does.
