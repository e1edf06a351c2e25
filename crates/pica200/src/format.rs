//! Formats of instructions and the names of their fields, derived from the rows.

use crate::Pica200;
use crate::operand::{self, Source, Tested, parts};
use alloc::vec::Vec;
use shisa_rows::{Form, Isa, Operand, Slot};

/// The division of an instruction's bits. The names are those of the reverse engineers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Only an opcode.
    Zero,
    /// Two sources, of which the first is wide.
    One,
    /// Two sources, of which the second is wide.
    OneInverted,
    /// One source.
    OneUnary,
    /// Two sources and two comparisons.
    OneCompare,
    /// Control flow that tests the flags, or nothing.
    Two,
    /// Control flow that tests a boolean or counts by an integer vector.
    Three,
    /// The next vertex.
    Four,
    /// Three sources, of which the second is wide.
    Five,
    /// Three sources, of which the third is wide.
    FiveInverted,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Zero,
        Format::One,
        Format::OneInverted,
        Format::OneUnary,
        Format::OneCompare,
        Format::Two,
        Format::Three,
        Format::Four,
        Format::Five,
        Format::FiveInverted,
    ];

    /// The usual name: `1i`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Zero => "0",
            Format::One => "1",
            Format::OneInverted => "1i",
            Format::OneUnary => "1u",
            Format::OneCompare => "1c",
            Format::Two => "2",
            Format::Three => "3",
            Format::Four => "4",
            Format::Five => "5",
            Format::FiveInverted => "5i",
        }
    }

    /// The instructions that have it, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Format::Zero => "Only an opcode; the other bits are zero.",
            Format::One => "Arithmetic with two sources. The first one reaches the constants.",
            Format::OneInverted => "Arithmetic with two sources. The second one reaches the constants.",
            Format::OneUnary => "Arithmetic with one source, which reaches the constants.",
            Format::OneCompare => {
                "Comparison of two sources, with an operator for each flag. The first reaches the constants."
            }
            Format::Two => "Control flow that tests the flags, or nothing.",
            Format::Three => "Control flow that tests a boolean or counts by an integer vector.",
            Format::Four => "Where the next vertex of a geometry program goes.",
            Format::Five => "Arithmetic with three sources. The second one reaches the constants.",
            Format::FiveInverted => "Arithmetic with three sources. The third one reaches the constants.",
        }
    }

    /// The format of a row.
    pub fn of(form: &Form<Pica200>) -> Format {
        let has = |slot| form.operand(slot).is_some();
        let wide = |slot| form.operand(slot).and_then(Source::of).is_some_and(|s| s.wide);
        let tested = form.operand(operand::TEST).and_then(Tested::of);
        match () {
            () if has(operand::EMISSION) => Format::Four,
            () if has(operand::X) => Format::OneCompare,
            () if wide(operand::C) => Format::FiveInverted,
            () if has(operand::C) => Format::Five,
            () if wide(operand::B) => Format::OneInverted,
            () if has(operand::B) => Format::One,
            () if has(operand::A) => Format::OneUnary,
            () if tested.is_some_and(|t| t != Tested::Flags) => Format::Three,
            () if tested.is_some() || has(operand::TO) => Format::Two,
            () => Format::Zero,
        }
    }

    /// Its rows.
    pub fn rows(self) -> impl Iterator<Item = &'static Form<Pica200>> {
        Pica200::table().forms().iter().filter(move |f| Format::of(f) == self)
    }
}

/// A field that documents name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedField {
    /// Its name: `src1`.
    pub name: &'static str,
    /// Its meaning, in a sentence.
    pub about: &'static str,
    slots: &'static [Slot],
    /// The part of the operand; empty for the whole operand.
    part: &'static str,
}

const fn field(
    name: &'static str,
    slots: &'static [Slot],
    part: &'static str,
    about: &'static str,
) -> NamedField {
    NamedField { name, about, slots, part }
}

/// The fields by name.
#[rustfmt::skip]
pub const FIELDS: &[NamedField] = &[
    field("desc", &[operand::NUMBER], "", "The number of the operand descriptor. Formats 5 and 5i have five bits and reach the first 32."),
    field("src1", &[operand::A], parts::REGISTER, "The register of the first source: 0x00-0x0f v, 0x10-0x1f r, with seven bits 0x20-0x7f c."),
    field("src2", &[operand::B], parts::REGISTER, "The register of the second source, numbered like src1."),
    field("src3", &[operand::C], parts::REGISTER, "The register of the third source, numbered like src1."),
    field("idx", &[operand::A, operand::B, operand::C], parts::INDEX, "The index added to the number of the wide source's constant: 0 nothing, 1 a0.x, 2 a0.y, 3 aL."),
    field("dst", &[operand::D], parts::REGISTER, "The register written: 0x00-0x0f o, 0x10-0x1f r."),
    field("cmpx", &[operand::X], "", "The comparison for cmp.x: 0 eq, 1 ne, 2 lt, 3 le, 4 gt, 5 ge."),
    field("cmpy", &[operand::Y], "", "The comparison for cmp.y, numbered like cmpx."),
    field("condop", &[operand::TEST], parts::JOIN, "How a condition joins the flags: 0 ||, 1 &&, 2 only cmp.x, 3 only cmp.y."),
    field("refx", &[operand::TEST], parts::X, "The value that cmp.x is compared with."),
    field("refy", &[operand::TEST], parts::Y, "The value that cmp.y is compared with."),
    field("bool", &[operand::TEST], parts::REGISTER, "The number of a boolean."),
    field("int", &[operand::TEST], "", "The number of an integer vector."),
    field("target", &[operand::TO], "", "The target word, counted from the start of the code. Documents call it DST."),
    field("num", &[operand::COUNT], "", "The number of words to run from the target: of a procedure, or of the else part."),
    field("vertex-id", &[operand::VERTEX], "", "The vertex slot that the next emit fills: 0, 1 or 2."),
    field("winding", &[operand::EMISSION], parts::WINDING, "Whether the order of the triangle's vertices is inverted."),
    field("prim-emit", &[operand::EMISSION], parts::PRIMITIVE, "Whether the next vertex completes a triangle."),
    field("dest-mask", &[operand::D], parts::MASK, "The components written, in the descriptor: bit 3 is x, bit 0 is w."),
    field("neg1", &[operand::A], parts::SIGN, "Whether the first source is negated, in the descriptor."),
    field("neg2", &[operand::B], parts::SIGN, "Whether the second source is negated, in the descriptor."),
    field("neg3", &[operand::C], parts::SIGN, "Whether the third source is negated, in the descriptor."),
    field("sel1", &[operand::A], parts::SWIZZLE, "The first source's swizzle, in the descriptor: two bits for each component, x in the highest; 0x1b is xyzw."),
    field("sel2", &[operand::B], parts::SWIZZLE, "The second source's swizzle, in the descriptor, like sel1."),
    field("sel3", &[operand::C], parts::SWIZZLE, "The third source's swizzle, in the descriptor, like sel1."),
];

impl NamedField {
    /// Its bits in a row, as lowest bit and width; bits from 32 on are the descriptor's. Empty if the row
    /// does not have it.
    pub fn bits(&self, form: &Form<Pica200>) -> Vec<(u8, u8)> {
        let operands = self.slots.iter().filter_map(|s| form.operand(*s));
        operands
            .flat_map(|op| match named(op, self.part) {
                Some((lo, width)) => op.field.part(lo, width).collect(),
                None if self.part.is_empty() && op.kind.parts().is_empty() => op.field.runs().to_vec(),
                None => Vec::new(),
            })
            .collect()
    }
}

/// The bits of a part within its operand.
fn named(op: &Operand<Pica200>, part: &str) -> Option<(u8, u8)> {
    op.kind.parts().iter().find(|p| p.name == part).map(|p| (p.lo, p.width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_formats_of_the_documents() {
        let format =
            |name| Pica200::table().forms().iter().find(|f| f.name == name).map(|f| Format::of(f).name());
        for (name, expected) in [
            ("add", "1"),
            ("sgei", "1i"),
            ("mov", "1u"),
            ("mova", "1u"),
            ("cmp", "1c"),
            ("end", "0"),
            ("emit", "0"),
            ("callc", "2"),
            ("call", "2"),
            ("breakc", "2"),
            ("ifu", "3"),
            ("for", "3"),
            ("jmpu", "3"),
            ("setemit", "4"),
            ("mad", "5"),
            ("madi", "5i"),
        ] {
            assert_eq!(format(name), Some(expected), "{name}");
        }
        assert!(Format::ALL.iter().all(|f| f.rows().next().is_some()));
    }

    #[test]
    fn fields_lie_where_the_documents_say() {
        let bits = |field: &str, row: &str| {
            let field = FIELDS.iter().find(|f| f.name == field).unwrap();
            field.bits(Pica200::table().forms().iter().find(|f| f.name == row).unwrap())
        };
        assert_eq!(bits("desc", "add"), [(0, 7)]);
        assert_eq!(bits("src2", "add"), [(7, 5)]);
        assert_eq!(bits("src1", "add"), [(12, 7)]);
        assert_eq!(bits("idx", "add"), [(19, 2)]);
        assert_eq!(bits("dst", "add"), [(21, 5)]);
        assert_eq!(bits("src1", "sgei"), [(14, 5)]);
        assert_eq!(bits("src3", "madi"), [(5, 7)]);
        assert_eq!(bits("idx", "madi"), [(22, 2)]);
        assert_eq!(bits("condop", "ifc"), [(22, 2)]);
        assert_eq!(bits("refy", "ifc"), [(24, 1)]);
        assert_eq!(bits("refx", "ifc"), [(25, 1)]);
        assert_eq!(bits("bool", "ifu"), [(22, 4)]);
        assert_eq!(bits("int", "for"), [(22, 2)]);
        assert_eq!(bits("winding", "setemit"), [(22, 1)]);
        assert_eq!(bits("sel2", "mad"), [(46, 8)]);
        assert_eq!(bits("neg3", "mad"), [(54, 1)]);
        assert_eq!(bits("src3", "add"), []);
    }
}
