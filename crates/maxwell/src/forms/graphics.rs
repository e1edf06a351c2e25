//! What only graphics stages do: attributes, emitted vertices, pixels.

mod attributes;
mod emit;
mod interpolate;
mod pixel;

pub use emit::emitted;

use super::{ATTRIBUTES, GEOMETRY, PIXELS, VERTICES, always, choice, fixed, flag, row};
use crate::attr::{self, Attr};
use crate::operand::{
    A, AT, Address, B, BANK, BARE_A, BARE_B, C, Constant, D, DEST, Dest, IMMEDIATE, MaxwellLift, NUMBER,
    Number, Numbered, P, Predicate, R, RZ, Source, Span, fit, operand, parse_signed, print_signed, sign,
    unless_pt, unless_rz,
};
use crate::role::{AttributeAccess, AttributeAct, Emission, Interpolation, Role, Stream};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Form, Hints, Insn, Kind, Line, Modifier, Operand, Scan};

/// Components of an attribute.
const COUNT: Field = Field::at(47, 2);
const COUNTS: Modifier = Modifier::new(COUNT, &["", ".64", ".96", ".128"]).unwritten(".32");
const COMPONENTS: Span = Span::By(|word| 1 + COUNT.get(word) as u8);
const OUTPUT: Modifier = flag(32, &["", ".O"]);

const INTERPOLATE: Modifier = choice(54, 2, &[".PASS", "", ".CONSTANT", ".SC"]);
const WHERE: Modifier = choice(52, 2, &["", ".CENTROID", ".OFFSET", ".INVALID"]);
const SATURATE: Modifier = flag(51, &["", ".SAT"]);
/// Bit 0 emits a vertex, bit 1 ends the strip.
const STYLE: Field = Field::at(39, 2);
const EMIT: &[Modifier] = &[Modifier::new(STYLE, &[".INVALIDOUTSTYPE0", ".EMIT", ".CUT", ".EMIT_THEN_CUT"])];
const BUFFER: &[Modifier] = &[
    OUTPUT,
    choice(33, 2, &["", ".PATCH", ".PRIM", ".ATTR"]),
    flag(31, &["", ".SKEW"]),
    choice(47, 2, &["", ".U16", ".32", ".???3"]),
];
const PIXEL_MODE: Field = Field::at(31, 3);
const PIXEL: &[Modifier] = &[Modifier::new(
    PIXEL_MODE,
    &["", ".COVMASK", ".COVERED", ".OFFSET", ".CENTROID_OFFSET", ".MY_INDEX", ".INVALID0", ".INVALID1"],
)];

/// `RZ` where an address takes a register.
const NO_BASE: u64 = 0xff00;
/// The offset of an attribute.
const OFFSET: u64 = 0x7ff << 20;
/// Whether an attribute is one of a patch.
const PATCH: u64 = 1 << 31;
/// Whether a register says which attribute is interpolated.
const INDEXED: u64 = 1 << 38;
const IPA: u64 = 0xe000_0000_0000_0000;
const ALD: u64 = 0xefd8_0000_0000_0000;
const AST: u64 = 0xeff0_0000_0000_0000;
const OPCODE: u64 = 0xfff8_0000_0000_0000;
const IPA_OPCODE: u64 = 0xff00_0000_0000_0000 | INDEXED;

/// A register that is left out where it is `RZ`.
const EXTRA: Operand<Maxwell> = operand(C, Field::at(39, 8), &unless_rz(&Source::PLAIN));
const NUMBERED: Operand<Maxwell> = operand(AT, Field::at(28, 10), &Numbered { zero: true });
const INDEX: Operand<Maxwell> = operand(AT, Field::at(8, 8), &Address::ATTRIBUTE);
const VISIBLE: Operand<Maxwell> = operand(R, Field::at(47, 4), &unless_pt(&Predicate { written: false }));
/// Where a register says which attribute, `PT` is written too.
const INDEXED_VISIBLE: Operand<Maxwell> = operand(R, Field::at(47, 4), &Predicate { written: false });
const PLACE: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(20, 11), &Address::ATTRIBUTE);
const FIXED_PLACE: Operand<Maxwell> = operand(AT, Field::at(20, 10), &Numbered { zero: false });
const LOADED: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest { codes: false, span: COMPONENTS });
const STORED: Operand<Maxwell> = operand(D, Field::at(0, 8), &Source { span: COMPONENTS, ..Source::PLAIN });
const PIXEL_PREDICATE: Operand<Maxwell> =
    operand(P, Field::at(45, 3), &unless_pt(&Predicate { written: true }));
const PIXEL_ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(20, 8), &Address::BYTES);
const BUFFER_ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8), &Address::BYTES);
const OUTSIDE: Operand<Maxwell> = operand(P, Field::at(44, 3), &unless_pt(&Predicate { written: true }));
const BASE: Operand<Maxwell> = operand(A, Field::at(8, 8), &unless_rz(&Source::PLAIN));
const SHIFT: Operand<Maxwell> = operand(AT, Field::at(20, 11), &Shift);
const STREAM: Operand<Maxwell> = operand(B, BANK, &Constant::of(Source::PLAIN));
const STREAM_NUMBER: Operand<Maxwell> = operand(B, IMMEDIATE, &Number::SIGNED);

fn components(word: &u128) -> u16 {
    1 + COUNT.get(word) as u16
}

const fn attribute(act: AttributeAct, patch: bool) -> Attr {
    attr::ATTRIBUTE.role(Role::Attribute(AttributeAccess { act, patch, components })).stages(VERTICES)
}

const LOAD: AttributeAct = AttributeAct::Load { output: |word| OUTPUT.field.get(word) != 0 };
const LOADS: Attr = attribute(LOAD, false);
const LOADS_PATCH: Attr = attribute(LOAD, true);
const STORES: Attr = attribute(AttributeAct::Store, false);
const STORES_PATCH: Attr = attribute(AttributeAct::Store, true);
const INTERPOLATES: Attr = attr::ATTRIBUTE
    .role(Role::Attribute(AttributeAccess {
        act: AttributeAct::Interpolate { how: interpolation, centroid: |word| WHERE.field.get(word) == 1 },
        patch: false,
        components: |_| 1,
    }))
    .stages(PIXELS);

/// By the suffixes of [`INTERPOLATE`]; without one a factor is multiplied with.
fn interpolation(word: &u128) -> Interpolation {
    match INTERPOLATE.field.get(word) {
        0 => Interpolation::Pass,
        1 => Interpolation::Factor,
        2 => Interpolation::Constant,
        _ => Interpolation::State,
    }
}

const fn emits(emission: fn(&Insn<Maxwell>) -> Emission) -> Attr {
    attr::ATTRIBUTE.role(Role::Emit(emission)).stages(GEOMETRY)
}

/// By the suffixes of [`EMIT`].
fn emission(insn: &Insn<Maxwell>, stream: Stream) -> Emission {
    let style = STYLE.get(&insn.word);
    let (state, next) = (insn.field(A), insn.field(D));
    Emission { emits: style & 1 != 0, cuts: style & 2 != 0, stream, state, next }
}

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("IPA", (IPA | NO_BASE, IPA_OPCODE | NO_BASE), &[DEST, NUMBERED, BARE_B, EXTRA, VISIBLE], interpolate::fixed).attr(INTERPOLATES).modifiers(&[INTERPOLATE, WHERE, SATURATE]).says("Interpolates an attribute, times a factor.")
        .examples(&[("IPA.PASS R0, a[0x7c], RZ;", 0x07e0_e003_ff87_cff7_ff00), ("IPA R0, a[0x80], R1;", 0x07e0_e043_ff88_0017_ff00), ("@P0 IPA.PASS.INVALID.SAT R42, a[0x108], R64, R14, P0;", 0x07e0_e038_0710_8400_ff2a)]),
    fixed("IPA", (IPA | INDEXED, IPA_OPCODE), &[DEST, INDEX, BARE_B, EXTRA, INDEXED_VISIBLE], interpolate::indexed).attr(INTERPOLATES).modifiers(&[always(&[".IDX"]), INTERPOLATE, WHERE, SATURATE]).says("Interpolates the attribute that a register holds, times a factor.")
        .examples(&[("IPA.IDX R0, a[R0], RZ, PT;", 0x07e0_e043_ffc0_0ff7_0000)]),
    fixed("ALD", (ALD | NO_BASE, OPCODE | NO_BASE | PATCH), &[LOADED, FIXED_PLACE, EXTRA], attributes::load).attr(LOADS).modifiers(&[OUTPUT, COUNTS]).says("Loads an attribute of a vertex.")
        .examples(&[("ALD R0, a[0x1], R8;", 0x07e0_efd8_0400_0017_ff00), ("ALD.64 R0, a[0x80], R8;", 0x07e0_efd8_8400_0807_ff00)]),
    fixed("ALD", (ALD, OPCODE | OFFSET | PATCH), &[LOADED, INDEX, EXTRA], attributes::load_physical).yields_to("ALD").attr(LOADS).modifiers(&[OUTPUT, always(&[".PHYS"]), COUNTS]).says("Loads an attribute from an address that AL2P gave.")
        .examples(&[("@P3 ALD.O.PHYS.64 R121, a[R111], R134;", 0x07e0_efd8_c301_0003_6f79), ("ALD.PHYS R0, a[R1];", 0x07e0_efd8_7f80_0007_0100)]),
    fixed("ALD", (ALD | PATCH, OPCODE | PATCH), &[LOADED, PLACE, EXTRA], attributes::load_patch).attr(LOADS_PATCH).modifiers(&[OUTPUT, always(&[".P"]), COUNTS]).says("Loads an attribute of the patch.")
        .examples(&[("ALD.P R0, a[R0+0x1], R0;", 0x07e0_efd8_0000_8017_0000), ("ALD.P R0, a[0x20];", 0x07e0_efd8_7f80_8207_ff00)]),
    fixed("AST", (AST | NO_BASE, OPCODE | NO_BASE | PATCH), &[FIXED_PLACE, STORED, EXTRA], attributes::store).attr(STORES).modifiers(&[COUNTS]).says("Stores an attribute of a vertex.")
        .examples(&[("AST.64 a[0x90], R0, R19;", 0x07e0_eff0_8980_0907_ff00)]),
    fixed("AST", (AST, OPCODE | OFFSET | PATCH), &[INDEX, STORED, EXTRA], attributes::store_physical).yields_to("AST").attr(STORES).modifiers(&[always(&[".PHYS"]), COUNTS]).says("Stores an attribute to an address that AL2P gave.")
        .examples(&[("AST.PHYS.64 a[R61], R152, R137;", 0x07e0_eff0_c480_0007_3d98)]),
    fixed("AST", (AST | PATCH, OPCODE | PATCH), &[PLACE, STORED, EXTRA], attributes::store_patch).attr(STORES_PATCH).modifiers(&[always(&[".P"]), COUNTS]).says("Stores an attribute of the patch.")
        .examples(&[("@P0 AST.P a[0x10], R3;", 0x07e0_eff0_7f80_8100_ff03)]),
    row("AL2P", 0xefa0, 0xfff8, &[OUTSIDE, DEST, BASE, SHIFT], attributes::physical).attr(attr::ATTRIBUTE.stages(ATTRIBUTES)).modifiers(&[OUTPUT, COUNTS]).says("Computes the address of an attribute from its number.")
        .examples(&[("@P6 AL2P.O.64 P5, R197, R140, 0x1c4;", 0x07e0_efa0_d001_1c46_8cc5), ("AL2P P0, R0;", 0x07e0_efa0_0000_0007_ff00)]),
    row("OUT", 0xebe0, 0xfff8, &[DEST, BARE_A, STREAM], emit::out).attr(emits(|insn| emission(insn, Stream::Constant))).modifiers(EMIT).says("Emits a vertex or ends a strip, of the stream that a constant holds.")
        .examples(&[("OUT.EMIT R0, R0, c[0x0][0x4];", 0x07e0_ebe0_0080_0017_0000)]),
    row("OUT", 0xf6e0, 0xfef8, &[DEST, BARE_A, STREAM_NUMBER], emit::out).attr(emits(|insn| emission(insn, Stream::Number(insn.field(B))))).modifiers(EMIT).says("Emits a vertex or ends a strip, of this stream.")
        .examples(&[("OUT.CUT R0, R0, 0x4;", 0x07e0_f6e0_0100_0047_0000)]),
    row("OUT", 0xfbe0, 0xfff8, &[DEST, BARE_A, BARE_B], emit::out).attr(emits(|insn| emission(insn, Stream::Register(insn.field(B))))).modifiers(EMIT).says("Emits a vertex or ends a strip, of the stream that a register holds.")
        .examples(&[("OUT.EMIT R26, RZ, RZ;", 0x07e0_fbe0_0080_0ff7_ff1a)]),
    row("ISBERD", 0xefd0, 0xfff8, &[DEST, BUFFER_ADDRESS], attributes::vertex_number).attr(attr::ATTRIBUTE.stages(VERTICES)).modifiers(BUFFER).says("Reads where the vertices of a primitive lie.")
        .examples(&[("ISBERD.O.PRIM.SKEW R4, [R28];", 0x07e0_efd0_0005_8007_1c04), ("ISBERD R4, [R28];", 0x07e0_efd0_0000_0007_1c04)]),
    row("PIXLD", 0xefe8, 0xfff8, &[DEST, PIXEL_PREDICATE, PIXEL_ADDRESS], pixel::pixel).attr(attr::ATTRIBUTE.stages(PIXELS)).modifiers(PIXEL).says("Reads what is known of the pixel: its samples, or where they lie.")
        .examples(&[("PIXLD.COVMASK R6, [RZ];", 0x07e0_efe8_e000_8007_ff06), ("PIXLD.OFFSET R65, [R10+0x10];", 0x07e0_efe8_e001_8107_0a41)]),
];

/// What is added to the register in front of it: 11 bits with a sign, but 10 without one after `RZ`.
#[derive(Debug)]
struct Shift;

impl Shift {
    fn value(op: &Operand<Maxwell>, word: &u128) -> i64 {
        let bits = op.field.get(word);
        if BASE.field.get(word) == RZ { (bits & 0x3ff) as i64 } else { sign(bits, 11) }
    }
}

impl Kind<Maxwell> for Shift {
    fn describe(&self) -> &'static str {
        "offset of an attribute"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_signed(Self::value(op, &insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let v = parse_signed(text)?;
        let bits = fit(v, 11, text, at)?;
        if BASE.field.get(word) == RZ && v < 0 {
            return Err(Diagnostic::error("asm-range", "the offset is negative").at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        BASE.field.get(&insn.word) != RZ || op.field.get(&insn.word) >> 10 == 0
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Shift {
    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        Self::value(op, &insn.word) != 0
    }
}

impl Hints<Maxwell> for Shift {
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | BASE.field.mask::<u128>())
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER
    }
}
