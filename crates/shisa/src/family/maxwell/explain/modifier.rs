//! Suffixes of mnemonics, with or without the dot: their effect, and which instructions have them at which bits.

use super::value::bit_names;
use crate::explain::{Explanation, Section};
use shisa_maxwell::Maxwell;
use shisa_rows::{Isa as _, Modifier};

/// The effects of suffixes that have the same meaning on every instruction.
#[rustfmt::skip]
const MEANINGS: &[(&[&str], &str)] = &[
    (&["FTZ"], "Flushes denormal inputs and results to zero of the same sign."),
    (&["FMZ"], "As .FTZ, and zero times anything is zero."),
    (&["SAT"], "Saturates: a float result is clamped to 0 … 1, an integer result to the ends of its range."),
    (&["RN"], "Rounds to the nearest, ties to even. That is usual and rarely written."),
    (&["RM"], "Rounds down, to minus infinity."),
    (&["RP"], "Rounds up, to plus infinity."),
    (&["RZ"], "Rounds to zero."),
    (&["ROUND"], "Rounds to a whole number, the nearest."),
    (&["FLOOR"], "Rounds down to a whole number."),
    (&["CEIL"], "Rounds up to a whole number."),
    (&["TRUNC"], "Rounds to a whole number, to zero."),
    (&["X"], "Of arithmetic on more than 32 bits: the carry of the condition codes is added. Of VABSDIFF4: a component."),
    (&["PO"], "Adds one to the sum."),
    (&["HI"], "Of products and shifts: takes the upper half."),
    (&["AND"], "Joins by \"and\"."),
    (&["OR"], "Joins by \"or\"."),
    (&["XOR"], "Joins by \"exclusive or\"."),
    (&["F"], "Of a comparison: never holds."),
    (&["T"], "Of a comparison: always holds."),
    (&["LT"], "Less."),
    (&["EQ"], "Equal; of VOTE, the same in all lanes."),
    (&["LE"], "Less or equal."),
    (&["GT"], "Greater."),
    (&["NE"], "Not equal; of floats it does not hold for NaN."),
    (&["GE"], "Greater or equal."),
    (&["NUM"], "Holds where neither is NaN."),
    (&["NAN"], "Holds where either is NaN."),
    (&["LTU", "EQU", "LEU", "GTU", "NEU", "GEU"], "Like the comparison without the U, but also true if an operand is NaN."),
    (&["BF"], "The result is 1.0 where it holds, else 0; without it all bits are set."),
    (&["U8"], "8 bits without sign."),
    (&["S8"], "8 bits with sign."),
    (&["U16"], "16 bits without sign."),
    (&["S16"], "16 bits with sign."),
    (&["U32"], "32 bits without sign."),
    (&["S32"], "32 bits with sign."),
    (&["U64"], "64 bits without sign, in two registers."),
    (&["S64"], "64 bits with sign, in two registers."),
    (&["64"], "64 bits, in two registers."),
    (&["128"], "128 bits, in four registers."),
    (&["F16"], "Binary16."),
    (&["F32"], "Binary32."),
    (&["F64"], "Binary64, in two registers."),
    (&["E"], "The address has 64 bits, in two registers."),
    (&["CG"], "Caches the data in the second-level cache only."),
    (&["CV"], "Reads memory, bypassing the caches."),
    (&["WT"], "Writes through to memory."),
    (&["LZ"], "Reads level 0 of the texture."),
    (&["LB"], "A bias is added to the computed level of the texture."),
    (&["LL"], "The level of the texture is given."),
    (&["LBA"], "Like .LB, clamped to the existing levels."),
    (&["LLA"], "Like .LL, clamped to the existing levels."),
    (&["DC"], "Compares with the stored depth, and returns how many texels pass."),
    (&["AOFFI"], "An offset in texels is added to the coordinates."),
    (&["B"], "The texture's handle is in a register."),
    (&["EMIT"], "Ends a vertex."),
    (&["CUT"], "Ends a strip of vertices."),
    (&["EMIT_THEN_CUT"], "Ends a vertex, and with it the strip."),
    (&["W"], "Of a shift: its amount wraps at the width; without it large amounts shift all bits out. Of VABSDIFF4 a component."),
    (&["COS"], "Cosine, of what RRO.SINCOS prepared."),
    (&["SIN"], "Sine, of what RRO.SINCOS prepared."),
    (&["EX2"], "2 to the power of the source."),
    (&["LG2"], "Logarithm to base 2."),
    (&["RCP"], "One divided by the source."),
    (&["RSQ"], "One divided by the square root of the source."),
    (&["RCP64H"], "Upper half of the reciprocal of a double whose upper half is the source."),
    (&["RSQ64H"], "Upper half of the reciprocal square root of a double whose upper half is the source."),
    (&["SQRT"], "Square root."),
    (&["MIN"], "Takes the smaller."),
    (&["MAX"], "Takes the larger."),
    (&["EXCH"], "Exchanges memory and the source."),
    (&["CAS"], "Writes the second source where memory equals the first."),
    (&["INC"], "Counts memory up, from the source on or past it to 0."),
    (&["DEC"], "Counts memory down, from 0 or above the source to the source."),
    (&["IDX"], "Of SHFL: from the lane of this number."),
    (&["UP"], "From the lane so many below."),
    (&["DOWN"], "From the lane so many above."),
    (&["BFLY"], "From the lane whose number differs in these bits."),
    (&["CTA"], "Orders accesses among the threads of a group."),
    (&["GL"], "Orders accesses among all threads of the device."),
    (&["SYS"], "Orders accesses among device and host."),
    (&["ALL"], "Holds where it holds in all lanes."),
    (&["ANY"], "Holds where it holds in any lane."),
    (&["CENTROID"], "At the centroid: a point of the pixel that the primitive covers."),
    (&["PASS"], "Of IPA: the attribute as it is, without perspective."),
    (&["CONSTANT"], "The value of the provoking vertex."),
    (&["CC"], "After a destination: sets the condition codes from the result."),
    (&["PSL"], "Of XMAD: the product is shifted left by 16 bits before it is added."),
    (&["CLO"], "Of XMAD: of the third source only the lower half is added."),
    (&["CHI"], "Of XMAD: of the third source only the upper half is added."),
    (&["CBCC"], "Of XMAD: the second source, shifted left by 16 bits, is added, too."),
    (&["CSFU"], "Of XMAD: corrects the sum for signs of halves."),
    (&["BREV"], "Reverses the order of the source's bits first."),
    (&["PASS_B"], "The result is the second source."),
    (&["LUT"], "Of LOP3: a table of eight bits gives the result for each combination of three bits."),
    (&["O"], "Of attributes: the program's outputs."),
    (&["P"], "Of ALD and AST: attributes of the patch. Of surfaces: whole pixels in the surface's format. Of texture reads: one of two groups, as compilers count them."),
    (&["PATCH"], "Of ISBERD: data of the patch."),
    (&["MS"], "Of TLD and TLDS: the number of a sample is given."),
    (&["COVMASK"], "Of PIXLD: the mask of the pixel's samples that are covered."),
    (&["MY_INDEX"], "Of PIXLD: the number of the sample that is computed."),
    (&["B1", "B2", "B3"], "The byte of the source with this number; without it the lowest."),
    (&["L"], "Of SHF: shifts left."),
    (&["R"], "Of SHF: shifts right. Of reads of textures and surfaces: the first component."),
    (&["G"], "The second component."),
    (&["A"], "The fourth component."),
    (&["LS"], "Of IADD3: the sum of the first two sources is shifted left by 16 bits."),
    (&["RS"], "Of IADD3: the sum of the first two sources is shifted right by 16 bits. Of CCTL: resets lines."),
    (&["MRG"], "Of XMAD: the upper half of the result is the lower half of the second source."),
    (&["MRG_H0"], "Writes the lower half of the register and keeps the upper."),
    (&["MRG_H1"], "Writes the upper half of the register and keeps the lower."),
    (&["MRG_16L"], "The result's lower half; the upper half is that of the third source."),
    (&["MRG_16H"], "The result's lower half as the upper half; the lower half is that of the third source."),
    (&["MRG_8B0"], "The result's lowest byte; the others are those of the third source."),
    (&["MRG_8B2"], "The result's lowest byte as the third byte; the others are those of the third source."),
    (&["ACC"], "The result is added to the third source."),
    (&["SHR_7"], "The sum is shifted right by 7 bits."),
    (&["SHR_15"], "The sum is shifted right by 15 bits."),
    (&["U24"], "The lower 24 bits without sign."),
    (&["S24"], "The lower 24 bits with sign."),
    (&["U16H0", "S16H0"], "The lower half, without or with sign."),
    (&["U16H1", "S16H1"], "The upper half, without or with sign."),
    (&["D2", "D4", "D8"], "The product is divided by this number."),
    (&["M2", "M4", "M8"], "The product is multiplied by this number."),
    (&["DIVIDE"], "Of FCHK: tests whether a division by plain steps would give a wrong result."),
    (&["SINCOS"], "Of RRO: prepares an angle for MUFU.SIN and MUFU.COS."),
    (&["SH"], "Of FLO: the distance of the bit from the highest bit."),
    (&["Z"], "Of logic: the predicate is true if the result is zero. Of VABSDIFF4 a component."),
    (&["NZ"], "Of logic: the predicate is true if the result is not zero."),
    (&["XLO", "XMED", "XHI"], "Of numbers of more than 32 bits: this part of them, the lowest, one between, or the highest."),
    (&["F4E"], "Of PRMT: four bytes in ascending order from the one whose number is given."),
    (&["B4E"], "Of PRMT: four bytes in descending order from the one whose number is given."),
    (&["RC8"], "Of PRMT: four times the byte whose number is given."),
    (&["RC16"], "Of PRMT: twice the half whose number is given."),
    (&["ECL"], "Of PRMT: the bytes from the one whose number is given upwards; below it that one repeated."),
    (&["ECR"], "Of PRMT: the bytes up to the one whose number is given; above it that one repeated."),
    (&["ADD"], "Of atomics: adds the source to memory."),
    (&["SYNC"], "Of BAR: waits until all threads have arrived."),
    (&["ARV"], "Of BAR: arrives at the barrier and does not wait."),
    (&["RED"], "Of BAR: waits, and combines the predicates of the threads."),
    (&["SCAN"], "Of BAR: waits, and counts the threads before this one whose predicate is true."),
    (&["SYNCALL"], "Of BAR: waits at all barriers."),
    (&["POPC"], "Of BAR.RED: counts the threads whose predicate is true."),
    (&["IVALLD"], "Of MEMBAR: lines of the data cache are dropped, too."),
    (&["IVALLT"], "Of MEMBAR: lines of the texture cache are dropped, too."),
    (&["IVALLTD"], "Of MEMBAR: lines of both caches are dropped, too."),
    (&["CS"], "The data is probably used only once."),
    (&["LU"], "The last use of the loaded data."),
    (&["PF1", "PF2"], "Of CCTL: fetches a line into this cache."),
    (&["IV"], "Of CCTL: drops a line."),
    (&["IVALL"], "Of CCTL: drops all lines."),
    (&["WB"], "Of CCTL: writes a line back."),
    (&["WBALL"], "Of CCTLL: writes all lines back."),
    (&["IGN"], "Of surfaces: texels outside are not written and read as zero."),
    (&["TRAP"], "Of surfaces: an access outside traps. Of BPT: traps."),
    (&["PTP"], "Of TLD4: four offsets are given, one for each texel."),
    (&["32", "96"], "So many bits, in as many registers as they need."),
    (&["1D", "1D_ARRAY", "2D", "2D_ARRAY", "3D", "1D_BUFFER"], "Shape of the texture or surface."),
];

/// Each suffix that rows have, with its modifier.
fn suffixes() -> impl Iterator<Item = (&'static str, &'static Modifier)> {
    let forms = Maxwell::table().forms().iter();
    forms.flat_map(|f| f.modifiers.iter().chain(f.older.unwrap_or_default()).map(|m| (f.name, m)))
}

/// Whether a name, such as `.F32.FTZ.RN`, is or contains the word.
fn holds(name: &str, word: &str) -> bool {
    name.contains(word) && (name.trim_matches('.') == word || name.split('.').any(|part| part == word))
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let bare = match word.strip_prefix('.') {
        Some(bare) => bare,
        // A number is not a suffix without its dot.
        None if word.bytes().all(|b| b.is_ascii_digit()) => return None,
        None => word,
    };
    told(bare, |_| true)
}

/// A suffix, without its dot, of the instructions with a name; `None` if they have no such suffix.
pub(super) fn explain_of(mnemonic: &str, bare: &str) -> Option<Explanation> {
    told(bare, |name| name == mnemonic).filter(|e| !e.sections.is_empty() || bare == "CC")
}

/// A suffix of the instructions that `of` selects.
fn told(bare: &str, of: impl Fn(&str) -> bool) -> Option<Explanation> {
    let mut lines: Vec<String> = Vec::new();
    for (mnemonic, m) in suffixes().filter(|(name, _)| !bare.is_empty() && of(name)) {
        let runs: Vec<String> = m.field.runs().iter().map(|&(lo, width)| bit_names(lo, width)).collect();
        let mut told = Vec::new();
        for (value, name) in m.names.iter().enumerate().filter(|(_, name)| holds(name, bare)) {
            if !told.contains(name) {
                told.push(name);
                lines.push(match runs.as_slice() {
                    [] => format!("{mnemonic}{name}, always"),
                    _ => format!("{mnemonic}{name}: bits {} = {value}", runs.join(" and ")),
                });
            }
        }
    }
    lines.sort();
    lines.dedup();
    let meaning = MEANINGS.iter().find(|(names, _)| names.contains(&bare)).map(|(_, text)| *text);
    let summary = meaning.unwrap_or("A suffix of these instructions; its effect is described with them.");
    // The suffix of a destination belongs to no mnemonic.
    (!lines.is_empty() || meaning.is_some()).then(|| {
        let found = Section { heading: "Where", lines };
        Explanation {
            word: format!(".{bare}"),
            kind: "Maxwell modifier",
            summary: summary.into(),
            sections: Vec::from_iter((!found.lines.is_empty()).then_some(found)),
        }
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let names = suffixes().flat_map(|(_, m)| m.names).filter(|n| !n.contains("INVALID") && !n.contains('?'));
    let names = names.map(|name| name.trim_matches('.')).filter(|name| !name.is_empty());
    names.chain(MEANINGS.iter().flat_map(|(names, _)| *names).copied()).map(|name| format!(".{name}"))
}
