//! Terms of the PICA200 hardware and its files.

use super::opcode::bit_names;
use super::seed;
use crate::explain::{Explanation, Section, row};
use shisa_pica200::Pica200;
use shisa_rows::{Form, Isa as _};

/// Each word with a summary and lines of detail; the first spelling is the reference's.
const CONCEPTS: &[(&[&str], &str, &[&str])] = &[
    (
        &["float24", "f24"],
        "The number format of the hardware: one bit of sign, seven of exponent (bias 63), sixteen of mantissa. Every value is also a binary32 value.",
        &[
            "Largest 0x7effff (just below 2^64), smallest normal 0x010000 (2^-62); infinities and NaN exist.",
            "Arithmetic reads denormals as zero and yields none; cmp and max use their actual values.",
            "0 times infinity is 0; NaN times anything is NaN.",
            "The rounding of sums and products is not known from hardware: the options add, mul and special select it.",
        ],
    ),
    (
        &["ring-stacks", "stack"],
        "Calls, conditions and loops are stored in ring buffers of 4, 8 and 4 entries. One too many overwrites the oldest.",
        &[
            "After every instruction, each ring checks the next address: an entry that ends there is popped.",
            "Calls return one after the other if one returns to where the next ends; the fourth such return does not jump.",
            "A loop has priority over a condition, a condition over a call, a call over a jump. So control flow that begins at the last word of a block is lost.",
        ],
    ),
    (
        &["relative-addressing", "index-register"],
        "A constant whose index is a number plus a0.x, a0.y or aL: c20[a0.x].",
        &[
            "An offset outside of -128 to 127 counts as 0.",
            "The sum wraps at 128; from 96 on every component reads 1.",
        ],
    ),
    (
        &["geometry-mode", "point", "variable", "subdivision", "fixed", "particle"],
        "How a geometry program gets its vertices. picasso also calls variable subdivision, and fixed particle.",
        &[
            "point (0): the input registers, filled with as many vertices as the stride states.",
            "variable (1): c0 has the number of vertices, which follow from c1: some with all attributes, the rest only with positions.",
            "fixed (2): a fixed number of vertices, in constants from a given one.",
        ],
    ),
    (
        &["loop"],
        "A run of words that the hardware repeats. `for` begins one, with an integer vector: x iterations and one more, aL from y in steps of z.",
        &[
            "The loop ends at an address. In every iteration, the last one included, its end has priority over a jump, call or condition that is its last word.",
            "The hardware stores four loops. break leaves the innermost one.",
            "Whether an end that is a loop's last word still steps aL is the option end-last.",
        ],
    ),
    (
        &["shbin", "dvlb"],
        "The file of compiled programs: DVLB with the offsets of its programs, one DVLP, and a DVLE for each program.",
        &[
            "DVLB: the magic, u32 number of programs, u32 offset of each DVLE from the start of the file. The DVLP follows.",
        ],
    ),
    (
        &["dvlp"],
        "The pool of a shader binary: words, operand descriptors, and where they came from.",
        &[
            "From its start: magic, u32 version, offset and count of words, of descriptors (8 bytes each), of the line table, offset and size of names.",
            "Some tools write a header of 0x1c bytes in place of 0x28.",
        ],
    ),
    (
        &["dvle"],
        "One program of a shader binary: entry, stage, masks, geometry mode, and tables.",
        &[
            "From its start: magic, u16 version, u8 stage (0 vertex, 1 geometry), u8 flags, u32 entry, u32 end,",
            "u16 mask of inputs, u16 mask of outputs, four bytes of geometry mode,",
            "then offset and count of constants (20 bytes each), labels (16), outputs (8), uniforms (8), symbols.",
        ],
    ),
    (
        &["dvoj"],
        "An object: one program for a linker, with words, descriptors and tables of its own.",
        &[
            "From its start: magic, three words of unknown meaning, then offset and count of constants, labels, words, descriptors,",
            "lines, relocations (12 bytes each), outputs, uniforms, symbols.",
            "The kind and the entry of the program are not stated.",
        ],
    ),
    (
        &["cgfx", "bcsdr"],
        "A file of models, effects and shaders. Each SHDR block in it refers to a shader binary.",
        &["The block has the binary's size at 0x14, and at 0x18 its offset, which counts from there."],
    ),
    (
        &["csdr"],
        "XML with shader binaries in base64, each in a BinaryData element of a ShaderCtr element.",
        &[],
    ),
    (&["bch"], "A file of models with their shaders. Shader binaries are found by their contents.", &[]),
    (
        &["3dsx"],
        "Homebrew: code, constant data and data, and files if the header has 0x2c bytes.",
        &[
            "The segments follow the header and three headers of relocations; the files are a RomFS without hashes.",
        ],
    ),
    (
        &["ncch"],
        "An application or its data: an ExeFS with what the system loads, and a RomFS with the files. Offsets count in units of 0x200 bytes.",
        &[
            "At 0x100: the letters NCCH; offset and size of the ExeFS at 0x1a0, of the RomFS at 0x1b0.",
            "Bit 2 of the byte at 0x18f states that the content is not encrypted.",
            "Hashes of the beginnings of both parts are at 0x1c0 and 0x1e0; a signature of the header comes first.",
        ],
    ),
    (
        &["exefs"],
        "Up to ten files that the system loads, such as .code: name, offset and size of each in 16 bytes, and their hashes at the end of the header.",
        &[
            "Code may be compressed from its end to its start; shader binaries are found in the expanded code.",
        ],
    ),
    (
        &["ncsd", "cci"],
        "A cartridge with up to eight NCCHs. Offsets count in units of 0x200 bytes.",
        &["At 0x100: the letters NCSD; offset and size of each partition from 0x120 on, 8 bytes each."],
    ),
    (
        &["cia"],
        "A title that can be installed: header, certificates, ticket, metadata and contents, each at a multiple of 64 bytes.",
        &[
            "The header has its size at 0, those of the other parts from 0x08 on, and from 0x20 on a bit for each content that the file has.",
            "The metadata has a record of 0x30 bytes for each content: number, kind, size and SHA-256. Bit 0 of the kind states that it is encrypted with the key of the title.",
        ],
    ),
    (
        &["romfs", "ivfc"],
        "The files of an application, in directories, below three levels of SHA-256 hashes.",
        &["The files come first, from the first block after the header; then the levels of hashes."],
    ),
    (
        &["output-map", "outmap"],
        "The meaning of each component of each output register. Enabled registers are packed; unmapped meanings read 1.",
        &[
            "In the table: 0 position, 1 normal quaternion, 2 colour, 3 texture coordinate 0, 4 its w, 5 and 6 coordinates 1 and 2, 8 view, 9 nothing.",
            "There bit 0 of the mask is x; in a descriptor it is bit 3.",
        ],
    ),
    (
        &["uniform-upload"],
        "How constants reach the hardware: an index, then vectors in a stream of words. The index increases by one for each vector.",
        &[
            "float24: three words, w and the top of z first: w<<8|z>>16, z<<16|y>>8, y<<24|x.",
            "binary32: four words, w, z, y, x. Indexes from 96 on are ignored.",
        ],
    ),
    (
        &["opdesc", "operand-descriptor"],
        "A word outside of the code with mask, swizzles and signs. Instructions select one of 128 by number, those with three sources one of the first 32.",
        &[
            "Instructions share a descriptor if the bits that they read are equal. In a file each has 8 bytes; the second four are flags of unknown meaning.",
        ],
    ),
    (
        &["padding", "pad"],
        "A nop that an assembler inserts after a jump or call that would be the last word of a block, and between the ends of two blocks.",
        &[],
    ),
    (
        &["emit-slot", "primitive"],
        "Geometry programs fill vertex slots 0 to 2; setemit selects one, emit copies the outputs there, and prim completes a triangle of all three.",
        &[
            "The output registers have two banks: each emit switches banks, so a register that is not written has its value from two emits before.",
        ],
    ),
];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let is = |name: &&str| name.eq_ignore_ascii_case(word);
    let (names, summary, details) = CONCEPTS.iter().find(|(names, ..)| names.iter().any(is))?;
    let mut sections = Vec::new();
    if !details.is_empty() {
        sections.push(Section { heading: "Details", lines: details.iter().map(|l| (*l).into()).collect() });
    }
    if names.contains(&"opdesc") {
        sections.extend(descriptor());
    }
    sections.extend(names.iter().find_map(|n| seed::about(n)));
    Some(Explanation {
        word: names.join(", "),
        kind: "PICA200 concept",
        summary: (*summary).into(),
        sections,
    })
}

/// The bits of a descriptor that an instruction with all sources reads.
fn descriptor() -> Option<Section> {
    // The fused word has the descriptor in its upper half.
    let read = |form: &&Form<Pica200>| (form.known() >> 32).count_ones();
    let form = Pica200::table().forms().iter().rev().max_by_key(read)?;
    let mut bits = row::bits(form, bit_names);
    bits.lines.retain(|l| l.trim_start().starts_with("descriptor"));
    Some(bits)
}

pub(super) fn words() -> impl Iterator<Item = String> {
    CONCEPTS.iter().flat_map(|(names, ..)| names.iter().copied()).map(String::from)
}
